// SPDX-License-Identifier: Apache-2.0
// State of one queue as registers: STATUS and the FAULT words, which are on page 0 and on the
// queue's own page in the same order. Combinational.

module tma_state_regs
  import tma_csr_pkg::*;
  import tma_status_pkg::*;
(
  input  logic [2:0]    word_i,     // STATUS, FAULT, sequence, address low and high, tag
  input  logic          busy_i,
  input  logic          waiting_i,
  input  logic          full_i,
  input  logic          closing_i,
  input  queue_status_t status_i,
  output logic [31:0]   rdata_o
);

  localparam logic [16:0] First = CsrQueueStatusOffset;

  // Place of a register behind STATUS, in words.
  function automatic logic [2:0] place(input logic [16:0] offset);
    place = 3'((offset - First) >> 2);
  endfunction

  always_comb begin
    rdata_o = '0;
    case (word_i)
      place(CsrQueueStatusOffset): begin
        rdata_o[CsrQueueStatusBusyLsb]    = busy_i;
        rdata_o[CsrQueueStatusFaultedLsb] = status_i.faulted;
        rdata_o[CsrQueueStatusWaitingLsb] = waiting_i;
        rdata_o[CsrQueueStatusFullLsb]    = full_i;
        rdata_o[CsrQueueStatusClosingLsb] = closing_i;
      end
      place(CsrQueueFaultOffset): begin
        rdata_o[CsrQueueFaultCodeLsb +: CsrQueueFaultCodeWidth]   = status_i.code;
        rdata_o[CsrQueueFaultCountLsb +: CsrQueueFaultCountWidth] = status_i.count;
      end
      place(CsrQueueFaultSequenceOffset):  rdata_o = status_i.seq;
      place(CsrQueueFaultAddressLoOffset): rdata_o = status_i.address[31:0];
      place(CsrQueueFaultAddressHiOffset): rdata_o = status_i.address[63:32];
      default:                             rdata_o = status_i.tag;
    endcase
  end

endmodule
