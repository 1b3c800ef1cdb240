/* SPDX-License-Identifier: Apache-2.0 */
/* Memory and registers of ring queues. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/rig_priv.h"
#include "tma_regs.h"

#define SLOT            64u
#define RECORD          32u
#define PAGE            UINT64_C(4096)
#define MIN_LOG2        4u
#define MAX_LOG2        16u
#define RING_LOG2       7u
#define COMPLETION_LOG2 6u
#define PLACES          1000u /* tries to find one where nothing is mapped */
#define WORD_PHASE      7u    /* of a record */

static uint64_t pages(uint64_t bytes)
{
	return (bytes + PAGE - 1) & ~(PAGE - 1);
}

/* The rig's own memory: both rings, either of them first. */
static int map_own(struct rig *rig, struct rig_ring *r)
{
	uint64_t ring = pages((uint64_t)r->slots * SLOT), completion = pages((uint64_t)r->records * RECORD);
	bool swap = rng_percent(&rig->ring_rng, 50);

	r->region_size = ring + completion;
	r->memory = malloc(r->region_size);
	if (!r->memory)
		return -ENOMEM;
	for (uint32_t i = 0; i < PLACES; i++) {
		r->region = rng_next(&rig->ring_rng) & ~(PAGE - 1);
		r->base = r->region + (swap ? completion : 0);
		r->completion = r->region + (swap ? 0 : ring);
		if (!axi_mem_map(rig->mem[0], r->region, r->region_size, r->memory))
			return 0;
	}
	return -ENOMEM;
}

static int set_address(struct rig *rig, uint32_t low, uint32_t high, uint64_t address)
{
	int err = rig_csr_set(rig, low, (uint32_t)address);

	return err ? err : rig_csr_set(rig, high, (uint32_t)(address >> 32));
}

int rig_ring_open(struct rig *rig, uint32_t queue, const struct rig_queue *setup)
{
	uint32_t ring = setup->ring_log2 ? setup->ring_log2 : RING_LOG2;
	uint32_t completion = setup->completion_log2 ? setup->completion_log2 : COMPLETION_LOG2;
	struct rig_ring *r = &rig->ring[queue];
	int err;

	if (ring < MIN_LOG2 || ring > MAX_LOG2 || completion < MIN_LOG2 || completion > MAX_LOG2 ||
	    (setup->own_rings && (setup->ring_base | setup->completion_base) % PAGE))
		return -EINVAL;
	*r = (struct rig_ring){
		.slots = 1u << ring,
		.records = 1u << completion,
		.base = setup->ring_base,
		.completion = setup->completion_base,
		.bell = setup->bell,
		.consumer = setup->consumer,
		.interrupt = setup->interrupt,
	};
	if (setup->registers_set)
		return 0;
	err = setup->own_rings ? 0 : map_own(rig, r);
	err = err ? err
	          : set_address(rig, TMA_REG_QUEUE_RING_BASE_LO(queue), TMA_REG_QUEUE_RING_BASE_HI(queue),
	                        r->base);
	err = err ? err
	          : set_address(rig, TMA_REG_QUEUE_COMPLETION_BASE_LO(queue),
	                        TMA_REG_QUEUE_COMPLETION_BASE_HI(queue), r->completion);
	return err ? err
	           : rig_csr_set(rig, TMA_REG_QUEUE_RING_SIZE(queue),
	                         ring << TMA_REG_QUEUE_RING_SIZE_RING_SHIFT |
	                                 completion << TMA_REG_QUEUE_RING_SIZE_COMPLETION_SHIFT);
}

static uint32_t random_word(struct rig *rig)
{
	return (uint32_t)rng_next(&rig->ring_rng);
}

/* What must never be taken for a command: random, so that it faults if it is. */
static void fill_ring(struct rig *rig, struct rig_ring *r)
{
	for (uint32_t i = 0; i < r->slots * SLOT / sizeof(uint32_t); i++) {
		uint32_t word = random_word(rig);

		memcpy(r->memory + (r->base - r->region) + i * sizeof(word), &word, sizeof(word));
	}
}

/* What must never be taken for a record: the phase bit of no lap so far. */
static void fill_completion(struct rig *rig, uint32_t queue)
{
	struct rig_ring *r = &rig->ring[queue];
	uint32_t record[RECORD / sizeof(uint32_t)], i, w;

	free(r->shadow);
	r->shadow = calloc(r->records, RECORD);
	for (i = 0; i < r->records; i++) {
		void *slot = rig_completion_slot(rig, queue, i);

		for (w = 0; w < RECORD / sizeof(uint32_t); w++)
			record[w] = random_word(rig);
		record[WORD_PHASE] &= ~1u;
		record[WORD_PHASE] |= ((r->first_record + i) & r->records) != 0;
		if (slot)
			memcpy(slot, record, RECORD);
		if (r->shadow)
			memcpy(r->shadow + (size_t)i * RECORD, record, RECORD);
	}
}

void rig_ring_start(struct rig *rig, uint32_t queue)
{
	struct rig_ring *r = &rig->ring[queue];

	r->bound = true;
	if (rig->out->idle)
		rig->queue[queue].late = 0;
	r->paused = r->awake = false;
	r->written = r->rung = r->head = r->taken = r->told = r->telling = 0;
	r->threshold = r->patience = r->behind = r->refused = r->pause = r->posted = 0;
	if (r->memory)
		fill_ring(rig, r);
	if (r->consumer != RIG_CONSUMER_OFF)
		fill_completion(rig, queue);
}

void rig_ring_stop(struct rig *rig, uint32_t queue)
{
	rig->ring[queue].bound = false;
	rig->ring[queue].posted = 0;
	rig_csr_drop_posts(rig, queue);
}

void rig_ring_close(struct rig *rig, uint32_t queue)
{
	struct rig_ring *r = &rig->ring[queue];

	rig_ring_stop(rig, queue);
	if (r->memory)
		axi_mem_unmap(rig->mem[0], r->region);
	for (uint32_t p = 0; p < rig->info->ports; p++)
		axi_check_legal_drop(rig->check[p], RIG_OWNER_RING(queue));
	free(r->memory);
	free(r->shadow);
	*r = (struct rig_ring){ 0 };
}

int rig_ring_map_all(struct rig *rig)
{
	int err = 0;

	for (uint32_t q = 0; q < rig->info->queues && !err; q++) {
		struct rig_ring *r = &rig->ring[q];

		if (r->memory)
			err = axi_mem_map(rig->mem[0], r->region, r->region_size, r->memory);
	}
	return err;
}

void rig_ring_legal_all(struct rig *rig)
{
	for (uint32_t q = 0; q < rig->info->queues; q++) {
		const struct rig_ring *r = &rig->ring[q];

		axi_check_legal_drop(rig->check[0], RIG_OWNER_RING(q));
		if (!r->slots)
			continue;
		axi_check_legal(rig->check[0], RIG_OWNER_RING(q), AXI_CHECK_READ, r->base,
		                (uint64_t)r->slots * SLOT);
		axi_check_legal(rig->check[0], RIG_OWNER_RING(q), AXI_CHECK_WRITE, r->completion,
		                (uint64_t)r->records * RECORD);
	}
}
