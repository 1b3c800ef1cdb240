/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from rtl/spec/tma.rdl by make gen. Do not edit. */
/* Names, addresses and fields of the registers, to be looked up. */
#include <stddef.h>

#include "register_table.h"

static const struct register_field magic_fields[] = {
	{ "value", 0, 32 },
};

static const struct register_field version_fields[] = {
	{ "minor", 0, 16 },
	{ "major", 16, 16 },
};

static const struct register_field cap_fields[] = {
	{ "words", 0, 32 },
};

static const struct register_field status_fields[] = {
	{ "idle", 0, 1 },
};

static const struct register_field axcache_fields[] = {
	{ "axcache", 0, 4 },
};

static const struct register_field window_index_fields[] = {
	{ "window", 0, 8 },
	{ "queue", 8, 8 },
};

static const struct register_field window_attr_fields[] = {
	{ "read", 0, 1 },
	{ "write", 1, 1 },
	{ "multimem", 2, 1 },
};

static const struct register_field window_base_lo_fields[] = {
	{ "low", 12, 20 },
};

static const struct register_field window_base_hi_fields[] = {
	{ "high", 0, 32 },
};

static const struct register_field window_limit_lo_fields[] = {
	{ "ones", 0, 12 },
	{ "low", 12, 20 },
};

static const struct register_field window_limit_hi_fields[] = {
	{ "high", 0, 32 },
};

static const struct register_field watchdog_fields[] = {
	{ "cycles", 0, 32 },
};

static const struct register_field ports_fields[] = {
	{ "dead", 0, 4 },
};

static const struct register_field behaviour_fields[] = {
	{ "store_granule16", 0, 1 },
	{ "f32_ftz", 1, 1 },
};

static const struct register_field multimem_index_fields[] = {
	{ "window", 0, 8 },
	{ "port", 8, 8 },
};

static const struct register_field multimem_ports_fields[] = {
	{ "ports", 0, 4 },
};

static const struct register_field multimem_base_lo_fields[] = {
	{ "low", 12, 20 },
};

static const struct register_field multimem_base_hi_fields[] = {
	{ "high", 0, 32 },
};

static const struct register_field multimem_limit_lo_fields[] = {
	{ "ones", 0, 12 },
	{ "low", 12, 20 },
};

static const struct register_field multimem_limit_hi_fields[] = {
	{ "high", 0, 32 },
};

static const struct register_field multimem_port_base_lo_fields[] = {
	{ "low", 12, 20 },
};

static const struct register_field multimem_port_base_hi_fields[] = {
	{ "high", 0, 32 },
};

static const char *const counter_elements[] = {
	"CYCLES",
	"COMMANDS",
	"READ_BURSTS",
	"READ_BEATS",
	"WRITE_BURSTS",
	"WRITE_BEATS",
	"SHARED_LINES",
	"SIGNALS",
	"FAULTS",
	"ISSUE_STALLS",
	"READ_STALLS",
	"WRITE_STALLS",
	"PREFETCH_ERRORS",
	"RECORDS",
};

static const struct register_field counter_lo_fields[] = {
	{ "low", 0, 32 },
};

static const struct register_field counter_hi_fields[] = {
	{ "high", 0, 32 },
};

static const struct register_field queue_control_fields[] = {
	{ "enable", 0, 1 },
	{ "ring", 1, 1 },
};

static const struct register_field queue_cta_fields[] = {
	{ "cta", 0, 4 },
	{ "cta_mask", 16, 16 },
};

static const struct register_field queue_stream_fields[] = {
	{ "stream", 0, 8 },
	{ "prot", 8, 3 },
};

static const struct register_field queue_status_fields[] = {
	{ "busy", 0, 1 },
	{ "faulted", 1, 1 },
	{ "waiting", 2, 1 },
	{ "full", 3, 1 },
	{ "closing", 4, 1 },
};

static const struct register_field queue_fault_fields[] = {
	{ "code", 0, 16 },
	{ "count", 16, 16 },
};

static const struct register_field queue_fault_sequence_fields[] = {
	{ "value", 0, 32 },
};

static const struct register_field queue_fault_address_lo_fields[] = {
	{ "low", 0, 32 },
};

static const struct register_field queue_fault_address_hi_fields[] = {
	{ "high", 0, 32 },
};

static const struct register_field queue_fault_tag_fields[] = {
	{ "value", 0, 32 },
};

static const struct register_field queue_head_fields[] = {
	{ "value", 0, 32 },
};

static const struct register_field queue_ring_base_lo_fields[] = {
	{ "low", 12, 20 },
};

static const struct register_field queue_ring_base_hi_fields[] = {
	{ "high", 0, 32 },
};

static const struct register_field queue_completion_base_lo_fields[] = {
	{ "low", 12, 20 },
};

static const struct register_field queue_completion_base_hi_fields[] = {
	{ "high", 0, 32 },
};

static const struct register_field queue_ring_size_fields[] = {
	{ "ring", 0, 5 },
	{ "completion", 8, 5 },
};

static const struct register_field queue_cancel_mask_fields[] = {
	{ "queues", 0, 16 },
};

static const struct register_field door_tail_fields[] = {
	{ "value", 0, 32 },
};

static const struct register_field door_head_fields[] = {
	{ "value", 0, 32 },
};

static const struct register_field door_consumer_fields[] = {
	{ "value", 0, 32 },
};

static const struct register_field door_producer_fields[] = {
	{ "value", 0, 32 },
};

static const struct register_field door_interrupt_pending_fields[] = {
	{ "pending", 0, 1 },
};

static const struct register_field door_interrupt_enable_fields[] = {
	{ "enable", 0, 1 },
};

static const struct register_field door_status_fields[] = {
	{ "busy", 0, 1 },
	{ "faulted", 1, 1 },
	{ "waiting", 2, 1 },
	{ "full", 3, 1 },
	{ "closing", 4, 1 },
};

static const struct register_field door_fault_fields[] = {
	{ "code", 0, 16 },
	{ "count", 16, 16 },
};

static const struct register_field door_fault_sequence_fields[] = {
	{ "value", 0, 32 },
};

static const struct register_field door_fault_address_lo_fields[] = {
	{ "low", 0, 32 },
};

static const struct register_field door_fault_address_hi_fields[] = {
	{ "high", 0, 32 },
};

static const struct register_field door_fault_tag_fields[] = {
	{ "value", 0, 32 },
};

static const struct register_field door_resume_fields[] = {
	{ "value", 0, 32 },
};

static const struct register_field door_reset_fields[] = {
	{ "reset", 0, 1 },
};

static const struct register_field door_cancel_fields[] = {
	{ "cancel", 0, 1 },
};

const struct register_info register_table[] = {
	{ NULL, "MAGIC", 0x00010, 1, 0x0, NULL,
	  magic_fields, 1 },
	{ NULL, "VERSION", 0x00014, 1, 0x0, NULL,
	  version_fields, 2 },
	{ "CAP", NULL, 0x00020, 4, 0x4, NULL,
	  cap_fields, 1 },
	{ NULL, "STATUS", 0x00030, 1, 0x0, NULL,
	  status_fields, 1 },
	{ NULL, "AXCACHE", 0x00034, 1, 0x0, NULL,
	  axcache_fields, 1 },
	{ NULL, "WINDOW_INDEX", 0x00038, 1, 0x0, NULL,
	  window_index_fields, 2 },
	{ NULL, "WINDOW_ATTR", 0x0003C, 1, 0x0, NULL,
	  window_attr_fields, 3 },
	{ NULL, "WINDOW_BASE_LO", 0x00040, 1, 0x0, NULL,
	  window_base_lo_fields, 1 },
	{ NULL, "WINDOW_BASE_HI", 0x00044, 1, 0x0, NULL,
	  window_base_hi_fields, 1 },
	{ NULL, "WINDOW_LIMIT_LO", 0x00048, 1, 0x0, NULL,
	  window_limit_lo_fields, 2 },
	{ NULL, "WINDOW_LIMIT_HI", 0x0004C, 1, 0x0, NULL,
	  window_limit_hi_fields, 1 },
	{ NULL, "WATCHDOG", 0x00050, 1, 0x0, NULL,
	  watchdog_fields, 1 },
	{ NULL, "PORTS", 0x00054, 1, 0x0, NULL,
	  ports_fields, 1 },
	{ NULL, "BEHAVIOUR", 0x00058, 1, 0x0, NULL,
	  behaviour_fields, 2 },
	{ NULL, "MULTIMEM_INDEX", 0x00060, 1, 0x0, NULL,
	  multimem_index_fields, 2 },
	{ NULL, "MULTIMEM_PORTS", 0x00064, 1, 0x0, NULL,
	  multimem_ports_fields, 1 },
	{ NULL, "MULTIMEM_BASE_LO", 0x00068, 1, 0x0, NULL,
	  multimem_base_lo_fields, 1 },
	{ NULL, "MULTIMEM_BASE_HI", 0x0006C, 1, 0x0, NULL,
	  multimem_base_hi_fields, 1 },
	{ NULL, "MULTIMEM_LIMIT_LO", 0x00070, 1, 0x0, NULL,
	  multimem_limit_lo_fields, 2 },
	{ NULL, "MULTIMEM_LIMIT_HI", 0x00074, 1, 0x0, NULL,
	  multimem_limit_hi_fields, 1 },
	{ NULL, "MULTIMEM_PORT_BASE_LO", 0x00078, 1, 0x0, NULL,
	  multimem_port_base_lo_fields, 1 },
	{ NULL, "MULTIMEM_PORT_BASE_HI", 0x0007C, 1, 0x0, NULL,
	  multimem_port_base_hi_fields, 1 },
	{ "COUNTER", "LO", 0x00100, 14, 0x8, counter_elements,
	  counter_lo_fields, 1 },
	{ "COUNTER", "HI", 0x00104, 14, 0x8, counter_elements,
	  counter_hi_fields, 1 },
	{ "QUEUE", "CONTROL", 0x00800, 16, 0x80, NULL,
	  queue_control_fields, 2 },
	{ "QUEUE", "CTA", 0x00804, 16, 0x80, NULL,
	  queue_cta_fields, 2 },
	{ "QUEUE", "STREAM", 0x00808, 16, 0x80, NULL,
	  queue_stream_fields, 2 },
	{ "QUEUE", "STATUS", 0x0080C, 16, 0x80, NULL,
	  queue_status_fields, 5 },
	{ "QUEUE", "FAULT", 0x00810, 16, 0x80, NULL,
	  queue_fault_fields, 2 },
	{ "QUEUE", "FAULT_SEQUENCE", 0x00814, 16, 0x80, NULL,
	  queue_fault_sequence_fields, 1 },
	{ "QUEUE", "FAULT_ADDRESS_LO", 0x00818, 16, 0x80, NULL,
	  queue_fault_address_lo_fields, 1 },
	{ "QUEUE", "FAULT_ADDRESS_HI", 0x0081C, 16, 0x80, NULL,
	  queue_fault_address_hi_fields, 1 },
	{ "QUEUE", "FAULT_TAG", 0x00820, 16, 0x80, NULL,
	  queue_fault_tag_fields, 1 },
	{ "QUEUE", "HEAD", 0x00824, 16, 0x80, NULL,
	  queue_head_fields, 1 },
	{ "QUEUE", "RING_BASE_LO", 0x00828, 16, 0x80, NULL,
	  queue_ring_base_lo_fields, 1 },
	{ "QUEUE", "RING_BASE_HI", 0x0082C, 16, 0x80, NULL,
	  queue_ring_base_hi_fields, 1 },
	{ "QUEUE", "COMPLETION_BASE_LO", 0x00830, 16, 0x80, NULL,
	  queue_completion_base_lo_fields, 1 },
	{ "QUEUE", "COMPLETION_BASE_HI", 0x00834, 16, 0x80, NULL,
	  queue_completion_base_hi_fields, 1 },
	{ "QUEUE", "RING_SIZE", 0x00838, 16, 0x80, NULL,
	  queue_ring_size_fields, 2 },
	{ "QUEUE", "CANCEL_MASK", 0x0083C, 16, 0x80, NULL,
	  queue_cancel_mask_fields, 1 },
	{ "DOOR", "TAIL", 0x01000, 16, 0x1000, NULL,
	  door_tail_fields, 1 },
	{ "DOOR", "HEAD", 0x01004, 16, 0x1000, NULL,
	  door_head_fields, 1 },
	{ "DOOR", "CONSUMER", 0x01008, 16, 0x1000, NULL,
	  door_consumer_fields, 1 },
	{ "DOOR", "PRODUCER", 0x0100C, 16, 0x1000, NULL,
	  door_producer_fields, 1 },
	{ "DOOR", "INTERRUPT_PENDING", 0x01010, 16, 0x1000, NULL,
	  door_interrupt_pending_fields, 1 },
	{ "DOOR", "INTERRUPT_ENABLE", 0x01014, 16, 0x1000, NULL,
	  door_interrupt_enable_fields, 1 },
	{ "DOOR", "STATUS", 0x01018, 16, 0x1000, NULL,
	  door_status_fields, 5 },
	{ "DOOR", "FAULT", 0x0101C, 16, 0x1000, NULL,
	  door_fault_fields, 2 },
	{ "DOOR", "FAULT_SEQUENCE", 0x01020, 16, 0x1000, NULL,
	  door_fault_sequence_fields, 1 },
	{ "DOOR", "FAULT_ADDRESS_LO", 0x01024, 16, 0x1000, NULL,
	  door_fault_address_lo_fields, 1 },
	{ "DOOR", "FAULT_ADDRESS_HI", 0x01028, 16, 0x1000, NULL,
	  door_fault_address_hi_fields, 1 },
	{ "DOOR", "FAULT_TAG", 0x0102C, 16, 0x1000, NULL,
	  door_fault_tag_fields, 1 },
	{ "DOOR", "RESUME", 0x01030, 16, 0x1000, NULL,
	  door_resume_fields, 1 },
	{ "DOOR", "RESET", 0x01034, 16, 0x1000, NULL,
	  door_reset_fields, 1 },
	{ "DOOR", "CANCEL", 0x01038, 16, 0x1000, NULL,
	  door_cancel_fields, 1 },
};

const uint32_t register_table_size = sizeof(register_table) / sizeof(register_table[0]);
