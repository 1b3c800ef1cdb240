/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of one AXI port, played by hand. */
#include <stdio.h>
#include <string.h>

#include "lib/cmocka_all.h"
#include "lib/test/axi_check_port.h"

void port_step(struct port *p)
{
	axi_check_step(p->check, p->cycle++, p->rst_n, &p->out, &p->in);
}

void port_next(struct port *p)
{
	port_step(p);
	p->out.ar_valid = p->out.aw_valid = p->out.w_valid = 0;
	p->in.r_valid = p->in.b_valid = 0;
}

void port_ar(struct port *p, uint64_t addr, uint8_t beats, uint8_t id)
{
	p->out.ar_valid = 1;
	p->out.ar_addr = addr;
	p->out.ar_len = (uint8_t)(beats - 1);
	p->out.ar_id = id;
}

void port_aw(struct port *p, uint64_t addr, uint8_t beats, uint8_t id)
{
	p->out.aw_valid = 1;
	p->out.aw_addr = addr;
	p->out.aw_len = (uint8_t)(beats - 1);
	p->out.aw_id = id;
}

void port_w(struct port *p, uint8_t strobes, uint8_t last)
{
	p->out.w_valid = 1;
	p->out.w_last = last;
	memset(p->out.w_strb, strobes, sizeof(p->out.w_strb));
}

void port_r(struct port *p, uint8_t id, uint8_t last)
{
	p->in.r_valid = 1;
	p->in.r_id = id;
	p->in.r_last = last;
}

void port_b(struct port *p, uint8_t id)
{
	p->in.b_valid = 1;
	p->in.b_id = id;
}

void port_write(struct port *p, uint8_t id)
{
	port_aw(p, BASE, 1, id);
	port_w(p, 0xFF, 1);
	port_next(p);
}

static void open_check(struct port *p)
{
	p->check = axi_check_new(&(struct axi_check_opts){ .port = 2,
	                                                   .data_bytes = BYTES,
	                                                   .ids = IDS,
	                                                   .max_reads = READS,
	                                                   .max_writes = WRITES,
	                                                   .max_wait = WAIT,
	                                                   .engine = p->engine,
	                                                   .quiet = true });
	assert_non_null(p->check);
	assert_int_equal(axi_check_legal(p->check, 0, AXI_CHECK_READ | AXI_CHECK_WRITE, BASE, SIZE), 0);
}

void port_open(struct port *p)
{
	*p = (struct port){ .rst_n = 1 };
	open_check(p);
	p->in.ar_ready = p->in.aw_ready = p->in.w_ready = 1;
	p->out.r_ready = p->out.b_ready = 1;
	p->out.ar_size = p->out.aw_size = 6;
	p->out.ar_burst = p->out.aw_burst = 1;
	p->out.ar_user = p->out.aw_user = 0xA50F;
}

void port_engine(struct port *p)
{
	axi_check_free(p->check);
	p->engine = true;
	open_check(p);
}
