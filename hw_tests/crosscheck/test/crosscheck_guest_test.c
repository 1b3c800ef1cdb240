/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crosscheck_guest_test - acts in traffic, and two queues that fault: what is generated, and what is seen.
 *
 * Checks: every life of a guest comes to its end on the model, with faults, cancels, fences of others' maps
 *         and copies to other CTAs among them; its bytes are nobody else's; of a life that is cut a byte
 *         may be what it is in any state of the model, of others only the last; each field of a record,
 *         one too many, one missing; programs with two faults have them in two queues, of kinds that
 *         differ and with errors on two ports; a queue whose wait ends between two reads of registers is not
 *         taken to wait for its next command.
 */

#include "lib/cmocka_all.h"
#include <stdlib.h>
#include <string.h>

#include "crosscheck/guest.h"
#include "crosscheck/guest_look.h"
#include "crosscheck/run_model.h"
#include "tma_regs.h"

#define SEED     3
#define PROGRAMS 40

struct fixture {
	struct program *p;
	struct memory before;
	struct guest_bytes now;
	struct guest_model m;
	const struct guest_life *life;
};

/* The next program with a guest. */
static struct fixture *fixture_new(const char *shape, uint32_t *number, unsigned int with)
{
	struct fixture *f = calloc(1, sizeof(*f));

	assert_non_null(f);
	for (f->p = NULL; !f->p || !f->p->guest.on; (*number)++) {
		program_free(f->p);
		f->p = program_make(shape_find(shape), SEED, *number, with, NULL);
	}
	memory_init(&f->before, f->p->shape);
	memory_global(&f->before, f->p);
	memory_images(&f->before, f->p);
	f->now = guest_bytes_new(f->p);
	guest_bytes_take(f->p, &f->now, &f->before);
	return f;
}

static void fixture_free(struct fixture *f)
{
	guest_bytes_free(&f->now);
	memory_free(&f->before);
	program_free(f->p);
	free(f);
}

static void begin(struct fixture *f, uint32_t life)
{
	f->life = &f->p->guest.lives->life[life];
	guest_model_begin(&f->m, f->p, f->life, &f->before, &f->now);
}

/* To its end; how often it was resumed. */
static uint32_t play(struct fixture *f, uint32_t *cancels)
{
	uint32_t resumes = 0;

	for (;;) {
		struct tma_queue_status s = guest_model_status(&f->m);
		uint32_t next = s.fault_sequence + 1;

		if (s.waiting) {
			guest_model_cancel(&f->m);
			(*cancels)++;
			continue;
		}
		if (!s.faulted)
			return resumes;
		next += next < f->life->count && f->life->hold[next];
		guest_model_resume(&f->m, next);
		assert_true(++resumes <= GUEST_COMMANDS);
	}
}

TEST(lives_end)
{
	static const char *const shapes[] = { "small", "default", "max" };
	uint32_t resumes = 0, cancels = 0, cuts = 0, fences = 0, multicasts = 0, rings = 0, lives = 0;

	for (uint32_t n = 0, number = 0; n < PROGRAMS; n++) {
		struct fixture *f = fixture_new(shapes[n % 3], &number, n % 2 ? WITH_TENSORS : 0);
		const struct guest_lives *all = f->p->guest.lives;

		assert_false(f->p->queue[f->p->guest.queue].used);
		assert_int_equal(all->life[all->count - 1].cut, 0);
		assert_true(all->life[0].renew);
		for (uint32_t i = 0; i < all->count; i++) {
			begin(f, i);
			if (!f->life->cut) {
				resumes += play(f, &cancels);
				assert_int_equal(guest_model_status(&f->m).next_sequence, f->life->count);
			}
			lives++;
			cuts += f->life->cut != 0;
			rings += f->life->setup.ring;
			for (uint32_t c = 0; c < f->life->count; c++) {
				fences += f->life->commands[c].opcode == TMA_MAP_FENCE;
				multicasts += f->life->commands[c].flags & TMA_FLAG_MULTICAST ? 1 : 0;
			}
			guest_model_end(&f->m);
		}
		fixture_free(f);
	}
	assert_true(cuts > PROGRAMS && lives - cuts > PROGRAMS);
	assert_true(rings > lives / 4 && rings < lives - lives / 4);
	assert_true(resumes > PROGRAMS / 2 && cancels > 10 && fences > PROGRAMS && multicasts > PROGRAMS);
}

/* No command of the others touches them. */
TEST(its_bytes_are_its_own)
{
	uint32_t number = 0;

	for (uint32_t n = 0; n < PROGRAMS; n++) {
		struct fixture *f = fixture_new("default", &number, n % 4);
		struct result all = { 0 };
		struct guest_bytes is = guest_bytes_new(f->p);

		assert_true(run_model(f->p, &f->before, &all));
		guest_bytes_take(f->p, &is, &all.memory);
		for (uint32_t c = 0; c < f->p->shape->ctas; c++)
			assert_memory_equal(is.shared[c], f->now.shared[c], f->p->guest.shared_bytes);
		assert_memory_equal(is.global, f->now.global, GUEST_PAGES * PAGE_BYTES);
		guest_bytes_free(&is);
		result_free(&all);
		fixture_free(f);
	}
}

/*
 * What is seen.
 */

static bool bytes_agree(struct fixture *f, const struct guest_bytes *is)
{
	char text[300];

	return guest_bytes_agree(&f->m, f->life, is, text, sizeof(text));
}

static bool is_in_a_state(const struct fixture *f, uint32_t i, uint8_t value)
{
	for (uint32_t s = 0; s < f->m.num_states; s++)
		if (f->m.states[s].global[i] == value)
			return true;
	return false;
}

TEST(bytes_have_their_bounds)
{
	uint32_t changed[2] = { 0 };

	for (uint32_t n = 0, number = 0; n < 12; n++) {
		struct fixture *f = fixture_new("small", &number, 0);
		uint32_t cancels = 0;

		for (uint32_t l = 0; l < f->p->guest.lives->count; l++) {
			struct guest_bytes *is;

			begin(f, l);
			if (!f->life->cut)
				play(f, &cancels);
			guest_model_bytes(&f->m);
			is = &f->m.states[f->m.num_states - 1];
			assert_true(bytes_agree(f, is));
			for (uint32_t i = 0; i < GUEST_PAGES * PAGE_BYTES; i += 5) {
				uint8_t good = is->global[i], old = f->now.global[i], other = 0;
				struct guest_bytes run = guest_bytes_new(f->p);

				if (good == old && i % 125) {
					guest_bytes_free(&run);
					continue;
				}
				for (uint32_t c = 0; c < f->p->shape->ctas; c++)
					memcpy(run.shared[c], is->shared[c], f->p->guest.shared_bytes);
				memcpy(run.global, is->global, GUEST_PAGES * PAGE_BYTES);
				while (is_in_a_state(f, i, other))
					other++;
				run.global[i] = other;
				assert_false(bytes_agree(f, &run));
				run.global[i] = old;
				assert_int_equal(bytes_agree(f, &run), f->life->cut || old == good);
				changed[f->life->cut != 0] += good != old;
				guest_bytes_free(&run);
			}
			guest_model_end(&f->m);
		}
		fixture_free(f);
	}
	assert_true(changed[0] > 20 && changed[1] > 20);
}

static bool records_agree(struct fixture *f, const struct tma_record *records, uint32_t count, bool all)
{
	char text[500];

	return guest_records_agree(&f->m, records, count, all, text, sizeof(text));
}

TEST(records_are_compared)
{
	uint32_t number = 0, cancels = 0, n;
	struct fixture *f = fixture_new("small", &number, 0);
	struct tma_record records[3 * GUEST_COMMANDS + 1], *r = &records[1];
	const struct queue_result *q;

	begin(f, f->p->guest.lives->count - 1);
	play(f, &cancels);
	q = &f->m.result.queue[f->p->guest.queue];
	n = q->num_records;
	assert_true(n > 2 && n < 3 * GUEST_COMMANDS);
	memcpy(records, q->records, n * sizeof(*records));
	records[n] = records[n - 1];
	assert_true(records_agree(f, records, n, true));
	assert_true(records_agree(f, records, n - 1, false));
	assert_false(records_agree(f, records, n - 1, true));
	assert_false(records_agree(f, records, n + 1, false));
#define DAMAGE(change)                                            \
	do {                                                      \
		struct tma_record good = *r;                      \
                                                                  \
		change;                                           \
		assert_false(records_agree(f, records, n, true)); \
		*r = good;                                        \
	} while (0)
	DAMAGE(r->tag ^= 1);
	DAMAGE(r->sequence++);
	DAMAGE(r->value ^= 1);
	DAMAGE(r->fault ^= 1);
	DAMAGE(r->address ^= 16);
	DAMAGE(r->kind ^= 2);
	DAMAGE(r->queue ^= 1);
#undef DAMAGE
	guest_model_end(&f->m);
	fixture_free(f);
}

/*
 * Two faults.
 */

TEST(two_queues_fault)
{
	uint32_t pairs = 0, differ = 0, ports = 0, late = 0;

	for (uint32_t n = 0; n < 300; n++) {
		struct program *p =
			program_make(shape_find("default"), SEED, n, WITH_FAULTS | n % 4 / 2 * 2, NULL);
		struct memory before;
		struct result model = { 0 };
		uint32_t of_ports = 0;

		for (uint32_t i = 0; i < p->num_errors; i++)
			of_ports |= 1u << p->errors[i].port;
		ports += (of_ports & (of_ports - 1)) != 0;
		if (p->num_victims == MAX_VICTIMS) {
			const struct victim *v = p->victims;

			memory_init(&before, p->shape);
			memory_global(&before, p);
			memory_images(&before, p);
			run_model(p, &before, &model);
			assert_int_not_equal(v[0].queue, v[1].queue);
			assert_true(model.queue[v[0].queue].fault && model.queue[v[1].queue].fault);
			pairs++;
			differ += model.queue[v[0].queue].fault != model.queue[v[1].queue].fault;
			late += p->steps[v[0].step].late && p->steps[v[1].step].late;
			result_free(&model);
			memory_free(&before);
		}
		program_free(p);
	}
	assert_true(pairs > 40 && differ > pairs / 2 && late > 10 && ports > 2);
}

/*
 * Registers.
 */

#define WAITING TMA_REG_QUEUE_STATUS_WAITING_MASK
#define BUSY    TMA_REG_QUEUE_STATUS_BUSY_MASK

/* A queue that is at command 6 and waits, for so many reads; at 7, and does not wait yet; at 7 and waits. */
static uint32_t waits, goes, looks;

uint32_t rig_csr(struct rig *rig, uint32_t address)
{
	bool next = ++looks > waits;

	(void)rig;
	if (address == TMA_REG_QUEUE_HEAD(1))
		return next ? 7 : 6;
	assert_int_equal(address, TMA_REG_QUEUE_STATUS(1));
	return next && looks <= waits + goes ? BUSY : BUSY | WAITING;
}

TEST(wait_ends_between_two_reads)
{
	for (waits = 0; waits < 6; waits++)
		for (goes = 1; goes < 6; goes++) {
			for (looks = 0; !guest_is_at(NULL, 1, WAITING, WAITING, 7);)
				assert_in_range(looks, 1, 20);
			/* The last of its reads that says so is behind all in which it does not wait. */
			assert_in_range(looks, waits + goes + 1, 20);
			looks = 20;
			assert_true(guest_is_at(NULL, 1, BUSY, BUSY, 7));
			assert_false(guest_is_at(NULL, 1, BUSY, 0, 7));
			assert_false(guest_is_at(NULL, 1, WAITING, WAITING, 6));
		}
}

int main(void)
{
	return run_file_tests("crosscheck: acts in traffic");
}
