// SPDX-License-Identifier: Apache-2.0
// What all unit shims share: counts failed assertions, keeps what was covered.
#include "sim/verilated_user.h" /* before Verilator's own headers */

#include <cstdio>
#include <cstdlib>
#include <string>
#include <verilated.h>
#include <verilated_cov.h>

#include <unistd.h>

#include "sim/seed.hpp"
#include "unit_rtl/unit.h"

/* A broken unit fails an assertion in every cycle. So many messages are enough. */
static const int MaxFailures = 5;

static int failures;
static int saved;

/* Verilator calls this for $error, which every failed assertion ends in (maybe), and for $fatal. */
void vl_stop_maybe(const char *file, int line, const char *, bool maybe)
{
	if (!maybe) {
		std::fprintf(stderr, "%s:%d: $fatal or $stop\n", file, line);
		std::abort();
	}
	if (++failures == MaxFailures) {
		std::fprintf(stderr, "%d assertions failed, no more are checked\n", MaxFailures);
		Verilated::threadContextp()->assertOn(false);
	}
}

void unit_prepare(VerilatedContext &context)
{
	Verilated::threadContextp(&context);
	/* Else each unit starts a thread per core, which waits for work that never comes. */
	context.threads(1);
	context.randReset(2);
	context.randSeed(verilated_seed(0));
}

void unit_save_covers(VerilatedContext &context)
{
	const char *directory = std::getenv("UNIT_COVERS");

	if (!directory)
		return;
	const std::string name = std::string(directory) + "/" + std::to_string(getpid()) + "." +
	                         std::to_string(saved++) + ".dat";

	context.coveragep()->write(name.c_str());
}

uint32_t unit_rounds(uint32_t all)
{
	return std::getenv("UNIT_ALL") ? all : (all + 3) / 4;
}

int unit_failed(void)
{
	return failures;
}
