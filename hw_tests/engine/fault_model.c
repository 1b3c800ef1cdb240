/* SPDX-License-Identifier: Apache-2.0 */
/* The programs of fault_cases.h on the C model. */
#include "engine/fault_model.h"

#include <stdlib.h>
#include <string.h>

#include "lib/reductions.h"
#include "tma_model.h"
#include "tma_regs.h"

#define GLOBAL_BYTES (FAULT_PAGES * FAULT_PAGE)

struct world {
	const struct fault_program *p;
	struct tma_model *m;
	uint8_t *global[FAULT_MAX_PORTS];
	uint32_t submitted; /* commands of FAULT_QUEUE, in its life */
	uint32_t taken;     /* records out of its completion ring */
};

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void *memory(size_t bytes)
{
	void *p = malloc(bytes);

	require(p);
	return p;
}

static void set_up_memory(struct world *w)
{
	const struct fault_program *p = w->p;

	for (uint32_t port = 0; port < p->shape.ports; port++) {
		w->global[port] = memory(GLOBAL_BYTES);
		fault_global_image(p, port, w->global[port]);
		require(!tma_model_map(w->m, port, FAULT_GLOBAL, GLOBAL_BYTES, w->global[port]));
		if (p->stopped_ports >> port & 1)
			require(!tma_model_kill_port(w->m, port));
	}
	for (uint32_t cta = 0; cta < p->shape.ctas; cta++)
		fault_shared_image(p, cta, tma_model_smem(w->m, cta));
	if (p->error.size && p->error.port < p->shape.ports)
		require(!tma_model_map_error(w->m, p->error.port, p->error.base, p->error.size,
		                             p->error.read_resp, p->error.write_resp));
}

static void set_up_queue(struct world *w, uint16_t cta_mask, const struct fault_window *windows)
{
	const struct fault_program *p = w->p;
	struct tma_queue_config c = { .cta_mask = cta_mask,
		                      .cancel_mask = p->cancel_mask,
		                      .ring = p->ring,
		                      .ring_slots_log2 = FAULT_RING_LOG2,
		                      .completion_slots_log2 = FAULT_RING_LOG2,
		                      .ring_base = FAULT_GLOBAL + FAULT_RING_PAGE * FAULT_PAGE,
		                      .completion_base = FAULT_GLOBAL + FAULT_COMPLETION_PAGE * FAULT_PAGE };

	for (uint32_t i = 0; i < FAULT_MAX_WINDOWS; i++)
		require(!tma_model_window(w->m, FAULT_QUEUE, i,
		                          &(struct tma_window){ windows[i].base, windows[i].limit,
		                                                windows[i].attr }));
	c.enable = 1;
	require(!tma_model_queue(w->m, FAULT_QUEUE, &c));
	w->submitted = 0;
}

static void set_up(struct world *w)
{
	const struct fault_program *p = w->p;
	struct tma_multimem multimem = { p->multimem.base, p->multimem.limit, p->multimem.ports, { 0 } };

	memcpy(multimem.port_base, p->multimem.port_base, sizeof(multimem.port_base));
	set_up_memory(w);
	require(!tma_model_multimem(w->m, 0, &multimem));
	require(!tma_model_queue(w->m, FAULT_OTHER, &(struct tma_queue_config){ .enable = 1 }));
	set_up_queue(w, p->cta_mask, p->windows);
}

static void put(struct world *w, const struct tma_command *c)
{
	uint32_t slot = w->submitted++ & ((1u << FAULT_RING_LOG2) - 1);

	if (w->p->ring)
		memcpy(w->global[0] + FAULT_RING_PAGE * FAULT_PAGE + slot * sizeof(*c), c, sizeof(*c));
	else
		require(!tma_model_submit(w->m, FAULT_QUEUE, c));
}

static void run(struct world *w)
{
	if (w->p->ring)
		require(!tma_model_doorbell(w->m, FAULT_QUEUE, w->submitted));
	require(tma_model_run(w->m) >= 0);
}

static void provoke(struct world *w)
{
	const struct fault_program *p = w->p;

	for (uint32_t i = 0; i < p->num_commands; i++)
		put(w, &p->commands[i]);
	run(w);
	if (p->trigger == FAULT_BY_CANCEL)
		require(!tma_model_cancel(w->m, FAULT_QUEUE));
	else if (p->trigger == FAULT_BY_DOORBELL)
		require(!tma_model_doorbell(w->m, FAULT_QUEUE, p->doorbell));
}

static void see(struct fault_report *r, const struct tma_record *record)
{
	if (record->queue == FAULT_OTHER)
		r->other = true;
	else if (record->kind == TMA_KIND_FAULT && !r->records++)
		r->record = *record;
}

/* A record is there when its phase is that of its lap; all laps here are the first. */
static void take_records(struct world *w, struct fault_report *r)
{
	const uint8_t *ring = w->global[0] + FAULT_COMPLETION_PAGE * FAULT_PAGE;
	struct tma_record record;

	while (tma_model_next_record(w->m, &record) == 1)
		see(r, &record);
	for (; w->p->ring && w->taken < 1u << FAULT_RING_LOG2; w->taken++) {
		memcpy(&record, ring + w->taken * sizeof(record), sizeof(record));
		if (record.phase != 1)
			return;
		see(r, &record);
	}
}

static bool shared_moved(const struct world *w)
{
	uint8_t *image = memory(w->p->shape.smem_bytes);
	bool moved = false;

	for (uint32_t cta = 0; cta < w->p->shape.ctas; cta++) {
		fault_shared_image(w->p, cta, image);
		moved |= memcmp(image, tma_model_smem(w->m, cta), w->p->shape.smem_bytes) != 0;
	}
	free(image);
	return moved;
}

/* The pages of the rings are the queue's own business. */
static bool global_moved(const struct world *w)
{
	uint8_t *image = memory(GLOBAL_BYTES);
	bool moved = false;

	for (uint32_t port = 0; port < w->p->shape.ports; port++) {
		uint32_t behind = FAULT_CLOSED_PAGE * FAULT_PAGE;

		fault_global_image(w->p, port, image);
		moved |= memcmp(image, w->global[port], FAULT_RING_PAGE * FAULT_PAGE) != 0 ||
		         memcmp(image + behind, w->global[port] + behind, GLOBAL_BYTES - behind) != 0;
	}
	free(image);
	return moved;
}

static struct tma_queue_status status_of(const struct world *w)
{
	struct tma_queue_status s;

	require(!tma_model_queue_status(w->m, FAULT_QUEUE, &s));
	return s;
}

static void observe(struct world *w, struct fault_report *r)
{
	struct tma_command signal = fault_command(TMA_SIGNAL);
	struct tma_queue_status s;

	require(!tma_model_submit(w->m, FAULT_OTHER, &signal));
	require(tma_model_run(w->m) >= 0);
	take_records(w, r);
	s = status_of(w);
	r->faulted = s.faulted;
	r->code = s.fault;
	r->count = s.fault_count;
	r->sequence = s.fault_sequence;
	r->tag = s.fault_tag;
	r->address = s.fault_address;
	r->head = s.next_sequence;
	r->moved = shared_moved(w) || global_moved(w);
}

static bool probe_arrived(const struct world *w)
{
	const uint8_t *bytes = tma_model_smem(w->m, 0) + FAULT_PROBE;
	uint64_t word = 0;

	for (unsigned int i = 0; i < 8; i++)
		word |= (uint64_t)bytes[i] << 8 * i;
	return word == fault_probed();
}

static void recover(struct world *w, struct fault_report *r)
{
	struct fault_window windows[FAULT_MAX_WINDOWS];
	struct tma_command probe = fault_probe();

	if (w->p->recovery == FAULT_RESUME && tma_model_resume(w->m, FAULT_QUEUE, w->p->resume))
		return;
	if (w->p->recovery == FAULT_SET_UP) {
		require(!tma_model_reg_write(w->m, TMA_REG_QUEUE_CONTROL(FAULT_QUEUE), 0));
		fault_windows(windows);
		set_up_queue(w, (uint16_t)((1u << w->p->shape.ctas) - 1), windows);
	}
	put(w, &probe);
	run(w);
	r->recovered = !status_of(w).faulted && !status_of(w).fault && probe_arrived(w);
}

struct fault_report fault_run_model(const struct fault_program *p, uint32_t data_bytes)
{
	struct world w = { .p = p };
	struct fault_report r = { 0 };

	w.m = tma_model_new(&(struct tma_model_config){
		.ctas = p->shape.ctas,
		.smem_bytes = p->shape.smem_bytes,
		.queues = p->shape.queues,
		.ports = p->shape.ports,
		.data_bytes = data_bytes,
		.reductions = reductions_of(p->shape.reductions, p->shape.floats, p->shape.floats == 2) });
	require(w.m);
	set_up(&w);
	provoke(&w);
	observe(&w, &r);
	if (p->recovery != FAULT_LASTS)
		recover(&w, &r);
	tma_model_free(w.m);
	for (uint32_t port = 0; port < FAULT_MAX_PORTS; port++)
		free(w.global[port]);
	return r;
}

struct fault_result fault_try_model(const struct fault_case *c, const struct fault_shape *shape,
                                    uint32_t data_bytes)
{
	struct fault_result result = { 0 };

	for (int ring = 0; ring < 2 && !result.trouble; ring++) {
		struct fault_program p = fault_build(c, shape, ring);
		struct fault_report r;

		if (!fault_has_front(c, ring) || p.skip)
			continue;
		r = fault_run_model(&p, data_bytes);
		result.ran = true;
		result.trouble = fault_check(&p, &r);
	}
	return result;
}
