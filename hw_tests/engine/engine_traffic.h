/* SPDX-License-Identifier: Apache-2.0 */
/* Queues that each use the ports in their own way, for tests in which ports fail them. */
#ifndef ENGINE_TRAFFIC_H
#define ENGINE_TRAFFIC_H

#include "lib/rig.h"

#define TRAFFIC_QUEUES 8u
#define TRAFFIC_PORTS  4u
#define TRAFFIC_COPIES 8u    /* of a queue */
#define TRAFFIC_BYTES  1040u /* of a bulk copy; some leave their page */
#define TRAFFIC_SHARED 16384u

enum traffic_kind {
	TRAFFIC_NONE,
	TRAFFIC_LOADS,
	TRAFFIC_CP_ASYNC,
	TRAFFIC_STORES,
	TRAFFIC_MULTIMEM,
	TRAFFIC_RING,          /* SIGNALs through rings */
	TRAFFIC_SHARED_COPIES, /* no port at all */
	TRAFFIC_KINDS,
};

struct traffic {
	struct rig *rig;
	const struct tma_sim_info *info;
	uint8_t *global[TRAFFIC_PORTS];
	uint8_t shared[2][TRAFFIC_SHARED]; /* what CTAs 0 and 1 began with */
	enum traffic_kind kind[TRAFFIC_QUEUES];
};

/* A test on an engine with such traffic, `t`. */
#define TRAFFIC_TEST(name)                        \
	static void name##_on(struct traffic *t); \
	TEST(name)                                \
	{                                         \
		name##_on(*state);                \
	}                                         \
	static void name##_on(struct traffic *t)

struct CMUnitTest;
/** Run @p count tests, each with such an engine as its state. @return how many have failed */
int traffic_run(const char *name, const char *config, const struct rig_opts *opts, struct CMUnitTest *tests,
                size_t count);

/** Reset the engine, begin with fresh memory. No queue has a kind. */
void traffic_reset(struct traffic *t);
/** Set a queue up. */
void traffic_queue(struct traffic *t, uint32_t queue, enum traffic_kind kind);
/** The same for TRAFFIC_RING, with records taken in this way. */
void traffic_ring(struct traffic *t, uint32_t queue, enum rig_consumer consumer);
/** TRAFFIC_COPIES commands of the queue's kind, a wait for their end, a SIGNAL; a ring: as many SIGNALs. */
void traffic_submit(struct traffic *t, uint32_t queue);
/** Command @p i of those. */
struct tma_command traffic_command(enum traffic_kind kind, uint32_t i);
/** One multimem store of many bursts, the first of which is short. Everything is there on these ports? */
struct tma_command traffic_long_store(const struct traffic *t);
bool traffic_long_store_done(struct traffic *t, uint32_t ports);

/** Where it is on a port, what such a command calls @p address. */
uint64_t traffic_place(enum traffic_kind kind, uint64_t address);

/** Channels of a port that a kind of traffic needs. */
uint32_t traffic_channels(enum traffic_kind kind, uint32_t port);

/** Everything that the queue's commands below @p count had to move is where it belongs, on all of
 * these ports. */
bool traffic_done(struct traffic *t, uint32_t queue, uint32_t count, uint32_t ports);
/** No byte is neither what it was nor what some command was to write. */
bool traffic_clean(struct traffic *t);

#endif
