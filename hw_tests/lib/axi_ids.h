/* SPDX-License-Identifier: Apache-2.0 */
/* axi_ids - whose an AXI id of the engine is. That of a write is its lane; reductions come behind the lanes. */
#ifndef AXI_IDS_H
#define AXI_IDS_H

#define AXI_CLIENT_SHIFT 2 /* of a read's id: client, channel */

enum axi_client {
	AXI_CLIENT_LOAD,
	AXI_CLIENT_PREFETCH,
	AXI_CLIENT_MAP,
	AXI_CLIENT_RING,
	AXI_CLIENT_REDUCE,
	AXI_CLIENT_CP,
};

/* The one id of what reductions read. */
#define AXI_ID_REDUCE (AXI_CLIENT_REDUCE << AXI_CLIENT_SHIFT)

/* The id of what they write, on an engine of so many ports. */
#define AXI_WRITE_REDUCE(ports) ((ports) > 1 ? 2u : 1u)

#endif
