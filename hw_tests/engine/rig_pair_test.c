/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rig_pair_test - two engines that store to the same memories.
 *
 *	engine 0  port 0 ---- memory 0 ---- port 0, or the last one  engine 1
 *	          port 1 ---- memory 1 ---- port 1, or the one before
 *
 * A memory takes the data of all bursts strictly in the order of their addresses, whichever engine they are of,
 * as AXI has it behind an interconnect. It favours one engine, the next memory the other, so that they see the
 * stores of both in different orders: an engine whose address is taken before its data has room may wait for
 * the other's data, which waits for its own.
 *
 * Checks: both engines come to their end, within a bound of cycles, whatever order the memories choose; every byte
 *         of every memory.
 */
#include <string.h>

#include "lib/cmocka_all.h"
#include "lib/must.h"
#include "lib/rng.h"
#include "engine/rig_bench.h"

#define ENGINES 2u
#define STORES  12u   /* of each engine, of each kind */
#define PAGE    4096u /* bytes of each */
#define SOURCE  1024u /* in shared memory */
#define OBJECT  UINT64_C(0x4000000000)
#define BYTES   (ENGINES * STORES * PAGE) /* of an object, and of the place of plain stores */
#define PLACE   UINT64_C(0x10000000)      /* of plain stores, at port 0 */
#define BURSTS  4096u
#define QUIET   32u /* cycles that a memory waits for an address of its favourite */

/* Which engine's address a memory takes. */
enum choice {
	NEAREST,  /* memory 0 those of engine 0, as long as there are any */
	FARTHEST, /* of engine 1 */
	TURNS,
	RANDOM,
};

/* One run. */
struct scene {
	enum choice choice;
	bool crossed;   /* the ports of engine 1 */
	bool last_port; /* broadcasts go to their engine's last port alone, else to all */
	bool plain;     /* plain stores beside them */
};

struct memory {
	uint8_t object[BYTES], place[BYTES], want_object[BYTES], want_place[BYTES];
	uint8_t order[BURSTS]; /* engines, by address; those from `done` on lack data */
	uint32_t taken, done;
	uint32_t last;  /* engine whose address it took */
	uint32_t quiet; /* cycles without an address of its favourite */
};

struct engine {
	struct pair *pair;
	struct rig *rig;
	uint32_t index;
	bool waits[TMA_SIM_MAX_PORTS]; /* an address, at this port */
};

struct pair {
	struct engine engine[ENGINES];
	struct memory memory[TMA_SIM_MAX_PORTS];
	uint32_t ports;
	struct scene scene;
	struct rng rng;
};

static struct memory *memory_of(struct pair *p, uint32_t engine, uint32_t port)
{
	return &p->memory[engine && p->scene.crossed ? p->ports - 1 - port : port];
}

static void watch(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	struct engine *e = arg;

	(void)cycle;
	for (uint32_t port = 0; port < e->pair->ports; port++) {
		struct memory *m = memory_of(e->pair, e->index, port);
		const struct tma_axi_out *o = &out->axi[port];
		const struct tma_axi_in *i = &in->axi[port];

		e->waits[port] = o->aw_valid && !i->aw_ready;
		if (o->aw_valid && i->aw_ready) {
			assert_true(m->taken < BURSTS);
			m->order[m->taken++] = (uint8_t)e->index;
			m->last = e->index;
		}
		m->done += o->w_valid && i->w_ready && o->w_last;
	}
}

/* The engine whose address the memory may take next. */
static uint32_t choose(struct pair *p, uint32_t memory, const bool waits[ENGINES])
{
	struct memory *m = &p->memory[memory];
	uint32_t first = (memory + (p->scene.choice == FARTHEST)) % ENGINES;
	bool favours = p->scene.choice == NEAREST || p->scene.choice == FARTHEST;

	if (p->scene.choice == TURNS)
		first = !m->last;
	if (p->scene.choice == RANDOM)
		first = rng_below(&p->rng, ENGINES);
	m->quiet = waits[first] ? 0 : m->quiet + 1;
	if (waits[first] || !waits[!first] || (favours && m->quiet < QUIET))
		return first;
	return !first;
}

/* Of what the rigs' memories would take in the next cycle, take back what is not the engine's turn. */
static void take_turns(struct pair *p)
{
	bool waits[TMA_SIM_MAX_PORTS][ENGINES] = { { false } };
	uint32_t chosen[TMA_SIM_MAX_PORTS];

	for (uint32_t e = 0; e < ENGINES; e++)
		for (uint32_t port = 0; port < p->ports; port++)
			waits[memory_of(p, e, port) - p->memory][e] = p->engine[e].waits[port];
	for (uint32_t m = 0; m < p->ports; m++)
		chosen[m] = choose(p, m, waits[m]);
	for (uint32_t e = 0; e < ENGINES; e++) {
		for (uint32_t port = 0; port < p->ports; port++) {
			const struct memory *m = memory_of(p, e, port);
			struct tma_axi_in *in = &tma_sim_in(rig_sim(p->engine[e].rig))->axi[port];

			in->aw_ready &= chosen[m - p->memory] == e;
			in->w_ready &= m->done < m->taken && m->order[m->done] == e;
		}
	}
}

static void set_up(struct pair *p, uint32_t index, const struct where *w)
{
	static const struct rig_window object = { OBJECT, OBJECT + BYTES - 1, RIG_MULTIMEM },
				       place = { PLACE, PLACE + BYTES - 1, RIG_WRITE };
	struct rig_queue plain = { .windows = &place, .num_windows = 1, .stream = 1 + index },
			 broadcasts = { .windows = &object, .num_windows = 1, .stream = 3 + index };
	struct rig_multimem window = { .base = object.base, .limit = object.limit };
	struct engine *e = &p->engine[index];
	struct rig_opts opts = w->opts;

	opts.seed += index;
	*e = (struct engine){ .pair = p, .index = index, .rig = rig_open(w->config, &opts) };
	assert_non_null(e->rig);
	p->ports = rig_info(e->rig)->ports;
	window.ports = p->scene.last_port ? 1u << (p->ports - 1) : (1u << p->ports) - 1;
	for (uint32_t port = 0; port < p->ports; port++) {
		window.port_base[port] = OBJECT + (uint64_t)(port + 1) * 16 * BYTES;
		assert_int_equal(rig_map(e->rig, port, window.port_base[port], BYTES,
		                         memory_of(p, index, port)->object),
		                 0);
	}
	assert_int_equal(rig_map(e->rig, 0, PLACE, BYTES, memory_of(p, index, 0)->place), 0);
	assert_int_equal(rig_multimem(e->rig, 0, &window), 0);
	assert_int_equal(rig_queue_setup(e->rig, 0, &plain), 0);
	assert_int_equal(rig_queue_setup(e->rig, 1, &broadcasts), 0);
	assert_int_equal(rig_hook(e->rig, &(struct rig_hooks){ .arg = e, .cycle = watch }), 0);
}

static void submit(struct engine *e, uint32_t queue, struct tma_command c)
{
	c.version = TMA_COMMAND_VERSION;
	assert_true(rig_submit(e->rig, queue, &c) >= 0);
}

/* Broadcasts on queue 1 and plain stores on queue 0, the pages of both engines in turns; what they have to leave. */
static void store(struct engine *e)
{
	struct pair *p = e->pair;
	uint8_t bytes[2 * PAGE];

	for (uint32_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)rng_next(&p->rng);
	assert_int_equal(rig_smem_write(e->rig, 0, SOURCE, bytes, sizeof(bytes)), 0);
	for (uint32_t i = 0; i < STORES; i++) {
		uint32_t at = (ENGINES * i + e->index) * PAGE, from = i * 256;

		submit(e, 1,
		       (struct tma_command){ .opcode = TMA_MULTIMEM_BULK_STORE,
		                             .global_address = OBJECT + at,
		                             .shared_src = SOURCE + from,
		                             .size = PAGE });
		for (uint32_t port = p->scene.last_port ? p->ports - 1 : 0; port < p->ports; port++)
			memcpy(memory_of(p, e->index, port)->want_object + at, bytes + from, PAGE);
		if (!p->scene.plain)
			continue;
		submit(e, 0,
		       (struct tma_command){ .opcode = TMA_BULK_STORE,
		                             .global_address = PLACE + at,
		                             .shared_src = SOURCE + PAGE - from,
		                             .size = PAGE });
		memcpy(memory_of(p, e->index, 0)->want_place + at, bytes + PAGE - from, PAGE);
	}
	for (uint32_t queue = 0; queue < 2; queue++) {
		submit(e, queue, (struct tma_command){ .opcode = TMA_BULK_COMMIT_GROUP });
		submit(e, queue,
		       (struct tma_command){ .opcode = TMA_BULK_WAIT_GROUP, .flags = TMA_FLAG_RECORD });
	}
}

static bool is_over(const struct pair *p)
{
	uint32_t count, over = 0;

	for (uint32_t e = 0; e < ENGINES; e++)
		for (uint32_t queue = 0; queue < 2; queue++) {
			rig_records(p->engine[e].rig, queue, &count);
			over += count == 1;
		}
	return over == 2 * ENGINES;
}

/* Cycles: one for each beat of the data, as if one memory took it all, and half as many again, or twice as many
 * with stalls; besides, each memory may have waited for its favourite before each page. */
static uint64_t bound(const struct pair *p, const struct where *w)
{
	uint64_t pages = ENGINES * STORES * (1 + p->scene.plain);
	uint64_t beats = pages * PAGE / rig_info(p->engine[0].rig)->data_bytes;

	return beats * (w->opts.stall_percent ? 4 : 3) / 2 + pages * QUIET + 1000;
}

static void run(const struct where *w, struct scene scene)
{
	struct pair *p = must(calloc(1, sizeof(*p)));
	uint64_t cycles = 0, limit;

	p->scene = scene;
	p->rng = rng_make(w->opts.seed, scene.choice);
	for (uint32_t e = 0; e < ENGINES; e++)
		set_up(p, e, w);
	for (uint32_t e = 0; e < ENGINES; e++)
		store(&p->engine[e]);
	limit = bound(p, w);
	for (; cycles < limit && !is_over(p); cycles++) {
		take_turns(p);
		for (uint32_t e = 0; e < ENGINES; e++)
			rig_step(p->engine[e].rig);
	}
	print_message("         %llu cycles of %llu\n", (unsigned long long)cycles,
	              (unsigned long long)limit);
	assert_true(is_over(p));
	for (uint32_t e = 0; e < ENGINES; e++) {
		assert_int_equal(rig_wait_idle(p->engine[e].rig, LIMIT), 0);
		assert_int_equal(rig_failed(p->engine[e].rig), 0);
		assert_int_equal(rig_close(p->engine[e].rig), 0);
	}
	for (uint32_t m = 0; m < p->ports; m++) {
		assert_memory_equal(p->memory[m].object, p->memory[m].want_object, BYTES);
		assert_memory_equal(p->memory[m].place, p->memory[m].want_place, BYTES);
	}
	free(p);
}

TEST(test_broadcasts)
{
	run(*state, (struct scene){ .choice = NEAREST });
}

TEST(test_broadcasts_crossed)
{
	run(*state, (struct scene){ .choice = NEAREST, .crossed = true, .plain = true });
}

/* Each memory lies behind port 0 of one engine, which has plain stores in front of its broadcasts, and sees the
 * broadcasts of the other one first. */
TEST(test_plain_stores_in_front)
{
	run(*state, (struct scene){ .choice = FARTHEST, .crossed = true, .last_port = true, .plain = true });
}

TEST(test_in_turns)
{
	run(*state, (struct scene){ .choice = TURNS, .plain = true });
}

TEST(test_any_order)
{
	run(*state, (struct scene){ .choice = RANDOM, .crossed = true, .plain = true });
}

int pair_tests(const char *name, struct where *w)
{
	return run_file_tests_on(name, w);
}
