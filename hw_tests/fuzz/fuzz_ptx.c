/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_ptx - hostile text against the parser of PTX.
 *
 * The first byte of an input is the target, the rest text. What is rejected has a reason and a place in the text; what is
 * accepted prints, and is read as the same; what the engine has a command for prints as a command that is read as
 * the same, and so does whatever 64 bytes the input begins with.
 * For libFuzzer as it is. With FUZZ_STANDALONE a program of its own, for any compiler with address
 * and undefined-behaviour sanitizers.
 *   fuzz_ptx [--seed N] [--seconds S | --runs N]
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tma_ptx.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                                    \
	do {                                                                                  \
		if (!(condition)) {                                                           \
			fprintf(stderr, "fuzz_ptx: line %d: not %s\n", __LINE__, #condition); \
			abort();                                                              \
		}                                                                             \
	} while (0)

static uint32_t accepted, commands;

static bool find_value(void *context, const char *name, uint64_t *value)
{
	(void)context;
	*value = strlen(name) * UINT64_C(0x01234567);
	return name[0] != 'q';
}

static void print_command(const struct tma_command *command)
{
	struct tma_ptx_instruction read;
	struct tma_command again;
	char text[700];

	REQUIRE((size_t)tma_command_print(command, text, sizeof(text)) == strlen(text));
	REQUIRE(!tma_ptx_parse(text, TMA_PTX_ENGINE, NULL, &read, NULL));
	REQUIRE(!tma_ptx_command(&read, NULL, &again, NULL));
	REQUIRE(!memcmp(&again, command, sizeof(again)));
}

static void look_at(const struct tma_ptx_instruction *read, enum tma_ptx_target target)
{
	static const struct tma_ptx_values values = { .find = find_value };
	struct tma_ptx_instruction again;
	struct tma_ptx_error error;
	struct tma_command command;
	int length = tma_ptx_print(read, NULL, 0);
	char *text = malloc((size_t)length + 1);
	bool runs;

	REQUIRE(text && length > 0);
	REQUIRE(tma_ptx_print(read, text, (size_t)length + 1) == length);
	REQUIRE(strlen(text) == (size_t)length);
	REQUIRE(!tma_ptx_parse(text, target, tma_ptx_frame(), &again, &error));
	REQUIRE(tma_ptx_same(read, &again));
	free(text);
	accepted++;
	tma_ptx_guard(read, &values, &runs, &error);
	if (tma_ptx_command(read, &values, &command, &error)) {
		REQUIRE(error.message[0]);
		return;
	}
	REQUIRE(tma_ptx_is_command(read));
	commands++;
	print_command(&command);
}

/* A place that the text has, or its end. */
static bool is_place(const char *text, struct tma_ptx_place place)
{
	for (; place.line > 1; place.line--) {
		text = strchr(text, '\n');
		if (!text)
			return false;
		text++;
	}
	return place.line == 1 && place.column >= 1 && place.column <= strcspn(text, "\n") + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct tma_ptx_place place = { 1, 1 };
	struct tma_ptx_instruction read;
	struct tma_ptx_error error;
	struct tma_command command;
	enum tma_ptx_target target;
	const char *at;
	char *text;

	if (!size)
		return 0;
	target = (enum tma_ptx_target)(data[0] % TMA_PTX_TARGETS);
	text = malloc(size);
	REQUIRE(text);
	memcpy(text, data + 1, size - 1);
	text[size - 1] = 0;
	at = text;
	while (!tma_ptx_parse_next(&at, &place, target, tma_ptx_frame(), &read, &error)) {
		look_at(&read, target);
		at = tma_ptx_skip(at, &place);
	}
	REQUIRE(error.message[0] && is_place(text, error.place));
	REQUIRE(strlen(error.message) < sizeof(error.message));
	for (const char *c = error.message; *c; c++)
		REQUIRE(*c >= ' ' && *c <= '~');
	REQUIRE(tma_ptx_parse(text, target, NULL, &read, NULL) ==
	        tma_ptx_parse(text, target, NULL, &read, &error));
	free(text);
	if (size >= sizeof(command)) {
		memcpy(&command, data, sizeof(command));
		print_command(&command);
	}
	return 0;
}

#ifdef FUZZ_STANDALONE
#include "fuzz/fuzz_main.h"

/* Random characters are hardly ever PTX: opcodes, modifiers and operands in nearly the right places, and then here and
 * there another character. */
struct line {
	char text[600];
	size_t used;
};

static void add(struct line *line, const char *text)
{
	const size_t length = strlen(text);

	if (line->used + length >= sizeof(line->text))
		return;
	memcpy(line->text + line->used, text, length);
	line->used += length;
}

static const char *draw(struct rng *rng, const char *const *words, size_t count)
{
	return words[rng_below(rng, (uint32_t)count)];
}

#define DRAW(rng, words) draw(rng, words, sizeof(words) / sizeof((words)[0]))

static void add_term(struct line *line, struct rng *rng)
{
	static const char *const terms[] = { "sd",  "gd",         "size",   "p",    "q",     "h0",
		                             "c0",  "f0",         "tm",     "smem", "gbl",   "cmap",
		                             "pol", "state",      "_",      "0",    "16",    "128",
		                             "-1",  "4294967296", "0.5",    "0x20", "65535", "mb",
		                             "v64", "r32",        "shmbar", "17",   "!p",    "!0" };

	add(line, DRAW(rng, terms));
	if (rng_percent(rng, 10))
		add(line, rng_percent(rng, 50) ? "+16" : "+-8");
}

static void add_vector(struct line *line, struct rng *rng)
{
	static const char *const elements[] = { "c0", "h0", "0", "-1", "c1", "70000" };

	add(line, "{");
	for (uint32_t i = 0, count = 1 + rng_below(rng, 5); i < count; i++) {
		add(line, i ? ", " : "");
		add(line, DRAW(rng, elements));
	}
	add(line, "}");
}

static void add_operand(struct line *line, struct rng *rng)
{
	const uint32_t kind = rng_below(rng, 10);

	if (kind < 5) {
		add(line, "[");
		add_term(line, rng);
		if (kind == 0) {
			add(line, ", ");
			add_vector(line, rng);
		}
		add(line, "]");
	} else if (kind == 5) {
		add_vector(line, rng);
	} else {
		add_term(line, rng);
	}
}

static void add_instruction(struct line *line, struct rng *rng)
{
	/* Some that are right, so that little has to be hit. */
	static const char *const whole[] = {
		"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [sd], [gs], size, [mb], ctaMask;",
		"cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [sd], [tm, {c0, c1, 5}], [mb], {h0};",
		"cp.reduce.async.bulk.global.shared::cta.bulk_group.L2::cache_hint.add.noftz.f16 [gd], [ss], 64, pol;",
		"@!p cp.async.cg.shared.global.L2::128B [sd+8], [gs+-8], 16, !p;",
		"mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 p, [mb], 1, 1000;",
		"createpolicy.fractional.L2::evict_last.L2::evict_first.b64 pol, 0.25;",
		"tensormap.replace.tile.box_dim.shared::cta.b1024.b32 [ss], 3, v32;",
		"mbarrier.test_wait.shared::cta.b64 _, [0x40], 7; // tma: record tag=12",
		"tma.command {1, 2, 3, 4, 5, 6, 7, 8};",
	};

	if (rng_percent(rng, 40)) {
		add(line, DRAW(rng, whole));
		return;
	}
	add(line, tma_ptx_opcode_name((enum tma_ptx_opcode)rng_below(rng, TMA_PTX_OPCODES)));
	for (uint32_t i = rng_below(rng, 8); i; i--) {
		const char *modifier = NULL;

		while (!modifier)
			modifier = tma_ptx_modifier((enum tma_ptx_class)rng_below(rng, TMA_PTX_CLASSES),
			                            1 + rng_below(rng, 8));
		add(line, modifier);
	}
	for (uint32_t i = 0, count = rng_below(rng, 7); i < count; i++) {
		add(line, i ? ", " : " ");
		add_operand(line, rng);
	}
	add(line, ";");
}

static void one(struct rng *rng)
{
	static const char signs[] = "[]{},;:.+-!@_ \n/*%0x1fa\"";
	struct line line = { .used = 1 };
	uint8_t *input;

	line.text[0] = (char)rng_below(rng, 256);
	for (uint32_t i = 1 + rng_below(rng, 2); i; i--)
		add_instruction(&line, rng);
	for (uint32_t i = rng_percent(rng, 50) ? rng_below(rng, 6) : 0; i; i--)
		line.text[1 + rng_below(rng, (uint32_t)line.used)] =
			rng_percent(rng, 90) ? signs[rng_below(rng, sizeof(signs) - 1)] : (char)rng_next(rng);
	if (rng_percent(rng, 10))
		line.used = 1 + rng_below(rng, (uint32_t)line.used);
	input = fuzz_room(line.used);
	memcpy(input, line.text, line.used);
	LLVMFuzzerTestOneInput(input, line.used);
	free(input);
}

int main(int argc, char **argv)
{
	uint64_t done = fuzz_run("fuzz_ptx", argc, argv, NULL, one);

	printf("fuzz_ptx: %llu inputs, %u accepted, %u commands\n1 passed, 0 failed\n",
	       (unsigned long long)done, accepted, commands);
	return 0;
}
#endif
