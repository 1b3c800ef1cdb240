// SPDX-License-Identifier: Apache-2.0
// Accesses of shared memory, as the paths send them to the CTAs, and where swizzled chunks lie.
package tma_smem_pkg;

  import tma_pkg::*;

  localparam int unsigned BankRowWidth = ChunkAddr - ChunkShift;
  localparam int unsigned MaxWait      = 8;  // cycles after which whoever waits for shared memory goes first

  typedef logic [BankRowWidth-1:0] bank_row_t;
  typedef bank_row_t [Chunks-1:0]  bank_rows_t;  // of every bank

  // A write into one chunk of one CTA.
  typedef struct packed {
    cta_t         cta;
    chunk_addr_t  addr;
    logic [15:0]  be;
    logic [127:0] data;
  } chunk_write_t;

  // A write of up to one chunk per bank into every CTA of the mask at once. Bank b holds the chunk
  // addresses that are b modulo Chunks; lane b of `be` and `data` goes to its row `rows[b]` ("bank
  // order").
  typedef struct packed {
    cta_mask_t  ctas;
    bank_rows_t rows;
    strb_t      be;
    line_t      data;
  } smem_write_t;

  // What goes with a line of a copy between CTAs from its read to its write.
  typedef struct packed {
    cta_mask_t         ctas;
    chunk_addr_t       addr;    // its first chunk in the destination
    logic [Chunks-1:0] banks;   // that it has chunks for
    logic              last;    // of its command
  } copied_line_t;

  // Rows of the chunk addresses addr .. addr + Chunks - 1.
  function automatic bank_rows_t line_rows(input chunk_addr_t addr);
    for (int unsigned b = 0; b < Chunks; b++) begin
      line_rows[b] = BankRowWidth'((addr + chunk_addr_t'(Chunks - 1 - b)) >> ChunkShift);
    end
  endfunction

  // What a swizzle XORs to the low bits of a chunk address in a 128-byte line of shared memory, whose
  // number's low bits are `line` (semantics 2.6).
  function automatic logic [2:0] swizzle_chunks(input swizzle_e swizzle, input logic [2:0] line);
    unique case (swizzle)
      SwizzleXor32:               return {2'b0, line[0]};
      SwizzleXor64:               return {1'b0, line[1:0]};
      SwizzleXor128:              return line;
      SwizzleAtom32, SwizzleFlip: return {line[1:0], 1'b0};
      SwizzleAtom64:              return {line[0], 2'b0};
      default:                    return '0;
    endcase
  endfunction

  // Whether the 8-byte halves of a line's chunks change places; of a line of odd number.
  function automatic logic swizzle_flips(input swizzle_e swizzle, input logic odd_line);
    return swizzle == SwizzleFlip && odd_line;
  endfunction

endpackage
