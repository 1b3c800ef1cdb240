/* SPDX-License-Identifier: Apache-2.0 */
/* Inside of the rig, shared by its sources. */
#ifndef RIG_PRIV_H
#define RIG_PRIV_H

#include "lib/axi_check.h"
#include "lib/axi_mem.h"
#include "lib/rig.h"
#include "lib/rng.h"

#define RIG_MAX_QUEUES      16
#define RIG_DEFAULT_LATENCY 100
#define RIG_PRINTED         5              /* failures that are printed */
#define RIG_CSR_LIMIT       1000           /* cycles for one register access */
#define RIG_OWNER_CALLER    RIG_MAX_QUEUES /* of legal ranges; a queue owns those of its windows */
#define RIG_STREAM_PICK     100            /* streams of the seed; ports have their own number */
#define RIG_STREAM_EXT      101
#define RIG_STREAM_CSR      102

/* A command in its queue's FIFO. */
struct rig_command {
	struct rig_command *next;
	uint64_t order; /* of rig_submit() over all queues */
	uint32_t index;
	struct tma_command cmd;
};

struct rig_fifo {
	struct rig_command *head, *tail;
	uint32_t submitted, waiting;
	uint64_t *accepted; /* cycles, by index */
	uint32_t num_accepted, room_accepted;
	struct rig_record *records;
	uint32_t num_records, room_records;
	bool faulted;
};

/* A posted access, cut into 16-byte pieces as it goes. */
struct rig_access {
	struct rig_access *next;
	bool write;
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
	bool polling;
	uint32_t poll_offset;
	struct rig_polled polled;
};

/* One register access. */
struct rig_access_csr {
	bool busy, write;
	uint32_t address, value;
	uint32_t age, addr_at, data_at, ready_at; /* cycles since it began: now, when to raise what */
	bool addr_done, data_done;
	uint8_t resp;
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
	struct rig_hooks *hooks;
	uint32_t num_hooks;

	struct rng pick_rng, ext_rng, csr_rng;
	struct rig_fifo queue[RIG_MAX_QUEUES];
	uint64_t order;
	struct rig_command *offered; /* on the pins, or NULL */
	uint32_t offered_queue, next_queue;
	bool rsp_held; /* rsp_valid without ready in the cycle before */
	uint8_t rsp_was[32];

	struct rig_ext ext[TMA_SIM_MAX_CTAS];
	uint32_t ext_pending;  /* posted accesses that are not done */
	uint64_t ext_progress; /* last cycle in which a port took a request */
	struct rig_access_csr csr;
};

/* drive: choose this cycle's inputs; sample: the pins are settled. */
void rig_command_drive(struct rig *rig);
void rig_command_sample(struct rig *rig);
/* Forget the queue's commands, records and counts. */
void rig_command_forget(struct rig *rig, uint32_t queue);
void rig_command_free(struct rig *rig);

void rig_csr_drive(struct rig *rig);
void rig_csr_sample(struct rig *rig);

void rig_smem_drive(struct rig *rig);
void rig_smem_sample(struct rig *rig);
void rig_smem_forget(struct rig *rig);

/* A memory for the port with the rig's options. NULL: no memory. */
struct axi_mem *rig_new_memory(const struct rig *rig, uint32_t port);

/* realloc() for one more element of an array; aborts when there is no memory. */
void *rig_grow(void *array, uint32_t count, uint32_t *room, size_t size);

#endif
