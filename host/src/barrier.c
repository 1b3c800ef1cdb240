/* SPDX-License-Identifier: Apache-2.0 */
/* mbarriers in shared memory, as the host sees them. */
#include "barrier.h"

#define BARRIER_BYTES 8u

#define FIELD(word, name) \
	((uint32_t)((word) >> TMA_BARRIER_##name##_LSB & ((UINT64_C(1) << TMA_BARRIER_##name##_BITS) - 1)))

bool barrier_exists(const struct tma_device *device, uint32_t address)
{
	uint32_t offset = address & 0xFFFFFF;

	return address >> 24 < device->info.ctas && offset % BARRIER_BYTES == 0 &&
	       offset < device->info.smem_bytes;
}

int barrier_read(const struct tma_device *device, uint32_t address, struct barrier *barrier)
{
	uint32_t sign = 1u << (TMA_BARRIER_TX_BITS - 1);
	uint8_t bytes[BARRIER_BYTES];
	uint64_t word = 0;
	int error;

	if (!device->backend->smem_read)
		return TMA_ENOTSUP;
	error = device->backend->smem_read(device->engine, address >> 24, address & 0xFFFFFF, bytes,
	                                   sizeof(bytes));
	if (error)
		return error;
	for (uint32_t i = 0; i < BARRIER_BYTES; i++)
		word |= (uint64_t)bytes[i] << 8 * i;
	barrier->alive = FIELD(word, LIVE) == TMA_BARRIER_ALIVE;
	barrier->phase = FIELD(word, PHASE);
	barrier->pending = FIELD(word, PENDING);
	barrier->tx = (int32_t)(FIELD(word, TX) ^ sign) - (int32_t)sign;
	return 0;
}
