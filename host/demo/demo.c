/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_demo - move a file through the Verilated engine and through the C model, and compare them.
 *
 * Each byte of the file is loaded into the shared memory of every CTA, stored by CTA 0 under a byte
 * mask, copied by every CTA to the next one and stored by that one. That is done stage by stage,
 * each measured from the first submit to the last observed completion, and once more with all
 * stages at once. A PPM is moved by tensor copies as well, and added up and counted by reductions: see
 * enum demo_view and enum demo_reduction.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"
#include "demo.h"
#include "tma_backend_rtl.h"
#include "wave.h"

#define EXIT_USAGE CLI_USAGE

/* What is asked for, besides the options of the engine. */
struct request {
	const char *name;     /* of the file */
	const char *pictures; /* directory, or NULL */
	bool no_reduce;
};

static const char usage[] =
	"usage: tma_demo [--config small|default|max] [--seed N] [--fst PATH] [--pictures DIR]\n"
	"                [--no-reduce] FILE\n"
	"\n"
	"Moves a file of up to 64 MiB through the Verilated engine and through the C model, compares all\n"
	"memories with each other and with the file, and prints what the engine took for it. A picture (PPM)\n"
	"is cut up by tensor copies as well, and added up and counted by reductions.\n"
	"\n"
	"  --config C   shape of the engine: small, default (default) or max\n"
	"  --seed N     random latency and stalls; 0 (default): latency of 100 cycles, no stalls\n"
	"  --fst PATH   write a waveform of the engine\n"
	"  --pictures DIR\n"
	"               write what the engine made of a picture: DIR/tiles.png, swizzle.png, multicast.png,\n"
	"               im2col.png, stored.png, allreduce.png and histogram.png\n"
	"  --no-reduce  leave out the reductions, which take most of the time\n"
	"\n"
	"Exit status: 0 all agree, 1 they do not, 2 a wrong option or file, or one that cannot be written.\n";

/* What the engine has to leave in global memory, straight from the file. @return 0; -1: no memory */
static int expect(const struct demo_file *file, const struct tma_device_info *info, int pass, uint8_t *global)
{
	uint32_t i, r;

	if (pass == DEMO_PASS_TENSOR)
		return demo_expect_views(file, info, global);
	if (pass == DEMO_PASS_REDUCE)
		return demo_expect_reductions(file, info, global);
	for (i = 0; i < file->padded; i++)
		global[i] = DEMO_MASK >> i % 16 & 1 ? file->bytes[i] : DEMO_BLANK;
	for (r = 1; r <= info->ctas; r++)
		memcpy(global + (size_t)r * file->padded, file->bytes, file->padded);
	return 0;
}

/* Say where two images differ first. @return whether they are equal */
static bool same(const char *what, const char *a_name, const uint8_t *a, const char *b_name, const uint8_t *b,
                 uint64_t bytes)
{
	uint64_t i;

	if (!memcmp(a, b, bytes))
		return true;
	for (i = 0; a[i] == b[i]; i++)
		;
	printf("%s, byte %" PRIu64 ": %s 0x%02x, %s 0x%02x\n", what, i, a_name, a[i], b_name, b[i]);
	return false;
}

/* The sum at each port and the counters, of both engines. */
static bool same_reductions(const struct demo_result *model, const struct demo_result *rtl,
                            const struct demo_sample *s, const uint8_t *expected)
{
	const uint8_t *of_model = model->global[DEMO_PASS_REDUCE], *of_rtl = rtl->global[DEMO_PASS_REDUCE];
	uint32_t parts = rtl->info.ports + 1, part, bytes;
	bool agree = true;
	char what[32];

	for (part = 0; part < parts; part++) {
		bytes = part + 1 < parts ? s->bytes : DEMO_COUNTER_BYTES;
		snprintf(what, sizeof(what), part + 1 < parts ? "sum at port %" PRIu32 : "counters", part);
		agree &= same(what, "expected", expected, "model", of_model, bytes);
		agree &= same(what, "expected", expected, "RTL", of_rtl, bytes);
		expected += bytes;
		of_model += bytes;
		of_rtl += bytes;
	}
	return agree;
}

/* What only reductions have to hold: both engines' results by name, and a sum that is the picture again. */
static bool compare_reductions(const struct demo_result *model, const struct demo_result *rtl,
                               const struct demo_file *file, const uint8_t *expected)
{
	struct demo_sample sample;
	uint8_t *pixels;
	bool agree;

	demo_take_sample(&sample, file);
	pixels = demo_sample_pixels(file, &sample);
	if (!pixels) {
		fprintf(stderr, "tma_demo: not enough memory\n");
		return false;
	}
	agree = same_reductions(model, rtl, &sample, expected);
	agree &= same("exposures", "picture", pixels, "sum", expected, sample.bytes);
	free(pixels);
	return agree;
}

static bool compare(const struct demo_result *model, const struct demo_result *rtl,
                    const struct demo_file *file)
{
	bool agree = true;
	int pass;

	for (pass = 0; pass < model->passes; pass++) {
		uint64_t bytes = model->global_bytes[pass];
		uint8_t *expected = malloc(bytes);

		if (!expected || expect(file, &model->info, pass, expected)) {
			fprintf(stderr, "tma_demo: not enough memory\n");
			free(expected);
			return false;
		}
		agree &= same("global memory", "model", model->global[pass], "RTL", rtl->global[pass], bytes);
		if (pass == DEMO_PASS_REDUCE) {
			agree &= compare_reductions(model, rtl, file, expected);
		} else {
			agree &= same("shared memory", "model", model->shared[pass], "RTL", rtl->shared[pass],
			              model->shared_bytes);
			agree &= same("global memory", "expected", expected, "RTL", rtl->global[pass], bytes);
		}
		free(expected);
	}
	return agree;
}

/* Bytes of shared memory that were compared: after each pass but the reductions. */
static uint64_t all_shared(const struct demo_result *result)
{
	int passes = result->passes == DEMO_PASSES ? DEMO_PASS_REDUCE : result->passes;

	return (uint64_t)passes * result->shared_bytes;
}

/* Bytes of global memory that were compared. */
static uint64_t all_global(const struct demo_result *result)
{
	uint64_t bytes = 0;
	int pass;

	for (pass = 0; pass < result->passes; pass++)
		bytes += result->global_bytes[pass];
	return bytes;
}

static int move_and_compare(struct tma_options *options, const struct demo_file *file,
                            const struct request *request)
{
	const char *pictures = request->pictures;
	bool reduce = !request->no_reduce;
	struct demo_result model = { .passes = 0 }, rtl = { .passes = 0 };
	char a[27], b[27];
	bool agree = false;
	int error;

	options->backend = "rtl";
	error = demo_run(options, file, reduce, &rtl);
	if (error)
		goto out;
	/* A model is built with reductions if it is asked for them. */
	options->backend = "model";
	options->reductions = rtl.info.reductions;
	error = demo_run(options, file, reduce, &model);
	if (error)
		goto out;
	demo_print_head(file, &rtl.info, options->seed);
	demo_print_table(&rtl, file);
	if (file->pixels) {
		demo_print_views(&rtl, file, pictures);
		if (reduce)
			demo_print_reductions(&rtl, file, pictures);
	}
	printf("\n");
	if (file->pixels && pictures) {
		error = demo_draw(file, &rtl, pictures);
		if (!error && rtl.passes == DEMO_PASSES)
			error = demo_draw_reductions(file, &rtl, pictures);
		if (error)
			goto out;
		printf("pictures are in %s\n", pictures);
	}
	agree = compare(&model, &rtl, file);
	if (agree && rtl.passes == DEMO_PASSES)
		demo_print_matches(&rtl, file);
	if (agree)
		printf("model and RTL agree in %s bytes of global and %s bytes of shared memory, "
		       "as expected from the file\n",
		       demo_grouped(all_global(&rtl), a), demo_grouped(all_shared(&rtl), b));
	else
		printf("model and RTL do NOT agree\n");
out:
	demo_free_result(&model);
	demo_free_result(&rtl);
	if (error == TMA_ECONFIG)
		return EXIT_USAGE;
	return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}

static int refuse(const char *argument, const char *rule)
{
	return cli_refuse("tma_demo", argument, rule);
}

/* @return CLI_GO_ON, or the exit status */
static int parse(int argc, char **argv, struct tma_options *options, struct request *request)
{
	const struct cli_option known[] = {
		{ .name = "config", .kind = CLI_TEXT, .to = &options->config },
		{ .name = "seed", .kind = CLI_NUMBER, .to = &options->seed, .max = UINT64_MAX },
		{ .name = "fst", .kind = CLI_TEXT, .to = &options->wave },
		{ .name = "pictures", .kind = CLI_TEXT, .to = &request->pictures },
		{ .name = "no-reduce", .kind = CLI_FLAG, .to = &request->no_reduce },
	};
	const struct cli cli = { "tma_demo", usage, known, sizeof(known) / sizeof(known[0]) };
	int first, status = cli_parse(&cli, argc, argv, &first);

	if (status != CLI_GO_ON)
		return status;
	if (first + 1 < argc)
		return refuse(argv[first + 1], "one file at a time; see tma_demo --help");
	if (first == argc) {
		fputs("tma_demo: no file; see tma_demo --help\n", stderr);
		return EXIT_USAGE;
	}
	request->name = argv[first];
	return CLI_GO_ON;
}

/* What cannot be written is better known before the run. Of pictures: their directory is there, or is made. */
static int check_directory(const char *path)
{
	struct stat found;

	if (!path || !mkdir(path, 0777))
		return 0;
	if (errno != EEXIST || stat(path, &found))
		return refuse(path, strerror(errno));
	return S_ISDIR(found.st_mode) ? 0 : refuse(path, strerror(ENOTDIR));
}

/* Device memory for all passes and their rings, generously. */
static uint64_t memory_for(const struct demo_file *file)
{
	uint64_t bytes = (uint64_t)(TMA_REG_QUEUE_COUNT + 3) * file->padded + (1 << 20);
	struct tma_device_info largest = { .ctas = 16, .smem_bytes = 1 << 20, .ports = 4 };
	struct demo_layout layout;
	struct demo_sample sample;

	if (!file->pixels)
		return bytes;
	demo_lay_out(&layout, file, &largest);
	demo_take_sample(&sample, file);
	bytes += (uint64_t)(DEMO_EXPOSURES + largest.ports) * sample.bytes;
	return bytes + layout.total + layout.bytes[DEMO_STORED] + (1 << 20);
}

int main(int argc, char **argv)
{
	static const struct tma_backend *const backends[] = { &tma_backend_rtl, NULL };
	struct tma_options options = { .size = sizeof(options), .backends = backends };
	struct request request = { .name = NULL };
	struct demo_file file;
	int status;

	status = parse(argc, argv, &options, &request);
	if (status != CLI_GO_ON)
		return status;
	if (demo_read_file(&file, request.name))
		return EXIT_USAGE;
	options.memory_bytes = memory_for(&file);
	status = wave_begin("tma_demo", options.wave);
	if (!status && file.pixels)
		status = check_directory(request.pictures);
	if (!status)
		status = move_and_compare(&options, &file, &request);
	if (status != EXIT_USAGE)
		status = cli_end("tma_demo", wave_end("tma_demo", options.wave, status));
	free(file.bytes);
	return status;
}
