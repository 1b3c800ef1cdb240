// SPDX-License-Identifier: Apache-2.0
// Types between the parts that decode a tensor map.
package tma_map_pkg;

  // Products, one per cycle.
  typedef enum logic [2:0] {
    MulRow,      // boxDim[0] x element
    MulCount,    // positions of a dimension - 1: (boxDim - 1) / elementStride
    MulRows,     // rows x positions
    MulFold,     // rows x chunks of a row
    MulSlices,   // rows x slices of C, the start of rule MAP_SIZE,
    MulSide,     // x elements of a row
    MulElement,  // x element
    MulShared    // rows x pitch
  } mul_e;

  // What the word in the register is: of the head, each for one step of a map, or of a dimension, in
  // its turn of three steps.
  typedef struct packed {
    logic control;
    logic row;      // element strides, box of dimension 0
    logic box;      // the other boxes, or corners
    logic pixels;
    logic strides;  // upper bits of the strides
    logic low;      // globalAddress
    logic high;
    logic size;     // globalDim
    logic rest;     // globalStride
    logic turn;     // nothing new: the end of the turn
  } step_t;

  localparam logic [2:0] Beyond = 3'd5;  // no dimension: the turn behind the last one

  // Rules of a map, MAP_RESERVED first.
  localparam int unsigned Rules        = 12;
  localparam int unsigned RuleReserved = 0;
  localparam int unsigned RuleRank     = 1;
  localparam int unsigned RuleType     = 2;
  localparam int unsigned RuleLayout   = 3;
  localparam int unsigned RuleSwizzle  = 4;
  localparam int unsigned RuleFill     = 5;
  localparam int unsigned RuleAddress  = 6;
  localparam int unsigned RuleDim      = 7;
  localparam int unsigned RuleStride   = 8;
  localparam int unsigned RuleBox      = 9;
  localparam int unsigned RuleSize     = 10;
  localparam int unsigned RuleCorners  = 11;

  typedef logic [Rules-1:0] rules_t;

  // Bits 64..87 of a map.
  typedef struct packed {
    logic [1:0] wide;
    logic       swizzle96;
    logic [1:0] atom;
    logic [1:0] promotion;
    logic       tf32;
    logic       fill;
    logic [1:0] swizzle;
    logic [1:0] interleave;
    logic [3:0] element_type;
    logic [2:0] rank;       // - 1
    logic [2:0] reserved;
    logic       im2col;
  } control_t;

endpackage
