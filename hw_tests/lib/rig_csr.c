/* SPDX-License-Identifier: Apache-2.0 */
/* Registers over AXI-Lite: one access at a time, the caller's before those in the background. */
#include <errno.h>
#include <string.h>

#include "lib/rig_priv.h"
#include "tma_regs.h"

#define NUM_POSTS (RIG_MAX_QUEUES * RIG_POSTS)

/* With stalls on the memory, the order and distance of address, data and ready vary as well. */
static uint32_t delay(struct rig *rig)
{
	return rig->o.stall_percent ? rng_below(&rig->csr_rng, 4) : 0;
}

static struct rig_access_csr fresh(struct rig *rig, struct rig_access_csr access)
{
	access.busy = true;
	access.addr_at = delay(rig);
	access.data_at = delay(rig);
	access.ready_at = delay(rig);
	return access;
}

/* What a register that counts commands or records has more than the caller sees. */
static uint32_t counts_from(const struct rig *rig, uint32_t address)
{
	for (uint32_t q = 0; q < rig->info->queues; q++) {
		const struct rig_ring *r = &rig->ring[q];

		if (address == TMA_REG_QUEUE_HEAD(q) || address == TMA_REG_DOOR_HEAD(q) ||
		    address == TMA_REG_DOOR_TAIL(q) || address == TMA_REG_DOOR_RESUME(q))
			return r->first_command;
		if (address == TMA_REG_DOOR_CONSUMER(q) || address == TMA_REG_DOOR_PRODUCER(q))
			return r->first_record;
	}
	return 0;
}

static void begin(struct rig *rig, struct rig_access_csr access)
{
	rig->csr = fresh(rig, access);
}

/*
 * In the background.
 */

void rig_csr_post(struct rig *rig, enum rig_purpose purpose, uint32_t queue, uint32_t value)
{
	rig->posts[(rig->first_post + rig->num_posts++) % NUM_POSTS] =
		(struct rig_post){ purpose, queue, value };
}

void rig_csr_drop_posts(struct rig *rig, uint32_t queue)
{
	uint32_t kept = 0, i;

	for (i = 0; i < rig->num_posts; i++) {
		struct rig_post p = rig->posts[(rig->first_post + i) % NUM_POSTS];

		if (p.queue != queue)
			rig->posts[(rig->first_post + kept++) % NUM_POSTS] = p;
	}
	rig->num_posts = kept;
	if (rig->csr.busy && rig->csr.purpose < RIG_POSTS && rig->csr.queue == queue)
		rig->csr.orphan = true;
}

static void next_post(struct rig *rig)
{
	struct rig_post p = rig->posts[rig->first_post];
	uint32_t address[RIG_POSTS] = {
		[RIG_TAIL] = TMA_REG_DOOR_TAIL(p.queue),
		[RIG_HEAD] = TMA_REG_DOOR_HEAD(p.queue),
		[RIG_CONSUMER] = TMA_REG_DOOR_CONSUMER(p.queue),
		[RIG_PENDING] = TMA_REG_DOOR_INTERRUPT_PENDING(p.queue),
		[RIG_CLEAR] = TMA_REG_DOOR_INTERRUPT_PENDING(p.queue),
	};

	rig->first_post = (rig->first_post + 1) % NUM_POSTS;
	rig->num_posts--;
	begin(rig, (struct rig_access_csr){
			   .write = p.purpose != RIG_HEAD && p.purpose != RIG_PENDING,
			   .purpose = p.purpose,
			   .queue = p.queue,
			   .address = address[p.purpose],
			   .value = p.value,
		   });
}

/*
 * Pins.
 */

static void drive_read(const struct rig_access_csr *a, struct tma_csr_in *in)
{
	in->ar_valid = !a->addr_done && a->age >= a->addr_at;
	in->r_ready = a->age >= a->ready_at;
	in->ar_addr = a->address;
}

void rig_csr_drive(struct rig *rig)
{
	const struct rig_access_csr *a = &rig->csr;
	struct tma_csr_in *in = &rig->in->csr;

	memset(in, 0, sizeof(*in));
	if (rig->beside.busy)
		drive_read(&rig->beside, in);
	else if (!a->busy && rig->num_posts)
		next_post(rig);
	if (!a->busy)
		return;
	if (a->write) {
		in->aw_valid = !a->addr_done && a->age >= a->addr_at;
		in->w_valid = !a->data_done && a->age >= a->data_at;
		in->b_ready = a->age >= a->ready_at;
		in->aw_addr = a->address;
		in->w_data = a->value + counts_from(rig, a->address);
		in->w_strb = 0xF;
	} else {
		drive_read(a, in);
	}
}

/* The response is there, taken or not. */
static void answered(struct rig *rig, struct rig_access_csr *a)
{
	const struct tma_csr_out *out = &rig->out->csr;

	a->answered = true;
	a->answered_at = rig->cycle;
	a->resp = a->write ? out->b_resp : out->r_resp;
	if (!a->write)
		a->value = out->r_data - counts_from(rig, a->address);
	else if (a->resp == RIG_OKAY)
		axi_monitor_register(rig->monitor, a->address, a->value);
	if (a->purpose != RIG_OTHER && !a->orphan)
		rig_ring_answer(rig, a->purpose, a->queue, a->resp, a->value);
}

/* The read beside a write: no other is under way. */
static void sample_beside(struct rig *rig)
{
	struct rig_access_csr *a = &rig->beside;
	const struct tma_csr_in *in = &rig->in->csr;
	const struct tma_csr_out *out = &rig->out->csr;

	rig->read_beside = a->busy;
	if (!a->busy)
		return;
	if (in->r_ready && out->r_valid) {
		a->busy = false;
		a->value = out->r_data - counts_from(rig, a->address);
		a->resp = out->r_resp;
	}
	a->addr_done |= in->ar_valid && out->ar_ready;
	a->age++;
}

void rig_csr_sample(struct rig *rig)
{
	struct rig_access_csr *a = &rig->csr;
	const struct tma_csr_in *in = &rig->in->csr;
	const struct tma_csr_out *out = &rig->out->csr;

	axil_check_step(&rig->lite, rig->cycle, rig->in->rst_n, in, out);
	if (!rig->in->rst_n)
		return;
	sample_beside(rig);
	if (!a->busy)
		return;
	if ((a->write ? out->b_valid : out->r_valid) && !a->answered)
		answered(rig, a);
	if (a->write ? in->b_ready && out->b_valid : in->r_ready && out->r_valid)
		a->busy = false;
	a->addr_done |= a->write ? in->aw_valid && out->aw_ready : in->ar_valid && out->ar_ready;
	a->data_done |= in->w_valid && out->w_ready;
	a->age++;
	if (a->busy && a->age == RIG_CSR_LIMIT && a->purpose < RIG_POSTS) {
		a->busy = false;
		rig->ring[a->queue].posted &= ~(1u << a->purpose);
		rig_error(rig, "register %#x: no response", a->address);
	}
}

/*
 * The caller's.
 */

static int access_csr(struct rig *rig, struct rig_access_csr access, uint32_t *value)
{
	/* One in the background may be under way: no other begins before this one. */
	while (rig->csr.busy)
		rig_step(rig);
	begin(rig, access);
	while (rig->csr.busy) {
		if (rig->csr.age == RIG_CSR_LIMIT) {
			rig->csr.busy = false;
			rig_error(rig, "register %#x: no response", access.address);
			return -ETIMEDOUT;
		}
		rig_step(rig);
	}
	if (value)
		*value = rig->csr.value;
	return rig->csr.resp;
}

int rig_csr_both(struct rig *rig, uint32_t address, uint32_t value, uint32_t from, uint32_t *got, int *answer)
{
	int resp;

	while (rig->csr.busy)
		rig_step(rig);
	rig->beside = fresh(rig, (struct rig_access_csr){ .purpose = RIG_OTHER, .address = from });
	resp = rig_csr_write(rig, address, value);
	while (rig->beside.busy && rig->beside.age < RIG_CSR_LIMIT)
		rig_step(rig);
	if (rig->beside.busy)
		rig_error(rig, "register %#x: no response beside a write", from);
	rig->beside.busy = false;
	*got = rig->beside.value;
	*answer = rig->beside.resp;
	return resp;
}

int rig_csr_write(struct rig *rig, uint32_t address, uint32_t value)
{
	return rig_csr_door(rig, address, value, RIG_OTHER, 0);
}

int rig_csr_door(struct rig *rig, uint32_t address, uint32_t value, enum rig_purpose purpose, uint32_t queue)
{
	return access_csr(rig,
	                  (struct rig_access_csr){ .write = true,
	                                           .purpose = purpose,
	                                           .queue = queue,
	                                           .address = address,
	                                           .value = value },
	                  NULL);
}

int rig_csr_read(struct rig *rig, uint32_t address, uint32_t *value)
{
	*value = 0;
	return access_csr(rig, (struct rig_access_csr){ .purpose = RIG_OTHER, .address = address }, value);
}

uint32_t rig_csr(struct rig *rig, uint32_t address)
{
	uint32_t value;
	int resp = rig_csr_read(rig, address, &value);

	if (resp == RIG_OKAY)
		return value;
	if (resp > 0)
		rig_error(rig, "register %#x: response %d", address, resp);
	return 0;
}

int rig_csr_set(struct rig *rig, uint32_t address, uint32_t value)
{
	int resp = rig_csr_write(rig, address, value);

	if (resp == RIG_OKAY)
		return 0;
	if (resp > 0)
		rig_error(rig, "register %#x = %#x: response %d", address, value, resp);
	return -EIO;
}

uint64_t rig_counter(struct rig *rig, uint32_t index)
{
	uint64_t lo = rig_csr(rig, TMA_REG_COUNTER_LO(index));

	return lo | (uint64_t)rig_csr(rig, TMA_REG_COUNTER_HI(index)) << 32;
}
