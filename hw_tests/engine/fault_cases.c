/* SPDX-License-Identifier: Apache-2.0 */
/* What the cases share: memories, a queue in which nothing is wrong, and commands that can go wrong. */
#include "engine/fault_cases.h"

#include <string.h>

#define READ     1u
#define WRITE    2u
#define MULTIMEM 4u

#define DST 0x400u
#define SRC 0x800u
#define TAG 0xC0FFEE42u

/* Every page that a program reads has other bytes, but for the page of zeroes. */
static uint8_t pattern(uint32_t memory, uint32_t index)
{
	uint32_t z = (memory + 1) * 0x9E3779B9u + index * 0x85EBCA6Bu;

	z = (z ^ z >> 15) * 0x2C1B3C6Du;
	return (uint8_t)(z >> 21);
}

static void put_word(uint8_t *bytes, uint64_t word)
{
	for (unsigned int i = 0; i < 8; i++)
		bytes[i] = (uint8_t)(word >> 8 * i);
}

void fault_shared_image(const struct fault_program *p, uint32_t cta, uint8_t *bytes)
{
	for (uint32_t i = 0; i < p->shape.smem_bytes; i++)
		bytes[i] = pattern(cta, i);
	put_word(bytes + FAULT_BAR, fault_barrier_word(1, 1, 0));
	put_word(bytes + FAULT_PROBE, fault_barrier_word(2, 2, 0));
	if (p->barrier.offset && p->barrier.cta == cta)
		put_word(bytes + p->barrier.offset, p->barrier.word);
}

void fault_global_image(const struct fault_program *p, uint32_t port, uint8_t *bytes)
{
	for (uint32_t i = 0; i < FAULT_PAGES * FAULT_PAGE; i++)
		bytes[i] = i / FAULT_PAGE < FAULT_ZERO_PAGE ? pattern(16 + port, i) : 0;
	for (uint32_t w = 0; p->has_map && w < 16; w++)
		put_word(bytes + FAULT_MAP_PAGE * FAULT_PAGE + 8 * w, p->map[w]);
}

void fault_windows(struct fault_window windows[FAULT_MAX_WINDOWS])
{
	uint64_t ring = FAULT_GLOBAL + FAULT_RING_PAGE * FAULT_PAGE;
	uint64_t completion = FAULT_GLOBAL + FAULT_COMPLETION_PAGE * FAULT_PAGE;

	windows[0] = (struct fault_window){ FAULT_GLOBAL, ring - 1, READ | WRITE };
	windows[1] = (struct fault_window){ ring, ring + FAULT_PAGE - 1, READ };
	windows[2] = (struct fault_window){ completion, completion + FAULT_PAGE - 1, WRITE };
	windows[3] = (struct fault_window){ FAULT_GLOBAL, ring - 1, MULTIMEM };
}

static const struct fault_list *const lists[] = {
	&fault_ring_cases, &fault_decode_cases, &fault_address_cases,    &fault_sync_cases,
	&fault_map_cases,  &fault_access_cases, &fault_completion_cases, &fault_signal_cases,
};

const struct fault_case *fault_case(size_t index)
{
	for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		if (index < lists[i]->count)
			return &lists[i]->cases[index];
		index -= lists[i]->count;
	}
	return NULL;
}

bool fault_has_front(const struct fault_case *c, bool ring)
{
	return c->front != (ring ? FAULT_DIRECT_ONLY : FAULT_RING_ONLY);
}

struct fault_program fault_build(const struct fault_case *c, const struct fault_shape *shape, bool ring)
{
	struct fault_program p = { .shape = *shape, .ring = ring, .code = c->code };

	p.cta_mask = (uint16_t)((1u << shape->ctas) - 1);
	fault_windows(p.windows);
	p.multimem.base = FAULT_GLOBAL;
	p.multimem.limit = FAULT_GLOBAL + FAULT_RING_PAGE * FAULT_PAGE - 1;
	p.multimem.ports = (1u << shape->ports) - 1;
	for (uint32_t port = 0; port < FAULT_MAX_PORTS; port++)
		p.multimem.port_base[port] = FAULT_GLOBAL;
	c->build(&p);
	return p;
}

struct tma_command fault_command(uint8_t opcode)
{
	return (struct tma_command){ .opcode = opcode, .version = TMA_COMMAND_VERSION };
}

uint32_t fault_at(uint32_t rank, uint32_t offset)
{
	return rank << 24 | offset;
}

struct tma_command fault_load(void)
{
	struct tma_command c = fault_command(TMA_BULK_LOAD);

	c.global_address = FAULT_GLOBAL;
	c.size = 64;
	c.shared_dst = DST;
	c.barrier = FAULT_BAR;
	return c;
}

struct tma_command fault_store(void)
{
	struct tma_command c = fault_command(TMA_BULK_STORE);

	c.global_address = FAULT_GLOBAL + FAULT_PAGE;
	c.size = 64;
	c.shared_src = SRC;
	return c;
}

struct tma_command fault_cp_async(void)
{
	struct tma_command c = fault_command(TMA_CP_ASYNC);

	c.global_address = FAULT_GLOBAL;
	c.size = 8;
	c.shared_dst = DST;
	return c;
}

void fault_set_map(struct fault_program *p, unsigned int lsb, unsigned int bits, uint64_t value)
{
	uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
	uint64_t *word = &p->map[lsb / 64];

	*word = (*word & ~(mask << lsb % 64)) | value << lsb % 64;
}

static struct tma_command on_map(struct fault_program *p, uint8_t opcode)
{
	struct tma_command c = fault_command(opcode);
	bool stores = opcode == TMA_TENSOR_STORE;

	p->has_map = true;
	fault_set_map(p, TMA_MAP_GLOBAL_ADDRESS_LSB, TMA_MAP_GLOBAL_ADDRESS_BITS,
	              FAULT_GLOBAL + (stores ? FAULT_PAGE : 0));
	fault_set_map(p, TMA_MAP_DIM_LSB, TMA_MAP_DIM_BITS, 64 - 1);
	fault_set_map(p, TMA_MAP_BOX_LSB, TMA_MAP_BOX_BITS, 64 - 1);
	fault_set_map(p, TMA_MAP_STRIDE_LOW_LSB, TMA_MAP_STRIDE_LOW_BITS, 64 / 16);
	c.global_address = FAULT_MAP;
	if (opcode != TMA_TENSOR_PREFETCH)
		c.shared_dst = stores ? SRC : DST;
	if (opcode == TMA_TENSOR_LOAD)
		c.barrier = FAULT_BAR;
	return c;
}

struct tma_command fault_tile(struct fault_program *p, uint8_t opcode)
{
	struct tma_command c = on_map(p, opcode);

	fault_set_map(p, TMA_MAP_RANK_LSB, TMA_MAP_RANK_BITS, 2 - 1);
	fault_set_map(p, TMA_MAP_DIM_LSB + TMA_MAP_DIM_BITS, TMA_MAP_DIM_BITS, 16 - 1);
	c.dim = 2;
	return c;
}

struct tma_command fault_im2col(struct fault_program *p, uint8_t opcode)
{
	struct tma_command c = on_map(p, opcode);

	fault_set_map(p, TMA_MAP_IM2COL_LSB, TMA_MAP_IM2COL_BITS, 1);
	fault_set_map(p, TMA_MAP_RANK_LSB, TMA_MAP_RANK_BITS, 3 - 1);
	fault_set_map(p, TMA_MAP_DIM_LSB + TMA_MAP_DIM_BITS, TMA_MAP_DIM_BITS, 8 - 1);
	fault_set_map(p, TMA_MAP_DIM_LSB + 2 * TMA_MAP_DIM_BITS, TMA_MAP_DIM_BITS, 2 - 1);
	fault_set_map(p, TMA_MAP_STRIDE_LOW_LSB + TMA_MAP_STRIDE_LOW_BITS, TMA_MAP_STRIDE_LOW_BITS, 512 / 16);
	fault_set_map(p, TMA_MAP_PIXELS_LSB, TMA_MAP_PIXELS_BITS, 8 - 1);
	c.dim = 3;
	c.mode = opcode == TMA_TENSOR_STORE ? TMA_MODE_IM2COL_NO_OFFS : TMA_MODE_IM2COL;
	return c;
}

struct tma_command fault_on_barrier(uint8_t opcode)
{
	struct tma_command c = fault_command(opcode);

	c.barrier = FAULT_BAR;
	if (opcode == TMA_MBARRIER_INIT || opcode == TMA_MBARRIER_ARRIVE)
		c.count = 1;
	return c;
}

struct tma_command fault_probe(void)
{
	struct tma_command c = fault_on_barrier(TMA_MBARRIER_ARRIVE);

	c.barrier = FAULT_PROBE;
	return c;
}

uint64_t fault_probed(void)
{
	return fault_barrier_word(2, 1, 0);
}

uint64_t fault_header(const struct tma_command *c)
{
	unsigned char bytes[8];
	uint64_t header = 0;

	memcpy(bytes, c, sizeof(bytes));
	for (unsigned int i = 0; i < sizeof(bytes); i++)
		header |= (uint64_t)bytes[i] << 8 * i;
	return header;
}

/* [19:0] expected, [39:20] pending, [60:40] tx, [61] phase, [63:62] 2 = live */
uint64_t fault_barrier_word(uint32_t expected, uint32_t pending, int32_t tx)
{
	return (uint64_t)expected | (uint64_t)pending << 20 | (uint64_t)((uint32_t)tx & 0x1fffff) << 40 |
	       UINT64_C(2) << 62;
}

static void place(struct fault_program *p, struct tma_command c, uint64_t address)
{
	c.tag = TAG;
	p->commands[0] = fault_command(TMA_SIGNAL);
	p->commands[1] = c;
	p->num_commands = 2;
	p->address = address;
	p->sequence = 1;
	p->tag = TAG;
	p->head = 2;
	p->resume = 2;
}

void fault_refused(struct fault_program *p, struct tma_command c, uint64_t address)
{
	place(p, c, address);
	p->commands[2] = fault_command(TMA_SIGNAL);
	p->num_commands = 3;
	p->head = 1;
}

/* What comes behind it may issue before its fault is known, so nothing does. */
void fault_issued(struct fault_program *p, struct tma_command c, uint64_t address)
{
	place(p, c, address);
	p->moves = true;
}

void fault_put_barrier(struct fault_program *p, uint64_t word)
{
	p->barrier.offset = FAULT_BAR;
	p->barrier.word = word;
}

void fault_bad_page(struct fault_program *p, uint32_t page, int resp)
{
	p->error.base = FAULT_GLOBAL + page * FAULT_PAGE;
	p->error.size = FAULT_PAGE;
	p->error.read_resp = resp;
	p->error.write_resp = resp;
}
