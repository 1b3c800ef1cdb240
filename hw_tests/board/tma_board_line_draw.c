/* SPDX-License-Identifier: Apache-2.0 */
/* Requests of the tests: one by one, and random ones. */
#include "board/tma_board_line_env.h"

uint8_t draw_number(struct env *e)
{
	return (uint8_t)(e->ref.number + 1);
}

size_t draw_head(struct env *e, uint8_t *request, uint8_t op)
{
	request[0] = draw_number(e);
	request[1] = op;
	return 2;
}

int request_reg(struct env *e, uint8_t op, uint32_t address, uint32_t value)
{
	uint8_t r[16];
	size_t n = draw_head(e, r, op);

	n += line_put(r + n, address, 4);
	if (op == LINE_REG_WRITE)
		n += line_put(r + n, value, 4);
	return env_request(e, r, n);
}

int request_move(struct env *e, uint8_t op, uint64_t address, size_t size)
{
	uint8_t r[MAX_LINE_REQ];
	size_t n = draw_head(e, r, op);

	n += line_put(r + n, address, op >= LINE_SMEM_READ ? 4 : 8);
	if (op == LINE_MEM_READ || op == LINE_SMEM_READ)
		n += line_put(r + n, size, 2);
	else
		for (size_t i = 0; i < size; i++)
			r[n++] = (uint8_t)rng_next(&e->rng);
	return env_request(e, r, n);
}

int request_alone(struct env *e, uint8_t op)
{
	uint8_t r[2];

	return env_request(e, r, draw_head(e, r, op));
}

int request_wait(struct env *e, uint32_t us)
{
	uint8_t r[6];
	size_t n = draw_head(e, r, LINE_WAIT);

	return env_request(e, r, n + line_put(r + n, us, 4));
}

/* Mostly what may be, near the ends of everything. */
size_t draw_request(struct env *e, uint8_t *r)
{
	struct rng *rng = &e->rng;
	static const uint32_t sizes[] = { 1, 2, 15, 16, 17, 40, 100, LINE_DATA };
	uint32_t size = sizes[rng_below(rng, 8)];
	uint8_t op = (uint8_t)(rng_percent(rng, 3) ? rng_below(rng, 256) : rng_below(rng, 9));
	size_t n = draw_head(e, r, op);

	if (size == LINE_DATA && rng_percent(rng, 80))
		size = 1 + rng_below(rng, 64);
	switch (op) {
	case LINE_HELLO:
		n += line_put(r + n, rng_next(rng), 4);
		break;
	case LINE_REG_READ:
	case LINE_REG_WRITE:
		n += line_put(r + n, rng_percent(rng, 5) ? rng_next(rng) : rng_below(rng, REGS) * 4, 4);
		if (op == LINE_REG_WRITE)
			n += line_put(r + n, rng_next(rng), 4);
		break;
	case LINE_MEM_READ:
	case LINE_MEM_WRITE:
		n += line_put(r + n, BASE + rng_below(rng, MEMORY) - (rng_percent(rng, 3) ? MEMORY / 2 : 0),
		              8);
		break;
	case LINE_SMEM_READ:
	case LINE_SMEM_WRITE:
		n += line_put(r + n,
		              rng_below(rng, SMEM) | (rng_below(rng, CTAS) + rng_percent(rng, 3)) << 24, 4);
		break;
	case LINE_WAIT:
		n += line_put(r + n, rng_below(rng, 20), 4);
		break;
	default:
		break;
	}
	if (op == LINE_MEM_READ || op == LINE_SMEM_READ)
		n += line_put(r + n, size, 2);
	if (op == LINE_MEM_WRITE || op == LINE_SMEM_WRITE)
		for (uint32_t i = 0; i < size; i++)
			r[n++] = (uint8_t)(rng_percent(rng, 20) ? 0x7D + rng_below(rng, 2) : rng_next(rng));
	/* Too short, too long. */
	if (rng_percent(rng, 3) && n > 2)
		n--;
	if (rng_percent(rng, 3))
		r[n++] = 0x7E;
	return n;
}
