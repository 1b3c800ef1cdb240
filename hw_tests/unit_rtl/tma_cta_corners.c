/* SPDX-License-Identifier: Apache-2.0 */
/* Corner cases of a CTA: accesses beside barriers and over them, and over the end of memory. */
#include <string.h>

#include "unit_rtl/tma_cta_env.h"

/* A dirty barrier's row in the other banks is not the barrier: reads do not wait for it, writes do not
 * drop it. Its row in its own bank alone is. */
ENV_TEST(corner_rows_apart)
{
	uint8_t line[TMA_SIM_MAX_BEAT];
	uint32_t row, far;

	far = e->rows - 1;
	memset(line, 0x33, sizeof(line));
	for (uint32_t bank = 0; bank < e->chunks; bank++) {
		row = ENV_BARS / 2 / e->chunks + bank;
		env_init(e, 2 * (row * e->chunks + bank), 3);
		/* Meanwhile nothing may be written back. */
		env_busy(e);
		env_arrive(e, 2 * (row * e->chunks + bank), env_expect_100);
		env_line(e, 0, e->chunks, line);
		env_read(e, 0, 0);
		for (uint32_t b = 0; b < e->chunks; b++)
			e->in->wr.rows[b] = e->in->rd_rows[0][b] = b == bank ? far : row;
		env_step(e);
		assert_true(e->took[PORT_RD0] && e->took[PORT_WR]);
		for (uint32_t b = 0; b < e->chunks; b++)
			e->in->wr.rows[b] = far, e->in->rd_rows[0][b] = b == bank ? row : far;
		env_step(e);
		assert_true(!e->took[PORT_RD0] && e->took[PORT_WR]);
		e->in->wr_valid = 0;
		env_until(e, PORT_RD0, 4);
		env_arrive(e, 2 * (row * e->chunks + bank), env_expect_100);
	}
}

/* Barriers fetched for requests that never come back do not lock the entries for ever. */
ENV_TEST(corner_abandoned)
{
	for (uint32_t i = 0; i < e->info->barriers; i++) {
		e->a_valid = 1;
		e->a_addr = ENV_BARS + i;
		env_step(e);
		e->a_valid = 0;
		env_step(e);
		env_step(e);
		env_step(e);
	}
	e->in->bar_b_valid = 1;
	e->in->bar_b_addr = (uint16_t)(ENV_BARS + e->info->barriers);
	env_until(e, PORT_B, 80);
}

/* Whoever writes the other half of a barrier's chunk all the time does not keep the barrier away. */
ENV_TEST(corner_neighbour)
{
	for (uint32_t half = 0; half < 2; half++) {
		e->a_valid = e->a_commit = 1;
		e->a_addr = ENV_BARS + half;
		e->a = (struct bar_request){ .op = BAR_INIT, .count = 1 };
		for (uint32_t i = 0; i == 0 || !e->took[PORT_A]; i++) {
			assert_true(i < 4u + 2 * e->info->short_paths);
			e->ext = (struct tma_ext_in){
				.valid = 1, .write = 1, .addr = 8 * ENV_BARS, .strb = half ? 0x00FF : 0xFF00
			};
			env_step(e);
			assert_true(e->took[PORT_EXT_WRITE]);
		}
		env_quiet(e);
		/* Written back, and away. */
		e->ext = (struct tma_ext_in){ .valid = 1, .write = 1, .addr = 8 * ENV_BARS, .strb = 0xFFFF };
		env_until(e, PORT_EXT_WRITE, 16);
	}
}

/* Nor does one who writes the barrier itself: its writes wait while the barrier is on its way. */
ENV_TEST(corner_rewritten)
{
	uint32_t period, i, ops = 0;

	memset(e->longest, 0, sizeof(e->longest));
	for (period = 1; period <= 4; period++) {
		for (i = 0; i < 400; i++) {
			if (!e->a_valid || e->took[PORT_A]) {
				ops += e->took[PORT_A];
				e->a_valid = e->a_commit = 1;
				e->a_addr = ENV_BARS;
				e->a = (struct bar_request){ .op = BAR_INIT, .count = 1 + i };
			}
			if (e->took[PORT_EXT_WRITE])
				e->ext.valid = 0;
			if (!e->ext.valid && i % period == 0)
				e->ext = (struct tma_ext_in){
					.valid = 1, .write = 1, .addr = 8 * ENV_BARS, .strb = 0x00FF
				};
			env_step(e);
		}
	}
	assert_true(ops > 100);
	assert_true(e->longest[PORT_A] < 16 && e->longest[PORT_EXT_WRITE] < 16);
}

/* The last chunks of memory, in lines that hang over its end. */
ENV_TEST(corner_end_of_memory)
{
	uint8_t line[TMA_SIM_MAX_BEAT];

	for (uint32_t i = 1; i <= e->chunks; i++) {
		memset(line, (int)(0x10 + i), sizeof(line));
		env_line(e, e->total - i, i, line);
		env_until(e, PORT_WR, 1);
		env_read(e, 0, e->total - i);
		env_read(e, 1, e->total - i);
		env_step(e);
	}
	env_init(e, 2 * e->total - 1, 5);
}

/* Rows are read in the cycle in which they are written, by lines and by some of their bytes: the row before it, which port 0
 * keeps while others are written. */
ENV_TEST(corner_read_where_written)
{
	uint8_t line[TMA_SIM_MAX_BEAT];

	for (uint32_t i = 0; i < 120; i++) {
		env_quiet(e);
		memset(line, (int)(0x40 + i), sizeof(line));
		if (i % 4 == 3)
			e->ext = (struct tma_ext_in){
				.valid = 1, .write = 1, .addr = i % 8 / 4 * CHUNK * e->chunks, .strb = 0x5AA5
			};
		else
			env_line(e, i % 3 ? 0 : e->chunks, e->chunks, line);
		if (i % 5 == 0 || i % 7 == 0)
			env_read(e, 0, 0);
		if (i % 3 != 1)
			env_read(e, 1, i % 2 * e->chunks);
		env_step(e);
	}
}

/* Beyond the end the external port reads zero and writes nothing, nor does it meet a barrier. */
ENV_TEST(corner_outside)
{
	static const uint32_t above[] = { 0, 1 << 12, 1 << 20, 1u << 31 };

	env_init(e, 0, 7);
	for (size_t i = 0; i < sizeof(above) / sizeof(*above); i++) {
		e->ext = (struct tma_ext_in){
			.valid = 1, .write = 1, .addr = e->info->smem_bytes + above[i], .strb = 0xFFFF
		};
		env_until(e, PORT_EXT_WRITE, 1);
		e->ext.valid = 1;
		e->ext.write = 0;
		env_until(e, PORT_EXT_READ, 1);
		env_arrive(e, 0, env_expect_100);
	}
}

/* A write over half of a dirty barrier: the other half is as the last operation left it. */
ENV_TEST(corner_half_overwritten)
{
	uint8_t line[TMA_SIM_MAX_BEAT];

	memset(line, 0x5A, sizeof(line));
	for (uint32_t half = 0; half < 2; half++) {
		for (uint32_t again = 0; again < 2; again++) {
			env_init(e, ENV_BARS, 3);
			/* Meanwhile nothing may be written back. */
			env_busy(e);
			env_arrive(e, ENV_BARS, env_expect_100);
			env_line(e, ENV_BARS / 2, 1, line);
			memset(e->in->wr.be, 0, sizeof(e->in->wr.be));
			e->in->wr.be[2 * env_bank(e, ENV_BARS / 2)] = half ? 0xF0 : 0x0F;
			env_step(e);
			if (again) {
				e->in->wr.be[2 * env_bank(e, ENV_BARS / 2)] = half ? 0x0F : 0xF0;
				env_step(e);
			}
			e->in->wr_valid = 0;
			e->ext = (struct tma_ext_in){ .valid = 1, .addr = 8 * ENV_BARS };
			env_until(e, PORT_EXT_READ, 1);
			env_arrive(e, ENV_BARS, (struct bar_request){ .op = BAR_CHECK });
		}
	}
}
