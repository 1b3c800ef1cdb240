/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rig_contention_test - all queues reduce at once into the same few lines, and nothing waits.
 *
 * Spec: docs/semantics.md 1.5: every pair of operator and type, each element updated at once; docs/reductions.md
 * Checks: every byte, against the same updates on integers. Operands are such that their order does not matter: sums
 *         of floats are small integers, which every format has exactly, and all inc and dec have one limit. Ranges
 *         of 16 to 256 bytes overlap, begin anywhere and go past a page, so that they are one burst or two. Each pair
 *         by itself, and all of them at once in turns, each with bytes of its own in lines that it shares with others.
 */
#include <string.h>

#include "lib/cmocka_all.h"

#include "engine/rig_bench.h"
#include "lib/rng.h"

#define BAR      64u
#define SOURCES  1024u /* in each CTA */
#define SUMS     8192u /* in CTA 0 */
#define CHUNK    16u
#define MOST     256u               /* bytes of a command */
#define WIDE     (MOST + 8 * CHUNK) /* where a pair is alone */
#define NARROW   (3 * CHUNK)        /* where all of them are, so that one meets others in a line */
#define PAGE     4096u
#define BESIDE   1024u /* from SUMS on */
#define UPDATES  24u   /* of each pair, of all queues together, or one of each */
#define LARGEST  2     /* of what floats add up */
#define EXACT    256   /* bf16 has all integers up to this one */
#define ELEMENTS (WIDE / 2)
#define TYPE(t)  (1u << TMA_TYPE_##t)

static const struct {
	uint8_t op;
	uint16_t global, shared; /* types */
} table[] = {
	{ TMA_REDUCE_ADD, TYPE(U32) | TYPE(S32) | TYPE(U64) | TYPE(F16) | TYPE(BF16) | TYPE(F32) | TYPE(F64),
	  TYPE(U32) | TYPE(S32) | TYPE(U64) },
	{ TMA_REDUCE_MIN, TYPE(U32) | TYPE(S32) | TYPE(U64) | TYPE(S64) | TYPE(F16) | TYPE(BF16),
	  TYPE(U32) | TYPE(S32) },
	{ TMA_REDUCE_MAX, TYPE(U32) | TYPE(S32) | TYPE(U64) | TYPE(S64) | TYPE(F16) | TYPE(BF16),
	  TYPE(U32) | TYPE(S32) },
	{ TMA_REDUCE_INC, TYPE(U32), TYPE(U32) },
	{ TMA_REDUCE_DEC, TYPE(U32), TYPE(U32) },
	{ TMA_REDUCE_AND, TYPE(B32) | TYPE(B64), TYPE(B32) },
	{ TMA_REDUCE_OR, TYPE(B32) | TYPE(B64), TYPE(B32) },
	{ TMA_REDUCE_XOR, TYPE(B32) | TYPE(B64), TYPE(B32) },
};

#define NUM_OPS   (sizeof(table) / sizeof(table[0]))
#define MAX_PAIRS 40u

/* What some commands reduce into. A number is the element's bits, of floats the integer that it is. */
struct target {
	uint8_t op, type;
	bool shared;
	uint32_t at, bytes; /* in memory or in CTA 0 */
	uint32_t source;    /* as many bytes, in each CTA */
	int64_t number[ELEMENTS], operand[ELEMENTS];
	uint32_t largest[ELEMENTS]; /* that it, or a part of its sum in any order, can be */
};

struct contest {
	struct bench *b;
	struct rng rng;
	struct target target[MAX_PAIRS];
	uint32_t num, tx, source;
};

static uint32_t width(uint8_t type)
{
	static const uint8_t of[] = {
		[TMA_TYPE_U32] = 4, [TMA_TYPE_S32] = 4,  [TMA_TYPE_U64] = 8, [TMA_TYPE_S64] = 8,
		[TMA_TYPE_F16] = 2, [TMA_TYPE_BF16] = 2, [TMA_TYPE_F32] = 4, [TMA_TYPE_F64] = 8,
		[TMA_TYPE_B32] = 4, [TMA_TYPE_B64] = 8
	};

	return of[type];
}

/* Bits of the fraction, 0: no float. */
static unsigned int fraction(uint8_t type)
{
	switch (type) {
	case TMA_TYPE_F16:
		return 10;
	case TMA_TYPE_BF16:
		return 7;
	case TMA_TYPE_F32:
		return 23;
	case TMA_TYPE_F64:
		return 52;
	default:
		return 0;
	}
}

static uint64_t bits(uint8_t type, int64_t number)
{
	unsigned int places = fraction(type), all = 8 * width(type), exponent = 0;
	uint64_t sign = number < 0, size = (uint64_t)(number < 0 ? -number : number);

	if (!places || !number)
		return (uint64_t)number;
	while (size >> (exponent + 1))
		exponent++;
	/* The bias has all bits of the exponent but the highest. */
	return sign << (all - 1) | (((UINT64_C(1) << (all - 2 - places)) - 1 + exponent) << places) |
	       (size << (places - exponent) & ((UINT64_C(1) << places) - 1));
}

/* Little-endian, as all memory is. */
static void put(uint8_t *to, uint8_t type, int64_t number)
{
	uint64_t word = bits(type, number);

	for (uint32_t i = 0; i < width(type); i++)
		to[i] = (uint8_t)(word >> 8 * i);
}

static bool below(uint8_t type, int64_t a, int64_t b)
{
	if (type == TMA_TYPE_U32)
		return (uint32_t)a < (uint32_t)b;
	if (type == TMA_TYPE_S32)
		return (int32_t)a < (int32_t)b;
	return type == TMA_TYPE_U64 ? (uint64_t)a < (uint64_t)b : a < b;
}

static int64_t reduce(const struct target *t, int64_t dst, int64_t src)
{
	switch (t->op) {
	case TMA_REDUCE_ADD:
		return (int64_t)((uint64_t)dst + (uint64_t)src);
	case TMA_REDUCE_MIN:
		return below(t->type, src, dst) ? src : dst;
	case TMA_REDUCE_MAX:
		return below(t->type, dst, src) ? src : dst;
	case TMA_REDUCE_INC:
		return dst >= src ? 0 : dst + 1;
	case TMA_REDUCE_DEC:
		return !dst || dst > src ? src : dst - 1;
	case TMA_REDUCE_AND:
		return dst & src;
	case TMA_REDUCE_OR:
		return dst | src;
	default:
		return dst ^ src;
	}
}

/* Of floats that are added small ones; and, or: most bits leave the result as it is, so that each update counts. */
static int64_t draw(struct rng *rng, const struct target *t)
{
	uint64_t any = rng_next(rng);

	if (fraction(t->type))
		return t->op == TMA_REDUCE_ADD ? (int64_t)(any % (2 * LARGEST + 1)) - LARGEST
		                               : (int64_t)(any % (2 * EXACT + 1)) - EXACT;
	if (t->op == TMA_REDUCE_AND)
		return (int64_t)(any | rng_next(rng) | rng_next(rng) | rng_next(rng));
	if (t->op == TMA_REDUCE_OR)
		return (int64_t)(any & rng_next(rng) & rng_next(rng) & rng_next(rng));
	return (int64_t)any;
}

static uint32_t size_of(int64_t number)
{
	return (uint32_t)(number < 0 ? -number : number);
}

/* A pair and its bytes, with numbers in them and in its sources. */
static void add_target(struct contest *c, struct target t)
{
	const struct tma_sim_info *info = rig_info(c->b->rig);
	/* Of inc and dec, which are about as often at it as all updates of an element together let them be. */
	const int64_t limit = 1 + rng_below(&c->rng, 12);
	uint8_t numbers[WIDE], operands[WIDE];

	t.source = c->source;
	for (uint32_t i = 0; i < t.bytes / width(t.type); i++) {
		t.operand[i] = draw(&c->rng, &t);
		t.number[i] = draw(&c->rng, &t);
		if (t.op == TMA_REDUCE_INC || t.op == TMA_REDUCE_DEC) {
			t.operand[i] = limit;
			t.number[i] = rng_below(&c->rng, 16);
		}
		t.largest[i] = size_of(t.number[i]);
		put(operands + i * width(t.type), t.type, t.operand[i]);
		put(numbers + i * width(t.type), t.type, t.number[i]);
	}
	for (uint32_t cta = 0; cta < info->ctas; cta++)
		assert_int_equal(rig_smem_post_write(c->b->rig, cta, t.source, operands, t.bytes), 0);
	if (t.shared)
		assert_int_equal(rig_smem_write(c->b->rig, 0, t.at, numbers, t.bytes), 0);
	else
		memcpy(c->b->memory + t.at, numbers, t.bytes);
	assert_int_equal(rig_smem_flush(c->b->rig), 0);
	c->source += t.bytes;
	assert_true(c->num < MAX_PAIRS && c->source <= SUMS);
	c->target[c->num++] = t;
}

/* Some of the target's elements, each by some operand of its. */
static void update(struct contest *c, uint32_t queue, struct target *t)
{
	const uint32_t most = (t->bytes < MOST ? t->bytes : MOST) / CHUNK;
	const uint32_t size = (1 + rng_below(&c->rng, most)) * CHUNK, each = width(t->type);
	const uint32_t to = rng_below(&c->rng, (t->bytes - size) / CHUNK + 1) * CHUNK;
	const uint32_t from = rng_below(&c->rng, (t->bytes - size) / CHUNK + 1) * CHUNK;
	struct tma_command command = { .version = TMA_COMMAND_VERSION,
		                       .opcode = t->shared ? TMA_BULK_REDUCE_SHARED : TMA_BULK_REDUCE,
		                       .op = t->op,
		                       .type = t->type,
		                       .size = size };

	command.shared_src = (queue % rig_info(c->b->rig)->ctas) << 24 | (t->source + from);
	if (t->shared) {
		command.shared_dst = t->at + to;
		command.barrier = BAR;
		c->tx += size;
	} else {
		command.global_address = BASE + t->at + to;
	}
	for (uint32_t i = 0; i < size / each; i++) {
		int64_t operand = t->operand[from / each + i], *number = &t->number[to / each + i];

		*number = reduce(t, *number, operand);
		t->largest[to / each + i] += size_of(operand);
		if (fraction(t->type) && t->op == TMA_REDUCE_ADD)
			assert_true(t->largest[to / each + i] <= EXACT);
	}
	assert_true(rig_submit(c->b->rig, queue, &command) >= 0);
}

static void check(const struct contest *c, const struct target *t)
{
	uint8_t wanted[WIDE], got[WIDE];

	for (uint32_t i = 0; i < t->bytes / width(t->type); i++)
		put(wanted + i * width(t->type), t->type, t->number[i]);
	if (t->shared)
		assert_int_equal(rig_smem_read(c->b->rig, 0, t->at, got, t->bytes), 0);
	else
		memcpy(got, c->b->memory + t->at, t->bytes);
	if (memcmp(got, wanted, t->bytes))
		fail_msg("operator %u of type %u in %s memory: not the sum of all updates", t->op, t->type,
		         t->shared ? "shared" : "global");
}

/* Bytes of a target, and what is beside it. */
static void look_beside(const struct contest *c, uint8_t *memory, uint8_t *smem, uint32_t bytes)
{
	memcpy(memory, c->b->memory, SIZE);
	assert_int_equal(rig_smem_read(c->b->rig, 0, SUMS - CHUNK, smem, bytes + 2 * CHUNK), 0);
	for (uint32_t k = 0; k < c->num; k++) {
		const struct target *t = &c->target[k];

		memset(t->shared ? smem + t->at - (SUMS - CHUNK) : memory + t->at, 0, t->bytes);
	}
}

/* All updates of all targets, by turns of queues and targets; over when the engine is idle and the barrier too. */
static void contend(struct contest *c, unsigned int phase)
{
	static uint8_t memory[2][SIZE], smem[2][BESIDE + 2 * CHUNK];
	const struct tma_sim_info *info = rig_info(c->b->rig);
	const uint32_t each = UPDATES > info->queues ? UPDATES / info->queues : 1;
	struct tma_command expect = { .version = TMA_COMMAND_VERSION, .barrier = BAR };

	look_beside(c, memory[0], smem[0], BESIDE);
	for (uint32_t i = 0; i < each; i++)
		for (uint32_t queue = 0; queue < info->queues; queue++)
			for (uint32_t k = 0; k < c->num; k++)
				update(c, queue, &c->target[(k + queue) % c->num]);
	expect.opcode = TMA_MBARRIER_EXPECT_TX;
	expect.tx = c->tx;
	assert_true(rig_submit(c->b->rig, 0, &expect) >= 0);
	expect = (struct tma_command){
		.version = TMA_COMMAND_VERSION, .opcode = TMA_MBARRIER_ARRIVE, .barrier = BAR, .count = 1
	};
	assert_true(rig_submit(c->b->rig, 0, &expect) >= 0);
	assert_int_equal(rig_wait_idle(c->b->rig, 50 * LIMIT), 0);
	assert_int_equal(rig_wait_phase(c->b->rig, 0, BAR, phase, LIMIT, NULL), 0);
	for (uint32_t k = 0; k < c->num; k++)
		check(c, &c->target[k]);
	look_beside(c, memory[1], smem[1], BESIDE);
	assert_memory_equal(memory[0], memory[1], SIZE);
	assert_memory_equal(smem[0], smem[1], BESIDE + 2 * CHUNK);
	c->num = 0;
	c->tx = 0;
	c->source = SOURCES;
}

/* Every queue, in the CTAs by turns and by both front ends. False: there are no reductions here. */
static void begin(struct contest *c, struct bench *b)
{
	static const struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };
	const struct tma_sim_info *info = rig_info(b->rig);
	struct tma_command init = {
		.version = TMA_COMMAND_VERSION, .opcode = TMA_MBARRIER_INIT, .barrier = BAR, .count = 1
	};

	*c = (struct contest){ .b = b, .rng = rng_make(UPDATES, info->queues), .source = SOURCES };
	if (!info->reductions)
		bench_skip(b);
	for (uint32_t q = 0; q < info->queues; q++)
		assert_int_equal(
			rig_queue_setup(b->rig, q,
		                        &(struct rig_queue){ .windows = &window,
		                                             .num_windows = 1,
		                                             .cta = (uint8_t)(q % info->ctas),
		                                             .front = q / 2 % 2 ? RIG_RING : RIG_DIRECT }),
			0);
	assert_true(rig_submit(b->rig, 0, &init) >= 0);
	bench_wait_idle(b);
}

static bool exists(const struct contest *c, bool shared, size_t op, uint8_t type)
{
	const uint32_t floats = rig_info(c->b->rig)->floats;
	uint32_t types = shared ? table[op].shared : table[op].global;

	if (floats < 2)
		types &= ~TYPE(F64);
	if (floats < 1)
		types &= ~(TYPE(F16) | TYPE(BF16) | TYPE(F32));
	return types >> type & 1;
}

/* Memory that answers soon: what meets waits for answers, and there is nothing to see in that. */
#define CONTEST(name)                                           \
	static void name##_on(struct bench *b);                 \
	TEST(name)                                              \
	{                                                       \
		struct where w = *(const struct where *)*state; \
		struct bench b;                                 \
                                                                \
		w.opts.latency = 24;                            \
		bench_open(&b, &w);                             \
		name##_on(&b);                                  \
		bench_close(&b);                                \
	}                                                       \
	static void name##_on(struct bench *b)

/* Each pair alone: then its updates meet as often as they can. */
static void one_by_one(struct bench *b, bool shared)
{
	static struct contest c;
	unsigned int phase = 0;

	begin(&c, b);
	for (size_t op = 0; op < NUM_OPS; op++) {
		for (uint8_t type = 0; type <= TMA_TYPE_B64; type++) {
			if (!exists(&c, shared, op, type))
				continue;
			/* The memory's end of a page, in its midst: a burst never goes past it. */
			add_target(&c, (struct target){ .op = table[op].op,
			                                .type = type,
			                                .shared = shared,
			                                .at = shared ? SUMS : PAGE - WIDE / 2,
			                                .bytes = WIDE });
			contend(&c, phase ^= 1);
		}
	}
}

CONTEST(test_each_pair_in_global_memory)
{
	one_by_one(b, false);
}

CONTEST(test_each_pair_in_shared_memory)
{
	one_by_one(b, true);
}

/* One queue's add meets the other one's minimum in the next chunk of a line, in both memories at once. */
CONTEST(test_all_pairs_at_once)
{
	static struct contest c;
	uint32_t at[2] = { PAGE - WIDE, SUMS };

	begin(&c, b);
	for (uint8_t shared = 0; shared < 2; shared++) {
		for (size_t op = 0; op < NUM_OPS; op++) {
			for (uint8_t type = 0; type <= TMA_TYPE_B64; type++) {
				if (!exists(&c, shared, op, type))
					continue;
				add_target(&c, (struct target){ .op = table[op].op,
				                                .type = type,
				                                .shared = shared,
				                                .at = at[shared],
				                                .bytes = NARROW });
				at[shared] += NARROW;
			}
		}
	}
	contend(&c, 1);
}

int contention_tests(const char *name, struct where *w)
{
	return run_file_tests_on(name, w);
}
