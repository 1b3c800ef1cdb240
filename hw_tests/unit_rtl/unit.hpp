/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the shims of single RTL units share: a Verilated module with its clock, and packed structs.
 *
 * A packed port is one number; Verilator keeps it as an integer of up to 64 bits or as 32-bit words,
 * low word first. On a little-endian host both are an array of bytes, bit i in byte i / 8.
 */
#ifndef UNIT_HPP
#define UNIT_HPP

#include "sim/verilated_user.h" /* before Verilator's own headers */

#include <cstdint>
#include <cstring>
#include <memory>
#include <verilated.h>

#include "unit_rtl/unit.h"

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "ports are read as little-endian bytes");

/* Writes the fields of a packed struct, or the elements of a packed array, lowest first. */
class packer
{
	uint8_t *bytes;
	unsigned at = 0;

      public:
	template <class Port> explicit packer(Port &port) : bytes(reinterpret_cast<uint8_t *>(&port))
	{
	}

	packer &put(unsigned width, uint64_t value)
	{
		for (unsigned i = 0; i < width; i++, at++) {
			bytes[at / 8] = static_cast<uint8_t>(bytes[at / 8] & ~(1u << at % 8));
			bytes[at / 8] |= static_cast<uint8_t>((value >> i & 1) << at % 8);
		}
		return *this;
	}
};

/* Reads them. */
class unpacker
{
	const uint8_t *bytes;
	unsigned at = 0;

      public:
	template <class Port>
	explicit unpacker(const Port &port) : bytes(reinterpret_cast<const uint8_t *>(&port))
	{
	}

	uint64_t get(unsigned width)
	{
		uint64_t value = 0;

		for (unsigned i = 0; i < width; i++, at++)
			value |= static_cast<uint64_t>(bytes[at / 8] >> at % 8 & 1) << i;
		return value;
	}
};

constexpr unsigned log2_up(uint64_t n)
{
	unsigned bits = 0;

	while ((UINT64_C(1) << bits) < n)
		bits++;
	return bits;
}

/* A module of its own with clock and reset. */
template <class Model> struct unit {
	VerilatedContext context;
	std::unique_ptr<Model> top;

	explicit unit(const char *name)
	{
		unit_prepare(context);
		top = std::make_unique<Model>(&context, name);
		top->clk_i = 0;
		top->rst_ni = 0;
	}

	~unit()
	{
		Verilated::threadContextp(&context);
		top->final();
		unit_save_covers(context);
	}

	void eval()
	{
		Verilated::threadContextp(&context);
		top->eval();
	}

	/* The rising edge. Outputs are settled afterwards, for the inputs as they are. */
	void tick()
	{
		eval();
		context.timeInc(1);
		top->clk_i = 1;
		top->eval();
		context.timeInc(1);
		top->clk_i = 0;
		top->eval();
	}
};

#endif
