// SPDX-License-Identifier: Apache-2.0
// Types between the parts of the store path.
package tma_store_pkg;

  import tma_pkg::*;

  // Of broadcasts: beats of a burst at most, a power of two, and beats that each port holds of them
  // before its pins take any. Two bursts, so that one can come while another goes.
  localparam int unsigned SpreadBeats = 16;
  localparam int unsigned PortBeats   = 2 * SpreadBeats;

  // Codes of faults as they travel: all that stores can meet after issue fit.
  typedef logic [7:0] code_t;

  // What the rows of a command have in common.
  typedef struct packed {
    logic        record;
    logic        multimem;
    cta_t        cta;
    swizzle_e    swizzle;
    logic        pack;       // values of 6 bits, one per byte of shared memory
    logic        pair;       // two rows, of one chunk each: the first and last one of the beat
    logic [15:0] byte_mask;
    hint_t       hint;
    origin_t     origin;
    code_t       code;       // of a tensor copy that cannot be made; its row is `none`
    how_t        how;        // of a reduction
  } item_t;

  // What the data of one burst is made of. A dropped job has no data: it stands for the bursts that
  // its command was stopped before, and waits for what is reported of them. One that `ends` has none
  // either, but nothing is wrong. Of a record, the data comes from outside.
  typedef struct packed {
    logic                dropped;
    logic                ends;
    logic                record;
    logic                spread;     // of lane 1
    logic                last;       // the command reads nothing after this
    queue_t              qid;
    ports_t              ports;
    cta_t                cta;
    swizzle_e            swizzle;
    logic                pack;       // of a row of 6 chunks, which starts at a multiple of 128 bytes
    logic                pair;       // of its beat only the first and last chunk are written; they follow each
                                     // other in shared memory, behind a swizzle in one 128-byte line
    chunk_addr_t         saddr;      // first chunk that is read, not swizzled yet; packed: low three
                                     // bits are the first of the 6
    logic [LenWidth-1:0] len;        // beats - 1
    logic [ChunkIdx-1:0] head;       // its lane in the first beat
    logic [ChunkIdx-1:0] tail;       // last lane of the last beat that is written
    logic                odd;        // byte_mask is that of the last chunk alone
    logic [15:0]         byte_mask;  // bytes of every chunk that are written
  } job_t;

  // What is written of a row that is packed.
  typedef struct packed {
    ports_t              ports;
    logic [3:0]          len;        // beats - 1
    logic [3:0]          chunk;      // of the row, in lane 0 of the first beat; modulo 16
    logic [ChunkIdx-1:0] head;       // first lane of the first beat
    logic [ChunkIdx-1:0] tail;       // last lane of the last beat
  } pack_t;

  // A burst whose responses are awaited. A dropped entry awaits none but its job, one that `ends`
  // nothing at all.
  typedef struct packed {
    logic        dropped;
    logic        ends;
    code_t       code;     // of a dropped one: why, or FaultNone when an earlier one failed
    logic        record;
    logic        last;     // last entry of its command
    ports_t      ports;    // that answer
    logic        others;   // it has siblings at other ports: that one of these is dead ends nothing
    origin_t     origin;
    logic [63:0] address;  // first operand byte, or what the fault's rule says
  } track_t;

endpackage
