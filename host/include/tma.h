/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma - drive a Tramway engine from C.
 *
 *	tma_open()                        an engine, through a back end
 *	  tma_memory_alloc()              global memory that host and engine share
 *	  tma_map_encode_tiled(), ..      tensor maps (tma_map.h), into memory with tma_copy_in()
 *	  tma_smem_write()                shared memory of the CTAs
 *	  tma_queue_open()                a queue: what PTX calls a thread; commands go in through
 *	                                  a ring in global memory or through the direct port
 *	    tma_cp_async_bulk_load(), ..  build commands (tma_command.h)
 *	    tma_submit()                  hand a command over
 *	    tma_wait(), tma_poll()        take records: answers, signals, faults
 *	    tma_sync(), ..                wait without them (tma_wait.h)
 *	    tma_resume()                  go on after a fault
 *	  tma_queue_close()
 *	tma_close()                       gives back everything
 *
 * Threads: queues of one device may be used from several threads at once, each queue by one thread at a time;
 * the same goes for a buffer and a multimem object. Calls on the device itself, memory among them, may come from
 * any thread at any time, and tma_cancel() may name a queue that another thread waits in. What opens is there for
 * another thread when it has been handed over; what is closed or freed must not be in use, nor used later, by
 * anybody, and tma_close() is the last call of all. Inside, one lock per device is held while a call is on its
 * engine; calls that wait let others in between, a simulated engine goes on in the calls of any thread, and no
 * thread keeps another from its turn. Devices are independent. Of the functions of commands and maps, each call
 * is by itself.
 * Errors: functions that return int or int64_t give 0 or more on success, a negative
 * enum tma_error otherwise, and then nothing has changed unless the function says so. tma_last_error() says why:
 * which argument, and what it has to be. NULL is TMA_EINVAL for every pointer whose description does not allow it;
 * functions that return something else give 0 or NULL then, and those that return nothing do nothing. A handle that
 * was closed or freed, or is one of another kind, is refused in the same way as long as its memory has not been
 * used for something else: a help in finding mistakes, no promise.
 * The library prints nothing, also not which back ends were looked for: tma_last_error() says that. Only the
 * simulated engine prints: it says on stderr which rule was broken. What XRT itself prints is its own.
 * What a *command* does wrong is no error of a call: the queue stops and delivers a FAULT record,
 * which tma_fault_text() puts into words.
 * Time: limits are clock cycles of the engine. A simulated engine's clock runs only inside
 * tma_submit(), tma_poll(), tma_wait() and the calls that say so. The model has no clock: asked to
 * wait, it executes all that can be executed; what is not there then, only another thread can bring. With a seed
 * it goes on by one move in each turn of a wait and in each call that says that the clock runs: a limit counts them.
 * Where tma_device_info.clocked is false and the engine goes on by itself ("serial", "xrt"), a limit counts looks, each
 * of a millisecond or more over a line or with an interrupt: use tma_wait_ns() there, and set a small submit_limit.
 */
#ifndef TMA_H
#define TMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tma_abi.h"
#include "tma_command.h"
#include "tma_map.h"
#include "tma_regs.h"
#include "tma_version.h"
#include "tma_wait.h"

#ifdef __cplusplus
/* Some functions have the name of a struct, as C allows. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"
extern "C" {
#endif
/* What the library exports, however it and the program are compiled. */
#pragma GCC visibility push(default)

struct tma_device;
struct tma_memory;
struct tma_queue;

/* A way to reach an engine. "model" and "serial" are part of this library. Another one, NAME, is a shared object of
 * its own, libtma_NAME.so, which tma_open() looks for in the folder that the environment variable
 * TMA_BACKEND_PATH names; without that beside this library, then where the system has its libraries.
 * Or the program is linked with it: tma_backend_rtl.h. */
struct tma_backend;

enum tma_error {
	TMA_OK = 0,
	TMA_EINVAL = -1,    /* an argument is out of range */
	TMA_ESIZE = -2,     /* the struct's size member is not one that this library knows */
	TMA_ENOMEM = -3,    /* the host has no memory left */
	TMA_ENOSPC = -4,    /* the device's memory or its windows are used up */
	TMA_EBACKEND = -5,  /* no back end of that name; tma_last_error() says where it was looked for */
	TMA_ECONFIG = -6,   /* the back end has no configuration of that name */
	TMA_EBUSY = -7,     /* the queue is open already or being reset, or something in use forbids it */
	TMA_EFULL = -8,     /* the queue took no command within the limit */
	TMA_ETIMEDOUT = -9, /* the limit was reached, or what is waited for cannot come */
	TMA_EFAULT = -10,   /* a command's fault has stopped the queue */
	TMA_EDEVICE = -11,  /* the engine or its surroundings broke a rule, as tma_device_check() */
	TMA_EVERSION = -12, /* the engine's major version is not TMA_ABI_MAJOR */
	TMA_ENOTSUP = -13,  /* the back end does not have this */
};

/** What an error code means, in one line. Never NULL. */
const char *tma_strerror(int error);

/** The name of an error code, for example "TMA_EINVAL"; NULL: there is none. */
const char *tma_error_name(int error);

/**
 * Why the last call of this thread that failed has failed: the function, the argument and its rule, for example
 *	tma_queue_open: cta = 9: the device has CTAs 0 to 3
 * Of TMA_EBACKEND there are more lines than one, each with a file that was tried. A call that succeeds does not
 * change it, "" if none has failed yet. Never NULL; stays until the next call of this thread that fails.
 * The functions of tensor maps say why in a struct tma_map_error instead.
 */
const char *tma_last_error(void);

/** Version of the library, to be compared with TMA_VERSION, that of the headers. */
uint32_t tma_version(void);

/* ---- Device ----------------------------------------------------------------------------------- */

/* Options of tma_open(). Set size to sizeof(struct tma_options); zero fields mean "default".
 * New fields are only ever added at the end. */
struct tma_options {
	size_t size;
	const char *backend; /* "model" (default), "serial", one in `backends`, or another, "rtl" */
	const char *config;  /* "small", "default" (default), "max" */
	/* rtl: 0: latency of 100 cycles, no stalls; else random from it.
	 * model: 0: a copy is done when it has issued, which hides a wait that was forgotten; else copies complete
	 * late, in pieces, in an order drawn from the seed, the same for the same calls. Right programs give
	 * the same with every seed. */
	uint64_t seed;
	uint64_t memory_bytes; /* limit of all tma_memory_alloc(), default 256 MiB, or what there is */
	uint64_t submit_limit; /* cycles that tma_submit(), tma_sync(), a resume, a reset and a close
	                        * wait, looks where there is no clock; default 1,000,000 */
	const char *wave;      /* rtl: file to write a waveform (FST) to, default none */
	const struct tma_backend *const
		*backends; /* linked besides those of the library, looked at behind them; ends with NULL */
	bool reductions; /* a model is built with them, another engine has them or is refused (TMA_ENOTSUP) */
	const char *xclbin; /* xrt: file with the kernel, default what TMA_XCLBIN in the environment names */
	const char *device; /* serial: the line, default TMA_SERIAL_DEVICE in the environment, /dev/ttyUSB0 */
	uint32_t baud;      /* serial: its speed, default TMA_SERIAL_BAUD in the environment, 1,000,000 */
};

/**
 * Open an engine: all queues closed, no global memory, shared memory of any contents.
 *
 * @param options  NULL means all defaults; may be reused after the call
 * @param device   the engine; close it with tma_close()
 * @retval TMA_ESIZE, TMA_EBACKEND, TMA_ECONFIG, TMA_EVERSION, TMA_ENOMEM
 * @retval TMA_ENOTSUP  it has no reductions, and they are asked for
 * @retval TMA_EDEVICE  the engine cannot be reached, or the waveform cannot be written
 * @retval TMA_ETIMEDOUT  it is in use, and what is in flight does not end
 * @retval TMA_EINVAL   device is NULL, or an option of the back end is out of range
 */
int tma_open(const struct tma_options *options, struct tma_device **device);

/** Close queues, free memory, close the engine. NULL is allowed. */
void tma_close(struct tma_device *device);

/* Set size to sizeof(struct tma_device_info) before the call. */
struct tma_device_info {
	size_t size;
	const char *backend; /* lives as long as the device, as the next one */
	const char *config;
	uint32_t ctas;       /* CTAs of the cluster */
	uint32_t smem_bytes; /* shared memory of one CTA */
	uint32_t queues;
	uint32_t windows;          /* windows of global memory per queue */
	uint32_t ports;            /* global ports */
	uint32_t data_bytes;       /* bytes that a global port moves per cycle and direction */
	uint32_t multimem_windows; /* multimem objects that can be open at once */
	bool coherent;             /* tma_memory_host() shows the device's memory itself */
	bool clocked;              /* tma_cycles() counts */
	bool tensor;               /* tensor copies are built */
	bool packed;               /* and the padded types of tensor maps, 16U4_ALIGN16B and 16U6_ALIGN16B */
	uint32_t maps;             /* tensor maps that the engine keeps decoded */
	uint32_t abi_minor;        /* of the engine; below TMA_ABI_MINOR it lacks what came later */
	bool reductions;           /* are built */
	bool floats;               /* those of f16, bf16 and f32 too */
	bool f64;                  /* and those of f64 */
	uint64_t memory_bytes;     /* that tma_memory_alloc() can give in all, rings included */
};

/** What the engine is built as. @retval TMA_EINVAL, TMA_ESIZE */
int tma_device_info(const struct tma_device *device, struct tma_device_info *info);

/** Clock cycles since the engine was opened; 0 on back ends without a clock. */
uint64_t tma_cycles(const struct tma_device *device);

/** Performance counter of the engine, see the register tables. The clock runs.
 * @retval TMA_EINVAL  no such counter
 * @retval TMA_ENOTSUP  the model counts commands, signals, faults, records and prefetch errors alone
 * @retval TMA_EDEVICE */
int tma_counter(struct tma_device *device, enum tma_counter which, uint64_t *value);

/**
 * Choose between what the documentation says and what an H200 does, for copies that start to move
 * afterwards. The clock runs.
 *
 * @param bits  TMA_REG_BEHAVIOUR_*_MASK: STORE_GRANULE16, tensor stores write whole 16-byte granules
 *              where a row of the tensor ends in one, the bytes behind it too. 0, which the engine
 *              starts with, clips per element. F32_FTZ, every add of f32 takes subnormal numbers for zeros, as
 *              the documentation says; 0, which the engine starts with, keeps them, as an H200 does.
 * @retval TMA_EINVAL   no such bit
 * @retval TMA_ENOTSUP  the engine does not have the choice
 * @retval TMA_EDEVICE
 */
int tma_set_behaviour(struct tma_device *device, uint32_t bits);

/** Has the engine kept every rule that its surroundings check (bus protocol, assertions)?
 * @retval TMA_EDEVICE  no; of a simulated engine, what was wrong first is on stderr */
int tma_device_check(const struct tma_device *device);

/* ---- Global memory ---------------------------------------------------------------------------- */

/**
 * Take global memory of the device: 4 KiB-aligned for the engine, zero at first. No two buffers
 * touch, so an engine that runs over a buffer's last page meets a bus error, not a neighbour.
 *
 * @param bytes  at least 1
 * @retval TMA_EINVAL  bytes is 0
 * @retval TMA_ENOSPC  more than tma_options.memory_bytes in all, or no gap is large enough
 * @retval TMA_ENOMEM
 * @retval TMA_EDEVICE  the back end could not take it, or could not clear it
 */
int tma_memory_alloc(struct tma_device *device, uint64_t bytes, struct tma_memory **memory);

/** Give it back. No copy to or from it may be in flight. NULL is allowed. */
void tma_memory_free(struct tma_memory *memory);

/** Address of its first byte for the engine. */
uint64_t tma_memory_address(const struct tma_memory *memory);
/** Bytes as asked for. */
uint64_t tma_memory_bytes(const struct tma_memory *memory);
/** The host's view of it, stays until tma_memory_free(). Unless tma_device_info.coherent, what one
 * side writes reaches the other through the two functions below. */
void *tma_memory_host(const struct tma_memory *memory);

/** Make the host's writes to bytes offset..offset+bytes-1 visible to the engine. Nothing to do,
 * but allowed, where memory is coherent. @retval TMA_EINVAL  outside the buffer @retval TMA_EDEVICE */
int tma_memory_to_device(struct tma_memory *memory, uint64_t offset, uint64_t bytes);
/** Make the engine's writes visible to the host. @retval TMA_EINVAL  outside the buffer @retval TMA_EDEVICE */
int tma_memory_from_device(struct tma_memory *memory, uint64_t offset, uint64_t bytes);

/** Copy the host's bytes into global memory and make them visible. @retval TMA_EINVAL @retval TMA_EDEVICE */
int tma_copy_in(struct tma_memory *memory, uint64_t offset, const void *source, uint64_t bytes);
/** Copy global memory to the host, as the engine left it. @retval TMA_EINVAL @retval TMA_EDEVICE */
int tma_copy_out(struct tma_memory *memory, uint64_t offset, void *destination, uint64_t bytes);

/* ---- Multimem objects ------------------------------------------------------------------------- */

/* One piece of the address space that lies on several global ports, as a buffer of its own on each. */
struct tma_multimem_object;

/**
 * Make a multimem object: a buffer on every port of the mask, and a multimem window over them. The
 * clock runs.
 *
 * Queues that copy to it need a window over it with TMA_ALLOW_MULTIMEM, and must be opened after it.
 *
 * @param bytes  of each buffer, at least 1; rounded up to whole pages of 4096
 * @param ports  bit p: global port p; 0: all of them
 * @retval TMA_EINVAL  no such port, or bytes is 0
 * @retval TMA_ENOSPC  no multimem window or no memory of the device is left
 * @retval TMA_EBUSY   an open queue has a window with TMA_ALLOW_MULTIMEM
 * @retval TMA_ENOMEM, TMA_EDEVICE
 */
int tma_multimem_open(struct tma_device *device, uint64_t bytes, uint32_t ports,
                      struct tma_multimem_object **multimem);

/** Close the window and free the buffers. While an open queue has a window with TMA_ALLOW_MULTIMEM it stays
 * open. NULL is allowed. */
void tma_multimem_close(struct tma_multimem_object *multimem);

/** Address of its first byte, for multimem copies and windows. */
uint64_t tma_multimem_address(const struct tma_multimem_object *multimem);
/** Bytes, whole pages. */
uint64_t tma_multimem_bytes(const struct tma_multimem_object *multimem);
/** Its buffer on one port, NULL: it has none there. Belongs to the object: tma_memory_free() does not free it. */
struct tma_memory *tma_multimem_memory(const struct tma_multimem_object *multimem, uint32_t port);

/* ---- Shared memory ---------------------------------------------------------------------------- */

/**
 * Read or write shared memory through its external port. The clock runs.
 *
 * @param address  tma_shared(cta, offset), any alignment
 * @retval TMA_EINVAL   no such CTA, or the range leaves its shared memory
 * @retval TMA_ENOTSUP  the back end does not reach shared memory
 * @retval TMA_EDEVICE
 */
int tma_smem_read(struct tma_device *device, uint32_t address, void *bytes, uint32_t size);
int tma_smem_write(struct tma_device *device, uint32_t address, const void *bytes, uint32_t size);

/* ---- Queues ----------------------------------------------------------------------------------- */

/* What a window of global memory allows. */
#define TMA_ALLOW_READ     1u
#define TMA_ALLOW_WRITE    2u
#define TMA_ALLOW_MULTIMEM 4u /* multimem copies; of a piece inside a multimem object */

/* A piece of global memory that a queue may use. */
struct tma_queue_window {
	uint64_t address; /* multiple of 4096 */
	uint64_t bytes;   /* rounded up to a multiple of 4096; at least 1 */
	uint32_t allow;   /* TMA_ALLOW_*, at least one */
};

/* How commands and records of a queue travel. */
enum tma_front {
	TMA_FRONT_DIRECT, /* through the engine's direct port; not on every back end */
	TMA_FRONT_RING,   /* through rings in global memory */
};

/* Options of tma_queue_open(). Set size to sizeof(struct tma_queue_options). */
struct tma_queue_options {
	size_t size;
	uint32_t cta;      /* executing CTA, default 0 */
	uint32_t cta_mask; /* CTAs that its commands may touch, bit r = CTA r; 0 (default) is all */
	/* Global memory that its commands may use. None (default): everything that
	 * tma_memory_alloc() has given or will give, for reading and writing. */
	const struct tma_queue_window *windows;
	uint32_t num_windows;
	uint32_t depth;       /* commands that may wait in it, default 1024 */
	uint8_t stream;       /* AxUSER[15:8] of its accesses */
	uint8_t prot;         /* AxPROT of its accesses */
	uint16_t cancel_mask; /* bit q: its tma_cancel_queue() commands may name queue q */
	enum tma_front front; /* default TMA_FRONT_DIRECT */
	/* TMA_FRONT_RING: slots of the rings, powers of two, 16 to 65536, 0 (default) is 256. The library
	 * takes device memory for them, and one of the queue's windows unless there are no `windows`. */
	uint32_t ring_slots, record_slots;
};

/**
 * Open queue @p index of the device. Its commands count from sequence number 0. The clock runs.
 *
 * @param options  NULL means all defaults; may be reused after the call
 * @retval TMA_EINVAL  no such queue, CTA, or a window that is empty, misaligned or allows nothing
 * @retval TMA_ENOSPC  more windows than a queue has, or no device memory for the rings
 * @retval TMA_EBUSY   the queue is open
 * @retval TMA_ENOTSUP  the back end has no direct port
 * @retval TMA_ESIZE, TMA_ENOMEM, TMA_EDEVICE
 */
int tma_queue_open(struct tma_device *device, uint32_t index, const struct tma_queue_options *options,
                   struct tma_queue **queue);

/** Close the queue: commands that have not issued are dropped, copies in flight are waited for,
 * tma_options.submit_limit cycles at most; if they do not end, the device is of no more use and
 * tma_device_check() says so. The clock runs. NULL is allowed. */
void tma_queue_close(struct tma_queue *queue);

/**
 * Append a command to the queue. Commands issue in order, copies complete in any.
 *
 * The command is copied and may be reused at once. What it points to has to stay until it is
 * complete: for a load when its barrier's phase is, for a store when its group is. On a full queue
 * the engine is let run, tma_options.submit_limit cycles at most.
 *
 * @return the command's sequence number, 0..0xffffffff, to be found in struct tma_record
 * @retval TMA_EFULL    the queue stayed full: its head waits for something, or it has stopped; at once where
 *                      only the caller can help, because its completion ring is full or a FAULT record of it
 *                      waits to be taken. tma_queue_text() says which
 * @retval TMA_EFAULT   a FAULT record of this queue was delivered
 * @retval TMA_EBUSY    a tma_queue_reset() was begun and is not over
 * @retval TMA_EDEVICE
 */
int64_t tma_submit(struct tma_queue *queue, const struct tma_command *command);

/**
 * Append several commands, in order, with as few doorbells as the queue's room allows.
 *
 * @return the sequence number of the first; the others follow
 * @retval as tma_submit(); then the first tma_queue_state.next_sequence + waiting tells how many went in
 */
int64_t tma_submit_all(struct tma_queue *queue, const struct tma_command *commands, uint32_t count);

/**
 * The same, but what went in counts: for programs that go on with the rest later.
 *
 * @return how many were accepted, the first ones; fewer than @p count if the queue stayed full or has
 *         faulted meanwhile
 * @retval TMA_EFULL, TMA_EFAULT, TMA_EBUSY  none was accepted
 * @retval TMA_EDEVICE
 */
int64_t tma_submit_some(struct tma_queue *queue, const struct tma_command *commands, uint32_t count);

/** Commands that the queue takes now, without letting the engine go on: free slots of its ring, or what its depth
 * leaves. The clock runs. @retval TMA_EBUSY  as tma_submit() @retval TMA_EDEVICE */
int64_t tma_queue_room(struct tma_queue *queue);

/**
 * Take the queue's oldest record, if there is one; let the engine go on a little if not.
 *
 * @return 1, *record is filled; 0: none yet
 * @retval TMA_EFAULT  *record is filled, it is a FAULT: the queue has stopped, unless it was resumed before the
 *                     record was taken
 * @retval TMA_EBUSY   as tma_submit()
 * @retval TMA_EDEVICE
 */
int tma_poll(struct tma_queue *queue, struct tma_record *record);

/**
 * Wait for the queue's next record.
 *
 * @param limit  cycles to wait at most
 * @return 0, *record is filled
 * @retval TMA_EFAULT     *record is filled, it is a FAULT, as tma_poll()
 * @retval TMA_EBUSY      as tma_submit()
 * @retval TMA_ETIMEDOUT  no record; waiting again is allowed; tma_queue_text() says what the queue waits for
 * @retval TMA_EDEVICE
 */
int tma_wait(struct tma_queue *queue, struct tma_record *record, uint64_t limit);

/**
 * The same, but for so long. Where nothing of the engine goes on by itself, as is soon the case with the model,
 * the thread sleeps, and looks from time to time: what it waits for may come by a command of another thread.
 *
 * @param nanoseconds  to wait at most; the first look may take longer
 * @retval as tma_wait()
 */
int tma_wait_ns(struct tma_queue *queue, struct tma_record *record, uint64_t nanoseconds);

/**
 * Go on after a fault. Waits until nothing of the queue is in flight, tma_options.submit_limit cycles at
 * most; the clock runs.
 *
 * Groups and the state of the last arrive stay. Of a ring, the commands from @p sequence on are read
 * again, so tma_replace() may put others in their places before.
 *
 * @param sequence  command to go on with: tma_queue_state.next_sequence, which is the one at fault unless that
 *                  has left the queue (a copy that failed under way), or a later one to leave some out; at most
 *                  the number of the next tma_submit()
 * @retval TMA_EINVAL     the queue has not faulted, or no such command
 * @retval TMA_ETIMEDOUT  copies are still in flight
 * @retval TMA_EDEVICE
 */
int tma_resume(struct tma_queue *queue, uint32_t sequence);

/**
 * Put another command in the place of one that has not left the queue, before tma_resume().
 *
 * @retval TMA_EINVAL   the queue has not faulted, or no such command in the ring
 * @retval TMA_ENOTSUP  not a ring queue
 */
int tma_replace(struct tma_queue *queue, uint32_t sequence, const struct tma_command *command);

/** Drop commands, groups, waits, faults and records of this queue alone; it starts anew with sequence
 * number 0 when its copies in flight are done, which is waited for as in tma_resume().
 * @retval TMA_ETIMEDOUT  they are not: all else is dropped. Call it again; until it returns 0 the queue takes no
 *                        command, and waits for it are refused (TMA_EBUSY)
 * @retval TMA_EDEVICE */
int tma_queue_reset(struct tma_queue *queue);

/** End the wait that the queue is blocked in: it faults CANCELLED. A queue that does not wait goes on.
 * Any thread may call it, also while another one is in a call with the queue, but for tma_queue_close().
 * The clock runs. @retval TMA_EDEVICE */
int tma_cancel(struct tma_queue *queue);

/* Set size to sizeof(struct tma_queue_state) before the call. */
struct tma_queue_state {
	size_t size;
	uint32_t next_sequence; /* of the next command to leave the queue */
	uint32_t waiting;       /* commands that have not left it */
	bool blocked;           /* its head is a wait that is not satisfied */
	bool faulted;           /* a fault has stopped it; the rest is about the first one */
	uint16_t fault;         /* enum tma_fault */
	uint16_t fault_count;   /* faults so far */
	uint32_t fault_sequence;
	uint32_t fault_tag;
	uint64_t fault_address;
};

/** What software can see of the queue now. The clock runs. @retval TMA_ESIZE, TMA_EDEVICE */
int tma_queue_state(struct tma_queue *queue, struct tma_queue_state *state);

/**
 * A FAULT record in words: queue, command, name of the fault, the rule that was broken, the value
 * that broke it, and where the rule comes from, for example
 *	queue 2, command 17 (BULK_LOAD, tag 0x5): SIZE_GRANULE: the size must be a multiple of
 *	16 bytes; size = 49 (F04); PTX: cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes
 *	[0x400], [0x100000000], 49, [0x0]; // tma: tag=0x5
 * in one line. Commands older than the last 4096 are not named. Behind PTX: stands what tma_command_print() writes of
 * the command, as long as the library has it: of a ring, what its slot holds now; of a direct queue, until as many
 * commands as can wait in it have followed, 4096 at most. Of an illegal tensor map that lies in memory of the
 * device, the parameter that is wrong is named as well, as long as it still is.
 *
 * @param queue   the queue that delivered it; NULL, or another queue: the command is neither named nor
 *                shown then
 * @param text    filled with a string of less than @p length bytes; may be NULL if that is 0
 * @return        length that the whole text has, as snprintf()
 * @retval TMA_EINVAL
 */
int tma_fault_text(const struct tma_queue *queue, const struct tma_record *record, char *text, size_t length);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
