/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies: the model runs one at once and with data of its own; here its effects are taken back and
 * given again when the dump shows them.
 */
#include <stdlib.h>
#include <string.h>

#include "tma_regs.h"
#include "wavecheck/check.h"

#define SIZE_LIMIT (1u << 20)
#define PAGE       4096u

uint32_t copy_targets(const struct tma_command *command)
{
	if (command->flags & TMA_FLAG_MULTICAST)
		return command->cta_mask;
	return 1u << (command->shared_dst >> 24 & 31);
}

/* Operands past the end of the address space go on at zero. */
void map_scratch(const struct check *c, struct tma_model *m, const struct tma_command *command)
{
	uint64_t base = command->global_address;
	uint64_t low = base + command->size < base ? base + command->size : 0;

	if (m == c->probe && multimem_is(command->opcode)) {
		multimem_map(c, m, command);
		return;
	}
	tma_model_unmap_all(m, 0);
	if (!command->size || command->size >= SIZE_LIMIT)
		return;
	if (command->size - low)
		tma_model_map(m, 0, base, command->size - low, c->scratch);
	if (low)
		tma_model_map(m, 0, 0, low, c->scratch + (command->size - low));
}

struct tma_record probe_run(struct check *c, uint32_t queue, const struct tma_command *command)
{
	struct tma_queue_config config = setup_config(c, queue, false);
	struct tma_record record, fault = { 0 };

	tma_model_queue(c->probe, queue, &config);
	if (multimem_is(command->opcode))
		for (uint32_t w = 0; w < c->shape.multimem; w++)
			tma_model_multimem(c->probe, w, &c->multimem[w]);
	config.enable = 1;
	tma_model_queue(c->probe, queue, &config);
	tma_model_submit(c->probe, queue, command);
	tma_model_step(c->probe, queue);
	while (tma_model_next_record(c->probe, &record) == 1)
		if (record.kind == TMA_KIND_FAULT)
			fault = record;
	config.enable = 0;
	tma_model_queue(c->probe, queue, &config);
	return fault;
}

static bool cp_well_formed(const struct check *c, const struct tma_command *command)
{
	uint32_t size = command->size;

	if (command->opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE)
		return !(command->barrier % 8) && (command->barrier & 0xffffff) + 8 <= c->shape.smem_bytes &&
		       command->barrier >> 24 < c->shape.ctas;
	return (size == 4 || size == 8 || size == 16) && cp_source_bytes(command) <= size &&
	       !(command->global_address % size) && !(command->shared_dst % size) &&
	       (command->shared_dst & 0xffffff) + size <= c->shape.smem_bytes &&
	       command->shared_dst >> 24 < c->shape.ctas;
}

/* What model and checker need of a tensor copy before the model has looked at it. */
static bool tensor_well_formed(const struct check *c, const struct tma_command *command)
{
	uint32_t bar = command->barrier & 0xffffff;

	if (command->global_address % (TMA_MAP_BYTES / 2))
		return false;
	if (command->opcode == TMA_TENSOR_LOAD)
		return !(bar % 8) && bar + 8 <= c->shape.smem_bytes &&
		       command->barrier >> 24 < c->shape.ctas && !(copy_targets(command) >> c->shape.ctas) &&
		       command->shared_dst >> 24 < c->shape.ctas;
	return (command->opcode != TMA_TENSOR_STORE && command->opcode != TMA_TENSOR_REDUCE) ||
	       command->shared_dst >> 24 < c->shape.ctas;
}

static bool is_shared(uint8_t opcode)
{
	return opcode == TMA_BULK_SHARED || opcode == TMA_BULK_REDUCE_SHARED;
}

/* Of global memory. */
static bool is_store(uint8_t opcode)
{
	return opcode == TMA_BULK_STORE || opcode == TMA_TENSOR_STORE || multimem_is(opcode) ||
	       reduce_is_global(opcode);
}

static bool well_formed(const struct check *c, const struct tma_command *command)
{
	uint32_t dst = command->shared_dst & 0xffffff, src = command->shared_src & 0xffffff;
	uint32_t bar = command->barrier & 0xffffff, size = command->size, smem = c->shape.smem_bytes;
	bool load = command->opcode == TMA_BULK_LOAD, shared = is_shared(command->opcode);
	bool store = is_store(command->opcode);

	if (command->opcode == TMA_CP_ASYNC || command->opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE)
		return cp_well_formed(c, command);
	if (tensor_is(command->opcode))
		return tensor_well_formed(c, command);
	if (size % 16 || (size >= SIZE_LIMIT && command->opcode != TMA_BULK_PREFETCH))
		return false;
	if ((load || shared) &&
	    (dst + size > smem || bar + 8 > smem || bar % 8 || copy_targets(command) >> c->shape.ctas))
		return false;
	if ((store || shared) && (src + size > smem || command->shared_src >> 24 >= c->shape.ctas))
		return false;
	return load || shared || store || command->opcode == TMA_BULK_PREFETCH;
}

/* Where a load or shared copy would put its bytes and signal: saved, and made ready for the model, which
 * is to find barriers that take any signal. A dead barrier stays as it is: that is a fault in order. */
static void prepare(struct check *c, struct copy *copy)
{
	const struct tma_record *ahead = record_ahead(c, copy->queue, copy->sequence);
	bool dead = ahead && ahead->fault == TMA_FAULT_BARRIER_DEAD;
	const struct tma_command *command = &copy->command;
	uint32_t dst = command->shared_dst & 0xffffff, bar = command->barrier & 0xffffff;
	uint64_t healthy = barrier_healthy();
	uint8_t *save;

	copy->bytes = allocate((size_t)c->shape.ctas * (command->size + 8) + 1);
	save = copy->bytes;
	for (uint32_t i = 0; i + 8 <= command->size; i += 8)
		memcpy(c->scratch + i, &healthy, 8);
	for (uint32_t rank = 0; rank < c->shape.ctas; rank++) {
		uint8_t *smem = tma_model_smem(c->model, rank);

		if (!(copy->targets >> rank & 1))
			continue;
		if (copy->load) {
			memcpy(save, smem + dst, command->size);
			save += command->size;
		}
		memcpy(save, smem + bar, 8);
		save += 8;
		if (barrier_at(c, rank, bar)->tainted ? !dead : smem[bar + 7] >> 6 == TMA_BARRIER_ALIVE)
			memcpy(smem + bar, &healthy, 8);
		else if (barrier_at(c, rank, bar)->tainted)
			memset(smem + bar, 0, 8);
		memcpy(tma_model_smem(c->probe, rank) + bar, &healthy, 8);
	}
}

static void restore(struct check *c, struct copy *copy)
{
	const struct tma_command *command = &copy->command;
	uint32_t dst = command->shared_dst & 0xffffff, bar = command->barrier & 0xffffff;
	const uint8_t *save = copy->bytes;

	for (uint32_t rank = 0; rank < c->shape.ctas; rank++) {
		uint8_t *smem = tma_model_smem(c->model, rank);
		const uint8_t *data = save;

		if (!(copy->targets >> rank & 1))
			continue;
		if (copy->load)
			save += command->size;
		memcpy(smem + bar, save, 8);
		save += 8;
		if (copy->load)
			memcpy(smem + dst, data, command->size);
	}
	free(copy->bytes);
	copy->bytes = NULL;
}

/* A store's source, and a destination that differs from it in every byte: what the model changes
 * there is what it writes. */
static void prepare_store(struct check *c, struct copy *copy)
{
	uint32_t size = copy->command.size, src = copy->command.shared_src & 0xffffff;
	uint32_t rank = copy->command.shared_src >> 24;
	const uint8_t *smem = tma_model_smem(c->model, rank) + src;

	copy->bytes = allocate(3 * (size_t)size + 1);
	copy->known = copy->bytes + size;
	copy->written = copy->known + size;
	for (uint32_t i = 0; i < size; i++) {
		c->scratch[i] = (uint8_t)~smem[i];
		copy->known[i] = shared_certain(c, rank, src + i);
	}
	memcpy(copy->bytes, smem, size);
}

/* Called before the model runs the command; NULL: no copy, or one that breaks a rule. */
struct copy *copy_new(struct check *c, uint32_t queue, const struct tma_command *command)
{
	struct copy *copy;

	if (!well_formed(c, command))
		return NULL;
	copy = allocate(sizeof(*copy));
	c->copies = grow(c->copies, c->num_copies, &c->copies_capacity, sizeof(struct copy *));
	*copy = (struct copy){
		.command = *command,
		.queue = (uint8_t)queue,
		.sequence = c->queues[queue].next,
		.index = (uint32_t)c->num_copies,
		.cycle = c->now->cycle,
		.load = command->opcode == TMA_BULK_LOAD || command->opcode == TMA_TENSOR_LOAD,
		.prefetch = command->opcode == TMA_BULK_PREFETCH || command->opcode == TMA_TENSOR_PREFETCH ||
		            command->opcode == TMA_PREFETCH_TENSORMAP,
		.store = is_store(command->opcode),
		.multimem = multimem_is(command->opcode),
		.shared = is_shared(command->opcode),
		.reduces = reduce_is(command->opcode),
		.type = command->type,
		.flush = command->type == TMA_TYPE_F32 && c->behaviour & TMA_REG_BEHAVIOUR_F32_FTZ_MASK,
		.cp = command->opcode == TMA_CP_ASYNC,
		.arrive = command->opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE,
		.life = c->queues[queue].life,
		.group = c->queues[queue].commits,
	};
	c->copies[c->num_copies++] = copy;
	if (tensor_is(command->opcode)) {
		tensor_prepare(c, copy);
		return copy;
	}
	if (copy->load || copy->shared) {
		copy->targets = copy_targets(command);
		prepare(c, copy);
	} else if (copy->store) {
		prepare_store(c, copy);
	} else if (copy->cp || copy->arrive) {
		copy->targets = 1u << ((copy->arrive ? command->barrier : command->shared_dst) >> 24);
		copy->group = c->queues[queue].cp_commits;
		cp_prepare(c, copy);
	}
	if (!copy->shared && !copy->arrive && !copy->prefetch)
		map_scratch(c, c->model, command);
	return copy;
}

void copy_cancel(struct check *c, struct copy *copy)
{
	copy->done = true;
	if (copy->tensor) {
		tensor_restore(c, copy);
		tensor_free(copy);
	} else if (copy->load || copy->shared) {
		restore(c, copy);
	}
	if (copy->cp || copy->arrive)
		cp_restore(c, copy);
	free(copy->bytes);
	copy->bytes = NULL;
}

bool copy_window_allows(const struct check *c, uint32_t queue, uint64_t address, uint32_t attr)
{
	for (uint32_t i = 0; i < c->shape.windows; i++) {
		const struct tma_window *w = &c->queues[queue].windows[i];

		if (w->attr & attr && address >= w->base && address <= w->limit)
			return true;
	}
	return false;
}

bool copy_finished(const struct copy *copy)
{
	for (unsigned d = 0; d < MAX_PATHS; d++)
		if (copy->paths >> d & 1 && copy->covered[d] < copy->allowed)
			return false;
	return true;
}

/* Where windows stop it, as an offset in its beats. */
static void find_denied(struct check *c, struct copy *copy, struct tma_record *fault)
{
	map_scratch(c, c->probe, &copy->command);
	*fault = probe_run(c, copy->queue, &copy->command);
	copy->denied = fault->fault >= TMA_FAULT_WINDOW_READ && fault->fault <= TMA_FAULT_MULTIMEM_UNMAPPED;
	if (copy->denied && fault->address == copy->command.global_address)
		copy->allowed = 0;
	else if (copy->denied)
		copy->allowed = (uint32_t)(fault->address - copy->command.global_address) + copy->lead;
}

static void add_pending(struct check *c, struct copy *copy, unsigned d)
{
	struct queue *q = &c->queues[copy->queue];

	multimem_skip(c, copy, d);
	hint_skip(c, copy);
	if (copy->covered[d] == copy->allowed)
		return;
	if (q->first_pending[d] == q->num_pending[d])
		q->first_pending[d] = q->num_pending[d] = 0;
	q->pending[d] =
		grow(q->pending[d], q->num_pending[d], &q->pending_capacity[d], sizeof(struct copy *));
	q->pending[d][q->num_pending[d]++] = copy;
}

/* The ports that it uses. Those that are dead are faults. */
void copy_add_paths(struct check *c, struct copy *copy)
{
	struct queue *q = &c->queues[copy->queue];
	uint32_t ports = copy->multimem ? 0 : 1, dead;

	for (uint32_t i = 0; copy->multimem && i < copy->allowed; i++)
		if (!i || !((copy->command.global_address - copy->lead + i) % PAGE))
			ports |= multimem_window(c, copy->command.global_address - copy->lead + i)->ports;
	dead = ports & c->dead;
	copy->paths = (ports & ~dead) << (copy->store ? WRITES : read_path(copy));
	if (copy->store && copy->reduces)
		copy->paths = (ports & ~dead) << REDUCES;
	if (path_of_port(c, copy, 0) == SPREAD && copy->paths >> WRITES & 1)
		copy->paths ^= 1u << WRITES | 1u << SPREAD;
	if (dead && !copy->prefetch) {
		copy->failed = true;
		queue_late_fault(c, copy, TMA_FAULT_PORT_DEAD, copy_operand(copy, 0));
	}
	for (unsigned d = 0; d < MAX_PATHS; d++)
		if (copy->paths >> d & 1)
			add_pending(c, copy, d);
	if (!copy->store && !copy->load)
		return;
	q->grouped = grow(q->grouped, q->num_grouped, &q->grouped_capacity, sizeof(struct copy *));
	q->grouped[q->num_grouped++] = copy;
}

/* The model has moved the bytes; their certainty follows. */
static void start_shared(struct check *c, struct copy *copy)
{
	const struct tma_command *command = &copy->command;
	uint32_t from = command->shared_src >> 24, src = command->shared_src & 0xffffff;
	uint32_t to = command->shared_dst >> 24, dst = command->shared_dst & 0xffffff;
	const uint8_t *bytes = tma_model_smem(c->model, from) + src;

	for (uint32_t i = 0; i < command->size; i++)
		shared_write(c, to, dst + i, bytes + i, 1, copy, shared_certain(c, from, src + i));
}

/* Called when the model has run the command and found no fault in order. */
void copy_start(struct check *c, struct copy *copy)
{
	struct tma_record fault = { 0 };
	uint32_t beat = c->shape.data_bytes;

	if (copy->tensor) {
		tensor_start(c, copy);
		return;
	}
	if (copy->shared) {
		restore(c, copy);
		if (copy->reduces)
			reduce_shared(c, copy);
		else
			start_shared(c, copy);
		copy_done(c, copy);
		return;
	}
	if (copy->load)
		restore(c, copy);
	if (copy->cp || copy->arrive) {
		cp_restore(c, copy);
		cp_start(c, copy);
	}
	if (copy->done)
		return;
	if (copy->store)
		for (uint32_t i = 0; i < copy->command.size; i++)
			copy->written[i] = copy->reduces || c->scratch[i] == copy->bytes[i];
	if (!copy->command.size || (copy->load && !copy->targets)) {
		copy_done(c, copy);
		return;
	}
	copy->lead = (uint32_t)(copy->command.global_address % beat);
	copy->span = (uint64_t)copy->lead + (copy->cp ? cp_source_bytes(&copy->command) : copy->command.size);
	copy->span = (copy->span + beat - 1) / beat * beat;
	copy->allowed = copy->span;
	if (copy->prefetch) {
		hint_start(c, copy);
		return;
	}
	find_denied(c, copy, &fault);
	if (copy->allowed)
		copy_add_paths(c, copy);
	if (copy->denied) {
		copy->failed = true;
		if (copy->load)
			shared_forget(c, copy);
		queue_late_fault(c, copy, fault.fault, fault.address);
	}
	if (copy_finished(copy))
		copy_done(c, copy);
}

static void leave_groups(struct check *c, const struct copy *copy)
{
	struct queue *q = &c->queues[copy->queue];
	size_t kept = 0;

	for (size_t i = 0; i < q->num_grouped; i++)
		if (q->grouped[i] != copy)
			q->grouped[kept++] = q->grouped[i];
	q->num_grouped = kept;
}

void copy_done(struct check *c, struct copy *copy)
{
	copy->done = true;
	copy->done_cycle = c->now->cycle;
	if (copy->tensor && copy->load && !copy->failed && copy->targets)
		tensor_place(c, copy);
	if ((copy->load || copy->shared) && !copy->failed && copy->targets)
		barrier_signal(c, copy);
	if (copy->store || copy->load)
		leave_groups(c, copy);
	/* Bursts of a store that failed may come later. */
	if (!(copy->store && copy->failed)) {
		tensor_free(copy);
		free(copy->bytes);
		copy->bytes = NULL;
	}
	if (copy->cp && copy->life == c->queues[copy->queue].life)
		cp_advance(c, copy->queue);
}

void copy_abandon(struct check *c, struct copy *copy)
{
	copy->failed = true;
	for (unsigned d = 0; d < MAX_PATHS; d++) {
		copy->covered[d] = copy->allowed;
		if (c->current[d] == copy)
			c->current[d] = NULL;
	}
	copy->outstanding = 0;
	copy_done(c, copy);
}
