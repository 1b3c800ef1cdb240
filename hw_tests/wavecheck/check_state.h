/* SPDX-License-Identifier: Apache-2.0 */
/* check_state - what the checker knows of the run: copies, bursts, records, rings, queues, shared memory. */
#ifndef WAVECHECK_CHECK_STATE_H
#define WAVECHECK_CHECK_STATE_H

#include "tma_model.h"
#include "wavecheck/events.h"
#include "wavecheck/reduce.h"
#include "wavecheck/tensor.h"

#define MAX_QUEUES 16
#define MAX_IDS    256
#define WRITE_IDS  3 /* stores and records; broadcasts, with several ports; reductions */
/* Streams of bursts: reads, and the writes of each port; tensor copies read apart from others, reductions write so. */
#define READS        0
#define WRITES       1
#define SPREAD       (WRITES + DUMP_MAX_PORTS) /* broadcasts on port 0: with several ports they are a lane */
#define TENSOR_READS (SPREAD + 1)
#define REDUCES      (TENSOR_READS + 1) /* of each port */
#define MAX_PATHS    (REDUCES + DUMP_MAX_PORTS)
/* Ids of reads are {client, channel}; of loads, tensor copies have the upper channels. */
#define ID_CLIENT_SHIFT 2
#define ID_TENSOR_SHIFT 1
#define CLIENT_LOAD     0
#define CLIENT_PREFETCH 1
#define CLIENT_REDUCE   4

/* A copy that the model has started. */
struct copy {
	struct tma_command command;
	uint8_t queue;
	uint32_t sequence, index, cycle, life;
	bool load, prefetch, store, shared;
	bool cp, arrive;             /* cp.async and its arrival on a barrier */
	bool multimem;               /* a store to the ports of its windows */
	bool reduces;                /* a store or shared copy that does */
	bool flush;                  /* .. with subnormals as zeros */
	uint8_t type;                /* .. on elements of this type */
	struct tensor *tensor;       /* NULL: no tensor copy */
	uint32_t targets;            /* CTAs that receive and are signalled */
	uint32_t lead;               /* bytes of the first beat before the operand; not of a tensor copy */
	uint64_t span;               /* bytes of all its beats */
	uint64_t allowed;            /* of these, before the first page that no window allows */
	uint64_t covered[MAX_PATHS]; /* of these, in bursts so far or passed over, by path */
	uint32_t paths;              /* that it uses, a bit each */
	bool begun;                  /* a burst was seen */
	uint32_t outstanding;        /* bursts without their response */
	bool denied, failed;         /* by a window, by the bus */
	bool doubtful;               /* may not have run at all */
	bool done;
	bool awaited;   /* by a command: those behind it see the bytes */
	bool witnessed; /* by software, through a record or its own eyes */
	uint32_t done_cycle, group;
	/* Store: what it writes, by operand byte; bit 1 of known: as a port has shown it. */
	uint8_t *bytes, *known, *written;
	uint64_t
		worst_offset; /* multimem, reductions: of the burst whose error counts so far, and its port */
	uint32_t worst_port;
	uint64_t asked[DUMP_MAX_PORTS]; /* reduction: where old data has been asked for up to now */
	uint32_t *bases;                /* .. of shared memory: copies that its result depends on, by index */
	size_t num_bases, bases_capacity;
};

/* What a burst moves: a part of a copy, commands of a ring, a record into one, a tensor map. */
enum burst_kind { BURST_COPY, BURST_FETCH, BURST_RECORD, BURST_MAP };

struct burst {
	enum burst_kind kind;
	struct copy *copy;
	uint8_t queue;         /* of a fetch, a record */
	uint32_t life;         /* of the queue at that time */
	uint32_t first, slots; /* commands that a fetch is for */
	struct placed *record; /* NULL: of a former life of its queue */
	uint32_t beats, seen;
	uint64_t offset; /* in the copy's span */
	uint64_t address;
	size_t number;    /* of a write: in the order of addresses, of all ports */
	size_t reduction; /* in the writes of its port's reductions */
};

struct burst_fifo {
	struct burst *bursts;
	size_t head, count, capacity;
};

struct command {
	struct tma_command command;
	uint32_t cycle;
	uint16_t fault; /* it could not be fetched: why, and from where */
	uint64_t fault_address;
};

/* A record that the dump shows on its way to a completion ring. */
struct placed {
	size_t address; /* event of its burst */
	uint64_t slot;
	uint32_t number;
	bool whole; /* its data is in the dump */
	struct tma_record record;
};

/* A record that the engine has to send. */
struct expected {
	struct tma_record record;
	bool compare_value, doubtful;
	uint32_t life;
};

/* Known to who sees a record of this command or a later one. */
struct waited {
	struct copy *copy;
	uint32_t sequence;
};

struct fault_seen {
	struct tma_record record;
	bool reported;
};

/* Rings of a queue, as far as the dump shows them. */
struct ring {
	uint32_t tail, fetched;                 /* commands told of, of these in fetches so far */
	bool closed;                            /* by a command that could not be fetched */
	bool opened;                            /* a doorbell was seen in this life */
	uint32_t consumer;                      /* records taken by software */
	uint32_t allocated;                     /* slots given away, as soon as they may be */
	uint32_t begun, producer;               /* records with their burst, with their answer */
	uint32_t lost;                          /* records that cannot be written, and are not seen */
	uint32_t produced_cycle, written_cycle; /* of its answer; of a register of the page */
	struct placed *placed;                  /* all records of this life */
	size_t num_placed, placed_capacity, next_placed, next_seen;
	/* Where records of the life before may still go. */
	uint64_t old_base;
	uint32_t old_next, old_slots;
	uint8_t old_stream;
	bool old;
	bool enabled, pending; /* interrupt; pending: may be */
	bool certain;          /* must be */
};

struct queue {
	struct tma_queue_config config;
	struct ring ring;
	uint32_t life;            /* counts set-ups, resets and resumptions */
	uint32_t offset;          /* between its sequence numbers and the model's */
	bool fresh;               /* dropped, and nothing accepted since: records are those of before */
	size_t life_end;          /* event before which no later life begins, 0 before the first command */
	bool had_ring;            /* until it was disabled: what is left of that life may be on the pins */
	bool cancelled;           /* another queue's command has named it */
	uint32_t cancel_cycle;    /* when software has, 0 never */
	uint32_t changed_cycle;   /* of the last set-up, reset, resumption */
	uint32_t interrupt_cycle; /* when it was dropped with an interrupt pending, 0 never */
	struct tma_window windows[TMA_MODEL_MAX_WINDOWS];
	struct command *commands;
	size_t capacity;
	uint32_t count, next;  /* accepted, executed since the queue was enabled */
	uint32_t proven;       /* commands that have run for certain */
	uint32_t proven_cycle; /* when that was seen */
	bool submitted;        /* the model holds the next command */
	bool stopped;          /* by a fault in order */
	bool doubtful;         /* by one that came late */
	bool fault_reported;
	struct expected *expected;
	size_t first_expected, num_expected, expected_capacity;
	size_t late, late_end; /* of these, what a life on the direct port has left to the ring's life */
	bool late_fault;       /* a fault record may be among them */
	struct fault_seen *faults;
	size_t num_faults, faults_capacity;
	uint32_t commits;
	struct barrier *token; /* of the last arrive, whose state LAST_STATE uses */
	bool token_certain, token_tainted;
	struct waited *waited; /* copies that its commands have waited for */
	size_t first_waited, num_waited, waited_capacity;
	struct copy **pending[MAX_PATHS]; /* copies that have bursts to come */
	size_t first_pending[MAX_PATHS], num_pending[MAX_PATHS], pending_capacity[MAX_PATHS];
	/* cp.async and arrivals in order: not over yet, and over but not waited for. */
	struct copy **cps, **cp_over;
	size_t first_cp, num_cps, cps_capacity, num_over, over_capacity;
	uint32_t cp_commits;
	bool cp_failed;
	struct copy **grouped; /* loads and stores that are not done, for their groups */
	size_t num_grouped, grouped_capacity;
	size_t next_record; /* the queue's next record of the dump, in `records` */
	size_t *records;
	size_t num_records, records_capacity;
};

/* 8 bytes of shared memory that commands have used as a barrier. */
struct barrier {
	bool used, tainted;        /* tainted: its word is not known */
	uint32_t queues;           /* that have changed it since the engine was idle */
	uint32_t last[MAX_QUEUES]; /* their last command that has */
	bool copies;               /* so have copies */
	struct copy **signals;
	size_t num_signals, num_flipped,
		signals_capacity; /* flipped: the first of them, in phases that are over */
	uint64_t *words;          /* that it has had since then */
	size_t num_words, words_capacity;
	struct {
		uint8_t queue;
		size_t expected;
	} * open; /* answers that another's change would make uncertain */
	size_t num_open, open_capacity;
};

struct cta {
	uint8_t *known;         /* by byte */
	uint32_t *writer;       /* by byte: index of the copy + 1, 0 none */
	uint32_t *changed;      /* by byte: cycle */
	struct barrier **cells; /* by 8 bytes, NULL: never a barrier */
	bool reading;           /* data of an external read comes next */
	uint64_t address;
	uint8_t expect[16], compare[16];
};

struct check {
	const char *path;
	struct dump *dump;
	const struct event_log *log;
	struct shape shape;
	bool verbose, private_memory;
	struct tma_model *model; /* the run */
	struct tma_model *probe; /* same shape, for single questions */
	const struct event *now;
	struct queue queues[MAX_QUEUES];
	uint8_t axcache;
	uint16_t axcaches; /* what it was since the engine was idle, a bit each: bursts wait at the port */
	uint32_t window_index;
	struct copy **copies;
	size_t num_copies, copies_capacity;
	size_t first_open;               /* all copies before it are done */
	struct copy *current[MAX_PATHS]; /* that a path is cutting into bursts */
	struct copy **hints;             /* bulk prefetches that have bursts to come */
	size_t num_hints, hints_capacity;
	struct burst_fifo reads[MAX_IDS], data[DUMP_MAX_PORTS];
	struct burst_fifo responses[DUMP_MAX_PORTS][WRITE_IDS];
	size_t writes;                           /* bursts so far */
	uint32_t answered_cycle[DUMP_MAX_PORTS]; /* of the port's last write response, or its death */
	struct {
		size_t *events; /* write data before its address */
		size_t count, capacity;
	} early[DUMP_MAX_PORTS];
	size_t *first_data; /* by event: of a write burst, its first beat */
	struct tma_multimem multimem[TMA_MODEL_MAX_MULTIMEM];
	uint32_t multimem_index;
	uint32_t dead; /* ports */
	bool irq;
	struct {
		uint8_t bytes[64];
		uint16_t fault;
	} slot; /* command that is being fetched */
	struct cta ctas[TMA_MODEL_MAX_CTAS];
	struct barrier **barriers;
	size_t num_barriers, barriers_capacity;
	struct reduce_port reduce[DUMP_MAX_PORTS];
	struct gmem *gmem[DUMP_MAX_PORTS];
	uint8_t *scratch;
	uint32_t last_idle;
	uint32_t release; /* of these queues waits on unknown barriers end */
	/* Tensor maps. */
	struct map_read *map_reads;
	size_t num_map_reads, map_reads_capacity;
	struct map_fence *map_fences;
	size_t num_map_fences, map_fences_capacity;
	struct copy **map_users; /* all copies with a map */
	size_t num_map_users, map_users_capacity;
	size_t map_reset; /* event of the last reset: no map is kept across it */
	uint32_t behaviour;
	uint64_t commands, bursts, records, fetches;
	/* Of what could be compared, how much was known well enough. */
	struct {
		uint64_t all, compared;
	} stored, read, answers, maps;
};

#endif
