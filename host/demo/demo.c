/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_demo - move a file through the Verilated engine and through the C model, and compare them.
 *
 * Each byte of the file is loaded into the shared memory of every CTA, stored by CTA 0 under a byte
 * mask, copied by every CTA to the next one and stored by that one. That is done stage by stage,
 * each measured from the first submit to the last observed completion, and once more with all
 * stages at once. A PPM is moved by tensor copies as well: see enum demo_view.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "demo.h"
#include "tma_backend_rtl.h"

#define EXIT_USAGE 2

static const char usage[] =
	"usage: tma_demo [--config small|default|max] [--seed N] [--fst PATH] [--pictures DIR] FILE\n"
	"\n"
	"Moves a file of up to 64 MiB through the Verilated engine and through the C model, compares all\n"
	"memories with each other and with the file, and prints what the engine took for it. A picture (PPM)\n"
	"is cut up by tensor copies as well.\n"
	"\n"
	"  --config C   shape of the engine: small, default (default) or max\n"
	"  --seed N     random latency and stalls; 0 (default): latency of 100 cycles, no stalls\n"
	"  --fst PATH   write a waveform of the engine\n"
	"  --pictures DIR\n"
	"               write what the engine made of a picture: DIR/tiles.png, swizzle.png, multicast.png,\n"
	"               im2col.png and stored.png\n"
	"\n"
	"Exit status: 0 all agree, 1 they do not, 2 a wrong option or file.\n";

/* 1234567 -> "1,234,567" in a buffer of the caller's. */
static const char *grouped(uint64_t value, char text[27])
{
	char digits[21];
	int length = snprintf(digits, sizeof(digits), "%" PRIu64, value), i, at = 0;

	for (i = 0; i < length; i++) {
		if (i && (length - i) % 3 == 0)
			text[at++] = ',';
		text[at++] = digits[i];
	}
	text[at] = '\0';
	return text;
}

/* What the engine has to leave in global memory, straight from the file. @return 0; -1: no memory */
static int expect(const struct demo_file *file, const struct tma_device_info *info, int pass, uint8_t *global)
{
	uint32_t i, r;

	if (pass == DEMO_PASS_TENSOR)
		return demo_expect_views(file, info, global);
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
		agree &= same("shared memory", "model", model->shared[pass], "RTL", rtl->shared[pass],
		              model->shared_bytes);
		agree &= same("global memory", "expected", expected, "RTL", rtl->global[pass], bytes);
		free(expected);
	}
	return agree;
}

static void print_row(const char *what, uint64_t bytes, uint64_t cycles, uint32_t data_bytes)
{
	double rate = (double)bytes / (double)cycles;
	char a[27], b[27];

	printf("  %-48s %11s %10s %12.1f %11.1f %%\n", what, grouped(bytes, a), grouped(cycles, b), rate,
	       100 * rate / data_bytes);
}

static void print_table(const struct demo_result *rtl, const struct demo_file *file)
{
	uint32_t ctas = rtl->info.ctas, width = rtl->info.data_bytes;
	uint64_t once = file->padded, each = once * ctas;
	char what[64];

	printf("\n  %-48s %11s %10s %12s %13s\n", "what moved", "bytes", "cycles", "bytes/cycle",
	       "share of bus");
	snprintf(what, sizeof(what), "multicast load: global -> all %" PRIu32 " CTAs", ctas);
	print_row(what, once, rtl->cycles[DEMO_LOAD], width);
	print_row("masked store: CTA 0 -> global", once, rtl->cycles[DEMO_MASKED], width);
	print_row("shared to shared: every CTA -> the next", each, rtl->cycles[DEMO_SHARED], width);
	print_row("read back: every CTA -> global", each, rtl->cycles[DEMO_READ_BACK], width);
	print_row("all at once, double-buffered: its stores", once + each, rtl->cycles[DEMO_ALL], width);
}

/* A view's name, as that of its picture if it is written, and what it shows. */
static void print_view(const struct demo_result *rtl, enum demo_view view, bool written, const char *shows,
                       uint64_t bytes)
{
	char name[32], what[96];

	snprintf(name, sizeof(name), "%s%s", demo_view_name(view), written ? ".png" : "");
	snprintf(what, sizeof(what), "%-14s%s", name, shows);
	print_row(what, bytes, rtl->view_cycles[view], rtl->info.data_bytes);
}

/* The tensor copies: what is loaded, which is what is then stored. */
static void print_views(const struct demo_result *rtl, const struct demo_file *file, bool written)
{
	uint64_t bytes[DEMO_VIEWS] = { 0 };
	struct demo_layout l;
	char text[64];
	uint32_t i;

	demo_lay_out(&l, file, &rtl->info);
	for (i = 0; i < DEMO_SWIZZLES; i++)
		bytes[DEMO_SWIZZLE] += demo_swizzles[i].pixels * 4 * DEMO_TILE;
	printf("\n");
	snprintf(text, sizeof(text), "%" PRIu32 " tiles, pink: outside, NaN fill", l.tiles_x * l.tiles_y);
	print_view(rtl, DEMO_TILES, written, text, l.bytes[DEMO_TILES]);
	snprintf(text, sizeof(text), "a tile in memory, in %u swizzles", DEMO_SWIZZLES);
	print_view(rtl, DEMO_SWIZZLE, written, text, bytes[DEMO_SWIZZLE]);
	snprintf(text, sizeof(text), "%" PRIu32 " tiles, each to CTAs of its mask", l.shots_x * l.shots_y);
	print_view(rtl, DEMO_MULTICAST, written, text, (uint64_t)l.shots_x * l.shots_y * DEMO_SLOT_BYTES);
	snprintf(text, sizeof(text), "a %u x %u filter, every %uth pixel", DEMO_TAPS, DEMO_TAPS, DEMO_STEP);
	print_view(rtl, DEMO_IM2COL, written, text, l.bytes[DEMO_IM2COL]);
	snprintf(text, sizeof(text), "%" PRIu32 " tiles, stored: the picture again", l.cells_x * l.cells_y);
	print_view(rtl, DEMO_STORED, written, text, (uint64_t)l.cells_x * l.cells_y * DEMO_SLOT_BYTES);
}

static void print_head(const struct demo_file *file, const struct tma_device_info *info, uint64_t seed)
{
	char text[27];

	printf("%s: %s byte%s", file->name, grouped(file->size, text), file->size == 1 ? "" : "s");
	if (file->pixels)
		printf(", %" PRIu32 " x %" PRIu32 " pixels", file->width, file->height);
	if (file->padded != file->size)
		printf(", the last chunk padded with %" PRIu32 " zero byte%s to a multiple of 16",
		       file->padded - file->size, file->padded - file->size == 1 ? "" : "s");
	printf("\nengine `%s`: %" PRIu32 " CTAs with %" PRIu32 " KiB of shared memory, a bus of %" PRIu32
	       " bytes per cycle each way,\n",
	       info->config, info->ctas, info->smem_bytes / 1024, info->data_bytes);
	if (seed)
		printf("random latency and stalls from seed %" PRIu64 "\n", seed);
	else
		printf("memory answers after 100 cycles\n");
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

static int move_and_compare(struct tma_options *options, const struct demo_file *file, const char *pictures)
{
	struct demo_result model = { .passes = 0 }, rtl = { .passes = 0 };
	char a[27], b[27];
	bool agree = false;
	int error;

	options->backend = "model";
	error = demo_run(options, file, &model);
	if (error)
		goto out;
	options->backend = "rtl";
	error = demo_run(options, file, &rtl);
	if (error)
		goto out;
	print_head(file, &rtl.info, options->seed);
	print_table(&rtl, file);
	if (file->pixels)
		print_views(&rtl, file, pictures);
	printf("\n");
	if (file->pixels && pictures) {
		error = demo_draw(file, &rtl, pictures);
		if (error)
			goto out;
		printf("pictures are in %s\n", pictures);
	}
	agree = compare(&model, &rtl, file);
	if (agree)
		printf("model and RTL agree in %s bytes of global and %s bytes of shared memory, "
		       "as expected from the file\n",
		       grouped(all_global(&rtl), a), grouped((uint64_t)rtl.passes * rtl.shared_bytes, b));
	else
		printf("model and RTL do NOT agree\n");
out:
	demo_free_result(&model);
	demo_free_result(&rtl);
	if (error == TMA_ECONFIG)
		return EXIT_USAGE;
	return agree ? EXIT_SUCCESS : EXIT_FAILURE;
}

/* Say what is wrong with an argument. @return the exit status */
static int refuse(const char *argument, const char *rule)
{
	fprintf(stderr, "tma_demo: %s: %s\n", argument, rule);
	return EXIT_USAGE;
}

static int parse_seed(const char *text, uint64_t *seed)
{
	char argument[64], *end;

	errno = 0;
	*seed = strtoull(text, &end, 0);
	if (!errno && *text && *text != '-' && !*end)
		return 0;
	snprintf(argument, sizeof(argument), "--seed %s", text);
	return refuse(argument, "must be a number from 0 to 18446744073709551615");
}

/* The options of the engine, the file's name, and where pictures go. @return 0, or the exit status */
static int parse(int argc, char **argv, struct tma_options *options, const char **name, const char **pictures)
{
	int i, status = 0;

	for (i = 1; i < argc && !status; i++) {
		const char *option = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;

		if (option[0] != '-') {
			if (*name)
				return refuse(option, "one file at a time; see tma_demo --help");
			*name = option;
			continue;
		}
		if (strcmp(option, "--config") && strcmp(option, "--seed") && strcmp(option, "--fst") &&
		    strcmp(option, "--pictures"))
			return refuse(option, "there is no such option; see tma_demo --help");
		if (!value)
			return refuse(option, "needs a value; see tma_demo --help");
		if (!strcmp(option, "--config"))
			options->config = value;
		else if (!strcmp(option, "--fst"))
			options->wave = value;
		else if (!strcmp(option, "--pictures"))
			*pictures = value;
		else
			status = parse_seed(value, &options->seed);
		i++;
	}
	if (!status && !*name) {
		fputs("tma_demo: no file; see tma_demo --help\n", stderr);
		return EXIT_USAGE;
	}
	return status;
}

/* A waveform that cannot be written is better known before the run. */
static int check_wave(const char *path)
{
	FILE *f = path ? fopen(path, "w") : NULL;

	if (path && !f)
		return refuse(path, strerror(errno));
	if (f)
		fclose(f);
	return 0;
}

/* The same of pictures: their directory is there, or is made. */
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
	struct tma_device_info largest = { .ctas = 16, .smem_bytes = 1 << 20 };
	struct demo_layout layout;

	if (!file->pixels)
		return bytes;
	demo_lay_out(&layout, file, &largest);
	return bytes + layout.total + layout.bytes[DEMO_STORED] + (1 << 20);
}

int main(int argc, char **argv)
{
	static const struct tma_backend *const backends[] = { &tma_backend_rtl, NULL };
	struct tma_options options = { .size = sizeof(options), .backends = backends };
	struct demo_file file;
	const char *name = NULL, *pictures = NULL;
	int status;

	if (argc == 2 && !strcmp(argv[1], "--help")) {
		fputs(usage, stdout);
		return EXIT_SUCCESS;
	}
	status = parse(argc, argv, &options, &name, &pictures);
	if (status)
		return status;
	if (demo_read_file(&file, name))
		return EXIT_USAGE;
	options.memory_bytes = memory_for(&file);
	status = check_wave(options.wave);
	if (!status && file.pixels)
		status = check_directory(pictures);
	if (!status)
		status = move_and_compare(&options, &file, pictures);
	free(file.bytes);
	return status;
}
