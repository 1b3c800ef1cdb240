/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic of one mbarrier object: pure functions on its fields.
 *
 * An operation that returns a fault code may leave its argument half changed: callers work on a
 * copy and store it only without a fault. The order of the tests is the order of the fault codes.
 */
#include "model.h"

#define FIELD(name) TMA_BARRIER_##name##_LSB, TMA_BARRIER_##name##_BITS

static uint32_t get(uint64_t word, unsigned int lsb, unsigned int bits)
{
	return (uint32_t)(word >> lsb & ((UINT64_C(1) << bits) - 1));
}

static uint64_t put(uint32_t value, unsigned int lsb, unsigned int bits)
{
	return (value & ((UINT64_C(1) << bits) - 1)) << lsb;
}

static int32_t sign_extend(uint32_t value, unsigned int bits)
{
	return value >> (bits - 1) ? (int32_t)value - (int32_t)(1u << bits) : (int32_t)value;
}

struct barrier model_barrier_load(const unsigned char *bytes)
{
	uint64_t word = model_load64(bytes);

	return (struct barrier){
		.expected = get(word, FIELD(EXPECTED)),
		.pending = get(word, FIELD(PENDING)),
		.tx = sign_extend(get(word, FIELD(TX)), TMA_BARRIER_TX_BITS),
		.phase = get(word, FIELD(PHASE)),
		.live = get(word, FIELD(LIVE)),
	};
}

void model_barrier_store(unsigned char *bytes, const struct barrier *b)
{
	uint64_t word = put(b->expected, FIELD(EXPECTED)) | put(b->pending, FIELD(PENDING)) |
	                put((uint32_t)b->tx, FIELD(TX)) | put(b->phase, FIELD(PHASE)) |
	                put(b->live, FIELD(LIVE));

	model_store64(bytes, word);
}

struct barrier model_barrier_new(uint32_t count)
{
	return (struct barrier){ .expected = count, .pending = count, .live = TMA_BARRIER_ALIVE };
}

bool model_barrier_alive(const struct barrier *b)
{
	return b->live == TMA_BARRIER_ALIVE;
}

/* The token that an arrive returns, taken before it acts. */
uint32_t model_barrier_state(const struct barrier *b)
{
	return b->pending << TMA_STATE_PENDING_LSB | b->phase << TMA_STATE_PHASE_LSB;
}

/* One check per operation: a phase that starts with nothing expected stays until the next one. */
static void check_transition(struct barrier *b)
{
	if (b->pending || b->tx)
		return;
	b->phase ^= 1;
	b->pending = b->expected;
}

static uint16_t add_tx(struct barrier *b, int32_t bytes)
{
	b->tx += bytes;
	if (b->tx > (int32_t)BARRIER_MAX || b->tx < -(int32_t)BARRIER_MAX)
		return TMA_FAULT_TX_COUNT_RANGE;
	return TMA_FAULT_NONE;
}

static uint16_t change_tx(struct barrier *b, int32_t bytes)
{
	uint16_t fault = add_tx(b, bytes);

	if (!fault)
		check_transition(b);
	return fault;
}

/* bytes: at most BARRIER_MAX, as the decode rules leave it */
uint16_t model_barrier_expect_tx(struct barrier *b, uint32_t bytes)
{
	return change_tx(b, (int32_t)bytes);
}

uint16_t model_barrier_complete_tx(struct barrier *b, uint32_t bytes)
{
	return change_tx(b, -(int32_t)bytes);
}

/* Count an arrival that is still to come. */
uint16_t model_barrier_expect_arrival(struct barrier *b)
{
	if (b->pending == BARRIER_MAX)
		return TMA_FAULT_PENDING_OVERFLOW;
	b->pending++;
	return TMA_FAULT_NONE;
}

/* All forms of arrive: flags are those of the command; bytes is 0 without EXPECT_TX. */
uint16_t model_barrier_arrive(struct barrier *b, uint32_t count, uint32_t bytes, unsigned int flags)
{
	if (count > b->pending)
		return TMA_FAULT_PENDING_UNDERFLOW;
	if ((flags & TMA_FLAG_EXPECT_TX) && add_tx(b, (int32_t)bytes))
		return TMA_FAULT_TX_COUNT_RANGE;
	b->pending -= count;
	if ((flags & TMA_FLAG_NO_COMPLETE) && !b->pending && !b->tx)
		return TMA_FAULT_NO_COMPLETE_COMPLETES;
	if (flags & TMA_FLAG_DROP) {
		if (count > b->expected)
			return TMA_FAULT_EXPECTED_UNDERFLOW;
		b->expected -= count;
	}
	check_transition(b);
	return TMA_FAULT_NONE;
}
