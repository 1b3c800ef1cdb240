/* SPDX-License-Identifier: Apache-2.0 */
/*
 * program - one random program: the engine's set-up, commands for several queues, and what is
 * certain about them. Made by program_make(); the runners and checkers only read it.
 *
 *	transactions --lowering--> steps (commands with the synchronisation they need)
 *
 * Steps stand in one order in which they could execute one after the other, each copy complete
 * before the next step. So a program cannot deadlock, and because every two accesses that
 * conflict are ordered by waits, every other order gives the same memories and answers, but for
 * the answers that a step's rule says.
 *
 * Beside the queues every CTA may have an SM, which reads and writes shared memory through the external
 * port. Its acts stand in the same one order.
 */
#ifndef CROSSCHECK_PROGRAM_H
#define CROSSCHECK_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "crosscheck/shape.h"
#include "crosscheck/tensor.h"
#include "lib/axi_manners.h"
#include "tma_abi.h"

#define MAX_QUEUES   16
#define MAX_CTAS     16
#define MAX_WINDOWS  8
#define MAX_PORTS    4
#define MAX_MULTIMEM 8
#define MAX_EVENTS   2048
#define MAX_OUTCOMES 32
#define MAX_ERRORS   16
#define MAX_MAPS     32
#define MAX_ACTORS   (MAX_QUEUES + MAX_CTAS) /* queues, then SMs */
#define MAX_LOOKS    8                       /* chunks that an SM reads at once */
#define MAX_VICTIMS  2

#define GUEST_PAGES      6u /* the last one answers with errors */
#define GUEST_RING_PAGES 2u

#define CHUNK_BYTES   16u
#define PAGE_BYTES    4096u
#define BARRIER_BYTES 8u
#define SLOT_BYTES    64u
#define RECORD_BYTES  32u
#define PORT_BYTES    (16 * PAGE_BYTES) /* of memory on each port but the first */
#define GLOBAL        (-1)              /* the space that is no CTA: memory of the first port */
#define PORT_SPACE(p) (-1 - (int)(p))
#define SM_ACTOR(c)   (MAX_QUEUES + (c))
#define BARRIER_MAX   ((1u << 20) - 1)
#define FOREVER       0xFFFFFFFFu

/*
 * What a queue or an SM is certain of at one point of its program: how many commands of every queue have
 * retired and acts of every SM are done, and which events have happened. An event is the completion of a barrier's phase, or the
 * end of a store's reads or of its writes.
 */
struct know {
	uint32_t retired[MAX_ACTORS];
	uint64_t events[MAX_EVENTS / 64];
};

static inline bool know_event(const struct know *k, int event)
{
	return k->events[event / 64] >> event % 64 & 1;
}

static inline void know_add_event(struct know *k, int event)
{
	k->events[event / 64] |= UINT64_C(1) << event % 64;
}

static inline void know_join(struct know *k, const struct know *more)
{
	for (int i = 0; i < MAX_ACTORS; i++)
		if (k->retired[i] < more->retired[i])
			k->retired[i] = more->retired[i];
	for (int i = 0; i < MAX_EVENTS / 64; i++)
		k->events[i] |= more->events[i];
}

/* How the value of a step's record is judged. */
enum rule {
	RULE_EXACT,   /* the model's */
	RULE_ANY,     /* 0 or 1: it depends on time, and no other step depends on it */
	RULE_PENDING, /* state token or pending count: one of `outcomes`, the phase as in the model */
	RULE_NEVER,   /* stands behind a fault: no record, no effect */
	RULE_MAYBE,   /* may execute or not, and writes no record */
};

/* A command, and what is certain about it. */
struct step {
	struct tma_command cmd;
	uint8_t queue;
	uint32_t index; /* sequence number */
	int txn;        /* transaction that it belongs to, -1: the end of the program */
	enum rule rule;
	uint32_t outcomes[MAX_OUTCOMES]; /* pending counts allowed */
	uint32_t num_outcomes;
	struct know know;    /* before it issues; of a wait: when it has retired */
	int phase[MAX_CTAS]; /* copy with a barrier: event of its phase in that CTA, else -1 */
	int reads_done;      /* events: store, some loads; else -1 */
	int writes_done;     /* of cp.async as well */
	uint32_t
		group; /* of reads_done, cp.async: number of its group in the queue, UINT32_MAX: never committed */
	int token_of;          /* uses this step's state token, else -1 */
	int arrives_in;        /* arrive, also that of cp.async: event of the phase, else -1 */
	uint32_t phase_starts; /* arrive: pending count at the start of that phase */
	bool fault;            /* the illegal one, or the one of two */
	bool late;             /* it faults after it has left its queue */
	int tensor;            /* number of the tensor copy, -1: it is none */
	bool shares;           /* others may update the same bytes at the same time */
	/* Acts of each SM that are done before software submits it. */
	uint32_t gate[MAX_CTAS];
};

/** It never leaves its queue: it is refused, or stands behind what faults. So it touches nothing of what it names. */
static inline bool step_is_dead(const struct step *s)
{
	return s->rule == RULE_NEVER || (s->fault && !s->late);
}

enum sm_kind {
	SM_POLL,   /* reads a barrier until its phase is over */
	SM_RECORD, /* waits for a record of a queue */
	SM_READ,
	SM_WRITE,
};

/* What the SM of a CTA does next, through the external port. */
struct sm_act {
	enum sm_kind kind;
	int txn;
	struct know know;        /* when it is done */
	uint32_t gate[MAX_CTAS]; /* acts of other SMs that are done before */
	uint32_t pause;          /* cycles before it begins */
	uint32_t offset;         /* poll: of the barrier */
	bool phase;              /* ... the bit that ends the poll */
	bool known;              /* ... the phase is over, and the first answer has to show it */
	bool ahead;              /* ... the first chunk of the read behind it is asked for with every poll */
	uint8_t queue;           /* record: of this command */
	uint32_t index;
	uint32_t chunk[MAX_LOOKS], chunks; /* read: each; write: the first, and how many follow */
	uint16_t mask;                     /* bytes of each chunk that are compared, or written */
	uint32_t at;                       /* read: of all bytes that the SM reads */
	uint64_t seed;                     /* write: of the bytes */
};

struct sm {
	struct sm_act *act;
	uint32_t num, room;
	uint32_t bytes; /* that it reads */
};

/* A tensor copy: its map when it issues, and what it touches. */
struct tensor_copy {
	struct tensor map;
	struct tensor_span span;
};

/* A tensor map that is written into global memory before the program starts. */
struct map_image {
	uint64_t at; /* offset */
	uint64_t word[MAP_WORDS];
};

enum txn_kind {
	TXN_LOAD,
	TXN_STORE,
	TXN_SHARED,
	TXN_PREFETCH,
	TXN_MULTIMEM,   /* a store to all devices */
	TXN_CP,         /* a cp.async */
	TXN_EMPTY,      /* a copy of zero bytes or to an empty mask */
	TXN_LINK,       /* one queue waits for another */
	TXN_OBSERVE,    /* some queue waits for an earlier copy */
	TXN_TEST,       /* a test whose answer is certain, or any */
	TXN_TOKEN,      /* a state token is looked at */
	TXN_CONTRIBUTE, /* some arrivals or bytes of a phase, without its end */
	TXN_CLOSE,      /* the rest of a phase */
	TXN_INIT,       /* a barrier comes to life, perhaps where data was or where another lives */
	TXN_RETIRE,     /* a barrier's life ends */
	TXN_SIGNAL,
	TXN_COMMIT,
	TXN_WAIT_GROUP,
	TXN_CP_COMMIT,
	TXN_CP_WAIT,
	TXN_CP_ARRIVE,
	TXN_CANCEL, /* of a queue that does not wait */
	TXN_FAULT,
	TXN_TENSOR_LOAD,
	TXN_TENSOR_STORE,
	TXN_TENSOR_PREFETCH,
	TXN_TENSOR_NONE, /* a tensor load to nobody */
	TXN_MAP,         /* a prefetch of a map, or a fence */
	TXN_MAP_CHANGE,  /* a map is rewritten */
	TXN_REDUCE,      /* a reduction to global memory */
	TXN_REDUCE_MULTIMEM,
	TXN_REDUCE_SHARED,
	TXN_REDUCE_TENSOR,
	TXN_SM_LOOK, /* an SM waits for a copy and looks at what it brought */
	TXN_SM_TILE, /* ... writes what others read */
	TXN_SM_PEEK, /* ... looks at a barrier at rest */
	TXN_SM_OVER, /* ... writes over part of a barrier */
	TXN_SM_OWN,  /* ... writes or reads what is its own */
	NUM_TXN_KINDS
};

/* One node of the graph. Chunks count 16 bytes from the start of the arena. */
struct txn {
	enum txn_kind kind;
	uint8_t queue, other;
	uint32_t chunks;
	uint32_t global;
	uint32_t src, dst; /* shared memory */
	uint16_t targets;  /* CTAs that get the data */
	bool multicast;
	uint16_t byte_mask;
	uint8_t op, type;      /* reductions, but to a tensor's type */
	uint32_t column, line; /* tensor copies: of a matrix; column 0: of any map */
	/* Tensor copies: bytes that barriers count, not those of the chunks; their barriers may lie in the
	 * pair CTA, in those of this parity. */
	uint32_t tx;
	bool pair;
	uint8_t parity;
	uint32_t credit; /* copies like this one that follow: their phase can be armed at once */
	uint64_t seed;   /* of all choices of its lowering */
	bool dropped;    /* by the shrinker */
	bool failed;     /* its dependencies could not be met: left out */
};

struct window {
	uint64_t base, limit; /* first and last byte */
	uint32_t attr;
};

struct queue_setup {
	bool used;
	uint8_t cta;
	uint16_t cta_mask;
	uint8_t stream, prot;
	uint16_t cancel_mask;
	bool multimem; /* it may use the multimem windows */
	struct window windows[MAX_WINDOWS];
	uint32_t num_windows;
	uint32_t steps;

	/* Its front end. A queue on the direct port has rings as well: nobody uses them. */
	bool ring, interrupt;
	uint8_t ring_log2, records_log2; /* slots */
	uint8_t bell, consumer;          /* of the rig */
	uint32_t ring_at, records_at;    /* offsets into the memory of all rings */
	/* What the model's and the engine's counts begin at; all others count from 0. */
	uint32_t first_command, first_record;
};

/* A multimem window: these bytes lie on each of the ports. */
struct multimem {
	uint64_t base;
	uint32_t bytes;
	uint32_t ports;
	uint64_t port_base[MAX_PORTS];
	uint32_t at[MAX_PORTS]; /* offset in the memory of the port */
};

/* Which queues are bound to rings. */
enum fronts { FRONTS_MIXED, FRONTS_DIRECT, FRONTS_RING };

/* A barrier that is written into shared memory before the program starts. */
struct image {
	uint8_t cta;
	uint32_t offset;
	uint64_t word;
};

/* A write of eight bytes through the external port while the program runs, beside a barrier. */
struct poke {
	uint8_t cta;
	uint32_t offset;
	uint64_t word;
};

/* Accesses that fail. */
struct bus_error {
	uint8_t port;
	uint64_t address;
	uint32_t bytes;
	bool read, write;
	uint8_t resp;
};

/* A queue that faults. Two of them have nothing to do with each other. */
struct victim {
	uint8_t queue;
	int step;       /* the illegal command */
	bool only_ring; /* it faults only where its queue is on a ring */
};

/* A queue on which software acts while the others run. Nobody depends on it; what it does: guest.h. */
struct guest {
	bool on;
	uint8_t queue;
	uint32_t shared_at, shared_bytes; /* of every CTA */
	uint64_t global_at;               /* offset of GUEST_PAGES */
	uint32_t rings_at;                /* offset of GUEST_RING_PAGES */
	struct guest_lives *lives;
};

/* Bytes that a faulted copy leaves old or new, each for itself. */
struct either {
	int dst_cta; /* space */
	uint64_t dst;
	int src_cta;
	uint64_t src;
	uint32_t bytes;
	uint16_t mask; /* bytes of each chunk that may be new */
	bool tensor; /* or a reduction: new is what it would leave, had nothing gone wrong; src is nothing */
	uint8_t victim;
};

/* How the run looks from outside; never changes a result. */
struct weather {
	uint32_t latency, random_latency, stall, commands, records, ext_busy;
	uint8_t pick;
	bool in_order;
	bool reset; /* reset the engine before this program */
	bool torn;  /* writes of data that fail leave some of their bytes */
	bool slow;  /* the manners of a port are: everything takes many times as long */
	struct axi_manners manners[MAX_PORTS];
};

/* A port that stops while the program runs. The model says nothing of it: no command is illegal. */
struct death {
	bool on;
	uint8_t port, channels; /* of the rig */
	uint32_t after;         /* cycles */
	uint32_t watchdog;
};

struct program {
	const struct shape *shape;
	uint64_t seed;
	uint32_t number;
	bool faults, tensor, from_zero;
	bool reduce;     /* it may have reductions */
	bool all_reduce; /* as all others: more of them */
	bool granule16;  /* stores of tensors end at 16 bytes */
	bool f32_ftz;    /* adds of f32 flush */

	struct queue_setup queue[MAX_QUEUES];
	uint64_t global_base;
	uint32_t global_bytes; /* all of it; `mapped` from its start on is there */
	uint32_t mapped;
	uint64_t port_base[MAX_PORTS]; /* memory of the other ports */
	struct multimem multimem[MAX_MULTIMEM];
	uint32_t num_multimem;
	uint64_t multimem_base; /* all multimem windows lie here */
	uint32_t multimem_bytes;
	uint64_t rings_base; /* of all queues, on the first port */
	uint32_t rings_bytes;
	uint32_t arena_at, arena_bytes; /* the part of every CTA that the program uses */
	struct image *images;
	uint32_t num_images, room_images;
	struct poke *pokes; /* in order */
	uint32_t num_pokes, room_pokes;
	struct bus_error errors[MAX_ERRORS];
	uint32_t num_errors;
	struct weather weather;
	struct death death;
	struct map_image maps[MAX_MAPS];
	uint32_t num_maps;

	struct txn *txns;
	uint32_t num_txns, room_txns;
	struct step *steps;
	uint32_t num_steps, room_steps;
	struct tensor_copy *tensors;
	uint32_t num_tensors, room_tensors;

	bool with_sm;
	uint32_t busy_at; /* chunk of every CTA that its SM writes and reads between its acts, */
	uint8_t sm_busy;  /* ... so many percent of the cycles */
	struct sm sm[MAX_CTAS];

	struct guest guest;
	struct victim victims[MAX_VICTIMS];
	uint32_t num_victims;
	struct either *eithers;
	uint32_t num_eithers, room_eithers;

	bool shared;               /* a queue waits for another */
	int *by_queue[MAX_QUEUES]; /* steps of a queue, by index */
};

/* What programs are made of, beside what all have. */
enum {
	WITH_FAULTS = 1, /* one queue has an illegal command, or two have one each */
	WITH_TENSORS = 2,
	FROM_ZERO = 4,       /* no queue's counts begin near 2^32, which a waveform alone does not show */
	WITH_REDUCTIONS = 8, /* most programs have some; the others are what they are without it */
	ALL_REDUCE = 16,     /* with it: all have some, and more of them */
};

/** Random program @p number of @p seed. @p with: WITH_*. @p dropped: transactions to leave out, NULL:
 * none; as many as the program has. The same arguments give the same program. Aborts without memory. */
struct program *program_make(const struct shape *shape, uint64_t seed, uint32_t number, unsigned int with,
                             const bool *dropped);
unsigned int program_with(const struct program *p);
void program_free(struct program *p);
/** Register BEHAVIOUR, for as long as it runs. */
uint32_t program_behaviour(const struct program *p);
/** Bind all queues anew. Nothing else changes, the results included. */
void program_fronts(struct program *p, enum fronts fronts);

/** What makes the queue fault, NULL: nothing does. */
static inline const struct victim *program_victim(const struct program *p, uint32_t queue)
{
	for (uint32_t i = 0; i < p->num_victims; i++)
		if (p->victims[i].queue == queue)
			return &p->victims[i];
	return NULL;
}

/** The command at which the queue faults, NULL: it does not. */
static inline const struct step *program_fault(const struct program *p, uint32_t queue)
{
	const struct victim *v = program_victim(p, queue);

	return v ? &p->steps[v->step] : NULL;
}

/** Every fault comes when its command issues, on any front: the model in other orders has it as well. */
static inline bool program_ordered(const struct program *p)
{
	for (uint32_t i = 0; i < p->num_victims; i++)
		if (p->steps[p->victims[i].step].late || p->victims[i].only_ring)
			return false;
	return true;
}

/** Step @p index of @p queue. */
static inline struct step *program_step(const struct program *p, uint32_t queue, uint32_t index)
{
	return &p->steps[p->by_queue[queue][index]];
}

#endif
