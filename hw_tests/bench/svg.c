/* SPDX-License-Identifier: Apache-2.0 */
/* Bus share of queued loads against their size beside iDMA's, one panel per latency. */
#include <math.h>
#include <string.h>

#include "bench.h"
#include "cli.h"

#define WIDTH       960
#define HEIGHT      400
#define LEFT        62
#define TOP         118
#define BOTTOM      344
#define PANEL_WIDTH 256
#define PANEL_STEP  300
#define MIN_LOG     4.0  /* 16 bytes */
#define MAX_LOG     14.0 /* 16 KiB */

#define OURS      "#1971c2"
#define IDMA_256  "#e8590c"
#define IDMA_64   "#868e96"
#define DASH_256  "8 4"
#define DASH_64   "2 4"
#define TEXT_GREY "#495057"

static const uint32_t latencies[] = { 10, 100, 400 };

/* Where a load of that many bytes stands in a panel. */
static double x_of(int panel, double bytes)
{
	return LEFT + PANEL_STEP * panel + (log2(bytes) - MIN_LOG) / (MAX_LOG - MIN_LOG) * PANEL_WIDTH;
}

static double y_of(double share)
{
	return BOTTOM - share * (BOTTOM - TOP);
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

static void legend(FILE *out, int x, const char *colour, const char *width, const char *dash,
                   const char *text)
{
	fprintf(out,
	        "<line x1='%d' x2='%d' y1='70' y2='70' stroke='%s' stroke-width='%s' stroke-dasharray='%s'/>"
	        "<text x='%d' y='74' fill='%s'>%s</text>\n",
	        x, x + 34, colour, width, dash, x + 42, TEXT_GREY, text);
}

static void heading(FILE *out)
{
	fprintf(out,
	        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' "
	        "font-family='Helvetica, Arial, sans-serif' font-size='13'>\n"
	        "<rect width='%d' height='%d' fill='#fff'/>\n"
	        "<text x='%d' y='26' font-size='18' font-weight='600' fill='#212529'>Share of a 512-bit bus "
	        "against the size of queued loads</text>\n"
	        "<text x='%d' y='46' fill='%s'>one queue, measured on the RTL; iDMA: the formula that its "
	        "measurements follow</text>\n",
	        WIDTH, HEIGHT, WIDTH, HEIGHT, LEFT, LEFT, TEXT_GREY);
	legend(out, LEFT, OURS, "3", "none", "Tramway, 256 bursts in flight");
	legend(out, LEFT + PANEL_STEP, IDMA_256, "1.8", DASH_256, "iDMA, 256 in flight");
	legend(out, LEFT + 2 * PANEL_STEP, IDMA_64, "1.8", DASH_64, "iDMA, 64 in flight");
}

static void axes(FILE *out, int panel)
{
	double left = x_of(panel, 16), right = left + PANEL_WIDTH;

	fprintf(out, "<text x='%.1f' y='%d' font-weight='600' fill='#212529'>read latency %u cycles</text>\n",
	        left, TOP - 12, latencies[panel]);
	for (int i = 0; i <= 4; i++) {
		double y = y_of(i / 4.0);

		fprintf(out, "<line x1='%.1f' x2='%.1f' y1='%.1f' y2='%.1f' stroke='%s'/>\n", left, right, y,
		        y, i ? "#e9ecef" : "#adb5bd");
		if (panel == 0)
			fprintf(out, "<text x='%.1f' y='%.1f' text-anchor='end' fill='%s'>%d %%</text>\n",
			        left - 8, y + 4, TEXT_GREY, 25 * i);
	}
	for (int log = 4; log <= 14; log += 2)
		fprintf(out, "<text x='%.1f' y='%d' text-anchor='middle' fill='%s'>%d%s</text>\n",
		        x_of(panel, 1 << log), BOTTOM + 20, TEXT_GREY, log < 10 ? 1 << log : 1 << (log - 10),
		        log < 10 ? "" : " K");
}

static void draw_idma(FILE *out, int panel, double in_flight, const char *colour, const char *dash)
{
	fprintf(out, "<polyline fill='none' stroke='%s' stroke-width='1.8' stroke-dasharray='%s' points='",
	        colour, dash);
	for (int log = (int)MIN_LOG; log <= (int)MAX_LOG; log++)
		fprintf(out, "%.1f,%.1f ", x_of(panel, 1 << log),
		        y_of(idma_share(1 << log, latencies[panel], in_flight)));
	fprintf(out, "'/>\n");
}

static void draw(FILE *out, const struct bench_rows *rows, int panel)
{
	fprintf(out, "<polyline fill='none' stroke='%s' stroke-width='3' points='", OURS);
	for (uint32_t i = 0; i < rows->count; i++)
		if (is_point(&rows->row[i], latencies[panel]))
			fprintf(out, "%.1f,%.1f ", x_of(panel, rows->row[i].bytes),
			        y_of(bus_share(&rows->row[i])));
	fprintf(out, "'/>\n");
	for (uint32_t i = 0; i < rows->count; i++)
		if (is_point(&rows->row[i], latencies[panel]))
			fprintf(out, "<circle cx='%.1f' cy='%.1f' r='3.5' fill='%s'/>\n",
			        x_of(panel, rows->row[i].bytes), y_of(bus_share(&rows->row[i])), OURS);
	draw_idma(out, panel, 64, IDMA_64, DASH_64);
	draw_idma(out, panel, 256, IDMA_256, DASH_256);
}

int bench_write_svg(const char *path, const struct bench_rows *rows)
{
	FILE *out = fopen(path, "w");

	if (!out)
		return -1;
	heading(out);
	for (int panel = 0; panel < (int)(sizeof(latencies) / sizeof(*latencies)); panel++) {
		axes(out, panel);
		draw(out, rows, panel);
	}
	fprintf(out, "<text x='%d' y='%d' text-anchor='middle' fill='%s'>bytes of one load</text>\n",
	        WIDTH / 2, HEIGHT - 14, TEXT_GREY);
	fprintf(out, "</svg>\n");
	return cli_close(out);
}
