/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tensor copies. The model runs one with the map that the dump shows and without any other memory: so it
 * finds every fault but those of windows and of the bus, and what it does to shared memory is taken back.
 * Its rows are then expected on the bus; what they bring goes where the model would put it.
 */
#include <stdlib.h>
#include <string.h>

#include "tma_regs.h"
#include "lib/must.h"
#include "wavecheck/box.h"
#include "wavecheck/check.h"

#define PAGE    4096u
#define CHUNK   16u
#define GRANULE 16u

bool tensor_is(uint8_t opcode)
{
	return opcode == TMA_TENSOR_LOAD || opcode == TMA_TENSOR_STORE || opcode == TMA_TENSOR_PREFETCH ||
	       opcode == TMA_PREFETCH_TENSORMAP || opcode == TMA_TENSOR_REDUCE;
}

static bool map_only(const struct copy *copy)
{
	return copy->command.opcode == TMA_PREFETCH_TENSORMAP;
}

/* Let the model find this map, and nothing else. */
static void show_map(struct tma_model *m, const struct copy *copy, uint8_t *map)
{
	tma_model_unmap_all(m, 0);
	tma_model_map(m, 0, copy->command.global_address, TMA_MAP_BYTES, map);
}

static uint32_t barrier_ranks(const struct check *c, const struct copy *copy)
{
	uint32_t ranks = 0;

	for (uint32_t target = 0; target < c->shape.ctas; target++)
		if (copy->targets >> target & 1 && copy_barrier_rank(copy, target) < c->shape.ctas)
			ranks |= 1u << copy_barrier_rank(copy, target);
	return ranks;
}

/* The barriers are to take any signal; one that is dead stays so, a fault in order. */
static void prepare_barriers(struct check *c, const struct copy *copy)
{
	const struct tma_record *ahead = record_ahead(c, copy->queue, copy->sequence);
	bool dead = ahead && ahead->fault == TMA_FAULT_BARRIER_DEAD;
	uint32_t bar = copy->command.barrier & 0xffffff, ranks = barrier_ranks(c, copy);
	uint64_t healthy = barrier_healthy();

	for (uint32_t rank = 0; rank < c->shape.ctas; rank++) {
		uint8_t *word = tma_model_smem(c->model, rank) + bar;
		bool tainted;

		if (!(ranks >> rank & 1))
			continue;
		tainted = barrier_at(c, rank, bar)->tainted;
		if (tainted ? !dead || ahead->address != (rank << 24 | bar)
		            : word[7] >> 6 == TMA_BARRIER_ALIVE)
			memcpy(word, &healthy, 8);
		else if (tainted)
			memset(word, 0, 8);
	}
}

static void save(struct check *c, struct copy *copy)
{
	struct tensor *t = copy->tensor;
	uint32_t bytes = c->shape.smem_bytes, n = 0;

	t->saved_ctas = copy->load ? copy->targets | barrier_ranks(c, copy) : 0;
	t->saved = allocate((size_t)c->shape.ctas * bytes);
	for (uint32_t rank = 0; rank < c->shape.ctas; rank++)
		if (t->saved_ctas >> rank & 1)
			memcpy(t->saved + bytes * n++, tma_model_smem(c->model, rank), bytes);
}

void tensor_restore(struct check *c, struct copy *copy)
{
	struct tensor *t = copy->tensor;
	uint32_t bytes = c->shape.smem_bytes, n = 0;

	for (uint32_t rank = 0; rank < c->shape.ctas; rank++)
		if (t->saved_ctas >> rank & 1)
			memcpy(tma_model_smem(c->model, rank), t->saved + bytes * n++, bytes);
	free(t->saved);
	t->saved = NULL;
	t->saved_ctas = 0;
}

void tensor_prepare(struct check *c, struct copy *copy)
{
	struct tensor *t = allocate(sizeof(*t));

	copy->tensor = t;
	t->idle = c->last_idle;
	if (copy->load)
		copy->targets = copy_targets(&copy->command);
	t->blind = !map_choose(c, copy->command.global_address, t->map, &t->fault, &t->fault_address);
	show_map(c->model, copy, t->map);
	if (t->blind || t->fault)
		tma_model_unmap_all(c->model, 0);
	save(c, copy);
	if (copy->load)
		prepare_barriers(c, copy);
}

bool tensor_late(struct check *c, struct copy *copy, const struct tma_record *fault)
{
	struct tensor *t = copy->tensor;
	struct tma_queue_status status;

	tma_model_queue_status(c->model, copy->queue, &status);
	if (status.next_sequence == status.fault_sequence)
		return false;
	if (fault->fault < TMA_FAULT_MAP_WINDOW || fault->fault > TMA_FAULT_TENSOR_REDUCE || t->fault)
		return true;
	/* The map that is not known is not there. */
	if (t->blind)
		return true;
	t->fault = fault->fault;
	t->fault_address = fault->address;
	return true;
}

static void end(struct check *c, struct copy *copy, uint16_t code, uint64_t address)
{
	copy->failed = true;
	queue_late_fault(c, copy, code, address);
	copy_done(c, copy);
}

/* Do the windows of the queue allow its map? Pages before the one that they do not are read all the same. */
static bool map_denied(struct check *c, const struct copy *copy, uint64_t *address)
{
	uint64_t map = copy->command.global_address;
	uint64_t half = map + TMA_MAP_BYTES / 2;

	*address = map;
	if (!copy_window_allows(c, copy->queue, map, TMA_WINDOW_READ)) {
		copy->tensor->fetched = 3;
		return true;
	}
	*address = half;
	return !copy_window_allows(c, copy->queue, half, TMA_WINDOW_READ);
}

static void add_part(struct check *c, struct copy *copy, uint32_t row, size_t *capacity)
{
	struct tensor *t = copy->tensor;
	uint32_t beat = c->shape.data_bytes;
	struct part *last = t->num_parts ? &t->parts[t->num_parts - 1] : NULL;
	struct part p = { .row = row, .rows = 1, .start = copy->span };

	p.bytes = box_row(t->box, row, &p.address, &p.first);
	if (!p.bytes)
		return;
	if (last && box_goes_on(t->box, row, beat) && last->row + last->rows == row) {
		last->rows++;
		last->bytes += p.bytes;
		copy->span = last->start + (last->lead + last->bytes + beat - 1) / beat * beat;
		last->span = copy->span - last->start;
		return;
	}
	if (copy->store && c->behaviour & TMA_REG_BEHAVIOUR_STORE_GRANULE16_MASK)
		p.bytes = (p.bytes + GRANULE - 1) / GRANULE * GRANULE;
	p.lead = (uint32_t)(p.address % beat);
	p.span = (p.lead + p.bytes + beat - 1) / beat * beat;
	if (last)
		p.operand = last->operand + last->bytes;
	t->parts = grow(t->parts, t->num_parts, capacity, sizeof(*t->parts));
	t->parts[t->num_parts++] = p;
	copy->span += p.span;
}

/* Loads bring and stores take two rows with one beat, where both are a chunk, lie in one line in their order, and
 * one behind the other in shared memory. A row is joined with the next one, but not with two. */
static bool join_pair(const struct copy *copy, struct part *last, const struct part *p)
{
	const struct box *box = copy->tensor->box;

	if (last->rows != 1 || p->rows != 1 || last->bytes != CHUNK || p->bytes != CHUNK ||
	    p->row != last->row + 1 || !box_joins(box, p->row) || p->address <= last->address ||
	    (copy->store && !box_joins_line(box, p->row)))
		return false;
	last->apart = (uint32_t)(p->address - last->address);
	last->rows = 2;
	last->bytes = 2 * CHUNK;
	return true;
}

/* Prefetches ask once for all rows of a line that come one after the other. */
static bool join_asked(struct part *last, const struct part *p, uint32_t beat)
{
	uint32_t lead = last->address % CHUNK,
		 asked = (lead + last->bytes + CHUNK - 1) / CHUNK * CHUNK - lead;

	if (p->row != last->row + last->rows || p->address < last->address ||
	    p->address - last->address < asked || last->span > beat || p->span > beat)
		return false;
	last->rows += p->rows;
	last->bytes = (uint32_t)(p->address + p->bytes - last->address);
	return true;
}

static void join_parts(const struct check *c, struct copy *copy)
{
	struct tensor *t = copy->tensor;
	uint32_t beat = c->shape.data_bytes, kept = 0;

	copy->span = 0;
	for (uint32_t i = 0; i < t->num_parts; i++) {
		struct part *p = &t->parts[i], *last = kept ? &t->parts[kept - 1] : NULL;

		if (last && p->address / beat == last->address / beat &&
		    (copy->prefetch ? join_asked(last, p, beat) : join_pair(copy, last, p)))
			continue;
		t->parts[kept] = *p;
		t->parts[kept++].start = copy->span;
		copy->span += p->span;
	}
	t->num_parts = kept;
}

static uint32_t moved(const struct tensor *t)
{
	return t->num_parts ? t->parts[t->num_parts - 1].operand + t->parts[t->num_parts - 1].bytes : 0;
}

/* What a store takes out of shared memory now, and how certain that is. */
static void take_source(struct check *c, struct copy *copy)
{
	struct tensor *t = copy->tensor;
	uint32_t size = moved(t), rank = copy->command.shared_dst >> 24, places[BOX_ROW_BYTES];
	const uint8_t *smem = tma_model_smem(c->model, rank);

	copy->bytes = allocate(3 * (size_t)size + 1);
	copy->known = copy->bytes + size;
	copy->written = copy->known + size;
	t->places = allocate(2 * (size_t)size * sizeof(*t->places) + 1);
	for (const struct part *p = t->parts; p < t->parts + t->num_parts; p++) {
		uint32_t bytes = p->bytes / p->rows, sources[2];

		for (uint32_t b = 0; b < p->bytes; b++) {
			uint32_t i = p->operand + b, *from = &t->places[2 * i];

			if (b % bytes == 0)
				box_places(t->box, p->row + b / bytes, places);
			box_sources(t->box, p->first + b % bytes, sources);
			from[0] = places[sources[0]];
			from[1] = places[sources[1]];
			copy->bytes[i] =
				box_stored(t->box, p->first + b % bytes, smem[from[0]], smem[from[1]]);
			copy->known[i] = shared_certain(c, rank, from[0]) && shared_certain(c, rank, from[1]);
			copy->written[i] = 1;
		}
	}
}

/* What windows say to a byte; 0: they allow it. */
static uint16_t denial(const struct check *c, const struct copy *copy, uint64_t address)
{
	if ((!copy->store || copy->reduces) && !copy_window_allows(c, copy->queue, address, TMA_WINDOW_READ))
		return TMA_FAULT_WINDOW_READ;
	if (copy->store && !copy_window_allows(c, copy->queue, address, TMA_WINDOW_WRITE))
		return TMA_FAULT_WINDOW_WRITE;
	return 0;
}

/* The first byte, row by row, that no window allows. */
static uint16_t find_denied(const struct check *c, struct copy *copy, uint64_t *address)
{
	const struct tensor *t = copy->tensor;
	uint16_t code;

	for (const struct part *p = t->parts; p < t->parts + t->num_parts; p++)
		for (uint32_t b = 0; b < p->bytes; b += PAGE - (uint32_t)((p->address + b) % PAGE)) {
			*address = p->address + b;
			code = denial(c, copy, *address);
			if (!code)
				continue;
			copy->allowed = p->start + (b ? p->lead + b : 0);
			return code;
		}
	return 0;
}

static void start_rows(struct check *c, struct copy *copy)
{
	struct tensor *t = copy->tensor;
	uint16_t code = 0;
	size_t capacity = 0;
	uint64_t address = 0;

	t->box = must(box_new(c->model, copy->queue, &copy->command));
	t->tx = box_tx(t->box);
	if (copy->reduces) {
		copy->type = box_reduction(t->box, &copy->flush);
		copy->flush |= copy->type == TMA_TYPE_F32 && c->behaviour & TMA_REG_BEHAVIOUR_F32_FTZ_MASK;
	}
	for (uint32_t k = 0; k < box_rows(t->box); k++)
		add_part(c, copy, k, &capacity);
	join_parts(c, copy);
	if (copy->load) {
		copy->bytes = allocate((size_t)moved(t) + 1);
		tensor_forget(c, copy);
	}
	if (copy->store)
		take_source(c, copy);
	copy->allowed = copy->span;
	if (!copy->prefetch)
		code = find_denied(c, copy, &address);
	copy->denied = code != 0;
	if (copy->allowed)
		copy_add_paths(c, copy);
	if (copy->denied) {
		copy->failed = true;
		queue_late_fault(c, copy, code, address);
	}
	if (copy_finished(copy))
		copy_done(c, copy);
}

bool tensor_cut_off(struct check *c, struct copy *copy)
{
	uint64_t map = copy->command.global_address;

	if (!(c->dead & 1) || (map_only(copy) && (!copy->tensor->blind || map_left_out(c, copy))))
		return false;
	copy->failed = true;
	queue_late_fault(c, copy, TMA_FAULT_PORT_DEAD, map);
	/* Who reads the map names what is to come of it; who waits for that read, the map. */
	if (map_missing(c, map) != map)
		queue_late_fault(c, copy, TMA_FAULT_PORT_DEAD, map_missing(c, map));
	return copy->tensor->blind;
}

/* Called when the model has run it and found no fault in order. */
void tensor_start(struct check *c, struct copy *copy)
{
	struct tensor *t = copy->tensor;
	struct queue *q = &c->queues[copy->queue];
	uint64_t address;

	tensor_restore(c, copy);
	if (copy->load && !copy->targets) {
		copy_done(c, copy);
		return;
	}
	map_use(c, copy);
	c->maps.all++;
	c->maps.compared += !t->blind;
	if (map_denied(c, copy, &address) && !map_only(copy)) {
		end(c, copy, TMA_FAULT_MAP_WINDOW, address);
	} else if (tensor_cut_off(c, copy)) {
		copy_done(c, copy);
	} else if (t->blind) {
		say(c, "%s: the dump does not show its map, nothing of it is checked", name_copy(copy));
		if (!copy->store)
			return;
		q->grouped = grow(q->grouped, q->num_grouped, &q->grouped_capacity, sizeof(struct copy *));
		q->grouped[q->num_grouped++] = copy;
	} else if (map_only(copy)) {
		copy_done(c, copy);
	} else if (t->fault) {
		end(c, copy, t->fault, t->fault_address);
	} else {
		start_rows(c, copy);
	}
}

/* What of one beat is the copy's. */
void tensor_deliver(struct check *c, const struct copy *copy, uint32_t offset)
{
	uint32_t i;

	for (uint32_t lane = 0; copy->load && copy->bytes && lane < c->shape.data_bytes; lane++)
		if (copy_byte(copy, offset + lane, &i))
			copy->bytes[i] = event_data(c)[lane];
}

static void write_row(struct check *c, const struct copy *copy, const uint32_t *places, const uint8_t *image)
{
	uint32_t size = box_shared_bytes(copy->tensor->box), run;

	for (uint32_t b = 0; b < size; b += run) {
		bool padding = box_padding(copy->tensor->box, b);

		for (run = 1; b + run < size && places[b + run] == places[b] + run &&
		              box_padding(copy->tensor->box, b + run) == padding;)
			run++;
		for (uint32_t rank = 0; !padding && rank < c->shape.ctas; rank++)
			if (copy->targets >> rank & 1)
				shared_write(c, rank, places[b], image + b, run, copy, true);
	}
}

void tensor_place(struct check *c, const struct copy *copy)
{
	const struct tensor *t = copy->tensor;
	const struct part *p = t->parts, *end_of_parts = p + t->num_parts;
	uint32_t places[BOX_ROW_BYTES];
	uint8_t image[BOX_ROW_BYTES];

	for (uint32_t k = 0; t->box && k < box_rows(t->box); k++) {
		if (p < end_of_parts && p->row + p->rows <= k)
			p++;
		if (p < end_of_parts && p->row <= k) {
			uint32_t bytes = p->bytes / p->rows;

			box_image(t->box, copy->bytes + p->operand + (k - p->row) * bytes, p->first, bytes,
			          image);
		} else {
			box_image(t->box, NULL, 0, 0, image);
		}
		box_places(t->box, k, places);
		write_row(c, copy, places, image);
	}
}

/* From its start on, since what is out of bounds comes before the first beat, and until all of it is there. */
void tensor_forget(struct check *c, const struct copy *copy)
{
	const struct tensor *t = copy->tensor;
	uint32_t places[BOX_ROW_BYTES];

	for (uint32_t k = 0; t->box && k < box_rows(t->box); k++) {
		box_places(t->box, k, places);
		for (uint32_t b = 0; b < box_shared_bytes(t->box); b++)
			for (uint32_t rank = 0; rank < c->shape.ctas; rank++) {
				struct cta *cta = &c->ctas[rank];

				if (!(copy->targets >> rank & 1) || box_padding(t->box, b))
					continue;
				cta->known[places[b]] = 0;
				cta->writer[places[b]] = copy->index + 1;
				cta->changed[places[b]] = c->now->cycle;
				if (cta->cells[places[b] / 8])
					cta->cells[places[b] / 8]->used = false;
			}
	}
}

/* Where its rows are is asked of it later too. */
void tensor_free(struct copy *copy)
{
	if (!copy->tensor)
		return;
	box_free(copy->tensor->box);
	free(copy->tensor->places);
	copy->tensor->box = NULL;
	copy->tensor->places = NULL;
}

void tensor_close(struct copy *copy)
{
	tensor_free(copy);
	if (copy->tensor) {
		free(copy->tensor->parts);
		free(copy->tensor->saved);
	}
	free(copy->tensor);
}

/* Of a command that has not run for the model: is it legal, and is this where its rows begin? */
bool tensor_begins(struct check *c, uint32_t queue, const struct tma_command *command, uint64_t address)
{
	struct copy copy = { .command = *command, .queue = (uint8_t)queue };
	uint64_t fault_address, first = 0, healthy = barrier_healthy();
	uint8_t map[TMA_MAP_BYTES];
	struct tma_record fault;
	bool found = false;
	struct box *box;
	uint16_t code;

	if (command->opcode == TMA_PREFETCH_TENSORMAP ||
	    !map_choose(c, command->global_address, map, &code, &fault_address) || code)
		return false;
	for (uint32_t rank = 0; rank < c->shape.ctas; rank++)
		if ((command->barrier & 0xffffff) + 8 <= c->shape.smem_bytes)
			memcpy(tma_model_smem(c->probe, rank) + (command->barrier & 0xffffff), &healthy, 8);
	show_map(c->probe, &copy, map);
	fault = probe_run(c, queue, command);
	if (fault.fault && fault.fault < TMA_FAULT_WINDOW_READ)
		return false;
	show_map(c->model, &copy, map);
	box = box_new(c->model, queue, command);
	for (uint32_t k = 0; box && !found && k < box_rows(box); k++) {
		uint32_t bytes_before;

		found = box_row(box, k, &first, &bytes_before) != 0;
	}
	box_free(box);
	return found && first - first % c->shape.data_bytes == address;
}
