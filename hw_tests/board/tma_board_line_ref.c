/* SPDX-License-Identifier: Apache-2.0 */
/* What a request has to do, from docs/board.md. */
#include "board/tma_board_line_env.h"

static int check_length(uint8_t op, const uint8_t *operands, size_t size)
{
	static const size_t sizes[] = { 4, 4, 8, 10, 8, 6, 4, 4, 0 };
	bool writes = op == LINE_MEM_WRITE || op == LINE_SMEM_WRITE;
	bool reads = op == LINE_MEM_READ || op == LINE_SMEM_READ;

	if (writes)
		return size > sizes[op] && size - sizes[op] <= LINE_DATA ? LINE_OKAY : LINE_LENGTH;
	if (size != sizes[op])
		return LINE_LENGTH;
	if (reads) {
		uint64_t count = line_get(operands + size - 2, 2);

		return count && count <= LINE_DATA ? LINE_OKAY : LINE_LENGTH;
	}
	if (op == LINE_WAIT && line_get(operands, 4) > 1u << 20)
		return LINE_LENGTH;
	return LINE_OKAY;
}

/* The bytes that a request is about, or NULL. */
static uint8_t *bytes_of(struct reference *ref, bool shared, uint64_t address, size_t size)
{
	if (shared) {
		uint32_t cta = (uint32_t)address >> 24, offset = address & 0xFFFFFF;

		return cta < CTAS && offset + size <= SMEM ? ref->state.shared[cta] + offset : NULL;
	}
	/* Not by a sum that may begin again at 0. */
	if (address < BASE || address - BASE >= MEMORY || MEMORY - (address - BASE) < size)
		return NULL;
	return ref->state.memory + (address - BASE);
}

static int access_register(struct reference *ref, bool write, const uint8_t *operands, struct line_answer *a)
{
	uint64_t address = line_get(operands, 4);

	if (address % 4 || address > 0x1FFFF)
		return LINE_ADDRESS;
	if (ref->stuck)
		return LINE_STUCK;
	if (write)
		ref->state.reg_writes++;
	else
		ref->state.reg_reads++;
	if (address >= REFUSES)
		return LINE_REFUSED;
	if (write)
		ref->state.regs[address / 4] = (uint32_t)line_get(operands + 4, 4);
	else
		a->size = line_put(a->results, ref->state.regs[address / 4], 4);
	return LINE_OKAY;
}

static int move(struct reference *ref, uint8_t op, const uint8_t *operands, size_t size,
                struct line_answer *a)
{
	bool shared = op == LINE_SMEM_READ || op == LINE_SMEM_WRITE;
	bool write = op == LINE_MEM_WRITE || op == LINE_SMEM_WRITE;
	size_t head = shared ? 4 : 8, count = write ? size - head : line_get(operands + head, 2);
	uint8_t *bytes = bytes_of(ref, shared, line_get(operands, head), count);

	if (!bytes)
		return LINE_ADDRESS;
	if (ref->stuck)
		return LINE_STUCK;
	if (write) {
		memcpy(bytes, operands + head, count);
	} else {
		memcpy(a->results, bytes, count);
		a->size = count;
	}
	return LINE_OKAY;
}

static void hello(const uint8_t *operands, struct line_answer *a)
{
	uint8_t *r = a->results;

	memcpy(r, operands, 4);
	memcpy(r + 4, "TMAB", 4);
	line_put(r + 8, 1, 2);
	line_put(r + 10, LINE_DATA, 2);
	line_put(r + 12, 2500000, 4);
	line_put(r + 16, BASE, 8);
	line_put(r + 24, MEMORY, 8);
	a->size = 32;
}

static int carry_out(struct reference *ref, uint8_t op, const uint8_t *operands, size_t size, bool irq,
                     struct line_answer *a)
{
	int status = op <= LINE_RESET ? check_length(op, operands, size) : LINE_OPERATION;

	if (status != LINE_OKAY)
		return status;
	switch (op) {
	case LINE_HELLO:
		hello(operands, a);
		return LINE_OKAY;
	case LINE_REG_READ:
	case LINE_REG_WRITE:
		return access_register(ref, op == LINE_REG_WRITE, operands, a);
	case LINE_WAIT:
		a->results[0] = irq;
		a->size = 1;
		return LINE_OKAY;
	case LINE_RESET:
		ref->stuck = false;
		ref->state.resets++;
		return LINE_OKAY;
	default:
		return move(ref, op, operands, size, a);
	}
}

void ref_request(struct reference *ref, const uint8_t *request, size_t size, bool irq)
{
	struct line_answer a = { .sequence = request[0], .op = request[1] | 0x80 };

	if (ref->known && request[0] == ref->number && request[1] != LINE_HELLO) {
		ref->sent_again++;
		return;
	}
	a.status = carry_out(ref, request[1], request + 2, size - 2, irq, &a);
	ref->carried_out++;
	ref->last = a;
	ref->number = request[0];
	ref->known = request[1] != LINE_RESET || a.status != LINE_OKAY;
}
