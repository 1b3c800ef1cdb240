/* SPDX-License-Identifier: Apache-2.0 */
/* axi_manners_test - each manner of a memory does what it says, and all that is drawn is legal AXI. */
#include <string.h>

#include "lib/cmocka_all.h"
#include "lib/test/axi_mem_bench.h"

#define BURSTS 4096u

/* What a run has shown, kept apart from the books of the memory. */
struct watch {
	struct axi_manners x;
	struct tma_axi_out was_out;
	struct tma_axi_in was_in;
	uint64_t w_first[BURSTS]; /* cycle of the first W valid of a burst, plus 1 */
	uint64_t ar_since, aw_since, longest;
	uint32_t ar, aw, w, reads, writes; /* taken; outstanding */
	uint32_t most_reads, most_writes, waiting_w;
	uint32_t low[AXI_CHANNELS]; /* ready low, or no valid where one could be */
	uint32_t silence, longest_silence,
		silences; /* cycles without any ready; how often so many as ordered */
};

static void look_at_order(const struct watch *k, uint64_t t, bool aw, bool w)
{
	if (aw && k->x.order == AXI_ORDER_AW_BEHIND_W)
		assert_true(k->w_first[k->aw] && k->w_first[k->aw] - 1 < t);
	if (w && k->x.order == AXI_ORDER_W_BEHIND_AW)
		assert_true(k->w < k->aw);
}

static void look(void *arg, uint64_t t, const struct tma_axi_out *out, const struct tma_axi_in *in)
{
	struct watch *k = arg;
	bool ar = out->ar_valid && in->ar_ready, aw = out->aw_valid && in->aw_ready,
	     w = out->w_valid && in->w_ready;

	if (out->w_valid && !k->w_first[k->w])
		k->w_first[k->w] = t + 1;
	look_at_order(k, t, aw, w);
	if (k->x.late_ready && t) {
		assert_false(in->ar_ready && (!k->was_out.ar_valid || k->was_in.ar_ready));
		assert_false(in->aw_ready && (!k->was_out.aw_valid || k->was_in.aw_ready));
		assert_false(in->w_ready && (!k->was_out.w_valid || k->was_in.w_ready));
	}
	if (k->x.no_write_beside_read)
		assert_false(aw && (k->reads || ar));
	if (k->x.no_read_beside_write)
		assert_false(ar && (k->writes || aw));
	k->silence = in->ar_ready || in->aw_ready || in->w_ready ? 0 : k->silence + 1;
	k->silences += k->x.silence && k->silence == k->x.silence;
	k->longest_silence = k->silence > k->longest_silence ? k->silence : k->longest_silence;
	k->low[0] += !in->ar_ready;
	k->low[1] += !in->aw_ready;
	k->low[2] += !in->w_ready;
	k->ar_since = out->ar_valid && !ar ? k->ar_since + 1 : 0;
	k->aw_since = out->aw_valid && !aw ? k->aw_since + 1 : 0;
	k->longest = k->ar_since > k->longest ? k->ar_since : k->longest;
	k->longest = k->aw_since > k->longest ? k->aw_since : k->longest;
	k->ar += ar;
	k->aw += aw;
	k->w += w && out->w_last;
	k->waiting_w += k->w > k->aw;
	assert_true(k->w < BURSTS);
	k->reads += ar - (in->r_valid && out->r_ready && in->r_last);
	k->writes += aw - (in->b_valid && out->b_ready);
	k->most_reads = k->reads > k->most_reads ? k->reads : k->most_reads;
	k->most_writes = k->writes > k->most_writes ? k->writes : k->most_writes;
	k->was_out = *out;
	k->was_in = *in;
}

static struct watch run(struct axi_manners x, uint64_t seed)
{
	struct watch k = { .x = x };

	bench_random((struct axi_mem_opts){ .latency = 10, .manners = x, .seed = seed }, look, &k);
	assert_true(k.ar > 20 && k.aw > 20 && k.aw == k.w);
	return k;
}

/* W before AW: a free memory meets it, one that waits for AW does not. */
TEST(test_order)
{
	run((struct axi_manners){ .order = AXI_ORDER_AW_BEHIND_W }, 1);
	assert_true(run((struct axi_manners){ .order = AXI_ORDER_FREE, .stalls = { 0, 80 } }, 1).waiting_w);
	assert_false(run((struct axi_manners){ .order = AXI_ORDER_W_BEHIND_AW, .stalls = { 0, 80 } }, 1)
	                     .waiting_w);
}

TEST(test_late_ready)
{
	run((struct axi_manners){ .late_ready = true }, 1);
}

TEST(test_few_at_once)
{
	struct watch k;

	for (uint32_t i = 1; i < 4; i++) {
		k = run((struct axi_manners){ .max_reads = i, .max_writes = 4 - i, .slower_reads = 200 }, i);
		assert_int_equal(k.most_reads, i);
		assert_int_equal(k.most_writes, 4 - i);
	}
}

/* Neither direction starves, whatever the other one does. */
TEST(test_not_beside_each_other)
{
	struct watch k;

	for (uint32_t i = 1; i < 4; i++) {
		k = run((struct axi_manners){ .no_write_beside_read = i & 1,
		                              .no_read_beside_write = i >> 1,
		                              .order = (enum axi_order)(i % 3) },
		        i);
		assert_true(k.longest < 800);
	}
}

TEST(test_silence)
{
	struct watch k = run((struct axi_manners){ .period = 1000, .silence = 300 }, 1);

	assert_true(k.silences >= 5 && k.silences <= 20);
	assert_int_equal(k.longest_silence, 300);
}

/* Each channel by itself. */
TEST(test_stalls)
{
	struct watch k;

	for (uint32_t i = 0; i < 3; i++) {
		struct axi_manners x = { .order = AXI_ORDER_FREE };

		x.stalls[i] = 50;
		k = run(x, i);
		for (uint32_t j = 0; j < 3; j++)
			assert_true(i == j ? k.low[j] > 2000 : k.low[j] == 0);
	}
}

/* Cycles from AR and from the last W to their answers. */
static void latencies(struct axi_manners x, uint32_t *r, uint32_t *b_)
{
	struct bench b;

	*r = *b_ = 0;
	bench_open(&b, (struct axi_mem_opts){ .latency = 10, .manners = x, .seed = 3 });
	bench_ar(&b, BASE, 1, 0);
	bench_aw(&b, BASE, 1, 0);
	bench_w(&b, 1, 0xFF, 1);
	for (uint32_t t = 1; t < 2000; t++) {
		bench_step(&b);
		*r = b.in.r_valid ? t : *r;
		*b_ = b.in.b_valid ? t : *b_;
	}
	assert_int_equal(axi_mem_outstanding(b.mem), 0);
	axi_mem_free(b.mem);
}

TEST(test_directions)
{
	uint32_t r, b;

	latencies((struct axi_manners){ .slower_reads = 100 }, &r, &b);
	assert_int_equal(r, 110);
	assert_int_equal(b, 10);
	latencies((struct axi_manners){ .slower_writes = 70 }, &r, &b);
	assert_int_equal(r, 10);
	assert_int_equal(b, 80);
	latencies((struct axi_manners){ .stalls = { 0, 0, 0, 95, 0 } }, &r, &b);
	assert_true(r > 10);
	assert_int_equal(b, 10);
	latencies((struct axi_manners){ .stalls = { 0, 0, 0, 0, 95 } }, &r, &b);
	assert_true(b > 10);
	assert_int_equal(r, 10);
}

/* Beats show one after the other between the last W and B; a second burst of the id never under the
 * first one. */
TEST(test_early_writes)
{
	struct axi_mem_opts o = { .latency = 30, .manners = { .early_writes = 70 } };
	uint32_t early = 0, torn = 0, late = 0, t;
	struct bench b;

	for (o.seed = 0; o.seed < 40; o.seed++) {
		bool shown = false;

		bench_open(&b, o);
		for (t = 0; t < 4; t++) {
			if (t % 2 == 0)
				bench_aw(&b, BASE, 2, 0);
			bench_w(&b, t < 2 ? 0x55 : 0x66, 0xFF, t % 2);
			bench_step(&b);
			if (t == 0)
				assert_int_equal(b.bytes[0], 0);
		}
		for (t = 0; t < 60; t++) {
			uint8_t first = b.bytes[0], second = b.bytes[BYTES];

			shown |= first && !b.in.b_valid;
			torn += first != second && second != 1;
			/* In the order of the beats and of the bursts. */
			assert_true(first >= second || second == (uint8_t)BYTES);
			if (b.in.b_valid)
				break;
			bench_step(&b);
		}
		assert_int_equal(t, 27);
		assert_true(b.bytes[0] && b.bytes[BYTES] != BYTES);
		for (t = 0; t < 60; t++)
			bench_step(&b);
		assert_int_equal(b.bytes[0], 0x66);
		assert_int_equal(b.bytes[2 * BYTES - 1], 0x66);
		early += shown;
		late += !shown;
		axi_mem_free(b.mem);
	}
	assert_true(early > 10 && late > 2 && torn > 0);
}

/* Of a write that fails some bytes may be there: of its strobed ones, and of no others. */
TEST(test_torn_errors)
{
	uint32_t written = 0, i;
	struct bench b;

	bench_open(&b, (struct axi_mem_opts){ .latency = 1 });
	assert_int_equal(axi_mem_error(b.mem, AXI_MEM_WRITE | AXI_MEM_TORN, BASE + 8, 16, AXI_SLVERR), 0);
	bench_aw(&b, BASE, 1, 0);
	bench_w(&b, 0xEE, 0xFE, 1);
	bench_step(&b);
	assert_int_equal(b.in.b_resp, AXI_SLVERR);
	for (i = 0; i < BYTES; i++) {
		if (i % 8 == 0)
			assert_int_equal(b.bytes[i], i);
		else if (i < 8 || i >= 24)
			assert_int_equal(b.bytes[i], 0xEE);
		else
			written += b.bytes[i] == 0xEE;
	}
	assert_true(written > 2 && written < 12);
	axi_mem_free(b.mem);
}

/* What is drawn is legal, ends, and shows every manner; a watchdog need not fear the hasty ones. */
TEST(test_drawn)
{
	struct rng rng = rng_make(5, 0);
	struct axi_manners any = { .order = AXI_ORDER_FREE };
	struct watch k;
	char text[200];

	for (uint32_t i = 0; i < 120; i++) {
		bool hasty = i % 4 == 0;
		struct axi_manners x = axi_manners_draw(&rng, hasty);

		k = run(x, i);
		if (hasty)
			assert_true(k.longest < 100 && !axi_manners_slow(&x) && !x.silence);
		any.order |= x.order;
		any.late_ready |= x.late_ready;
		any.no_write_beside_read |= x.no_write_beside_read;
		any.no_read_beside_write |= x.no_read_beside_write;
		any.max_reads |= x.max_reads;
		any.max_writes |= x.max_writes;
		any.silence |= x.silence;
		any.early_writes |= x.early_writes;
	}
	assert_true(any.order == 3 && any.late_ready && any.no_write_beside_read &&
	            any.no_read_beside_write && any.max_reads && any.max_writes && any.silence &&
	            any.early_writes);
	assert_string_equal(axi_manners_text(&(struct axi_manners){ .order = AXI_ORDER_FREE }, text, 200),
	                    "");
	assert_string_equal(axi_manners_text(&(struct axi_manners){ .order = AXI_ORDER_AW_BEHIND_W,
	                                                            .max_reads = 2,
	                                                            .stalls = { 0, 0, 7 } },
	                                     text, 200),
	                    "AW behind W, 2 reads at once, W stalls 7%");
}

int main(void)
{
	return run_file_tests("axi_manners");
}
