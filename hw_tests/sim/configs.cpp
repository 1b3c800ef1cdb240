/* SPDX-License-Identifier: Apache-2.0 */
/* The configurations of this binary, behind the functions of tma_sim.h. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "sim/verilated_user.h" /* before Verilator's own headers */

#include "sim/seed.hpp"
#include "sim/shim.h"

/* A broken design fails an assertion in every cycle. So many messages are enough. */
static const int MaxFailures = 5;

static thread_local uint64_t start_seed;

/* The build says SIM_CONFIGS=CONFIG(small) CONFIG(default) .. */
#define CONFIG(name) extern const tma_sim_maker tma_sim_make_##name;
SIM_CONFIGS
#undef CONFIG

static const tma_sim_maker *const makers[] = {
#define CONFIG(name) &tma_sim_make_##name,
	SIM_CONFIGS
#undef CONFIG
};

/* Verilator calls this for $error, which every failed assertion ends in (maybe), and for $fatal. */
void vl_stop_maybe(const char *file, int line, const char *, bool maybe)
{
	VerilatedContext *context = Verilated::threadContextp();

	if (!maybe) {
		std::fprintf(stderr, "%s:%d: $fatal or $stop\n", file, line);
		std::abort();
	}
	context->errorCountInc();
	if (context->errorCount() == MaxFailures) {
		std::fprintf(stderr, "%d assertions failed, no more are checked\n", MaxFailures);
		context->assertOn(false);
	}
}

void tma_sim_prepare(VerilatedContext &context)
{
	Verilated::threadContextp(&context);
	/* What reset does not set starts with random bits. */
	context.randReset(2);
	context.randSeed(verilated_seed(start_seed));
}

struct tma_sim *tma_sim_open(const char *config, const char *fst, uint64_t seed)
{
	start_seed = seed;
	for (const tma_sim_maker *maker : makers) {
		if (std::strcmp(maker->name, config) != 0)
			continue;
		std::unique_ptr<tma_sim> sim(maker->make());

		if (fst && !sim->trace(fst))
			return nullptr;
		sim->eval();
		return sim.release();
	}
	return nullptr;
}

void tma_sim_close(struct tma_sim *s)
{
	delete s;
}

const struct tma_sim_info *tma_sim_info(const struct tma_sim *s)
{
	return &s->info;
}

struct tma_sim_in *tma_sim_in(struct tma_sim *s)
{
	return &s->in;
}

const struct tma_sim_out *tma_sim_out(const struct tma_sim *s)
{
	return &s->out;
}

void tma_sim_eval(struct tma_sim *s)
{
	s->eval();
}

void tma_sim_tick(struct tma_sim *s)
{
	s->tick();
}

int tma_sim_failed(const struct tma_sim *s)
{
	return s->context.errorCount();
}

const char *const *tma_sim_configs(void)
{
#define CONFIG(name) #name,
	static const char *const names[] = { SIM_CONFIGS nullptr };
#undef CONFIG

	return names;
}
