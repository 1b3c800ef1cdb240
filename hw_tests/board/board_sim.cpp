/* SPDX-License-Identifier: Apache-2.0 */
/* The pins of the Verilated tma_board behind board_sim.h. */
#include "sim/verilated_user.h" /* before Verilator's own headers */

#include <memory>
#include <new>
#include <verilated.h>

#include "Vtma_board.h"
#include "board/board_sim.h"
#include "sim/seed.hpp"

static unsigned failed;

/* Called for each assertion that fails, and for $stop. */
void vl_stop_maybe(const char *, int, const char *, bool)
{
	failed++;
}

struct board_sim {
	VerilatedContext context;
	std::unique_ptr<Vtma_board> top;

	void clock()
	{
		top->clk_i = 1;
		top->eval();
		top->clk_i = 0;
		top->eval();
	}
};

struct board_sim *board_sim_open(void)
{
	auto *board = new (std::nothrow) board_sim;

	if (!board)
		return nullptr;
	board->context.randReset(2);
	board->context.randSeed(verilated_seed(0));
	board->top = std::make_unique<Vtma_board>(&board->context, "tma_board");
	board->top->uart_rx_i = 1;
	for (int i = 0; i < 20; i++) {
		board->top->rst_ni = i >= 10;
		board->clock();
	}
	return board;
}

void board_sim_close(struct board_sim *board)
{
	if (board)
		board->top->final();
	delete board;
}

bool board_sim_clock(struct board_sim *board, bool rx)
{
	board->top->uart_rx_i = rx;
	board->clock();
	return board->top->uart_tx_o;
}

unsigned board_sim_leds(const struct board_sim *board)
{
	return board->top->leds_o;
}

unsigned board_sim_failed(void)
{
	return failed;
}
