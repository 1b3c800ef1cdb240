/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_regs - the register map over the model.
 *
 * Spec: rtl/spec/tma.rdl
 * Checks: value after reset and writable bits of every register, every other address of the map is
 *         refused, what a register refuses in which state, and that a refused write changes nothing;
 *         a program from set-up to recovery through registers alone.
 */
#include "model_rings.h"

#include <stdbool.h>

#include "tma_regs.h"

#define OKAY      0
#define SLVERR    2
#define MAP_BYTES 0x20000u
#define READ_ONLY 0u

/* The engine of these tests: 2 queues of the largest number, 3 CTAs, 2 ports. */
static const struct tma_model_config shape = { .ctas = 3,
	                                       .smem_bytes = 1024,
	                                       .queues = 2,
	                                       .windows = 3,
	                                       .ports = 2,
	                                       .data_bytes = 32,
	                                       .multimem_windows = 5,
	                                       .reads = 0x1234,
	                                       .maps = 9 };

struct reg {
	const char *name;
	uint32_t address;
	uint32_t reset;
	uint32_t writable; /* bits that keep what is written while every queue is disabled */
};

/* clang-format off */
#define QUEUE_REGS(q) \
	{ "CONTROL", TMA_REG_QUEUE_CONTROL(q), 0, 0x3 }, \
	{ "CTA", TMA_REG_QUEUE_CTA(q), 0, 0x0007000f }, \
	{ "STREAM", TMA_REG_QUEUE_STREAM(q), 0, 0x7ff }, \
	{ "STATUS", TMA_REG_QUEUE_STATUS(q), 0, READ_ONLY }, \
	{ "FAULT", TMA_REG_QUEUE_FAULT(q), 0, READ_ONLY }, \
	{ "FAULT_SEQUENCE", TMA_REG_QUEUE_FAULT_SEQUENCE(q), 0, READ_ONLY }, \
	{ "FAULT_ADDRESS_LO", TMA_REG_QUEUE_FAULT_ADDRESS_LO(q), 0, READ_ONLY }, \
	{ "FAULT_ADDRESS_HI", TMA_REG_QUEUE_FAULT_ADDRESS_HI(q), 0, READ_ONLY }, \
	{ "FAULT_TAG", TMA_REG_QUEUE_FAULT_TAG(q), 0, READ_ONLY }, \
	{ "HEAD", TMA_REG_QUEUE_HEAD(q), 0, READ_ONLY }, \
	{ "RING_BASE_LO", TMA_REG_QUEUE_RING_BASE_LO(q), 0, 0xfffff000 }, \
	{ "RING_BASE_HI", TMA_REG_QUEUE_RING_BASE_HI(q), 0, 0xffffffff }, \
	{ "COMPLETION_BASE_LO", TMA_REG_QUEUE_COMPLETION_BASE_LO(q), 0, 0xfffff000 }, \
	{ "COMPLETION_BASE_HI", TMA_REG_QUEUE_COMPLETION_BASE_HI(q), 0, 0xffffffff }, \
	{ "RING_SIZE", TMA_REG_QUEUE_RING_SIZE(q), 0x404, 0x1f1f }, \
	{ "CANCEL_MASK", TMA_REG_QUEUE_CANCEL_MASK(q), 0, 0x3 }, \
	{ "TAIL", TMA_REG_DOOR_TAIL(q), 0, READ_ONLY }, \
	{ "door HEAD", TMA_REG_DOOR_HEAD(q), 0, READ_ONLY }, \
	{ "CONSUMER", TMA_REG_DOOR_CONSUMER(q), 0, READ_ONLY }, \
	{ "PRODUCER", TMA_REG_DOOR_PRODUCER(q), 0, READ_ONLY }, \
	{ "INTERRUPT_PENDING", TMA_REG_DOOR_INTERRUPT_PENDING(q), 0, READ_ONLY }, \
	{ "INTERRUPT_ENABLE", TMA_REG_DOOR_INTERRUPT_ENABLE(q), 0, 0x1 }, \
	{ "door STATUS", TMA_REG_DOOR_STATUS(q), 0, READ_ONLY }, \
	{ "door FAULT", TMA_REG_DOOR_FAULT(q), 0, READ_ONLY }, \
	{ "door FAULT_SEQUENCE", TMA_REG_DOOR_FAULT_SEQUENCE(q), 0, READ_ONLY }, \
	{ "door FAULT_ADDRESS_LO", TMA_REG_DOOR_FAULT_ADDRESS_LO(q), 0, READ_ONLY }, \
	{ "door FAULT_ADDRESS_HI", TMA_REG_DOOR_FAULT_ADDRESS_HI(q), 0, READ_ONLY }, \
	{ "door FAULT_TAG", TMA_REG_DOOR_FAULT_TAG(q), 0, READ_ONLY }, \
	{ "RESUME", TMA_REG_DOOR_RESUME(q), 0, READ_ONLY }, \
	{ "RESET", TMA_REG_DOOR_RESET(q), 0, READ_ONLY }, \
	{ "CANCEL", TMA_REG_DOOR_CANCEL(q), 0, READ_ONLY }

static const struct reg regs[] = {
	{ "MAGIC", TMA_REG_MAGIC, 0x31414d54, READ_ONLY },
	{ "VERSION", TMA_REG_VERSION, 0x00010003, READ_ONLY },
	{ "CAP0", TMA_REG_CAP(0), 0x02020320, READ_ONLY },
	{ "CAP1", TMA_REG_CAP(1), 1024, READ_ONLY },
	{ "CAP2", TMA_REG_CAP(2), 0x05123403, READ_ONLY },
	{ "CAP3", TMA_REG_CAP(3), 0x973, READ_ONLY },
	{ "STATUS", TMA_REG_STATUS, 1, READ_ONLY },
	{ "AXCACHE", TMA_REG_AXCACHE, 2, 0xf },
	{ "WINDOW_ATTR", TMA_REG_WINDOW_ATTR, 0, 0x7 },
	{ "WINDOW_BASE_LO", TMA_REG_WINDOW_BASE_LO, 0, 0xfffff000 },
	{ "WINDOW_BASE_HI", TMA_REG_WINDOW_BASE_HI, 0, 0xffffffff },
	{ "WINDOW_LIMIT_LO", TMA_REG_WINDOW_LIMIT_LO, 0xfff, 0xfffff000 },
	{ "WINDOW_LIMIT_HI", TMA_REG_WINDOW_LIMIT_HI, 0, 0xffffffff },
	{ "WATCHDOG", TMA_REG_WATCHDOG, 65536, 0xffffffff },
	{ "PORTS", TMA_REG_PORTS, 0, READ_ONLY },
	{ "BEHAVIOUR", TMA_REG_BEHAVIOUR, 0, 0x3 },
	{ "MULTIMEM_PORTS", TMA_REG_MULTIMEM_PORTS, 0, 0x3 },
	{ "MULTIMEM_BASE_LO", TMA_REG_MULTIMEM_BASE_LO, 0, 0xfffff000 },
	{ "MULTIMEM_BASE_HI", TMA_REG_MULTIMEM_BASE_HI, 0, 0xffffffff },
	{ "MULTIMEM_LIMIT_LO", TMA_REG_MULTIMEM_LIMIT_LO, 0xfff, 0xfffff000 },
	{ "MULTIMEM_LIMIT_HI", TMA_REG_MULTIMEM_LIMIT_HI, 0, 0xffffffff },
	{ "MULTIMEM_PORT_BASE_LO", TMA_REG_MULTIMEM_PORT_BASE_LO, 0, 0xfffff000 },
	{ "MULTIMEM_PORT_BASE_HI", TMA_REG_MULTIMEM_PORT_BASE_HI, 0, 0xffffffff },
	/* an index takes what exists alone, see indices_name_what_exists() */
	{ "WINDOW_INDEX", TMA_REG_WINDOW_INDEX, 0, READ_ONLY },
	{ "MULTIMEM_INDEX", TMA_REG_MULTIMEM_INDEX, 0, READ_ONLY },
	QUEUE_REGS(0),
	QUEUE_REGS(1),
};
/* clang-format on */

static struct tma_model *new_model(void)
{
	struct tma_model *m = tma_model_new(&shape);

	assert_non_null(m);
	return m;
}

static uint32_t get(struct tma_model *m, uint32_t address)
{
	uint32_t value;

	assert_int_equal(tma_model_reg_read(m, address, &value), OKAY);
	return value;
}

static void set(struct tma_model *m, uint32_t address, uint32_t value)
{
	assert_int_equal(tma_model_reg_write(m, address, value), OKAY);
}

static void refuse(struct tma_model *m, uint32_t address, uint32_t value)
{
	assert_int_equal(tma_model_reg_write(m, address, value), SLVERR);
}

static const struct reg *reg_at(uint32_t address)
{
	for (size_t i = 0; i < ARRAY_SIZE(regs); i++)
		if (regs[i].address == address)
			return &regs[i];
	return NULL;
}

static bool is_counter(uint32_t address)
{
	return address >= TMA_REG_COUNTER(0) && address < TMA_REG_COUNTER(TMA_REG_COUNTER_COUNT);
}

/* The whole map, word by word, bits 1:0 of the address without a meaning. */
MODEL_TEST(reset_values, new_model())
{
	for (uint32_t address = 0; address < MAP_BYTES; address++) {
		const struct reg *r = reg_at(address & ~3u);
		bool known = r || is_counter(address);
		uint32_t value = 0xdeadbeef;

		if (tma_model_reg_read(m, address, &value) != (known ? OKAY : SLVERR))
			fail_msg("read of 0x%x", address);
		if (value != (r ? r->reset : 0))
			fail_msg("0x%x reads 0x%x", address, value);
	}
	assert_int_equal(tma_model_reg_read(m, 0xfffffffc, &(uint32_t){ 0 }), SLVERR);
	assert_int_equal(tma_model_reg_read(m, 0, NULL), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_reg_read(NULL, 0, &(uint32_t){ 0 }), TMA_MODEL_EINVAL);
	assert_int_equal(tma_model_reg_write(NULL, 0, 0), TMA_MODEL_EINVAL);
}

/* Registers that take writes and keep no bit as it is written; they have tests of their own. */
static bool is_special(uint32_t address)
{
	return address == TMA_REG_WINDOW_INDEX || address == TMA_REG_MULTIMEM_INDEX ||
	       address == TMA_REG_DOOR_INTERRUPT_PENDING(0) || address == TMA_REG_DOOR_INTERRUPT_PENDING(1);
}

/* See set_ups_that_are_refused(). */
static bool refuses_values(uint32_t address)
{
	return address == TMA_REG_QUEUE_CTA(0) || address == TMA_REG_QUEUE_CTA(1) ||
	       address == TMA_REG_QUEUE_RING_SIZE(0) || address == TMA_REG_QUEUE_RING_SIZE(1);
}

/* Every bit, one at a time: a write is refused, or it changes what can be changed. */
MODEL_TEST(writable_bits, new_model())
{
	for (size_t i = 0; i < ARRAY_SIZE(regs); i++) {
		const struct reg *r = &regs[i];

		for (unsigned int bit = 0; bit < 32 && !is_special(r->address); bit++) {
			uint32_t value = r->reset ^ 1u << bit;
			bool taken = tma_model_reg_write(m, r->address, value) == OKAY;
			uint32_t expected = taken ? value & r->writable : r->reset & r->writable;

			expected |= r->reset & ~r->writable;
			if (get(m, r->address) != expected || (taken && !r->writable))
				fail_msg("%s, bit %u: 0x%x", r->name, bit, get(m, r->address));
			if (taken)
				set(m, r->address, r->reset);
			else if (r->writable && !refuses_values(r->address))
				fail_msg("%s, bit %u: refused", r->name, bit);
		}
	}
}

MODEL_TEST(other_addresses_refuse_writes, new_model())
{
	for (uint32_t address = 0; address < MAP_BYTES; address += 4)
		if (!reg_at(address))
			refuse(m, address, 0);
	refuse(m, 0xfffffffc, 0);
}

MODEL_TEST(set_ups_that_are_refused, new_model())
{
	refuse(m, TMA_REG_QUEUE_CTA(0), 3);
	set(m, TMA_REG_QUEUE_CTA(0), 2);
	refuse(m, TMA_REG_QUEUE_RING_SIZE(0), 0x403);
	refuse(m, TMA_REG_QUEUE_RING_SIZE(0), 0x411);
	refuse(m, TMA_REG_QUEUE_RING_SIZE(0), 0x304);
	refuse(m, TMA_REG_QUEUE_RING_SIZE(0), 0x1104);
	set(m, TMA_REG_QUEUE_RING_SIZE(0), 0x1010);
	assert_int_equal(get(m, TMA_REG_QUEUE_RING_SIZE(0)), 0x1010);
	assert_int_equal(get(m, TMA_REG_QUEUE_CTA(0)), 2);
}

MODEL_TEST(indices_name_what_exists, new_model())
{
	for (uint32_t q = 0; q < 2; q++)
		for (uint32_t w = 0; w < 3; w++) {
			set(m, TMA_REG_WINDOW_INDEX, q << 8 | w);
			assert_int_equal(get(m, TMA_REG_WINDOW_INDEX), q << 8 | w);
			set(m, TMA_REG_WINDOW_BASE_HI, 10 * q + w);
		}
	refuse(m, TMA_REG_WINDOW_INDEX, 0x003);
	refuse(m, TMA_REG_WINDOW_INDEX, 0x200);
	assert_int_equal(get(m, TMA_REG_WINDOW_INDEX), 0x102);
	set(m, TMA_REG_WINDOW_INDEX, 0xffff0101);
	assert_int_equal(get(m, TMA_REG_WINDOW_BASE_HI), 11);
	for (uint32_t p = 0; p < 2; p++)
		for (uint32_t w = 0; w < 5; w++) {
			set(m, TMA_REG_MULTIMEM_INDEX, p << 8 | w);
			set(m, TMA_REG_MULTIMEM_PORT_BASE_HI, 10 * p + w);
			set(m, TMA_REG_MULTIMEM_LIMIT_HI, w);
		}
	refuse(m, TMA_REG_MULTIMEM_INDEX, 0x005);
	refuse(m, TMA_REG_MULTIMEM_INDEX, 0x200);
	assert_int_equal(get(m, TMA_REG_MULTIMEM_INDEX), 0x104);
	set(m, TMA_REG_MULTIMEM_INDEX, 0x003);
	assert_int_equal(get(m, TMA_REG_MULTIMEM_PORT_BASE_HI), 3);
	assert_int_equal(get(m, TMA_REG_MULTIMEM_LIMIT_HI), 3);
}

MODEL_TEST(an_enabled_queue_is_locked, new_model())
{
	static const uint32_t locked[] = { TMA_REG_QUEUE_CTA(1),
		                           TMA_REG_QUEUE_STREAM(1),
		                           TMA_REG_QUEUE_RING_BASE_LO(1),
		                           TMA_REG_QUEUE_RING_BASE_HI(1),
		                           TMA_REG_QUEUE_COMPLETION_BASE_LO(1),
		                           TMA_REG_QUEUE_COMPLETION_BASE_HI(1),
		                           TMA_REG_QUEUE_CANCEL_MASK(1),
		                           TMA_REG_WINDOW_ATTR,
		                           TMA_REG_WINDOW_BASE_LO,
		                           TMA_REG_WINDOW_BASE_HI,
		                           TMA_REG_WINDOW_LIMIT_LO,
		                           TMA_REG_WINDOW_LIMIT_HI };

	set(m, TMA_REG_WINDOW_INDEX, 0x100);
	set(m, TMA_REG_QUEUE_CONTROL(1), 1);
	for (size_t i = 0; i < ARRAY_SIZE(locked); i++)
		refuse(m, locked[i], 0);
	refuse(m, TMA_REG_QUEUE_RING_SIZE(1), 0x404);
	set(m, TMA_REG_QUEUE_STREAM(0), 1);
	refuse(m, TMA_REG_QUEUE_CONTROL(1), 3);
	set(m, TMA_REG_QUEUE_CONTROL(1), 1);
	set(m, TMA_REG_QUEUE_CONTROL(1), 2);
	assert_int_equal(get(m, TMA_REG_QUEUE_CONTROL(1)), 2);
	set(m, TMA_REG_QUEUE_CONTROL(1), 3);
	refuse(m, TMA_REG_QUEUE_CONTROL(1), 1);
	set(m, TMA_REG_QUEUE_CONTROL(1), 0);
	for (size_t i = 0; i < ARRAY_SIZE(locked); i++)
		set(m, locked[i], 0);
}

MODEL_TEST(multimem_windows_in_use_are_locked, new_model())
{
	static const uint32_t locked[] = { TMA_REG_MULTIMEM_PORTS,       TMA_REG_MULTIMEM_BASE_LO,
		                           TMA_REG_MULTIMEM_BASE_HI,     TMA_REG_MULTIMEM_LIMIT_LO,
		                           TMA_REG_MULTIMEM_LIMIT_HI,    TMA_REG_MULTIMEM_PORT_BASE_LO,
		                           TMA_REG_MULTIMEM_PORT_BASE_HI };

	set(m, TMA_REG_WINDOW_INDEX, 0x102);
	set(m, TMA_REG_WINDOW_ATTR, 4);
	set(m, TMA_REG_QUEUE_CONTROL(0), 1);
	for (size_t i = 0; i < ARRAY_SIZE(locked); i++)
		set(m, locked[i], 0);
	set(m, TMA_REG_QUEUE_CONTROL(1), 1);
	for (size_t i = 0; i < ARRAY_SIZE(locked); i++)
		refuse(m, locked[i], 0);
	set(m, TMA_REG_MULTIMEM_INDEX, 0x101);
}

/* Door registers outside of a life; INTERRUPT_* work always. */
MODEL_TEST(doors_of_a_disabled_queue, new_model())
{
	refuse(m, TMA_REG_DOOR_TAIL(0), 0);
	refuse(m, TMA_REG_DOOR_CONSUMER(0), 0);
	refuse(m, TMA_REG_DOOR_RESUME(0), 0);
	for (uint32_t value = 0; value < 2; value++) {
		refuse(m, TMA_REG_DOOR_RESET(0), value);
		refuse(m, TMA_REG_DOOR_CANCEL(0), value);
	}
	set(m, TMA_REG_DOOR_INTERRUPT_PENDING(0), 1);
	set(m, TMA_REG_QUEUE_CONTROL(0), 1);
	refuse(m, TMA_REG_DOOR_TAIL(0), 0);
	set(m, TMA_REG_DOOR_CONSUMER(0), 0);
	refuse(m, TMA_REG_DOOR_CONSUMER(0), 1);
	refuse(m, TMA_REG_DOOR_RESUME(0), 0);
	for (uint32_t value = 0; value < 2; value++) {
		set(m, TMA_REG_DOOR_RESET(0), value);
		set(m, TMA_REG_DOOR_CANCEL(0), value);
	}
}

static uint64_t counter(struct tma_model *m, uint32_t index)
{
	uint32_t low = get(m, TMA_REG_COUNTER_LO(index));

	return (uint64_t)get(m, TMA_REG_COUNTER_HI(index)) << 32 | low;
}

MODEL_TEST(counters_and_idle, new_model())
{
	struct tma_command signal = base_signal(), refused = base_signal();

	refused.version = 7;
	assert_int_equal(tma_model_submit(m, 0, &signal), 0);
	assert_int_equal(get(m, TMA_REG_STATUS), 1);
	set(m, TMA_REG_QUEUE_CONTROL(0), 1);
	assert_int_equal(get(m, TMA_REG_STATUS), 0);
	assert_int_equal(get(m, TMA_REG_QUEUE_STATUS(0)), TMA_REG_QUEUE_STATUS_BUSY_MASK);
	assert_int_equal(get(m, TMA_REG_DOOR_TAIL(0)), 1);
	assert_int_equal(tma_model_submit(m, 0, &refused), 0);
	assert_int_equal(tma_model_run(m), 2);
	assert_int_equal(get(m, TMA_REG_STATUS), 0);
	assert_int_equal(get(m, TMA_REG_DOOR_STATUS(0)),
	                 TMA_REG_QUEUE_STATUS_BUSY_MASK | TMA_REG_QUEUE_STATUS_FAULTED_MASK);
	assert_int_equal(get(m, TMA_REG_QUEUE_FAULT(0)), 1 << 16 | TMA_FAULT_UNKNOWN_VERSION);
	assert_int_equal(get(m, TMA_REG_QUEUE_FAULT_SEQUENCE(0)), 1);
	assert_int_equal(get(m, TMA_REG_QUEUE_FAULT_ADDRESS_LO(0)), 0x760);
	assert_int_equal(counter(m, TMA_COUNTER_COMMANDS), 1);
	assert_int_equal(counter(m, TMA_COUNTER_FAULTS), 1);
	assert_int_equal(counter(m, TMA_COUNTER_RECORDS), 2);
	assert_int_equal(counter(m, TMA_COUNTER_SIGNALS), 0);
	set(m, TMA_REG_DOOR_RESUME(0), 2);
	assert_int_equal(get(m, TMA_REG_STATUS), 1);
	assert_int_equal(tma_model_kill_port(m, 1), 0);
	assert_int_equal(get(m, TMA_REG_PORTS), 2);
}

static void put(uint8_t *memory, uint32_t slot, struct tma_command c)
{
	memcpy(memory + 64 * slot, &c, sizeof(c));
}

/* Set-up, doorbell, wait, cancel, resume, reset and interrupt, as ring software does it. */
MODEL_TEST(a_program_through_registers, new_model())
{
	static uint8_t memory[2 * PAGE];
	struct tma_command wait = wait_parity(TMA_MBARRIER_TRY_WAIT, AT(2, 8), 0);
	struct tma_record r;

	assert_int_equal(tma_model_map(m, 0, UINT64_C(0x500000000), sizeof(memory), memory), 0);
	set(m, TMA_REG_WINDOW_INDEX, 0x101);
	set(m, TMA_REG_WINDOW_BASE_HI, 5);
	set(m, TMA_REG_WINDOW_LIMIT_LO, 0x1000);
	set(m, TMA_REG_WINDOW_LIMIT_HI, 5);
	set(m, TMA_REG_WINDOW_ATTR, 3);
	set(m, TMA_REG_QUEUE_CTA(1), 0x00040002);
	set(m, TMA_REG_QUEUE_RING_BASE_HI(1), 5);
	set(m, TMA_REG_QUEUE_COMPLETION_BASE_LO(1), 0x1000);
	set(m, TMA_REG_QUEUE_COMPLETION_BASE_HI(1), 5);
	set(m, TMA_REG_QUEUE_CONTROL(1), 3);
	set(m, TMA_REG_DOOR_INTERRUPT_ENABLE(1), 1);
	wait.tx = 0xffffffff;
	put(memory, 0, barrier_init(AT(2, 8), 1));
	put(memory, 1, wait);
	put(memory, 2, tagged(base_signal(), 0xabc));
	set(m, TMA_REG_DOOR_TAIL(1), 3);
	assert_int_equal(tma_model_run(m), 1);
	assert_int_equal(get(m, TMA_REG_DOOR_HEAD(1)), 1);
	assert_int_equal(get(m, TMA_REG_DOOR_STATUS(1)),
	                 TMA_REG_DOOR_STATUS_BUSY_MASK | TMA_REG_DOOR_STATUS_WAITING_MASK);
	refuse(m, TMA_REG_DOOR_RESUME(1), 1);
	set(m, TMA_REG_DOOR_CANCEL(1), 0);
	assert_int_equal(get(m, TMA_REG_DOOR_FAULT(1)), 0);
	set(m, TMA_REG_DOOR_CANCEL(1), 1);
	assert_int_equal(get(m, TMA_REG_DOOR_FAULT(1)), 1 << 16 | TMA_FAULT_CANCELLED);
	assert_int_equal(get(m, TMA_REG_DOOR_PRODUCER(1)), 1);
	assert_int_equal(get(m, TMA_REG_DOOR_INTERRUPT_PENDING(1)), 1);
	assert_int_equal(tma_model_interrupts(m), 2);
	set(m, TMA_REG_DOOR_INTERRUPT_PENDING(1), 0);
	assert_int_equal(tma_model_interrupts(m), 2);
	set(m, TMA_REG_DOOR_INTERRUPT_PENDING(1), 1);
	assert_int_equal(tma_model_interrupts(m), 0);
	set(m, TMA_REG_DOOR_CONSUMER(1), 1);
	refuse(m, TMA_REG_DOOR_CONSUMER(1), 0);
	refuse(m, TMA_REG_DOOR_RESUME(1), 4);
	set(m, TMA_REG_DOOR_RESUME(1), 2);
	assert_int_equal(tma_model_run(m), 1);
	memcpy(&r, memory + PAGE + 32, sizeof(r));
	assert_int_equal(r.sequence, 2);
	assert_int_equal(r.queue, 1);
	assert_int_equal(r.kind, TMA_KIND_SIGNAL);
	assert_int_equal(r.tag, 0xabc);
	assert_int_equal(r.phase, 1);
	set(m, TMA_REG_DOOR_TAIL(1), 2 + 17);
	set(m, TMA_REG_DOOR_TAIL(1), 3 + 17);
	assert_int_equal(get(m, TMA_REG_DOOR_FAULT(1)), 1 << 16 | TMA_FAULT_RING_OVERRUN);
	assert_int_equal(get(m, TMA_REG_DOOR_FAULT_ADDRESS_LO(1)), 20);
	assert_int_equal(get(m, TMA_REG_DOOR_TAIL(1)), 19);
	set(m, TMA_REG_DOOR_RESET(1), 1);
	assert_int_equal(get(m, TMA_REG_DOOR_TAIL(1)), 0);
	assert_int_equal(get(m, TMA_REG_DOOR_PRODUCER(1)), 0);
	assert_int_equal(get(m, TMA_REG_DOOR_CONSUMER(1)), 0);
	assert_int_equal(get(m, TMA_REG_DOOR_FAULT(1)), 0);
	assert_int_equal(get(m, TMA_REG_DOOR_INTERRUPT_ENABLE(1)), 1);
	assert_int_equal(get(m, TMA_REG_QUEUE_CONTROL(1)), 3);
}

/* What one interface sets the other shows. */
FIXTURE_TEST(calls_and_registers_agree)
{
	ring_start(f, 1);
	set(f->m, TMA_REG_WINDOW_INDEX, 0x100);
	assert_int_equal(get(f->m, TMA_REG_WINDOW_BASE_HI), GLOBAL >> 32);
	assert_int_equal(get(f->m, TMA_REG_WINDOW_LIMIT_LO), (uint32_t)(GLOBAL_END - 1));
	assert_int_equal(get(f->m, TMA_REG_WINDOW_ATTR), 3);
	assert_int_equal(get(f->m, TMA_REG_QUEUE_CONTROL(1)), 3);
	assert_int_equal(get(f->m, TMA_REG_QUEUE_CTA(1)), 0xf0001);
	assert_int_equal(get(f->m, TMA_REG_QUEUE_RING_BASE_LO(1)), (uint32_t)RING_AT(1));
	assert_int_equal(get(f->m, TMA_REG_QUEUE_COMPLETION_BASE_HI(1)), COMPLETION_AT(1) >> 32);
	assert_int_equal(get(f->m, TMA_REG_QUEUE_RING_SIZE(1)), 0x404);
}

LIST_SUITE(test_model_regs)
