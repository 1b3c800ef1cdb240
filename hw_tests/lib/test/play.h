/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Pins played by hand. A script is words apart: NAME=VALUE sets a pin, NAME alone raises it; "." is a cycle
 * and ".20" are 20; "/" is a cycle behind which no valid is up any more.
 */
#ifndef PLAY_H
#define PLAY_H

#include <stddef.h>
#include <stdint.h>

struct pin {
	const char *name;
	uint32_t at, bytes; /* in what is played with */
};

#define PIN(type, name, place)                                             \
	{                                                                  \
		name, offsetof(type, place), sizeof(((type *)NULL)->place) \
	}

struct play {
	const struct pin *pins;
	uint32_t num_pins, num_valids; /* the valids are the first */
	void (*step)(void *object);
};

/** Fails the test for a word that is none. */
void play(const struct play *play, void *object, const char *script);

/* A legal prelude, then what the checker has to say, once. */
struct violation {
	const char *name, *script, *says;
};

#define play_test(violation, run)                        \
	((struct CMUnitTest){ .name = (violation)->name, \
	                      .test_func = (run),        \
	                      .initial_state = (void *)(uintptr_t)(violation) })

#endif
