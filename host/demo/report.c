/* SPDX-License-Identifier: Apache-2.0 */
/* Prints what was moved, and what the engine took for it. */
#include <inttypes.h>
#include <stdio.h>

#include "demo.h"

const char *demo_grouped(uint64_t value, char text[27])
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

static void print_row(const char *what, uint64_t bytes, uint64_t cycles, uint32_t data_bytes)
{
	double rate = (double)bytes / (double)cycles;
	char a[27], b[27];

	printf("  %-48s %11s %10s %12.1f %11.1f %%\n", what, demo_grouped(bytes, a), demo_grouped(cycles, b),
	       rate, 100 * rate / data_bytes);
}

void demo_print_table(const struct demo_result *rtl, const struct demo_file *file)
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

/* A row that has a picture: its name, as that of the picture if it is written, and what it shows. */
static void print_named(const char *name, bool written, const char *shows, uint64_t bytes, uint64_t cycles,
                        uint32_t data_bytes)
{
	char file[32], what[96];

	snprintf(file, sizeof(file), "%s%s", name, written ? ".png" : "");
	snprintf(what, sizeof(what), "%-14s%s", file, shows);
	print_row(what, bytes, cycles, data_bytes);
}

static void print_view(const struct demo_result *rtl, enum demo_view view, bool written, const char *shows,
                       uint64_t bytes)
{
	print_named(demo_view_name(view), written, shows, bytes, rtl->view_cycles[view],
	            rtl->info.data_bytes);
}

void demo_print_views(const struct demo_result *rtl, const struct demo_file *file, bool written)
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

static void print_reduction(const struct demo_result *rtl, enum demo_reduction reduction, bool written,
                            const char *shows, uint64_t bytes)
{
	print_named(demo_reduction_name(reduction), written, shows, bytes, rtl->reduce_cycles[reduction],
	            rtl->info.data_bytes);
}

void demo_print_reductions(const struct demo_result *rtl, const struct demo_file *file, bool written)
{
	uint32_t ports = rtl->info.ports;
	struct demo_sample s;
	char text[64], number[27];

	printf("\n");
	if (!rtl->info.reductions) {
		printf("  no all-reduce, no histogram: `%s` is built without reductions (CAP3.REDUCE is 0)\n",
		       rtl->info.config);
		return;
	}
	demo_take_sample(&s, file);
	snprintf(text, sizeof(text), "%u exposures, added at %" PRIu32 " port%s", DEMO_EXPOSURES, ports,
	         ports == 1 ? "" : "s");
	print_reduction(rtl, DEMO_ALLREDUCE, written, text, (uint64_t)DEMO_EXPOSURES * ports * s.bytes);
	snprintf(text, sizeof(text), "%s pixel%s, counted in %u bins", demo_grouped(s.pixels, number),
	         s.pixels == 1 ? "" : "s", DEMO_BINS);
	print_reduction(rtl, DEMO_HISTOGRAM, written, text, (uint64_t)s.pixels * DEMO_COUNTERS * 4);
}

void demo_print_matches(const struct demo_result *rtl, const struct demo_file *file)
{
	uint32_t ports = rtl->info.ports;
	struct demo_sample s;
	char text[27];

	demo_take_sample(&s, file);
	if (ports == 1)
		printf("all-reduce: the port holds");
	else
		printf("all-reduce: each of %" PRIu32 " ports holds", ports);
	printf(" the sum of the %u exposures, matches a sum in plain C, and is the picture again\n",
	       DEMO_EXPOSURES);
	printf("histogram: %s pixel%s", demo_grouped(s.pixels, text), s.pixels == 1 ? "" : "s");
	if (s.step > 1)
		printf(", one in %" PRIu32 " of every row and column,", s.step);
	printf(" in %u bins, matches counts in plain C, also modulo 10, 100 and 1,000\n", DEMO_BINS);
}

void demo_print_head(const struct demo_file *file, const struct tma_device_info *info, uint64_t seed)
{
	char text[27];

	printf("%s: %s byte%s", file->name, demo_grouped(file->size, text), file->size == 1 ? "" : "s");
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
