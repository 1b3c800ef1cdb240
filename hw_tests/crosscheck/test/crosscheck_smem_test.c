/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crosscheck_smem_test - order at shared memory.
 *
 * Checks: programs of a few commands, written down by hand with what each queue and SM knows, and traces
 *         of them by the cycle: in time is allowed; a load, cp.async or shared copy that writes with its
 *         signal or behind it, behind an SM's look, behind a record or a burst, twice, not at all or
 *         elsewhere is reported, and so is a store that has not read what it says; bytes that two copies
 *         write one after the other belong to each in turn, and padding to nobody.
 */

#include "lib/cmocka_all.h"
#include <stdlib.h>
#include <string.h>

#include "crosscheck/smem.h"

#define BARRIER 0x40u
#define DST     0x100u
#define BYTES   64u /* four rows of small */
#define SIGNAL  20u /* cycles */
#define LOOK    22u
#define RECORD  30u

struct world {
	struct program p;
	struct step steps[8];
	int by_queue[8];
	struct sm_act act;
	struct tensor_copy tensor;
	struct seen seen[8];
	struct smem *m;
};

static char text[400];

static struct step *add(struct world *w, struct tma_command cmd)
{
	struct step *s = &w->steps[w->p.num_steps];

	*s = (struct step){
		.cmd = cmd, .index = w->p.num_steps, .reads_done = -1, .writes_done = -1, .tensor = -1
	};
	for (uint32_t c = 0; c < MAX_CTAS; c++)
		s->phase[c] = -1;
	w->by_queue[w->p.num_steps] = (int)w->p.num_steps;
	w->seen[w->p.num_steps].first = w->seen[w->p.num_steps].record = NOT_SEEN;
	w->p.num_steps++;
	w->p.queue[0].steps++;
	return s;
}

static void begin(struct world *w)
{
	*w = (struct world){ .p = { .shape = shape_find("small"), .steps = w->steps } };
	w->p.by_queue[0] = w->by_queue;
}

/* Event 0 is the copy's end: step `step` knows of it and has its record, and the SM has seen it. */
static void known(struct world *w, uint32_t step)
{
	know_add_event(&w->steps[step].know, 0);
	w->seen[step].record = RECORD;
	w->act = (struct sm_act){ .kind = SM_POLL };
	know_add_event(&w->act.know, 0);
	w->p.sm[0] = (struct sm){ .act = &w->act, .num = 1 };
	w->m = smem_new(&w->p);
}

static void write_bytes(struct world *w, uint64_t cycle, uint32_t offset, uint16_t strb)
{
	smem_cycle(w->m, cycle,
	           &(struct tma_inside){
			   .wr_ctas = 1, .wr_row = { offset / CHUNK_BYTES }, .wr_strb = { strb } });
}

static void signal(struct world *w, uint64_t cycle, bool arrive, uint32_t tx)
{
	smem_cycle(w->m, cycle,
	           &(struct tma_inside){
			   .sig_ctas = 1, .sig_offset = BARRIER, .sig_arrive = arrive, .sig_tx = tx });
}

/* NULL: allowed. */
static const char *verdict(struct world *w)
{
	bool good = smem_allowed(&w->p, w->seen, w->m, text, sizeof(text));

	smem_free(w->m);
	return good ? NULL : text;
}

static void assert_says(const char *said, const char *word)
{
	assert_non_null(said);
	if (!strstr(said, word))
		fail_msg("%s: no %s", said, word);
}

/* A copy of four chunks, the last of them written in this cycle. */
static const char *copy_until(uint8_t opcode, uint64_t last, uint64_t seen_signal, uint64_t look, bool ahead)
{
	struct world w;
	struct step *s;

	begin(&w);
	s = add(&w, (struct tma_command){
			    .opcode = opcode, .shared_dst = DST, .barrier = BARRIER, .size = BYTES });
	s->phase[0] = 0;
	if (opcode == TMA_BULK_SHARED)
		s->cmd.shared_src = 1u << 24;
	add(&w, (struct tma_command){ .opcode = TMA_MBARRIER_TRY_WAIT, .barrier = BARRIER });
	known(&w, 1);
	w.act.ahead = ahead;
	for (uint32_t i = 0; i < 3; i++)
		write_bytes(&w, 10 + i, DST + i * CHUNK_BYTES, 0xffff);
	if (seen_signal < last)
		signal(&w, seen_signal, false, BYTES);
	write_bytes(&w, last, DST + 3 * CHUNK_BYTES, 0xffff);
	if (seen_signal >= last)
		signal(&w, seen_signal, false, BYTES);
	smem_act(w.m, look, 0, 0);
	return verdict(&w);
}

TEST(late_writes_are_reported)
{
	static const uint8_t opcodes[] = { TMA_BULK_LOAD, TMA_BULK_SHARED };

	for (uint32_t i = 0; i < 2; i++) {
		assert_null(copy_until(opcodes[i], SIGNAL - 1, SIGNAL, LOOK, false));
		assert_null(copy_until(opcodes[i], SIGNAL - 1, SIGNAL, LOOK, true));
		assert_says(copy_until(opcodes[i], SIGNAL, SIGNAL, LOOK, false),
		            "takes a signal of 64 bytes");
		assert_says(copy_until(opcodes[i], SIGNAL + 1, SIGNAL, LOOK, false), "takes a signal");
		/* Without the signal, which nobody showed: the SM, and the queue that waited. */
		assert_null(copy_until(opcodes[i], LOOK - 1, RECORD, LOOK, false));
		assert_says(copy_until(opcodes[i], LOOK - 1, RECORD, LOOK, true), "SM 0, number 0");
		assert_says(copy_until(opcodes[i], LOOK, RECORD, LOOK, false), "SM 0, number 0");
		assert_null(copy_until(opcodes[i], RECORD - 1, RECORD + 1, RECORD, false));
		assert_says(copy_until(opcodes[i], RECORD, RECORD + 1, RECORD + 9, false),
		            "queue 0, number 1");
	}
}

/* Eight bytes of cp.async, the arrival behind it and its group. */
static const char *async_until(uint64_t last, uint64_t arrival, bool burst)
{
	struct world w;

	begin(&w);
	add(&w, (struct tma_command){ .opcode = TMA_CP_ASYNC, .shared_dst = DST + 4, .size = 8 })
		->writes_done = 0;
	add(&w, (struct tma_command){ .opcode = TMA_CP_ASYNC_MBARRIER_ARRIVE, .barrier = BARRIER });
	add(&w, (struct tma_command){ .opcode = TMA_CP_ASYNC_WAIT_ALL });
	known(&w, 2);
	if (burst) {
		w.seen[2].first = RECORD - 3;
		w.seen[2].record = RECORD;
	}
	if (arrival < last)
		signal(&w, arrival, true, 0);
	write_bytes(&w, last, DST, 0x0ff0);
	if (arrival >= last)
		signal(&w, arrival, true, 0);
	smem_act(w.m, RECORD + 1, 0, 0);
	return verdict(&w);
}

TEST(late_chunks_are_reported)
{
	assert_null(async_until(SIGNAL - 1, SIGNAL, false));
	assert_says(async_until(SIGNAL, SIGNAL, false), "takes a signal of 0 bytes");
	assert_null(async_until(RECORD - 1, RECORD, false));
	assert_says(async_until(RECORD, RECORD + 1, false), "queue 0, number 2");
	assert_null(async_until(RECORD - 4, RECORD, true));
	assert_says(async_until(RECORD - 3, RECORD, true), "queue 0, number 2");
}

TEST(each_byte_is_written_once)
{
	struct world w;

	for (uint32_t what = 0; what < 5; what++) {
		begin(&w);
		add(&w, (struct tma_command){ .opcode = TMA_BULK_LOAD, .shared_dst = DST, .size = 32 })
			->phase[0] = 0;
		add(&w, (struct tma_command){ .opcode = TMA_MBARRIER_TRY_WAIT });
		known(&w, 1);
		write_bytes(&w, 10, DST, 0x00ff);
		write_bytes(&w, 11, DST, what == 1 ? 0x0f00 : 0xff00);
		if (what != 2)
			write_bytes(&w, 12, DST + 16, 0xffff);
		if (what == 3)
			write_bytes(&w, 13, DST + 16, 0x0001);
		if (what == 4)
			write_bytes(&w, 13, DST + 32, 0xffff);
		if (!what)
			assert_null(verdict(&w));
		else
			assert_says(verdict(&w),
			            what == 1   ? "4 bytes of CTA 0's shared memory were not written"
			            : what == 2 ? "16 bytes of CTA 0's shared memory were not written"
			            : what == 3 ? "chunk 0x110: bytes 0x0001 are written for no command"
			                        : "chunk 0x120: bytes 0xffff are written for no command");
	}
}

/* A command that is refused, or stands behind one, writes nothing: what it names is written by others. A size that is
 * out of range names most of a CTA. */
TEST(what_never_executes_writes_nothing)
{
	for (uint32_t what = 0; what < 3; what++) {
		struct world w;
		struct step *s;

		begin(&w);
		s = add(&w, (struct tma_command){ .opcode = TMA_BULK_SHARED,
		                                  .shared_dst = DST - 64,
		                                  .size = (1 << 20) + 32 });
		s->fault = what != 1;
		s->late = what == 2;
		if (what == 1)
			s->rule = RULE_NEVER;
		add(&w, (struct tma_command){ .opcode = TMA_BULK_LOAD, .shared_dst = DST, .size = 32 })
			->phase[0] = 0;
		add(&w, (struct tma_command){ .opcode = TMA_MBARRIER_TRY_WAIT });
		known(&w, 2);
		write_bytes(&w, 10, DST, 0xffff);
		write_bytes(&w, 11, DST + 16, 0xffff);
		/* Of one that faults in its course nobody says what it has written. */
		if (what == 2)
			assert_says(verdict(&w), "32 bytes of CTA 0's shared memory were not written");
		else
			assert_null(verdict(&w));
	}
}

/* Two loads to one place: the second one's writes are not the first one's. */
TEST(bytes_go_to_copies_in_turn)
{
	struct world w;

	for (uint32_t late = 0; late < 2; late++) {
		begin(&w);
		for (uint32_t i = 0; i < 2; i++)
			add(&w,
			    (struct tma_command){ .opcode = TMA_BULK_LOAD, .shared_dst = DST, .size = 16 })
				->phase[0] = (int)i;
		add(&w, (struct tma_command){ .opcode = TMA_MBARRIER_TRY_WAIT });
		known(&w, 2);
		write_bytes(&w, late ? RECORD : 10, DST, 0xffff);
		write_bytes(&w, RECORD + 5, DST, 0xffff);
		if (late)
			assert_says(verdict(&w), "queue 0 command 0");
		else
			assert_null(verdict(&w));
	}
}

/* A padded box, then a load over it: its padding was never written. */
TEST(padding_is_nobodys)
{
	struct world w;

	for (uint32_t late = 0; late < 2; late++) {
		begin(&w);
		w.tensor.span = (struct tensor_span){ .shared = 16, .tx = 16 };
		w.tensor.map.type = TMA_RAW_TYPE_B4X16_P64;
		w.p.tensors = &w.tensor;
		add(&w, (struct tma_command){ .opcode = TMA_TENSOR_LOAD, .shared_dst = DST })->tensor = 0;
		add(&w, (struct tma_command){ .opcode = TMA_BULK_LOAD, .shared_dst = DST, .size = 16 })
			->phase[0] = 0;
		add(&w, (struct tma_command){ .opcode = TMA_MBARRIER_TRY_WAIT });
		known(&w, 2);
		write_bytes(&w, 5, DST, 0x00ff);
		write_bytes(&w, late ? RECORD : 10, DST, 0xffff);
		if (late)
			assert_says(verdict(&w), "queue 0 command 1");
		else
			assert_null(verdict(&w));
	}
}

static void read(struct world *w, uint64_t cycle, uint32_t offset, bool done)
{
	smem_cycle(w->m, cycle,
	           &(struct tma_inside){
			   .rd_ctas = 1, .rd_row = { offset / CHUNK_BYTES }, .read_done = { done } });
}

/* Two stores of the same two chunks; one of them says too early that it has read them. */
TEST(stores_read_before_they_say_so)
{
	struct world w;

	for (uint32_t early = 0; early < 3; early++) {
		begin(&w);
		for (uint32_t i = 0; i < 2; i++)
			add(&w,
			    (struct tma_command){ .opcode = TMA_BULK_STORE, .shared_src = DST, .size = 32 });
		known(&w, 1);
		read(&w, 10, DST, false);
		read(&w, 11, DST + 16, early == 1);
		/* The next one begins in the cycle in which the first one is told. */
		read(&w, 12, DST, early != 1);
		read(&w, 13, DST + 16, early == 2);
		smem_cycle(w.m, 14, &(struct tma_inside){ .read_done = { early != 2 } });
		if (early)
			assert_says(verdict(&w),
			            early == 1
			                    ? "command 0 (BULK_STORE) has read its source, but not chunk 1"
			                    : "command 1 (BULK_STORE) has read its source, but not chunk 1");
		else
			assert_null(verdict(&w));
	}
}

int main(void)
{
	return run_file_tests("crosscheck: order at shared memory");
}
