// SPDX-License-Identifier: Apache-2.0
// Types between the parts of the store path.
package tma_store_pkg;

  import tma_pkg::*;

  // What the data of one burst is made of. A dropped job has no data: it stands for the bursts that
  // its command was stopped before. Of a record, the data comes from outside.
  typedef struct packed {
    logic                dropped;
    logic                record;
    logic                last;       // the command reads nothing after this
    queue_t              qid;
    ports_t              ports;
    cta_t                cta;
    chunk_addr_t         saddr;      // first chunk that is read
    logic [LenWidth-1:0] len;        // beats - 1
    logic [ChunkIdx-1:0] head;       // its lane in the first beat
    logic [ChunkIdx-1:0] tail;       // last lane of the last beat that is written
    logic [15:0]         byte_mask;  // bytes of every chunk that are written
  } job_t;

  // Why a burst was dropped.
  typedef enum logic [1:0] {
    DenyNone,      // an earlier one of its command failed
    DenyWindow,    // a plain burst outside the windows of its queue
    DenyMultimem,  // a multimem burst outside of them
    DenyUnmapped   // outside the multimem windows
  } deny_e;

  // A burst whose responses are awaited. A dropped entry awaits none.
  typedef struct packed {
    logic        dropped;
    deny_e       deny;
    logic        record;
    logic        last;    // last entry of its command
    ports_t      ports;   // that answer
    origin_t     origin;
    logic [59:0] chunk;   // first operand byte / 16
  } track_t;

endpackage
