/* SPDX-License-Identifier: Apache-2.0 */
/* What one configuration's shim gives to tma_sim.h's functions. */
#ifndef TMA_SIM_SHIM_H
#define TMA_SIM_SHIM_H

#include <verilated.h>

#include "sim/tma_sim.h"

struct tma_sim {
	explicit tma_sim(const struct tma_sim_info &shape) : info(shape)
	{
	}
	virtual ~tma_sim() = default;

	/* pins: of the engine's own, and the constants, alone */
	virtual bool trace(const char *path, bool pins) = 0;
	virtual void eval() = 0;
	virtual void tick() = 0;
	virtual void count(uint32_t queue, uint32_t sequence, uint32_t records) = 0;

	const struct tma_sim_info &info;
	VerilatedContext context;
	struct tma_sim_in in {
	};
	struct tma_sim_out out {
	};
};

/* shim.cpp, compiled for configuration c, defines tma_sim_make_c. */
struct tma_sim_maker {
	const char *name;
	tma_sim *(*make)();
};

/* A fresh context has to be set up before anything of a model is built in it. */
void tma_sim_prepare(VerilatedContext &context);

#endif
