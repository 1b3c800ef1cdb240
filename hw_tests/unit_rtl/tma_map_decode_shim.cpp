/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated decoder <-> the C structs of its header; the words it reads. */
#include "unit_rtl/tma_map_info.hpp"

#include "Vtma_map_decode.h"
#include "shape.h"
#include "unit_rtl/tma_map_decode_shim.h"

struct decode {
	unit<Vtma_map_decode> rtl{ "tma_map_decode" };
	struct decode_in in = {};
	struct decode_out out = {};

	void eval()
	{
		auto &top = *rtl.top;

		top.rst_ni = in.rst_n;
		top.start_i = in.start;
		top.reserved_i = 0;
		for (unsigned i = 20; i < MAP_WORDS; i++)
			top.reserved_i |= in.words[i] != 0;
		rtl.eval();
		top.word_i = in.words[top.word_addr_o];
		rtl.eval();
		out.done = top.done_o;
		out.fault = top.fault_o;
		if (out.done) {
			unpacker info(top.info_o);

			out.info = get_map_info(info);
		}
	}
};

struct decode *decode_open(void)
{
	return new decode;
}

void decode_close(struct decode *d)
{
	delete d;
}

bool decode_packed(void)
{
	return TMA_Packed;
}

struct decode_in *decode_in(struct decode *d)
{
	return &d->in;
}

const struct decode_out *decode_out(const struct decode *d)
{
	return &d->out;
}

void decode_eval(struct decode *d)
{
	d->eval();
}

void decode_tick(struct decode *d)
{
	d->rtl.tick();
}
