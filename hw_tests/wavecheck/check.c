/* SPDX-License-Identifier: Apache-2.0 */
/* Goes through the events, and reports the first difference. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/reductions.h"
#include "tma_tables.h"
#include "wavecheck/check.h"

#define SCRATCH_BYTES (1u << 20)

void differ(const struct check *c, enum port port, unsigned unit, const char *format, ...)
{
	va_list args;

	fflush(stdout);
	fprintf(stderr, "wavecheck: %s: difference at %.3f ns, %s: ", c->path, dump_ns(c->dump, c->now->time),
	        dump_name(c->dump, port, unit));
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

void say(const struct check *c, const char *format, ...)
{
	va_list args;

	if (!c->verbose)
		return;
	printf("%12.3f ns  ", dump_ns(c->dump, c->now->time));
	va_start(args, format);
	vprintf(format, args);
	va_end(args);
	putchar('\n');
}

void *grow(void *memory, size_t count, size_t *capacity, size_t unit)
{
	if (count < *capacity)
		return memory;
	*capacity = *capacity ? 2 * *capacity : 16;
	memory = realloc(memory, *capacity * unit);
	if (!memory) {
		fprintf(stderr, "wavecheck: out of memory\n");
		exit(2);
	}
	return memory;
}

void *allocate(size_t bytes)
{
	void *memory = calloc(1, bytes);

	if (!memory) {
		fprintf(stderr, "wavecheck: out of memory\n");
		exit(2);
	}
	return memory;
}

const uint8_t *event_data(const struct check *c)
{
	return c->log->bytes + c->now->data;
}

const char *name_command(uint32_t queue, uint32_t sequence, const struct tma_command *command)
{
	static char buffers[4][96];
	static unsigned turn;
	char *text = buffers[turn++ % 4];
	const char *name = tma_opcode_name(command->opcode);

	snprintf(text, sizeof(buffers[0]), "%s %u of queue %u", name ? name : "unknown command", sequence,
	         queue);
	return text;
}

const char *name_copy(const struct copy *copy)
{
	return name_command(copy->queue, copy->sequence, &copy->command);
}

static void saw_idle(struct check *c, bool last)
{
	if (last)
		door_check_irq(c);
	if (!c->now->resp) {
		if (last)
			say(c, "the dump ends while the engine is busy");
		return;
	}
	/* A command that is accepted in this very cycle is not yet counted by idle_o. */
	if (c->now != c->log->events)
		for (const struct event *e = c->now - 1; e >= c->log->events && e->cycle == c->now->cycle;
		     e--)
			if (e->kind == EV_COMMAND)
				return;
	queue_check_idle(c);
	door_check_irq(c);
	barrier_all_quiet(c);
	c->last_idle = c->now->cycle;
	c->axcaches = (uint16_t)(1u << c->axcache);
	if (last)
		record_check_end(c);
}

static void handle(struct check *c)
{
	const struct event *e = c->now;

	bool transfer =
		e->kind == EV_R || e->kind == EV_B || e->kind == EV_AR || e->kind == EV_AW || e->kind == EV_W;

	/* What a dead port still does, nobody looks at. */
	if (transfer && c->dead >> e->unit & 1)
		return;
	if ((e->kind == EV_R || e->kind == EV_AR) && e->unit != 0 &&
	    e->id >> ID_CLIENT_SHIFT != CLIENT_REDUCE)
		differ(c, e->kind == EV_AR ? P_m_axi_arvalid_o : P_m_axi_rvalid_i, e->unit,
		       "a read on a port that nothing is read from");
	switch (e->kind) {
	case EV_RESET:
		setup_reset(c);
		break;
	case EV_CSR_WRITE:
		setup_write(c);
		break;
	case EV_COMMAND:
		queue_accept(c);
		break;
	case EV_EXT_WRITE:
		shared_ext_write(c);
		break;
	case EV_R:
		read_data(c);
		break;
	case EV_B:
		write_response(c);
		break;
	case EV_STEP:
		queue_run(c);
		break;
	case EV_EXT_READ:
		shared_ext_read(c);
		break;
	case EV_EXT_DATA:
		shared_ext_data(c);
		break;
	case EV_AR:
		read_address(c);
		break;
	case EV_AW:
		write_address(c);
		break;
	case EV_W:
		write_data(c);
		break;
	case EV_RECORD:
		record_seen(c);
		break;
	case EV_CSR_READ:
		door_read(c);
		break;
	case EV_IRQ:
		door_irq(c);
		break;
	case EV_DEAD:
		recover_port_died(c);
		break;
	case EV_IDLE:
		saw_idle(c, e == c->log->events + c->log->count - 1);
		break;
	default:
		differ(c, e->broken.port, e->unit, "%s", e->broken.text);
	}
}

static int open_models(struct check *c)
{
	struct tma_model_config config = {
		.ctas = c->shape.ctas,
		.smem_bytes = c->shape.smem_bytes,
		.queues = c->shape.queues,
		.windows = c->shape.windows,
		.multimem_windows = c->shape.multimem,
		.ports = c->shape.ports,
		.data_bytes = c->shape.data_bytes,
		.without_packed = c->shape.has_packed && !c->shape.packed,
		.reductions = reductions_of(c->shape.reductions, c->shape.floats, c->shape.floats == 2),
	};
	struct tma_window all = { 0, UINT64_MAX, TMA_WINDOW_READ | TMA_WINDOW_WRITE | TMA_WINDOW_MULTIMEM };
	struct tma_multimem same = { .limit = UINT64_MAX, .ports = 1 };

	c->model = tma_model_new(&config);
	c->probe = tma_model_new(&config);
	c->scratch = malloc(SCRATCH_BYTES);
	for (unsigned p = 0; p < DUMP_MAX_PORTS; p++)
		c->gmem[p] = gmem_new();
	if (!c->model || !c->probe || !c->scratch) {
		fprintf(stderr, "wavecheck: the model refuses this shape, or there is no memory\n");
		return 2;
	}
	/* Windows are the probe's matter: their faults come late, the model's at once. */
	tma_model_multimem(c->model, 0, &same);
	for (uint32_t q = 0; q < c->shape.queues; q++)
		tma_model_window(c->model, q, 0, &all);
	return 0;
}

static void close_queue(struct queue *q)
{
	free(q->commands);
	free(q->expected);
	free(q->faults);
	for (unsigned d = 0; d < MAX_PATHS; d++)
		free(q->pending[d]);
	free(q->cps);
	free(q->cp_over);
	free(q->ring.placed);
	free(q->grouped);
	free(q->records);
	free(q->waited);
}

static void close_all(struct check *c)
{
	for (unsigned q = 0; q < MAX_QUEUES; q++)
		close_queue(&c->queues[q]);
	for (size_t i = 0; i < c->num_copies; i++) {
		free(c->copies[i]->bytes);
		free(c->copies[i]->bases);
		tensor_close(c->copies[i]);
		free(c->copies[i]);
	}
	for (unsigned id = 0; id < MAX_IDS; id++)
		free(c->reads[id].bursts);
	for (unsigned p = 0; p < DUMP_MAX_PORTS; p++) {
		free(c->data[p].bursts);
		gmem_free(c->gmem[p]);
		for (unsigned id = 0; id < WRITE_IDS; id++)
			free(c->responses[p][id].bursts);
		free(c->early[p].events);
	}
	free(c->first_data);
	map_close(c);
	reduce_close(c);
	free(c->copies);
	free(c->hints);
	shared_close(c);
	free(c->scratch);
	tma_model_free(c->model);
	tma_model_free(c->probe);
}

int check_run(struct check *c)
{
	int status = open_models(c);

	if (!status) {
		c->axcache = 2;
		c->axcaches = 1u << c->axcache;
		shared_open(c);
		record_index(c);
		completion_index(c);
		map_index(c);
		for (c->now = c->log->events; c->now < c->log->events + c->log->count; c->now++)
			handle(c);
	}
	close_all(c);
	return status;
}
