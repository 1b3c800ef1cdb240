/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crosscheck_ptx_test - programs through PTX text: what is changed on the way is noticed.
 *
 * Checks: programs of all kinds, and what acts hand over, come back as they went, legal commands without tma.command; a
 *         command with any bit changed before it is printed, one that is printed as something else, as nothing or as
 *         what cannot be read, and a legal one that is printed as words, each reported with its text; what comes back is what
 *         the program then has.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/cmocka_all.h"

#include "crosscheck/guest.h"
#include "crosscheck/ptx.h"
#include "lib/rng.h"
#include "tma_ptx.h"

#define SEED     11
#define PROGRAMS 12

static char why[2000];

static struct program *program(uint32_t number, unsigned int with)
{
	return program_make(shape_find("small"), SEED, number, with | WITH_REDUCTIONS, NULL);
}

static bool passes(struct program *p, ptx_printer *print)
{
	struct ptx_counts counts = { 0 };

	why[0] = '\0';
	return ptx_program(p, print, &counts, why, sizeof(why));
}

static void assert_refused(struct program *p, ptx_printer *print, const char *word)
{
	assert_false(passes(p, print));
	if (!strstr(why, word))
		fail_msg("%s: no %s", why, word);
}

static uint64_t all_commands(const struct program *p)
{
	uint64_t count = p->num_steps;

	for (uint32_t i = 0; p->guest.on && i < p->guest.lives->count; i++)
		count += p->guest.lives->life[i].count;
	return count;
}

TEST(programs_come_back_as_they_went)
{
	struct ptx_counts counts[2] = { { 0 } };

	for (uint32_t i = 0; i < 4 * PROGRAMS; i++) {
		const unsigned int with = i % 4;
		struct program *p = program(i, with), *same = program(i, with);
		const uint64_t before = counts[with & WITH_FAULTS].commands;

		if (!ptx_program(p, tma_command_print, &counts[with & WITH_FAULTS], why, sizeof(why)))
			fail_msg("program %u: %s", i, why);
		assert_int_equal(counts[with & WITH_FAULTS].commands - before, all_commands(p));
		for (uint32_t s = 0; s < p->num_steps; s++)
			assert_memory_equal(&p->steps[s].cmd, &same->steps[s].cmd, sizeof(p->steps[s].cmd));
		program_free(p);
		program_free(same);
	}
	/* Illegal ones there are that PTX has no words for, and others. */
	assert_in_range(counts[1].words, 1, 2 * PROGRAMS - 1);
}

/* ---- A printer that lies, about one command ------------------------------------------------------- */

static uint32_t now, victim, bit;

static int flips_a_bit(const struct tma_command *command, char *text, size_t size)
{
	struct tma_command other = *command;

	if (now++ == victim)
		((uint8_t *)&other)[bit / 8] ^= (uint8_t)(1u << bit % 8);
	return tma_command_print(&other, text, size);
}

TEST(any_bit_of_any_command_is_compared)
{
	struct program *p = program(3, WITH_FAULTS | WITH_TENSORS);
	struct rng rng = rng_make(SEED, 0);

	/* Each bit once, in one of the first commands: those before it go through text every time. */
	for (uint32_t i = 0; i < 512; i++) {
		char name[40];

		now = 0;
		victim = rng_below(&rng, p->num_steps < 40 ? p->num_steps : 40);
		bit = i;
		assert_refused(p, flips_a_bit, "is another one behind its text");
		/* It is the one that is named, and its text is shown. */
		snprintf(name, sizeof(name), "queue %u command %u is", p->steps[victim].queue,
		         p->steps[victim].index);
		assert_ptr_equal(strstr(why, name), why);
		assert_non_null(strstr(why, "; it was "));
		assert_non_null(strstr(why, ", it is "));
	}
	now = 0;
	victim = UINT32_MAX;
	assert_true(passes(p, flips_a_bit));
	program_free(p);
}

/* The guest's commands stand behind those of the steps. */
TEST(guests_are_compared)
{
	uint32_t guests = 0;

	for (uint32_t i = 0; i < PROGRAMS; i++) {
		struct program *p = program(i, 0);

		if (p->guest.on) {
			guests++;
			now = 0;
			victim = (uint32_t)all_commands(p) - 1;
			bit = 40 * 8;
			assert_refused(p, flips_a_bit, "life of the guest");
		}
		program_free(p);
	}
	assert_in_range(guests, 1, PROGRAMS);
}

static int prints_nothing(const struct tma_command *command, char *text, size_t size)
{
	(void)command;
	(void)text;
	(void)size;
	return -1;
}

static int prints_too_much(const struct tma_command *command, char *text, size_t size)
{
	(void)tma_command_print(command, text, size);
	return (int)size;
}

static int prints_nonsense(const struct tma_command *command, char *text, size_t size)
{
	(void)command;
	return snprintf(text, size, "cp.async.bulky;");
}

/* Right for the engine, wrong as PTX. */
static int prints_words(const struct tma_command *command, char *text, size_t size)
{
	uint64_t word[8];

	memcpy(word, command, sizeof(word));
	return snprintf(text, size, "tma.command {%#llx, %#llx, %#llx, %#llx, %#llx, %#llx, %#llx, %#llx};",
	                (unsigned long long)word[0], (unsigned long long)word[1], (unsigned long long)word[2],
	                (unsigned long long)word[3], (unsigned long long)word[4], (unsigned long long)word[5],
	                (unsigned long long)word[6], (unsigned long long)word[7]);
}

TEST(what_is_no_text_of_it_is_refused)
{
	struct program *p = program(5, 0);

	assert_refused(p, prints_nothing, "cannot be printed");
	assert_refused(p, prints_too_much, "cannot be printed");
	assert_refused(p, prints_nonsense, "is not read back");
	assert_refused(p, prints_words, "is legal, and printed as words: tma.command {");
	assert_true(passes(p, tma_command_print));
	program_free(p);
}

/* ---- Acts ---------------------------------------------------------------------------------------- */

TEST(acts_go_through_text_too)
{
	struct act act = {
		.kind = ACT_RESUME, .mend = true, .num_noise = 1, .num_doomed = 1, .num_commands = 2
	};
	struct ptx_counts counts = { 0 };
	/* In the order in which they are printed. */
	static const char *const names[] = { "repair of queue 0 ", "noise of queue 0 ", "doomed of queue 0 ",
		                             "act on queue 0 command 0 ", "act on queue 0 command 1 " };

	act.repair = act.noise = act.doomed[0] = act.commands[0] = act.commands[1] =
		(struct tma_command){ .opcode = TMA_SIGNAL, .version = TMA_COMMAND_VERSION, .tag = 5 };
	assert_true(ptx_act(&act, tma_command_print, &counts, why, sizeof(why)));
	assert_int_equal(counts.commands, 5);
	bit = 0;
	for (victim = 0; victim < 5; victim++) {
		now = 0;
		assert_false(ptx_act(&act, flips_a_bit, &counts, why, sizeof(why)));
		assert_ptr_equal(strstr(why, names[victim]), why);
	}
}

int main(void)
{
	return run_file_tests("crosscheck: PTX text");
}
