// SPDX-License-Identifier: Apache-2.0
// Compares what the package and the C header say of every opcode and set of flags.
module used_bits;
  import tma_isa_pkg::*;

  import "DPI-C" function void c_used_bits(input int unsigned opcode, input int unsigned flags,
                                           output bit [511:0] used);
  import "DPI-C" function int unsigned c_command(input int unsigned opcode);

  bit [511:0]  expected;
  bit [511:0]  actual;
  bit [2:0]    command;
  int unsigned errors;

  // All sets of the lower flags, and each undefined flag next to all lower ones.
  localparam int unsigned FlagSets = 2048 + 5;

  function automatic bit [15:0] flag_set(input int unsigned index);
    flag_set = index < 2048 ? 16'(index) : 16'h07FF | (16'h0800 << (index - 2048));
  endfunction

  initial begin
    errors = 0;
    for (int unsigned opcode = 0; opcode < 256; opcode++) begin
      command = {needs_reduce(8'(opcode)), answers(8'(opcode)), known_opcode(8'(opcode))};
      if (32'(command) != c_command(opcode)) begin
        errors++;
        $display("opcode %02x: package %b, header %b", opcode, command, c_command(opcode));
      end
      for (int unsigned set = 0; set < FlagSets; set++) begin
        c_used_bits(opcode, 32'(flag_set(set)), expected);
        actual = tma_isa_pkg::used_bits(8'(opcode), flag_set(set));
        if (actual != expected) begin
          errors++;
          $display("opcode %02x flags %04x: package %0x, header %0x", opcode, flag_set(set),
                   actual, expected);
        end
      end
    end
    $display("%0d sets compared, %0d differ", 256 * FlagSets, errors);
    $finish;
  end
endmodule
