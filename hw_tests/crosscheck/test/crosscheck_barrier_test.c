/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crosscheck_barrier_test - what random programs do with barriers has one end, whatever comes when.
 *
 * Checks: a barrier that expects nobody any more is not signalled by a copy of no bytes, before or after.
 */

#include "lib/cmocka_all.h"

#include "crosscheck/program.h"

#define MAX_LIVES (MAX_CTAS * 256)

/* A barrier in the life that it has. */
struct life {
	uint32_t at, expects;
	bool signalled; /* by a copy of no bytes */
};

static struct life *life_at(struct life *lives, uint32_t *count, uint32_t at)
{
	uint32_t i = 0;

	while (i < *count && lives[i].at != at)
		i++;
	assert_true(i < MAX_LIVES);
	if (i == *count)
		lives[(*count)++] = (struct life){ .at = at, .expects = 1 };
	return &lives[i];
}

/* How often the programs do what must not meet: if never, they say nothing. */
static uint32_t zero_signals, last_drops;

/* Where nobody is expected any more each of its signals is a phase, and nobody knows when that of no bytes comes. */
static void check_zero_signals(const struct program *p)
{
	static struct life lives[MAX_LIVES];
	uint32_t count = 0;

	for (uint32_t i = 0; i < p->num_images; i++)
		if (p->images[i].word >> 62 == 2)
			life_at(lives, &count, (uint32_t)p->images[i].cta << 24 | p->images[i].offset)
				->expects = p->images[i].word & BARRIER_MAX;
	for (uint32_t i = 0; i < p->num_steps; i++) {
		const struct tma_command *cmd = &p->steps[i].cmd;
		uint32_t offset = cmd->barrier & 0xffffff, cta = cmd->barrier >> 24;
		struct life *life = life_at(lives, &count, cmd->barrier);

		if (cmd->opcode == TMA_MBARRIER_INIT)
			*life = (struct life){ .at = cmd->barrier, .expects = cmd->count };
		if (cmd->opcode == TMA_MBARRIER_ARRIVE && cmd->flags & TMA_FLAG_DROP)
			last_drops += !(life->expects -= cmd->count);
		assert_false(life->signalled && !life->expects);
		if ((cmd->opcode != TMA_BULK_LOAD && cmd->opcode != TMA_BULK_SHARED) || cmd->size)
			continue;
		for (uint32_t c = 0; c < p->shape->ctas; c++) {
			if (cmd->flags & TMA_FLAG_MULTICAST ? !(cmd->cta_mask >> c & 1) : c != cta)
				continue;
			life = life_at(lives, &count, c << 24 | offset);
			assert_true(life->expects);
			life->signalled = true;
			zero_signals++;
		}
	}
}

TEST(no_bytes_signal_who_expects_somebody)
{
	/* The first of these is one that did not: its end was as the signal came, late or early. */
	static const struct {
		const char *shape;
		uint64_t seed;
		uint32_t first, count;
	} runs[] = { { "max", 243560609, 10, 1 }, { "max", 9, 0, 40 }, { "small", 9, 0, 200 } };

	for (uint32_t r = 0; r < sizeof(runs) / sizeof(runs[0]); r++) {
		for (uint32_t i = 0; i < runs[r].count; i++) {
			struct program *p = program_make(shape_find(runs[r].shape), runs[r].seed,
			                                 runs[r].first + i, WITH_REDUCTIONS, NULL);

			check_zero_signals(p);
			program_free(p);
		}
	}
	assert_true(zero_signals && last_drops);
}

int main(void)
{
	return run_file_tests("crosscheck: barriers");
}
