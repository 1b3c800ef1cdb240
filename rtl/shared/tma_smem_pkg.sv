// SPDX-License-Identifier: Apache-2.0
// Writes into shared memory, as the paths send them to the CTAs.
package tma_smem_pkg;

  import tma_pkg::*;

  // A write into one chunk of one CTA.
  typedef struct packed {
    cta_t         cta;
    chunk_addr_t  addr;
    logic [15:0]  be;
    logic [127:0] data;
  } chunk_write_t;

  // A write of up to one line, from any chunk on, into every CTA of the mask at once. It covers the
  // chunk addresses addr .. addr + Chunks - 1; lane b of `be` and `data` belongs to bank b, the
  // bank of the chunk addresses that are b modulo Chunks ("bank order").
  typedef struct packed {
    cta_mask_t   ctas;
    chunk_addr_t addr;
    strb_t       be;
    line_t       data;
  } smem_write_t;

endpackage
