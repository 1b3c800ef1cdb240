/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the shims of single RTL units share: a Verilated module with its clock, and bits of its ports.
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

/* The constants of the configuration: shape.h, which is included before this. */
const struct unit_shape *unit_shape(void)
{
	static const struct unit_shape shape = {
		TMA_DataWidth / 8, TMA_NumCtas,    TMA_SmemBytes,     TMA_NumQueues,
		TMA_NumPorts,      TMA_NumWindows, TMA_NumReads,      TMA_NumWrites,
		TMA_NumMultimem,   TMA_RingDepth,  TMA_NumMaps,       TMA_NumBarriers,
		TMA_Packed,        TMA_ShortPaths, TMA_NumReductions, TMA_Floats,
	};

	return &shape;
}

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "ports are read as little-endian bytes");

template <class Port> uint8_t *bits(Port &port)
{
	return reinterpret_cast<uint8_t *>(&port);
}

/* `width` bits of a port from bit `at` on, at most 64: those of one word of memory, and what is left behind it. */
inline void put_bits(uint8_t *port, unsigned at, unsigned width, uint64_t value)
{
	const unsigned bit = at % 8, here = width < 64 - bit ? width : 64 - bit, count = (bit + here + 7) / 8;
	const uint64_t mask = (here < 64 ? (UINT64_C(1) << here) - 1 : ~UINT64_C(0)) << bit;
	uint64_t word = 0;

	std::memcpy(&word, port + at / 8, count);
	word = (word & ~mask) | (value << bit & mask);
	std::memcpy(port + at / 8, &word, count);
	if (here < width)
		put_bits(port, at + here, width - here, value >> here);
}

inline uint64_t get_bits(const uint8_t *port, unsigned at, unsigned width)
{
	const unsigned bit = at % 8, here = width < 64 - bit ? width : 64 - bit, count = (bit + here + 7) / 8;
	uint64_t word = 0;

	std::memcpy(&word, port + at / 8, count);
	word = word >> bit & (here < 64 ? (UINT64_C(1) << here) - 1 : ~UINT64_C(0));
	return here < width ? word | get_bits(port, at + here, width - here) << here : word;
}

inline int64_t get_signed(const uint8_t *port, unsigned at, unsigned width)
{
	return static_cast<int64_t>(get_bits(port, at, width) << (64 - width)) >> (64 - width);
}

/* More than that, from and to little-endian bytes. */
inline void put_bytes(uint8_t *port, unsigned at, unsigned width, const void *from)
{
	const auto *bytes = static_cast<const uint8_t *>(from);
	unsigned i = 0;

	if (at % 8 == 0)
		std::memcpy(port + at / 8, bytes, i = width / 8);
	for (; i < width / 8; i++)
		put_bits(port, at + 8 * i, 8, bytes[i]);
	if (width % 8)
		put_bits(port, at + 8 * i, width % 8, bytes[i]);
}

inline void get_bytes(const uint8_t *port, unsigned at, unsigned width, void *to)
{
	auto *bytes = static_cast<uint8_t *>(to);
	unsigned i = 0;

	if (at % 8 == 0)
		std::memcpy(bytes, port + at / 8, i = width / 8);
	for (; i < width / 8; i++)
		bytes[i] = static_cast<uint8_t>(get_bits(port, at + 8 * i, 8));
	if (width % 8)
		bytes[i] = static_cast<uint8_t>(get_bits(port, at + 8 * i, width % 8));
}

/* A module of its own. */
template <class Model> struct verilated_unit {
	VerilatedContext context;
	std::unique_ptr<Model> top;

	explicit verilated_unit(const char *name)
	{
		unit_prepare(context);
		top = std::make_unique<Model>(&context, name);
	}

	~verilated_unit()
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

	/* The rising edge alone: nothing is settled behind it. */
	void edge(uint8_t &clock)
	{
		Verilated::threadContextp(&context);
		context.timeInc(2);
		clock = 1;
		top->eval();
		clock = 0;
	}

	/* The rising edge. Outputs are settled afterwards, for the inputs as they are. */
	void tick(uint8_t &clock)
	{
		eval();
		context.timeInc(1);
		clock = 1;
		top->eval();
		context.timeInc(1);
		clock = 0;
		top->eval();
	}
};

#endif
