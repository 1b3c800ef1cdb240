/* SPDX-License-Identifier: Apache-2.0 */
/* Manners of memories, see the header. */
#include "lib/axi_manners.h"

#include <stdio.h>
#include <string.h>

#define TURN 200u /* cycles that reads may shut out writes, or writes reads */

void axi_manners_ready(const struct axi_manners *x, const struct axi_traffic *t,
                       const struct tma_axi_out *out, const struct tma_axi_in *in, bool *ar, bool *aw,
                       bool *w)
{
	bool w_waits = out->w_valid && !in->w_ready, aw_waits = out->aw_valid && !in->aw_ready;

	if (x->late_ready) {
		*ar &= out->ar_valid && !in->ar_ready;
		*aw &= aw_waits;
		*w &= w_waits;
	}
	*ar &= !x->max_reads || t->reads < x->max_reads;
	*aw &= !x->max_writes || t->writes < x->max_writes;
	/* With an AW ahead, the W that waits is that one's. */
	if (x->order == AXI_ORDER_AW_BEHIND_W)
		*aw &= t->w_ahead || (w_waits && !t->aw_ahead);
	if (x->order == AXI_ORDER_W_BEHIND_AW)
		*w &= t->aw_ahead;
	if (!x->no_write_beside_read && !x->no_read_beside_write)
		return;
	*aw &= !x->no_write_beside_read || !t->reads;
	*ar &= !x->no_read_beside_write || !t->writes;
	if (t->aw_waits > TURN && t->aw_waits > t->ar_waits)
		*ar = false;
	if (t->ar_waits > TURN && t->ar_waits >= t->aw_waits)
		*aw = false;
	/* Both in one cycle would be beside each other as well. */
	if (*ar && *aw) {
		*ar = !aw_waits;
		*aw = aw_waits;
	}
}

static uint32_t some(struct rng *rng, uint32_t percent, uint32_t most)
{
	return rng_percent(rng, percent) ? 1 + rng_below(rng, most) : 0;
}

struct axi_manners axi_manners_draw(struct rng *rng, bool hasty)
{
	struct axi_manners x = { .order = AXI_ORDER_FREE };

	if (rng_percent(rng, 25))
		return x;
	x.order = (enum axi_order)rng_below(rng, 3);
	x.late_ready = rng_percent(rng, 20);
	x.slower_reads = some(rng, 25, hasty ? 20 : 150);
	x.slower_writes = some(rng, 25, hasty ? 20 : 150);
	for (uint32_t i = 0; i < AXI_CHANNELS; i++)
		x.stalls[i] = (uint8_t)some(rng, 15, hasty ? 30 : 60);
	x.early_writes = (uint8_t)some(rng, 50, 100);
	if (hasty)
		return x;
	x.max_reads = some(rng, 20, 4);
	x.max_writes = some(rng, 20, 3);
	x.no_write_beside_read = rng_percent(rng, 12);
	x.no_read_beside_write = rng_percent(rng, 12);
	if (rng_percent(rng, 15)) {
		x.period = 100 + rng_below(rng, 1900);
		x.silence = 1 + rng_below(rng, x.period * 2 / 5);
	}
	return x;
}

bool axi_manners_slow(const struct axi_manners *x)
{
	return x->max_reads || x->max_writes || x->no_write_beside_read || x->no_read_beside_write;
}

const char *axi_manners_text(const struct axi_manners *x, char *text, size_t room)
{
	static const char *const orders[] = { "", ", AW behind W", ", W behind AW" };
	static const char *const channels[AXI_CHANNELS] = { "AR", "AW", "W", "R", "B" };
	size_t n = 0;

	text[0] = '\0';
#define SAY(condition, ...)                                                     \
	do {                                                                    \
		if ((condition) && n < room)                                    \
			n += (size_t)snprintf(text + n, room - n, __VA_ARGS__); \
	} while (0)
	SAY(x->order, "%s", orders[x->order]);
	SAY(x->late_ready, ", ready behind valid");
	SAY(x->no_write_beside_read, ", no write beside a read");
	SAY(x->no_read_beside_write, ", no read beside a write");
	SAY(x->max_reads, ", %u reads at once", x->max_reads);
	SAY(x->max_writes, ", %u writes at once", x->max_writes);
	SAY(x->silence, ", silent for %u of %u cycles", x->silence, x->period);
	SAY(x->slower_reads, ", reads slower by %u", x->slower_reads);
	SAY(x->slower_writes, ", writes slower by %u", x->slower_writes);
	for (uint32_t i = 0; i < AXI_CHANNELS; i++)
		SAY(x->stalls[i], ", %s stalls %u%%", channels[i], x->stalls[i]);
	SAY(x->early_writes, ", early writes %u%%", x->early_writes);
#undef SAY
	if (n)
		memmove(text, text + 2, strlen(text) - 1);
	return text;
}
