/* SPDX-License-Identifier: Apache-2.0 */
/* Part of shim.cpp, inside its struct: the engine's pins, as a waveform names them. */
#define PIN(name, bits)      wave->port(#name, bits, &top->name)
#define PER_CTA(name, bits)  wave->array(#name, TMA_NumCtas, bits, &top->name)
#define PER_PORT(name, bits) wave->array(#name, TMA_NumPorts, bits, &top->name)
#define CONSTANT(name)       wave->constant(#name, TMA_##name)

void name_pins()
{
	PIN(clk_i, 1);
	PIN(rst_ni, 1);
	PIN(cmd_valid_i, 1);
	PIN(cmd_ready_o, 1);
	PIN(cmd_queue_i, QueueWidth);
	PIN(cmd_i, 512);
	PIN(queue_ready_o, TMA_NumQueues);
	PIN(rsp_valid_o, 1);
	PIN(rsp_ready_i, 1);
	PIN(rsp_o, 256);
	PIN(s_axil_awvalid_i, 1);
	PIN(s_axil_awready_o, 1);
	PIN(s_axil_awaddr_i, 17);
	PIN(s_axil_wvalid_i, 1);
	PIN(s_axil_wready_o, 1);
	PIN(s_axil_wdata_i, 32);
	PIN(s_axil_wstrb_i, 4);
	PIN(s_axil_bvalid_o, 1);
	PIN(s_axil_bready_i, 1);
	PIN(s_axil_bresp_o, 2);
	PIN(s_axil_arvalid_i, 1);
	PIN(s_axil_arready_o, 1);
	PIN(s_axil_araddr_i, 17);
	PIN(s_axil_rvalid_o, 1);
	PIN(s_axil_rready_i, 1);
	PIN(s_axil_rdata_o, 32);
	PIN(s_axil_rresp_o, 2);
	PIN(irq_o, 1);
	PIN(idle_o, 1);
	PIN(ext_valid_i, TMA_NumCtas);
	PIN(ext_ready_o, TMA_NumCtas);
	PIN(ext_write_i, TMA_NumCtas);
	PER_CTA(ext_addr_i, 32);
	PER_CTA(ext_strb_i, 16);
	PER_CTA(ext_wdata_i, 128);
	PIN(ext_rvalid_o, TMA_NumCtas);
	PER_CTA(ext_rdata_o, 128);
	PIN(m_axi_arvalid_o, TMA_NumPorts);
	PIN(m_axi_arready_i, TMA_NumPorts);
	PER_PORT(m_axi_araddr_o, 64);
	PER_PORT(m_axi_arid_o, IdBits);
	PER_PORT(m_axi_arlen_o, 8);
	PER_PORT(m_axi_arsize_o, 3);
	PER_PORT(m_axi_arburst_o, 2);
	PER_PORT(m_axi_arcache_o, 4);
	PER_PORT(m_axi_arprot_o, 3);
	PER_PORT(m_axi_arqos_o, 4);
	PER_PORT(m_axi_aruser_o, 16);
	PIN(m_axi_rvalid_i, TMA_NumPorts);
	PIN(m_axi_rready_o, TMA_NumPorts);
	PER_PORT(m_axi_rid_i, IdBits);
	PER_PORT(m_axi_rdata_i, 8 * BusBeat);
	PER_PORT(m_axi_rresp_i, 2);
	PIN(m_axi_rlast_i, TMA_NumPorts);
	PIN(m_axi_awvalid_o, TMA_NumPorts);
	PIN(m_axi_awready_i, TMA_NumPorts);
	PER_PORT(m_axi_awaddr_o, 64);
	PER_PORT(m_axi_awid_o, IdBits);
	PER_PORT(m_axi_awlen_o, 8);
	PER_PORT(m_axi_awsize_o, 3);
	PER_PORT(m_axi_awburst_o, 2);
	PER_PORT(m_axi_awcache_o, 4);
	PER_PORT(m_axi_awprot_o, 3);
	PER_PORT(m_axi_awqos_o, 4);
	PER_PORT(m_axi_awuser_o, 16);
	PIN(m_axi_wvalid_o, TMA_NumPorts);
	PIN(m_axi_wready_i, TMA_NumPorts);
	PER_PORT(m_axi_wdata_o, 8 * BusBeat);
	PER_PORT(m_axi_wstrb_o, BusBeat);
	PIN(m_axi_wlast_o, TMA_NumPorts);
	PIN(m_axi_bvalid_i, TMA_NumPorts);
	PIN(m_axi_bready_o, TMA_NumPorts);
	PER_PORT(m_axi_bid_i, IdBits);
	PER_PORT(m_axi_bresp_i, 2);
	CONSTANT(SmemBytes);
	CONSTANT(NumWindows);
	CONSTANT(NumMultimem);
	CONSTANT(NumReductions);
	CONSTANT(Packed);
	CONSTANT(Floats);
}
