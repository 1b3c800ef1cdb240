// SPDX-License-Identifier: Apache-2.0
// A design of somebody else that has the engine in it: the template, pasted in.

module soc;

`include "tma_engine_template.svh"

endmodule
