/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fuzz_model - hostile and half-legal commands, rings, doorbells and registers against the C model, on
 * a random engine.
 *
 * For libFuzzer as it is: the input is read as choices, of a shape, of memories, then of actions.
 * With FUZZ_STANDALONE a program of its own, for any compiler with address and undefined-behaviour
 * sanitizers: it makes inputs from seeds.
 *   fuzz_model [--seed N] [--seconds S | --runs N]
 *
 * What must hold, besides what the sanitizers watch: memory outside the windows and outside the
 * permitted CTAs keeps its bytes; a command that breaks a rule, that of its map included, changes no
 * byte; faults, records and status agree; a stopped queue stays stopped until it is resumed; a completion
 * ring never holds more than it has slots; a refused register write changes no register.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz_tensor.h"
#include "fuzz/fuzz_world.h"
#include "tma_regs.h"
#include "tma_tables.h"

#define MAX_ACTIONS 400u
#define MAP_BYTES   0x12000u

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What the standalone program reports: inputs that reach nothing prove nothing. */
static struct {
	uint64_t commands;
	uint64_t records; /* in completion rings */
	uint64_t resumed;
	uint64_t registers; /* writes taken */
	uint64_t moves;     /* of late models */
	bool seen[0x100];   /* by fault code */
} reached;

static uint32_t shared_address(struct world *w, struct input *in, uint32_t rank, uint32_t granule)
{
	rank = mostly(in, rank, choose(in, TMA_MODEL_MAX_CTAS + 1));
	return rank << 24 | choose(in, w->shape->smem_bytes / granule + 1) * granule;
}

static bool works_in_own_cta(uint8_t opcode)
{
	return opcode == TMA_MBARRIER_INIT || opcode == TMA_MBARRIER_INVAL ||
	       opcode == TMA_MBARRIER_TEST_WAIT || opcode == TMA_MBARRIER_TRY_WAIT ||
	       opcode == TMA_CP_ASYNC_MBARRIER_ARRIVE;
}

/* The fields of a cp.async, whose rules are its own. */
static void make_cp_async(struct world *w, struct input *in, struct tma_command *c, uint32_t own)
{
	uint32_t size = 4u << choose(in, 3);

	c->size = mostly(in, size, choose(in, 33));
	c->mode = (uint8_t)mostly(in, choose(in, 4), take(in, 1));
	c->global_address = w->base + choose(in, GLOBAL_BYTES / 4) * 4u / size * size;
	c->shared_dst = shared_address(w, in, own, size);
	c->count = mostly(in, choose(in, size + 1), take(in, 4));
}

static bool is_tensor(uint8_t opcode)
{
	return opcode >= TMA_TENSOR_LOAD && opcode <= TMA_MAP_FENCE;
}

/* Its shared address, and what else the command or its map has. */
static void make_tensor(struct world *w, struct input *in, struct tma_command *c, uint32_t own)
{
	uint32_t rank = c->opcode == TMA_TENSOR_STORE || c->opcode == TMA_TENSOR_REDUCE ||
	                                c->flags & TMA_FLAG_CTA_LOCAL
	                        ? own
	                        : c->shared_dst >> 24;

	c->shared_dst = shared_address(w, in, rank, 128);
	c->barrier = (mostly(in, c->shared_dst >> 24, rank ^ 1)) << 24 | choose(in, BARRIERS) * 16;
	fuzz_tensor(w, in, c);
}

/* A command of queue q that keeps most rules: fields in their ranges, then perhaps one bit broken. */
static struct tma_command half_legal(struct world *w, struct input *in, uint32_t q)
{
	static const uint8_t opcodes[] = { 0x10, 0x11, 0x12, 0x13, 0x14, 0x30, 0x31, 0x32, 0x33, 0x34,
		                           0x40, 0x41, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x57,
		                           0x60, 0x61, 0x10, 0x14, 0x30, 0x30, 0x34, 0x54, 0x60, 0x60,
		                           0x57, 0x11, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x20, 0x21,
		                           0x21, 0x21, 0x21, 0x21, 0x23, 0x23, 0x28, 0x29, 0x15, 0x15,
		                           0x16, 0x16, 0x17, 0x17, 0x22, 0x22, 0x22, 0x22 };
	struct tma_command c = { .opcode = opcodes[choose(in, sizeof(opcodes))],
		                 .version = TMA_COMMAND_VERSION };
	uint32_t own = w->queues[q].cta, other = choose(in, w->shape->ctas);
	uint8_t bytes[sizeof(c)], used[sizeof(c)];

	c.flags = (uint16_t)(take(in, 2) & take(in, 2) & tma_opcode_info(c.opcode)->flags);
	c.global_address = w->base + choose(in, GLOBAL_BYTES / 16) * 16u;
	c.shared_src = shared_address(w, in, own, 16);
	c.size = choose(in, 4) ? choose(in, 17) * 16 : choose(in, w->shape->smem_bytes / 16 + 1) * 16;
	c.byte_mask = (uint16_t)take(in, 2);
	c.count = c.flags & TMA_FLAG_PARITY ? mostly(in, choose(in, 2), 2) : mostly(in, 1, choose(in, 4));
	c.tx = mostly(in, choose(in, 3) * 16, choose(in, 2) ? 0xfffff : take(in, 4));
	c.shared_dst = shared_address(w, in, other, 16);
	c.barrier = (works_in_own_cta(c.opcode) ? own : mostly(in, c.shared_dst >> 24, other)) << 24 |
	            choose(in, BARRIERS) * 16;
	c.cta_mask = some_of(in, w->queues[q].cta_mask);
	c.tag = take(in, 1);
	c.op = (uint8_t)choose(in, TMA_REDUCE_XOR + 2);
	c.type = (uint8_t)choose(in, TMA_TYPE_B64 + 2);
	if (c.opcode == TMA_CP_ASYNC)
		make_cp_async(w, in, &c, own);
	else if (is_tensor(c.opcode))
		make_tensor(w, in, &c, own);
	else if (c.opcode == TMA_CANCEL)
		c.count = choose(in, w->shape->queues + 1);
	memcpy(bytes, &c, sizeof(c));
	tma_command_used_bits(&c, used);
	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] &= used[i];
	if (choose(in, 16) == 0)
		bytes[choose(in, sizeof(bytes))] ^= (uint8_t)(1u << choose(in, 8));
	memcpy(&c, bytes, sizeof(c));
	return c;
}

static struct tma_command raw(struct input *in)
{
	struct tma_command c;
	uint8_t bytes[sizeof(c)];

	for (size_t i = 0; i < sizeof(bytes); i++)
		bytes[i] = (uint8_t)take(in, 1);
	memcpy(&c, bytes, sizeof(c));
	return c;
}

static void check_queue(struct world *w, uint32_t q)
{
	struct tma_queue_status s = world_status(w, q);
	uint32_t held = s.producer - s.consumer;
	uint32_t log2 = 0;

	require(!tma_model_reg_read(w->m, TMA_REG_QUEUE_RING_SIZE(q), &log2), "a queue has a size");
	require(held <= 1u << (log2 >> TMA_REG_QUEUE_RING_SIZE_COMPLETION_SHIFT),
	        "a completion ring holds what it has slots for");
	require(s.drained || (s.faulted && held), "only a fault waits for room");
	require(!s.full || s.waiting, "who has no room waits");
	require(!s.waiting || !s.faulted, "who has stopped does not wait");
	require(!s.faulted == !s.fault && !s.faulted == !s.fault_count, "a fault has a code and is counted");
	if (s.faulted)
		reached.seen[s.fault & 0xff] = true;
}

/* Those of direct queues; what a ring holds may have been overwritten by a copy. */
static void check_records(struct world *w)
{
	struct tma_record r;

	while (tma_model_next_record(w->m, &r)) {
		struct tma_queue_status s = world_status(w, r.queue);

		require(tma_kind_name(r.kind) != NULL, "a record has a kind");
		require((r.kind == TMA_KIND_FAULT) == (r.fault != 0), "a fault is a record of its kind");
		require(!r.fault || tma_fault_info(r.fault), "a fault is in the table");
		require(!r.address || r.fault, "only a fault has an address");
		require(!r.phase, "the direct port has no phase");
		require(r.sequence <= s.next_sequence, "a record's command has had its turn");
		if (r.fault)
			require(s.faulted && s.fault == r.fault && s.fault_sequence == r.sequence &&
			                s.fault_address == r.address && s.fault_tag == r.tag,
			        "a queue's status is its fault record");
	}
	for (uint32_t q = 0; q < w->shape->queues; q++)
		check_queue(w, q);
}

/* One step with everything that can be said of it. */
static void step(struct world *w, uint32_t q)
{
	struct tma_queue_status before = world_status(w, q), after;
	int result;

	world_snapshot(w);
	result = tma_model_step(w->m, q);
	after = world_status(w, q);
	require(result == 0 || result == 1, "a step executes at most one command");
	if (before.faulted)
		require(!result && after.fault_count == before.fault_count, "a stopped queue stays stopped");
	if (after.next_sequence == before.next_sequence) {
		require(after.queued == before.queued, "a command that has not left its queue is in it");
		require(!result || after.faulted, "a command that was refused has a fault");
		world_require_unchanged(w, q);
	} else {
		require(result && after.next_sequence == before.next_sequence + 1,
		        "a command that was executed has left its queue");
		require(!after.faulted || after.fault >= TMA_FAULT_MAP_WINDOW,
		        "a command that breaks a rule stays in its queue");
		if (after.fault >= TMA_FAULT_MAP_WINDOW && after.fault <= TMA_FAULT_TENSOR_REDUCE)
			world_require_unchanged(w, q);
	}
	reached.records += after.producer - before.producer;
	reached.commands += (uint64_t)result;
	check_records(w);
}

/* A move of somebody; false: there was none. */
static bool move(struct world *w)
{
	int moved = tma_model_run(w->m);

	require(moved == 0 || moved == 1, "a late model moves once");
	check_records(w);
	reached.moves += (uint64_t)moved;
	return moved;
}

static void run(struct world *w)
{
	uint64_t queued = 0;
	int executed;

	for (uint32_t q = 0; q < w->shape->queues; q++)
		queued += world_status(w, q).queued + 1u;
	while (w->shape->seed && move(w))
		;
	executed = tma_model_run(w->m);
	require(executed >= 0 && (uint64_t)executed <= queued, "a run executes what was queued");
	for (uint32_t q = 0; q < w->shape->queues; q++) {
		require(tma_model_step(w->m, q) == 0, "a run leaves nothing to do");
		require(!world_status(w, q).in_flight, "a run leaves nothing in flight");
	}
	reached.commands += (uint64_t)executed;
	check_records(w);
}

/* Into the slot behind the tail, or into any other. */
static void submit(struct world *w, struct input *in, uint32_t q, const struct tma_command *c)
{
	const struct tma_queue_config *config = &w->queues[q];
	struct tma_queue_status s = world_status(w, q);
	uint32_t slot, control = 0;
	uint32_t base = (uint32_t)(config->ring_base - w->base);

	require(!tma_model_reg_read(w->m, TMA_REG_QUEUE_CONTROL(q), &control), "a queue can be read");
	if (!(control & TMA_REG_QUEUE_CONTROL_RING_MASK)) {
		require(!tma_model_submit(w->m, q, c), "a command is taken");
		return;
	}
	require(tma_model_submit(w->m, q, c) == TMA_MODEL_ESTATE, "a ring queue has no direct port");
	slot = mostly(in, s.tail, choose(in, 256)) & ((1u << config->ring_slots_log2) - 1);
	memcpy(world_byte(w, 0, base + slot * TMA_COMMAND_BYTES), c, sizeof(*c));
	if (choose(in, 4))
		(void)tma_model_doorbell(w->m, q, mostly(in, s.tail + 1, s.next_sequence + take(in, 1)));
}

/* Registers that say what may be touched, or by whom, keep what the world has given them. */
static bool fenced(uint32_t address)
{
	if (address >= TMA_REG_WINDOW_BASE_LO && address <= TMA_REG_WINDOW_LIMIT_HI)
		return true;
	if (address >= TMA_REG_MULTIMEM_BASE_LO && address <= TMA_REG_MULTIMEM_PORT_BASE_HI)
		return true;
	for (uint32_t q = 0; q < TMA_REG_QUEUE_COUNT; q++)
		if (address >= TMA_REG_QUEUE_CTA(q) && address < TMA_REG_QUEUE_STATUS(q))
			return true;
	return false;
}

/* Counters latch as they are read; all else stays as it is. */
static void read_registers(struct world *w, uint32_t values[MAP_BYTES / 4], bool compare)
{
	for (uint32_t address = 0; address < MAP_BYTES; address += 4) {
		uint32_t value = 0;

		(void)tma_model_reg_read(w->m, address, &value);
		require(!compare || value == values[address / 4],
		        "a register write that is refused changes nothing");
		values[address / 4] = value;
	}
}

static void write_register(struct world *w, struct input *in, uint32_t q)
{
	static uint32_t values[MAP_BYTES / 4];
	uint32_t address, value = choose(in, 2) ? take(in, 1) : take(in, 4);
	bool look = !choose(in, 16);
	int resp;

	if (choose(in, 2))
		address = TMA_REG_DOOR(q) + 4 * choose(in, 17);
	else
		address =
			choose(in, 2) ? TMA_REG_QUEUE(q) + 4 * choose(in, 32) : 4 * choose(in, MAP_BYTES / 4);
	if (fenced(address))
		return;
	if (look)
		read_registers(w, values, false);
	resp = tma_model_reg_write(w->m, address, value);
	require(resp == 0 || resp == 2, "an access is answered");
	reached.registers += resp == 0;
	if (look && resp)
		read_registers(w, values, true);
}

/* Software takes records and mends what it can; half of the time as it should. */
static void serve(struct world *w, struct input *in, uint32_t q)
{
	struct tma_queue_status s = world_status(w, q);
	int result = tma_model_consumer(w->m, q, mostly(in, s.producer, take(in, 1)));

	require(result == 0 || result == TMA_MODEL_EINVAL || result == TMA_MODEL_ESTATE,
	        "a consumer count is taken or not");
	check_records(w);
	if (!s.faulted || choose(in, 4) == 0)
		return;
	s = world_status(w, q);
	result = tma_model_resume(w->m, q,
	                          s.next_sequence + mostly(in, s.queued ? choose(in, 2) : 0, take(in, 1)));
	require(result != TMA_MODEL_ESTATE || !s.drained || s.in_flight,
	        "a queue that is drained can be resumed");
	require(result || !world_status(w, q).faulted, "a queue that is resumed has no fault");
	reached.resumed += result == 0;
}

static void recover(struct world *w, struct input *in, uint32_t q)
{
	switch (choose(in, 4)) {
	case 0:
		if (world_status(w, q).faulted || choose(in, 4) == 0)
			world_restart(w, in, q);
		break;
	case 1:
		(void)tma_model_cancel(w->m, q);
		break;
	case 2:
		if (choose(in, 4) == 0)
			(void)tma_model_reset(w->m, q);
		break;
	default:
		if (choose(in, 32) == 0)
			require(!tma_model_kill_port(w->m, choose(in, w->shape->ports)), "a port dies");
	}
}

static void act(struct world *w, struct input *in)
{
	uint32_t q = choose(in, w->shape->queues);
	struct tma_command c;

	switch (choose(in, 32)) {
	case 0:
		c = raw(in);
		break;
	case 1:
		run(w);
		return;
	case 2:
	case 3:
		recover(w, in, q);
		check_records(w);
		return;
	case 4:
	case 5:
		serve(w, in, q);
		return;
	case 6:
		write_register(w, in, q);
		check_records(w);
		return;
	default:
		if (world_status(w, q).faulted)
			serve(w, in, q);
		if (world_status(w, q).faulted && choose(in, 2))
			world_restart(w, in, q);
		c = half_legal(w, in, q);
	}
	submit(w, in, q, &c);
	check_records(w);
	if (choose(in, 8))
		step(w, q);
	for (uint32_t moves = w->shape->seed ? choose(in, 32) : 0; moves; moves--)
		move(w);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size, 0 };
	struct world *w = world_new(&in);

	for (uint32_t i = 0; i < MAX_ACTIONS && in.at < in.size; i++)
		act(w, &in);
	run(w);
	world_require_fences(w);
	world_free(w);
	return 0;
}

#ifdef FUZZ_STANDALONE
#include "fuzz/fuzz_main.h"

#define MAX_INPUT 4096u

static void one(struct rng *rng)
{
	size_t size = rng_below(rng, MAX_INPUT);
	uint8_t *data = fuzz_room(size);

	for (size_t i = 0; i < size; i++)
		data[i] = (uint8_t)rng_next(rng);
	LLVMFuzzerTestOneInput(data, size);
	free(data);
}

int main(int argc, char **argv)
{
	uint32_t faults = 0;
	uint64_t done;

	on_failure = fuzz_print_seed;
	done = fuzz_run("fuzz_model", argc, argv, NULL, one);
	for (unsigned int i = 0; i < sizeof(reached.seen) / sizeof(reached.seen[0]); i++)
		faults += reached.seen[i];
	printf("fuzz_model: %llu programs, %llu commands, %u fault codes, %llu ring records, %llu resumed, "
	       "%llu register writes, %llu moves\n1 passed, 0 failed\n",
	       (unsigned long long)done, (unsigned long long)reached.commands, faults,
	       (unsigned long long)reached.records, (unsigned long long)reached.resumed,
	       (unsigned long long)reached.registers, (unsigned long long)reached.moves);
	return 0;
}
#endif
