// SPDX-License-Identifier: Apache-2.0
// What the control word of a tensor map says, and which of the rules that depend on it alone it
// breaks. Combinational.

module tma_map_control
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_tensor_pkg::*;
  import tma_map_pkg::*;
(
  input  control_t   control_i,

  output rules_t     broken_o,
  output tma_tensor_pkg::kind_e kind_o,
  output layout_t    layout_o,
  output logic       padded_o,     // packed elements with gaps in shared memory
  output logic       wide_grain_o, // addresses and strides are multiples of 32
  output logic [1:0] promotion_o,  // this one and the next two as in map_info_t
  output logic [2:0] unit_o,
  output logic       half_o,
  output logic [5:0] element_o,    // in units of 2 bits
  output logic [3:0] span_o,       // chunks from row to row in shared memory, 0: those of the row
  output logic       storable_o,
  output logic [7:0] ops_o,        // this one and the next two as in map_info_t
  output logic [3:0] arith_o,
  output logic       flush_o
);

  logic [3:0] element_type;
  logic       interleaved, padded, floating, swizzled;

  assign element_type = control_i.element_type;
  assign interleaved  = control_i.interleave != InterleaveNone;
  assign padded       = element_type == MapTypeB4x16P64 || element_type == MapTypeB6x16P32;
  assign floating     = element_type >= MapTypeF16 && element_type <= MapTypeBf16;
  assign swizzled     = control_i.swizzle != SwizzleNone || control_i.swizzle96;

  assign padded_o     = padded;
  assign promotion_o  = control_i.promotion;
  assign wide_grain_o = padded || control_i.interleave == Interleave32b;
  assign storable_o   = element_type != MapTypeB4x16P64 &&
                        !(control_i.swizzle == Swizzle128b && control_i.atom == Atom32bFlip8b);

  /////////////
  // Element //
  /////////////

  logic [2:0] bytes_log2;

  always_comb begin
    bytes_log2 = 3'd0;
    element_o  = 6'd4;
    case (element_type)
      MapTypeU16, MapTypeF16, MapTypeBf16: begin
        bytes_log2 = 3'd1;
        element_o  = 6'd8;
      end
      MapTypeU32, MapTypeS32, MapTypeF32, MapTypeF32Ftz: begin
        bytes_log2 = 3'd2;
        element_o  = 6'd16;
      end
      MapTypeU64, MapTypeS64, MapTypeF64: begin
        bytes_log2 = 3'd3;
        element_o  = 6'd32;
      end
      MapTypeB4x16, MapTypeB4x16P64: element_o = 6'd2;
      MapTypeB6x16P32:               element_o = 6'd3;
      default: ;
    endcase
  end

  assign unit_o = !interleaved ? bytes_log2 : control_i.interleave[1] ? 3'd5 : 3'd4;
  assign half_o = !interleaved && element_o == 6'd2;

  ////////////////
  // Reductions //
  ////////////////

  // Sets of operators.
  localparam logic [7:0] OpsAdd    = 8'd1 << ReduceAdd;
  localparam logic [7:0] OpsMinMax = 8'd1 << ReduceMin | 8'd1 << ReduceMax;
  localparam logic [7:0] OpsCount  = 8'd1 << ReduceInc | 8'd1 << ReduceDec;
  localparam logic [7:0] OpsBits   = 8'd1 << ReduceAnd | 8'd1 << ReduceOr | 8'd1 << ReduceXor;

  // tf32 is added as f32: not rounded to it.
  always_comb begin
    ops_o   = '0;
    arith_o = '0;
    case (element_type)
      MapTypeU32:                {ops_o, arith_o} = {OpsAdd | OpsMinMax | OpsCount | OpsBits, TypeU32};
      MapTypeS32:                {ops_o, arith_o} = {OpsAdd | OpsMinMax | OpsBits, TypeS32};
      MapTypeU64:                {ops_o, arith_o} = {OpsAdd | OpsMinMax | OpsBits, TypeU64};
      MapTypeS64:                {ops_o, arith_o} = {OpsMinMax, TypeS64};
      MapTypeF16:  if (Floating) {ops_o, arith_o} = {OpsAdd | OpsMinMax, TypeF16};
      MapTypeBf16: if (Floating) {ops_o, arith_o} = {OpsAdd | OpsMinMax, TypeBf16};
      MapTypeF32, MapTypeF32Ftz: if (Floating) {ops_o, arith_o} = {OpsAdd, TypeF32};
      MapTypeF64:  if (Doubles)  {ops_o, arith_o} = {OpsAdd, TypeF64};
      default: ;
    endcase
    flush_o = element_type == MapTypeF32Ftz;
    if (!Floating) flush_o = 1'b0;
    if (!Reduces) {ops_o, arith_o, flush_o} = '0;
  end

  /////////////////////
  // Kind and layout //
  /////////////////////

  always_comb begin
    kind_o = KindTiled;
    if (control_i.im2col) begin
      case (control_i.wide)
        WideW:    kind_o = KindW;
        WideW128: kind_o = KindW128;
        default:  kind_o = KindIm2col;
      endcase
    end

    layout_o.nan    = control_i.fill;
    layout_o.format = control_i.tf32 ? FormatTf32 : FormatPlain;
    if (padded) layout_o.format = element_type[0] ? FormatPad6 : FormatPad4;

    layout_o.swizzle = control_i.swizzle96 ? SwizzleXor32 : SwizzleOff;
    span_o           = control_i.swizzle96 ? 4'd6 : padded ? 4'd8 : 4'd0;
    case (control_i.swizzle)
      Swizzle32b: begin
        layout_o.swizzle = SwizzleXor32;
        span_o           = 4'd2;
      end
      Swizzle64b: begin
        layout_o.swizzle = SwizzleXor64;
        span_o           = 4'd4;
      end
      Swizzle128b: begin
        span_o = 4'd8;
        case (control_i.atom)
          Atom32b:       layout_o.swizzle = SwizzleAtom32;
          Atom32bFlip8b: layout_o.swizzle = SwizzleFlip;
          Atom64b:       layout_o.swizzle = SwizzleAtom64;
          default:       layout_o.swizzle = SwizzleXor128;
        endcase
      end
      default: ;
    endcase
    if (interleaved) span_o = 4'd0;
  end

  ///////////
  // Rules //
  ///////////

  logic full128, wide_may;

  assign full128  = control_i.swizzle == Swizzle128b;
  assign wide_may = control_i.swizzle == Swizzle64b || control_i.swizzle96 ||
                    (full128 && !control_i.atom[1]);

  always_comb begin
    broken_o = '0;

    broken_o[RuleReserved] = control_i.reserved != '0;

    broken_o[RuleRank] = control_i.rank > 3'd4 ||
                         ((interleaved || control_i.im2col) && control_i.rank < 3'd2);

    broken_o[RuleType] = element_type == 4'd11 || element_type == 4'd12 || (padded && !Packed) ||
                         (control_i.tf32 && element_type != MapTypeF32 && element_type != MapTypeF32Ftz);

    broken_o[RuleLayout] = control_i.interleave == 2'd3 || control_i.wide == 2'd3 ||
                           (interleaved && (control_i.wide != WideNone || padded)) ||
                           (control_i.wide != WideNone && !control_i.im2col);

    broken_o[RuleSwizzle] =
        (control_i.atom != Atom16b && !full128) ||
        (control_i.swizzle96 && (control_i.swizzle != SwizzleNone || interleaved || padded ||
                                 control_i.wide == WideW128)) ||
        (padded && swizzled && (!full128 || control_i.atom == Atom32bFlip8b)) ||
        (control_i.wide != WideNone && !wide_may);

    broken_o[RuleFill] = control_i.fill && !floating;
  end

endmodule
