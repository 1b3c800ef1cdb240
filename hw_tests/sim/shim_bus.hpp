/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine behind tma_axi64: a narrower bus is at the pins, and what its own side of a global port shows is looked
 * at as if that were pins. Part of shim.cpp.
 */
#define TOP          "tma_axi64"
#define ENGINE(name) top->rootp->tma_axi64__DOT__u_engine__DOT__##name
#define OWN(name)    top->rootp->tma_axi64__DOT__##name

/* In shim::get_pins(). */
#define BEHIND_BUS                                            \
	for (unsigned p = 0; p < TMA_NumPorts; p++) {         \
		tma_axi_out &x = out.axi[p];                  \
		tma_axi_in &y = in.axi[p];                    \
                                                              \
		x.ar_valid = get(OWN(arvalid), p, 1);         \
		get_bytes(OWN(araddr), p, 8, &x.ar_addr);     \
		x.ar_id = get(OWN(arid), p, IdBits);          \
		x.ar_len = get(OWN(arlen), p, 8);             \
		x.ar_size = get(OWN(arsize), p, 3);           \
		x.ar_burst = get(OWN(arburst), p, 2);         \
		x.ar_cache = get(OWN(arcache), p, 4);         \
		x.ar_prot = get(OWN(arprot), p, 3);           \
		x.ar_qos = get(OWN(arqos), p, 4);             \
		x.ar_user = get(OWN(aruser), p, 16);          \
		x.aw_valid = get(OWN(awvalid), p, 1);         \
		get_bytes(OWN(awaddr), p, 8, &x.aw_addr);     \
		x.aw_id = get(OWN(awid), p, IdBits);          \
		x.aw_len = get(OWN(awlen), p, 8);             \
		x.aw_size = get(OWN(awsize), p, 3);           \
		x.aw_burst = get(OWN(awburst), p, 2);         \
		x.aw_cache = get(OWN(awcache), p, 4);         \
		x.aw_prot = get(OWN(awprot), p, 3);           \
		x.aw_qos = get(OWN(awqos), p, 4);             \
		x.aw_user = get(OWN(awuser), p, 16);          \
		x.w_valid = get(OWN(wvalid), p, 1);           \
		x.w_last = get(OWN(wlast), p, 1);             \
		get_bytes(OWN(wdata), p, Beat, x.w_data);     \
		get_bytes(OWN(wstrb), p, Beat / 8, x.w_strb); \
		x.r_ready = get(OWN(rready), p, 1);           \
		x.b_ready = get(OWN(bready), p, 1);           \
		y.ar_ready = get(OWN(arready), p, 1);         \
		y.aw_ready = get(OWN(awready), p, 1);         \
		y.w_ready = get(OWN(wready), p, 1);           \
		y.r_valid = get(OWN(rvalid), p, 1);           \
		y.r_last = get(OWN(rlast), p, 1);             \
		y.r_resp = get(OWN(rresp), p, 2);             \
		y.r_id = get(OWN(rid), p, IdBits);            \
		get_bytes(OWN(rdata), p, Beat, y.r_data);     \
		y.b_valid = get(OWN(bvalid), p, 1);           \
		y.b_resp = get(OWN(bresp), p, 2);             \
		y.b_id = get(OWN(bid), p, IdBits);            \
	}
