// SPDX-License-Identifier: Apache-2.0
// Products of a tensor map: positions, rows, chunks. One multiplier, one product per cycle, and a small one for positions.
//
//   box, stride --> positions --> rows --+--> chunks of the folded row; of the box, read
//                                        +--> chunks of the box, in shared memory
//                                        +--> rule MAP_SIZE
//
// A product is in its register in the cycle after `mul_i`. Factors that are known in the cycle before
// it come from a register, and what is too large shows in the second cycle after it, so that nothing
// but the choice of the factors is in the path of the multiplier. Rows beyond 2^20 stay `too_large_o`.
// Reset: none.

module tma_map_size
  import tma_map_pkg::*;
(
  input  logic        clk_i,

  input  logic        start_i,       // of a map
  input  logic        mul_valid_i,
  input  mul_e        mul_i,
  input  mul_e        next_i,        // the product of the next cycle

  // Operands of a product in its cycle; the last four and the element's in the cycle before it
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
  logic [11:0] factor_q;
  logic [8:0]  positions_q;  // of a dimension that makes rows, else 1

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
    b = factor_q;
    case (mul_i)
      MulRow:              a = 20'(element_i);
      MulRows:             b = 12'(positions_q);
      MulSide, MulElement: a = size_q;
      default: ;
    endcase
  end

  assign product = a * b;

  // A multiplier of its own: its factors are known early, and something is added to what it gives.
  logic [19:0] quotient;

  assign quotient = 20'(box_i) * 20'(reciprocal(step_i));

  logic unused_quotient;
  assign unused_quotient = ^quotient;

  ///////////////
  // Registers //
  ///////////////

  logic [11:0] high_q;
  logic        rows_made_q, units_made_q;  // what the last product was

  always_ff @(posedge clk_i) begin
    case (next_i)
      MulRow, MulSide: factor_q <= 12'(side_i) + 12'd1;
      MulSlices:       factor_q <= 12'(slices_i) + 12'd1;
      MulElement:      factor_q <= 12'(element_i);
      MulShared:       factor_q <= 12'(pitch_i);
      default:         factor_q <= 12'(row_chunks_i);
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (rows_valid_i) rows_q <= 20'(rows_i);
    if (mul_valid_i) begin
      case (mul_i)
        MulRow:   row_o <= product[13:0];
        MulCount: begin
          count_o     <= quotient[18:11];
          positions_q <= moves_i ? 9'(quotient[18:11]) + 9'd1 : 9'd1;
        end
        MulRows:    rows_q   <= product[19:0];
        MulFold:    fold_o   <= product[19:0];
        MulShared:  shared_o <= product[19:0];
        default:    size_q   <= product[19:0];
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    high_q       <= product[31:20];
    rows_made_q  <= mul_valid_i && (mul_i == MulRows || mul_i == MulSlices || mul_i == MulSide);
    units_made_q <= mul_valid_i && mul_i == MulElement;
    if (start_i) too_large_q <= 1'b0;
    else if ((rows_made_q && high_q != '0) || (units_made_q && {high_q, size_q} > MostUnits)) begin
      too_large_q <= 1'b1;
    end
  end

  assign too_large_o = too_large_q;

endmodule
