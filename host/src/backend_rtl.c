/* SPDX-License-Identifier: Apache-2.0 */
/* The back end "rtl": the Verilated engine with the test rig around it, all in this process. */
#include <stdlib.h>
#include <string.h>

#include "backend.h"
#include "lib/monitor_regs.h"
#include "lib/rig.h"
#include "tma_backend_rtl.h"

#define MAX_IDS 256 /* of AXI, 8 bits */

#define QUEUE_WORDS      ((TMA_REG_QUEUE(1) - TMA_REG_QUEUE(0)) / 4)
#define QUEUE_WORD(name) ((TMA_REG_QUEUE_##name(0) - TMA_REG_QUEUE(0)) / 4)

/* A burst that was not answered yet. */
struct burst {
	uint64_t address;
	uint32_t bytes;
	uint8_t stream;
};

/* Those of one id, oldest first, as they are answered. */
struct bursts {
	struct burst *list;
	uint32_t first, count, room;
};

/* Who sees what goes on at the ports. */
struct watch {
	void (*see)(void *context, const struct tma_watch_event *event);
	void *context;
	uint32_t ports, beat;
	struct bursts open[TMA_SIM_MAX_PORTS][2][MAX_IDS]; /* reads, writes */
	uint64_t stalled[TMA_SIM_MAX_PORTS][2];            /* 1 + the first cycle; 0: does not wait */
};

/* The rig has to know what queues may do. It is told when one is enabled, from the registers as they were
 * written. */
struct engine {
	struct rig *rig;
	struct monitor_regs regs;
	uint32_t queues[TMA_REG_QUEUE_COUNT][QUEUE_WORDS];
	uint32_t taken[TMA_REG_QUEUE_COUNT]; /* records of the queue that were delivered */
	struct watch *watch;                 /* NULL: nobody does */
};

/* Seed 0 is the setting in which numbers are measured; every other one is meant to find faults. */
static struct rig_opts rig_options(const struct tma_options *options)
{
	struct rig_opts opts = { .size = sizeof(opts), .fst = options->wave };

	opts.seed = options->seed;
	if (opts.seed) {
		opts.latency = 1 + opts.seed % 200;
		opts.random_latency = 50;
		opts.stall_percent = 10;
		opts.command_percent = 10;
		opts.record_percent = 10;
		opts.pick = RIG_PICK_RANDOM;
	}
	return opts;
}

static bool config_exists(const char *name)
{
	const char *const *config;

	for (config = tma_sim_configs(); *config; config++)
		if (!strcmp(*config, name))
			return true;
	return false;
}

static int rtl_open(const struct tma_options *options, struct tma_backend_engine *about, void **engine)
{
	const char *config = options->config ? options->config : DEFAULT_CONFIG;
	struct rig_opts opts = rig_options(options);
	struct engine *e;

	if (!config_exists(config))
		return TMA_ECONFIG;
	e = calloc(1, sizeof(*e));
	if (!e)
		return TMA_ENOMEM;
	e->rig = rig_open(config, &opts);
	if (!e->rig) {
		free(e);
		return TMA_EDEVICE;
	}
	monitor_regs_reset(&e->regs, rig_info(e->rig)->ports);
	about->config = rig_info(e->rig)->name;
	about->placed = true;
	*engine = e;
	return 0;
}

static void rtl_close(void *engine)
{
	struct engine *e = engine;

	rig_close(e->rig);
	if (e->watch)
		for (uint32_t i = 0; i < TMA_SIM_MAX_PORTS * 2 * MAX_IDS; i++)
			free((&e->watch->open[0][0][0])[i].list);
	free(e->watch);
	free(e);
}

static uint64_t rtl_cycles(const void *engine)
{
	return rig_cycle(((const struct engine *)engine)->rig);
}

static int rtl_check(const void *engine)
{
	return rig_failed(((const struct engine *)engine)->rig) ? TMA_EDEVICE : 0;
}

/* The rig ends on what it finds wrong only when asked, so a broken engine stops here. */
static int rtl_advance(void *engine)
{
	struct engine *e = engine;
	int error = rtl_check(e);

	if (error)
		return error;
	rig_step(e->rig);
	return 1;
}

static int answer(int response)
{
	return response < 0 ? TMA_EDEVICE : response ? TMA_REFUSED : 0;
}

static int rtl_reg_read(void *engine, uint32_t address, uint32_t *value)
{
	return answer(rig_csr_read(((struct engine *)engine)->rig, address, value));
}

static uint64_t pair(const uint32_t *words)
{
	return words[0] | (uint64_t)words[1] << 32;
}

/* Enable a queue whose other registers are set. */
static int enable(struct engine *e, uint32_t q, bool ring)
{
	const uint32_t *word = e->queues[q];
	struct rig_window windows[MONITOR_WINDOWS];
	struct rig_queue setup = {
		.registers_set = true,
		.windows = windows,
		.num_windows = rig_info(e->rig)->windows,
		.front = ring ? RIG_RING : RIG_DIRECT,
		.consumer = ring ? RIG_CONSUMER_OFF : RIG_CONSUMER_EAGER, /* the library takes records */
		.own_rings = ring,
		.ring_base = pair(&word[QUEUE_WORD(RING_BASE_LO)]),
		.completion_base = pair(&word[QUEUE_WORD(COMPLETION_BASE_LO)]),
		.ring_log2 = word[QUEUE_WORD(RING_SIZE)] & TMA_REG_QUEUE_RING_SIZE_RING_MASK,
		.completion_log2 = (word[QUEUE_WORD(RING_SIZE)] & TMA_REG_QUEUE_RING_SIZE_COMPLETION_MASK) >>
		                   TMA_REG_QUEUE_RING_SIZE_COMPLETION_SHIFT,
	};
	uint32_t i;

	for (i = 0; i < setup.num_windows; i++) {
		const struct monitor_window *w = &e->regs.next[q].windows[i];

		windows[i] = (struct rig_window){ w->base, w->limit, w->attr };
	}
	e->taken[q] = 0;
	return rig_queue_setup(e->rig, q, &setup) ? TMA_EDEVICE : 0;
}

/* Multimem windows open, and only then legal for the engine. */
static int open_multimem(struct engine *e)
{
	const struct monitor_multimem *m = &e->regs.multimem[e->regs.index];
	struct rig_multimem setup = { .base = m->base, .limit = m->limit, .ports = m->ports };

	memcpy(setup.port_base, m->port_base, sizeof(setup.port_base));
	return rig_multimem(e->rig, e->regs.index, &setup) ? TMA_EDEVICE : 0;
}

static void remember(struct engine *e, uint32_t address, uint32_t value)
{
	uint32_t word = (address - TMA_REG_QUEUE(0)) / 4;

	monitor_write(&e->regs, address, value);
	if (address >= TMA_REG_QUEUE(0) && word < TMA_REG_QUEUE_COUNT * QUEUE_WORDS)
		e->queues[word / QUEUE_WORDS][word % QUEUE_WORDS] = value;
}

/* Writes that the rig does itself, because it goes on otherwise behind them. */
static int write_special(struct engine *e, uint32_t address, uint32_t value)
{
	uint32_t q;

	for (q = 0; q < rig_info(e->rig)->queues; q++) {
		if (address == TMA_REG_QUEUE_CONTROL(q))
			return value & TMA_REG_QUEUE_CONTROL_ENABLE_MASK
			               ? enable(e, q, value & TMA_REG_QUEUE_CONTROL_RING_MASK)
			               : answer(rig_queue_disable(e->rig, q));
		if (address == TMA_REG_DOOR_RESUME(q))
			return answer(rig_resume(e->rig, q, value));
		if (address == TMA_REG_DOOR_RESET(q) && value & TMA_REG_DOOR_RESET_RESET_MASK) {
			e->taken[q] = 0;
			return answer(rig_queue_reset(e->rig, q));
		}
	}
	return answer(rig_csr_write(e->rig, address, value));
}

static int rtl_reg_write(void *engine, uint32_t address, uint32_t value)
{
	struct engine *e = engine;
	int error = write_special(e, address, value);

	if (error)
		return error;
	remember(e, address, value);
	return address == TMA_REG_MULTIMEM_PORTS ? open_multimem(e) : 0;
}

static int rtl_memory_alloc(void *engine, struct tma_backend_memory *memory)
{
	const struct engine *e = engine;

	return rig_map(e->rig, memory->port, memory->address, memory->bytes, memory->host) ? TMA_ENOMEM : 0;
}

static void rtl_memory_free(void *engine, const struct tma_backend_memory *memory)
{
	const struct engine *e = engine;

	rig_unmap(e->rig, memory->port, memory->address);
}

static int rtl_smem_read(void *engine, uint32_t cta, uint32_t offset, void *bytes, uint32_t size)
{
	struct engine *e = engine;

	return rig_smem_read(e->rig, cta, offset, bytes, size) ? TMA_EDEVICE : 0;
}

static int rtl_smem_write(void *engine, uint32_t cta, uint32_t offset, const void *bytes, uint32_t size)
{
	struct engine *e = engine;

	return rig_smem_write(e->rig, cta, offset, bytes, size) ? TMA_EDEVICE : 0;
}

static uint32_t rtl_waiting(void *engine, uint32_t index)
{
	return rig_waiting(((struct engine *)engine)->rig, index);
}

static int rtl_submit(void *engine, uint32_t index, const struct tma_command *command)
{
	struct engine *e = engine;

	return rig_submit(e->rig, index, command) < 0 ? TMA_ENOMEM : 0;
}

static int rtl_next_record(void *engine, uint32_t index, struct tma_record *record)
{
	struct engine *e = engine;
	const struct rig_record *records;
	uint32_t count;

	records = rig_records(e->rig, index, &count);
	if (e->taken[index] == count)
		return 0;
	*record = records[e->taken[index]++].record;
	return 1;
}

static void tell(const struct watch *w, struct tma_watch_event event, const struct burst *burst)
{
	if (burst) {
		event.address = burst->address;
		event.bytes = burst->bytes;
		event.stream = burst->stream;
	}
	w->see(w->context, &event);
}

/* A burst begins. Without memory it is left out. */
static void begin(struct watch *w, struct tma_watch_event event, struct burst burst)
{
	struct bursts *open = &w->open[event.port][event.kind == TMA_WATCH_WRITE][event.id];
	struct burst *more;

	if (open->first && open->first == open->count)
		open->first = open->count = 0;
	if (open->count == open->room) {
		more = realloc(open->list, (2 * open->room + 8) * sizeof(*more));
		if (!more)
			return;
		open->list = more;
		open->room = 2 * open->room + 8;
	}
	open->list[open->count++] = burst;
	tell(w, event, &burst);
}

/* The oldest of its id ends. */
static void end(struct watch *w, struct tma_watch_event event)
{
	struct bursts *open = &w->open[event.port][event.kind == TMA_WATCH_WRITE_END][event.id];

	if (open->first < open->count)
		tell(w, event, &open->list[open->first++]);
}

/* What was offered and not taken, until it is. */
static void stall(struct watch *w, struct tma_watch_event event, bool valid, bool ready)
{
	uint64_t *since = &w->stalled[event.port][event.kind == TMA_WATCH_WRITE_STALL];

	if (valid && !ready && !*since)
		*since = event.cycle + 1;
	if (!*since || (valid && !ready))
		return;
	event.since = *since - 1;
	*since = 0;
	tell(w, event, NULL);
}

static void see_port(struct watch *w, uint32_t p, uint64_t cycle, const struct tma_axi_in *in,
                     const struct tma_axi_out *out)
{
	const struct tma_watch_event at = { .port = p, .cycle = cycle };
	struct tma_watch_event event = at;

	if (out->ar_valid && in->ar_ready) {
		event.kind = TMA_WATCH_READ;
		event.id = out->ar_id;
		begin(w, event,
		      (struct burst){ out->ar_addr, (out->ar_len + 1u) * w->beat,
		                      (uint8_t)(out->ar_user >> 8) });
	}
	if (out->aw_valid && in->aw_ready) {
		event.kind = TMA_WATCH_WRITE;
		event.id = out->aw_id;
		begin(w, event,
		      (struct burst){ out->aw_addr, (out->aw_len + 1u) * w->beat,
		                      (uint8_t)(out->aw_user >> 8) });
	}
	if (in->r_valid && out->r_ready && in->r_last) {
		event.kind = TMA_WATCH_READ_END;
		event.id = in->r_id;
		end(w, event);
	}
	if (in->b_valid && out->b_ready) {
		event.kind = TMA_WATCH_WRITE_END;
		event.id = in->b_id;
		end(w, event);
	}
	event = at;
	event.kind = TMA_WATCH_READ_STALL;
	stall(w, event, out->ar_valid, in->ar_ready);
	event.kind = TMA_WATCH_WRITE_STALL;
	stall(w, event, out->w_valid, in->w_ready);
}

static void see_cycle(void *arg, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out)
{
	struct watch *w = arg;

	for (uint32_t p = 0; p < w->ports && in->rst_n; p++)
		see_port(w, p, cycle, &in->axi[p], &out->axi[p]);
}

static int rtl_watch(void *engine, void (*see)(void *context, const struct tma_watch_event *event),
                     void *context)
{
	struct engine *e = engine;
	struct rig_hooks hooks = { .cycle = see_cycle };

	e->watch = calloc(1, sizeof(*e->watch));
	if (!e->watch)
		return TMA_ENOMEM;
	e->watch->see = see;
	e->watch->context = context;
	e->watch->ports = rig_info(e->rig)->ports;
	e->watch->beat = rig_info(e->rig)->data_bytes;
	hooks.arg = e->watch;
	return rig_hook(e->rig, &hooks) ? TMA_ENOMEM : 0;
}

const struct tma_backend tma_backend_rtl = {
	.name = "rtl",
	.size = sizeof(struct tma_backend),
	.version = TMA_BACKEND_VERSION,
	.open = rtl_open,
	.close = rtl_close,
	.reg_read = rtl_reg_read,
	.reg_write = rtl_reg_write,
	.memory_alloc = rtl_memory_alloc,
	.memory_free = rtl_memory_free,
	.smem_read = rtl_smem_read,
	.smem_write = rtl_smem_write,
	.advance = rtl_advance,
	.cycles = rtl_cycles,
	.check = rtl_check,
	.submit = rtl_submit,
	.waiting = rtl_waiting,
	.next_record = rtl_next_record,
	.watch = rtl_watch,
};
