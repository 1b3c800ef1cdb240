/* SPDX-License-Identifier: Apache-2.0 */
/* Handles that are good or not, and the turns of threads on one engine. */
#define _POSIX_C_SOURCE 200809L /* nanosleep() */
#include <sched.h>
#include <time.h>

#include "device.h"

/* A pthread mutex is not fair: who unlocks it and comes back at once has it again before a sleeper is awake.
 * So calls that come back at once look for sleepers first, and wait until one of them had a turn, at most so
 * often. Those calls themselves do not sleep on the mutex before they have tried so often: until then, whoever
 * has the engine moves it on for them as well. */
#define MAX_WAITS 50
#define PATIENCE  12

static int check(const void *handle, enum mark kind, const char *name)
{
	if (!handle)
		return because(TMA_EINVAL, "%s is NULL", name);
	if (*(const uint32_t *)handle != kind)
		return because(TMA_EINVAL, "%s = %p is none, or was closed or freed", name, handle);
	return 0;
}

int check_device(const struct tma_device *device)
{
	return check(device, MARK_DEVICE, "device");
}

int check_memory(const struct tma_memory *memory)
{
	return check(memory, MARK_MEMORY, "memory");
}

int check_multimem(const struct tma_multimem_object *multimem)
{
	return check(multimem, MARK_MULTIMEM, "multimem");
}

int check_queue(const struct tma_queue *queue)
{
	return check(queue, MARK_QUEUE, "queue");
}

int turns_init(struct turns *turns)
{
	atomic_init(&turns->waiting, 0);
	atomic_init(&turns->taken, 0);
	return pthread_mutex_init(&turns->mutex, NULL);
}

void turns_end(struct turns *turns)
{
	pthread_mutex_destroy(&turns->mutex);
}

/* A device is never const memory: those that only look at one take turns like the others. */
static struct turns *turns_of(const struct tma_device *device)
{
	return (struct turns *)&device->turns;
}

/* Only who has the turn counts it. */
static void count(struct turns *turns)
{
	unsigned int taken = atomic_load_explicit(&turns->taken, memory_order_relaxed);

	atomic_store_explicit(&turns->taken, taken + 1, memory_order_relaxed);
}

static void lock(struct turns *turns)
{
	if (pthread_mutex_trylock(&turns->mutex)) {
		atomic_fetch_add(&turns->waiting, 1);
		pthread_mutex_lock(&turns->mutex);
		atomic_fetch_sub(&turns->waiting, 1);
	}
	count(turns);
}

void enter(const struct tma_device *device)
{
	lock(turns_of(device));
}

void leave(const struct tma_device *device)
{
	pthread_mutex_unlock(&turns_of(device)->mutex);
}

void back_off(unsigned int times)
{
	const long shortest = 1000, longest = 1000000; /* nanoseconds */
	struct timespec pause = { 0 };

	if (times < 4) {
		sched_yield();
		return;
	}
	pause.tv_nsec = times - 4 < 10 ? shortest << (times - 4) : longest;
	nanosleep(&pause, NULL);
}

void give_way(const struct tma_device *device)
{
	struct turns *turns = turns_of(device);
	unsigned int seen = atomic_load_explicit(&turns->taken, memory_order_relaxed), i;

	pthread_mutex_unlock(&turns->mutex);
	for (i = 0; i < MAX_WAITS && atomic_load(&turns->waiting); i++) {
		if (atomic_load_explicit(&turns->taken, memory_order_relaxed) != seen)
			break;
		back_off(i < 8 ? i : 8);
	}
	for (i = 0; i < PATIENCE; i++) {
		if (!pthread_mutex_trylock(&turns->mutex)) {
			count(turns);
			return;
		}
		back_off(i);
	}
	lock(turns);
}
