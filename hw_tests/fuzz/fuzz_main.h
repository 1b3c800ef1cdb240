/* SPDX-License-Identifier: Apache-2.0 */
/* The program around a fuzz target that no libFuzzer drives: options, seeds, the loop. */
#ifndef FUZZ_MAIN_H
#define FUZZ_MAIN_H

#include <sanitizer/common_interface_defs.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lib/rng.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *fuzz_name;
static uint64_t fuzz_seed;

static void fuzz_print_seed(void)
{
	fprintf(stderr, "%s: --seed %llu --runs 1 replays it\n", fuzz_name, (unsigned long long)fuzz_seed);
}

/* In exactly its size on the heap, so that a byte too far is seen. */
static uint8_t *fuzz_room(size_t size)
{
	uint8_t *bytes = malloc(size ? size : 1);

	if (!bytes)
		abort();
	return bytes;
}

/**
 * Run one() with a generator of each seed from the first on.
 * @p file takes what is no option, NULL: there is nothing else. @return how many there were; exits with 2 for
 * wrong options
 */
static uint64_t fuzz_run(const char *name, int argc, char **argv, void (*file)(const char *path),
                         void (*one)(struct rng *rng))
{
	uint64_t seed = 1, seconds = 10, runs = UINT64_MAX, done = 0;
	const time_t start = time(NULL);
	bool wrong = file != NULL;

	for (int i = 1; i < argc; i++) {
		uint64_t *option = !strcmp(argv[i], "--seed")      ? &seed
		                   : !strcmp(argv[i], "--seconds") ? &seconds
		                   : !strcmp(argv[i], "--runs")    ? &runs
		                                                   : NULL;

		if (option && i + 1 < argc) {
			*option = strtoull(argv[++i], NULL, 0);
		} else if (file && !option) {
			file(argv[i]);
			wrong = false;
		} else {
			wrong = true;
			break;
		}
	}
	if (wrong) {
		fprintf(stderr, "usage: %s [--seed N] [--seconds S | --runs N]%s\n", name,
		        file ? " FILE..." : "");
		exit(2);
	}
	fuzz_name = name;
	__sanitizer_set_death_callback(fuzz_print_seed);
	while (done < runs && (runs != UINT64_MAX || (uint64_t)(time(NULL) - start) < seconds)) {
		struct rng rng;

		fuzz_seed = seed + done++;
		rng = rng_make(fuzz_seed, 0);
		one(&rng);
	}
	return done;
}

#endif
