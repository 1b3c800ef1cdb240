// SPDX-License-Identifier: Apache-2.0
// Types between the parts of the store path.
package tma_store_pkg;

  import tma_pkg::*;

  // What the data of one burst is made of. A dropped job has no data: it stands for the bursts that
  // its command was stopped before.
  typedef struct packed {
    logic                dropped;
    logic                last;       // the command reads nothing after this
    queue_t              qid;
    cta_t                cta;
    chunk_addr_t         saddr;      // first chunk that is read
    logic [LenWidth-1:0] len;        // beats - 1
    logic [ChunkIdx-1:0] head;       // its lane in the first beat
    logic [ChunkIdx-1:0] tail;       // last lane of the last beat that is written
    logic [15:0]         byte_mask;  // bytes of every chunk that are written
  } job_t;

  // A burst whose response is awaited. A dropped entry awaits none.
  typedef struct packed {
    logic        dropped;
    logic        denied;  // dropped because no window allows it
    logic        last;    // last entry of its command
    origin_t     origin;
    logic [59:0] chunk;   // first operand byte / 16
  } track_t;

endpackage
