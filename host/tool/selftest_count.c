/* SPDX-License-Identifier: Apache-2.0 */
/* Self-test: what counters have to say of a program whose events are known. */
#include <inttypes.h>
#include <string.h>

#include "selftest.h"
#include "tma_print.h"

#define LOAD_BYTES   1024u
#define STORE_BYTES  512u
#define SHARED_BYTES 512u
#define NOWHERE      4096u /* no window of a queue reaches there */
#define LOOKS        1000u /* until a prefetch must have come to its end */

/* Of all counters; `has` where the back end counts. */
struct counts {
	uint64_t value[TMA_REG_COUNTER_COUNT];
	bool has[TMA_REG_COUNTER_COUNT];
};

/* What a counter must have moved by, at least and at most. */
struct bounds {
	uint64_t least, most;
};

static void read_counts(struct selftest *t, struct counts *c)
{
	uint32_t i;
	int error;

	for (i = 0; i < TMA_REG_COUNTER_COUNT && !st_failed(t); i++) {
		error = tma_counter(t->device, (enum tma_counter)i, &c->value[i]);
		c->has[i] = !error;
		if (error != TMA_ENOTSUP)
			st_error(t, "tma_counter", error);
	}
}

/* Copies of which every event is known, in CTA 0, and one to another CTA. A command is its own retirement. */
static void run_known(struct selftest *t, uint64_t *commands, uint64_t *signals, uint64_t *records)
{
	uint32_t other = t->info.ctas - 1;

	*commands = *signals = *records = 0;
	if (other) {
		st_expect(t, other, SHARED_BYTES);
		st_run(t, other);
		tma_cp_async_bulk_shared(st_next(t), tma_shared(other, ST_DATA), tma_shared(0, ST_DATA),
		                         SHARED_BYTES, tma_shared(other, ST_BARRIER));
		st_run(t, 0);
		st_arrived(t, other);
		st_run(t, other);
		*commands = 5 + 3; /* with the signals behind each program */
		*signals = 1;
		*records = 3 + 1;
		memcpy(t->shared[other] + ST_DATA, t->shared[0] + ST_DATA, SHARED_BYTES);
	}
	st_expect(t, 0, LOAD_BYTES);
	tma_cp_async_bulk_load(st_next(t), tma_shared(0, ST_DATA), st_address(t, 4096), LOAD_BYTES,
	                       tma_shared(0, ST_BARRIER));
	st_arrived(t, 0);
	tma_cp_async_bulk_store(st_next(t), st_address(t, 8192), tma_shared(0, ST_DATA), STORE_BYTES);
	st_stored(t);
	tma_cp_async_bulk_prefetch(st_next(t), NOWHERE, 16);
	st_run(t, 0);
	memcpy(t->shared[0] + ST_DATA, t->global + 4096, LOAD_BYTES);
	memcpy(t->global + 8192, t->global + 4096, STORE_BYTES);
	*commands += 9 + 1;
	*signals += 1;
	*records += 2;
}

/* A command that faults is not retired; its record is one. */
static void run_fault(struct selftest *t)
{
	struct tma_queue *queue = st_queue(t, 0);
	struct tma_record record;
	int error;

	tma_cp_async_bulk_prefetch(st_next(t), st_address(t, 0), 24);
	st_submit(t, queue);
	if (st_failed(t))
		return;
	error = st_wait(t, queue, &record);
	if (error != TMA_EFAULT)
		st_fail(t, "a fault was provoked, and tma_wait() answers: %s", tma_strerror(error));
	else if (!st_error(t, "tma_resume", tma_resume(queue, record.sequence + 1)))
		st_take(t, queue);
}

/* Of beats and bursts more may come with rings: commands and records travel too. */
static void expect_bus(struct selftest *t, struct bounds b[TMA_REG_COUNTER_COUNT])
{
	uint64_t reads = LOAD_BYTES / t->info.data_bytes, writes = STORE_BYTES / t->info.data_bytes;
	bool direct = t->front == TMA_FRONT_DIRECT;

	b[TMA_COUNTER_READ_BEATS] = (struct bounds){ reads, direct ? reads : UINT64_MAX };
	b[TMA_COUNTER_WRITE_BEATS] = (struct bounds){ writes, direct ? writes : UINT64_MAX };
	b[TMA_COUNTER_READ_BURSTS] = (struct bounds){ 1, direct ? reads : UINT64_MAX };
	b[TMA_COUNTER_WRITE_BURSTS] = (struct bounds){ 1, direct ? writes : UINT64_MAX };
	b[TMA_COUNTER_CYCLES] = (struct bounds){ 1, UINT64_MAX };
	b[TMA_COUNTER_ISSUE_STALLS] = b[TMA_COUNTER_READ_STALLS] = b[TMA_COUNTER_WRITE_STALLS] =
		(struct bounds){ 0, UINT64_MAX };
	if (t->info.ctas > 1)
		b[TMA_COUNTER_SHARED_LINES] =
			(struct bounds){ SHARED_BYTES / t->info.data_bytes, SHARED_BYTES / 16 };
}

static void judge(struct selftest *t, const struct counts *before, const struct counts *after,
                  const struct bounds *b)
{
	uint32_t i;

	for (i = 0; i < TMA_REG_COUNTER_COUNT; i++) {
		uint64_t moved = after->value[i] - before->value[i];

		if (!after->has[i])
			continue;
		if (moved < b[i].least || moved > b[i].most) {
			t->what = tma_counter_name((enum tma_counter)i);
			st_value(t, "counter", i, moved < b[i].least ? b[i].least : b[i].most, moved);
		}
	}
	/* Stalls are cycles. */
	for (i = TMA_COUNTER_ISSUE_STALLS; i <= TMA_COUNTER_WRITE_STALLS; i++)
		if (after->has[i] && after->has[TMA_COUNTER_CYCLES] &&
		    after->value[i] - before->value[i] > after->value[0] - before->value[0])
			st_fail(t, "%s: counts more than CYCLES does", tma_counter_name((enum tma_counter)i));
}

static void say_which(struct selftest *t, const struct counts *c)
{
	char missing[256] = "";
	uint32_t i, have = 0;

	for (i = 0; i < TMA_REG_COUNTER_COUNT; i++) {
		size_t used = strlen(missing);

		have += c->has[i];
		if (!c->has[i])
			snprintf(missing + used, sizeof(missing) - used, " %s",
			         tma_counter_name((enum tma_counter)i));
	}
	if (have)
		st_note(t, "%" PRIu32 " of %u%s%s", have, TMA_REG_COUNTER_COUNT,
		        *missing ? "; not counted:" : "", missing);
	else
		st_skip(t, "the back end has no counters");
}

void st_counters(struct selftest *t)
{
	struct bounds b[TMA_REG_COUNTER_COUNT] = { { 0, 0 } };
	uint64_t commands, signals, records;
	struct counts before, after;
	uint32_t looks;

	st_fresh(t, 94, 1u << (t->info.ctas - 1) | 1);
	/* Queues first: to open one takes nothing, but rings are read. */
	st_queue(t, 0);
	read_counts(t, &before);
	run_known(t, &commands, &signals, &records);
	run_fault(t);
	/* The fault, and the signal behind it. */
	b[TMA_COUNTER_COMMANDS] = (struct bounds){ commands + 1, commands + 1 };
	b[TMA_COUNTER_RECORDS] = (struct bounds){ records + 2, records + 2 };
	b[TMA_COUNTER_SIGNALS] = (struct bounds){ signals, signals };
	b[TMA_COUNTER_FAULTS] = b[TMA_COUNTER_PREFETCH_ERRORS] = (struct bounds){ 1, 1 };
	expect_bus(t, b);
	/* Nothing tells when a prefetch has ended. */
	for (looks = 0; looks < LOOKS && !st_failed(t); looks++) {
		read_counts(t, &after);
		if (!after.has[TMA_COUNTER_PREFETCH_ERRORS] ||
		    after.value[TMA_COUNTER_PREFETCH_ERRORS] != before.value[TMA_COUNTER_PREFETCH_ERRORS])
			break;
	}
	if (st_failed(t))
		return;
	judge(t, &before, &after, b);
	t->what = NULL;
	st_compare(t);
	say_which(t, &after);
}

void st_rules(struct selftest *t)
{
	if (tma_device_check(t->device))
		st_fail(t, "the engine or what is around it broke a rule; standard error says which");
}
