/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The Verilated board: pins alone, a clock at a time. One thread.
 */
#ifndef BOARD_SIM_H
#define BOARD_SIM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BOARD_LED_LIFE    1u
#define BOARD_LED_LINE    2u
#define BOARD_LED_BUSY    4u
#define BOARD_LED_TROUBLE 8u

struct board_sim;

/** A board whose reset pin has been low and is high again; memory is random. NULL: no memory. */
struct board_sim *board_sim_open(void);
void board_sim_close(struct board_sim *board);

/** One clock with this level at the receiver's pin; the level of the transmitter's pin behind it. */
bool board_sim_clock(struct board_sim *board, bool rx);

/** What the LEDs show. */
unsigned board_sim_leds(const struct board_sim *board);

/** Assertions of the RTL that have failed in this process; each is printed on stderr. */
unsigned board_sim_failed(void);

#ifdef __cplusplus
}
#endif
#endif
