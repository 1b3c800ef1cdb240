/* SPDX-License-Identifier: Apache-2.0 */
/*
 * handle - what public functions are given, and whose turn it is on the engine.
 *
 * Every public function that reaches an engine enters through the handle that it was given, and leaves
 * before it returns; what it calls in between is the library's own, and enters nothing. One that goes round
 * until something has happened lets others in between its rounds, with give_way().
 */
#ifndef HANDLE_H
#define HANDLE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

struct tma_device;
struct tma_memory;
struct tma_multimem_object;
struct tma_queue;

/* First member of whatever a handle points to: which kind it is, 0 when it was freed. */
enum mark {
	MARK_FREED = 0,
	MARK_DEVICE = 0x544D4101,
	MARK_MEMORY = 0x544D4102,
	MARK_MULTIMEM = 0x544D4103,
	MARK_QUEUE = 0x544D4104,
};

/** Before free(): the compiler must not leave it out as nobody's business. */
static inline void unmark(uint32_t *mark)
{
	*(volatile uint32_t *)mark = MARK_FREED;
}

/** Is it a handle of its kind, as far as can be told? @retval TMA_EINVAL */
int check_device(const struct tma_device *device);
int check_memory(const struct tma_memory *memory);
int check_multimem(const struct tma_multimem_object *multimem);
int check_queue(const struct tma_queue *queue);

/* Whose turn it is on the engine of a device. */
struct turns {
	pthread_mutex_t mutex;
	atomic_uint waiting; /* threads that are held up by the mutex */
	atomic_uint taken;   /* turns so far, modulo 2^32 */
};

/** @return 0, or an errno */
int turns_init(struct turns *turns);
void turns_end(struct turns *turns);

/** Take the engine; the handles are good. */
void enter(const struct tma_device *device);
void leave(const struct tma_device *device);
/** Between two rounds of a call that has entered: leave, let those have their turn who wait for it, enter. */
void give_way(const struct tma_device *device);

/** Put this thread to sleep, a little longer each time: @p times counts them from 0. */
void back_off(unsigned int times);

#endif
