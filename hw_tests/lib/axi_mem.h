/* SPDX-License-Identifier: Apache-2.0 */
/*
 * axi_mem - memory behind one AXI4 port, with exact timing.
 *
 *	AR at t --> first R at t + L at the earliest, one beat per cycle over all ids
 *	AW, W   --> B at t + L, t: the later one of AW and last W; W may come before AW
 *
 * Per cycle one handshake on each channel, any number of bursts outstanding. R and B of one id
 * keep their order; R of different ids interleave at any beat, at random. Outputs of a cycle depend only
 * on cycles before it, and ready does not depend on valid. That is the plain memory; its manners may
 * be others (axi_manners.h).
 *
 * A write reaches memory when its B is first valid, the latest moment that AXI allows, or, with manners,
 * beat by beat before that. A read takes its data at its beats or, by chance, when its AR is taken: no
 * program may rely on either.
 * Same seed and same inputs, same outputs. The model trusts the engine: axi_check does not.
 */
#ifndef AXI_MEM_H
#define AXI_MEM_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/axi_manners.h"
#include "sim/tma_sim.h"

enum axi_mem_resp {
	AXI_OKAY = 0,
	AXI_SLVERR = 2,
	AXI_DECERR = 3,
};

enum axi_mem_dir {
	AXI_MEM_READ = 1,
	AXI_MEM_WRITE = 2,
	AXI_MEM_TORN = 8, /* of errors alone, beside AXI_MEM_WRITE: each byte is written, or is not */
};

/* Channels, for axi_mem_stop(). */
enum axi_mem_channel {
	AXI_MEM_AR = 1,
	AXI_MEM_AW = 2,
	AXI_MEM_W = 4,
	AXI_MEM_R = 8,
	AXI_MEM_B = 16,
};

struct axi_mem_opts {
	uint32_t data_bytes;         /* of one beat */
	uint32_t latency;            /* L, at least 1 */
	uint32_t random_latency;     /* up to this many cycles more, drawn per burst */
	uint32_t stall_percent;      /* per cycle and channel */
	uint32_t early_read_percent; /* bursts that take their data with their AR */
	bool reads_in_order;         /* R in the order of AR, whatever the ids */
	struct axi_manners manners;
	uint64_t seed;
};

struct axi_mem;

/** @retval NULL  out of memory, or L = 0, or a beat larger than TMA_SIM_MAX_BEAT */
struct axi_mem *axi_mem_new(const struct axi_mem_opts *opts);
void axi_mem_free(struct axi_mem *m);

/** Drop all bursts, let stopped channels go on. Regions and errors stay. The pins of the next cycle go
 * to @p in. */
void axi_mem_reset(struct axi_mem *m, struct tma_axi_in *in);

/** @p base and @p size are multiples of 4096, so that no burst touches two regions.
 * @retval -EINVAL  they are not, or the region is empty, wraps or overlaps another
 * @retval -ENOMEM */
int axi_mem_map(struct axi_mem *m, uint64_t base, uint64_t size, void *memory);
/** Drop the region that begins at @p base, if there is one. */
void axi_mem_unmap(struct axi_mem *m, uint64_t base);
/** Drop all regions and all errors. */
void axi_mem_unmap_all(struct axi_mem *m);
/** What backs this address, or NULL: nothing does. */
void *axi_mem_at(const struct axi_mem *m, uint64_t addr);

/** Reads (per beat) and writes (per burst) of this range answer @p resp. Its bytes are not written,
 * but with AXI_MEM_TORN; reads of it give random data. DECERR wins over SLVERR. @p dirs: enum axi_mem_dir */
int axi_mem_error(struct axi_mem *m, uint32_t dirs, uint64_t base, uint64_t size, enum axi_mem_resp resp);
void axi_mem_clear_errors(struct axi_mem *m);

/** After @p after more steps these channels (a mask, which replaces the one before) show no ready and no
 * new valid any more; a valid that is up stays until it is taken. 0: all go on. Nothing is lost. */
void axi_mem_stop(struct axi_mem *m, uint32_t channels, uint64_t after);

/** The next burst of each of these directions is lost: nothing comes for it, nor for later ones of its id,
 * until axi_mem_reset(). Everything else goes on. @p dirs: AXI_MEM_READ, AXI_MEM_WRITE */
void axi_mem_lose(struct axi_mem *m, uint32_t dirs);

/** One cycle. @p out: the engine's settled pins. @p in: this model's pins in the same cycle;
 * becomes its pins of the next cycle. Never runs out of memory quietly: it aborts. */
void axi_mem_step(struct axi_mem *m, const struct tma_axi_out *out, struct tma_axi_in *in);

/** Bursts whose last R or B has not been taken yet, and bursts with W or AW only. */
uint32_t axi_mem_outstanding(const struct axi_mem *m);

#endif
