/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_backend - what a back end is: a way to reach one engine, as a table of functions.
 *
 * For those who write one; programs that use engines need nothing of this. docs/back-ends.md is the
 * guide, with an example. The table is the one symbol, tma_backend_NAME, of a shared object
 * libtma_NAME.so (tma.h says where it is looked for), or it is linked with the program and named in
 * tma_options.backends.
 *
 * A back end moves words and bytes. Queues, windows, faults and counters are registers, and the
 * library knows those: docs/gen/registers.md.
 *
 * Every slot that is called "optional" may be NULL. Functions that return int give 0 or an enum
 * tma_error, unless they say more. The library checks arguments before it calls.
 * Threads: calls for one engine come one at a time, of different engines at any time.
 */
#ifndef TMA_BACKEND_H
#define TMA_BACKEND_H

#include "tma.h"
#include "tma_watch.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Changes when a slot or a member changes its meaning. New slots and members come at the end, so that
 * size tells which of them a table has; those that it has not are taken for NULL. */
#define TMA_BACKEND_VERSION 1

/* Not an error: the engine answered a register access with SLVERR and changed nothing. */
#define TMA_REFUSED 1

/* What the registers do not tell of an engine. */
struct tma_backend_engine {
	size_t size; /* of this struct in the library */
	/* Name of its configuration, which lives as long as the engine. NULL: the library finds it by its
	 * shape, "small", "default", "max", and calls any other one "custom". */
	const char *config;
	/* Memory can be anywhere: the library chooses its address and has host memory for it, memory_alloc
	 * only shows it to the engine. For engines that are simulated. */
	bool placed;
	/* Unless placed: where memory_alloc gives memory; multiples of 4096. Queues without windows may use all
	 * of it. 0 bytes: anywhere in the address space. */
	uint64_t memory_base, memory_bytes;
	uint32_t uncounted; /* bit c: counter c (enum tma_counter) does not count */
	/* The library's own, for each function of the back end that is about to return an error: why, in words without
	 * a full stop, which are copied and become what tma_last_error() says. What is said first stays. */
	void (*because)(const char *why);
};

/* Memory that host and engine share. */
struct tma_backend_memory {
	uint32_t port;    /* global port through which the engine sees it */
	uint64_t bytes;   /* whole pages of 4096 */
	uint64_t address; /* of its first byte for the engine, a multiple of 4096 */
	void *host;       /* the host's view of it, aligned to 64 bytes at least */
	void *handle;     /* the back end's own, NULL at first */
};

struct tma_backend {
	const char *name;
	size_t size;      /* sizeof(struct tma_backend) */
	uint32_t version; /* TMA_BACKEND_VERSION */

	/**
	 * Reach an engine. Whatever state it is in: the library disables queues before it uses them.
	 *
	 * @param options  those of tma_open(), never NULL; config is NULL if the caller has no wish
	 * @param about    all zero but for size and because
	 * @retval TMA_EINVAL  one of the options that are its own
	 * @retval TMA_ECONFIG, TMA_EDEVICE, TMA_ENOMEM
	 */
	int (*open)(const struct tma_options *options, struct tma_backend_engine *about, void **engine);
	/** All memory has been given back; no queue is enabled, unless the engine failed. */
	void (*close)(void *engine);

	/** One 32-bit register at a multiple of 4; addresses as in docs/gen/registers.md. A write has arrived when
	 * this returns, or at the latest before any later access, and after all that the host wrote to
	 * coherent memory before it. @retval TMA_REFUSED, TMA_EDEVICE */
	int (*reg_read)(void *engine, uint32_t address, uint32_t *value);
	int (*reg_write)(void *engine, uint32_t address, uint32_t value);

	/** Memory on a port: port and bytes are given, address, host and handle are to be filled. If placed, only handle is.
	 * Its contents do not matter. @retval TMA_ENOSPC, TMA_ENOMEM, TMA_EDEVICE */
	int (*memory_alloc)(void *engine, struct tma_backend_memory *memory);
	/** Give it back; nothing of it is in use any more. */
	void (*memory_free)(void *engine, const struct tma_backend_memory *memory);
	/** Optional: host memory is not the engine's. Bring what the host wrote to the engine (@p to_device) or the
	 * other way round. NULL: memory is coherent. @retval TMA_EDEVICE */
	int (*memory_sync)(void *engine, const struct tma_backend_memory *memory, uint64_t offset,
	                   uint64_t bytes, bool to_device);

	/** Optional: shared memory of a CTA, any offset and size inside. @retval TMA_EDEVICE */
	int (*smem_read)(void *engine, uint32_t cta, uint32_t offset, void *bytes, uint32_t size);
	int (*smem_write)(void *engine, uint32_t cta, uint32_t offset, const void *bytes, uint32_t size);

	/** Optional, for engines that do not run by themselves: let it go on, by one clock cycle at most where there is a clock.
	 * @return 1 it did, 0 nothing is left that could happen by itself, or TMA_EDEVICE */
	int (*advance)(void *engine);
	/** Optional: clock cycles since open. */
	uint64_t (*cycles)(const void *engine);
	/** Optional: were all rules kept that are checked? @retval TMA_EDEVICE  no; it says on stderr which */
	int (*check)(const void *engine);
	/** Optional: wait for the engine's interrupt, which is a level: it stays until the library has cleared what is
	 * pending. Now and then it may be reported without being there; then the library looks in vain.
	 * @return 1 it is there, 0 not in that time, or TMA_EDEVICE */
	int (*interrupt)(void *engine, uint32_t microseconds);

	/*
	 * Optional, all three: the direct port. What a queue has of commands and records is dropped when a
	 * register says so: CONTROL that disables it, or RESET.
	 */

	/** Append a command to a queue that is enabled without a ring. @retval TMA_ENOMEM */
	int (*submit)(void *engine, uint32_t queue, const struct tma_command *command);
	/** Commands of the queue that the engine has not taken. */
	uint32_t (*waiting)(void *engine, uint32_t queue);
	/** Take the queue's oldest record. @return 1 it is in *record, 0 there is none */
	int (*next_record)(void *engine, uint32_t queue, struct tma_record *record);

	/** Optional, for engines that are simulated: call @p see for what happens at the global ports from now on, inside
	 * advance and the other calls in which the clock runs. Once for an engine. @retval TMA_ENOMEM */
	int (*watch)(void *engine, void (*see)(void *context, const struct tma_watch_event *event),
	             void *context);
};

#ifdef __cplusplus
}
#endif

#endif
