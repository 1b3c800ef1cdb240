/* SPDX-License-Identifier: Apache-2.0 */
/* Reference of the rules of tensor copies that follow from the command alone. */
#include "unit_rtl/tma_check_query.h"

/* Coordinates and im2col operands that mode and dim have, given that both are legal. */
static uint32_t coordinates(const struct query *q)
{
	bool list = q->c->mode == TMA_MODE_GATHER4 || q->c->mode == TMA_MODE_SCATTER4;

	return list ? 5 : q->c->dim;
}

static uint32_t offsets(const struct query *q)
{
	switch (q->c->mode) {
	case TMA_MODE_IM2COL:
		return q->c->dim - 2u;
	case TMA_MODE_IM2COL_W:
	case TMA_MODE_IM2COL_W_128:
		return 2;
	default:
		return 0;
	}
}

/* CTAs whose barriers a multicast signals, and those that it signals twice. */
uint32_t check_signalled(const struct query *q, uint32_t *twice)
{
	uint32_t ctas = 0;

	*twice = 0;
	if (!flag(q, TMA_FLAG_CTA_GROUP_2))
		return q->c->cta_mask;
	for (uint32_t r = 0; r < 16; r++) {
		uint32_t bit = 1u << ((r & ~1u) | (rank_of(q->c->barrier) & 1));

		if (!(q->c->cta_mask >> r & 1))
			continue;
		*twice |= ctas & bit;
		ctas |= bit;
	}
	return ctas;
}

bool check_map_misaligned(const struct query *q)
{
	return has(q, MAP) && q->c->global_address % 64;
}

bool check_tensor_mode(const struct query *q)
{
	if (!has(q, COORD))
		return false;
	switch (q->c->mode) {
	case TMA_MODE_TILE:
		return false;
	case TMA_MODE_IM2COL:
	case TMA_MODE_GATHER4:
	case TMA_MODE_IM2COL_W:
	case TMA_MODE_IM2COL_W_128:
		return q->row->properties & STORE;
	case TMA_MODE_IM2COL_NO_OFFS:
	case TMA_MODE_SCATTER4:
		return !(q->row->properties & STORE);
	default:
		return true;
	}
}

bool check_tensor_dim(const struct query *q)
{
	uint32_t least = 1, most = 5;

	if (!has(q, COORD))
		return false;
	if (coordinates(q) != q->c->dim || q->c->mode == TMA_MODE_GATHER4 || q->c->mode == TMA_MODE_SCATTER4)
		least = most = 2;
	else if (q->c->mode != TMA_MODE_TILE)
		least = 3;
	return q->c->dim < least || q->c->dim > most;
}

bool check_tensor_unused(const struct query *q)
{
	if (!has(q, COORD))
		return false;
	for (uint32_t i = coordinates(q); i < 5; i++)
		if (q->c->coord[i])
			return true;
	for (uint32_t i = offsets(q); i < 3; i++)
		if (q->c->im2col[i])
			return true;
	return false;
}
