// SPDX-License-Identifier: Apache-2.0
// Products of a tensor map: positions, rows, chunks. One multiplier, one product per cycle.
//
//   box, stride --> positions --> rows --+--> chunks of the folded row; of the box, read
//                                        +--> chunks of the box, in shared memory
//                                        +--> rule MAP_SIZE
//
// A product is in its register in the cycle after `mul_i`. Rows beyond 2^20 stay `too_large_o`.
// Reset: none.

module tma_map_size
  import tma_map_pkg::*;
(
  input  logic        clk_i,

  input  logic        start_i,       // of a map
  input  logic        mul_valid_i,
  input  mul_e        mul_i,

  // Its operands
  input  logic        rows_valid_i,  // rows that there are to begin with
  input  logic [10:0] rows_i,
  input  logic [7:0]  box_i,         // boxDim - 1 of the dimension
  input  logic [2:0]  step_i,        // elementStride - 1 of the dimension
  input  logic [5:0]  element_i,     // in units of 2 bits
  input  logic        moves_i,       // the dimension makes rows
  input  logic [7:0]  slices_i,      // - 1, of C
  input  logic [7:0]  side_i,        // - 1, elements of a row
  input  logic [9:0]  row_chunks_i,
  input  logic [9:0]  pitch_i,

  output logic [13:0] row_o,         // in units of 2 bits
  output logic [7:0]  count_o,       // positions - 1
  output logic [19:0] fold_o,        // chunks of all rows so far
  output logic [19:0] shared_o,      // chunks of all rows in shared memory
  output logic        too_large_o
);

  // 232,448 bytes, in units of 2 bits.
  localparam logic [31:0] MostUnits = 32'd929_792;

  logic [19:0] rows_q, size_q;
  logic        too_large_q;

  ////////////////
  // Multiplier //
  ////////////////

  logic [19:0] a;
  logic [11:0] b;
  logic [31:0] product;

  // 2048 / elementStride, rounded up: exact for all boxes.
  function automatic logic [11:0] reciprocal(input logic [2:0] step);
    case (step)
      3'd0:    reciprocal = 12'd2048;
      3'd1:    reciprocal = 12'd1024;
      3'd2:    reciprocal = 12'd683;
      3'd3:    reciprocal = 12'd512;
      3'd4:    reciprocal = 12'd410;
      3'd5:    reciprocal = 12'd342;
      3'd6:    reciprocal = 12'd293;
      default: reciprocal = 12'd256;
    endcase
  endfunction

  always_comb begin
    a = rows_q;
    b = 12'd1;
    case (mul_i)
      MulRow: begin
        a = 20'(side_i) + 20'd1;
        b = 12'(element_i);
      end
      MulCount: begin
        a = 20'(box_i);
        b = reciprocal(step_i);
      end
      MulRows:   if (moves_i) b = 12'(count_o) + 12'd1;
      MulFold:   b = 12'(row_chunks_i);
      MulSlices: b = 12'(slices_i) + 12'd1;
      MulSide: begin
        a = size_q;
        b = 12'(side_i) + 12'd1;
      end
      MulElement: begin
        a = size_q;
        b = 12'(element_i);
      end
      MulShared: b = 12'(pitch_i);
      default: ;
    endcase
  end

  assign product = a * b;

  ///////////////
  // Registers //
  ///////////////

  always_ff @(posedge clk_i) begin
    if (rows_valid_i) rows_q <= 20'(rows_i);
    if (start_i)      too_large_q <= 1'b0;
    if (mul_valid_i) begin
      case (mul_i)
        MulRow:   row_o   <= product[13:0];
        MulCount: count_o <= product[18:11];
        MulRows: begin
          rows_q <= product[19:0];
          if (product[31:20] != '0) too_large_q <= 1'b1;
        end
        MulFold: fold_o <= product[19:0];
        MulSlices, MulSide: begin
          size_q <= product[19:0];
          if (product[31:20] != '0) too_large_q <= 1'b1;
        end
        MulElement: if (product > MostUnits) too_large_q <= 1'b1;
        MulShared:  shared_o <= product[19:0];
        default: ;
      endcase
    end
  end

  assign too_large_o = too_large_q;

endmodule
