/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_run - hostile text against the reader of programs in PTX text, and hostile files against that of arrays.
 *
 * The first byte of an input says which of the two, the rest is it. A program that is read has variables and steps that are
 * of it, and numbers that fit their types; one that is not was told where it is wrong. An array has a shape that
 * holds its elements.
 * For libFuzzer as it is. With FUZZ_STANDALONE a program of its own, for any compiler with address
 * and undefined-behaviour sanitizers.
 *   fuzz_run [--seed N] [--seconds S | --runs N]
 */
#define _POSIX_C_SOURCE 200809L /* fmemopen() */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define REQUIRE(condition)                                                                    \
	do {                                                                                  \
		if (!(condition)) {                                                           \
			fprintf(stderr, "fuzz_run: line %d: not %s\n", __LINE__, #condition); \
			abort();                                                              \
		}                                                                             \
	} while (0)

static uint32_t programs, arrays;

static void look_at_source(const struct run_program *program, const struct run_type *type,
                           const struct run_source *source)
{
	uint8_t bytes[8];
	char text[64];

	for (uint64_t i = 0; i < source->count; i++) {
		REQUIRE(!run_element_put(type, &source->numbers[i], bytes));
		run_element_text(type, bytes, text, sizeof(text));
		REQUIRE(*text && strlen(text) < sizeof(text) - 1);
	}
	if (source->kind == RUN_COPY || source->kind == RUN_ADDRESS)
		REQUIRE(source->copy.symbol < program->num_symbols);
	if (source->kind == RUN_MAP)
		REQUIRE(source->map->info.rank >= 1 && source->map->info.rank <= 5);
}

static void look_at(const struct run_program *program)
{
	char text[200];

	for (uint32_t i = 0; i < program->num_symbols; i++) {
		const struct run_symbol *symbol = &program->symbols[i];

		REQUIRE(run_find(program, symbol->name) == symbol);
		REQUIRE(symbol->count <= UINT64_C(1) << 32);
		look_at_source(program, &symbol->type, &symbol->source);
	}
	for (uint32_t i = 0; i < program->num_steps; i++) {
		const struct run_step *step = &program->steps[i];

		if (step->kind >= RUN_SET) {
			REQUIRE(step->target.symbol < program->num_symbols);
			run_target_text(program, &step->target, text, sizeof(text));
			look_at_source(program, &program->symbols[step->target.symbol].type, &step->source);
		}
		REQUIRE((step->kind == RUN_INSTRUCTION) == (step->instruction != NULL));
	}
	programs++;
}

static void read_program(const uint8_t *data, size_t size)
{
	struct run_program program = { .tool = "fuzz_run", .path = "-", .target = TMA_PTX_ENGINE };
	char *said = NULL, *text;
	size_t length = 0;

	program.errors = open_memstream(&said, &length);
	text = run_alloc(&program, size + 1);
	REQUIRE(program.errors && text);
	memcpy(text, data, size);
	program.text = text;
	if (run_read_all(&program)) {
		REQUIRE(!fflush(program.errors) && !length);
		look_at(&program);
	} else {
		REQUIRE(!fflush(program.errors) && length && !strncmp(said, "fuzz_run: -:", 12));
		for (size_t i = 0; i < length; i++)
			REQUIRE(!iscntrl((unsigned char)said[i]) || strchr("\n\t", said[i]));
	}
	fclose(program.errors);
	free(said);
	run_free(&program);
}

static void read_array(const uint8_t *data, size_t size)
{
	FILE *file = fmemopen((void *)(uintptr_t)data, size, "rb");
	struct run_npy npy;
	uint64_t count = 1;

	REQUIRE(file);
	if (!run_npy_read(file, &npy)) {
		for (uint32_t i = 0; i < npy.rank; i++)
			count *= npy.shape[i];
		REQUIRE(npy.rank <= 8 && npy.count == count && npy.offset <= size);
		REQUIRE(strlen(npy.type) < sizeof(npy.type));
		arrays++;
	}
	fclose(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 2)
		return 0;
	if (data[0] % 8)
		read_program(data + 1, size - 1);
	else
		read_array(data + 1, size - 1);
	return 0;
}

#ifdef FUZZ_STANDALONE
#include "fuzz/fuzz_main.h"

/* Random characters are hardly ever a program: directives that are right, and then here and there another character. */
static const char *const lines[] = {
	".target sm_90\n",
	".version 9.0\n",
	".global .align 128 .f16 t[64][64] = ramp(1, -2.5, 7);\n",
	".global .u8 g[256] = random(7), h[] = {1, 0x22, 3};\n",
	".shared .align 1024 .b8 s[512] = 3;\n",
	".shared .at 64 .b64 bar;\n",
	".multimem .f32 m[64];\n",
	".const .s32 c[] = file(\"x.npy\");\n",
	".param .b16 d[4] = file(\"x.bin\", 12);\n",
	".tensormap tm = tiled(t, dims={64, 64}, box={64, 8}, swizzle=128B, fill=nan);\n",
	".tensormap ti = im2col(t+64, dims={8, 8, 8, 8}, lower={-1, -1}, upper={-1, -1}, channels=8, pixels=16);\n",
	".reg .b64 a = s, b = g+16, st, %rd<4>;\n",
	".reg .b32 r = 512, x = s@1+128;\n",
	".reg .pred p = 1, q;\n",
	".thread 1 .cta 1;\n",
	".wait;\n",
	".wait 1;\n",
	".set s@1+16[4] = ramp(0, 1);\n",
	".set r = 4096;\n",
	".compare g+8[16] = h;\n",
	".compare p = 1;\n",
	".dump t[8], \"out.npy\";\n",
	".dump r;\n",
	"mbarrier.init.shared::cta.b64 [bar], 1; // a comment\n",
	"@p cp.async.bulk.global.shared::cta.bulk_group [g], [s], 256;\n",
	"/* and another */ cp.async.bulk.commit_group;\n",
	"fence.proxy.async;\n",
};

static const char array[] =
	"\x93NUMPY\x01\x00\x76\x00{'descr': '<f4', 'fortran_order': False, 'shape': (4, 2), }";

static void one(struct rng *rng)
{
	static const char signs[] = "[]{},;:.+-@=()<>\" \n/*%0x1fa9";
	const uint32_t first = rng_percent(rng, 95) ? 0 : rng_below(rng, 20);
	char text[4096];
	uint8_t *input;
	size_t used = 1;

	text[0] = (char)rng_below(rng, 256);
	if (text[0] % 8 == 0) {
		memset(text + 1, ' ', 256);
		memcpy(text + 1, array, sizeof(array) - 1);
		used = 1 + rng_below(rng, 256);
	}
	/* All of them in their order, so that names are there, less a few. */
	for (uint32_t i = first; i < sizeof(lines) / sizeof(lines[0]) && text[0] % 8; i++) {
		if (rng_below(rng, 200) == 0)
			continue;
		memcpy(text + used, lines[i], strlen(lines[i]));
		used += strlen(lines[i]);
	}
	for (uint32_t i = rng_percent(rng, 70) ? rng_below(rng, 4) : 0; i && used > 1; i--)
		text[1 + rng_below(rng, (uint32_t)used - 1)] =
			rng_percent(rng, 90) ? signs[rng_below(rng, sizeof(signs) - 1)] : (char)rng_next(rng);
	if (rng_percent(rng, 10))
		used = 1 + rng_below(rng, (uint32_t)used);
	input = fuzz_room(used);
	memcpy(input, text, used);
	LLVMFuzzerTestOneInput(input, used);
	free(input);
}

int main(int argc, char **argv)
{
	uint64_t done = fuzz_run("fuzz_run", argc, argv, NULL, one);

	printf("fuzz_run: %llu inputs, %u programs, %u arrays\n1 passed, 0 failed\n",
	       (unsigned long long)done, programs, arrays);
	return 0;
}
#endif
