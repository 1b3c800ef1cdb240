// SPDX-License-Identifier: Apache-2.0
// The rule of the lowest code that a command breaks, and what its record says of it. Combinational.

module tma_check_verdict
  import tma_pkg::*;
  import tma_isa_pkg::*;
  import tma_front_pkg::*;
(
  input  judged_t judged_i,
  output issue_t  issue_o
);

  command_t    cmd;
  verdict_t    verdict;
  logic [63:0] address;

  assign cmd     = judged_i.cmd;
  assign verdict = judged_i.form.fault     != FaultNone ? judged_i.form
                 : judged_i.reserved       != '0        ? '{fault: FaultReservedBits, say: SayCommand}
                 : judged_i.sizes.fault    != FaultNone ? judged_i.sizes
                 : judged_i.operands.fault != FaultNone ? judged_i.operands
                 : judged_i.places.fault   != FaultNone ? judged_i.places
                 : judged_i.denied         != '0        ? '{fault: FaultCtaDenied, say: SayDenied}
                                                        : judged_i.limits;

  always_comb begin
    case (verdict.say)
      SayCommand: address = cmd[63:0];
      SaySize:    address = 64'(cmd.size);
      SayCount:   address = 64'(cmd.count);
      SayTx:      address = 64'(cmd.tx);
      SayMode:    address = 64'(cmd.mode);
      SayDim:     address = 64'(cmd.dim);
      SayGlobal:  address = cmd.global_address;
      SaySrc:     address = 64'(judged_i.src);
      SayDst:     address = 64'(cmd.shared_dst);
      SayBarrier: address = 64'(cmd.barrier);
      SayMask:    address = 64'(cmd.cta_mask);
      SayOp:      address = 64'({cmd.element_type, cmd.op});
      SayDenied:  address = 64'(judged_i.denied);
      default:    address = '0;
    endcase
  end

  assign issue_o = '{qid: judged_i.qid, fault: verdict.fault, fault_addr: address, ctas: judged_i.ctas,
                     again: judged_i.again, bar_op: judged_i.bar_op, cmd: cmd};

endmodule
