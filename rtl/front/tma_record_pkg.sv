// SPDX-License-Identifier: Apache-2.0
// Completion records as they are held before they leave: without what is always zero.
package tma_record_pkg;

  import tma_pkg::*;
  import tma_isa_pkg::*;

  localparam int unsigned KindWidth = 3;

  // Faults have an address and no value, answers a value and no address.
  typedef struct packed {
    logic [31:0]          seq;
    queue_t               qid;
    logic [KindWidth-1:0] kind;
    logic [15:0]          fault;
    logic [63:0]          operand;
    logic [31:0]          tag;
  } held_record_t;

  function automatic held_record_t hold(input record_t r);
    logic unused_bits;

    unused_bits  = ^{r.phase, r.kind, r.queue_number};
    hold.seq     = r.sequence_number;
    hold.qid     = queue_t'(r.queue_number);
    hold.kind    = r.kind[KindWidth-1:0];
    hold.fault   = r.fault;
    hold.operand = r.value | r.address;
    hold.tag     = r.tag;
  endfunction

  function automatic record_t whole(input held_record_t h, input logic phase);
    whole                 = '0;
    whole.sequence_number = h.seq;
    whole.queue_number    = 8'(h.qid);
    whole.kind            = 8'(h.kind);
    whole.fault           = h.fault;
    whole.tag             = h.tag;
    whole.phase           = 32'(phase);
    if (h.kind == KindFault[KindWidth-1:0]) whole.address = h.operand;
    else                                    whole.value   = h.operand;
  endfunction

  // Holding loses nothing of it.
  function automatic logic holds(input record_t r);
    return (r.kind == KindFault ? r.value == '0 : r.address == '0) &&
           r.phase == '0 && whole(hold(r), 1'b0) == r;
  endfunction

endpackage
