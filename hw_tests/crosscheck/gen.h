/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gen - the state while a program is made, and what the generator's sources offer each other.
 *
 *	setup.c  queues, windows, barriers       emit.c     steps and the knowledge at each
 *	graph*.c transactions                    barrier.c  phases: contributions, waits
 *	copy.c, sync.c, fault.c: lowering        known.c    how a queue comes to know something
 *	maps.c    tensor maps                    sm_gen.c   what SMs do, and how they come to know
 *	tensor.c  tensor copies                  phase.c    a phase as a whole
 */
#ifndef CROSSCHECK_GEN_H
#define CROSSCHECK_GEN_H

#include "crosscheck/program.h"
#include "lib/must.h"
#include "lib/rng.h"

#define MAX_SLOTS      24
#define TWO_PAGES_LOG2 7u /* slots of a ring */
#define MAX_SLOT_MAPS  6
#define MAX_DEPTH      5
#define STEP_LIMIT     1500
/* For one transaction: its steps, and those of its search for a way to let a queue know something. */
#define TXN_LIMIT    30
#define EFFORT_LIMIT 3000

/* Barriers for fault mode, at the same offset in every CTA; nothing else uses them. */
enum scratch {
	SCRATCH_THREE, /* three arrivals expected */
	SCRATCH_NEVER, /* its phase never ends */
	SCRATCH_DEAD,  /* dead in some CTAs, `three` in the others */
	SCRATCH_ODD,   /* one arrival expected, three pending */
	SCRATCH_FULL,  /* as many arrivals pending as can be */
	SCRATCH_ARMED, /* no arrival pending, but bytes */
	NUM_SCRATCH
};

/* What a command that faults touches, and nobody else. */
struct area {
	uint32_t scratch_offset[NUM_SCRATCH];
	uint32_t reserve_at, reserve_bytes; /* shared memory */
	uint64_t scratch_at, scratch_bytes; /* global memory */
	bool last;                          /* nobody else has memory behind it: it may end early */
	bool scratch_multimem;              /* with a multimem window of its own: the first */
};

/*
 * A barrier during the making. Its open phase ends when `left` arrivals have been made and as many
 * bytes expected as completed. So that it cannot end early, one of its arrivals (the guard) has to
 * come after everything that must not happen later than its end: `must`, by queue. That is what
 * waits for the phase before it, tests of the open one, expect_tx and noComplete.
 */
struct bar {
	uint8_t cta;
	uint32_t offset;
	bool live;
	bool recycled;    /* its memory may hold data when it is dead */
	bool busy;        /* being worked on further up the stack */
	bool spent;       /* expects nobody any more */
	bool zero_signal; /* a copy of zero bytes signals it, nobody knows when */
	bool copies;      /* copies signal in the open phase */
	bool touched;     /* the open phase has a contribution */
	bool guarded;
	int born_queue;    /* its init, -1: it lives from the start */
	uint32_t born;     /* retired count of that queue */
	uint32_t expected; /* arrivals that the open phase started with */
	uint32_t next;     /* that the next one will start with: less what was dropped */
	uint32_t left;     /* not made yet */
	int64_t need;      /* bytes completed less bytes expected */
	uint32_t phase;
	int event;                 /* end of the open phase, -1: the events are used up */
	int before;                /* end of the phase before it, -1: none */
	int earlier;               /* end of the phase before that one, -1: none */
	struct know sum;           /* what all contributors of the open phase know */
	uint32_t must[MAX_ACTORS]; /* retired counts */
	uint32_t used[MAX_ACTORS]; /* last operation by queue or SM, as a retired count */
};

struct event {
	enum { EVENT_PHASE, EVENT_READS, EVENT_WRITES, EVENT_COPY } kind;
	uint8_t cta, slot; /* phase */
	uint32_t step;     /* store, cp.async */
	bool closed;       /* phase: every contribution is in the program */
};

/* An access that later ones may conflict with. Chunks are absolute: address / 16. */
struct access {
	int space; /* CTA or PORT_SPACE() */
	bool write;
	bool at_once;  /* over when its step has retired */
	uint8_t sm;    /* 1 + CTA of the SM whose act it is, 0: a command's */
	uint16_t mask; /* bytes of each chunk */
	uint8_t update; /* 0, or what is done to all of its elements: it goes with others like it in any order */
	uint64_t first, last;
	const uint64_t *rows; /* bit i: chunk first + i; NULL: all of them */
	uint32_t step;        /* or act */
};

/* A tensor map in memory. Two others can take its place: their bytes lie elsewhere. */
struct map_slot {
	uint64_t at; /* offset */
	struct tensor map;
	bool matrix; /* with columns of tiles */
	bool changes;
	bool lost; /* nobody knows what it is */
	uint64_t spare_at[2];
	struct tensor spare[2];
	uint32_t now; /* which spare it is */
};

/* An illegal command with a map. */
struct tensor_fault {
	struct tma_command cmd;
	bool late;
	bool moves; /* some rows, perhaps */
	struct tensor map;
	struct tensor_span span;
};

struct gen {
	struct program *p;
	const struct shape *shape;
	struct rng rng; /* of the transaction in work */
	int txn;
	uint32_t txn_start; /* steps before it */
	uint32_t effort;    /* of its search for knowledge */
	int depth;

	struct know queue[MAX_ACTORS];
	bool dead[MAX_ACTORS];               /* stopped by a fault */
	uint32_t gate[MAX_ACTORS][MAX_CTAS]; /* acts of SMs that come before its next command or act */
	uint32_t groups[MAX_QUEUES];         /* committed */
	uint32_t copy_groups[MAX_QUEUES];    /* ... of cp.async */
	int last_arrive[MAX_QUEUES];         /* step, -1: none */
	uint32_t last_phase[MAX_QUEUES];
	uint32_t hints[MAX_QUEUES];

	struct bar bar[MAX_CTAS][MAX_SLOTS];
	uint32_t num_slots;
	uint32_t slot_offset[MAX_SLOTS];
	uint32_t own_offset;          /* chunk of every CTA that its SM alone uses */
	uint64_t data_at, data_bytes; /* global memory for all others, offset */
	struct area area, other;      /* of the fault in work, and of the second queue's fault */
	int second;                   /* queue that has the other area, -1: none */
	bool two_ports;               /* the two fault at accesses, if possible on two ports */

	struct event *event;
	struct know *event_know;
	uint32_t num_events;
	struct access *access;
	uint32_t num_access, room_access;
	uint64_t *reach; /* of each access, where it lies, roughly: all that most searches look at */
	uint32_t room_reach;
	uint64_t **rows; /* of all accesses that have some */
	uint32_t num_rows, room_rows;

	uint32_t data_end;            /* shared memory behind it is of faulting copies, and the guest's */
	uint8_t *closed;              /* chunks of the arena that never hold data */
	uint64_t maps_at, maps_bytes; /* global memory that holds tensor maps, behind the data; 0: none */
	struct map_slot map[MAX_SLOT_MAPS];
	uint32_t num_map_slots;
	struct tensor guest_map;
	struct map_slot away; /* for prefetches: its tensor leaves the windows; `at` 0: there is none */
	uint32_t tensor_hints[MAX_QUEUES];
	uint8_t fault_queue; /* of the tensor copy that is to fault */
	struct rng spots;    /* of the reductions' places and operators */
};

/* setup.c */
void gen_setup(struct gen *g);
void gen_initial_barriers(struct gen *g);
struct window gen_window(const struct program *p, uint64_t offset, uint64_t bytes, uint32_t attr);

/* graph.c */
void gen_graph(struct gen *g);
struct txn *gen_add_txn(struct gen *g, enum txn_kind kind, uint8_t queue);

/* emit.c */
uint32_t gen_emit(struct gen *g, uint8_t queue, const struct tma_command *cmd);
void gen_learn(struct gen *g, uint32_t step, const struct know *know);
void gen_learn_event(struct gen *g, uint32_t step, int event);
int gen_new_event(struct gen *g, struct event event);
bool gen_full(const struct gen *g);
bool gen_search(struct gen *g);
uint8_t gen_any_queue(struct gen *g);
bool gen_may_touch(const struct gen *g, uint8_t queue, uint8_t cta);
bool gen_later(const struct gen *g, uint8_t queue, int other, uint32_t retired);
void gen_shuffle(struct rng *rng, uint8_t *list, uint32_t count);
uint32_t gen_live_queues(struct gen *g, uint8_t list[MAX_QUEUES]);

/* barrier.c */
void bar_start(struct gen *g, struct bar *b, uint32_t count);
bool bar_usable(const struct bar *b);
bool bar_knows_must(const struct gen *g, uint8_t queue, const struct bar *b);
bool bar_ready_for(const struct gen *g, uint8_t queue, const struct bar *b);
void bar_must(struct gen *g, uint8_t queue, struct bar *b);
void bar_contribute(struct gen *g, uint8_t queue, struct bar *b, int64_t completed, bool copy);
uint32_t bar_command(struct gen *g, uint8_t queue, struct bar *b, struct tma_command cmd);
void bar_expect(struct gen *g, uint8_t queue, struct bar *b, uint32_t bytes);
void bar_complete(struct gen *g, uint8_t queue, struct bar *b, uint32_t bytes);
void bar_arrive(struct gen *g, uint8_t queue, struct bar *b, uint32_t count, uint32_t bytes,
                unsigned int flags);
bool bar_wait(struct gen *g, uint8_t queue, struct bar *b, int event);
void bar_wait_form(struct gen *g, uint8_t queue, uint32_t phase, struct tma_command *cmd);

/* phase.c */
bool phase_join(struct gen *g, uint8_t queue, struct bar *b);
bool phase_arrive(struct gen *g, int queue, struct bar *b, uint32_t credit);
bool phase_close(struct gen *g, struct bar *b);
void phase_part(struct gen *g, uint8_t queue, struct bar *b);

/* known.c */
bool known_event(struct gen *g, uint8_t queue, int event);
bool known_observe(struct gen *g, uint8_t queue, int event);
bool known_phase_ends(struct gen *g, int event);
bool known_retired(struct gen *g, uint8_t queue, int other, uint32_t retired);
bool known_must(struct gen *g, uint8_t queue, const struct bar *b);
bool known_link(struct gen *g, uint8_t from, uint8_t to);
bool known_accesses(struct gen *g, uint8_t queue, const struct access *a);
void known_add_access(struct gen *g, const struct access *a);
bool known_shares(struct gen *g, uint8_t queue, const struct access *a, uint32_t step);
void known_commit(struct gen *g, uint8_t queue);
void known_wait_group(struct gen *g, uint8_t queue, uint32_t pending, bool read);

void known_commit_copies(struct gen *g, uint8_t queue);
void known_wait_copies(struct gen *g, uint8_t queue, uint32_t pending);
void known_wait_all_copies(struct gen *g, uint8_t queue);

/* memory.c */
bool known_quiet(struct gen *g, uint8_t queue, struct bar *b);
bool known_inval(struct gen *g, uint8_t queue, struct bar *b);
bool known_free(struct gen *g, uint8_t queue, const struct access *a);
bool known_free_now(struct gen *g, uint8_t queue, const struct access *a);
bool known_init(struct gen *g, uint8_t queue, struct bar *b, uint32_t count);

/* copy.c */
bool lower_load(struct gen *g, const struct txn *t);
bool lower_store(struct gen *g, const struct txn *t);
bool lower_shared(struct gen *g, const struct txn *t);
bool lower_prefetch(struct gen *g, const struct txn *t);
bool lower_empty(struct gen *g, const struct txn *t);
bool lower_to_shared(struct gen *g, const struct txn *t, struct tma_command *cmd, uint8_t update);
bool store_to(struct gen *g, const struct txn *t, struct tma_command *cmd, const struct access *to,
              uint32_t count);

/* copy_async.c */
bool lower_cp(struct gen *g, const struct txn *t);
bool lower_cp_arrive(struct gen *g, const struct txn *t);

/* multimem.c */
void choose_multimem(struct gen *g);
bool multimem_window(struct gen *g, struct queue_setup *s);
bool lower_multimem(struct gen *g, const struct txn *t);
bool multimem_to(struct gen *g, const struct txn *t, struct tma_command *cmd, uint8_t update);

/* reduce.c */
bool reduce_exists(const struct shape *s, bool shared, uint8_t op, uint8_t type);
bool reduce_tensor_exists(const struct shape *s, uint8_t op, uint32_t map_type);
void reduce_any(struct gen *g, bool shared, struct tma_command *cmd);
uint8_t reduce_update(uint8_t op, uint8_t type);
uint8_t reduce_tensor_update(uint8_t op, uint32_t map_type);
bool lower_reduce(struct gen *g, const struct txn *t);

void copy_add_access(struct gen *g, struct access a, uint32_t step);
struct access copy_shared_access(const struct gen *g, int cta, uint32_t chunk, uint32_t chunks, bool write);
struct access copy_global_access(const struct gen *g, const struct txn *t, bool write, uint16_t mask);
uint64_t copy_global_address(const struct gen *g, const struct txn *t);
bool copy_targets_free(struct gen *g, const struct txn *t);
bool copy_signalling(struct gen *g, const struct txn *t, struct tma_command *cmd, const struct access *from,
                     uint32_t count);
bool copy_store(struct gen *g, const struct txn *t, struct tma_command *cmd, const struct access *from,
                uint32_t num_from, const struct access *to, uint32_t num_to);

/* maps.c */
void choose_maps(struct gen *g);
uint64_t tensor_add_map(struct gen *g, const struct tensor *t);

/* tensor.c */
bool tensor_is_copy(uint8_t opcode);
bool tensor_is_written(uint8_t opcode);
bool tensor_can_store(const struct tensor *t);
struct tma_command tensor_command(struct gen *g, const struct tensor *t, uint8_t opcode);
void tensor_note(struct gen *g, uint32_t step, const struct tensor *t, const struct tensor_span *span);
bool lower_tensor(struct gen *g, const struct txn *t);

/* sm_gen.c */
bool sm_gate(struct gen *g, uint8_t actor, uint8_t cta, uint32_t acts);
bool sm_tells(struct gen *g, uint8_t queue, int event);
bool sm_known_retired(struct gen *g, uint8_t actor, uint8_t queue, uint32_t retired);
bool sm_known_event(struct gen *g, uint8_t actor, int event);
bool lower_sm(struct gen *g, const struct txn *t);
/* guest.c */
void guest_choose_map(struct gen *g);
void guest_make(struct gen *g);

/* sync.c */
bool lower_sync(struct gen *g, const struct txn *t);
void lower_end(struct gen *g);

/* fault.c */
uint32_t fault_scratch_attr(const struct gen *g, uint8_t queue);
void fault_error(struct gen *g, uint32_t port, uint64_t address, uint32_t bytes);
void fault_spoil(struct gen *g, uint64_t *offset, uint32_t bytes, bool allowed);
void fault_either(struct gen *g, struct either e);
uint32_t fault_barrier(const struct gen *g, uint32_t cta, enum scratch which);

/* fault_tensor.c */
bool fault_tensor(struct gen *g, uint8_t queue, struct tensor_fault *f);

/* fault_new.c */
struct tma_command fault_reduce(struct gen *g, uint8_t queue);
struct tma_command fault_multimem(struct gen *g, uint8_t queue);
struct tma_command fault_copy(struct gen *g, uint8_t queue);
bool fault_poison(struct gen *g, uint8_t queue);

bool lower_fault(struct gen *g, const struct txn *t);

/* outcome.c */
void gen_outcomes(struct gen *g);

#endif
