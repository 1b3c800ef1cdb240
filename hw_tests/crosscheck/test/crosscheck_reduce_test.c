/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crosscheck_reduce_test - reductions in the cross-check: what the generator lets meet, and what is seen of it.
 *
 * Checks: programs have reductions of each kind, of several queues on the same bytes that nothing orders, and
 *         without the option none; these agree in every order of the model, and no more when their operators
 *         are mixed; a lost update, a wrong operator and a byte beside a sum are reported; a read of a
 *         reduction twice or of the wrong place, a write that was not read, a write by another id are, too;
 *         of two updates of one chunk of shared memory both are written, by whoever comes first.
 */

#include "crosscheck/test/fixture.h"
#include <stdlib.h>
#include <string.h>

#include "crosscheck/bus.h"
#include "crosscheck/gen.h"
#include "crosscheck/order.h"
#include "crosscheck/smem.h"
#include "lib/axi_ids.h"
#include "lib/rng.h"

#define SEED     7
#define PROGRAMS 40

static char text[600];

static struct program *make(uint32_t number, unsigned int with)
{
	return program_make(shape_find("default"), SEED, number, with, NULL);
}

static bool is_reduction(const struct step *s)
{
	return !s->fault && (bus_updates(s->cmd.opcode) || s->cmd.opcode == TMA_BULK_REDUCE_SHARED);
}

TEST(each_kind_is_drawn_and_meets_others)
{
	static const uint8_t opcodes[] = { TMA_BULK_REDUCE, TMA_BULK_REDUCE_SHARED, TMA_MULTIMEM_BULK_REDUCE,
		                           TMA_TENSOR_REDUCE };
	uint32_t seen[256] = { 0 }, shares[256] = { 0 }, with = 0, operators = 0;

	for (uint32_t n = 0; n < PROGRAMS; n++) {
		struct program *p = make(n, WITH_REDUCTIONS | WITH_TENSORS);

		with += p->reduce;
		for (uint32_t i = 0; i < p->num_steps; i++) {
			if (!is_reduction(&p->steps[i]))
				continue;
			assert_true(p->reduce);
			seen[p->steps[i].cmd.opcode]++;
			shares[p->steps[i].cmd.opcode] += p->steps[i].shares;
			operators |= 1u << p->steps[i].cmd.op;
		}
		program_free(p);
	}
	assert_true(with > PROGRAMS / 2 && with < PROGRAMS);
	assert_int_equal(operators, 0xff);
	for (uint32_t i = 0; i < sizeof(opcodes); i++) {
		assert_true(seen[opcodes[i]] > PROGRAMS / 2);
		assert_true(shares[opcodes[i]] > 5);
	}
}

TEST(without_the_option_there_are_none)
{
	for (uint32_t n = 0; n < PROGRAMS; n++) {
		struct program *p = make(n, n % 2 ? WITH_TENSORS : 0), *q;

		assert_false(p->reduce);
		for (uint32_t i = 0; i < p->num_steps; i++)
			assert_false(is_reduction(&p->steps[i]));
		/* Those that have none with it are the same. */
		q = make(n, WITH_REDUCTIONS | (n % 2 ? WITH_TENSORS : 0));
		if (!q->reduce) {
			assert_int_equal(p->num_steps, q->num_steps);
			for (uint32_t i = 0; i < p->num_steps; i++)
				assert_memory_equal(&p->steps[i].cmd, &q->steps[i].cmd,
				                    sizeof(p->steps[i].cmd));
		}
		program_free(p);
		program_free(q);
	}
}

/* Is it a reduction of a type from `first` to f64? */
static bool floating(const struct program *p, const struct step *s, uint32_t first)
{
	uint32_t raw = s->tensor >= 0 ? p->tensors[s->tensor].map.type : 0;

	if (s->cmd.opcode != TMA_TENSOR_REDUCE)
		return s->cmd.opcode == TMA_BULK_REDUCE && s->cmd.type >= first &&
		       s->cmd.type <= TMA_TYPE_F64;
	return raw == TMA_RAW_TYPE_F64 ||
	       (first == TMA_TYPE_F16 && raw >= TMA_RAW_TYPE_F16 && raw <= TMA_RAW_TYPE_BF16);
}

/* An engine without reductions gets none, one without floating point none of that, and one without f64 none of it. */
TEST(what_is_not_built_is_not_drawn)
{
	struct shape shapes[3] = { *shape_find("default"), *shape_find("default"), *shape_find("small") };
	uint32_t seen[3] = { 0 };

	shapes[0].reduce = shapes[1].f64 = shapes[1].floats = false;
	for (uint32_t n = 0; n < 3 * PROGRAMS; n++) {
		struct program *p =
			program_make(&shapes[n % 3], SEED, n / 3, WITH_REDUCTIONS | WITH_TENSORS, NULL);

		for (uint32_t i = 0; i < p->num_steps; i++) {
			seen[n % 3] += is_reduction(&p->steps[i]);
			assert_false(floating(p, &p->steps[i], n % 3 == 2 ? TMA_TYPE_F64 : TMA_TYPE_F16));
		}
		program_free(p);
	}
	assert_true(seen[0] == 0 && seen[1] > 100 && seen[2] > 100);
}

/*
 * Results.
 */

/* With bytes in shared memory that change what they are added to. */
static struct fixture *fixture_new(uint32_t number)
{
	struct fixture *f = fixture_of(make(number, WITH_REDUCTIONS));
	struct rng rng = rng_make(SEED, number);

	for (uint32_t c = 0; c < f->p->shape->ctas; c++)
		for (uint32_t i = 0; i < f->p->shape->smem_bytes; i++)
			f->before.smem[c][i] = (uint8_t)rng_next(&rng);
	memory_images(&f->before, f->p);
	result_free(&f->model);
	assert_true(run_model(f->p, &f->before, &f->model));
	return f;
}

static bool agrees(struct fixture *f)
{
	f->run.counters_known = false;
	return result_agrees(f->p, &f->before, &f->model, &f->run, f->text, sizeof(f->text));
}

static bool orders_agree(struct fixture *f)
{
	bool good = true;

	for (uint64_t order = 0; order < 4 && good; order++) {
		result_free(&f->run);
		good = run_model_late(f->p, &f->before, order, &f->run) && agrees(f);
	}
	return good;
}

/* What meets commutes: of two kinds on the same bytes it would not. */
TEST(mixed_operators_are_a_race)
{
	uint32_t tried = 0, found = 0;

	for (uint32_t n = 0; n < PROGRAMS; n++) {
		struct fixture *f = fixture_new(n);
		uint32_t mixed = 0;

		assert_true(orders_agree(f));
		for (uint32_t i = 0; i < f->p->num_steps; i++) {
			struct step *s = &f->p->steps[i];

			if (!s->shares || s->cmd.opcode != TMA_BULK_REDUCE || mixed++ % 2)
				continue;
			s->cmd.op = s->cmd.op == TMA_REDUCE_ADD ? TMA_REDUCE_MIN : TMA_REDUCE_ADD;
			s->cmd.type = TMA_TYPE_U32;
		}
		result_free(&f->model);
		assert_true(run_model(f->p, &f->before, &f->model));
		tried += mixed > 8;
		found += mixed > 8 && !orders_agree(f);
		fixture_free(f);
	}
	assert_true(tried > 10);
	assert_true(found > tried / 2);
}

/* Of each program one sum in global memory is changed: in how many is that seen? */
static uint32_t damaged(void (*change)(struct tma_command *))
{
	uint32_t reported = 0;

	for (uint32_t n = 0; n < PROGRAMS; n++) {
		struct fixture *f = fixture_new(n);
		struct step *sum = NULL;

		for (uint32_t i = 0; i < f->p->num_steps; i++) {
			struct step *s = &f->p->steps[i];

			if (s->cmd.opcode == TMA_BULK_REDUCE && s->cmd.size > CHUNK_BYTES &&
			    reduce_update(s->cmd.op, s->cmd.type) &&
			    (s->cmd.op == TMA_REDUCE_ADD || s->cmd.op == TMA_REDUCE_XOR))
				sum = s;
		}
		if (sum) {
			struct tma_command was = sum->cmd;

			change(&sum->cmd);
			assert_true(run_model(f->p, &f->before, &f->run));
			sum->cmd = was;
			reported += !agrees(f);
		}
		fixture_free(f);
	}
	return reported;
}

static void lose(struct tma_command *c)
{
	c->size = 0;
}

static void lose_a_chunk(struct tma_command *c)
{
	c->size -= CHUNK_BYTES;
}

static void take_another_operator(struct tma_command *c)
{
	c->op = c->op == TMA_REDUCE_ADD ? TMA_REDUCE_MAX : TMA_REDUCE_OR;
}

static void take_another_width(struct tma_command *c)
{
	if (c->op == TMA_REDUCE_ADD)
		c->type = c->type == TMA_TYPE_U64 ? TMA_TYPE_U32 : TMA_TYPE_U64;
	else
		c->op = TMA_REDUCE_AND;
}

TEST(wrong_sums_are_reported)
{
	assert_true(damaged(lose) > 5);
	assert_true(damaged(lose_a_chunk) > 5);
	assert_true(damaged(take_another_operator) > 5);
	assert_true(damaged(take_another_width) > 5);
}

/* The bytes on both sides of each sum. */
TEST(torn_neighbours_are_reported)
{
	uint32_t tried = 0;

	for (uint32_t n = 0; n < PROGRAMS / 4; n++) {
		struct fixture *f = fixture_new(n);

		assert_true(run_model(f->p, &f->before, &f->run));
		assert_true(agrees(f));
		for (uint32_t i = 0; i < f->p->num_steps; i++) {
			const struct tma_command *c = &f->p->steps[i].cmd;
			uint64_t at = c->global_address - f->p->global_base;

			if (c->opcode != TMA_BULK_REDUCE || !c->size)
				continue;
			for (uint32_t side = 0; side < 2; side++) {
				uint8_t *byte = &f->run.memory.global[side ? at + c->size : at - 1];

				*byte ^= 0x10;
				assert_false(agrees(f));
				*byte ^= 0x10;
				tried++;
			}
		}
		fixture_free(f);
	}
	assert_true(tried > 50);
}

/*
 * Bursts at the pins.
 */

struct pins {
	struct program *p;
	struct trace *t;
	struct tma_sim_in in;
	struct tma_sim_out out;
	uint32_t step; /* the only reduction of two bursts of the program, the first one of several beats */
	struct bus_part part[2];
	uint64_t cycle;
};

static bool fits(struct pins *x, const struct step *s)
{
	uint32_t done = 0, count = 0;
	struct bus_part part;

	if (s->cmd.opcode != TMA_BULK_REDUCE || !(s->cmd.flags & TMA_FLAG_CACHE_HINT))
		return false;
	for (; bus_burst(x->p, &s->cmd, 0, &done, &part); done += part.bytes, count++)
		if (count < 2)
			x->part[count] = part;
	return count == 2 && bus_beats(x->p, &x->part[0]) > 1;
}

static struct pins *pins_new(void)
{
	struct pins *x = calloc(1, sizeof(*x));
	bool found = false;

	assert_non_null(x);
	for (uint32_t n = 0; !found; n++) {
		if (x->p)
			program_free(x->p);
		x->p = make(n, WITH_REDUCTIONS);
		for (x->step = 0; x->step < x->p->num_steps && !found;)
			found = fits(x, &x->p->steps[x->step]) || !++x->step;
	}
	/* Nothing else wants a burst. */
	for (uint32_t i = 0; i < x->p->num_steps; i++)
		if (i != x->step)
			x->p->steps[i].cmd = (struct tma_command){ .opcode = TMA_SIGNAL };
	x->p->guest.on = false;
	x->t = trace_new(x->p);
	x->in.axi[0] = (struct tma_axi_in){ .ar_ready = 1, .aw_ready = 1, .w_ready = 1 };
	x->out.axi[0].r_ready = x->out.axi[0].b_ready = 1;
	return x;
}

static void step(struct pins *x)
{
	struct tma_axi_out *o = &x->out.axi[0];

	trace_cycle(x->t, x->cycle++, &x->in, &x->out);
	o->ar_valid = o->aw_valid = o->w_valid = x->in.axi[0].r_valid = x->in.axi[0].b_valid = 0;
}

static uint16_t user(const struct pins *x)
{
	const struct step *s = &x->p->steps[x->step];

	return (uint16_t)(x->p->queue[s->queue].stream << 8 | (s->cmd.policy >> 56 & 15));
}

static void read_part(struct pins *x, uint32_t part, uint8_t id)
{
	uint32_t beats = bus_beats(x->p, &x->part[part]);
	struct tma_axi_out *o = &x->out.axi[0];

	o->ar_valid = 1;
	o->ar_addr = x->part[part].address / x->p->shape->data_bytes * x->p->shape->data_bytes;
	o->ar_len = (uint8_t)(beats - 1);
	o->ar_id = id;
	o->ar_qos = (uint8_t)(x->p->steps[x->step].cmd.policy >> 60);
	o->ar_user = user(x);
	step(x);
	for (uint32_t i = 0; i < beats; i++) {
		x->in.axi[0].r_valid = 1;
		x->in.axi[0].r_id = id;
		x->in.axi[0].r_last = i + 1 == beats;
		step(x);
	}
}

static void write_part(struct pins *x, uint32_t part, uint8_t id)
{
	uint32_t beats = bus_beats(x->p, &x->part[part]);
	struct tma_axi_out *o = &x->out.axi[0];

	o->aw_valid = 1;
	o->aw_addr = x->part[part].address / x->p->shape->data_bytes * x->p->shape->data_bytes;
	o->aw_len = (uint8_t)(beats - 1);
	o->aw_id = id;
	o->aw_qos = (uint8_t)(x->p->steps[x->step].cmd.policy >> 60);
	o->aw_user = user(x);
	for (uint32_t i = 0; i < beats; i++) {
		o->w_valid = 1;
		o->w_last = i + 1 == beats;
		step(x);
	}
	x->in.axi[0].b_valid = 1;
	x->in.axi[0].b_id = id;
	step(x);
}

/* The others of the program move nothing now. */
static bool allowed(struct pins *x)
{
	return !trace_error(x->t) && order_allowed(x->p, trace_seen(x->t), text, sizeof(text));
}

static void pins_free(struct pins *x)
{
	trace_free(x->t);
	program_free(x->p);
	free(x);
}

TEST(reads_and_writes_find_their_reduction)
{
	struct pins *x = pins_new();
	const struct seen *seen = &trace_seen(x->t)[x->step];

	for (uint32_t i = 0; i < 2; i++)
		read_part(x, i, AXI_ID_REDUCE);
	assert_int_equal(seen->first, 0);
	assert_int_equal(seen->port[0].bytes, 0);
	for (uint32_t i = 0; i < 2; i++)
		write_part(x, i, AXI_WRITE_REDUCE(x->p->shape->ports));
	assert_int_equal(seen->port[0].bytes, x->p->steps[x->step].cmd.size);
	assert_int_equal(seen->port[0].reads, 2);
	assert_int_equal(seen->last, x->cycle - 1);
	assert_true(allowed(x));
	pins_free(x);
}

/* What is done instead of one of the four. */
enum damage { TWICE, SECOND_FIRST, NO_READ, NO_WRITE, OTHER_CLIENT, OTHER_LANE, NUM_DAMAGES };

static bool with_damage(enum damage d)
{
	struct pins *x = pins_new();
	uint8_t id = AXI_WRITE_REDUCE(x->p->shape->ports);
	bool good;

	if (d == SECOND_FIRST)
		read_part(x, 1, AXI_ID_REDUCE);
	if (d != NO_READ)
		read_part(x, 0, d == OTHER_CLIENT ? AXI_CLIENT_LOAD : AXI_ID_REDUCE);
	if (d == TWICE)
		read_part(x, 0, AXI_ID_REDUCE);
	if (d != SECOND_FIRST)
		read_part(x, 1, AXI_ID_REDUCE);
	write_part(x, 0, d == OTHER_LANE ? 0 : id);
	if (d != NO_WRITE)
		write_part(x, 1, id);
	good = allowed(x);
	pins_free(x);
	return good;
}

TEST(stray_bursts_of_reductions_are_reported)
{
	for (enum damage d = 0; d < NUM_DAMAGES; d++)
		assert_false(with_damage(d));
	assert_true(with_damage(NUM_DAMAGES));
}

/*
 * Shared memory.
 */

/* Two reductions of the same chunk, which are written in some order and may share it; a third write. */
static const char *two_updates(bool share, uint32_t writes)
{
	struct program p = { .shape = shape_find("small") };
	struct step steps[3] = { [2] = { .index = 2 } };
	struct seen seen[3];
	int by_queue[3] = { 0, 1, 2 };
	struct smem *m;
	bool good;

	p.steps = steps;
	p.num_steps = p.queue[0].steps = 3;
	p.by_queue[0] = by_queue;
	for (uint32_t i = 0; i < 3; i++) {
		steps[i] = (struct step){ .index = i, .reads_done = -1, .writes_done = -1, .tensor = -1 };
		for (uint32_t c = 0; c < MAX_CTAS; c++)
			steps[i].phase[c] = -1;
		seen[i] = (struct seen){ .first = NOT_SEEN, .record = NOT_SEEN };
		if (i == 2)
			continue;
		steps[i].cmd = (struct tma_command){ .opcode = TMA_BULK_REDUCE_SHARED,
			                             .shared_dst = 0x100,
			                             .barrier = 0x40 + 8 * i,
			                             .size = 16 };
		steps[i].shares = share;
		steps[i].phase[0] = (int)i;
	}
	/* The second one is over first: its record comes before the other's write. */
	steps[2].cmd.opcode = TMA_MBARRIER_TRY_WAIT;
	know_add_event(&steps[2].know, 1);
	seen[2].record = 15;
	m = smem_new(&p);
	for (uint32_t i = 0; i < writes; i++)
		smem_cycle(m, 10 + 10 * i,
		           &(struct tma_inside){ .wr_ctas = 1, .wr_row = { 0x10 }, .wr_strb = { 0xffff } });
	good = smem_allowed(&p, seen, m, text, sizeof(text));
	smem_free(m);
	return good ? "" : text;
}

TEST(updates_of_one_chunk_are_all_written)
{
	assert_string_equal(two_updates(true, 2), "");
	assert_non_null(strstr(two_updates(true, 1), "16 bytes of CTA 0's shared memory were not written"));
	assert_non_null(strstr(two_updates(true, 3), "are written for no command"));
	/* Where the second one has to come behind the first, its end is not that early. */
	assert_non_null(strstr(two_updates(false, 2), "queue 0, number 2"));
}

int main(void)
{
	return run_file_tests("crosscheck: reductions");
}
