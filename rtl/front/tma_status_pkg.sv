// SPDX-License-Identifier: Apache-2.0
// What the registers show of a queue's faults.
package tma_status_pkg;

  // First fault since the queue was enabled, and how many there were. All zero without a fault.
  typedef struct packed {
    logic        faulted;
    logic [15:0] code;
    logic [15:0] count;    // saturates
    logic [31:0] seq;
    logic [63:0] address;
    logic [31:0] tag;
  } queue_status_t;

endpackage
