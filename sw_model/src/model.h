/* SPDX-License-Identifier: Apache-2.0 */
/* Internal types of the model: the state of one engine and what its source files offer each other. */
#ifndef MODEL_H
#define MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tma_model.h"

/* Windows have this grain and no burst crosses a multiple of it. */
#define PAGE_BYTES 4096u
#define PAGE_MASK  UINT64_C(0xfff)

/* Beats of a burst that goes to several ports, or that is reduced into, at most; it ends with a multiple of as
 * many. */
#define SPREAD_BEATS 16u

/* A count of an mbarrier and the magnitude of its tx-count end here. */
#define BARRIER_MAX   ((1u << 20) - 1)
#define BARRIER_BYTES 8u

/* A slot of a ring of commands, a slot of a completion ring. */
#define SLOT_BYTES   TMA_COMMAND_BYTES
#define RECORD_BYTES TMA_RECORD_BYTES

/* A byte mask of 16-byte chunks that enables all of them. */
#define ALL_BYTES 0xffffu

/* Of a try_wait: it never gives up. */
#define NO_LIMIT 0xffffffffu

#define COUNTERS 14u /* registers COUNTER[] */

/* Responses of AXI, and none at all. */
#define RESP_OKAY   0
#define RESP_SLVERR 2
#define RESP_DECERR 3
#define RESP_DEAD   4

/* What a command did wrong. code TMA_FAULT_NONE: nothing. */
struct fault {
	uint16_t code;
	uint64_t address;
};

/* A growable queue of slots of one size. */
struct fifo {
	unsigned char *slots;
	size_t slot_bytes;
	size_t capacity;
	size_t head;
	size_t count;
};

/* The global addresses base..last, which are the caller's `bytes`; NULL: nothing any more. */
struct stretch {
	uint64_t base;
	uint64_t last;
	unsigned char *bytes;
};

struct stretches {
	struct stretch *list; /* in order of addresses */
	size_t count;
	size_t room;
	size_t empty; /* of `count`, those without bytes */
};

/* Responses of the global addresses base..last. */
struct error_region {
	uint64_t base;
	uint64_t last;
	int read_resp;
	int write_resp;
};

struct port {
	struct stretches memory;
	struct error_region *errors;
	size_t num_errors;
	bool dead;
};

/* Global addresses first..last at which nothing can go wrong: the caller's `bytes` from `first` on. */
struct plain {
	uint64_t first;
	uint64_t last;
	unsigned char *bytes;
};

enum direction { READ, WRITE };

struct queue {
	struct tma_queue_config config;
	struct tma_window windows[TMA_MODEL_MAX_WINDOWS];
	struct fifo commands; /* of the direct port */
	/* all but `queued` and `drained`; `tail` is that of a ring */
	struct tma_queue_status status;
	bool has_state; /* an arrive has returned `state` since the queue was enabled */
	uint32_t state;
	bool asleep;                /* the head was tried and is blocked: `sleeper` */
	struct tma_command sleeper; /* as it was fetched */
	bool record_waits;          /* `record`, a FAULT, has no room in the completion ring */
	struct tma_record record;
	bool interrupt_pending;
	bool interrupt_enable;
	uint32_t in_flight; /* copies, with a seed */
	bool closing;       /* disabled or reset, and some of these are of the life before */
};

/* What only the registers keep. */
struct registers {
	uint32_t axcache;
	uint32_t watchdog;
	uint32_t window; /* WINDOW_INDEX */
	uint32_t window_queue;
	uint32_t multimem; /* MULTIMEM_INDEX */
	uint32_t multimem_port;
	uint32_t behaviour;
	uint32_t latches[COUNTERS]; /* high halves of the counters */
};

/* What opcode and flags say of a command by themselves, kept of the one that was checked last: most are followed by one of
 * their kind. */
struct command_kind {
	bool known;
	uint8_t opcode;
	uint16_t flags;
	uint64_t rules;                         /* bit i: decode rule i speaks of it */
	uint64_t unused[TMA_COMMAND_BYTES / 8]; /* bits that must be zero */
};

struct tma_model {
	struct tma_model_config config;
	struct command_kind kind;
	unsigned char *smem[TMA_MODEL_MAX_CTAS]; /* on a page, in smem_room */
	unsigned char *smem_room[TMA_MODEL_MAX_CTAS];
	struct queue queues[TMA_MODEL_MAX_QUEUES];
	struct port ports[TMA_MODEL_MAX_PORTS];
	struct tma_multimem multimem[TMA_MODEL_MAX_MULTIMEM];
	struct fifo records; /* of the direct queues */
	struct tma_model_counters counters;
	struct registers registers;
	struct late *late; /* what is in flight; NULL: no seed, so nothing ever is */
};

/* An mbarrier object, unpacked. */
struct barrier {
	uint32_t expected;
	uint32_t pending;
	int32_t tx;
	uint32_t phase;
	uint32_t live;
};

/* The command at the head of a queue, on its way through checks and execution. */
struct issue {
	struct tma_model *model;
	struct queue *queue;
	const struct tma_command *command;
	const struct operation *operation;
	bool timed_out; /* a blocked try_wait has reached its limit */
};

/* What execution came to. */
struct outcome {
	bool blocked;       /* nothing happened: try again later */
	uint8_t kind;       /* of the record, if one is written */
	uint64_t value;     /* of that record */
	struct fault fault; /* found while a copy moved or signalled */
};

/* Operands of a command that the decode rules speak of. */
enum operand {
	OPERAND_SIZE = 1 << 0,       /* bytes of a bulk copy */
	OPERAND_GLOBAL = 1 << 1,     /* global address of a bulk copy */
	OPERAND_SRC = 1 << 2,        /* shared source */
	OPERAND_DST = 1 << 3,        /* shared destination */
	OPERAND_DST_REMOTE = 1 << 4, /* ... which must lie in another CTA */
	OPERAND_BARRIER = 1 << 5,
	OPERAND_BARRIER_LOCAL = 1 << 6, /* ... which must lie in the executing CTA */
	OPERAND_COUNT = 1 << 7,         /* arrivals of an mbarrier */
	OPERAND_TX = 1 << 8,            /* bytes of a tx-count */
	OPERAND_STATE = 1 << 9,         /* state token, parity or LAST_STATE */
	OPERAND_CP = 1 << 10,           /* sizes of a cp.async, to which its addresses are aligned */
	OPERAND_QUEUE = 1 << 11,        /* queue of a cancel */
	OPERAND_MAP = 1 << 12,          /* tensor map */
	OPERAND_TENSOR = 1 << 13,       /* mode, dim and coordinates of a tensor copy */
	OPERAND_REDUCE = 1 << 14        /* operator, and without OPERAND_TENSOR the type, of a reduction */
};

/* What an access of global memory is for: which windows it needs, what its faults are called. */
enum purpose { FOR_READ, FOR_WRITE, FOR_MULTIMEM, FOR_COMMAND, FOR_RECORD, FOR_MAP };

/* Bytes at consecutive global addresses, modulo 2^64, on behalf of a queue. */
struct row {
	const struct tma_model *model;
	const struct queue *queue;
	enum purpose purpose;
	uint64_t address;
	uint32_t size;
};

/* What a reduction does to each element. */
struct reduction {
	uint8_t op;   /* TMA_REDUCE_* */
	uint8_t type; /* TMA_TYPE_* */
	bool flush;   /* subnormal numbers of add.f32 */
};

/* What becomes of a row of global memory: written, of every 16-byte chunk the bytes of `byte_mask`; or, with a
 * reduction, reduced into. An empty mask changes nothing: all that could be wrong is looked at. */
struct change {
	const unsigned char *from;
	uint16_t byte_mask;
	const struct reduction *reduction;
};

/* One instruction. `check` holds the rules that depend on barriers and changes nothing; it may be
 * NULL. `execute` runs when every rule is kept. */
struct operation {
	uint8_t opcode;
	unsigned int operands;
	struct fault (*check)(const struct issue *issue);
	struct outcome (*execute)(const struct issue *issue);
};

static inline uint32_t address_rank(uint32_t address)
{
	return address >> 24;
}

static inline uint32_t address_offset(uint32_t address)
{
	return address & 0xffffffu;
}

/* Eight bytes, the lowest first. Written out, so that compilers see one access. */
static inline uint64_t model_load64(const unsigned char *b)
{
	return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 |
	       (uint64_t)b[4] << 32 | (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

static inline void model_store64(unsigned char *b, uint64_t word)
{
	b[0] = (unsigned char)word;
	b[1] = (unsigned char)(word >> 8);
	b[2] = (unsigned char)(word >> 16);
	b[3] = (unsigned char)(word >> 24);
	b[4] = (unsigned char)(word >> 32);
	b[5] = (unsigned char)(word >> 40);
	b[6] = (unsigned char)(word >> 48);
	b[7] = (unsigned char)(word >> 56);
}

/* CTAs, queues and ports that exist, as bits. */
static inline uint16_t model_cta_bits(const struct tma_model *m)
{
	return (uint16_t)((1u << m->config.ctas) - 1);
}

static inline uint16_t model_queue_bits(const struct tma_model *m)
{
	return (uint16_t)((1u << m->config.queues) - 1);
}

static inline uint32_t model_port_bits(const struct tma_model *m)
{
	return (1u << m->config.ports) - 1;
}

/* The memory of `bytes` bytes from `address` on, at least one, or NULL: they are not all plain. */
static inline unsigned char *model_plain_at(const struct plain *p, uint64_t address, uint64_t bytes)
{
	if (address < p->first || address > p->last || bytes - 1 > p->last - address)
		return NULL;
	return p->bytes + (address - p->first);
}

/* A life begins when all of the last one is done. */
static inline bool model_queue_active(const struct queue *q)
{
	return q->config.enable && !q->closing;
}

static inline bool has_flag(const struct tma_command *command, unsigned int flag)
{
	return (command->flags & flag) != 0;
}

/* A tensor copy whose box is written. */
static inline bool model_to_tensor(const struct tma_command *command)
{
	return command->opcode == TMA_TENSOR_STORE || command->opcode == TMA_TENSOR_REDUCE;
}

/* operation.c */
const struct operation *model_operation(uint8_t opcode);

/* check.c */
struct fault model_check(const struct issue *issue);

/* address.c */
uint64_t model_command_header(const struct tma_command *command);
uint32_t model_source(const struct tma_command *command);
uint32_t model_targets(const struct issue *issue);
uint32_t model_barrier_rank(const struct tma_command *command, uint32_t target);
uint32_t model_touched(const struct issue *issue);
unsigned char *model_shared(const struct tma_model *m, uint32_t rank, uint32_t offset);

/* fifo.c */
void model_fifo_init(struct fifo *f, size_t slot_bytes);
void model_fifo_free(struct fifo *f);
int model_fifo_reserve(struct fifo *f, size_t more);
void model_fifo_push(struct fifo *f, const void *slot);
bool model_fifo_peek(const struct fifo *f, void *slot);
void model_fifo_drop(struct fifo *f);
void model_fifo_clear(struct fifo *f);

/* stretch.c */
unsigned char *model_stretches_at(const struct stretches *s, uint64_t address, uint64_t *last);
int model_stretches_put(struct stretches *s, uint64_t base, uint64_t last, unsigned char *bytes);
void model_stretches_free(struct stretches *s);

/* region.c */
unsigned char *model_memory_at(const struct port *port, uint64_t address, uint32_t *bytes);
int model_beat_response(const struct port *port, enum direction direction, uint32_t data_bytes,
                        uint64_t address, uint32_t bytes);
bool model_quiet(const struct port *port, enum direction direction, uint32_t data_bytes, uint64_t address,
                 struct plain *quiet);
void model_port_clear(struct port *port);

/* global.c */
struct row model_row(const struct issue *issue, enum purpose purpose, uint32_t size);
uint32_t model_part_bytes(const struct row *row, const struct change *change, uint32_t offset);
bool model_window_allows(const struct row *row, uint64_t address, struct fault *fault);
bool model_plain(const struct row *row, enum direction direction, struct plain *plain);
uint16_t model_part_change(const struct row *row, uint32_t port, const struct change *change, uint32_t offset,
                           uint64_t address, uint32_t bytes);
uint32_t model_global_read(const struct row *row, unsigned char *to, struct fault *fault);
void model_global_change(const struct row *row, const struct change *change, struct fault *fault);
uint32_t model_global_prefetch(const struct row *row);

/* mbarrier.c */
struct barrier model_barrier_load(const unsigned char *bytes);
void model_barrier_store(unsigned char *bytes, const struct barrier *b);
struct barrier model_barrier_new(uint32_t count);
bool model_barrier_alive(const struct barrier *b);
uint32_t model_barrier_state(const struct barrier *b);
uint16_t model_barrier_expect_tx(struct barrier *b, uint32_t bytes);
uint16_t model_barrier_complete_tx(struct barrier *b, uint32_t bytes);
uint16_t model_barrier_expect_arrival(struct barrier *b);
uint16_t model_barrier_arrive(struct barrier *b, uint32_t count, uint32_t bytes, unsigned int flags);

/* signal.c */
struct fault model_signal_check(const struct issue *issue);
struct fault model_signal_target(const struct issue *issue, uint32_t target, uint32_t bytes);
struct fault model_signal(const struct issue *issue, uint32_t bytes);

/* multimem.c */
bool model_multimem_locked(const struct tma_model *m);
void model_multimem_change(const struct row *row, const struct change *change, struct fault *fault);

/* reduce.c */
bool model_reduces(const struct tma_model *m, bool shared, uint32_t op, uint32_t type);
bool model_flushes(const struct tma_model *m, uint32_t type);
void model_reduce_bytes(const struct reduction *r, unsigned char *to, const unsigned char *from,
                        uint32_t count);

/* bulk.c */
struct reduction model_bulk_reduction(const struct issue *issue);
struct outcome model_bulk_load(const struct issue *issue);
struct outcome model_bulk_store(const struct issue *issue);
struct outcome model_bulk_shared(const struct issue *issue);
struct outcome model_bulk_reduce(const struct issue *issue);
struct outcome model_bulk_reduce_shared(const struct issue *issue);
struct outcome model_bulk_prefetch(const struct issue *issue);

/* tensor.c */
struct outcome model_tensor_load(const struct issue *issue);
struct outcome model_tensor_store(const struct issue *issue);
struct outcome model_tensor_reduce(const struct issue *issue);
struct outcome model_tensor_prefetch(const struct issue *issue);
struct outcome model_prefetch_tensormap(const struct issue *issue);
struct outcome model_map_fence(const struct issue *issue);

/* cp_async.c */
uint32_t model_cp_source_bytes(const struct tma_command *c);
struct outcome model_cp_async(const struct issue *issue);
struct fault model_cp_arrive_check(const struct issue *issue);
struct outcome model_cp_arrive(const struct issue *issue);
void model_cp_announce(const struct issue *issue);
struct fault model_cp_arrival(const struct issue *issue);

/* group.c */
struct outcome model_commit_group(const struct issue *issue);
struct outcome model_wait_group(const struct issue *issue);
struct outcome model_cp_commit_group(const struct issue *issue);
struct outcome model_cp_wait_all(const struct issue *issue);

/* queue.c */
bool model_valid_queue(const struct tma_model *m, uint32_t queue);
void model_queue_control(struct queue *q, bool enable, bool ring);
void model_queue_clear(struct queue *q);
uint32_t model_queue_tail(const struct queue *q);
uint32_t model_queue_held(const struct queue *q);
bool model_queue_busy(const struct queue *q);
bool model_queue_locked(const struct queue *q);
bool model_valid_config(const struct tma_model *m, const struct tma_queue_config *c);

/* ring.c */
bool model_head(const struct tma_model *m, const struct queue *q, struct tma_command *command,
                struct fault *fault);

/* completion.c */
bool model_completion_room(const struct queue *q);
void model_completion_put(struct tma_model *m, struct queue *q, const struct tma_record *record);

/* recovery.c */
void model_end_wait(struct tma_model *m, struct queue *q);
struct outcome model_cancel_command(const struct issue *issue);

/* sync.c: mbarrier commands that change a barrier */
struct outcome model_sync_init(const struct issue *issue);
struct outcome model_sync_inval(const struct issue *issue);
struct fault model_sync_update_check(const struct issue *issue);
struct outcome model_sync_update(const struct issue *issue);
struct fault model_sync_alive_check(const struct issue *issue);

/* wait.c: commands that look at a barrier or at a state */
struct fault model_wait_check(const struct issue *issue);
struct outcome model_test_wait(const struct issue *issue);
struct outcome model_try_wait(const struct issue *issue);
struct outcome model_pending_count(const struct issue *issue);

/* late.c: with a seed */
struct late *model_late_new(uint64_t seed);
void model_late_free(struct late *late);
int model_late_reserve(struct late *late);
struct outcome model_late_execute(const struct issue *issue);
int model_late_run(struct tma_model *m);

/* schedule.c */
int model_step(struct tma_model *m, uint32_t queue, bool timed_out);
int model_expire_one(struct tma_model *m);

/* record.c */
int model_record_reserve(struct tma_model *m);
bool model_record_room(const struct issue *issue);
void model_record_answer(const struct issue *issue, uint8_t kind, uint64_t value);
void model_fault(struct tma_model *m, struct queue *q, uint32_t sequence, uint32_t tag, struct fault fault);

/* Registers, one file per part: false, the access is refused. `offset` is that in the queue's block or
 * page, for model_state_read from STATUS on. */

/* regs_window.c */
bool model_window_read(const struct tma_model *m, uint32_t address, uint32_t *value);
bool model_window_write(struct tma_model *m, uint32_t address, uint32_t value);

/* regs_queue.c */
bool model_state_read(const struct queue *q, uint32_t offset, uint32_t *value);
bool model_queue_read(const struct tma_model *m, uint32_t queue, uint32_t offset, uint32_t *value);
bool model_queue_write(struct tma_model *m, uint32_t queue, uint32_t offset, uint32_t value);

/* regs_door.c */
bool model_door_read(const struct tma_model *m, uint32_t queue, uint32_t offset, uint32_t *value);
bool model_door_write(struct tma_model *m, uint32_t queue, uint32_t offset, uint32_t value);

#endif
