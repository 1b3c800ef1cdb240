// SPDX-License-Identifier: Apache-2.0
// Properties of the swizzle: the address of every byte is that of the table in docs/semantics.md 2.6, for every mode;
// it is an involution; and what tma_load_swizzle does with a line of banks is what it says of addresses.
//
// A line of chunks in bank order, in one 128-byte line of shared memory or in several that swap their chunks alike,
// is followed by one of its chunks, any of them.

module swizzle_proof
  import tma_pkg::*;
  import tma_smem_pkg::*;
#(
  parameter int unsigned LaneWidth = 8  // bits that stand for a chunk
) (
  input logic [OffWidth-1:0]   addr_i,     // any byte
  input logic [2:0]            swizzle_i,
  input logic [Chunks*LaneWidth-1:0] line_i, // of the chunks from that of `addr_i` on, modulo Chunks, bank by bank
  input logic [ChunkIdx-1:0]   bank_i      // the followed one
);

  typedef logic [OffWidth-1:0] addr_t;

  swizzle_e swizzle;

  assign swizzle = swizzle_e'(swizzle_i);

  // As the engine has it: chunks of a 128-byte line, and halves of chunks.
  function automatic addr_t placed(input swizzle_e mode, input addr_t addr);
    logic [2:0] chunk;
    logic       half;

    chunk = addr[6:4] ^ swizzle_chunks(mode, addr[9:7]);
    half  = addr[3] ^ swizzle_flips(mode, addr[7]);
    return {addr[OffWidth-1:7], chunk, half, addr[2:0]};
  endfunction

  // As the table has it.
  function automatic addr_t table_of(input swizzle_e mode, input addr_t addr);
    addr_t a;

    a = addr;
    case (mode)
      SwizzleXor32:  a[4]   = addr[4]   ^ addr[7];
      SwizzleXor64:  a[5:4] = addr[5:4] ^ addr[8:7];
      SwizzleXor128: a[6:4] = addr[6:4] ^ addr[9:7];
      SwizzleAtom32: a[6:5] = addr[6:5] ^ addr[8:7];
      SwizzleFlip: begin
        a[6:5] = addr[6:5] ^ addr[8:7];
        a[3]   = addr[3]   ^ addr[7];
      end
      SwizzleAtom64: a[6]   = addr[6]   ^ addr[7];
      default:       a      = addr;
    endcase
    return a;
  endfunction

  addr_t there;

  assign there = placed(swizzle, addr_i);

  // A line that lies in one 128-byte line goes through the lanes.
  logic [2:0]            mask;
  logic [Chunks*LaneWidth-1:0] data;
  bank_rows_t            rows, rows_out;
  chunk_addr_t           first, chunk;   // of the line; the followed one's
  chunk_addr_t           goes;           // to this one
  logic [ChunkIdx-1:0]   lane;
  logic                  alike;          // all of it is swapped alike

  assign mask  = swizzle_chunks(swizzle, addr_i[9:7]);
  assign first = addr_i[OffWidth-1:4];
  assign rows  = line_rows(first);

  // The chunk of the line that is in that bank.
  assign chunk = {rows[bank_i & ChunkIdx'(Chunks - 1)], bank_i[ChunkIdx-1:0]} >> (ChunkIdx - ChunkShift);
  assign alike = chunk[ChunkAddr-1:3] == first[ChunkAddr-1:3];
  assign goes  = chunk_addr_t'(table_of(swizzle == SwizzleFlip ? SwizzleAtom32 : swizzle, {chunk, 4'd0}) >> 4);
  assign lane  = goes[ChunkIdx-1:0] & ChunkIdx'(Chunks - 1);

  tma_load_swizzle #(.LaneWidth(LaneWidth)) u_data (.line_i, .mask_i(mask), .line_o(data));
  tma_load_swizzle #(.LaneWidth(BankRowWidth)) u_rows (.line_i(rows), .mask_i(mask), .line_o(rows_out));

  always_comb begin
    assume (swizzle_i <= 3'(SwizzleAtom64));

    FormulaHolds: assert (there == table_of(swizzle, addr_i));
    IsItsInverse: assert (placed(swizzle, there) == addr_i);
    if (alike) begin
      DataGoesThere: assert (data[32'(lane) * LaneWidth +: LaneWidth] == line_i[32'(bank_i) * LaneWidth +: LaneWidth]);
      RowGoesThere:  assert ((rows_out[lane] ^ (BankRowWidth'(mask) >> ChunkShift)) == goes[ChunkAddr-1:ChunkShift]);
    end

    Moves:      cover (alike && goes != chunk && swizzle == SwizzleXor128);
    SecondRow:  cover (alike && rows[0] != rows[Chunks-1] && goes != chunk);
    Flips:      cover (swizzle == SwizzleFlip && there[3] != addr_i[3]);
  end

endmodule
