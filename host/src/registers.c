/* SPDX-License-Identifier: Apache-2.0 */
/* The engine as its registers show it. */
#include "device.h"
#include "registers.h"
#include "shapes.h"

static int get(const struct tma_device *device, uint32_t address, uint32_t *value)
{
	return device->backend->reg_read(device->engine, address, value) ? TMA_EDEVICE : 0;
}

static int set(const struct tma_device *device, uint32_t address, uint32_t value)
{
	return device->backend->reg_write(device->engine, address, value) ? TMA_EDEVICE : 0;
}

/* The low half of a pair, and behind it the high one. */
static int set_pair(const struct tma_device *device, uint32_t low, uint64_t value)
{
	int error = set(device, low, (uint32_t)value);

	return error ? error : set(device, low + 4, (uint32_t)(value >> 32));
}

/*
 * The engine.
 */

/* What is not an engine may say anything. */
static bool possible(const struct tma_device_info *info)
{
	return info->ctas && info->ctas <= TMA_MAX_CTAS && info->queues &&
	       info->queues <= TMA_REG_QUEUE_COUNT && info->ports && info->ports <= TMA_MAX_PORTS &&
	       info->windows && info->multimem_windows <= TMA_MAX_MULTIMEM && info->data_bytes >= 16 &&
	       info->smem_bytes && info->smem_bytes <= 1u << 24;
}

static void fill_info(struct tma_device_info *info, const uint32_t *cap)
{
	info->ctas = TMA_CAP_GET(cap, CTAS);
	info->smem_bytes = TMA_CAP_GET(cap, SMEM_BYTES);
	info->queues = TMA_CAP_GET(cap, QUEUES);
	info->windows = TMA_CAP_GET(cap, WINDOWS);
	info->ports = TMA_CAP_GET(cap, PORTS);
	info->data_bytes = TMA_CAP_GET(cap, DATA_BYTES);
	info->multimem_windows = TMA_CAP_GET(cap, MULTIMEM_WINDOWS);
	info->tensor = TMA_CAP_GET(cap, TENSOR);
	info->packed = TMA_CAP_GET(cap, PACKED);
	info->maps = TMA_CAP_GET(cap, MAPS);
	info->reductions = TMA_CAP_GET(cap, REDUCE);
	info->floats = TMA_CAP_GET(cap, FLOATS);
	info->f64 = TMA_CAP_GET(cap, F64);
}

int registers_identify(struct tma_device *device)
{
	struct tma_device_info *info = &device->info;
	uint32_t cap[TMA_REG_CAP_COUNT], magic = 0, version = 0;
	uint32_t i;
	int error;

	error = get(device, TMA_REG_MAGIC, &magic);
	if (!error && magic != TMA_REG_MAGIC_RESET)
		error = TMA_EDEVICE;
	error = error ? error : get(device, TMA_REG_VERSION, &version);
	if (error)
		return error;
	if ((version & TMA_REG_VERSION_MAJOR_MASK) >> TMA_REG_VERSION_MAJOR_SHIFT != TMA_ABI_MAJOR)
		return TMA_EVERSION;
	for (i = 0; i < TMA_REG_CAP_COUNT && !error; i++)
		error = get(device, TMA_REG_CAP(i), &cap[i]);
	if (error)
		return error;
	fill_info(info, cap);
	info->abi_minor = (version & TMA_REG_VERSION_MINOR_MASK) >> TMA_REG_VERSION_MINOR_SHIFT;
	info->config = device->about.config ? device->about.config : shape_name(info);
	device->has_ring = TMA_CAP_GET(cap, RING);
	return possible(info) ? 0 : TMA_EDEVICE;
}

int registers_counter(const struct tma_device *device, enum tma_counter which, uint64_t *value)
{
	uint32_t low, high;
	int error;

	if (device->about.uncounted >> which & 1)
		return TMA_ENOTSUP;
	error = get(device, TMA_REG_COUNTER_LO(which), &low);
	error = error ? error : get(device, TMA_REG_COUNTER_HI(which), &high);
	if (!error)
		*value = low | (uint64_t)high << 32;
	return error;
}

/*
 * Multimem windows.
 */

static int select_port(const struct tma_device *device, uint32_t index, uint32_t port)
{
	return set(device, TMA_REG_MULTIMEM_INDEX,
	           index << TMA_REG_MULTIMEM_INDEX_WINDOW_SHIFT | port << TMA_REG_MULTIMEM_INDEX_PORT_SHIFT);
}

int registers_multimem(const struct tma_device *device, uint32_t index, const struct multimem_setup *window)
{
	uint32_t port;
	int error = select_port(device, index, 0);

	/* Closed first: of all these registers this is the one that may be refused. */
	if (!error)
		error = device->backend->reg_write(device->engine, TMA_REG_MULTIMEM_PORTS, 0);
	if (error || !window->ports)
		return error;
	for (port = 0; port < device->info.ports && !error; port++) {
		error = select_port(device, index, port);
		error = error ? error
		              : set_pair(device, TMA_REG_MULTIMEM_PORT_BASE_LO, window->port_address[port]);
	}
	error = error ? error : set_pair(device, TMA_REG_MULTIMEM_BASE_LO, window->address);
	error = error ? error
	              : set_pair(device, TMA_REG_MULTIMEM_LIMIT_LO, window->address + window->bytes - 1);
	return error ? error : set(device, TMA_REG_MULTIMEM_PORTS, window->ports);
}

/*
 * Queues.
 */

/* Until nothing of a queue that was disabled or reset is in flight. */
static int wait_closed(const struct tma_device *device, uint32_t index)
{
	uint64_t cycle;
	uint32_t status;
	int going;

	for (cycle = 0; cycle < device->submit_limit; cycle++) {
		if (get(device, TMA_REG_QUEUE_STATUS(index), &status))
			return TMA_EDEVICE;
		if (!(status & TMA_REG_QUEUE_STATUS_CLOSING_MASK))
			return 0;
		going = device_advance(device);
		if (going < 0)
			return going;
		if (!going)
			break;
		give_way(device);
	}
	return TMA_ETIMEDOUT;
}

static int set_window(const struct tma_device *device, uint32_t queue, uint32_t index,
                      const struct tma_queue_window *window)
{
	int error =
		set(device, TMA_REG_WINDOW_INDEX,
	            index << TMA_REG_WINDOW_INDEX_WINDOW_SHIFT | queue << TMA_REG_WINDOW_INDEX_QUEUE_SHIFT);

	if (error || !window)
		return error ? error : set(device, TMA_REG_WINDOW_ATTR, 0);
	error = set_pair(device, TMA_REG_WINDOW_BASE_LO, window->address);
	error = error ? error
	              : set_pair(device, TMA_REG_WINDOW_LIMIT_LO, window->address + window->bytes - 1);
	return error ? error : set(device, TMA_REG_WINDOW_ATTR, window->allow);
}

static int set_rings(const struct tma_device *device, uint32_t index, const struct queue_setup *setup)
{
	int error = set_pair(device, TMA_REG_QUEUE_RING_BASE_LO(index), setup->ring_base);

	error = error ? error
	              : set_pair(device, TMA_REG_QUEUE_COMPLETION_BASE_LO(index), setup->completion_base);
	return error ? error
	             : set(device, TMA_REG_QUEUE_RING_SIZE(index),
	                   (uint32_t)setup->ring_log2 << TMA_REG_QUEUE_RING_SIZE_RING_SHIFT |
	                           (uint32_t)setup->completion_log2
	                                   << TMA_REG_QUEUE_RING_SIZE_COMPLETION_SHIFT);
}

static int set_queue(const struct tma_device *device, uint32_t index, const struct queue_setup *setup)
{
	int error = set(device, TMA_REG_QUEUE_CTA(index),
	                setup->cta << TMA_REG_QUEUE_CTA_CTA_SHIFT |
	                        setup->cta_mask << TMA_REG_QUEUE_CTA_CTA_MASK_SHIFT);

	error = error ? error
	              : set(device, TMA_REG_QUEUE_STREAM(index),
	                    (uint32_t)setup->stream << TMA_REG_QUEUE_STREAM_STREAM_SHIFT |
	                            (uint32_t)setup->prot << TMA_REG_QUEUE_STREAM_PROT_SHIFT);
	error = error ? error : set(device, TMA_REG_QUEUE_CANCEL_MASK(index), setup->cancel_mask);
	return error || !setup->ring ? error : set_rings(device, index, setup);
}

int registers_queue_open(const struct tma_device *device, uint32_t index, const struct queue_setup *setup)
{
	uint32_t control =
		TMA_REG_QUEUE_CONTROL_ENABLE_MASK | (setup->ring ? TMA_REG_QUEUE_CONTROL_RING_MASK : 0);
	bool interrupt = setup->ring && device->backend->interrupt;
	int error = registers_queue_close(device, index);
	uint32_t i;

	error = error ? error : set_queue(device, index, setup);
	for (i = 0; i < device->info.windows && !error; i++)
		error = set_window(device, index, i, i < setup->num_windows ? &setup->windows[i] : NULL);
	error = error ? error
	              : set(device, TMA_REG_DOOR_INTERRUPT_PENDING(index),
	                    TMA_REG_DOOR_INTERRUPT_PENDING_PENDING_MASK);
	error = error ? error : set(device, TMA_REG_DOOR_INTERRUPT_ENABLE(index), interrupt);
	error = error ? error : set(device, TMA_REG_QUEUE_CONTROL(index), control);
	return error ? TMA_EDEVICE : 0;
}

int registers_queue_close(const struct tma_device *device, uint32_t index)
{
	int error = set(device, TMA_REG_QUEUE_CONTROL(index), 0);

	return error ? error : wait_closed(device, index);
}

int registers_quiet(const struct tma_device *device)
{
	static const struct multimem_setup closed = { 0 };
	uint32_t i;
	int error = 0;

	for (i = 0; i < device->info.queues && !error; i++)
		error = registers_queue_close(device, i);
	for (i = 0; i < device->info.multimem_windows && !error; i++)
		error = registers_multimem(device, i, &closed);
	return error;
}

int registers_queue_reset(const struct tma_device *device, uint32_t index)
{
	int error = set(device, TMA_REG_DOOR_RESET(index), TMA_REG_DOOR_RESET_RESET_MASK);

	return error ? error : wait_closed(device, index);
}

int registers_queue_resume(const struct tma_device *device, uint32_t index, uint32_t sequence)
{
	uint64_t cycle;
	int error, going;

	for (cycle = 0; cycle <= device->submit_limit; cycle++) {
		error = device->backend->reg_write(device->engine, TMA_REG_DOOR_RESUME(index), sequence);
		if (error != TMA_REFUSED)
			return error;
		going = device_advance(device);
		if (going < 0)
			return going;
		give_way(device);
	}
	return TMA_ETIMEDOUT;
}

int registers_queue_state(const struct tma_device *device, uint32_t index, struct tma_queue_state *state)
{
	uint32_t status = 0, fault = 0, low = 0, high = 0;
	int error = get(device, TMA_REG_QUEUE_STATUS(index), &status);

	error = error ? error : get(device, TMA_REG_QUEUE_HEAD(index), &state->next_sequence);
	error = error ? error : get(device, TMA_REG_QUEUE_FAULT(index), &fault);
	error = error ? error : get(device, TMA_REG_QUEUE_FAULT_SEQUENCE(index), &state->fault_sequence);
	error = error ? error : get(device, TMA_REG_QUEUE_FAULT_TAG(index), &state->fault_tag);
	error = error ? error : get(device, TMA_REG_QUEUE_FAULT_ADDRESS_LO(index), &low);
	error = error ? error : get(device, TMA_REG_QUEUE_FAULT_ADDRESS_HI(index), &high);
	state->blocked = status & TMA_REG_QUEUE_STATUS_WAITING_MASK;
	state->faulted = status & TMA_REG_QUEUE_STATUS_FAULTED_MASK;
	state->fault = (uint16_t)((fault & TMA_REG_QUEUE_FAULT_CODE_MASK) >> TMA_REG_QUEUE_FAULT_CODE_SHIFT);
	state->fault_count =
		(uint16_t)((fault & TMA_REG_QUEUE_FAULT_COUNT_MASK) >> TMA_REG_QUEUE_FAULT_COUNT_SHIFT);
	state->fault_address = low | (uint64_t)high << 32;
	return error;
}
