/* SPDX-License-Identifier: Apache-2.0 */
/* Generated from rtl/spec/tma.rdl by make gen. Do not edit. */
/*
 * tma_regs - byte addresses and fields of the registers. A field's MASK is in place: use
 * (word & MASK) >> SHIFT. Fields that fill their register have neither.
 */
#ifndef TMA_REGS_H
#define TMA_REGS_H

#ifdef __cplusplus
extern "C" {
#endif

/* Magic. Tells software that this is the engine. */
#define TMA_REG_MAGIC 0x010u
#define TMA_REG_MAGIC_RESET 0x31414D54u

/* Version. Version of the interface. Software refuses another major. */
#define TMA_REG_VERSION 0x014u
#define TMA_REG_VERSION_RESET 0x00010003u
#define TMA_REG_VERSION_MINOR_SHIFT 0 /* additions */
#define TMA_REG_VERSION_MINOR_MASK 0x0000FFFFu
#define TMA_REG_VERSION_MAJOR_SHIFT 16 /* incompatible changes */
#define TMA_REG_VERSION_MAJOR_MASK 0xFFFF0000u

/* Capabilities. One word of the capabilities, see the capability table. */
#define TMA_REG_CAP_COUNT 4u
#define TMA_REG_CAP(i) (0x020u + 0x4u * (i))

/* Status. State of the whole engine. */
#define TMA_REG_STATUS 0x030u
#define TMA_REG_STATUS_RESET 0x00000001u
#define TMA_REG_STATUS_IDLE_SHIFT 0 /* 1: nothing is queued or in flight */
#define TMA_REG_STATUS_IDLE_MASK 0x00000001u

/* AXI cache attribute. AxCACHE of every burst. */
#define TMA_REG_AXCACHE 0x034u
#define TMA_REG_AXCACHE_RESET 0x00000002u
#define TMA_REG_AXCACHE_AXCACHE_SHIFT 0 /* AxCACHE */
#define TMA_REG_AXCACHE_AXCACHE_MASK 0x0000000Fu

/* Window index. Selects the window that the WINDOW registers behind it show. A queue or window
 * that does not exist is refused with SLVERR. */
#define TMA_REG_WINDOW_INDEX 0x038u
#define TMA_REG_WINDOW_INDEX_WINDOW_SHIFT 0 /* window of the queue */
#define TMA_REG_WINDOW_INDEX_WINDOW_MASK 0x000000FFu
#define TMA_REG_WINDOW_INDEX_QUEUE_SHIFT 8 /* queue */
#define TMA_REG_WINDOW_INDEX_QUEUE_MASK 0x0000FF00u

/* Window attributes. What the selected window allows; 0 disables it. A write while its queue is
 * enabled or closing is refused with SLVERR. */
#define TMA_REG_WINDOW_ATTR 0x03Cu
#define TMA_REG_WINDOW_ATTR_READ_SHIFT 0 /* reads allowed */
#define TMA_REG_WINDOW_ATTR_READ_MASK 0x00000001u
#define TMA_REG_WINDOW_ATTR_WRITE_SHIFT 1 /* writes allowed */
#define TMA_REG_WINDOW_ATTR_WRITE_MASK 0x00000002u
#define TMA_REG_WINDOW_ATTR_MULTIMEM_SHIFT 2 /* multimem copies allowed */
#define TMA_REG_WINDOW_ATTR_MULTIMEM_MASK 0x00000004u

/* Window base, low. First byte of the selected window, a multiple of 4 KiB: bits 11:0 read 0. A
 * write while its queue is enabled or closing is refused with SLVERR. */
#define TMA_REG_WINDOW_BASE_LO 0x040u
#define TMA_REG_WINDOW_BASE_LO_LOW_SHIFT 12 /* bits 31:12 */
#define TMA_REG_WINDOW_BASE_LO_LOW_MASK 0xFFFFF000u

/* Window base, high. Upper half of the base. A write while its queue is enabled or closing is
 * refused with SLVERR. */
#define TMA_REG_WINDOW_BASE_HI 0x044u

/* Window limit, low. Last byte of the selected window. A write while its queue is enabled or
 * closing is refused with SLVERR. */
#define TMA_REG_WINDOW_LIMIT_LO 0x048u
#define TMA_REG_WINDOW_LIMIT_LO_RESET 0x00000FFFu
#define TMA_REG_WINDOW_LIMIT_LO_ONES_SHIFT 0 /* always ones: the window ends with a 4 KiB page */
#define TMA_REG_WINDOW_LIMIT_LO_ONES_MASK 0x00000FFFu
#define TMA_REG_WINDOW_LIMIT_LO_LOW_SHIFT 12 /* bits 31:12 */
#define TMA_REG_WINDOW_LIMIT_LO_LOW_MASK 0xFFFFF000u

/* Window limit, high. Upper half of the limit. A write while its queue is enabled or closing is
 * refused with SLVERR. */
#define TMA_REG_WINDOW_LIMIT_HI 0x04Cu

/* Watchdog. Cycles after which a port is dead on which something is awaited and nothing moves;
 * within twice as many, one on which nothing comes for a read id, or no response, that is
 * awaited, whatever moves besides. 0: never. */
#define TMA_REG_WATCHDOG 0x050u
#define TMA_REG_WATCHDOG_RESET 0x00010000u

/* Ports. State of the global ports. */
#define TMA_REG_PORTS 0x054u
#define TMA_REG_PORTS_DEAD_SHIFT 0 /* bit p: port p is dead until reset */
#define TMA_REG_PORTS_DEAD_MASK 0x0000000Fu

/* Behaviour. Choices between what the documentation says and what an H200 does. Takes effect on
 * commands that start to move afterwards. */
#define TMA_REG_BEHAVIOUR 0x058u
#define TMA_REG_BEHAVIOUR_STORE_GRANULE16_SHIFT 0 /* 1: tensor stores write whole 16-byte granules where a row of the tensor ends inside one, as an H200 does; 0: they clip per element */
#define TMA_REG_BEHAVIOUR_STORE_GRANULE16_MASK 0x00000001u
#define TMA_REG_BEHAVIOUR_F32_FTZ_SHIFT 1 /* 1: every add of f32 takes subnormal numbers for zeros of their sign, as the documentation of red and cp.reduce says; 0: it keeps them, as an H200 does. Maps of FLOAT32_FTZ flush whatever this is. Nothing without reductions */
#define TMA_REG_BEHAVIOUR_F32_FTZ_MASK 0x00000002u

/* Multimem index. Selects the multimem window, and the port of its port base, that the MULTIMEM
 * registers behind it show. A window or port that does not exist is refused with SLVERR. */
#define TMA_REG_MULTIMEM_INDEX 0x060u
#define TMA_REG_MULTIMEM_INDEX_WINDOW_SHIFT 0 /* multimem window */
#define TMA_REG_MULTIMEM_INDEX_WINDOW_MASK 0x000000FFu
#define TMA_REG_MULTIMEM_INDEX_PORT_SHIFT 8 /* port */
#define TMA_REG_MULTIMEM_INDEX_PORT_MASK 0x0000FF00u

/* Multimem ports. Ports on which the selected window has a backing location; none closes it. A
 * write while a queue that is enabled or closing has a window that allows multimem copies is
 * refused with SLVERR. */
#define TMA_REG_MULTIMEM_PORTS 0x064u
#define TMA_REG_MULTIMEM_PORTS_PORTS_SHIFT 0 /* bit p: port p; ports that do not exist are ignored */
#define TMA_REG_MULTIMEM_PORTS_PORTS_MASK 0x0000000Fu

/* Multimem base, low. First byte of the selected window. A write while a queue that is enabled
 * or closing has a window that allows multimem copies is refused with SLVERR. */
#define TMA_REG_MULTIMEM_BASE_LO 0x068u
#define TMA_REG_MULTIMEM_BASE_LO_LOW_SHIFT 12 /* bits 31:12 */
#define TMA_REG_MULTIMEM_BASE_LO_LOW_MASK 0xFFFFF000u

/* Multimem base, high. Upper half of the base. A write while a queue that is enabled or closing
 * has a window that allows multimem copies is refused with SLVERR. */
#define TMA_REG_MULTIMEM_BASE_HI 0x06Cu

/* Multimem limit, low. Last byte of the selected window. A write while a queue that is enabled
 * or closing has a window that allows multimem copies is refused with SLVERR. */
#define TMA_REG_MULTIMEM_LIMIT_LO 0x070u
#define TMA_REG_MULTIMEM_LIMIT_LO_RESET 0x00000FFFu
#define TMA_REG_MULTIMEM_LIMIT_LO_ONES_SHIFT 0 /* always ones: the window ends with a 4 KiB page */
#define TMA_REG_MULTIMEM_LIMIT_LO_ONES_MASK 0x00000FFFu
#define TMA_REG_MULTIMEM_LIMIT_LO_LOW_SHIFT 12 /* bits 31:12 */
#define TMA_REG_MULTIMEM_LIMIT_LO_LOW_MASK 0xFFFFF000u

/* Multimem limit, high. Upper half of the limit. A write while a queue that is enabled or
 * closing has a window that allows multimem copies is refused with SLVERR. */
#define TMA_REG_MULTIMEM_LIMIT_HI 0x074u

/* Multimem port base, low. Where the window begins on the selected port. A write while a queue
 * that is enabled or closing has a window that allows multimem copies is refused with SLVERR. */
#define TMA_REG_MULTIMEM_PORT_BASE_LO 0x078u
#define TMA_REG_MULTIMEM_PORT_BASE_LO_LOW_SHIFT 12 /* bits 31:12 */
#define TMA_REG_MULTIMEM_PORT_BASE_LO_LOW_MASK 0xFFFFF000u

/* Multimem port base, high. Upper half of the port base. A write while a queue that is enabled
 * or closing has a window that allows multimem copies is refused with SLVERR. */
#define TMA_REG_MULTIMEM_PORT_BASE_HI 0x07Cu

/* Counter. 64-bit event counters. */
#define TMA_REG_COUNTER_COUNT 14u
#define TMA_REG_COUNTER(i) (0x100u + 0x8u * (i))
#define TMA_REG_COUNTER_LO(i) (TMA_REG_COUNTER(i) + 0x00u)
#define TMA_REG_COUNTER_HI(i) (TMA_REG_COUNTER(i) + 0x04u)

/* Index of TMA_REG_COUNTER(). */
enum tma_counter {
	TMA_COUNTER_CYCLES = 0, /* clock cycles in which the engine was not idle */
	TMA_COUNTER_COMMANDS = 1, /* commands retired */
	TMA_COUNTER_READ_BURSTS = 2, /* read bursts */
	TMA_COUNTER_READ_BEATS = 3, /* read beats */
	TMA_COUNTER_WRITE_BURSTS = 4, /* write bursts */
	TMA_COUNTER_WRITE_BEATS = 5, /* write beats */
	TMA_COUNTER_SHARED_LINES = 6, /* lines copied from CTA to CTA */
	TMA_COUNTER_SIGNALS = 7, /* copies of a byte at least that signalled their barriers */
	TMA_COUNTER_FAULTS = 8, /* faults */
	TMA_COUNTER_ISSUE_STALLS = 9, /* cycles in which a queue had a command and none issued */
	TMA_COUNTER_READ_STALLS = 10, /* cycles with ARVALID and without ARREADY */
	TMA_COUNTER_WRITE_STALLS = 11, /* cycles with WVALID and without WREADY */
	TMA_COUNTER_PREFETCH_ERRORS = 12, /* parts of prefetches that no window allowed, and beats of them that answered an error */
	TMA_COUNTER_RECORDS = 13, /* records written */
};

/* Queue. Configuration and state of one queue. */
#define TMA_REG_QUEUE_COUNT 16u
#define TMA_REG_QUEUE(i) (0x800u + 0x80u * (i))
#define TMA_REG_QUEUE_CONTROL(i) (TMA_REG_QUEUE(i) + 0x00u)
#define TMA_REG_QUEUE_CONTROL_ENABLE_SHIFT 0 /* 1: the queue takes and issues commands */
#define TMA_REG_QUEUE_CONTROL_ENABLE_MASK 0x00000001u
#define TMA_REG_QUEUE_CONTROL_RING_SHIFT 1 /* 1: commands come from the ring and records go to the completion ring; 0: direct port */
#define TMA_REG_QUEUE_CONTROL_RING_MASK 0x00000002u
#define TMA_REG_QUEUE_CTA(i) (TMA_REG_QUEUE(i) + 0x04u)
#define TMA_REG_QUEUE_CTA_CTA_SHIFT 0 /* executing CTA; one that does not exist is refused with SLVERR */
#define TMA_REG_QUEUE_CTA_CTA_MASK 0x0000000Fu
#define TMA_REG_QUEUE_CTA_CTA_MASK_SHIFT 16 /* bit r: commands may touch CTA r; bits of CTAs that do not exist are ignored */
#define TMA_REG_QUEUE_CTA_CTA_MASK_MASK 0xFFFF0000u
#define TMA_REG_QUEUE_STREAM(i) (TMA_REG_QUEUE(i) + 0x08u)
#define TMA_REG_QUEUE_STREAM_STREAM_SHIFT 0 /* stream of the bursts, in AxUSER */
#define TMA_REG_QUEUE_STREAM_STREAM_MASK 0x000000FFu
#define TMA_REG_QUEUE_STREAM_PROT_SHIFT 8 /* AxPROT */
#define TMA_REG_QUEUE_STREAM_PROT_MASK 0x00000700u
#define TMA_REG_QUEUE_STATUS(i) (TMA_REG_QUEUE(i) + 0x0Cu)
#define TMA_REG_QUEUE_STATUS_BUSY_SHIFT 0 /* 1: it holds commands, or a copy, fetch or record of it is in flight */
#define TMA_REG_QUEUE_STATUS_BUSY_MASK 0x00000001u
#define TMA_REG_QUEUE_STATUS_FAULTED_SHIFT 1 /* 1: stopped by a fault */
#define TMA_REG_QUEUE_STATUS_FAULTED_MASK 0x00000002u
#define TMA_REG_QUEUE_STATUS_WAITING_SHIFT 2 /* 1: the head is an unsatisfied wait */
#define TMA_REG_QUEUE_STATUS_WAITING_MASK 0x00000004u
#define TMA_REG_QUEUE_STATUS_FULL_SHIFT 3 /* 1: the completion ring has no room but for a fault */
#define TMA_REG_QUEUE_STATUS_FULL_MASK 0x00000008u
#define TMA_REG_QUEUE_STATUS_CLOSING_SHIFT 4 /* 1: disabled or reset, and not all that was in flight is done */
#define TMA_REG_QUEUE_STATUS_CLOSING_MASK 0x00000010u
#define TMA_REG_QUEUE_FAULT(i) (TMA_REG_QUEUE(i) + 0x10u)
#define TMA_REG_QUEUE_FAULT_CODE_SHIFT 0 /* fault code, 0 none */
#define TMA_REG_QUEUE_FAULT_CODE_MASK 0x0000FFFFu
#define TMA_REG_QUEUE_FAULT_COUNT_SHIFT 16 /* faults, saturating */
#define TMA_REG_QUEUE_FAULT_COUNT_MASK 0xFFFF0000u
#define TMA_REG_QUEUE_FAULT_SEQUENCE(i) (TMA_REG_QUEUE(i) + 0x14u)
#define TMA_REG_QUEUE_FAULT_ADDRESS_LO(i) (TMA_REG_QUEUE(i) + 0x18u)
#define TMA_REG_QUEUE_FAULT_ADDRESS_HI(i) (TMA_REG_QUEUE(i) + 0x1Cu)
#define TMA_REG_QUEUE_FAULT_TAG(i) (TMA_REG_QUEUE(i) + 0x20u)
#define TMA_REG_QUEUE_HEAD(i) (TMA_REG_QUEUE(i) + 0x24u)
#define TMA_REG_QUEUE_RING_BASE_LO(i) (TMA_REG_QUEUE(i) + 0x28u)
#define TMA_REG_QUEUE_RING_BASE_LO_LOW_SHIFT 12 /* bits 31:12 */
#define TMA_REG_QUEUE_RING_BASE_LO_LOW_MASK 0xFFFFF000u
#define TMA_REG_QUEUE_RING_BASE_HI(i) (TMA_REG_QUEUE(i) + 0x2Cu)
#define TMA_REG_QUEUE_COMPLETION_BASE_LO(i) (TMA_REG_QUEUE(i) + 0x30u)
#define TMA_REG_QUEUE_COMPLETION_BASE_LO_LOW_SHIFT 12 /* bits 31:12 */
#define TMA_REG_QUEUE_COMPLETION_BASE_LO_LOW_MASK 0xFFFFF000u
#define TMA_REG_QUEUE_COMPLETION_BASE_HI(i) (TMA_REG_QUEUE(i) + 0x34u)
#define TMA_REG_QUEUE_RING_SIZE(i) (TMA_REG_QUEUE(i) + 0x38u)
#define TMA_REG_QUEUE_RING_SIZE_RESET 0x00000404u
#define TMA_REG_QUEUE_RING_SIZE_RING_SHIFT 0 /* log2 of the 64-byte slots of the ring */
#define TMA_REG_QUEUE_RING_SIZE_RING_MASK 0x0000001Fu
#define TMA_REG_QUEUE_RING_SIZE_COMPLETION_SHIFT 8 /* log2 of the 32-byte slots of the completion ring */
#define TMA_REG_QUEUE_RING_SIZE_COMPLETION_MASK 0x00001F00u
#define TMA_REG_QUEUE_CANCEL_MASK(i) (TMA_REG_QUEUE(i) + 0x3Cu)
#define TMA_REG_QUEUE_CANCEL_MASK_QUEUES_SHIFT 0 /* bit q: queue q */
#define TMA_REG_QUEUE_CANCEL_MASK_QUEUES_MASK 0x0000FFFFu

/* Door. The page of one queue, for the software that uses it. */
#define TMA_REG_DOOR_COUNT 16u
#define TMA_REG_DOOR(i) (0x1000u + 0x1000u * (i))
#define TMA_REG_DOOR_TAIL(i) (TMA_REG_DOOR(i) + 0x00u)
#define TMA_REG_DOOR_HEAD(i) (TMA_REG_DOOR(i) + 0x04u)
#define TMA_REG_DOOR_CONSUMER(i) (TMA_REG_DOOR(i) + 0x08u)
#define TMA_REG_DOOR_PRODUCER(i) (TMA_REG_DOOR(i) + 0x0Cu)
#define TMA_REG_DOOR_INTERRUPT_PENDING(i) (TMA_REG_DOOR(i) + 0x10u)
#define TMA_REG_DOOR_INTERRUPT_PENDING_PENDING_SHIFT 0 /* 1: a record came */
#define TMA_REG_DOOR_INTERRUPT_PENDING_PENDING_MASK 0x00000001u
#define TMA_REG_DOOR_INTERRUPT_ENABLE(i) (TMA_REG_DOOR(i) + 0x14u)
#define TMA_REG_DOOR_INTERRUPT_ENABLE_ENABLE_SHIFT 0 /* 1: it does */
#define TMA_REG_DOOR_INTERRUPT_ENABLE_ENABLE_MASK 0x00000001u
#define TMA_REG_DOOR_STATUS(i) (TMA_REG_DOOR(i) + 0x18u)
#define TMA_REG_DOOR_STATUS_BUSY_SHIFT 0 /* 1: it holds commands, or a copy, fetch or record of it is in flight */
#define TMA_REG_DOOR_STATUS_BUSY_MASK 0x00000001u
#define TMA_REG_DOOR_STATUS_FAULTED_SHIFT 1 /* 1: stopped by a fault */
#define TMA_REG_DOOR_STATUS_FAULTED_MASK 0x00000002u
#define TMA_REG_DOOR_STATUS_WAITING_SHIFT 2 /* 1: the head is an unsatisfied wait */
#define TMA_REG_DOOR_STATUS_WAITING_MASK 0x00000004u
#define TMA_REG_DOOR_STATUS_FULL_SHIFT 3 /* 1: the completion ring has no room but for a fault */
#define TMA_REG_DOOR_STATUS_FULL_MASK 0x00000008u
#define TMA_REG_DOOR_STATUS_CLOSING_SHIFT 4 /* 1: disabled or reset, and not all that was in flight is done */
#define TMA_REG_DOOR_STATUS_CLOSING_MASK 0x00000010u
#define TMA_REG_DOOR_FAULT(i) (TMA_REG_DOOR(i) + 0x1Cu)
#define TMA_REG_DOOR_FAULT_CODE_SHIFT 0 /* fault code, 0 none */
#define TMA_REG_DOOR_FAULT_CODE_MASK 0x0000FFFFu
#define TMA_REG_DOOR_FAULT_COUNT_SHIFT 16 /* faults, saturating */
#define TMA_REG_DOOR_FAULT_COUNT_MASK 0xFFFF0000u
#define TMA_REG_DOOR_FAULT_SEQUENCE(i) (TMA_REG_DOOR(i) + 0x20u)
#define TMA_REG_DOOR_FAULT_ADDRESS_LO(i) (TMA_REG_DOOR(i) + 0x24u)
#define TMA_REG_DOOR_FAULT_ADDRESS_HI(i) (TMA_REG_DOOR(i) + 0x28u)
#define TMA_REG_DOOR_FAULT_TAG(i) (TMA_REG_DOOR(i) + 0x2Cu)
#define TMA_REG_DOOR_RESUME(i) (TMA_REG_DOOR(i) + 0x30u)
#define TMA_REG_DOOR_RESET(i) (TMA_REG_DOOR(i) + 0x34u)
#define TMA_REG_DOOR_RESET_RESET_SHIFT 0 /* 1: reset */
#define TMA_REG_DOOR_RESET_RESET_MASK 0x00000001u
#define TMA_REG_DOOR_CANCEL(i) (TMA_REG_DOOR(i) + 0x38u)
#define TMA_REG_DOOR_CANCEL_CANCEL_SHIFT 0 /* 1: cancel */
#define TMA_REG_DOOR_CANCEL_CANCEL_MASK 0x00000001u

#ifdef __cplusplus
}
#endif

#endif
