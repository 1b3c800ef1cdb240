/* SPDX-License-Identifier: Apache-2.0 */
/* Reductions at several ports, ports that die, and random runs of bulk reductions. */
#include "tma_abi.h"
#include "unit_rtl/tma_reduce_env.h"

static const struct reduce_how add_u32 = { TMA_REDUCE_ADD, TMA_TYPE_U32, 0 };

static uint32_t below(struct env *e, uint32_t n)
{
	return rng_below(&e->rng, n);
}

static uint32_t line(const struct env *e)
{
	return e->info->data_bytes / CHUNK;
}

static uint8_t all_ports(const struct env *e)
{
	return (uint8_t)((1u << e->info->ports) - 1);
}

/* Multimem reductions need both kinds of windows, page by page, and no others. */
ENV_TEST(multimem_windows, .seed = 60)
{
	static const uint32_t to[ENV_PORTS] = { 40, 41, 42, 43 };
	struct env_cmd *c[8];

	env_window(e, 0, 0, 3, true, true);
	env_mm_window(e, 0, 4, 9);
	env_window(e, 1, 4, 9, true, true);
	env_multimem(e, 6, 8, all_ports(e), to);
	c[0] = env_mm_command(e, 0, 6 * ENV_PAGE + 48, 256 + 256, 0, 5, add_u32);
	c[1] = env_mm_command(e, 0, 7 * ENV_PAGE + 4080, 256 + 2, 0, 5, add_u32);
	c[2] = env_mm_command(e, 0, 2 * ENV_PAGE, 4, 0, 5, add_u32);
	c[3] = env_mm_command(e, 0, 5 * ENV_PAGE, 4, 0, 5, add_u32);
	c[4] = env_mm_command(e, 1, 6 * ENV_PAGE, 4, 0, 5, add_u32);
	c[5] = env_command(e, 1, 6 * ENV_PAGE, 4, 0, 5, add_u32);
	c[6] = env_command(e, 0, 6 * ENV_PAGE, 4, 0, 5, add_u32);
	c[7] = env_mm_command(e, 0, 9 * ENV_PAGE - 16, 1, 0, 5, add_u32);
	env_drain(e, 5000);
	assert_int_equal(c[0]->code, 0);
	assert_int_equal(c[1]->code, TMA_FAULT_MULTIMEM_UNMAPPED);
	assert_int_equal(c[1]->sent, c[1]->bursts * e->info->ports);
	assert_true(c[1]->address == ENV_BASE + 9 * ENV_PAGE);
	assert_int_equal(c[2]->code, TMA_FAULT_WINDOW_MULTIMEM);
	assert_int_equal(c[3]->code, TMA_FAULT_MULTIMEM_UNMAPPED);
	assert_int_equal(c[4]->code, TMA_FAULT_WINDOW_MULTIMEM);
	assert_int_equal(c[5]->code, 0);
	assert_int_equal(c[6]->code, TMA_FAULT_WINDOW_READ);
	assert_int_equal(c[7]->code, 0);
}

/* A window of several ports, and one of the last port alone. @p errors: of some pages, on some port */
static void open_ports(struct env *e, bool errors)
{
	static const uint32_t to[ENV_PORTS] = { 40, 30, 20, 10 }, other[ENV_PORTS] = { 2, 30, 2, 2 };

	env_window(e, 0, 0, ENV_PAGES - 1, true, true);
	env_mm_window(e, 0, 0, 15);
	env_multimem(e, 0, 11, all_ports(e), to);
	if (e->info->multimem > 1)
		env_multimem(e, 12, 15, (uint8_t)(1u << (e->info->ports - 1)), other);
	for (uint32_t i = 0; i < 5 && errors; i++)
		env_error(e, below(e, e->info->ports), 1u << below(e, 2), 28 + below(e, 14),
		          below(e, 2) ? AXI_SLVERR : AXI_DECERR);
	for (uint32_t i = 0; i < 12 && errors; i++)
		env_error_at(e, below(e, e->info->ports), 1u << below(e, 2),
		             (28 * 64 + below(e, 14 * 64)) * ENV_GRAIN, ENV_GRAIN,
		             below(e, 2) ? AXI_SLVERR : AXI_DECERR);
}

/* Bulk reductions here and there, many of them near each other; `mm_percent` go to several ports. */
static void random_commands(struct env *e, uint32_t commands, uint32_t mm_percent)
{
	uint32_t mapped = e->info->multimem > 1 ? 16 : 12;

	for (uint32_t i = 0; i < commands; i++) {
		uint32_t chunks = 1 + below(e, below(e, 3) ? 2 * line(e) : 150),
			 cta = below(e, e->info->ctas);
		uint32_t at = (below(e, 2) ? 200 + below(e, 48) : below(e, mapped * 256 - 160)) * CHUNK;

		if (rng_percent(&e->rng, mm_percent))
			env_mm_command(e, 0, at, chunks, cta, below(e, 400), env_draw_how(e));
		else /* where multimem lies, on port 0 */
			env_command(e, 0, at + below(e, 2) * 40 * ENV_PAGE, chunks, cta, below(e, 400),
			            env_draw_how(e));
	}
}

static void ports_run(const struct env_opts *o, uint32_t commands, bool errors)
{
	struct env e;

	env_open(&e, o);
	open_ports(&e, errors);
	random_commands(&e, commands, 60);
	env_drain(&e, 5000 + (uint64_t)commands * 9000);
	env_close(&e);
}

TEST(ports_smooth)
{
	struct env_opts o = { .seed = 600, .latency = 1 };

	ports_run(&o, 300, false);
}

TEST(ports_stall)
{
	for (uint32_t i = 0; i < 6; i++) {
		struct env_opts o = { .seed = 610 + i,
			              .latency = 1,
			              .random_latency = 30 * i,
			              .stall_percent = 10 * i,
			              .early_read_percent = 50,
			              .command_percent = 10 * i % 40,
			              .read_percent = 10 * i % 30,
			              .slower_writes = i % 3 * 40 };

		ports_run(&o, 150, false);
	}
}

TEST(ports_fail)
{
	for (uint32_t i = 0; i < 16; i++) {
		struct env_opts o = { .seed = 620 + i,
			              .latency = 1 + i % 4 * 10,
			              .random_latency = i % 5 * 30,
			              .stall_percent = i % 6 * 10,
			              .read_percent = i % 3 * 30,
			              .fault_percent = i % 4 * 20 };

		ports_run(&o, 100, true);
	}
}

/* An error of one port comes while another one has still to get the burst. */
TEST(fails_between_ports)
{
	for (uint32_t i = 0; i < 20; i++) {
		struct env_opts o = { .seed = 640 + i, .latency = 2 };
		struct env_cmd *c, *next;
		struct env e;

		env_open(&e, &o);
		open_ports(&e, false);
		env_error(&e, 0, i % 2 ? AXI_MEM_READ : AXI_MEM_WRITE, 40, AXI_SLVERR);
		c = env_mm_command(&e, 0, 0x100, 200, 0, 0, add_u32);
		next = env_mm_command(&e, 0, 0x1000, 300, 0, 0, add_u32);
		/* Port 0 gets one burst alone, others none, until the error is known. */
		while (!c->asked)
			env_step(&e);
		e.block_ar = all_ports(&e) & (i % 3 ? 0xFE : 0xFF);
		env_steps(&e, 30 + i);
		e.block_ar = 0;
		env_drain(&e, 5000);
		assert_int_equal(c->code, i % 2 ? TMA_FAULT_READ_SLVERR : TMA_FAULT_WRITE_SLVERR);
		assert_int_equal(next->code, 0);
		env_close(&e);
	}
}

/* A dead port takes all that is sent to it, and commands that have a living one go on there. */
TEST(a_port_dies)
{
	for (uint32_t i = 0; i < 60; i++) {
		struct env_opts o = { .seed = 700 + i,
			              .latency = 1 + i % 30,
			              .random_latency = i % 4 * 20,
			              .stall_percent = i % 5 * 10,
			              .read_percent = i % 3 * 20,
			              .fault_percent = i % 2 * 30 };
		struct env e;

		env_open(&e, &o);
		open_ports(&e, i % 3 == 0);
		random_commands(&e, 40, i % 4 ? 60 : 0);
		env_steps(&e, 1 + 17 * i);
		e.dead = (uint8_t)(1u << i % e.info->ports);
		env_steps(&e, 1 + 5 * i);
		if (i % 7 == 0)
			e.dead = all_ports(&e);
		env_drain(&e, 200000);
		env_close(&e);
	}
}

/* A port dies with its bursts half read, half written, or without any answer. */
TEST(dies_in_a_burst)
{
	for (uint32_t i = 0; i < 48; i++) {
		struct env_opts o = { .seed = 800 + i, .latency = 5 };
		struct env_cmd *c, *next;
		struct env e;

		env_open_all(&e, &o);
		c = env_command(&e, 0, 0x100, 16 * line(&e), 0, 0, add_u32);
		next = env_command(&e, 0, 0x100, 3, 0, 0, add_u32);
		while (!c->asked)
			env_step(&e);
		axi_mem_stop(e.port[0].mem, i % 3 == 0 ? AXI_MEM_R : i % 3 == 1 ? AXI_MEM_W : AXI_MEM_B, i);
		env_steps(&e, 100);
		e.dead = 1;
		env_drain(&e, 2000);
		assert_int_equal(next->code, TMA_FAULT_PORT_DEAD);
		env_close(&e);
	}
}

TEST(bulk_smooth)
{
	struct env_opts o = { .seed = 900, .latency = 8 };
	struct env e;

	env_open_all(&e, &o);
	random_commands(&e, 300, 0);
	env_drain(&e, 100000);
	env_close(&e);
}

/* Legal manners of all kinds. */
TEST(bulk_manners)
{
	for (uint32_t i = 0; i < 10; i++) {
		struct env_opts o = { .seed = 910 + i,
			              .latency = 1 + i % 3 * 20,
			              .command_percent = i % 4 * 20,
			              .manners = true };
		struct env e;

		env_open(&e, &o);
		open_ports(&e, i % 2);
		random_commands(&e, 60, 30);
		env_drain(&e, 400000);
		env_close(&e);
	}
}
