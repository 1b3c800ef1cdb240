/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_example_waves - draws the handshakes of the engine as they are at its pins while the example does a job.
 *
 * usage: tma_example_waves FOLDER
 *
 * A picture shows some cycles from a trigger on; a vector is shown while the signal that says that it counts is high.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "svg.h"
#include "tma_regs.h"
#include "unit_rtl/tma_example_bench.h"

#define MOST_CYCLES 2048u
#define MOST_ROWS   12u
#define NONE        UINT32_MAX

/* Pixels. */
#define NAMES  150u
#define CELL   56u
#define ROW    34u
#define HIGH   22u
#define TOP    64u
#define MARGIN 12u

#define INK   "#212529"
#define FAINT "#dee2e6"
#define VALUE "#e7f5ff"
#define FRAME "#1971c2"
#define TAKEN "#fff3bf"

/* What of a cycle the pictures are made of. */
struct sample {
	struct example_soc_in in;
	struct example_soc_out out;
};

struct recording {
	struct sample cycle[MOST_CYCLES];
	uint32_t count;
};

/* A row: a bit, or a vector that counts while the row of its number, `counts`, is high. */
struct row {
	const char *name;
	uint32_t counts; /* NONE: a bit */
	uint64_t (*value)(const struct sample *s);
};

/* Handshakes: where both rows are high, the cycle is marked. */
struct handshake {
	uint32_t valid, ready;
};

struct picture {
	const char *file, *title;
	uint64_t (*trigger)(const struct sample *s);
	uint32_t before, cycles;
	struct handshake shakes[3];
	uint32_t num_shakes, num_rows;
	struct row rows[MOST_ROWS];
};

#define PIN(name, expression)                        \
	static uint64_t name(const struct sample *s) \
	{                                            \
		return (uint64_t)(expression);       \
	}

static uint64_t word_of(const uint8_t *bytes)
{
	uint32_t word;

	memcpy(&word, bytes, sizeof(word));
	return word;
}

PIN(cmd_valid, s->out.cmd_valid)
PIN(cmd_ready, s->out.cmd_ready)
PIN(cmd_queue, s->out.cmd_queue)
PIN(cmd_opcode, s->out.cmd[0])
PIN(cmd_tag, word_of(s->out.cmd + 52))
PIN(rsp_valid, s->out.rsp_valid)
PIN(rsp_ready, s->out.rsp_ready)
PIN(rsp_kind, s->out.rsp[5])
PIN(rsp_sequence, word_of(s->out.rsp))
PIN(rsp_value, word_of(s->out.rsp + 8))
PIN(ext_valid, s->out.tile.valid)
PIN(ext_ready, s->out.tile_back.ready)
PIN(ext_write, s->out.tile.write)
PIN(ext_addr, s->out.tile.addr)
PIN(ext_wdata, word_of(s->out.tile.wdata))
PIN(ext_rvalid, s->out.tile_back.rvalid)
PIN(ext_rdata, word_of(s->out.tile_back.rdata))
PIN(lite_awvalid, s->in.s_axil_awvalid)
PIN(base_written, s->in.s_axil_awvalid && s->in.s_axil_awaddr == TMA_REG_WINDOW_BASE_LO)
PIN(lite_awready, s->out.s_axil_awready)
PIN(lite_awaddr, s->in.s_axil_awaddr)
PIN(lite_wvalid, s->in.s_axil_wvalid)
PIN(lite_wready, s->out.s_axil_wready)
PIN(lite_wdata, s->in.s_axil_wdata)
PIN(lite_bvalid, s->out.s_axil_bvalid)
PIN(lite_bready, s->in.s_axil_bready)
PIN(lite_bresp, s->out.s_axil_bresp)
PIN(arvalid, s->out.m_axi_arvalid)
PIN(arready, s->in.m_axi_arready)
PIN(araddr, s->out.m_axi_araddr[0])
PIN(arlen, s->out.m_axi_arlen[0])
PIN(arid, s->out.m_axi_arid[0])
PIN(rvalid, s->in.m_axi_rvalid)
PIN(rready, s->out.m_axi_rready)
PIN(rid, s->in.m_axi_rid[0])
PIN(rdata, word_of(s->in.m_axi_rdata[0]))
PIN(rlast, s->in.m_axi_rlast)
PIN(awvalid, s->out.m_axi_awvalid)
PIN(awready, s->in.m_axi_awready)
PIN(awaddr, s->out.m_axi_awaddr[0])
PIN(awlen, s->out.m_axi_awlen[0])
PIN(awid, s->out.m_axi_awid[0])
PIN(wvalid, s->out.m_axi_wvalid)
PIN(wready, s->in.m_axi_wready)
PIN(wdata, word_of(s->out.m_axi_wdata[0]))
PIN(wlast, s->out.m_axi_wlast)
PIN(bvalid, s->in.m_axi_bvalid)
PIN(bready, s->out.m_axi_bready)
PIN(bid, s->in.m_axi_bid[0])

/* Vectors name the row behind whose level they count by its place. */
static const struct picture pictures[] = {
	{ .file = "wave_command.svg",
	  .title = "Commands on the direct port: one per cycle",
	  .trigger = cmd_valid,
	  .before = 1,
	  .cycles = 7,
	  .shakes = { { 0, 1 } },
	  .num_shakes = 1,
	  .num_rows = 5,
	  .rows = { { "cmd_valid_i", NONE, cmd_valid },
	            { "cmd_ready_o", NONE, cmd_ready },
	            { "cmd_queue_i", 0, cmd_queue },
	            { "cmd_i opcode", 0, cmd_opcode },
	            { "cmd_i tag", 0, cmd_tag } } },
	{ .file = "wave_record.svg",
	  .title = "A record: the answer of try_wait",
	  .trigger = rsp_valid,
	  .before = 2,
	  .cycles = 5,
	  .shakes = { { 0, 1 } },
	  .num_shakes = 1,
	  .num_rows = 5,
	  .rows = { { "rsp_valid_o", NONE, rsp_valid },
	            { "rsp_ready_i", NONE, rsp_ready },
	            { "rsp_o sequence", 0, rsp_sequence },
	            { "rsp_o kind", 0, rsp_kind },
	            { "rsp_o value", 0, rsp_value } } },
	{ .file = "wave_external.svg",
	  .title = "Shared memory from outside: reads and writes of 16 bytes",
	  .trigger = ext_valid,
	  .before = 1,
	  .cycles = 8,
	  .shakes = { { 0, 1 } },
	  .num_shakes = 1,
	  .num_rows = 7,
	  .rows = { { "ext_valid_i", NONE, ext_valid },
	            { "ext_ready_o", NONE, ext_ready },
	            { "ext_write_i", NONE, ext_write },
	            { "ext_addr_i", 0, ext_addr },
	            { "ext_wdata_i 31:0", 2, ext_wdata },
	            { "ext_rvalid_o", NONE, ext_rvalid },
	            { "ext_rdata_o 31:0", 5, ext_rdata } } },
	{ .file = "wave_register.svg",
	  .title = "A register is written: AXI4-Lite",
	  .trigger = base_written,
	  .before = 1,
	  .cycles = 7,
	  .shakes = { { 0, 1 }, { 3, 4 }, { 6, 7 } },
	  .num_shakes = 3,
	  .num_rows = 9,
	  .rows = { { "s_axil_awvalid_i", NONE, lite_awvalid },
	            { "s_axil_awready_o", NONE, lite_awready },
	            { "s_axil_awaddr_i", 0, lite_awaddr },
	            { "s_axil_wvalid_i", NONE, lite_wvalid },
	            { "s_axil_wready_o", NONE, lite_wready },
	            { "s_axil_wdata_i", 3, lite_wdata },
	            { "s_axil_bvalid_o", NONE, lite_bvalid },
	            { "s_axil_bready_i", NONE, lite_bready },
	            { "s_axil_bresp_o", 6, lite_bresp } } },
	{ .file = "wave_read.svg",
	  .title = "A burst is read: AXI4, 64 bytes from a memory that answers after 4 cycles",
	  .trigger = arvalid,
	  .before = 1,
	  .cycles = 11,
	  .shakes = { { 0, 1 }, { 5, 6 } },
	  .num_shakes = 2,
	  .num_rows = 10,
	  .rows = { { "m_axi_arvalid_o", NONE, arvalid },
	            { "m_axi_arready_i", NONE, arready },
	            { "m_axi_araddr_o", 0, araddr },
	            { "m_axi_arlen_o", 0, arlen },
	            { "m_axi_arid_o", 0, arid },
	            { "m_axi_rvalid_i", NONE, rvalid },
	            { "m_axi_rready_o", NONE, rready },
	            { "m_axi_rid_i", 5, rid },
	            { "m_axi_rdata_i 31:0", 5, rdata },
	            { "m_axi_rlast_i", 5, rlast } } },
	{ .file = "wave_write.svg",
	  .title = "A burst is written: AXI4, 64 bytes to a memory that answers after 4 cycles",
	  .trigger = awvalid,
	  .before = 1,
	  .cycles = 16,
	  .shakes = { { 0, 1 }, { 5, 6 }, { 9, 10 } },
	  .num_shakes = 3,
	  .num_rows = 12,
	  .rows = { { "m_axi_awvalid_o", NONE, awvalid },
	            { "m_axi_awready_i", NONE, awready },
	            { "m_axi_awaddr_o", 0, awaddr },
	            { "m_axi_awlen_o", 0, awlen },
	            { "m_axi_awid_o", 0, awid },
	            { "m_axi_wvalid_o", NONE, wvalid },
	            { "m_axi_wready_i", NONE, wready },
	            { "m_axi_wdata_o 31:0", 5, wdata },
	            { "m_axi_wlast_o", 5, wlast },
	            { "m_axi_bvalid_i", NONE, bvalid },
	            { "m_axi_bready_o", NONE, bready },
	            { "m_axi_bid_i", 9, bid } } },
};

static void watch(void *arg, const struct example_bench *b)
{
	struct recording *r = arg;

	if (b->in->rst_n && r->count < MOST_CYCLES)
		r->cycle[r->count++] = (struct sample){ *b->in, *b->out };
}

/* One job: 64 bytes. */
static int record(struct recording *r)
{
	static struct example_bench b = { .watch = watch };
	const struct axi_mem_opts memory = { .latency = 4, .seed = 1 };
	const struct example_soc_job job = { EXAMPLE_BASE + 0x40, EXAMPLE_BASE + EXAMPLE_PAGE, 64, 1 };
	int failed;

	b.arg = r;
	for (uint32_t i = 0; i < EXAMPLE_MEMORY; i += 4)
		memcpy(b.memory + i, &(uint32_t){ i / 4 * 0x11 }, 4);
	if (example_bench_open(&b, &memory))
		return -1;
	failed = example_job(&b, &job);
	return example_bench_close(&b) || failed ? -1 : 0;
}

/*
 * Drawing.
 */

static uint32_t left(uint32_t cycle)
{
	return NAMES + cycle * CELL;
}

static uint32_t top(uint32_t row)
{
	return TOP + row * ROW;
}

/* The level of each cycle as one line, and the clock: a rising edge where a cycle begins. */
static void draw_bit(struct svg *svg, const struct recording *r, const struct picture *p, uint32_t first,
                     uint32_t row)
{
	uint32_t y = top(row + 1);

	for (uint32_t i = 0; i < p->cycles; i++) {
		uint32_t level = p->rows[row].value(&r->cycle[first + i]) ? y : y + HIGH;

		if (i == 0)
			fprintf(svg->file, "<path d=\"M%u %u", left(0), level);
		fprintf(svg->file, " V%u H%u", level, left(i + 1));
	}
	fprintf(svg->file, "\" fill=\"none\" stroke=\"" INK "\" stroke-width=\"1.5\"/>\n");
}

static void draw_clock(struct svg *svg, uint32_t cycles)
{
	uint32_t y = top(0);

	fprintf(svg->file, "<path d=\"M%u %u", left(0), y + HIGH);
	for (uint32_t i = 0; i < cycles; i++)
		fprintf(svg->file, " V%u H%u V%u H%u", y, left(i) + CELL / 2, y + HIGH, left(i + 1));
	fprintf(svg->file, "\" fill=\"none\" stroke=\"" INK "\" stroke-width=\"1.5\"/>\n");
	put_text(svg, NAMES - 10, y + HIGH - 5, 13, "end", INK, "clk_i");
}

static void draw_vector(struct svg *svg, const struct recording *r, const struct picture *p, uint32_t first,
                        uint32_t row)
{
	const struct row *v = &p->rows[row];
	uint32_t y = top(row + 1);

	fprintf(svg->file, "<path d=\"M%u %u H%u\" stroke=\"" FAINT "\" stroke-width=\"1.5\"/>\n", left(0),
	        y + HIGH / 2, left(p->cycles));
	for (uint32_t i = 0; i < p->cycles; i++) {
		const struct sample *s = &r->cycle[first + i];

		if (!p->rows[v->counts].value(s))
			continue;
		put_box(svg, left(i) + 1, y, CELL - 2, HIGH, VALUE, FRAME);
		put_text(svg, left(i) + CELL / 2, y + HIGH - 6, 10, "middle", INK, "%" PRIx64, v->value(s));
	}
}

static void draw(struct svg *svg, const struct recording *r, const struct picture *p, uint32_t first)
{
	put_text(svg, MARGIN, 26, 16, "start", INK, "%s", p->title);
	for (uint32_t i = 0; i < p->cycles; i++) {
		put_text(svg, left(i) + CELL / 2, 52, 10, "middle", "#868e96", "%u", i);
		for (uint32_t h = 0; h < p->num_shakes; h++) {
			const struct handshake *k = &p->shakes[h];
			const struct sample *s = &r->cycle[first + i];

			/* From the row of valid to that of ready. */
			if (p->rows[k->valid].value(s) && p->rows[k->ready].value(s))
				put_box(svg, left(i), top(k->valid + 1) - 4, CELL, ROW + HIGH + 8, TAKEN,
				        TAKEN);
		}
		fprintf(svg->file, "<path d=\"M%u %u V%u\" stroke=\"" FAINT "\" stroke-dasharray=\"2 3\"/>\n",
		        left(i), top(0), top(p->num_rows + 1));
	}
	draw_clock(svg, p->cycles);
	for (uint32_t row = 0; row < p->num_rows; row++) {
		put_text(svg, NAMES - 10, top(row + 1) + HIGH - 5, 13, "end", INK, "%s", p->rows[row].name);
		if (p->rows[row].counts == NONE)
			draw_bit(svg, r, p, first, row);
		else
			draw_vector(svg, r, p, first, row);
	}
}

static int draw_file(const char *folder, const struct recording *r, const struct picture *p)
{
	uint32_t first = 0;
	char path[512];
	struct svg svg;
	FILE *file;

	while (first < r->count && !p->trigger(&r->cycle[first]))
		first++;
	if (first < p->before || first - p->before + p->cycles > r->count) {
		fprintf(stderr, "tma_example_waves: %s: its trigger does not come\n", p->file);
		return -1;
	}
	if ((size_t)snprintf(path, sizeof(path), "%s/%s", folder, p->file) >= sizeof(path)) {
		errno = ENAMETOOLONG;
		file = NULL;
	} else {
		file = fopen(path, "w");
	}
	if (!file) {
		perror(folder);
		return -1;
	}
	begin_svg(&svg, file, p->title, left(p->cycles) + MARGIN, top(p->num_rows + 1) + MARGIN);
	draw(&svg, r, p, first - p->before);
	if (end_svg(&svg)) {
		perror(path);
		return -1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	static struct recording r;

	if (argc != 2) {
		fprintf(stderr, "usage: tma_example_waves FOLDER\n");
		return 2;
	}
	if (record(&r)) {
		fprintf(stderr, "tma_example_waves: the example does not work\n");
		return 1;
	}
	for (uint32_t i = 0; i < sizeof(pictures) / sizeof(pictures[0]); i++)
		if (draw_file(argv[1], &r, &pictures[i]))
			return 1;
	return 0;
}
