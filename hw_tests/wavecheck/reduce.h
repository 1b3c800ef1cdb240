/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reduce - reductions: what they read and write on the bus, and what becomes of shared memory.
 *
 * Those of global memory go burst by burst, in one order on each port: every burst is read, worked on and written.
 * Of one line it may follow another one in flight instead, without a read of its own. A burst and its old data find
 * each other when it is written: the reads of a port belong to its writes in their order, and a write without one
 * follows. What is written has to be what the model makes of the old data that the pins have shown and of the
 * source, so any order between commands is right, of sums of floats too. It is not when an update is lost: when old
 * data was asked for while another write to the same bytes had yet to be answered.
 *
 * What is not compared: elements of which the source is not known; and what a burst makes of a read that fails is not
 * written. Those that follow such a burst show nothing at all, so their fault is believed.
 */
#ifndef WAVECHECK_REDUCE_H
#define WAVECHECK_REDUCE_H

#include "wavecheck/events.h"

struct burst;
struct check;
struct copy;

/* Old data of a burst. */
struct reduce_read {
	struct copy *copy; /* that asks for it, as far as its address says; another one may */
	uint64_t offset, address;
	size_t event; /* of its address */
	struct burst_info info;
	uint32_t beats, seen;
	bool failed;
	uint8_t *data;
};

/* A burst that is written. */
struct reduce_write {
	struct copy *copy;
	uint64_t address;
	uint32_t beats;
	uint8_t *changes, *data; /* by byte: is it written; the old one, then the new one */
	size_t follows;          /* burst whose result it begins with, of this port; SIZE_MAX: it has read */
	size_t answered;         /* event, SIZE_MAX: not yet */
	uint32_t answered_cycle;
};

struct reduce_port {
	struct reduce_read *reads;
	size_t first_read, num_reads, reads_capacity;
	struct reduce_write *writes;
	size_t num_writes, num_answered, writes_capacity;
	struct reduce_read
		loan; /* the read taken last, if who took it may have followed: another one may need it */
	struct {
		uint64_t line;
		uint16_t fault;
	} * bad; /* lines whose old data came with an error */
	size_t num_bad, bad_capacity;
};

/** Is it one; does it change global memory? */
bool reduce_is(uint8_t opcode);
bool reduce_is_global(uint8_t opcode);
/** Bytes of the beats of the copy's burst at this offset. */
uint32_t reduce_burst_bytes(const struct check *c, const struct copy *copy, uint64_t offset);
/** Of a copy that failed, bursts may be left out: is that of now a later one? Then it is the next. */
bool reduce_goes_on(const struct check *c, const struct copy *copy, int path);
void reduce_seek(const struct check *c, struct copy *copy, int path);

void reduce_read_address(struct check *c);
void reduce_read_data(struct check *c);
/** The burst of now, that belongs to its copy by address. */
void reduce_write_address(struct check *c, struct burst *b);
/** A beat of it; @p offset in the copy's beats. */
void reduce_data(struct check *c, const struct burst *b, uint64_t offset);
void reduce_response(struct check *c);
/** May the queue's command have failed as the record says, since it followed a burst that has? */
bool reduce_explains(struct check *c, const struct tma_record *seen);
void reduce_check_idle(struct check *c);
/** Nothing of the port is in flight any more. */
void reduce_forget(struct check *c, unsigned port);
void reduce_close(struct check *c);

/** The model has run a reduction of shared memory. */
void reduce_shared(struct check *c, struct copy *copy);

#endif
