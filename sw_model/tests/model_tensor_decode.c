/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_tensor_decode - what a tensor command says by itself: every mode with every dimension, every
 * operand that they do not have, alignment of its addresses.
 *
 * Spec: semantics 1.8, 1.10, 1.12; rtl/spec/tma.toml, faults 0x29 to 0x2F
 * Checks: code and address of the fault, or that another rule is next, that of a map that is none.
 */
#include "model_tensor.h"

struct form {
	uint8_t mode, opcode;
	uint8_t dims; /* mask */
	uint8_t coordinates, offsets;
};

/* Loads and prefetches are alike. Coordinates 0: as many as dimensions; offsets 9: two less. */
static const struct form forms[] = {
	{ 0, TMA_TENSOR_LOAD, 0x3e, 0, 0 },  { 1, TMA_TENSOR_LOAD, 0x38, 0, 9 },
	{ 3, TMA_TENSOR_LOAD, 0x04, 5, 0 },  { 5, TMA_TENSOR_LOAD, 0x38, 0, 2 },
	{ 6, TMA_TENSOR_LOAD, 0x38, 0, 2 },  { 0, TMA_TENSOR_STORE, 0x3e, 0, 0 },
	{ 2, TMA_TENSOR_STORE, 0x38, 0, 0 }, { 4, TMA_TENSOR_STORE, 0x04, 5, 0 },
};

static const struct form *form_of(uint8_t opcode, unsigned int mode)
{
	for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
		if (forms[i].mode == mode &&
		    (forms[i].opcode == TMA_TENSOR_STORE) == (opcode == TMA_TENSOR_STORE))
			return &forms[i];
	return NULL;
}

static const uint8_t opcodes[] = { TMA_TENSOR_LOAD, TMA_TENSOR_STORE, TMA_TENSOR_PREFETCH };

/* Memory holds no map, which is found only once all else is right. */
static void expect(struct fixture *f, struct tma_command c, uint16_t fault, uint64_t address)
{
	static const struct tma_queue_config on = { .enable = 1, .cta_mask = 0xf };
	struct tma_queue_status s;

	issue(f, 0, c);
	s = status_of(f, 0);
	if (s.fault != fault || s.fault_address != address)
		fail_msg("opcode 0x%02x mode %u dim %u: fault 0x%04x address 0x%llx, expected 0x%04x 0x%llx",
		         c.opcode, c.mode, c.dim, s.fault, (unsigned long long)s.fault_address, fault,
		         (unsigned long long)address);
	requeue(f, 0, &on, NULL);
}

FIXTURE_TEST(modes_and_dimensions)
{
	for (uint32_t o = 0; o < ARRAY_SIZE(opcodes); o++)
		for (unsigned int mode = 0; mode < 256; mode++)
			for (unsigned int dim = 0; dim < 256; dim++) {
				const struct form *form = form_of(opcodes[o], mode);
				bool has_dim = form && dim < 8 && form->dims >> dim & 1;

				expect(f, tensor(opcodes[o], (uint8_t)mode, (uint8_t)dim, 0, 0, 0, 0, 0),
				       !form      ? TMA_FAULT_TENSOR_MODE
				       : !has_dim ? TMA_FAULT_TENSOR_DIM
				                  : TMA_FAULT_MAP_RESERVED,
				       !form      ? mode
				       : !has_dim ? dim
				                  : MAP);
			}
	expect_all_memory(f);
}

/* The first eight bytes. */
static uint64_t header(const struct tma_command *c)
{
	return (uint64_t)c->opcode | 1u << 8 | (uint64_t)c->mode << 16 | (uint64_t)c->dim << 24;
}

FIXTURE_TEST(unused_operands)
{
	for (uint32_t o = 0; o < ARRAY_SIZE(opcodes); o++)
		for (uint32_t i = 0; i < ARRAY_SIZE(forms) * 8; i++) {
			const struct form *form = form_of(opcodes[o], forms[i / 8].mode);
			uint8_t dim = (uint8_t)(i % 8);
			unsigned int coordinates, offsets;
			struct tma_command c;

			if (!form || !(form->dims >> dim & 1))
				continue;
			coordinates = form->coordinates ? form->coordinates : dim;
			offsets = form->offsets == 9 ? dim - 2u : form->offsets;
			for (unsigned int n = 0; n < 8; n++) {
				bool used = n < 5 ? n < coordinates : n - 5 < offsets;

				c = tensor(opcodes[o], form->mode, dim, 0, 0, 0, 0, 0);
				if (n < 5)
					c.coord[n] = -128;
				else
					c.im2col[n - 5] = 1;
				if (opcodes[o] == TMA_TENSOR_STORE && n >= 5)
					expect(f, c, TMA_FAULT_RESERVED_BITS, header(&c));
				else
					expect(f, c, used ? TMA_FAULT_MAP_RESERVED : TMA_FAULT_TENSOR_UNUSED,
					       used ? MAP : header(&c));
			}
		}
	expect_all_memory(f);
}

FIXTURE_TEST(alignment)
{
	for (uint32_t bit = 3; bit < 8; bit++) {
		struct tma_command load = tensor(TMA_TENSOR_LOAD, 0, 1, 0, 0, 0, 0, 0);
		struct tma_command store = tensor(TMA_TENSOR_STORE, 0, 1, 0, 0, 0, 0, 0);
		bool aligned = bit == 7;

		load.shared_dst = store.shared_dst = BOX + (1u << bit);
		expect(f, load, aligned ? TMA_FAULT_MAP_RESERVED : TMA_FAULT_DST_MISALIGNED,
		       aligned ? MAP : load.shared_dst);
		expect(f, store, aligned ? TMA_FAULT_MAP_RESERVED : TMA_FAULT_SRC_MISALIGNED,
		       aligned ? MAP : store.shared_dst);
	}
	expect_all_memory(f);
}

FIXTURE_TEST(alignment_of_maps)
{
	static const uint8_t all[] = { TMA_TENSOR_LOAD, TMA_TENSOR_STORE, TMA_TENSOR_PREFETCH,
		                       TMA_PREFETCH_TENSORMAP, TMA_MAP_FENCE };

	for (uint32_t o = 0; o < ARRAY_SIZE(all); o++)
		for (uint32_t bit = 0; bit < 7; bit++) {
			struct tma_command c = tensor(all[o], 0, 1, 0, 0, 0, 0, 0);
			bool found = all[o] <= TMA_TENSOR_PREFETCH; /* that there is no map */

			if (!found)
				c.dim = 0;
			if (!found)
				c.shared_dst = 0;
			c.global_address = MAP + (1u << bit);
			if (bit < 6)
				expect(f, c, TMA_FAULT_MAP_MISALIGNED, c.global_address);
			else
				expect(f, c, found ? TMA_FAULT_MAP_RESERVED : TMA_FAULT_NONE,
				       found ? c.global_address : 0);
		}
	expect_all_memory(f);
}

LIST_SUITE(test_model_tensor_decode)
