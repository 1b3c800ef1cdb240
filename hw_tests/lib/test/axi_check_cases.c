/* SPDX-License-Identifier: Apache-2.0 */
/* Each rule that the checker promises to check, broken once. */
#include "lib/test/axi_check_port.h"

#define WRITE    "aw w / "
#define ANSWERED "aw w / b / "
#define READ_3   "ar_id=3 r_id=3 ar / r_ready=0 r "
/* Fetches of maps and of commands have no hints. */
#define ENGINE "engine ar_user=0xA500 "
#define REDUCE "reduce "
/* An answer that waits for so long, then is taken. */
#define B_WAITS(cycles) WRITE "b_ready=0 b ." cycles " b_ready=1 / "

const struct violation violations[] = {
	{ "reset_ar", "rst_n=0 . ar .", "AR cycle 1: valid during reset" },
	{ "reset_aw", "rst_n=0 . aw .", "AW cycle 1: valid during reset" },
	{ "reset_w", "rst_n=0 . w .", "W cycle 1: valid during reset" },
	{ "reset_r", "rst_n=0 . r .", "R cycle 1: valid during reset" },
	{ "reset_b", "rst_n=0 . b .", "B cycle 1: valid during reset" },
	/* The earliest valid comes with the second clock edge behind the reset. */
	{ "after_reset", "rst_n=0 . rst_n=1 ar / ar .", "AR cycle 1: valid in the first cycle after reset" },
	/* All values that AXI defines, then one that it does not. */
	{ "ar_cache",
	  "aw_cache=0 " ANSWERED "aw_cache=1 " ANSWERED "aw_cache=2 " ANSWERED "aw_cache=3 " ANSWERED
	  "aw_cache=6 " ANSWERED "aw_cache=7 " ANSWERED "aw_cache=10 " ANSWERED "aw_cache=11 " ANSWERED
	  "aw_cache=14 " ANSWERED "aw_cache=15 " ANSWERED "ar_cache=9 ar .",
	  "AR cycle 20: cache 0x9 is reserved" },
	{ "aw_cache", "aw_cache=12 " WRITE, "AW cycle 0: cache 0xc is reserved" },
	/* The eight ids of the integration guide. */
	{ "engine_ar_id",
	  ENGINE "ar_id=0 r_id=0 ar / r / ar_id=1 r_id=1 ar / r / ar_id=2 r_id=2 ar / r / "
	         "ar_id=3 r_id=3 ar / r / ar_id=4 r_id=4 ar / r / ar_id=8 r_id=8 ar / r / "
	         "ar_id=12 r_id=12 ar / r / ar_id=20 r_id=20 ar / r / ar_id=5 ar .",
	  "AR cycle 16: id 5 is out of range" },
	{ "engine_aw_id", "engine aw_id=1 b_id=1 " WRITE "aw_id=2 " WRITE,
	  "AW cycle 1: id 2 is out of range" },
	{ "no_reductions_ar_id", "engine ar_id=16 ar .", "AR cycle 0: id 16 is out of range" },
	/* They have no promotion either; their reads are beside all others', their writes beside those. */
	{ "reduce_ids",
	  REDUCE ENGINE "ar_id=0 ar / ar / ar / ar / ar_id=16 ar / ar / aw_id=2 " WRITE WRITE
	                "aw_id=0 " WRITE WRITE WRITE "aw_id=2 " WRITE "b_id=2 b / aw_id=2 " WRITE
	                "r_id=16 r / r_id=0 r / aw_id=2 " WRITE "ar_id=17 ar .",
	  "AR cycle 17: id 17 is out of range" },
	{ "reduce_user", REDUCE "engine ar_user=0xA51F ar_id=16 ar .",
	  "AR cycle 0: user has reserved bits 0x10" },
	{ "reduce_many_reads", REDUCE "engine ar_id=16 ar_user=0xA50F ar / ar / ar / ar / ar / ar .",
	  "AR cycle 5: more than 5 bursts of reductions" },
	{ "reduce_many_writes", REDUCE "engine ar_id=16 ar / ar / ar / aw_id=2 " WRITE WRITE WRITE,
	  "AW cycle 5: more than 5 bursts of reductions" },
	{ "writes_by_id", WRITE WRITE WRITE "aw_id=1 " WRITE WRITE WRITE "aw_id=2 " WRITE "aw_id=0 " WRITE,
	  "more than 3 writes of id 0" },
	{ "engine_map_qos", ENGINE "ar_qos=3 ar_id=4 ar / ar_id=8 ar .",
	  "AR cycle 1: qos 3 and hints 0 of client 2" },
	{ "engine_ring_hints", "engine ar_id=12 ar .", "AR cycle 0: qos 0 and hints 0xf of client 3" },
	/* With the AW, though it is not taken, and behind it; not before. */
	{ "engine_w_before_aw",
	  "engine aw_ready=0 aw w . aw_ready=1 w=0 / aw_len=1 aw / w_last=0 w / w_last=1 w / w .",
	  "W cycle 5: valid before the AW" },
	/* The AW that is valid belongs to the W before. */
	{ "engine_w_of_next_aw", "engine aw_ready=0 aw w . .", "W cycle 1: valid before the AW" },
	{ "too_many_writes", WRITE WRITE WRITE WRITE, "more than 3 writes" },
	{ "r_waits", "ar / r_ready=0 r .22", "R cycle 21: valid has waited for ready for 21 cycles" },
	{ "b_waits", B_WAITS("20") B_WAITS("20") B_WAITS("21"), "valid has waited for ready for 21 cycles" },
	{ "end_of_reads", ANSWERED "end / ar_len=1 ar / r_last=0 r / end .",
	  "1 reads and 0 writes are not answered" },
	{ "end_of_writes", WRITE "end .", "0 reads and 1 writes are not answered" },
	{ "ar_dropped", "ar_ready=0 ar / .", "AR cycle 1: valid dropped" },
	{ "ar_addr_moved", "ar_ready=0 ar . ar_addr=0x10040 .", "AR cycle 1: payload changed" },
	{ "ar_user_moved", "ar_ready=0 ar . ar_user=0 .", "AR cycle 1: payload changed" },
	{ "aw_dropped", "aw_ready=0 aw / .", "AW cycle 1: valid dropped" },
	{ "aw_len_moved", "aw_ready=0 aw . aw_len=1 .", "AW cycle 1: payload changed" },
	{ "w_dropped", "w_ready=0 w / .", "W cycle 1: valid dropped" },
	{ "w_data_moved", "w_ready=0 w . w_data=1 .", "W cycle 1: payload changed" },
	{ "w_strobes_moved", "w_ready=0 w . w_strb=0xFE .", "W cycle 1: payload changed" },
	{ "r_dropped", READ_3 "/ .", "R cycle 2: valid dropped" },
	{ "r_data_moved", READ_3 ". r_data=0x80 .", "R cycle 2: payload changed" },
	{ "b_dropped", WRITE "b_ready=0 b / .", "B cycle 2: valid dropped" },
	{ "b_resp_moved", WRITE "b_ready=0 b . b_resp=2 .", "B cycle 2: payload changed" },
	{ "ar_fixed", "ar_burst=0 ar .", "not INCR" },
	{ "aw_wrap", "aw_burst=2 aw .", "not INCR" },
	{ "ar_narrow", "ar_size=5 ar .", "not the full width" },
	{ "ar_unaligned", "ar_addr=0x10010 ar .", "not aligned" },
	{ "ar_page", "ar_addr=0x10FC0 ar_len=1 ar .", "AR cycle 0: burst crosses 4 KiB" },
	{ "aw_page", "aw_len=64 aw .", "AW cycle 0: burst crosses 4 KiB" },
	{ "ar_id", "ar_id=32 ar .", "id 32 is out of range" },
	/* Fetches of commands, client 3 of the id, have no hints; the L2 promotion of a tensor map is for loads,
	 * but `cg` is not; all hints belong to cp.async, client 5. */
	{ "ar_user", "ar_user=0x10 ar_id=12 ar .", "AR cycle 0: user has reserved bits 0x10" },
	{ "ar_user_bit_6", "ar_user=0x30 ar / ar_user=0x40 ar .", "AR cycle 1: user has reserved bits 0x40" },
	{ "ar_user_bit_7", "ar_id=20 ar_user=0x70 ar / ar_user=0x80 ar .",
	  "AR cycle 1: user has reserved bits 0x80" },
	{ "aw_user", "aw_user=0x40 aw_id=20 aw .", "AW cycle 0: user has reserved bits 0x40" },
	{ "too_many_reads", "ar / ar / ar / ar / ar /", "more than 4 reads" },
	{ "wlast_early", "aw_len=2 aw / w_last=0 w / w_last=1 w .", "W cycle 2: WLAST on beat 2 of 3" },
	{ "wlast_missing", "aw_len=1 aw w_last=0 w / w .", "W cycle 1: no WLAST on beat 2 of 2" },
	/* The checker can only tell when the address comes. */
	{ "wlast_wrong_before_aw", "w / aw_len=1 aw .", "WLAST on beat 1 of 2" },
	{ "r_without_read", "r .", "no read outstanding" },
	{ "r_in_the_cycle_of_ar", "ar r .", "no read outstanding" },
	{ "r_other_id", "ar / r_id=1 r .", "no read outstanding" },
	{ "rlast_early", "ar_len=1 ar / r .", "RLAST is 1 with 2 beats left" },
	{ "rlast_missing", "ar / r_last=0 r .", "RLAST is 0 with 1 beats left" },
	{ "r_exokay", "ar / r_resp=1 r .", "R cycle 1: response 1" },
	{ "b_without_write", "b .", "no complete write" },
	{ "b_before_last_w", "aw_len=1 aw w_last=0 w / b .", "no complete write" },
	{ "b_twice", WRITE "b . .", "no complete write" },
	{ "b_exokay", WRITE "b_resp=1 b .", "B cycle 1: response 1" },
	{ "read_outside", "ar_addr=0x14000 ar .", "read of 0x14000 is not legal" },
};

const uint32_t num_violations = sizeof(violations) / sizeof(violations[0]);
