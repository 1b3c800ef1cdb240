/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tensor - copies with a tensor map, as check.h has all others: what they move and when it is known, and which
 * map the engine has for them.
 *
 * What the ports do not show, and is not compared:
 *  - maps that are read nowhere in the dump, before or behind a command: nothing of it is checked, but that the
 *    engine does read the map before it is idle; the number of such commands is printed;
 *  - which maps the engine keeps. A copy must have had its map read; behind a fence of its own queue, or
 *    once the engine has been idle since, again;
 *  - bytes of a load's destination from its start until the last beat, since the fill may come first.
 */
#ifndef WAVECHECK_TENSOR_H
#define WAVECHECK_TENSOR_H

#include "tma_map.h"
#include "tma_model.h"
#include "wavecheck/events.h"

struct check;
struct copy;

/* A tensor copy as the model sees it, with its map. */
struct box;

/* What of one of its rows, or of some that stand together, goes over the bus. */
struct part {
	uint64_t address;
	uint32_t row, rows;    /* the first of them, how many */
	uint32_t first, bytes; /* `bytes` from `first` on in it */
	uint32_t apart;        /* 0, or of two rows that are joined: bytes from one to the other */
	uint32_t operand;      /* of all bytes that the copy moves, the first of this row */
	uint32_t lead;         /* bytes of the first beat before it */
	uint32_t start;        /* of its beats in those of the copy */
	uint32_t span;         /* bytes of its beats */
};

/* What a tensor copy has beyond others. */
struct tensor {
	struct box *box;    /* NULL: nothing moves */
	struct part *parts; /* of rows with bytes, in order */
	uint32_t num_parts;
	uint32_t *places; /* of each byte that a store moves the two in shared memory that it is made of */
	uint32_t tx;      /* for each signal */
	uint8_t map[TMA_MAP_BYTES];
	uint64_t fault_address; /* of its map, or with it, by the model */
	uint16_t fault;
	bool blind; /* the dump does not show its map */
	bool reads_map;
	uint8_t fetched;  /* halves of its map, a bit each, in reads that may be on its behalf, */
	uint32_t renewed; /* and how often that began anew */
	size_t born;      /* fences of maps before it */
	uint32_t idle;    /* when the engine was idle last, before it */
	uint8_t *saved;   /* shared memory of CTAs that it may change, while the model runs it */
	uint32_t saved_ctas;
};

/* A read of a tensor map, or of half of one, that the dump has. */
struct map_read {
	size_t event, last; /* of its address, of its last beat */
	uint64_t address;   /* of its first beat */
	uint32_t beats, seen;
	uint16_t fault; /* of the first beat that fails */
	uint64_t fault_address;
	uint8_t *bytes;
};

struct map_fence {
	uint64_t address;
	size_t event;
	uint32_t cycle;
	uint8_t queue;
	bool doubtful; /* its queue was dropped before anything behind it was seen */
	uint32_t life, number;
};

/* tensor.c: copies with a tensor map. */
bool tensor_is(uint8_t opcode);
void tensor_prepare(struct check *c, struct copy *copy);
void tensor_restore(struct check *c, struct copy *copy);
/** A fault that the model has found: true, it is one of the map, or nothing but that of memory that the
 * model does not have, and the queue goes on. */
bool tensor_late(struct check *c, struct copy *copy, const struct tma_record *fault);
void tensor_start(struct check *c, struct copy *copy);
/** Port 0 is dead: the copy fails, if it still needs its map, which may have been kept. Whether it is over with that. */
bool tensor_cut_off(struct check *c, struct copy *copy);
void tensor_deliver(struct check *c, const struct copy *copy, uint32_t offset);
/** All bytes are there: put them into shared memory. */
void tensor_place(struct check *c, const struct copy *copy);
void tensor_forget(struct check *c, const struct copy *copy);
void tensor_free(struct copy *copy);
void tensor_close(struct copy *copy);
/** Would its first burst begin here, as far as its map is known? */
bool tensor_begins(struct check *c, uint32_t queue, const struct tma_command *command, uint64_t address);

/* map.c: tensor maps as the bus shows them. */
void map_index(struct check *c);
void map_close(struct check *c);
/** The map that a command uses which runs now. False: the dump does not show one. A read that
 * fails: *fault is its code. */
bool map_choose(const struct check *c, uint64_t address, uint8_t *bytes, uint16_t *fault,
                uint64_t *fault_address);
void map_fence(struct check *c, uint32_t queue, uint64_t address);
/** The life of a queue ends: which of its last fences the engine has met is not known. */
void map_drop(struct check *c, uint32_t queue);
/** Of a map that has not come whole, what is to come first; the map, where nothing of it was read. */
uint64_t map_missing(const struct check *c, uint64_t map);
/** prefetch.tensormap is a hint: a map that lies in no window of the queue is left out. */
bool map_left_out(const struct check *c, const struct copy *copy);
void map_use(struct check *c, struct copy *copy);
/** The copy begins: it must have had its map by now. */
void map_check_begin(struct check *c, const struct copy *copy, enum port valid);
bool map_address(struct check *c);
void map_check_idle(struct check *c);

#endif
