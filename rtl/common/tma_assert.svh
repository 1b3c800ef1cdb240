// SPDX-License-Identifier: Apache-2.0
// Assertion macros. One line per property, a name that reads as a sentence, no bare `assert`.
// They see `clk_i` and `rst_ni` of the module that uses them and vanish in synthesis, but for
// TMA_ASSERT_INIT, a property of constants: where it does not hold, elaboration fails.
`ifndef TMA_ASSERT_SVH
`define TMA_ASSERT_SVH
`ifdef SYNTHESIS
  `define TMA_ASSERT(name_, prop_)
  `define TMA_COVER(name_, prop_)
`else
  `define TMA_ASSERT(name_, prop_)                                             \
    name_: assert property (@(posedge clk_i) disable iff (!rst_ni) (prop_))    \
      else $error("%m: violated");
  `define TMA_COVER(name_, prop_)                                              \
    name_: cover property (@(posedge clk_i) disable iff (!rst_ni) (prop_));
`endif
`define TMA_ASSERT_INIT(name_, prop_)                                          \
  if (!(prop_)) begin : name_                                                  \
    $error(`"name_: illegal parameter`");                                      \
  end
// A sender that has raised valid keeps valid and payload until ready.
`define TMA_ASSERT_STABLE(name_, valid_, ready_, payload_)                     \
  `TMA_ASSERT(name_, (valid_) && !(ready_) |=> (valid_) && $stable(payload_))
`endif
