// SPDX-License-Identifier: Apache-2.0
// Types between the parts that set up the walk of a tensor copy.
//
// Levels are worked on in groups, as many at once as there are lanes: a wider bus is done sooner with a
// walk, and has more of them. The round of a group goes through an operand step, a position step and a
// sum step; with few lanes the sum is a cycle later, because the product is a step of its own.
package tma_setup_pkg;

  import tma_pkg::*;

  localparam int unsigned Lanes = DataWidth >= 512 ? 4 : DataWidth == 256 ? 2 : 1;
  localparam bit          Split = Lanes < 4;  // product apart from its operands

  // What is multiplied with strides: the coordinate of C alone, where the levels start, how far
  // their restart lies from there.
  typedef enum logic [1:0] {OpSlice, OpStart, OpRestart} op_e;

  typedef logic [1:0] index_t;  // of a level; of a group: its first one

  // A round in one of its steps.
  typedef struct packed {
    logic   valid;
    op_e    op;
    index_t group;
  } round_t;

  // The level that a lane works on.
  function automatic index_t level_of(input index_t group, input index_t lane);
    return Lanes == 4 ? lane : group + lane;
  endfunction

endpackage
