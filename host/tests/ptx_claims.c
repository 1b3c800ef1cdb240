/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptx_claims - what docs/semantics.md says of ptxas, marked [P], and no row of the table shows.
 *
 * Spec: docs/semantics.md, sections 1.0 to 1.18
 * Checks: verdicts for each of the eight targets.
 */
#include "ptx_test.h"

TEST(test_claims)
{
	/* A letter for each target, in their order: A accepted, r rejected. */
	static const struct {
		const char *verdicts, *text;
	} rows[] = {
		{ "AAAAAAAA", "cp.async.wait_group 4294967296;" },
		{ "AAAAAAAA", "cp.async.wait_group 64;" },
		{ "AAAAAAAA", "cp.async.wait_group 1000000;" },
		{ "rrrrrrrr", "cp.async.wait_group n;" },
		{ "rrrrrrrr", "cp.async.wait_group;" },
		{ "rrrrrrrr", "cp.async.wait_all 0;" },
		{ "rrrrrrrr", "cp.async.shared.global [sd], [gs], 4;" },
		{ "rrrrrrrr", "cp.async.ca.shared::cluster.global [sd], [gs], 4;" },
		{ "AAAAAAAA", "cp.async.ca.shared.global [smem+4], [gbl+2], 16;" },
		{ "AAAAAAAA", "cp.async.cg.shared.global.L2::64B [sd], [gs], 16, 0;" },
		{ "AAAAAAAA",
		  "cp.async.ca.shared.global.L2::cache_hint [sd], [gs], 16, 0x1000000000000000;" },
		{ "rrrrrrrr", "cp.async.ca.shared.global [sd], [gs], 16, 1.0;" },
		{ "rrrrrrrr", "cp.async.ca.shared.global [sd], [gs], n;" },
		{ "rrrrrrrr", "cp.async.mbarrier.arrive.global.b64 [mbar];" },
		{ "rrrrrrrr", "cp.async.mbarrier.arrive.shared::cluster.b64 [mbar];" },
		{ "AAAAAAAA",
		  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [sd], [gs], 1048560, [mb];" },
		{ "AAAAAAAA",
		  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [sd], [gs], 0, [mb];" },
		{ "AAAAAAAA",
		  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [sd], [gs], size, [mb], 3;" },
		{ "AAAAAAAA",
		  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [sd], [gs], size, [mb], 0;" },
		{ "rrrrrrrr",
		  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [sd], [gs], size, [mb], dst64;" },
		{ "rrrrrrrr",
		  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [sd], [gs], size, mbar;" },
		{ "rrrrrrrr",
		  "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.cta_group::1 [sd], [gs], size, [mb];" },
		{ "AAAAAAAA",
		  "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [sd], [tm, {c0, c1}], mb;" },
		{ "AAAAAAAA",
		  "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [sd], [tm, {2147483648, -2147483648}], [mb];" },
		{ "rrrrrrrr",
		  "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [sd], [cmap, {c0, c1}], [mb];" },
		{ "rrrrrrrr",
		  "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [sd], [tm, {h0, h1}], [mb];" },
		{ "rrrrrrrr",
		  "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [sd], [tm, {dst64, c1}], [mb];" },
		{ "rrAAAAAA",
		  "cp.async.bulk.tensor.4d.shared::cta.global.im2col::w.mbarrier::complete_tx::bytes [sd], [tm, {c0, c1, c2, c3}], [mb], {512, 32};" },
		{ "AAAAAAAA",
		  "cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [sd], [tm, {c0, c1, c2, c3}], [mb], {256, -1};" },
		{ "rrrAAAAr",
		  "cp.async.bulk.tensor.3d.shared::cluster.global.im2col::w.mbarrier::complete_tx::bytes [sd], [tm, {c0, c1, c2}], [mb], {h0, h1};" },
		{ "rrrAAAAr",
		  "cp.async.bulk.tensor.2d.global.shared::cta.tile::scatter4.bulk_group [tm, {c0, c1, c2, c3, c4}], [ss];" },
		{ "rrrAAAAr",
		  "cp.async.bulk.tensor.3d.shared::cta.global.im2col.mbarrier::complete_tx::bytes.cta_group::2 [sd], [tm, {c0, c1, c2}], [mb], {h0};" },
		{ "rrrrrrrr",
		  "cp.async.bulk.tensor.3d.global.shared::cta.im2col.bulk_group [tm, {c0, c1, c2}], [ss];" },
		{ "AAAAAAAA",
		  "cp.reduce.async.bulk.tensor.5d.global.shared::cta.xor.im2col_no_offs.bulk_group.L2::cache_hint [tm, {c0, c1, c2, c3, c4}], [ss], pol;" },
		{ "rrrrrrrr",
		  "cp.async.bulk.prefetch.tensor.2d.L2.global.multicast::cluster [tm, {c0, c1}], ctaMask;" },
		{ "AAAAAAAA", "cp.async.bulk.wait_group.read 1;" },
		{ "rrrrrrrr", "cp.async.bulk.wait_group 1.0;" },
		{ "rrrrrrrr", "prefetch.param::entry.tensormap [pmap];" },
		{ "AAAAAAAA", "prefetch.tensormap [gd];" },
		{ "rArAAAAA", "tensormap.replace.tile.rank.global.b1024.b32 [gd], 5;" },
		{ "rArAAAAA", "tensormap.replace.tile.rank.global.b1024.b32 [gd], v32;" },
		{ "rArAAAAA", "tensormap.replace.tile.global_stride.b1024.b64 [gd], 0, 4096;" },
		{ "rrrAAAAA", "tensormap.replace.tile.elemtype.global.b1024.b32 [gd], 15;" },
		{ "rrrrrrrr", "tensormap.replace.tile.elemtype.global.b1024.b32 [gd], 16;" },
		{ "rrrrrArr", "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [gd], 4;" },
		{ "rrrrrrrr", "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [gd], 5;" },
		{ "rrrAAAAA", "tensormap.replace.tile.swizzle_atomicity.global.b1024.b32 [gd], 3;" },
		{ "rrrrrrrr", "tensormap.replace.tile.swizzle_atomicity.global.b1024.b32 [gd], 4;" },
		{ "rrrrrrrr", "tensormap.replace.tile.fill_mode.global.b1024.b32 [gd], 2;" },
		{ "rrrrrrrr", "tensormap.replace.im2col.rank.global.b1024.b32 [gd], 1;" },
		{ "rrrrrrrr", "tensormap.replace.tile.l2_promotion.global.b1024.b32 [gd], 1;" },
		{ "rrrrrrrr",
		  "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [gd], [ss], 64;" },
		{ "AAAAAAAA",
		  "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.sys.sync.aligned [gbl], [smem], 128;" },
		{ "AAAAAAAA", "fence.proxy.async.global;" },
		{ "AAAAAAAA", "fence.proxy.async.shared::cluster;" },
		{ "AAAAAAAA", "fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster;" },
		{ "AAAAAAAA", "fence.mbarrier_init.release.cluster;" },
		{ "rrrrrrrr", "fence.mbarrier_init.relaxed.cluster;" },
		{ "AAAAAAAA", "fence.acquire.sync_restrict::shared::cluster.cluster;" },
		{ "rrrrrrrr", "createpolicy.fractional.L2::evict_last.b64 pol, 0.0;" },
		{ "rrrrrrrr", "createpolicy.fractional.L2::evict_last.b64 pol, 1;" },
		{ "AAAAAAAA", "createpolicy.cvt.L2.b64 pol, v64;" },
		{ "AAAAAAAA", "createpolicy.range.L2::evict_first.b64 pol, [gs], 0, 4294967295;" },
		{ "rrrrrrrr", "createpolicy.fractional.L2::no_allocate.b64 pol;" },
		{ "AAAAAAAA", "mbarrier.init.b64 [mbar], 0;" },
		{ "AAAAAAAA", "mbarrier.init.b64 [mbar], 1048576;" },
		{ "AAAAAAAA", "mbarrier.init.shared::cta.b64 [mb], -1;" },
		{ "AAAAAAAA", "mbarrier.expect_tx.b64 [mbar], 4294967295;" },
		{ "rrrrrrrr", "mbarrier.test_wait.shared::cluster.b64 p, [mb], state;" },
		{ "AAAAAAAA", "mbarrier.pending_count.b64 cnt, state;" },
		{ "AAAAAAAA", "mbarrier.arrive_drop.noComplete.shared::cta.b64 state, [mb], 1;" },
		{ "AAAAAAAA", "mapa.u32 d32, a32, cta;" },
		{ "AAAAAAAA", "getctarank.shared::cluster.u64 d32, a64;" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(strlen(rows[i].verdicts), TMA_PTX_ENGINE);
		for (uint32_t target = 0; target < TMA_PTX_ENGINE; target++) {
			struct tma_ptx_instruction read;
			struct tma_ptx_error error = { 0 };
			const bool accept = !tma_ptx_parse(rows[i].text, (enum tma_ptx_target)target,
			                                   tma_ptx_frame(), &read, &error);

			if (accept != (rows[i].verdicts[target] == 'A'))
				fail_msg("%s, %s: %s", rows[i].text,
				         tma_ptx_target_name((enum tma_ptx_target)target),
				         accept ? "accepted" : error.message);
		}
	}
}
