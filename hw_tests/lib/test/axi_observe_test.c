/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axi_observe_test - when an address may have been issued: with the one before it, if it shows on the pins in
 * the cycle after that one's handshake, since it may have waited behind it; else when it shows.
 */
#include <string.h>

#include "lib/axi_observe.h"
#include "lib/cmocka_all.h"

#define BYTES 64u

static struct {
	struct tma_axi_out out;
	struct tma_axi_in in;
	uint64_t cycle, since[8], issued[8];
	uint32_t seen;
} b; /* of the test that runs */

static void on_addr(void *arg, struct axi_burst *burst)
{
	(void)arg;
	b.since[b.seen] = burst->since;
	b.issued[b.seen++] = burst->issued;
}

static struct axi_observe *start(void)
{
	const struct axi_watcher watcher = { .addr = on_addr };

	memset(&b, 0, sizeof(b));
	return axi_observe_new(BYTES, &watcher);
}

/* Nothing on the channel until @p from, then an address that is taken in cycle @p taken. */
static void address(struct axi_observe *o, bool write, uint64_t from, uint64_t taken)
{
	for (; b.cycle <= taken; b.cycle++) {
		bool valid = b.cycle >= from, ready = b.cycle == taken;

		*(write ? &b.out.aw_valid : &b.out.ar_valid) = valid;
		*(write ? &b.in.aw_ready : &b.in.ar_ready) = ready;
		axi_observe_step(o, b.cycle, &b.out, &b.in);
	}
}

TEST(an_address_may_have_waited_behind_another)
{
	for (int write = 0; write < 2; write++) {
		static const uint64_t since[] = { 0, 10, 21, 62, 64, 65 },
				      issued[] = { 0, 10, 10, 62, 64, 64 };
		struct axi_observe *o = start();

		address(o, write, 0, 0);
		address(o, write, 10, 20);
		address(o, write, 21, 60); /* right behind: issued when the one before it showed, or later */
		address(o, write, 62, 62); /* a cycle without an address: issued when it shows */
		address(o, write, 64, 64);
		address(o, write, 65, 70);
		assert_int_equal(b.seen, 6);
		assert_memory_equal(b.since, since, sizeof(since));
		assert_memory_equal(b.issued, issued, sizeof(issued));
		axi_observe_free(o);
	}
}

TEST(a_reset_forgets_the_address_before)
{
	struct axi_observe *o = start();

	address(o, false, 3, 9);
	axi_observe_reset(o);
	address(o, false, 10, 12);
	assert_int_equal(b.since[1], 10);
	assert_int_equal(b.issued[1], 10);
	axi_observe_free(o);
}

int main(void)
{
	return run_file_tests("axi_observe");
}
