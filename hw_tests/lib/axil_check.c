/* SPDX-License-Identifier: Apache-2.0 */
/* Rules of the registers' port, see the header. */
#include "lib/axil_check.h"

#include <inttypes.h>
#include <stdio.h>

#define MAX_PRINT   5
#define RESP_EXOKAY 1

static void fail(struct axil_check *c, uint64_t cycle, const char *channel, const char *what)
{
	snprintf(c->last, sizeof(c->last), "%s cycle %" PRIu64 ": %s", channel, cycle, what);
	if (c->failed++ < MAX_PRINT && !c->quiet)
		fprintf(stderr, "axil_check: %s\n", c->last);
}

static void stays(struct axil_check *c, uint64_t cycle, const char *channel, bool waited, bool valid,
                  bool same)
{
	if (waited && !valid)
		fail(c, cycle, channel, "valid dropped before ready");
	else if (waited && !same)
		fail(c, cycle, channel, "payload changed before ready");
}

static void check_stable(struct axil_check *c, uint64_t cycle, const struct tma_csr_in *in,
                         const struct tma_csr_out *out)
{
	const struct tma_csr_in *i = &c->was_in;
	const struct tma_csr_out *o = &c->was_out;

	stays(c, cycle, "AW", i->aw_valid && !o->aw_ready, in->aw_valid, in->aw_addr == i->aw_addr);
	stays(c, cycle, "W", i->w_valid && !o->w_ready, in->w_valid,
	      in->w_data == i->w_data && in->w_strb == i->w_strb);
	stays(c, cycle, "AR", i->ar_valid && !o->ar_ready, in->ar_valid, in->ar_addr == i->ar_addr);
	stays(c, cycle, "B", o->b_valid && !i->b_ready, out->b_valid, out->b_resp == o->b_resp);
	stays(c, cycle, "R", o->r_valid && !i->r_ready, out->r_valid,
	      out->r_resp == o->r_resp && out->r_data == o->r_data);
}

static void check_quiet(struct axil_check *c, uint64_t cycle, const struct tma_csr_in *in,
                        const struct tma_csr_out *out)
{
	const char *channel = in->aw_valid   ? "AW"
	                      : in->w_valid  ? "W"
	                      : in->ar_valid ? "AR"
	                      : out->b_valid ? "B"
	                      : out->r_valid ? "R"
	                                     : NULL;

	if (channel)
		fail(c, cycle, channel, "valid in or right after reset");
}

void axil_check_step(struct axil_check *c, uint64_t cycle, bool rst_n, const struct tma_csr_in *in,
                     const struct tma_csr_out *out)
{
	if (c->in_reset)
		check_quiet(c, cycle, in, out);
	c->in_reset = !rst_n;
	if (!rst_n) {
		c->started = false;
		c->aw = c->w = c->ar = 0;
		return;
	}
	if (c->started)
		check_stable(c, cycle, in, out);
	if (out->b_valid && (!c->aw || !c->w))
		fail(c, cycle, "B", "response without a request");
	if (out->r_valid && !c->ar)
		fail(c, cycle, "R", "response without a request");
	if ((out->b_valid && out->b_resp == RESP_EXOKAY) || (out->r_valid && out->r_resp == RESP_EXOKAY))
		fail(c, cycle, out->b_valid ? "B" : "R", "response 1");
	if (out->b_valid && in->b_ready) {
		c->aw -= c->aw != 0;
		c->w -= c->w != 0;
	}
	if (out->r_valid && in->r_ready)
		c->ar -= c->ar != 0;
	c->aw += in->aw_valid && out->aw_ready;
	c->w += in->w_valid && out->w_ready;
	c->ar += in->ar_valid && out->ar_ready;
	c->was_in = *in;
	c->was_out = *out;
	c->started = true;
}
