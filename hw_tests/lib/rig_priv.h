/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the rig, shared by its sources. */
#ifndef RIG_PRIV_H
#define RIG_PRIV_H

#include "lib/axi_check.h"
#include "lib/axi_mem.h"
#include "lib/axi_monitor.h"
#include "lib/axil_check.h"
#include "lib/must.h"
#include "lib/rig.h"
#include "lib/rng.h"

#define RIG_MAX_QUEUES      16
#define RIG_MAX_MULTIMEM    8
#define RIG_DEFAULT_LATENCY 100
#define RIG_PRINTED         5              /* failures that are printed */
#define RIG_CSR_LIMIT       1000           /* cycles for one register access */
#define RIG_CLOSE_LIMIT     200000         /* cycles for what a queue has in flight */
#define RIG_OWNER_CALLER    RIG_MAX_QUEUES /* of legal ranges; a queue owns those of its windows */
#define RIG_OWNER_RING(q)   (RIG_MAX_QUEUES + 1 + (q))
#define RIG_STREAM_PICK     100 /* streams of the seed; ports have their own number */
#define RIG_STREAM_EXT      101
#define RIG_STREAM_CSR      102
#define RIG_STREAM_RING     103

/* A command in its queue's FIFO. */
struct rig_command {
	struct rig_command *next;
	uint64_t order; /* of rig_submit() over all queues */
	uint32_t index;
	struct tma_command cmd;
};

struct rig_fifo {
	struct rig_command *head, *tail;
	struct rig_command *unwritten; /* ring: the first one that is not in its slot */
	uint32_t submitted, waiting;
	uint64_t *accepted; /* cycles, by index */
	uint32_t num_accepted, room_accepted;
	struct rig_record *records;
	uint32_t num_records, room_records;
	uint32_t late; /* records of its life on the direct port that may still come when it has a ring */
	bool faulted;
};

/* What a register access is for: those that go on behind the caller's back, and of the caller's own
 * the ones that need more than their response. */
enum rig_purpose {
	RIG_TAIL,     /* doorbell */
	RIG_HEAD,     /* how much room there is in the ring */
	RIG_CONSUMER, /* records that were taken */
	RIG_PENDING,  /* was it this queue's interrupt? */
	RIG_CLEAR,    /* of the interrupt */
	RIG_POSTS,    /* number of those above */
	RIG_RESUME = RIG_POSTS,
	RIG_OTHER,
};

/* The ring front end of a queue. */
struct rig_ring {
	bool bound;  /* the queue was set up as a ring and not disabled */
	bool paused; /* of direct queues as well: touch nothing, the queue is being reset */
	uint32_t slots, records;
	uint64_t base, completion;
	uint64_t region, region_size; /* the rig's own memory on port 0 */
	uint8_t *memory;              /* NULL: the caller's rings */
	uint8_t *shadow;              /* what the completion ring has to hold, or NULL */
	enum rig_bell bell;
	enum rig_consumer consumer;
	bool interrupt, awake;
	uint32_t first_command, first_record; /* the engine's counts began there; of direct queues as well */
	uint32_t written;                     /* commands that are in slots */
	uint32_t rung;                        /* of those, the doorbell says */
	uint32_t head;                        /* as last read */
	uint32_t taken, told;                 /* records, and those that CONSUMER counts */
	uint32_t telling;                     /* on its way to CONSUMER */
	uint32_t threshold, patience, behind; /* of a lazy consumer: records, cycles, cycles so far */
	uint32_t refused;                     /* CONSUMER writes in a row */
	uint32_t pause;                       /* cycles until HEAD is read again */
	uint32_t posted;                      /* bit: enum rig_purpose */
};

/* A posted access, cut into 16-byte pieces as it goes. */
struct rig_access {
	struct rig_access *next;
	bool write;
	uint16_t strb; /* of a write: bytes of each chunk */
	uint32_t offset, len;
	uint32_t asked, done; /* bytes: requests taken, answers received */
	uint8_t *bytes;       /* read: the caller's; write: an own copy */
};

/* What the answer of a read is for. */
enum rig_ext_want { RIG_EXT_NONE, RIG_EXT_ACCESS, RIG_EXT_POLL, RIG_EXT_BUSY };

struct rig_ext {
	struct rig_access *head, *tail; /* head: oldest whose answers are not complete */
	struct rig_access *ask;         /* the one that the next request belongs to */
	enum rig_ext_want offered;      /* read on the pins, RIG_EXT_NONE: no read */
	enum rig_ext_want expected;     /* read taken in the cycle before */
	uint32_t offered_offset, expected_offset;
	uint64_t posted, finished;
	uint32_t waited; /* cycles of the request on the pins */
	bool polling;
	uint32_t poll_offset;
	struct rig_polled polled;
};

/* One register access. */
struct rig_access_csr {
	bool busy, write;
	enum rig_purpose purpose;
	uint32_t queue;
	bool orphan; /* its queue has begun another life: nobody cares for the response */
	uint32_t address, value;
	uint32_t age, addr_at, data_at, ready_at; /* cycles since it began: now, when to raise what */
	bool addr_done, data_done;
	bool answered; /* the response was seen, in this cycle: */
	uint64_t answered_at;
	uint8_t resp;
};

/* One that goes on without the caller. */
struct rig_post {
	enum rig_purpose purpose;
	uint32_t queue, value;
};

struct rig {
	struct rig_opts o;
	struct tma_sim *sim;
	const struct tma_sim_info *info;
	struct tma_sim_in *in;
	const struct tma_sim_out *out;
	uint64_t cycle, last_handshake;
	int errors;
	struct axi_mem *mem[TMA_SIM_MAX_PORTS];
	struct axi_check *check[TMA_SIM_MAX_PORTS];
	struct axi_check
		*bus_check[TMA_SIM_MAX_PORTS]; /* of a bus that is narrower than the engine, else NULL */
	struct axi_monitor *monitor;
	uint32_t stopped; /* ports that nobody waits for */
	struct rig_multimem multimem[RIG_MAX_MULTIMEM];
	struct rig_hooks *hooks;
	uint32_t num_hooks;

	struct rng pick_rng, ext_rng, csr_rng, ring_rng;
	struct rig_fifo queue[RIG_MAX_QUEUES];
	struct rig_ring ring[RIG_MAX_QUEUES];
	uint64_t order;
	struct rig_command *offered; /* on the pins, or NULL */
	uint32_t offered_queue, next_queue;
	bool rsp_held; /* rsp_valid without ready in the cycle before */
	uint8_t rsp_was[32];

	struct rig_ext ext[TMA_SIM_MAX_CTAS];
	uint32_t ext_pending;  /* posted accesses that are not done */
	uint64_t ext_progress; /* last cycle in which a port took a request */
	struct rig_access_csr csr;
	struct rig_access_csr beside; /* a read at the same time as a write */
	bool read_beside;             /* ... in this cycle */
	struct axil_check lite;
	struct rig_post posts[RIG_MAX_QUEUES * RIG_POSTS]; /* one of a kind per queue at most */
	uint32_t first_post, num_posts;
};

/* drive: choose this cycle's inputs; sample: the pins are settled. */
void rig_command_drive(struct rig *rig);
void rig_command_sample(struct rig *rig);
/* The engine has taken the queue's oldest command. */
void rig_command_accepted(struct rig *rig, uint32_t queue);
/* A record has come. */
void rig_command_record(struct rig *rig, uint32_t queue, struct tma_record rec);
/* Take a command of the queue off the pins; it stays the next one. */
void rig_command_withdraw(struct rig *rig, uint32_t queue);
/* Forget the queue's commands, records and counts. */
void rig_command_forget(struct rig *rig, uint32_t queue);
void rig_command_free(struct rig *rig);

void rig_csr_drive(struct rig *rig);
void rig_csr_sample(struct rig *rig);
/* A register access in the background, behind those before it. */
void rig_csr_post(struct rig *rig, enum rig_purpose purpose, uint32_t queue, uint32_t value);
/* Drop the queue's, and the response of one that is under way. */
void rig_csr_drop_posts(struct rig *rig, uint32_t queue);
/* A write of the caller's own, for rig_ring_answer(). Blocks. */
int rig_csr_door(struct rig *rig, uint32_t address, uint32_t value, enum rig_purpose purpose, uint32_t queue);
/* Write that has to be taken: 0 or -EIO, a failure. Blocks. */
int rig_csr_set(struct rig *rig, uint32_t address, uint32_t value);
/* Blocks until the queue has nothing in flight of a former life. 0 or -ETIMEDOUT, a failure. */
int rig_csr_wait_closed(struct rig *rig, uint32_t queue);

void rig_ring_drive(struct rig *rig);
void rig_ring_sample(struct rig *rig);
/* First cycle of a response. @p value: what was written, or what was read. */
void rig_ring_answer(struct rig *rig, enum rig_purpose purpose, uint32_t queue, uint8_t resp, uint32_t value);
/* Every record in a ring is taken. */
bool rig_ring_quiet(const struct rig *rig);
/* The completion rings hold the records and nothing else was written: a failure if not. */
void rig_ring_inspect(struct rig *rig);

/* Memory and registers of a ring queue, rig_ring_setup.c. The queue is disabled, nothing in flight. */
int rig_ring_open(struct rig *rig, uint32_t queue, const struct rig_queue *setup);
/* Fresh rings, counts at 0: the queue is about to start. */
void rig_ring_start(struct rig *rig, uint32_t queue);
/* No more slots, doorbells and looks; its memory stays for what is in flight. */
void rig_ring_stop(struct rig *rig, uint32_t queue);
void rig_ring_close(struct rig *rig, uint32_t queue);
/* After mappings or legal ranges were dropped. */
int rig_ring_map_all(struct rig *rig);
void rig_ring_legal_all(struct rig *rig);

void rig_smem_drive(struct rig *rig);
void rig_smem_sample(struct rig *rig);
void rig_smem_forget(struct rig *rig);

/* A memory for the port with the rig's options. NULL: no memory. */
/* The pins that memory sees. */
static inline struct tma_axi_in *rig_bus_in(const struct rig *rig, uint32_t port)
{
	return rig->info->bus_bytes ? &rig->in->bus[port] : &rig->in->axi[port];
}

static inline const struct tma_axi_out *rig_bus_out(const struct rig *rig, uint32_t port)
{
	return rig->info->bus_bytes ? &rig->out->bus[port] : &rig->out->axi[port];
}

struct axi_mem *rig_new_memory(const struct rig *rig, uint32_t port);

/* Cycles that R or B may wait for the engine. */
uint32_t rig_ready_wait(const struct rig *rig);

/* Random streams from the seed. */
void rig_seed(struct rig *rig);

#endif
