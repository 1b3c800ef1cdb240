/* SPDX-License-Identifier: Apache-2.0 */
/*
 * check - the run that a dump shows, held against the C model.
 *
 * Every command is executed by the model as early as the dump allows: when it was accepted, all commands
 * before it in its queue have run, and what it waits for has happened. The bytes of a load arrive with
 * their beats and its signal with the last of them, since the model's own copies take no time; a store's
 * bytes leave when it runs. The engine is later, never earlier: a burst or a record of a command that
 * cannot have run is a difference, and a program without races leaves the same bytes either way.
 *
 * What cannot be known is not compared:
 *  - bytes of shared memory that nothing in the dump has shown yet; the first sight of them is believed;
 *  - bytes of a copy that nobody has waited for: no wait on its barrier, no idle engine;
 *  - a barrier's word and the answer of a command about it while another queue or a copy may be changing
 *    it: since the engine was last idle somebody else has (a wait on a barrier whose word is not known
 *    ends when something shows that it has);
 *  - what a queue did behind a fault that stops it late (window, bus, signal) or before it was disabled:
 *    such commands may have run or not. They have when a burst or a record shows it;
 *  - where HEAD is, but from above by what may have run and from below by what has: of a doorbell that may
 *    be an overrun or not, the record decides, and so it does of a wait that may have been cancelled;
 *  - records to a completion ring that no window allows, or on a dead port, and commands that the engine
 *    cannot fetch: no burst shows them. What they make of PRODUCER and of the interrupt is not held
 *    against the dump, nor is FAULT when one of several may have been the first;
 *  - records, copies and faults of a queue behind its reset or disabling, until it is used again;
 *  - in which cycle of some around it a port died: the watchdog is counted again at the pins.
 *
 * A reduction of global memory is a store of what its old data and its source come to (reduce.h); one of shared
 * memory happens at once like a copy there, and its bytes are known as far as those of all are that it adds to.
 *
 * Commands of a ring are taken from the data of the fetches (ring.c), its records from the writes to its
 * completion ring (completion.c); for the model every command comes through the direct port. A multimem
 * store has a place in its bytes per port (paths), so one port may be ahead of another.
 *
 * Bursts belong to commands by order: reads of all queues leave through two paths, tensor copies and others, one
 * command after the other, and writes through one; bulk prefetches go page by page beside them. A burst that begins a command
 * belongs to the oldest copy of the queue with its stream id (AxUSER) and its first address. Two queues
 * with one stream id may both have such a copy: then to the one whose first burst has this length, then to
 * the one that ran first in the model. Read data is of the bursts of its id in order, other beats of all.
 */
#ifndef WAVECHECK_CHECK_H
#define WAVECHECK_CHECK_H

#include "wavecheck/check_state.h"

/** Check all events. 0: all agree. Does not come back when something differs. */
int check_run(struct check *c);

/* What follows is for the parts of the checker among each other. */

/** Report the first difference, at the present event, and end the process with status 1. */
_Noreturn void differ(const struct check *c, enum port port, unsigned unit, const char *format, ...)
	__attribute__((format(printf, 4, 5)));
void say(const struct check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Room for one more element, doubled when full. Ends the process when there is no memory. */
void *grow(void *memory, size_t count, size_t *capacity, size_t unit);
/** Zeroed memory. Ends the process when there is none. */
void *allocate(size_t bytes);
const uint8_t *event_data(const struct check *c);
/** "BULK_LOAD 12 of queue 1" in one of a few buffers that are reused in turn. */
const char *name_command(uint32_t queue, uint32_t sequence, const struct tma_command *command);
const char *name_copy(const struct copy *copy);

/* setup.c */
void setup_reset(struct check *c);
void setup_write(struct check *c);
/** What the models are told of a queue: for them all commands come through the direct port. */
struct tma_queue_config setup_config(const struct check *c, uint32_t queue, bool enable);
uint32_t setup_merge(uint32_t old, uint32_t value, uint8_t strobes);

/* door.c: the queues' own pages, and what registers say. */
void door_write(struct check *c, uint32_t queue, uint32_t offset);
void door_read(struct check *c);
void door_irq(struct check *c);
/** Is it high if it has to be by now? */
void door_check_irq(struct check *c);

/** Does a write to a register end the life of the queue? */
bool event_ends_life(const struct event *e, uint32_t queue);

/* ring.c: commands from rings. */
void ring_drop(struct check *c, uint32_t queue);
void ring_tail(struct check *c, uint32_t queue, uint32_t tail);
/** Bring in what is there without a burst: commands that cannot be fetched. */
void ring_look(struct check *c, uint32_t queue);
bool ring_fetch_address(struct check *c);
void ring_fetch_data(struct check *c, struct burst *b);
void ring_check_idle(struct check *c, uint32_t queue);

/* completion.c: records to rings. */
void completion_index(struct check *c);
/** A life of the queue begins: find its records. */
void completion_open(struct check *c, uint32_t queue);
bool completion_room(const struct check *c, uint32_t queue, const struct tma_command *command);
/** The queue has a record to write. False: it cannot be written, and is lost. */
bool completion_place(struct check *c, uint32_t queue, const struct tma_record *record);
/** There is room for a fault record of the queue. */
bool completion_can_fault(const struct check *c, uint32_t queue);
/** The burst that begins now, if it writes a record. */
bool completion_address(struct check *c, struct burst *b);
/** Report a burst that goes to the queue's completion ring, but to the wrong place, if it does. */
void completion_refuse(struct check *c);
void completion_data(struct check *c, struct burst *b);
void completion_response(struct check *c, const struct burst *b);

/* recover.c */
void recover_resume(struct check *c, uint32_t queue, uint32_t index);
void recover_cancel(struct check *c, uint32_t queue);
/** True: the wait at the queue's head does not end; the dump says that it is cancelled, now or later. */
bool recover_cancelled(struct check *c, uint32_t queue);
void recover_port_died(struct check *c);

/* multimem.c */
/** Is it a multimem copy? */
bool multimem_is(uint8_t opcode);
const struct tma_multimem *multimem_window(const struct check *c, uint64_t address);
void multimem_write_register(struct check *c, uint32_t address);
/** The path that a copy has on a port, and the port of one. */
unsigned path_of_port(const struct check *c, const struct copy *copy, unsigned port);
/** The AXI id of its writes. */
unsigned write_id(const struct check *c, const struct copy *copy);
unsigned port_of_path(unsigned path);

/** Of a copy that reads; and of a path, whether it is one. */
static inline int read_path(const struct copy *copy)
{
	return copy->tensor ? TENSOR_READS : READS;
}

static inline bool is_reads(int path)
{
	return path == READS || path == TENSOR_READS;
}

/** Address of a copy's byte on a port. */
uint64_t multimem_on_port(const struct check *c, const struct copy *copy, uint32_t path, uint64_t address);
/** Pass over pages of the copy that do not lie on the port. */
void multimem_skip(const struct check *c, struct copy *copy, uint32_t path);
void multimem_map(const struct check *c, struct tma_model *m, const struct tma_command *command);

/* cp.c: cp.async. */
bool cp_ready(const struct queue *q, const struct tma_command *command);
void cp_prepare(struct check *c, struct copy *copy);
void cp_restore(struct check *c, struct copy *copy);
void cp_start(struct check *c, struct copy *copy);
void cp_effects(struct check *c, uint32_t queue, const struct tma_command *command);
/** Bytes that a cp.async reads. */
uint32_t cp_source_bytes(const struct tma_command *command);
void cp_deliver(struct check *c, const struct copy *copy, uint32_t offset);
void cp_advance(struct check *c, uint32_t queue);
void cp_forget(struct queue *q);

/* hint.c: prefetches. */
/** Pass over what of a prefetch no window allows. */
void hint_skip(const struct check *c, struct copy *copy);
/** A bulk prefetch begins. */
void hint_start(struct check *c, struct copy *copy);
/** The bulk prefetch that the burst of now may be a page of, or NULL. */
struct copy *hint_find(struct check *c);
/** One that should have had a burst, or NULL. */
const struct copy *hint_awaited(const struct check *c);
/** What is left of those of a queue that closes may not come any more. */
void hint_drop(struct check *c, uint32_t queue);
/** They have not come: the queue has closed. */
void hint_forget(struct check *c, uint32_t queue);
void hint_check_idle(struct check *c);

/* queue.c */
void queue_accept(struct check *c);
/** Execute everything that can run. */
void queue_run(struct check *c);
/** A fault that stops the queue some time later. */
void queue_late_fault(struct check *c, const struct copy *copy, uint16_t code, uint64_t address);
/** Is it a try_wait that ends by itself, even where its phase does not? */
bool queue_wait_has_limit(const struct tma_command *command);
/** The same of what is no copy. */
void queue_fault_at(struct check *c, uint32_t queue, uint32_t sequence, uint32_t tag, uint16_t code,
                    uint64_t address);
/** One that stops it in order. */
void queue_stop(struct check *c, uint32_t queue, const struct tma_record *fault);
/** The command that the queue now has, from its port or ring. */
void queue_append(struct check *c, uint32_t queue, const struct command *command);
void queue_check_idle(struct check *c);
/** Reset of a queue that stays enabled. */
void queue_restart(struct check *c, uint32_t queue);
/** The queue's first sign of a new life: it takes a command, or fetches one. */
void queue_begin_life(struct check *c, uint32_t queue);
/** Forget what the queue holds: it was disabled. */
void queue_drop(struct check *c, uint32_t queue);

/* prove.c */
/** Something must have run that has not: let waits whose barrier is not known end, of these @p queues, or of all if
 * that brings nothing on: a wait that is let go too early takes a phase from others. True: something has run. */
bool queue_release(struct check *c, uint32_t queues);
/** The same for the queues that have the stream of the burst of now. */
bool queue_release_burst(struct check *c);
/** Commands up to @p sequence have run for certain: execute them if only doubt has kept them. */
void queue_prove(struct check *c, uint32_t queue, uint32_t sequence);
typedef bool queue_explains(struct check *c, uint32_t queue, const struct tma_command *command, int path);
/** A queue in doubt, with the stream of the burst, has run up to a command that explains it, if one does.
 * False: that has brought nothing on. */
bool queue_prove_by(struct check *c, queue_explains *explains, int path);

/* copy.c */
/** Everything that will be seen of it has been. */
bool copy_finished(const struct copy *copy);
/** Is the page of a ring the queue's to use? */
bool copy_window_allows(const struct check *c, uint32_t queue, uint64_t address, uint32_t attr);
/** Its bursts are to come on the ports that it uses. */
void copy_add_paths(struct check *c, struct copy *copy);
/** Nothing more will be seen of it. */
void copy_abandon(struct check *c, struct copy *copy);
struct copy *copy_new(struct check *c, uint32_t queue, const struct tma_command *command);
void copy_start(struct check *c, struct copy *copy);
/** The copy has moved everything that it will move. */
void copy_done(struct check *c, struct copy *copy);
/** The model has refused it: its effects are none. */
void copy_cancel(struct check *c, struct copy *copy);
/** Run one command alone on the probe with the queue's own set-up. Returns the fault, code 0 none. */
struct tma_record probe_run(struct check *c, uint32_t queue, const struct tma_command *command);
uint32_t copy_targets(const struct tma_command *command);
/** Let the command's global operand be @p c's scratch memory. */
void map_scratch(const struct check *c, struct tma_model *m, const struct tma_command *command);

/** Address of the byte at an offset of its beats, and how many bytes of them go on from there. */
uint64_t copy_address(const struct copy *copy, uint64_t offset);
uint64_t copy_left(const struct copy *copy, uint64_t offset);
/** The first byte of the operand at or behind that offset. */
uint64_t copy_operand(const struct copy *copy, uint64_t offset);
/** Which byte of the operand lies there; false: none. */
bool copy_byte(const struct copy *copy, uint64_t offset, uint32_t *i);
/** Where byte i of a store comes from: two places, that may be the same. */
void copy_source(const struct copy *copy, uint32_t i, uint32_t *rank, uint32_t sources[2]);
/** The CTA whose barrier a load's data in CTA @p target is signalled on. */
uint32_t copy_barrier_rank(const struct copy *copy, uint32_t target);

/* barrier.c */
struct barrier *barrier_at(struct check *c, uint32_t rank, uint32_t offset);
/** Command @p sequence changes it, or a copy of that number when it signals. */
void barrier_touch(struct check *c, uint32_t queue, uint32_t sequence, uint32_t rank, uint32_t offset,
                   bool by_copy);
void barrier_signal(struct check *c, struct copy *copy);
/** A fault that the model does not know: the signal of a copy to a barrier that nothing is known of may have failed. Then it
 * knows it from now on. */
bool barrier_explains(struct check *c, const struct tma_record *seen);
/** A wait of this queue has seen the phase turn; queue MAX_QUEUES: software has seen the word. */
void barrier_awaited(struct check *c, struct barrier *b, uint32_t queue);
/** Its word is none that it has had before since the engine was idle: who sees it sees all changes. */
bool barrier_first_seen(const struct check *c, const struct barrier *b, uint32_t rank, uint32_t offset);
void barrier_all_quiet(struct check *c);
/** Words that the queue may have changed by commands from @p sequence on are no longer known. */
void barrier_taint_queue(struct check *c, uint32_t queue, uint32_t sequence);
void barrier_taint_all(struct check *c);
uint64_t barrier_healthy(void);

/* shared.c */
void shared_open(struct check *c);
void shared_close(struct check *c);
void shared_write(struct check *c, uint32_t rank, uint32_t offset, const uint8_t *bytes, uint32_t size,
                  const struct copy *writer, bool known);
/** Bytes of a copy that went wrong are old or new. */
void shared_forget(struct check *c, const struct copy *copy);
/** Is a byte known to the engine's own commands? To software, which may look at any time? */
bool shared_certain(const struct check *c, uint32_t rank, uint32_t offset);
bool shared_visible(const struct check *c, uint32_t rank, uint32_t offset);
void shared_ext_write(struct check *c);
void shared_ext_read(struct check *c);
void shared_ext_data(struct check *c);

/* read.c, write.c, address.c */
/** The copy whose next burst should have been seen first, or NULL. */
const struct copy *burst_awaited(const struct check *c, int path);
/** The path that a write burst on this port belongs to. */
int address_path(struct check *c, unsigned port);
int address_read_path(struct check *c);
struct copy *address_match(struct check *c, int path);
/** Would the command's first burst on the path be that of now? */
bool address_begins(struct check *c, uint32_t queue, const struct tma_command *command, int path);
/** Attributes of a burst on behalf of a queue. */
void address_attributes(const struct check *c, int path, uint32_t queue, uint8_t qos, uint8_t hints);
void burst_push(struct burst_fifo *f, struct burst burst);
struct burst *burst_head(struct burst_fifo *f);
void burst_pop(struct burst_fifo *f);
void read_address(struct check *c);
void read_data(struct check *c);
void write_address(struct check *c);
void write_data(struct check *c);
void write_response(struct check *c);
/** Error of a burst of a copy that goes to several ports, or reads and writes: the first burst in order counts. */
void write_fail_first(struct check *c, struct copy *copy, uint64_t offset, uint16_t code);

/* record.c */
void record_expect(struct check *c, uint32_t queue, const struct tma_record *record, bool compare_value);
void record_index(struct check *c);
/** A record that came to software, or is on its way there. */
void record_take(struct check *c, const struct tma_record *seen, enum port port);
/** The record that the dump has for a command of the queue's present life, or NULL. */
const struct tma_record *record_ahead(const struct check *c, uint32_t queue, uint32_t sequence);
void record_seen(struct check *c);
void record_check_end(struct check *c);

/* gmem.c: global memory as far as its bytes have been seen. */
struct gmem *gmem_new(void);
void gmem_free(struct gmem *g);
uint8_t gmem_get(struct gmem *g, uint64_t address, bool *known);
/** The engine has written it. */
void gmem_set(struct gmem *g, uint64_t address, uint8_t value);
/** Has it written anything in this page? */
bool gmem_written(struct gmem *g, uint64_t address);
/** A write has failed: the bytes are old or new. */
void gmem_forget(struct gmem *g, uint64_t address, uint32_t bytes);
/** The port of now reads this byte: it is what was seen there last. */
void gmem_check(struct check *c, uint64_t address, uint8_t seen);

#endif
