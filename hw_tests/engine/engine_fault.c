/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of fault_cases.h on the Verilated engine, through the rig. */
#include "engine/engine_fault.h"

#include <stdlib.h>
#include <string.h>

#include "lib/must.h"
#include "tma_regs.h"

#define GLOBAL_BYTES (FAULT_PAGES * FAULT_PAGE)
#define WATCHDOG     600u
#define LIMIT        20000u
#define LOOK_EVERY   16u

/* Where programs touch shared memory, and where they must not although they try: looked at after each
 * of them. The rest is at the end. */
#define LOW_BYTES  2560u
#define HIGH_BYTES 128u

struct engine {
	struct rig *rig;
	const struct tma_sim_info *info;
	uint8_t *global[FAULT_MAX_PORTS];
	uint8_t *shared[TMA_SIM_MAX_CTAS]; /* what has to be there */
	uint8_t *image;
};

struct fault_shape engine_shape(const struct engine *e)
{
	return (struct fault_shape){ .ctas = e->info->ctas,
		                     .smem_bytes = e->info->smem_bytes,
		                     .ports = e->info->ports,
		                     .queues = e->info->queues,
		                     .reductions = e->info->reductions,
		                     .floats = e->info->floats };
}

uint32_t engine_data_bytes(const struct engine *e)
{
	return e->info->data_bytes;
}

/*
 * Memory.
 */

static void fill_shared(struct engine *e)
{
	const struct fault_program blank = { .shape = engine_shape(e) };

	for (uint32_t cta = 0; cta < e->info->ctas; cta++) {
		e->shared[cta] = must(malloc(e->info->smem_bytes));
		fault_shared_image(&blank, cta, e->shared[cta]);
		rig_smem_post_write(e->rig, cta, 0, e->shared[cta], e->info->smem_bytes);
	}
	rig_smem_flush(e->rig);
}

static void put_shared(struct engine *e, const struct fault_program *p)
{
	uint32_t high = e->info->smem_bytes - HIGH_BYTES;

	for (uint32_t cta = 0; cta < e->info->ctas; cta++) {
		fault_shared_image(p, cta, e->image);
		memcpy(e->shared[cta], e->image, LOW_BYTES);
		memcpy(e->shared[cta] + high, e->image + high, HIGH_BYTES);
		rig_smem_post_write(e->rig, cta, 0, e->shared[cta], LOW_BYTES);
		rig_smem_post_write(e->rig, cta, high, e->shared[cta] + high, HIGH_BYTES);
	}
	rig_smem_flush(e->rig);
}

/* Is a byte of shared memory not as it was put? */
static bool shared_moved(struct engine *e)
{
	static uint8_t now[TMA_SIM_MAX_CTAS][LOW_BYTES + HIGH_BYTES];
	uint32_t high = e->info->smem_bytes - HIGH_BYTES;
	bool moved = false;

	for (uint32_t cta = 0; cta < e->info->ctas; cta++) {
		rig_smem_post_read(e->rig, cta, 0, now[cta], LOW_BYTES);
		rig_smem_post_read(e->rig, cta, high, now[cta] + LOW_BYTES, HIGH_BYTES);
	}
	rig_smem_flush(e->rig);
	for (uint32_t cta = 0; cta < e->info->ctas; cta++)
		moved |= memcmp(now[cta], e->shared[cta], LOW_BYTES) != 0 ||
		         memcmp(now[cta] + LOW_BYTES, e->shared[cta] + high, HIGH_BYTES) != 0;
	return moved;
}

/* The pages of the rings are the queue's own business. */
static bool global_moved(const struct engine *e, const struct fault_program *p)
{
	uint32_t behind = FAULT_CLOSED_PAGE * FAULT_PAGE;
	uint8_t *image = must(malloc(GLOBAL_BYTES));
	bool moved = false;

	for (uint32_t port = 0; port < e->info->ports; port++) {
		fault_global_image(p, port, image);
		moved |= memcmp(image, e->global[port], FAULT_RING_PAGE * FAULT_PAGE) != 0 ||
		         memcmp(image + behind, e->global[port] + behind, GLOBAL_BYTES - behind) != 0;
	}
	free(image);
	return moved;
}

/*
 * Set-up.
 */

static int set_up_queue(struct engine *e, const struct fault_program *p, uint16_t cta_mask,
                        const struct fault_window *from)
{
	struct rig_window windows[FAULT_MAX_WINDOWS];
	const struct rig_queue setup = { .cta_mask = cta_mask,
		                         .stream = FAULT_QUEUE + 1,
		                         .cancel_mask = p->cancel_mask,
		                         .windows = windows,
		                         .num_windows = FAULT_MAX_WINDOWS,
		                         .front = p->ring ? RIG_RING : RIG_DIRECT,
		                         .ring_log2 = FAULT_RING_LOG2,
		                         .completion_log2 = FAULT_RING_LOG2,
		                         .bell = RIG_BELL_RANDOM,
		                         .own_rings = true,
		                         .ring_base = FAULT_GLOBAL + FAULT_RING_PAGE * FAULT_PAGE,
		                         .completion_base =
		                                 FAULT_GLOBAL + FAULT_COMPLETION_PAGE * FAULT_PAGE };

	for (uint32_t i = 0; i < FAULT_MAX_WINDOWS; i++)
		windows[i] = (struct rig_window){ from[i].base, from[i].limit, from[i].attr };
	return rig_queue_setup(e->rig, FAULT_QUEUE, &setup);
}

static int heal_queue(struct engine *e, const struct fault_program *p)
{
	struct fault_window windows[FAULT_MAX_WINDOWS];

	fault_windows(windows);
	return set_up_queue(e, p, (uint16_t)((1u << e->info->ctas) - 1), windows);
}

static int set_up_ports(struct engine *e, const struct fault_program *p)
{
	int err = rig_watchdog(e->rig, p->stopped_ports ? WATCHDOG : 0);

	rig_clear_errors(e->rig);
	for (uint32_t port = 0; port < e->info->ports; port++) {
		fault_global_image(p, port, e->global[port]);
		if (p->stopped_ports >> port & 1)
			err |= rig_port_stop(e->rig, port, RIG_ALL_CHANNELS, 0);
	}
	if (!p->error.size || p->error.port >= e->info->ports)
		return err;
	if (p->error.read_resp)
		err |= rig_map_error(e->rig, p->error.port, RIG_READ, p->error.base, p->error.size,
		                     (enum rig_resp)p->error.read_resp);
	if (p->error.write_resp)
		err |= rig_map_error(e->rig, p->error.port, RIG_WRITE, p->error.base, p->error.size,
		                     (enum rig_resp)p->error.write_resp);
	return err;
}

static int set_up(struct engine *e, const struct fault_program *p)
{
	const struct rig_queue other = { .stream = FAULT_OTHER + 1 };
	struct rig_multimem multimem = { p->multimem.base, p->multimem.limit, p->multimem.ports, { 0 } };
	int err;

	memcpy(multimem.port_base, p->multimem.port_base, sizeof(multimem.port_base));
	put_shared(e, p);
	err = set_up_ports(e, p);
	err = err ? err : rig_multimem(e->rig, 0, &multimem);
	err = err ? err : rig_queue_setup(e->rig, FAULT_OTHER, &other);
	return err ? err : set_up_queue(e, p, p->cta_mask, p->windows);
}

/*
 * The fault.
 */

static int wait_until_it_waits(struct engine *e)
{
	uint64_t end = rig_cycle(e->rig) + LIMIT;

	while (rig_cycle(e->rig) < end) {
		if (rig_door_read(e->rig, FAULT_QUEUE).status & TMA_REG_DOOR_STATUS_WAITING_MASK)
			return 0;
		/* Doorbells go when nobody else uses the registers. */
		rig_run(e->rig, LOOK_EVERY);
	}
	return -1;
}

static int provoke(struct engine *e, const struct fault_program *p)
{
	struct tma_command signal = fault_command(TMA_SIGNAL);
	int err = 0;

	for (uint32_t i = 0; i < p->num_commands; i++) {
		err |= rig_submit(e->rig, FAULT_QUEUE, &p->commands[i]) < 0;
		err |= rig_submit(e->rig, FAULT_OTHER, &signal) < 0;
	}
	if (p->trigger == FAULT_BY_CANCEL) {
		err |= wait_until_it_waits(e);
		err |= rig_cancel(e->rig, FAULT_QUEUE);
	} else if (p->trigger == FAULT_BY_DOORBELL) {
		err |= rig_wait_idle(e->rig, LIMIT);
		err |= rig_doorbell(e->rig, FAULT_QUEUE, p->doorbell);
	}
	return err | rig_wait_idle(e->rig, LIMIT);
}

static bool is_faulted(struct engine *e)
{
	return rig_door_read(e->rig, FAULT_QUEUE).status & TMA_REG_DOOR_STATUS_FAULTED_MASK;
}

static struct fault_report observe(struct engine *e, const struct fault_program *p)
{
	struct tma_command signal = fault_command(TMA_SIGNAL);
	struct fault_report r = { .moved = global_moved(e, p) };
	const struct rig_record *records;
	struct rig_fault f;
	uint32_t n;

	rig_submit(e->rig, FAULT_OTHER, &signal);
	rig_wait_idle(e->rig, LIMIT);
	rig_records(e->rig, FAULT_OTHER, &n);
	r.other = n == p->num_commands + 1;
	records = rig_records(e->rig, FAULT_QUEUE, &n);
	for (uint32_t i = 0; i < n; i++)
		if (records[i].record.kind == TMA_KIND_FAULT && !r.records++)
			r.record = records[i].record;
	f = rig_fault(e->rig, FAULT_QUEUE);
	r.faulted = is_faulted(e);
	r.code = f.code;
	r.count = f.count;
	r.sequence = f.sequence;
	r.tag = f.tag;
	r.address = f.address;
	r.head = rig_door_read(e->rig, FAULT_QUEUE).head;
	r.moved |= shared_moved(e);
	return r;
}

/*
 * Recovery.
 */

bool engine_recovers(const struct fault_program *p, enum engine_recovery how)
{
	if (how != ENGINE_MENDED)
		return true;
	/* The command has a slot, and has not issued. */
	return p->ring && p->recovery == FAULT_RESUME && p->head == p->sequence &&
	       p->sequence < p->num_commands;
}

static const char *as_the_program(struct engine *e, const struct fault_program *p)
{
	switch (p->recovery) {
	case FAULT_RESUME:
		return rig_resume(e->rig, FAULT_QUEUE, p->resume) ? "RESUME is refused" : NULL;
	case FAULT_LASTS:
		rig_reset(e->rig);
		if (rig_dead_ports(e->rig))
			return "a port is dead after the engine's reset";
		/* fallthrough */
	default:
		return heal_queue(e, p) ? "it cannot be set up again" : NULL;
	}
}

static const char *mended(struct engine *e, const struct fault_program *p)
{
	struct tma_command probe = fault_probe();
	void *slot = rig_ring_slot(e->rig, FAULT_QUEUE, p->sequence);

	rig_clear_errors(e->rig);
	if (!slot)
		return "no slot";
	memcpy(slot, &probe, sizeof(probe));
	return rig_resume(e->rig, FAULT_QUEUE, p->sequence) ? "RESUME at the command is refused" : NULL;
}

static const char *reset(struct engine *e, const struct fault_program *p)
{
	struct rig_door d;

	if (rig_queue_reset(e->rig, FAULT_QUEUE))
		return "RESET is refused";
	d = rig_door_read(e->rig, FAULT_QUEUE);
	if (d.tail || d.head || d.consumer || d.producer || d.status || d.pending)
		return "something is left after RESET";
	if (p->recovery == FAULT_SET_UP && heal_queue(e, p))
		return "it cannot be set up again";
	return NULL;
}

/* A ring behind a dead port stays without commands. */
static const char *still_dead(struct engine *e)
{
	struct rig_fault f = rig_fault(e->rig, FAULT_QUEUE);

	return f.code == TMA_FAULT_PORT_DEAD && !f.sequence ? NULL : "the dead port is not reported again";
}

/* Records when all is done: those of before, of SIGNALs that stood behind the fault, and of one more. */
static uint32_t records_in_the_end(const struct fault_program *p, enum engine_recovery how, uint32_t before)
{
	if (how == ENGINE_MENDED)
		return before + p->num_commands - p->sequence;
	if (how == ENGINE_RESET || p->recovery != FAULT_RESUME)
		return 1;
	return before + p->num_commands - p->resume + 1;
}

/* The last of `count` records is that of SIGNAL number `sequence`. */
static const char *check_signal(struct engine *e, uint32_t count, uint32_t sequence)
{
	uint32_t n;
	const struct rig_record *records = rig_records(e->rig, FAULT_QUEUE, &n);

	if (n != count)
		return "the number of records after recovery";
	if (records[n - 1].record.kind != TMA_KIND_SIGNAL || records[n - 1].record.sequence != sequence)
		return "the record of a good command after recovery";
	return NULL;
}

static bool probe_arrived(struct engine *e)
{
	uint8_t bytes[8];
	uint64_t word = 0;

	rig_smem_read(e->rig, 0, FAULT_PROBE, bytes, sizeof(bytes));
	for (unsigned int i = 0; i < 8; i++)
		word |= (uint64_t)bytes[i] << 8 * i;
	return word == fault_probed();
}

/* Good commands work. */
static const char *go_on(struct engine *e, const struct fault_program *p, enum engine_recovery how,
                         uint32_t before)
{
	/* RESUME changes nothing of a completion ring that cannot be written. */
	bool records = !p->unwritten || p->recovery != FAULT_RESUME;
	struct tma_command probe = fault_probe(), signal = fault_command(TMA_SIGNAL);
	int64_t sequence = 0;

	if (how != ENGINE_MENDED)
		rig_submit(e->rig, FAULT_QUEUE, &probe);
	if (records)
		sequence = rig_submit(e->rig, FAULT_QUEUE, &signal);
	if (rig_wait_idle(e->rig, LIMIT))
		return "it is not idle after recovery";
	if (p->recovery == FAULT_LASTS && p->ring && how == ENGINE_RESET)
		return still_dead(e);
	if (is_faulted(e) || rig_fault(e->rig, FAULT_QUEUE).code)
		return "another fault after recovery";
	if (!probe_arrived(e))
		return "a command after recovery has no effect";
	return records ? check_signal(e, records_in_the_end(p, how, before), (uint32_t)sequence) : NULL;
}

static const char *recover(struct engine *e, const struct fault_program *p, enum engine_recovery how)
{
	const char *trouble;
	uint32_t before;

	rig_records(e->rig, FAULT_QUEUE, &before);
	trouble = how == ENGINE_MENDED  ? mended(e, p)
	          : how == ENGINE_RESET ? reset(e, p)
	                                : as_the_program(e, p);
	if (trouble)
		return trouble;
	if (is_faulted(e) || rig_faulted(e->rig, FAULT_QUEUE) || rig_fault(e->rig, FAULT_QUEUE).count)
		return "the fault is still there";
	return go_on(e, p, how, before);
}

const char *engine_run(struct engine *e, const struct fault_program *p, enum engine_recovery how)
{
	int failures = rig_failed(e->rig);
	struct fault_report r;
	const char *trouble;

	rig_reset(e->rig);
	if (set_up(e, p))
		return "it cannot be set up";
	if (provoke(e, p))
		return "it does not come to an end";
	r = observe(e, p);
	r.recovered = true;
	trouble = fault_check(p, &r);
	if (!trouble && rig_dead_ports(e->rig) != p->stopped_ports)
		trouble = "PORTS.dead";
	if (!trouble)
		trouble = recover(e, p, how);
	return !trouble && rig_failed(e->rig) != failures ? "the rig has found something" : trouble;
}

/*
 * Life.
 */

struct engine *engine_open(const char *config, const struct rig_opts *opts)
{
	struct engine *e = calloc(1, sizeof(*e));

	if (!e)
		return NULL;
	e->rig = rig_open(config, opts);
	if (!e->rig) {
		free(e);
		return NULL;
	}
	e->info = rig_info(e->rig);
	e->image = must(malloc(e->info->smem_bytes));
	for (uint32_t port = 0; port < e->info->ports; port++) {
		e->global[port] = must(malloc(GLOBAL_BYTES));
		rig_map(e->rig, port, FAULT_GLOBAL, GLOBAL_BYTES, e->global[port]);
	}
	fill_shared(e);
	return e;
}

int engine_close(struct engine *e)
{
	uint32_t length = e->info->smem_bytes - LOW_BYTES - HIGH_BYTES;
	int failures;

	for (uint32_t cta = 0; cta < e->info->ctas; cta++) {
		rig_smem_read(e->rig, cta, LOW_BYTES, e->image, length);
		for (uint32_t i = 0; i < length; i++)
			if (e->image[i] != e->shared[cta][LOW_BYTES + i]) {
				rig_error(e->rig, "byte %#x of CTA %u was written", LOW_BYTES + i, cta);
				break;
			}
	}
	failures = rig_failed(e->rig);
	failures += rig_close(e->rig);
	for (uint32_t cta = 0; cta < TMA_SIM_MAX_CTAS; cta++)
		free(e->shared[cta]);
	for (uint32_t port = 0; port < FAULT_MAX_PORTS; port++)
		free(e->global[port]);
	free(e->image);
	free(e);
	return failures;
}
