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

  // The arithmetic works on 64 bits at a time, in four segments of 16. An element of 64 bits takes all of them, one of
  // 32 two, one of 16 a segment. Bits of an element never leave their place, but for a sum of floating point while it
  // is made:
  //
  //   bits     15   14 ......... 0      of the element's uppermost segment
  //            sign exponent fraction   below it all is fraction
  //                        hidden       a significand has its first bit where the exponent's last one was
  //
  // What is known of an element stands at its uppermost segment, until it is spread to all of them.
  localparam int unsigned Segments = 4;
  localparam int unsigned SegBits  = 16;

  typedef logic [Segments-1:0]              flags_t;
  typedef logic [SegBits-1:0]               segment_t;
  typedef logic [Segments-1:0][SegBits-1:0] word_t;

  // Bits below the last one of an element: two that fell off at the right, and whether any did beyond them.
  localparam int unsigned GuardBits = 3;
  typedef logic [Segments-1:0][GuardBits-1:0] guards_t;

  // Bits of an element.
  typedef enum logic [1:0] {Size16, Size32, Size64} size_e;

  // Where exponents lie. Whole: it is no floating point.
  typedef enum logic [2:0] {Whole, F16, Bf16, F32, F64} layout_e;

  // Elements of a type, bit by bit, so that no stage has to know types. All of it is constant in most of the bits, or
  // the same as in others.
  typedef struct packed {
    flags_t top;       // the segment is the uppermost one of an element
    word_t  exponent;
    word_t  fraction;  // of what is no floating point, all
    word_t  hidden;
  } form_t;

  // Places that an element is moved by.
  localparam int unsigned CountWidth = 6;
  typedef logic [CountWidth-1:0]               count_t;
  typedef logic [Segments-1:0][CountWidth-1:0] counts_t;

  function automatic size_e size_of(logic [3:0] kind);
    unique case (kind)
      tma_isa_pkg::TypeF16, tma_isa_pkg::TypeBf16: return Size16;
      tma_isa_pkg::TypeU32, tma_isa_pkg::TypeS32, tma_isa_pkg::TypeB32,
      tma_isa_pkg::TypeF32:                        return Size32;
      default:                                     return Size64;
    endcase
  endfunction

  function automatic form_t form_of(size_e size, layout_e layout);
    form_t form;
    unique case (size)
      Size16:  form.top = 4'b1111;
      Size32:  form.top = 4'b1010;
      default: form.top = 4'b1000;
    endcase
    unique case (layout)
      F16:     form.exponent = {4{16'h7C00}};
      Bf16:    form.exponent = {4{16'h7F80}};
      F32:     form.exponent = {2{32'h7F80_0000}};
      F64:     form.exponent = 64'h7FF0_0000_0000_0000;
      default: form.exponent = '0;
    endcase
    unique case (layout)
      F16:     form.fraction = {4{16'h03FF}};
      Bf16:    form.fraction = {4{16'h007F}};
      F32:     form.fraction = {2{32'h007F_FFFF}};
      F64:     form.fraction = 64'h000F_FFFF_FFFF_FFFF;
      default: form.fraction = '1;
    endcase
    unique case (layout)
      F16:     form.hidden = {4{16'h0400}};
      Bf16:    form.hidden = {4{16'h0080}};
      F32:     form.hidden = {2{32'h0080_0000}};
      F64:     form.hidden = 64'h0010_0000_0000_0000;
      default: form.hidden = '0;
    endcase
    return form;
  endfunction

  // Segments that are the lowest of an element: those above an uppermost one.
  function automatic flags_t bottoms(flags_t top);
    return {top[Segments-2:0], top[Segments-1]};
  endfunction

  // What the uppermost segment has, in all of the element.
  function automatic flags_t spread(flags_t top, flags_t value);
    flags_t all;
    logic   element;
    element = 1'b0;
    for (int unsigned s = Segments; s > 0; s--) begin
      if (top[s-1]) element = value[s-1];
      all[s-1] = element;
    end
    return all;
  endfunction

  // For the uppermost segment: has any of the element?
  function automatic flags_t gather(flags_t top, flags_t value);
    flags_t any;
    logic   element;
    element = 1'b0;
    for (int unsigned s = 0; s < Segments; s++) begin
      any[s]  = element || value[s];
      element = any[s] && !top[s];
    end
    return any;
  endfunction

  // What an addition that has no number for a result gives.
  function automatic word_t nan_of(layout_e layout);
    unique case (layout)
      F16, Bf16: return {4{16'h7FFF}};
      F32:       return {2{32'h7FFF_FFFF}};
      F64:       return 64'hFFF8_0000_0000_0000;
      default:   return '0;
    endcase
  endfunction

endpackage
