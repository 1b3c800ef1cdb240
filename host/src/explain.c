/* SPDX-License-Identifier: Apache-2.0 */
/* What the head of a queue waits for, in words. */
#include <inttypes.h>
#include <string.h>

#include "barrier.h"
#include "device.h"
#include "history.h"
#include "tma_print.h"
#include "tma_tables.h"
#include "words.h"

#define MAX_FAULT_TEXT 1024
#define REASON_ROOM    1200 /* of the words for what a queue waits for */

/* A queue as it is found. */
struct look {
	const struct tma_queue *queue;
	struct tma_queue_state state;
	uint32_t status;            /* of its registers */
	bool known;                 /* the head's command is */
	struct tma_command command; /* at its head */
};

static int look_at(const struct tma_queue *queue, struct look *look)
{
	const struct tma_device *device = queue->device;
	int error;

	memset(look, 0, sizeof(*look));
	look->queue = queue;
	error = registers_queue_state(device, queue->index, &look->state);
	if (!error &&
	    device->backend->reg_read(device->engine, TMA_REG_QUEUE_STATUS(queue->index), &look->status))
		error = TMA_EDEVICE;
	look->known = history_get(queue, look->state.next_sequence, &look->command);
	return error;
}

/* tma_fault_text() names the queue, which has been named. */
static void add_fault(struct words *w, const struct look *look)
{
	const struct tma_record record = {
		.sequence = look->state.fault_sequence,
		.queue = (uint8_t)look->queue->index,
		.kind = TMA_KIND_FAULT,
		.fault = look->state.fault,
		.address = look->state.fault_address,
		.tag = look->state.fault_tag,
	};
	char text[MAX_FAULT_TEXT];
	const char *command;

	fault_words(look->queue, &record, text, sizeof(text));
	command = strstr(text, "command ");
	words_add(w, "stopped by a fault: %s", command ? command : text);
	if (look->state.fault_count > 1)
		words_add(w, ", the first of %u faults", look->state.fault_count);
}

static void add_barrier(struct words *w, const struct look *look, uint32_t parity)
{
	const struct tma_device *device = look->queue->device;
	struct barrier b;

	words_add(w, " on barrier ");
	words_add_shared(w, look->command.barrier);
	if (!barrier_exists(device, look->command.barrier) ||
	    barrier_read(device, look->command.barrier, &b)) {
		words_add(w, ", which cannot be read");
		return;
	}
	if (!b.alive) {
		words_add(w, ", which is not initialised any more");
		return;
	}
	words_add(w, ": phase %" PRIu32 ", ", b.phase);
	if (b.phase != parity) {
		words_add(w, "so the wait is over when the engine looks again");
		return;
	}
	words_add_count(w, b.pending, "arrival");
	words_add(w, " missing, ");
	words_add_count(w, b.tx < 0 ? (uint64_t)-b.tx : (uint64_t)b.tx, "byte");
	words_add(w, b.tx < 0 ? " more than expected" : " missing");
}

/* A wait that sleeps is one for the current phase, whatever the token is. */
static uint32_t current_phase(const struct look *look)
{
	struct barrier b;

	if (!barrier_exists(look->queue->device, look->command.barrier) ||
	    barrier_read(look->queue->device, look->command.barrier, &b))
		return 0;
	return b.phase;
}

static void add_try_wait(struct words *w, const struct look *look)
{
	const struct tma_command *c = &look->command;
	uint32_t parity = (uint32_t)(c->global_address >> TMA_STATE_PHASE_LSB & 1);

	words_add(w, "try_wait");
	if (c->flags & TMA_FLAG_PARITY)
		parity = c->count;
	if (c->flags & TMA_FLAG_LAST_STATE) {
		words_add(w, " for the state of the queue's last arrive, which the host does not know,");
		parity = current_phase(look);
	}
	add_barrier(w, look, parity);
	if (c->tx != TMA_NO_LIMIT)
		words_add(w, "; gives up after %" PRIu32 " cycles", c->tx);
}

/* How many groups the commands before the head have committed, as far back as they are known. */
static void add_commits(struct words *w, const struct look *look, enum tma_opcode commit)
{
	uint32_t head = look->state.next_sequence, commits = 0, known;
	struct tma_command c;

	for (known = 0; known < head && history_get(look->queue, head - known - 1, &c); known++)
		commits += c.opcode == commit;
	words_add(w, "; of the ");
	words_add_count(w, known, "command");
	words_add(w, " before it %" PRIu32 " committed a group", commits);
}

static void add_wait_group(struct words *w, const struct look *look)
{
	bool bulk = look->command.opcode == TMA_BULK_WAIT_GROUP, read = look->command.flags & TMA_FLAG_READ;

	words_add(w, "wait_group%s %" PRIu32 ": more than %" PRIu32 " of its %s groups %s",
	          read ? ".read" : "", look->command.count, look->command.count, bulk ? "bulk" : "cp.async",
	          read ? "have not read all their sources" : "are not complete");
	add_commits(w, look, bulk ? TMA_BULK_COMMIT_GROUP : TMA_CP_ASYNC_COMMIT_GROUP);
}

/* Why the command cannot issue, though there is room for its record. */
static void add_condition(struct words *w, const struct look *look)
{
	switch (look->command.opcode) {
	case TMA_MBARRIER_TRY_WAIT:
		add_try_wait(w, look);
		break;
	case TMA_BULK_WAIT_GROUP:
	case TMA_CP_ASYNC_WAIT_GROUP:
		add_wait_group(w, look);
		break;
	case TMA_CP_ASYNC_WAIT_ALL:
		words_add(w, "wait_all: some of its cp.async are not done");
		break;
	case TMA_BULK_COMMIT_GROUP:
	case TMA_CP_ASYNC_COMMIT_GROUP:
		words_add(w, "commit_group: as many groups as a queue holds are not complete");
		break;
	default:
		words_add(w, "for a reason that the host does not know");
		break;
	}
}

static void add_head(struct words *w, const struct look *look)
{
	words_add(w, "command %" PRIu32, look->state.next_sequence);
	if (look->known)
		words_add(w, " (%s, tag 0x%" PRIx32 ")",
		          tma_opcode_name(look->command.opcode) ? tma_opcode_name(look->command.opcode)
		                                                : "unknown opcode",
		          look->command.tag);
	if (!look->state.blocked) {
		words_add(w, " is next, ");
		words_add_count(w, look->queue->submitted - look->state.next_sequence - 1, "command");
		words_add(w, " behind it");
		return;
	}
	words_add(w, " waits: ");
	if (look->status & TMA_REG_QUEUE_STATUS_FULL_MASK)
		words_add(w, look->queue->ring ? "its completion ring is full: take records"
		                               : "the engine can hold no more records: take them");
	else if (look->known)
		add_condition(w, look);
	else
		words_add(w, "for what, the host does not know any more");
}

/* The command that the words are about, where it is known. */
static void add_ptx(struct words *w, const struct look *look)
{
	struct tma_command command;

	if (look->state.faulted && history_get(look->queue, look->state.fault_sequence, &command))
		words_add_ptx(w, &command);
	else if (!look->state.faulted && look->known)
		words_add_ptx(w, &look->command);
}

static int reason(const struct tma_queue *queue, bool ptx, char *text, size_t length)
{
	struct words w = { .bytes = text, .room = length };
	struct look look;
	int error = look_at(queue, &look);

	if (error)
		return error;
	words_add(&w, "queue %" PRIu32 ": ", queue->index);
	if (look.status & TMA_REG_QUEUE_STATUS_CLOSING_MASK) {
		words_add(&w, "closing: not all that was in flight is done");
	} else if (look.state.faulted) {
		add_fault(&w, &look);
	} else if (look.state.next_sequence != queue->submitted) {
		add_head(&w, &look);
	} else {
		words_add_count(&w, queue->submitted, "command");
		words_add(&w, " so far, %s",
		          look.status & TMA_REG_QUEUE_STATUS_BUSY_MASK ? "copies or records are in flight"
		                                                       : "idle");
		return w.length;
	}
	if (ptx && !(look.status & TMA_REG_QUEUE_STATUS_CLOSING_MASK))
		add_ptx(&w, &look);
	return w.length;
}

int queue_reason(const struct tma_queue *queue, char *text, size_t length)
{
	return reason(queue, true, text, length);
}

/* Without the command as PTX: what has not come stands behind it. */
int queue_because(const struct tma_queue *queue, int error, const char *what)
{
	char text[REASON_ROOM];

	if (reason(queue, false, text, sizeof(text)) >= 0)
		because(error, "%s%s%s", text, *what ? "; " : "", what);
	return error;
}

int tma_queue_text(const struct tma_queue *queue, char *text, size_t length)
{
	int result = check_queue(queue);

	if (!result)
		result = check_text(text, length);
	if (!result) {
		enter(queue->device);
		result = queue_reason(queue, text, length);
		leave(queue->device);
	}
	return ended(__func__, result);
}
