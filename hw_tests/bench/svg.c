/* SPDX-License-Identifier: Apache-2.0 */
/* Bus share of queued loads against their size, one curve per latency, beside iDMA's. */
#include <math.h>
#include <string.h>

#include "bench.h"

#define WIDTH   860
#define HEIGHT  470
#define LEFT    70
#define RIGHT   230
#define TOP     70
#define BOTTOM  60
#define MIN_LOG 4.0  /* 16 bytes */
#define MAX_LOG 14.0 /* 16 KiB */

struct curve {
	uint32_t latency;
	const char *colour;
};

static const struct curve curves[] = { { 10, "#0b7285" }, { 100, "#2b8a3e" }, { 400, "#c92a2a" } };

static double x_of(double bytes)
{
	return LEFT + (log2(bytes) - MIN_LOG) / (MAX_LOG - MIN_LOG) * (WIDTH - LEFT - RIGHT);
}

static double y_of(double share)
{
	return TOP + (1.0 - share) * (HEIGHT - TOP - BOTTOM);
}

/* Share of the data bus, not of the bound: a 16-byte load cannot fill a 64-byte beat. */
static double bus_share(const struct bench_row *row)
{
	return row->bytes_per_cycle / 64.0;
}

/* What iDMA follows, measured with N transactions in flight: min(bound, N bytes / (64 (L + beats + 1))). */
static double idma_share(double bytes, uint32_t latency, double in_flight)
{
	double beats = ceil(bytes / 64.0);
	double bound = bytes / (64.0 * beats);
	double share = in_flight * bytes / (64.0 * (latency + beats + 1));

	return share < bound ? share : bound;
}

static bool is_point(const struct bench_row *row, uint32_t latency)
{
	return !strcmp(row->name, "bulk load, queued") && !strcmp(row->config, "default") &&
	       row->latency == latency && row->bytes <= 16384;
}

static void frame(FILE *out)
{
	fprintf(out,
	        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' "
	        "font-size='13'>\n<rect width='%d' height='%d' fill='#ffffff'/>\n"
	        "<text x='%d' y='30' font-size='18' fill='#212529'>Share of the 512-bit bus, queued bulk "
	        "loads</text>\n"
	        "<text x='%d' y='50' fill='#495057'>one queue, measured on the RTL; L = read latency in "
	        "cycles</text>\n",
	        WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT, LEFT);
	for (int i = 0; i <= 5; i++)
		fprintf(out,
		        "<line x1='%d' x2='%d' y1='%.1f' y2='%.1f' stroke='#e9ecef'/>"
		        "<text x='%d' y='%.1f' text-anchor='end' fill='#495057'>%d %%</text>\n",
		        LEFT, WIDTH - RIGHT, y_of(i / 5.0), y_of(i / 5.0), LEFT - 8, y_of(i / 5.0) + 4,
		        20 * i);
	for (int log = 4; log <= 14; log += 2) {
		char label[16];

		if (log < 10)
			snprintf(label, sizeof(label), "%d B", 1 << log);
		else
			snprintf(label, sizeof(label), "%d KiB", 1 << (log - 10));
		fprintf(out, "<text x='%.1f' y='%d' text-anchor='middle' fill='#495057'>%s</text>\n",
		        x_of(1 << log), HEIGHT - BOTTOM + 20, label);
	}
	fprintf(out, "<text x='%d' y='%d' text-anchor='middle' fill='#495057'>bytes of one load</text>\n",
	        (LEFT + WIDTH - RIGHT) / 2, HEIGHT - 18);
}

static void draw_idma(FILE *out, const struct curve *c, double in_flight, const char *dash)
{
	fprintf(out, "<polyline fill='none' stroke='%s' stroke-width='1.5' stroke-dasharray='%s' points='",
	        c->colour, dash);
	for (int log = (int)MIN_LOG; log <= (int)MAX_LOG; log++)
		fprintf(out, "%.1f,%.1f ", x_of(1 << log), y_of(idma_share(1 << log, c->latency, in_flight)));
	fprintf(out, "'/>\n");
}

static void legend(FILE *out, int y, const struct curve *c, const char *dash, const char *text)
{
	fprintf(out,
	        "<line x1='%d' x2='%d' y1='%d' y2='%d' stroke='%s' stroke-width='%s' stroke-dasharray='%s'/>"
	        "<text x='%d' y='%d' fill='%s'>%s, L = %u</text>\n",
	        WIDTH - RIGHT + 14, WIDTH - RIGHT + 44, y, y, c->colour, *dash ? "1.5" : "2.5", dash,
	        WIDTH - RIGHT + 50, y + 4, c->colour, text, c->latency);
}

static void draw(FILE *out, const struct bench_rows *rows, const struct curve *c, int index)
{
	int y = TOP + 20 + 84 * index;

	draw_idma(out, c, 64, "2 4");
	draw_idma(out, c, 256, "7 4");
	fprintf(out, "<polyline fill='none' stroke='%s' stroke-width='2.5' points='", c->colour);
	for (uint32_t i = 0; i < rows->count; i++)
		if (is_point(&rows->row[i], c->latency))
			fprintf(out, "%.1f,%.1f ", x_of(rows->row[i].bytes), y_of(bus_share(&rows->row[i])));
	fprintf(out, "'/>\n");
	for (uint32_t i = 0; i < rows->count; i++)
		if (is_point(&rows->row[i], c->latency))
			fprintf(out, "<circle cx='%.1f' cy='%.1f' r='3.5' fill='%s'/>\n",
			        x_of(rows->row[i].bytes), y_of(bus_share(&rows->row[i])), c->colour);
	legend(out, y, c, "", "Tramway");
	legend(out, y + 22, c, "7 4", "iDMA, 256 in flight");
	legend(out, y + 44, c, "2 4", "iDMA, 64 in flight");
}

int bench_write_svg(const char *path, const struct bench_rows *rows)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return -1;
	frame(out);
	for (uint32_t i = 0; i < sizeof(curves) / sizeof(*curves); i++)
		draw(out, rows, &curves[i], (int)i);
	fprintf(out, "</svg>\n");
	return fclose(out);
}
