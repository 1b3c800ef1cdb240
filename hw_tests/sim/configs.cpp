/* SPDX-License-Identifier: Apache-2.0 */
/* The configurations of this binary, behind the functions of tma_sim.h. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <mutex>

#include "sim/verilated_user.h" /* before Verilator's own headers */

#include "sim/seed.hpp"
#include "sim/shim.h"

#if VM_COVERAGE
#include <fstream>
#include <map>
#include <string>
#include <verilated_cov.h>

#include <unistd.h>

/*
 * How often each point was met by all engines of a configuration in this process: one file, named
 * after both, in the directory that TMA_COVERS names. Many tests open an engine per program, so
 * Verilator's own file per engine would be too many of them.
 */
static class covers
{
	std::map<std::string, std::map<std::string, unsigned long>> files;
	const char *const directory = std::getenv("TMA_COVERS");

      public:
	/* A line is: C 'point' count. */
	void add(const char *config, VerilatedContext &context)
	{
		if (!directory)
			return;
		const std::string path =
			directory + ("/" + std::string(config)) + "." + std::to_string(getpid()) + ".dat";

		context.coveragep()->write(path.c_str());
		std::ifstream file(path);
		for (std::string line; std::getline(file, line);) {
			const size_t end = line.rfind("' ");

			if (line[0] == 'C' && end != std::string::npos)
				files[path][line.substr(0, end + 1)] += std::stoul(line.substr(end + 2));
		}
	}

	~covers()
	{
		for (const auto &[path, points] : files) {
			std::ofstream file(path);

			file << "# SystemC::Coverage-3\n";
			for (const auto &point : points)
				file << point.first << ' ' << point.second << '\n';
		}
	}
} all_covers;
#endif

/* A broken design fails an assertion in every cycle. So many messages are enough. */
static const int MaxFailures = 5;

static thread_local uint64_t start_seed;
static bool trace_pins;

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
	/* Else each engine starts a thread per core, which waits for work that never comes. */
	context.threads(1);
	/* What reset does not set starts with random bits. */
	context.randReset(2);
	context.randSeed(verilated_seed(start_seed));
}

void tma_sim_trace_pins(bool pins)
{
	trace_pins = pins;
}

struct tma_sim *tma_sim_open(const char *config, const char *fst, uint64_t seed)
{
	start_seed = seed;
	for (const tma_sim_maker *maker : makers) {
		if (std::strcmp(maker->name, config) != 0)
			continue;
		/* Threads may open engines at the same time; Verilator has one generator of random bits in the
		 * process, and no lock around its seed. It draws until the first evaluation is over. */
		static std::mutex building;
		const std::lock_guard<std::mutex> lock(building);
		std::unique_ptr<tma_sim> sim(maker->make());

		if (fst && !sim->trace(fst, trace_pins))
			return nullptr;
		sim->eval();
		return sim.release();
	}
	return nullptr;
}

void tma_sim_close(struct tma_sim *s)
{
#if VM_COVERAGE
	if (s)
		all_covers.add(s->info.name, s->context);
#endif
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

void tma_sim_count(struct tma_sim *s, uint32_t queue, uint32_t sequence, uint32_t records)
{
	s->count(queue, sequence, records);
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
