// SPDX-License-Identifier: Apache-2.0
// Types between the parts of the reductions, and where the bits of an element lie. Semantics 3.
package tma_reduce_pkg;

  import tma_pkg::how_t;

  // A burst has this many beats at most, so that many are in flight, and one is worked on as soon as it is there.
  localparam int unsigned ReduceBeats = 16;

  // Old data that a port holds; lines that are worked on, or wait for the bus.
  localparam int unsigned OldLines    = 2 * tma_pkg::NumReductions > 64 ? 2 * tma_pkg::NumReductions : 64;
  localparam int unsigned ResultLines = 2 * ReduceBeats;

  // What a burst updates: chunks of a page of a port, both ends included.
  localparam int unsigned PortWidth = tma_pkg::NumPorts > 1 ? $clog2(tma_pkg::NumPorts) : 1;

  typedef struct packed {
    logic [PortWidth-1:0] port;
    logic [51:0]          page;
    logic [7:0]           first, last;
    logic                 whole;  // all of its bytes: another one may follow it
  } reach_t;

  // The score's entry of a burst, and its place in all that is kept by entries.
  localparam int unsigned SlotWidth = tma_pkg::NumReductions > 1 ? $clog2(tma_pkg::NumReductions) : 1;
  typedef logic [SlotWidth-1:0] slot_t;
  typedef logic [PortWidth-1:0]  port_t;

  // How the old data of a burst comes to the arithmetic.
  typedef struct packed {
    port_t  port;
    logic   follows;  // it is the line that `from` leaves
    slot_t from;
    how_t   how;
  } plan_t;

  // Where it goes from there.
  typedef struct packed {
    port_t           port;
    tma_pkg::aw_t    aw;
  } target_t;

  // What an error of the read half was.
  typedef struct packed {
    logic       failed;
    logic [1:0] resp;
    logic       dead;
  } failure_t;

  // A line of old data.
  typedef struct packed {
    logic [1:0]     resp;
    logic           dead;  // no line: the port died, and with it this burst
    tma_pkg::line_t data;
  } old_t;

  // A line of new data on its way out.
  typedef struct packed {
    tma_pkg::strb_t strb;
    tma_pkg::line_t data;
  } result_t;

  // A burst that has left, or was dropped for an error of its reads.
  typedef struct packed {
    port_t    port;
    failure_t failure;
  } outcome_t;

  // Bits of an element.
  typedef enum logic [1:0] {Size16, Size32, Size64} size_e;

  // Formats of floating point.
  typedef enum logic [1:0] {F16, Bf16, F32, F64} float_e;

  // Exponents of all formats, and one more than the largest.
  localparam int unsigned ExpWidth = 12;
  typedef logic [ExpWidth-1:0] exp_t;

  // An element at the top of 64 bits, zeros below it; or the significand of one.
  typedef logic [63:0] top_t;

  // What the later stages have to know of an element.
  typedef struct packed {
    size_e   size;
    float_e  format;
    logic    sums;      // a sum of floating point
    logic    flush;
    logic    special;   // it is infinity or a NaN, as it is
    logic    minus;     // of a sum: a difference
    logic    sign;
    exp_t    exponent;
  } about_t;

  function automatic size_e size_of(logic [3:0] kind);
    unique case (kind)
      tma_isa_pkg::TypeF16, tma_isa_pkg::TypeBf16: return Size16;
      tma_isa_pkg::TypeU32, tma_isa_pkg::TypeS32, tma_isa_pkg::TypeB32,
      tma_isa_pkg::TypeF32:                        return Size32;
      default:                                     return Size64;
    endcase
  endfunction

  // From the low bits to the top, and back.
  function automatic top_t to_top(size_e size, logic [63:0] value);
    unique case (size)
      Size16:  return value << 48;
      Size32:  return value << 32;
      default: return value;
    endcase
  endfunction

  function automatic logic [63:0] from_top(size_e size, top_t value);
    unique case (size)
      Size16:  return value >> 48;
      Size32:  return value >> 32;
      default: return value;
    endcase
  endfunction

  // The exponent of infinity and NaN.
  function automatic exp_t full_of(float_e format);
    unique case (format)
      F16:     return exp_t'(2**5 - 1);
      F64:     return exp_t'(2**11 - 1);
      default: return exp_t'(2**8 - 1);
    endcase
  endfunction

  function automatic exp_t exponent_of(float_e format, top_t value);
    unique case (format)
      F16:     return exp_t'((value << 1) >> (64 - 5));
      F64:     return exp_t'((value << 1) >> (64 - 11));
      default: return exp_t'((value << 1) >> (64 - 8));
    endcase
  endfunction

  // The fraction, its first bit on top.
  function automatic top_t fraction_of(float_e format, top_t value);
    unique case (format)
      F16:     return value << 6;
      F64:     return value << 12;
      default: return value << 9;
    endcase
  endfunction

  // Sign, exponent and fraction, the latter's first bit on top, what is behind its last one dropped; in the low bits.
  function automatic logic [63:0] join_float(float_e format, logic sign, exp_t exponent, top_t fraction);
    unique case (format)
      F16:     return 64'(sign) << 15 | 64'(exponent) << 10 | fraction >> (64 - 10);
      Bf16:    return 64'(sign) << 15 | 64'(exponent) << 7  | fraction >> (64 - 7);
      F32:     return 64'(sign) << 31 | 64'(exponent) << 23 | fraction >> (64 - 23);
      default: return 64'(sign) << 63 | 64'(exponent) << 52 | fraction >> (64 - 52);
    endcase
  endfunction

  // The last bit of a significand whose first one is on top.
  function automatic top_t last_of(float_e format);
    unique case (format)
      F16:     return 64'd1 << (63 - 10);
      Bf16:    return 64'd1 << (63 - 7);
      F32:     return 64'd1 << (63 - 23);
      default: return 64'd1 << (63 - 52);
    endcase
  endfunction

endpackage
