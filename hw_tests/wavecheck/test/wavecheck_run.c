/* SPDX-License-Identifier: Apache-2.0 */
/* The run of wavecheck_run.h. */
#include <stdlib.h>
#include <string.h>

#include "lib/rig.h"
#include "tma_regs.h"
#include "wavecheck_run.h"

#define BASE  RUN_BASE
#define SIZE  RUN_SIZE
#define LIMIT 20000u

#define CTA1 (1u << 24)

void run_mark(struct run_marks *m, enum mark kind, uint64_t cycle)
{
	if (m->count[kind] < RUN_MAX_MARKS)
		m->cycle[kind][m->count[kind]++] = cycle;
}

static void on_ring_cycle(struct run_marks *m, uint64_t cycle, const struct tma_axi_in *i,
                          const struct tma_axi_out *o)
{
	if (o->ar_valid && i->ar_ready && o->ar_id >> 2 == 3)
		run_mark(m, MARK_FETCH, cycle);
	if (i->r_valid && o->r_ready && i->r_id >> 2 == 3)
		run_mark(m, MARK_SLOT, cycle);
	if (i->r_valid && o->r_ready && i->r_id >> 2 == 5)
		run_mark(m, MARK_CP, cycle);
	if (o->w_valid && i->w_ready && m->entry) {
		run_mark(m, MARK_ENTRY_W, cycle);
		m->entry = false;
	}
	if (o->aw_valid && i->aw_ready && o->aw_user >> 8 == 0x22) {
		run_mark(m, MARK_ENTRY, cycle);
		m->entry = true;
	}
}

/* Writes of the queues' own pages. */
static void on_csr_cycle(struct run_marks *m, uint64_t cycle, const struct tma_csr_in *i,
                         const struct tma_csr_out *o)
{
	const uint32_t page = TMA_REG_DOOR(1) - TMA_REG_DOOR(0);

	if (i->aw_valid)
		m->address = i->aw_addr;
	if (i->ar_valid && o->ar_ready)
		m->asked = i->ar_addr;
	if (m->asked >= page && m->asked % page / 4 < 15 && o->r_valid && i->r_ready)
		run_mark(m, MARK_DOOR_R + m->asked % page / 4, cycle);
	if (m->address < page || m->address % page / 4 >= 15)
		return;
	if (i->w_valid && o->w_ready)
		run_mark(m, MARK_DOOR + m->address % page / 4, cycle);
	if (o->b_valid && i->b_ready)
		run_mark(m, MARK_DOOR_B + m->address % page / 4, cycle);
}

void run_on_cycle(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	const struct tma_axi_in *i = &in->axi[0];
	const struct tma_axi_out *o = &out->axi[0];
	struct run_marks *m = arg;

	if (o->ar_valid && i->ar_ready)
		run_mark(m, MARK_AR, cycle);
	if (i->r_valid && o->r_ready)
		run_mark(m, MARK_R, cycle);
	if (o->aw_valid && i->aw_ready)
		run_mark(m, MARK_AW, cycle);
	if (o->w_valid && i->w_ready) {
		run_mark(m, MARK_W, cycle);
		if (!m->masked_beat && (o->w_strb[0] & 0xf) == 0x5)
			m->masked_beat = cycle;
	}
	if (i->b_valid && o->b_ready)
		run_mark(m, MARK_B, cycle);
	if (in->cmd_valid && out->cmd_ready)
		run_mark(m, MARK_COMMAND, cycle);
	if (i->r_valid && o->r_ready && i->r_id >> 2 == 2)
		run_mark(m, MARK_MAP, cycle);
	if (o->ar_valid && i->ar_ready && o->ar_id >> 2 == 4)
		run_mark(m, MARK_OLD, cycle);
	if (i->r_valid && o->r_ready && i->r_id >> 2 == 4)
		run_mark(m, MARK_OLD_R, cycle);
	if (out->rsp_valid && in->rsp_ready)
		run_mark(m, MARK_RECORD, cycle);
	on_ring_cycle(m, cycle, i, o);
	on_csr_cycle(m, cycle, &in->csr, &out->csr);
	if (out->csr.r_valid && in->csr.r_ready)
		run_mark(m, MARK_CSR_READ, cycle);
	if (out->axi[1].aw_valid && in->axi[1].aw_ready)
		run_mark(m, MARK_AW1, cycle);
	if (out->axi[1].w_valid && in->axi[1].w_ready)
		run_mark(m, MARK_W1, cycle);
	if (out->irq)
		run_mark(m, MARK_IRQ, cycle);
	if (out->ext[0].rvalid)
		run_mark(m, MARK_EXT_DATA, cycle);
}

void run_submit(struct rig *rig, uint32_t queue, struct tma_command command)
{
	static uint32_t tag = 0x100;

	command.version = TMA_COMMAND_VERSION;
	command.tag = tag++;
	rig_submit(rig, queue, &command);
}

bool run_open(struct run_scene *s, const char *config, const struct rig_opts *opts, uint32_t factor,
              uint32_t shift, struct run_marks *m)
{
	struct rig_hooks hooks = { .arg = m, .cycle = run_on_cycle };

	memset(m, 0, sizeof(*m));
	*s = (struct run_scene){ rig_open(config, opts), { calloc(1, SIZE), calloc(1, SIZE) } };
	if (!s->rig || !s->memory[0] || !s->memory[1])
		return false;
	for (uint32_t i = 0; i < SIZE; i++)
		s->memory[0][i] = (uint8_t)(i * factor ^ i >> shift);
	rig_hook(s->rig, &hooks);
	for (uint32_t p = 0; p < rig_info(s->rig)->ports && p < 2; p++)
		rig_map(s->rig, p, BASE, SIZE, s->memory[p]);
	return true;
}

bool run_close(struct run_scene *s)
{
	bool good = s->rig && s->memory[0] && s->memory[1] && !rig_failed(s->rig);

	if (s->rig)
		rig_close(s->rig);
	free(s->memory[0]);
	free(s->memory[1]);
	return good;
}

void run_init(struct rig *rig, uint32_t queue, uint32_t barrier, uint32_t count)
{
	run_do(rig, queue, TMA_MBARRIER_INIT, .barrier = barrier, .count = count);
}

void run_expect(struct rig *rig, uint32_t queue, uint32_t barrier, uint32_t bytes)
{
	run_do(rig, queue, TMA_MBARRIER_ARRIVE, .flags = TMA_FLAG_EXPECT_TX | TMA_FLAG_RECORD,
	       .barrier = barrier, .count = 1, .tx = bytes);
}

void run_wait(struct rig *rig, uint32_t queue, uint32_t barrier, uint32_t parity)
{
	run_do(rig, queue, TMA_MBARRIER_TRY_WAIT, .flags = TMA_FLAG_PARITY, .barrier = barrier,
	       .count = parity, .tx = 0xffffffff);
}

void run_wait_stores(struct rig *rig, uint32_t queue)
{
	run_do(rig, queue, TMA_BULK_COMMIT_GROUP);
	run_do(rig, queue, TMA_BULK_WAIT_GROUP, .flags = TMA_FLAG_RECORD, .count = 0);
}

static void load(struct rig *rig, uint32_t queue, uint64_t from, uint32_t to, uint32_t size, uint32_t barrier)
{
	run_do(rig, queue, TMA_BULK_LOAD, .global_address = from, .size = size, .shared_dst = to,
	       .barrier = barrier);
}

static void store(struct rig *rig, uint32_t queue, uint32_t from, uint64_t to, uint32_t size, uint16_t mask)
{
	run_do(rig, queue, TMA_BULK_STORE, .flags = mask == 0xffff ? 0 : TMA_FLAG_CP_MASK,
	       .byte_mask = mask == 0xffff ? 0 : mask, .global_address = to, .size = size,
	       .shared_src = from);
}

/* Both queues load at the same time, wait, and store what came; the second also copies to CTA 0. */
static void copies(struct rig *rig)
{
	for (uint32_t q = 0; q < 2; q++) {
		uint32_t here = q << 24;

		run_expect(rig, q, here, 5008 + 256);
		load(rig, q, BASE + 0xff0, here + 0x400, 5008, here);
		load(rig, q, BASE + 0x3000 + 0x100 * q, here + 0x2000, 256, here);
		run_wait(rig, q, here, 0);
		store(rig, q, here + 0x400, BASE + 0x5000 + 0x3010 * q, 4224, 0xffff);
		store(rig, q, here + 0x2000, BASE + 0xc000 + 0x100 * q, 256, 0x5555);
		run_wait_stores(rig, q);
	}
	run_expect(rig, 1, 8, 1024);
	run_do(rig, 1, TMA_BULK_SHARED, .size = 1024, .shared_src = CTA1 + 0x500, .shared_dst = 0x3000,
	       .barrier = 8);
	run_wait(rig, 0, 8, 0);
	store(rig, 0, 0x3000, BASE + 0xd000, 1024, 0xffff);
	run_wait_stores(rig, 0);
	run_do(rig, 0, TMA_BULK_PREFETCH, .global_address = BASE, .size = 64);
	run_do(rig, 0, TMA_SIGNAL);
	rig_wait_idle(rig, LIMIT);
}

static void multicast(struct rig *rig)
{
	run_expect(rig, 0, 0, 512);
	run_expect(rig, 1, CTA1, 512);
	run_do(rig, 0, TMA_BULK_LOAD, .flags = TMA_FLAG_MULTICAST, .cta_mask = 3,
	       .global_address = BASE + 0xff0, .size = 512, .shared_dst = 0x2400, .barrier = 0);
	rig_wait_idle(rig, LIMIT);
}

/* A rule broken, a window left, and two error responses, each the end of its queue. */
static void faults(struct rig *rig, const struct rig_queue setup[2])
{
	load(rig, 1, BASE + 8, CTA1 + 0x400, 64, CTA1);
	store(rig, 0, 0x400, BASE + SIZE - 64, 128, 0xffff);
	rig_run(rig, 500);
	rig_map_error(rig, 0, RIG_READ, BASE + 0x2040, 16, RIG_SLVERR);
	rig_map_error(rig, 0, RIG_WRITE, BASE + 0x9000, 16, RIG_DECERR);
	for (uint32_t q = 0; q < 2; q++)
		rig_queue_setup(rig, q, &setup[q]);
	run_init(rig, 1, CTA1, 1);
	run_expect(rig, 1, CTA1, 512);
	load(rig, 1, BASE + 0x1ff0, CTA1 + 0x400, 512, CTA1);
	store(rig, 0, 0x400, BASE + 0x8ff0, 512, 0xffff);
	rig_run(rig, 1000);
	rig_queue_disable(rig, 0);
	rig_queue_disable(rig, 1);
	rig_wait_idle(rig, LIMIT);
}

bool wavecheck_run(const char *fst, struct run_marks *m)
{
	struct rig_opts opts = {
		.size = sizeof(opts), .seed = 7, .latency = 40, .stall_percent = 20, .fst = fst
	};
	struct rig_window window = { BASE, BASE + SIZE - 1, RIG_BOTH };
	struct rig_queue setup[2];
	struct run_scene s;
	uint8_t bytes[0x800];

	/* The one dump in which the engine has to be found. */
	tma_sim_trace_pins(false);
	if (run_open(&s, "small", &opts, 7, 8, m)) {
		for (uint32_t q = 0; q < 2; q++) {
			setup[q] = (struct rig_queue){ .cta = (uint8_t)q,
				                       .stream = (uint8_t)(0x11 + q),
				                       .windows = &window,
				                       .num_windows = 1 };
			rig_queue_setup(s.rig, q, &setup[q]);
			run_init(s.rig, q, q << 24, 1);
		}
		run_init(s.rig, 0, 8, 1);
		rig_wait_idle(s.rig, LIMIT);
		memset(bytes, 0xa5, sizeof(bytes));
		rig_smem_write(s.rig, 0, 0x3800, bytes, 0x100);
		copies(s.rig);
		rig_smem_read(s.rig, 0, 0x3000, bytes, 0x400);
		rig_smem_read(s.rig, 0, 0, bytes, 16);
		m->barrier_seen = m->cycle[MARK_EXT_DATA][m->count[MARK_EXT_DATA] - 1];
		multicast(s.rig);
		m->second_read = m->cycle[MARK_R][m->count[MARK_R] - 1];
		rig_smem_read(s.rig, 1, 0x2400, bytes, 0x200);
		faults(s.rig, setup);
	}
	return run_close(&s);
}
