/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of one AXI port, played by hand. */
#include <string.h>

#include "lib/cmocka_all.h"
#include "lib/test/axi_check_port.h"

#define OUT(name) PIN(struct port, #name, out.name)
#define IN(name)  PIN(struct port, #name, in.name)

static const struct pin pins[] = {
	PIN(struct port, "ar", out.ar_valid),
	PIN(struct port, "aw", out.aw_valid),
	PIN(struct port, "w", out.w_valid),
	PIN(struct port, "r", in.r_valid),
	PIN(struct port, "b", in.b_valid),
	PIN(struct port, "rst_n", rst_n),
	PIN(struct port, "engine", engine),
	PIN(struct port, "reduce", reduce),
	PIN(struct port, "end", end),
	OUT(ar_addr),
	OUT(ar_len),
	OUT(ar_id),
	OUT(ar_burst),
	OUT(ar_size),
	OUT(ar_cache),
	OUT(ar_qos),
	OUT(ar_user),
	OUT(aw_addr),
	OUT(aw_len),
	OUT(aw_id),
	OUT(aw_burst),
	OUT(aw_cache),
	OUT(aw_user),
	OUT(w_last),
	OUT(r_ready),
	OUT(b_ready),
	IN(ar_ready),
	IN(aw_ready),
	IN(w_ready),
	IN(r_last),
	IN(r_resp),
	IN(r_id),
	IN(b_resp),
	IN(b_id),
	PIN(struct port, "r_data", in.r_data[0]),
	PIN(struct port, "w_strb", out.w_strb[BYTES / 8 - 1]), /* of the last eight bytes */
	PIN(struct port, "w_data", out.w_data[BYTES - 1]),
};

static void open_check(struct port *p)
{
	p->check = axi_check_new(&(struct axi_check_opts){ .port = 2,
	                                                   .data_bytes = BYTES,
	                                                   .ids = 32,
	                                                   .max_reads = 4,
	                                                   .max_writes = 3,
	                                                   .max_wait = 20,
	                                                   .max_reductions = p->reduce ? 5 : 0,
	                                                   .reduce_id = 2,
	                                                   .engine = p->engine,
	                                                   .quiet = true });
	assert_non_null(p->check);
	assert_int_equal(axi_check_legal(p->check, 0, AXI_CHECK_READ | AXI_CHECK_WRITE, BASE, SIZE), 0);
}

static void step(void *port)
{
	struct port *p = port;

	if (p->engine && !p->cycle) {
		axi_check_free(p->check);
		open_check(p);
	}
	if (p->end)
		axi_check_end(p->check);
	p->end = 0;
	axi_check_step(p->check, p->cycle++, p->rst_n, &p->out, &p->in);
}

void port_open(struct port *p)
{
	*p = (struct port){ .rst_n = 1 };
	open_check(p);
	port_play(p, "ar_ready aw_ready w_ready r_ready b_ready ar_size=6 ar_burst aw_burst w_last r_last");
	p->out.aw_size = 6;
	p->out.ar_addr = p->out.aw_addr = BASE;
	p->out.ar_user = p->out.aw_user = 0xA50F;
	memset(p->out.w_strb, 0xFF, sizeof(p->out.w_strb));
}

void port_play(struct port *p, const char *script)
{
	static const struct play port = { pins, sizeof(pins) / sizeof(pins[0]), 5, step };

	play(&port, p, script);
}
