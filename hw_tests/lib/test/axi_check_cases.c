/* SPDX-License-Identifier: Apache-2.0 */
/* Each rule that the checker promises to check, broken once. */
#include <string.h>

#include "lib/test/axi_check_port.h"

static void reset_ar(struct port *p)
{
	p->rst_n = 0;
	port_step(p);
	port_ar(p, BASE, 1, 0);
	port_step(p);
}

static void reset_aw(struct port *p)
{
	p->rst_n = 0;
	port_step(p);
	port_aw(p, BASE, 1, 0);
	port_step(p);
}

static void reset_w(struct port *p)
{
	p->rst_n = 0;
	port_step(p);
	port_w(p, 0, 1);
	port_step(p);
}

static void reset_r(struct port *p)
{
	p->rst_n = 0;
	port_step(p);
	port_r(p, 0, 1);
	port_step(p);
}

static void reset_b(struct port *p)
{
	p->rst_n = 0;
	port_step(p);
	port_b(p, 0);
	port_step(p);
}

/* The earliest valid comes with the second clock edge behind the reset. */
static void after_reset(struct port *p)
{
	p->rst_n = 0;
	port_step(p);
	p->rst_n = 1;
	port_ar(p, BASE, 1, 0);
	port_next(p);
	port_ar(p, BASE, 1, 0);
	port_step(p);
}

static void ar_dropped(struct port *p)
{
	p->in.ar_ready = 0;
	port_ar(p, BASE, 1, 0);
	port_next(p);
	port_step(p);
}

static void ar_addr_moved(struct port *p)
{
	p->in.ar_ready = 0;
	port_ar(p, BASE, 1, 0);
	port_step(p);
	p->out.ar_addr += BYTES;
	port_step(p);
}

static void ar_user_moved(struct port *p)
{
	p->in.ar_ready = 0;
	port_ar(p, BASE, 1, 0);
	port_step(p);
	p->out.ar_user = 0;
	port_step(p);
}

static void aw_dropped(struct port *p)
{
	p->in.aw_ready = 0;
	port_aw(p, BASE, 1, 0);
	port_next(p);
	port_step(p);
}

static void aw_len_moved(struct port *p)
{
	p->in.aw_ready = 0;
	port_aw(p, BASE, 1, 0);
	port_step(p);
	p->out.aw_len = 1;
	port_step(p);
}

static void w_dropped(struct port *p)
{
	p->in.w_ready = 0;
	port_w(p, 0xFF, 1);
	port_next(p);
	port_step(p);
}

static void w_data_moved(struct port *p)
{
	p->in.w_ready = 0;
	port_w(p, 0xFF, 1);
	port_step(p);
	p->out.w_data[BYTES - 1] ^= 1;
	port_step(p);
}

static void w_strobes_moved(struct port *p)
{
	p->in.w_ready = 0;
	port_w(p, 0xFF, 1);
	port_step(p);
	p->out.w_strb[BYTES / 8 - 1] ^= 1;
	port_step(p);
}

static void r_dropped(struct port *p)
{
	port_ar(p, BASE, 1, 3);
	port_next(p);
	p->out.r_ready = 0;
	port_r(p, 3, 1);
	port_next(p);
	port_step(p);
}

static void r_data_moved(struct port *p)
{
	port_ar(p, BASE, 1, 3);
	port_next(p);
	p->out.r_ready = 0;
	port_r(p, 3, 1);
	port_step(p);
	p->in.r_data[0] ^= 0x80;
	port_step(p);
}

static void b_dropped(struct port *p)
{
	port_write(p, 0);
	p->out.b_ready = 0;
	port_b(p, 0);
	port_next(p);
	port_step(p);
}

static void b_resp_moved(struct port *p)
{
	port_write(p, 0);
	p->out.b_ready = 0;
	port_b(p, 0);
	port_step(p);
	p->in.b_resp = 2;
	port_step(p);
}

static void ar_fixed(struct port *p)
{
	p->out.ar_burst = 0;
	port_ar(p, BASE, 1, 0);
	port_step(p);
}

static void aw_wrap(struct port *p)
{
	p->out.aw_burst = 2;
	port_aw(p, BASE, 1, 0);
	port_step(p);
}

static void ar_narrow(struct port *p)
{
	p->out.ar_size = 5;
	port_ar(p, BASE, 1, 0);
	port_step(p);
}

static void ar_unaligned(struct port *p)
{
	port_ar(p, BASE + 16, 1, 0);
	port_step(p);
}

static void ar_page(struct port *p)
{
	port_ar(p, BASE + 4096 - BYTES, 2, 0);
	port_step(p);
}

static void aw_page(struct port *p)
{
	port_aw(p, BASE, 65, 0);
	port_step(p);
}

static void ar_id(struct port *p)
{
	port_ar(p, BASE, 1, IDS);
	port_step(p);
}

static void ar_cache(struct port *p)
{
	static const uint8_t defined[] = { 0, 1, 2, 3, 6, 7, 10, 11, 14, 15 };

	for (uint32_t i = 0; i < sizeof(defined); i++) {
		p->out.aw_cache = defined[i];
		port_write(p, 0);
		port_b(p, 0);
		port_next(p);
	}
	p->out.ar_cache = 9;
	port_ar(p, BASE, 1, 0);
	port_step(p);
}

static void aw_cache(struct port *p)
{
	p->out.aw_cache = 12;
	port_write(p, 0);
}

/* The eight ids of the integration guide. */
static void engine_ar_id(struct port *p)
{
	static const uint8_t ids[] = { 0, 1, 2, 3, 4, 8, 12, 20 };

	port_engine(p);
	p->out.ar_user = 0xA500;
	for (uint32_t i = 0; i < sizeof(ids); i++) {
		port_ar(p, BASE, 1, ids[i]);
		port_next(p);
		port_r(p, ids[i], 1);
		port_next(p);
	}
	port_ar(p, BASE, 1, 5);
	port_step(p);
}

static void engine_aw_id(struct port *p)
{
	port_engine(p);
	port_write(p, 1);
}

static void engine_map_qos(struct port *p)
{
	port_engine(p);
	p->out.ar_user = 0xA500;
	p->out.ar_qos = 3;
	port_ar(p, BASE, 1, 4);
	port_next(p);
	port_ar(p, BASE, 1, 8);
	port_step(p);
}

static void engine_ring_hints(struct port *p)
{
	port_engine(p);
	port_ar(p, BASE, 1, 12);
	port_step(p);
}

/* With the AW, though it is not taken, and behind it; not before. */
static void engine_w_before_aw(struct port *p)
{
	port_engine(p);
	p->in.aw_ready = 0;
	port_aw(p, BASE, 1, 0);
	port_w(p, 0xFF, 1);
	port_step(p);
	p->in.aw_ready = 1;
	p->out.w_valid = 0;
	port_next(p);
	port_aw(p, BASE, 2, 0);
	port_next(p);
	port_w(p, 0xFF, 0);
	port_next(p);
	port_w(p, 0xFF, 1);
	port_next(p);
	port_w(p, 0xFF, 1);
	port_step(p);
}

/* The AW that is valid belongs to the W before. */
static void engine_w_of_next_aw(struct port *p)
{
	port_engine(p);
	p->in.aw_ready = 0;
	port_aw(p, BASE, 1, 0);
	port_w(p, 0xFF, 1);
	port_step(p);
	port_step(p);
}

static void too_many_writes(struct port *p)
{
	for (uint32_t i = 0; i < WRITES + 1; i++)
		port_write(p, 0);
}

static void r_waits(struct port *p)
{
	port_ar(p, BASE, 1, 0);
	port_next(p);
	p->out.r_ready = 0;
	port_r(p, 0, 1);
	for (uint32_t i = 0; i < WAIT + 2; i++)
		port_step(p);
}

/* As long as allowed, twice, then for longer. */
static void b_waits(struct port *p)
{
	for (uint32_t i = 0; i < 3; i++) {
		port_write(p, 0);
		p->out.b_ready = 0;
		port_b(p, 0);
		for (uint32_t k = 0; k < WAIT + i / 2; k++)
			port_step(p);
		p->out.b_ready = 1;
		port_next(p);
	}
}

static void end_of_reads(struct port *p)
{
	port_write(p, 0);
	port_b(p, 0);
	port_next(p);
	axi_check_end(p->check);
	port_ar(p, BASE, 2, 0);
	port_next(p);
	port_r(p, 0, 0);
	port_next(p);
	axi_check_end(p->check);
}

static void end_of_writes(struct port *p)
{
	port_write(p, 0);
	axi_check_end(p->check);
}

/* Fetches of commands, client 3 of the id, have no hints. */
static void ar_user(struct port *p)
{
	p->out.ar_user = 0x0010;
	port_ar(p, BASE, 1, 3 << 2);
	port_step(p);
}

/* The L2 promotion of a tensor map is for loads, but `cg` is not. */
static void ar_user_bit_6(struct port *p)
{
	p->out.ar_user = 0x0030;
	port_ar(p, BASE, 1, 0);
	port_next(p);
	p->out.ar_user = 0x0040;
	port_ar(p, BASE, 1, 0);
	port_step(p);
}

/* All hints belong to cp.async: client 5 of the id. */
static void ar_user_bit_7(struct port *p)
{
	p->out.ar_user = 0x0070;
	port_ar(p, BASE, 1, 5 << 2);
	port_next(p);
	p->out.ar_user = 0x0080;
	port_ar(p, BASE, 1, 5 << 2);
	port_step(p);
}

static void aw_user(struct port *p)
{
	p->out.aw_user = 0x0040;
	port_aw(p, BASE, 1, 5 << 2);
	port_step(p);
}

static void too_many_reads(struct port *p)
{
	uint32_t i;

	for (i = 0; i < READS + 1; i++) {
		port_ar(p, BASE, 1, 0);
		port_next(p);
	}
}

static void wlast_early(struct port *p)
{
	port_aw(p, BASE, 3, 0);
	port_next(p);
	port_w(p, 0xFF, 0);
	port_next(p);
	port_w(p, 0xFF, 1);
	port_step(p);
}

static void wlast_missing(struct port *p)
{
	port_aw(p, BASE, 2, 0);
	port_w(p, 0xFF, 0);
	port_next(p);
	port_w(p, 0xFF, 0);
	port_step(p);
}

/* The checker can only tell when the address comes. */
static void wlast_wrong_before_aw(struct port *p)
{
	port_w(p, 0xFF, 1);
	port_next(p);
	port_aw(p, BASE, 2, 0);
	port_step(p);
}

static void r_without_read(struct port *p)
{
	port_r(p, 0, 1);
	port_step(p);
}

static void r_in_the_cycle_of_ar(struct port *p)
{
	port_ar(p, BASE, 1, 0);
	port_r(p, 0, 1);
	port_step(p);
}

static void r_other_id(struct port *p)
{
	port_ar(p, BASE, 1, 0);
	port_next(p);
	port_r(p, 1, 1);
	port_step(p);
}

static void rlast_early(struct port *p)
{
	port_ar(p, BASE, 2, 0);
	port_next(p);
	port_r(p, 0, 1);
	port_step(p);
}

static void rlast_missing(struct port *p)
{
	port_ar(p, BASE, 1, 0);
	port_next(p);
	port_r(p, 0, 0);
	port_step(p);
}

static void r_exokay(struct port *p)
{
	port_ar(p, BASE, 1, 0);
	port_next(p);
	p->in.r_resp = 1;
	port_r(p, 0, 1);
	port_step(p);
}

static void b_without_write(struct port *p)
{
	port_b(p, 0);
	port_step(p);
}

static void b_before_last_w(struct port *p)
{
	port_aw(p, BASE, 2, 0);
	port_w(p, 0xFF, 0);
	port_next(p);
	port_b(p, 0);
	port_step(p);
}

static void b_twice(struct port *p)
{
	port_write(p, 0);
	port_b(p, 0);
	port_step(p);
	port_step(p);
}

static void b_exokay(struct port *p)
{
	port_write(p, 0);
	p->in.b_resp = 1;
	port_b(p, 0);
	port_step(p);
}

static void read_outside(struct port *p)
{
	port_ar(p, BASE + SIZE, 1, 0);
	port_step(p);
}

/* Only the last beat leaves the legal range. */
static void read_runs_outside(struct port *p)
{
	axi_check_legal_none(p->check);
	axi_check_legal(p->check, 0, AXI_CHECK_READ, BASE, 2 * BYTES);
	port_ar(p, BASE, 3, 0);
	port_step(p);
}

static void read_of_write_only(struct port *p)
{
	axi_check_legal_none(p->check);
	axi_check_legal(p->check, 0, AXI_CHECK_WRITE, BASE, SIZE);
	port_ar(p, BASE, 1, 0);
	port_step(p);
}

static void stray_byte(struct port *p)
{
	axi_check_legal_none(p->check);
	axi_check_legal(p->check, 0, AXI_CHECK_WRITE, BASE + 1, SIZE - 1);
	port_write(p, 0);
}

static void range_taken_back(struct port *p)
{
	axi_check_legal(p->check, 1, AXI_CHECK_READ, 0, 4096);
	port_ar(p, 0, 1, 0);
	port_next(p);
	axi_check_legal_drop(p->check, 1);
	port_ar(p, 0, 1, 0);
	port_step(p);
}

#define CASE(name, says)          \
	{                         \
#name, name, says \
	}

const struct violation violations[] = {
	CASE(reset_ar, "AR cycle 1: valid during reset"),
	CASE(reset_aw, "AW cycle 1: valid during reset"),
	CASE(reset_w, "W cycle 1: valid during reset"),
	CASE(reset_r, "R cycle 1: valid during reset"),
	CASE(reset_b, "B cycle 1: valid during reset"),
	CASE(after_reset, "AR cycle 1: valid in the first cycle after reset"),
	CASE(ar_cache, "AR cycle 20: cache 0x9 is reserved"),
	CASE(aw_cache, "AW cycle 0: cache 0xc is reserved"),
	CASE(engine_ar_id, "AR cycle 16: id 5 is out of range"),
	CASE(engine_aw_id, "AW cycle 0: id 1 is out of range"),
	CASE(engine_map_qos, "AR cycle 1: qos 3 and hints 0 of client 2"),
	CASE(engine_ring_hints, "AR cycle 0: qos 0 and hints 0xf of client 3"),
	CASE(engine_w_before_aw, "W cycle 5: valid before the AW"),
	CASE(engine_w_of_next_aw, "W cycle 1: valid before the AW"),
	CASE(too_many_writes, "more than 3 writes"),
	CASE(r_waits, "R cycle 21: valid has waited for ready for 21 cycles"),
	CASE(b_waits, "valid has waited for ready for 21 cycles"),
	CASE(end_of_reads, "1 reads and 0 writes are not answered"),
	CASE(end_of_writes, "0 reads and 1 writes are not answered"),
	CASE(ar_dropped, "AR cycle 1: valid dropped"),
	CASE(ar_addr_moved, "AR cycle 1: payload changed"),
	CASE(ar_user_moved, "AR cycle 1: payload changed"),
	CASE(aw_dropped, "AW cycle 1: valid dropped"),
	CASE(aw_len_moved, "AW cycle 1: payload changed"),
	CASE(w_dropped, "W cycle 1: valid dropped"),
	CASE(w_data_moved, "W cycle 1: payload changed"),
	CASE(w_strobes_moved, "W cycle 1: payload changed"),
	CASE(r_dropped, "R cycle 2: valid dropped"),
	CASE(r_data_moved, "R cycle 2: payload changed"),
	CASE(b_dropped, "B cycle 2: valid dropped"),
	CASE(b_resp_moved, "B cycle 2: payload changed"),
	CASE(ar_fixed, "not INCR"),
	CASE(aw_wrap, "not INCR"),
	CASE(ar_narrow, "not the full width"),
	CASE(ar_unaligned, "not aligned"),
	CASE(ar_page, "AR cycle 0: burst crosses 4 KiB"),
	CASE(aw_page, "AW cycle 0: burst crosses 4 KiB"),
	CASE(ar_id, "id 32 is out of range"),
	CASE(ar_user, "AR cycle 0: user has reserved bits 0x10"),
	CASE(ar_user_bit_6, "AR cycle 1: user has reserved bits 0x40"),
	CASE(ar_user_bit_7, "AR cycle 1: user has reserved bits 0x80"),
	CASE(aw_user, "AW cycle 0: user has reserved bits 0x40"),
	CASE(too_many_reads, "more than 4 reads"),
	CASE(wlast_early, "W cycle 2: WLAST on beat 2 of 3"),
	CASE(wlast_missing, "W cycle 1: no WLAST on beat 2 of 2"),
	CASE(wlast_wrong_before_aw, "WLAST on beat 1 of 2"),
	CASE(r_without_read, "no read outstanding"),
	CASE(r_in_the_cycle_of_ar, "no read outstanding"),
	CASE(r_other_id, "no read outstanding"),
	CASE(rlast_early, "RLAST is 1 with 2 beats left"),
	CASE(rlast_missing, "RLAST is 0 with 1 beats left"),
	CASE(r_exokay, "R cycle 1: response 1"),
	CASE(b_without_write, "no complete write"),
	CASE(b_before_last_w, "no complete write"),
	CASE(b_twice, "no complete write"),
	CASE(b_exokay, "B cycle 1: response 1"),
	CASE(read_outside, "read of 0x14000 is not legal"),
	CASE(read_runs_outside, "read of 0x10080 is not legal"),
	CASE(read_of_write_only, "read of 0x10000 is not legal"),
	CASE(stray_byte, "write of 0x10000 is not legal"),
	CASE(range_taken_back, "read of 0 is not legal"),
};

const uint32_t num_violations = sizeof(violations) / sizeof(violations[0]);
