/* SPDX-License-Identifier: Apache-2.0 */
/*
 * dump - the engine's ports as a waveform shows them: finds them, and samples them at clock edges.
 *
 * A sample is what every port showed just before a rising edge of clk_i: changes that the dump
 * has at the same time as the edge belong to the time after it.
 */
#ifndef WAVECHECK_DUMP_H
#define WAVECHECK_DUMP_H

#include <stdbool.h>
#include <stdint.h>

/* Ports by what there is one of per element: the engine, a CTA, a global port. Widths are those of
 * an element; 0: taken from the dump. */
#define DUMP_PORTS(ENGINE, CTA, GLOBAL) \
	ENGINE(clk_i, 1)                \
	ENGINE(rst_ni, 1)               \
	ENGINE(cmd_valid_i, 1)          \
	ENGINE(cmd_ready_o, 1)          \
	ENGINE(cmd_queue_i, 0)          \
	ENGINE(cmd_i, 512)              \
	ENGINE(queue_ready_o, 0)        \
	ENGINE(rsp_valid_o, 1)          \
	ENGINE(rsp_ready_i, 1)          \
	ENGINE(rsp_o, 256)              \
	ENGINE(s_axil_awvalid_i, 1)     \
	ENGINE(s_axil_awready_o, 1)     \
	ENGINE(s_axil_awaddr_i, 17)     \
	ENGINE(s_axil_wvalid_i, 1)      \
	ENGINE(s_axil_wready_o, 1)      \
	ENGINE(s_axil_wdata_i, 32)      \
	ENGINE(s_axil_wstrb_i, 4)       \
	ENGINE(s_axil_bvalid_o, 1)      \
	ENGINE(s_axil_bready_i, 1)      \
	ENGINE(s_axil_bresp_o, 2)       \
	ENGINE(s_axil_arvalid_i, 1)     \
	ENGINE(s_axil_arready_o, 1)     \
	ENGINE(s_axil_araddr_i, 17)     \
	ENGINE(s_axil_rvalid_o, 1)      \
	ENGINE(s_axil_rready_i, 1)      \
	ENGINE(s_axil_rdata_o, 32)      \
	ENGINE(s_axil_rresp_o, 2)       \
	ENGINE(irq_o, 1)                \
	ENGINE(idle_o, 1)               \
	CTA(ext_valid_i, 1)             \
	CTA(ext_ready_o, 1)             \
	CTA(ext_write_i, 1)             \
	CTA(ext_addr_i, 32)             \
	CTA(ext_strb_i, 16)             \
	CTA(ext_wdata_i, 128)           \
	CTA(ext_rvalid_o, 1)            \
	CTA(ext_rdata_o, 128)           \
	GLOBAL(m_axi_arvalid_o, 1)      \
	GLOBAL(m_axi_arready_i, 1)      \
	GLOBAL(m_axi_araddr_o, 64)      \
	GLOBAL(m_axi_arid_o, 0)         \
	GLOBAL(m_axi_arlen_o, 8)        \
	GLOBAL(m_axi_arsize_o, 3)       \
	GLOBAL(m_axi_arburst_o, 2)      \
	GLOBAL(m_axi_arcache_o, 4)      \
	GLOBAL(m_axi_arprot_o, 3)       \
	GLOBAL(m_axi_arqos_o, 4)        \
	GLOBAL(m_axi_aruser_o, 16)      \
	GLOBAL(m_axi_rvalid_i, 1)       \
	GLOBAL(m_axi_rready_o, 1)       \
	GLOBAL(m_axi_rid_i, 0)          \
	GLOBAL(m_axi_rdata_i, 0)        \
	GLOBAL(m_axi_rresp_i, 2)        \
	GLOBAL(m_axi_rlast_i, 1)        \
	GLOBAL(m_axi_awvalid_o, 1)      \
	GLOBAL(m_axi_awready_i, 1)      \
	GLOBAL(m_axi_awaddr_o, 64)      \
	GLOBAL(m_axi_awid_o, 0)         \
	GLOBAL(m_axi_awlen_o, 8)        \
	GLOBAL(m_axi_awsize_o, 3)       \
	GLOBAL(m_axi_awburst_o, 2)      \
	GLOBAL(m_axi_awcache_o, 4)      \
	GLOBAL(m_axi_awprot_o, 3)       \
	GLOBAL(m_axi_awqos_o, 4)        \
	GLOBAL(m_axi_awuser_o, 16)      \
	GLOBAL(m_axi_wvalid_o, 1)       \
	GLOBAL(m_axi_wready_i, 1)       \
	GLOBAL(m_axi_wdata_o, 0)        \
	GLOBAL(m_axi_wstrb_o, 0)        \
	GLOBAL(m_axi_wlast_o, 1)        \
	GLOBAL(m_axi_bvalid_i, 1)       \
	GLOBAL(m_axi_bready_o, 1)       \
	GLOBAL(m_axi_bid_i, 0)          \
	GLOBAL(m_axi_bresp_i, 2)

#define DUMP_ENUM(name, width) P_##name,
enum port { DUMP_PORTS(DUMP_ENUM, DUMP_ENUM, DUMP_ENUM) NUM_PORTS };
#undef DUMP_ENUM

#define DUMP_MAX_UNITS 16
#define DUMP_MAX_PORTS 4
#define DUMP_MAX_BEAT  128

struct shape {
	uint32_t data_bytes, ctas, queues, ports, id_bits;
	uint32_t smem_bytes, windows, multimem; /* 0: the dump does not show them */
	uint32_t packed;                        /* types of 4 and 6 bits with padding are built */
	bool has_packed;                        /* the dump says so, or not */
	uint32_t reductions, floats;            /* are they built; 0: of integers alone, 2: of f64, too */
};

struct dump;

/* Errors are a text for people, or NULL; it lasts as long as the dump. */

/** Open @p path and find the engine: the scope @p scope, or with NULL the outermost one that has the
 * engine's ports. *d is set even when an error is returned. */
const char *dump_open(struct dump **d, const char *path, const char *scope);
/** All is read, or nothing more can be: the file is closed, what was found in it stays. */
void dump_end_reading(struct dump *d);
void dump_close(struct dump *d);

const struct shape *dump_shape(const struct dump *d);
/** Full name of a port's element as in the dump. */
const char *dump_name(const struct dump *d, enum port port, unsigned unit);
/** Time in nanoseconds of a time stamp; after dump_end_reading(). */
double dump_ns(const struct dump *d, uint64_t time);

/** Call @p sample at every rising edge with its time stamp. */
const char *dump_run(struct dump *d, void (*sample)(void *arg, uint64_t time), void *arg);

/* What the sample shows. */
uint64_t dump_get(const struct dump *d, enum port port, unsigned unit);
void dump_bytes(const struct dump *d, enum port port, unsigned unit, void *to, uint32_t bytes);

#endif
