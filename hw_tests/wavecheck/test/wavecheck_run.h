/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wavecheck_run - recorded runs for the tests of wavecheck, and in which cycles they did what: loads of
 * two queues, masked stores, shared copies, barriers, groups, faults; the same with rings; cp.async;
 * multimem stores; queues that stop and go on; tensor copies.
 */
#ifndef WAVECHECK_RUN_H
#define WAVECHECK_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/rig.h"
#include "tma_map.h"

/* Handshakes that a test may want to hit; of port 0, except the last ones. */
enum mark {
	MARK_AR,
	MARK_R,
	MARK_AW,
	MARK_W,
	MARK_B,
	MARK_RECORD,
	MARK_EXT_DATA, /* of CTA 0 */
	MARK_FETCH,    /* AR of a ring */
	MARK_SLOT,     /* R of a ring */
	MARK_CP,       /* R of a cp.async */
	MARK_ENTRY,    /* AW of a record, where a run has stream 0x22 for records alone */
	MARK_ENTRY_W,  /* the first W behind it */
	MARK_CSR_READ, /* answer of a register */
	MARK_AW1,      /* of port 1 */
	MARK_W1,
	MARK_MAP,     /* R of a tensor map */
	MARK_OLD,     /* AR of a reduction */
	MARK_OLD_R,   /* R of one */
	MARK_COMMAND, /* on the direct port */
	MARK_IRQ,     /* it is high */
	MARK_DOOR,    /* data for a register of a queue's page: TAIL, .., by its place there */
	MARK_DOOR_B = MARK_DOOR + 15,   /* its response */
	MARK_DOOR_R = MARK_DOOR_B + 15, /* answer of one that is read */
	NUM_MARKS = MARK_DOOR_R + 15,
};

#define RUN_MAX_MARKS 4096

struct run_marks {
	uint32_t count[NUM_MARKS];
	uint64_t cycle[NUM_MARKS][RUN_MAX_MARKS];
	/* Cycles of special ones. */
	uint64_t second_read;  /* data of bytes that were read before */
	uint64_t barrier_seen; /* data of an external read of a barrier, the engine being idle */
	uint64_t masked_beat;  /* a beat of which some bytes are not written */
	uint64_t overrun;      /* the doorbell that is one */
	uint64_t consumed;     /* answer to CONSUMER, before a ring is full */
	bool entry;            /* the next beat is a record's */
	uint32_t address;      /* of the register that is being written */
	uint32_t asked;        /* .. read */
	/* Of external reads, the first of a box, of its barriers, of columns; of commands, a map's prefetch. */
	uint32_t box_seen, barrier_read, columns_seen, map_asked;
	/* Of reductions, the first of two commands, reads and writes that could have met; of a wait; of a sum that is read. */
	struct {
		uint32_t command, old, write;
	} pair, lines;
	uint32_t wait, sum_seen;
	struct {
		uint32_t old, sum;
	} again; /* beats of what was reduced before */
};

/** Run it and write the waveform. False: the rig saw a failure. */
bool wavecheck_run(const char *fst, struct run_marks *marks);

/** Rings: many laps of both, records of all kinds, an interrupt, a full ring, a fault and an overrun. */
bool wavecheck_ring_run(const char *fst, const char *config, struct run_marks *marks);
/** cp.async of all sizes, groups, arrivals, one that fails. */
bool wavecheck_cp_run(const char *fst, const char *config, struct run_marks *marks);
/** Multimem stores, masked and not, and one that leaves its window. */
bool wavecheck_multimem_run(const char *fst, const char *config, struct run_marks *marks);
/** Queues that fault and are resumed, reset, cancelled; at the end a port that dies. */
bool wavecheck_recover_run(const char *fst, const char *config, struct run_marks *marks);
/** Reductions of all kinds, that meet and that do not; one whose read fails, one that leaves its window. */
bool wavecheck_reduce_run(const char *fst, const char *config, struct run_marks *marks);
/** Tensor copies: a tile, a store that is cut off, columns to a pair of CTAs, a map that changes, a map fault. */
bool wavecheck_tensor_run(const char *fst, const char *config, struct run_marks *marks);

/* A tensor copy and the map that it needs. Fields that are zero: what the mode has not; element strides 1. */
struct wave_mode {
	const char *name;
	uint8_t opcode, mode;
	bool packed; /* a configuration may be without it, and then the copy faults */
	bool im2col_map;
	enum tma_map_target target;
	enum tma_raw_wide wide;
	uint32_t type, rank;
	uint64_t dim[5], strides[4];
	uint32_t box[5], element_strides[5];
	int32_t lower[3], upper[3];
	uint32_t channels, pixels, interleave, swizzle, fill;
	int32_t coord[5];
	uint16_t im2col[3];
};

/** Loads, stores and prefetches of all modes, element sizes, swizzles and interleaves. */
extern const struct wave_mode wave_modes[];
extern const unsigned num_wave_modes;

/** One of them alone, behind the init of a barrier; what a load has left is read. */
bool wavecheck_mode_run(const char *fst, const char *config, const struct wave_mode *mode,
                        struct run_marks *marks);

/** Waits on groups of loads; prefetches that no window allows in parts. */
bool wavecheck_hint_run(const char *fst, const char *config, struct run_marks *marks);

/* For the runs among each other. */
void run_mark(struct run_marks *m, enum mark kind, uint64_t cycle);
void run_on_cycle(void *marks, uint64_t cycle, const struct tma_sim_in *in, const struct tma_sim_out *out);
/* A rig, and the memory of its first ports. */
#define RUN_BASE UINT64_C(0x4000010000)
#define RUN_SIZE 0x10000u

struct run_scene {
	struct rig *rig;
	uint8_t *memory[2];
};

/** Open with marks that are empty; memory[0] holds i * factor ^ i >> shift. False: it cannot be. */
bool run_open(struct run_scene *s, const char *config, const struct rig_opts *opts, uint32_t factor,
              uint32_t shift, struct run_marks *m);
/** False: the rig, if there is one, saw a failure. */
bool run_close(struct run_scene *s);

/** Submit with version and a tag of its own. */
void run_submit(struct rig *rig, uint32_t queue, struct tma_command command);
/* The same with an opcode and further fields. */
#define run_do(rig, queue, ...) run_submit(rig, queue, (struct tma_command){ .opcode = __VA_ARGS__ })

void run_init(struct rig *rig, uint32_t queue, uint32_t barrier, uint32_t count);
/** An arrival that expects @p bytes, with a record. */
void run_expect(struct rig *rig, uint32_t queue, uint32_t barrier, uint32_t bytes);
/** Wait for the end of the phase, as long as it takes. */
void run_wait(struct rig *rig, uint32_t queue, uint32_t barrier, uint32_t parity);
/** Commit, and wait for all groups with a record. */
void run_wait_stores(struct rig *rig, uint32_t queue);

#endif
