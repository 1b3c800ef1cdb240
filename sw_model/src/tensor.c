/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The tensor copies: global to shared, shared to global and the prefetch; the prefetch of a map.
 *
 * Without a seed the model keeps no map: it reads one for every command, so that a fence has nothing to do. A
 * fault of the map, or of the command with it, comes after the command has left its queue.
 */
#include "model.h"
#include "tensor.h"
#include "tma_regs.h"

#define GRANULE 16u
#define NO_TYPE UINT8_MAX

/* Read the map and look at every rule. */
struct fault model_tensor_prepare(const struct issue *issue, struct tensor_copy *t)
{
	struct fault fault;

	*t = (struct tensor_copy){ .issue = issue };
	fault = model_map_read(issue, &t->map);
	if (!fault.code)
		fault = model_map_check(t);
	if (fault.code)
		return fault;
	if (issue->model->late)
		model_late_keep_map(issue, &t->map);
	model_tensor_shape(t);
	return model_tensor_check(t);
}

static struct row global_row(const struct tensor_copy *t, enum purpose purpose, const struct tensor_row *r)
{
	return (struct row){ t->issue->model, t->issue->queue, purpose, r->address, r->bytes };
}

/*
 * Global memory of the run of rows that begins with row k, or NULL: something about one of them is not plain, so they
 * go one by one. Where it is, rows are as model_tensor_row() says, and all that could be wrong with them was
 * looked at.
 */
static unsigned char *plain_run(const struct tensor_copy *t, uint32_t k, enum purpose purpose,
                                enum direction direction)
{
	struct tensor_row first = model_tensor_row(t, k);
	struct row row = global_row(t, purpose, &first);
	struct plain plain;

	if (!model_tensor_whole(t, k) || !model_plain(&row, direction, &plain))
		return NULL;
	return model_plain_at(&plain, first.address, (t->run - 1) * t->step + t->row_bytes);
}

/* `count` bytes of the image of row k to every target. */
static void put_image(const struct tensor_copy *t, uint32_t k, const unsigned char *image, uint32_t count)
{
	uint32_t targets = model_targets(t->issue);

	for (uint32_t rank = 0; targets >> rank; rank++)
		if (targets >> rank & 1)
			model_place_put(t, model_shared(t->issue->model, rank, 0), k, image, count);
}

/* Rows that change on their way into shared memory, one by one. */
static void convert_run(const struct tensor_copy *t, uint32_t k, const unsigned char *from)
{
	unsigned char image[MAX_ROW_BYTES];

	for (uint32_t i = 0; i < t->run; i++) {
		model_place_bytes(t, image, from + i * t->step, 0, t->row_bytes);
		put_image(t, k + i, image, t->shared_bytes);
	}
}

static bool load_run(const struct tensor_copy *t, uint32_t k)
{
	const unsigned char *from = plain_run(t, k, FOR_READ, READ);
	uint32_t targets = model_targets(t->issue);

	if (!from)
		return false;
	if (t->map.tf32 || model_map_padded(&t->map)) {
		convert_run(t, k, from);
		return true;
	}
	for (uint32_t rank = 0; targets >> rank; rank++)
		if (targets >> rank & 1)
			model_place_put_run(t, model_shared(t->issue->model, rank, 0), k, from);
	return true;
}

/* Row k, as it will be in shared memory. Returns how much of it has arrived: of a row that fails what stands in
 * front of the bad byte, of a padded type nothing. */
static inline uint32_t read_row(const struct tensor_copy *t, uint32_t k, unsigned char *image,
                                struct fault *fault)
{
	struct tensor_row r = model_tensor_row(t, k);
	struct row row = global_row(t, FOR_READ, &r);
	unsigned char bytes[MAX_ROW_BYTES];
	uint32_t arrived = model_global_read(&row, bytes, fault);
	uint32_t whole = t->shared_bytes;

	if (fault->code)
		whole = model_map_padded(&t->map) ? 0 : r.first + arrived;
	model_place_fill(t, image);
	model_place_bytes(t, image, bytes, r.first, arrived);
	return whole;
}

/* For copies in flight: here it is a part of load_row(). */
uint32_t model_tensor_read_row(const struct tensor_copy *t, uint32_t k, unsigned char *image,
                               struct fault *fault)
{
	return read_row(t, k, image, fault);
}

/* Row k to every target. */
static void load_row(const struct tensor_copy *t, uint32_t k, struct fault *fault)
{
	unsigned char image[MAX_ROW_BYTES];
	uint32_t whole = read_row(t, k, image, fault);

	put_image(t, k, image, whole);
}

/* The run that begins with row k. */
static void load_rows(const struct tensor_copy *t, uint32_t k, struct fault *fault)
{
	if (load_run(t, k))
		return;
	for (uint32_t i = 0; !fault->code && i < t->run; i++)
		load_row(t, k + i, fault);
}

/* Bytes that the copy counts on its barriers: all rows, as long as they are in global memory. */
uint32_t model_tensor_transaction(const struct tensor_copy *t)
{
	return t->rows * t->row_bytes;
}

/* cp.async.bulk.tensor.shared.global: out of bounds is fill. A multicast to nobody reads nothing, not
 * even its map. */
struct outcome model_tensor_load(const struct issue *issue)
{
	struct outcome outcome = { .kind = TMA_KIND_RETIRED };
	struct tensor_copy t;

	if (!model_targets(issue))
		return outcome;
	issue->queue->status.open_loads++;
	outcome.fault = model_tensor_prepare(issue, &t);
	for (uint32_t k = 0; !outcome.fault.code && k < t.rows; k += t.run)
		load_rows(&t, k, &outcome.fault);
	if (!outcome.fault.code)
		outcome.fault = model_signal(issue, model_tensor_transaction(&t));
	return outcome;
}

/* A row ends where the tensor does, or at the end of that granule. */
static uint32_t stored_bytes(const struct tensor_copy *t, const struct tensor_row *r)
{
	if (t->issue->model->registers.behaviour & TMA_REG_BEHAVIOUR_STORE_GRANULE16_MASK)
		return (r->bytes + GRANULE - 1) / GRANULE * GRANULE;
	return r->bytes;
}

/* What a reduction does to the elements of its map. TF32 adds as F32 does, without rounding. Type NO_TYPE: there
 * is no arithmetic for them. */
struct reduction model_reduction(const struct tensor_copy *t)
{
	static const uint8_t types[] = {
		[TMA_RAW_TYPE_U8] = NO_TYPE,         [TMA_RAW_TYPE_U16] = NO_TYPE,
		[TMA_RAW_TYPE_U32] = TMA_TYPE_U32,   [TMA_RAW_TYPE_S32] = TMA_TYPE_S32,
		[TMA_RAW_TYPE_U64] = TMA_TYPE_U64,   [TMA_RAW_TYPE_S64] = TMA_TYPE_S64,
		[TMA_RAW_TYPE_F16] = TMA_TYPE_F16,   [TMA_RAW_TYPE_F32] = TMA_TYPE_F32,
		[TMA_RAW_TYPE_F64] = TMA_TYPE_F64,   [TMA_RAW_TYPE_F32_FTZ] = TMA_TYPE_F32,
		[TMA_RAW_TYPE_BF16] = TMA_TYPE_BF16,
	};
	uint32_t type = t->map.type, arith = type < sizeof(types) ? types[type] : NO_TYPE;

	return (struct reduction){ .op = t->issue->command->op,
		                   .type = (uint8_t)arith,
		                   .flush = type == TMA_RAW_TYPE_F32_FTZ ||
		                            model_flushes(t->issue->model, arith) };
}

static bool store_run(const struct tensor_copy *t, const unsigned char *smem, uint32_t k)
{
	unsigned char *to = plain_run(t, k, FOR_WRITE, WRITE);

	if (to && model_map_padded(&t->map))
		for (uint32_t i = 0; i < t->run; i++)
			model_place_get(t, smem, k + i, to + i * t->step);
	else if (to)
		model_place_get_run(t, smem, k, to);
	return to;
}

/* Row k of global memory. */
static inline void change_global_row(const struct tensor_copy *t, uint32_t k, const struct change *change,
                                     struct fault *fault)
{
	struct tensor_row r = model_tensor_row(t, k);
	struct row row = global_row(t, FOR_WRITE, &r);

	/* No coordinate of a store is negative, so the row begins with the box's. */
	row.size = stored_bytes(t, &r);
	model_global_change(&row, change, fault);
}

/* For copies in flight, as above. */
void model_tensor_change_row(const struct tensor_copy *t, uint32_t k, const struct change *change,
                             struct fault *fault)
{
	change_global_row(t, k, change, fault);
}

/* Row k, as it is in shared memory: store it, or reduce into global memory. */
static void change_row(const struct tensor_copy *t, const unsigned char *smem, uint32_t k,
                       const struct reduction *reduction, struct fault *fault)
{
	unsigned char bytes[MAX_ROW_BYTES];

	model_place_get(t, smem, k, bytes);
	change_global_row(t, k,
	                  &(struct change){ .from = bytes, .byte_mask = ALL_BYTES, .reduction = reduction },
	                  fault);
}

/* cp{.reduce}.async.bulk.tensor.global.shared: member of the queue's open group, whatever comes of it. */
static struct outcome to_tensor(const struct issue *issue, bool reduces)
{
	struct outcome outcome = { .kind = TMA_KIND_RETIRED };
	const unsigned char *smem = model_shared(issue->model, address_rank(issue->command->shared_dst), 0);
	struct reduction reduction;
	struct tensor_copy t;

	issue->queue->status.open_stores++;
	outcome.fault = model_tensor_prepare(issue, &t);
	reduction = model_reduction(&t);
	for (uint32_t k = 0; !outcome.fault.code && k < t.rows; k += t.run) {
		if (!reduces && store_run(&t, smem, k))
			continue;
		for (uint32_t i = 0; !outcome.fault.code && i < t.run; i++)
			change_row(&t, smem, k + i, reduces ? &reduction : NULL, &outcome.fault);
	}
	return outcome;
}

struct outcome model_tensor_store(const struct issue *issue)
{
	return to_tensor(issue, false);
}

struct outcome model_tensor_reduce(const struct issue *issue)
{
	return to_tensor(issue, true);
}

/* cp.async.bulk.prefetch.tensor: what of the box lies in the tensor is read and dropped. Its map is an
 * operand, whose faults are those of any copy. */
struct outcome model_tensor_prefetch(const struct issue *issue)
{
	struct outcome outcome = { .kind = TMA_KIND_RETIRED };
	struct tensor_copy t;

	outcome.fault = model_tensor_prepare(issue, &t);
	for (uint32_t k = 0; !outcome.fault.code && k < t.rows; k++) {
		struct tensor_row r;
		struct row row;

		if (k % t.run == 0 && plain_run(&t, k, FOR_READ, READ)) {
			k += t.run - 1;
			continue;
		}
		r = model_tensor_row(&t, k);
		row = global_row(&t, FOR_READ, &r);
		issue->model->counters.prefetch_errors += model_global_prefetch(&row);
	}
	return outcome;
}

/* prefetch.tensormap: a map that cannot be read is counted, what it says is not looked at. */
struct outcome model_prefetch_tensormap(const struct issue *issue)
{
	struct tensor_map map;

	if (model_map_read(issue, &map).code)
		issue->model->counters.prefetch_errors++;
	else if (issue->model->late)
		model_late_keep_map(issue, &map);
	return (struct outcome){ .kind = TMA_KIND_RETIRED };
}

/* fence.proxy.tensormap::generic.acquire */
struct outcome model_map_fence(const struct issue *issue)
{
	if (issue->model->late)
		model_late_forget_map(issue);
	return (struct outcome){ .kind = TMA_KIND_RETIRED };
}
