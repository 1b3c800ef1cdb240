/* SPDX-License-Identifier: Apache-2.0 */
/* Faults 0x80 to 0x94: windows, error responses and dead ports under a copy. */
#include "engine/fault_cases.h"

#define SLVERR 2
#define DECERR 3

#define PAGE(n)         (FAULT_GLOBAL + (uint64_t)(n)*FAULT_PAGE)
#define DATA_PAGES      FAULT_RING_PAGE
#define BAD_PAGE        3u
#define MULTIMEM_WINDOW 3

static struct tma_command at(struct tma_command c, uint64_t address)
{
	c.global_address = address;
	return c;
}

static struct tma_command multimem_store(void)
{
	struct tma_command c = fault_store();

	c.opcode = TMA_MULTIMEM_BULK_STORE;
	return c;
}

/* A reduction like the copy. */
static struct tma_command reduction(struct fault_program *p, struct tma_command c)
{
	if (!p->shape.reductions)
		p->skip = "reductions are not built";
	c.opcode = c.opcode == TMA_MULTIMEM_BULK_STORE ? TMA_MULTIMEM_BULK_REDUCE : TMA_BULK_REDUCE;
	c.op = TMA_REDUCE_ADD;
	c.type = TMA_TYPE_U32;
	return c;
}

BUILD(load_behind_the_windows,
      fault_issued(p, at(fault_load(), PAGE(FAULT_CLOSED_PAGE)), PAGE(FAULT_CLOSED_PAGE)), p->moves = false)

/* Row 0 of the tensor is in its place, row 1 somewhere else. */
static struct tma_command two_rows(struct fault_program *p, uint8_t opcode, uint64_t second)
{
	struct tma_command c = fault_tile(p, opcode);

	fault_set_map(p, TMA_MAP_BOX_LSB + TMA_MAP_BOX_BITS, TMA_MAP_BOX_BITS, 1);
	fault_set_map(p, TMA_MAP_STRIDE_LOW_LSB, TMA_MAP_STRIDE_LOW_BITS,
	              (second - p->map[TMA_MAP_GLOBAL_ADDRESS_LSB / 64]) / 16);
	return c;
}

BUILD(second_row_behind_the_windows,
      fault_issued(p, two_rows(p, TMA_TENSOR_LOAD, PAGE(FAULT_CLOSED_PAGE)), PAGE(FAULT_CLOSED_PAGE)))
BUILD(second_store_behind_the_windows,
      fault_issued(p, two_rows(p, TMA_TENSOR_STORE, PAGE(FAULT_RING_PAGE) + 2048),
                   PAGE(FAULT_RING_PAGE) + 2048))
/* Their map is of bytes, for which there is no arithmetic. */
static struct tma_command two_words(struct fault_program *p, uint64_t second)
{
	struct tma_command c = two_rows(p, TMA_TENSOR_REDUCE, second);

	if (!p->shape.reductions)
		p->skip = "reductions are not built";
	fault_set_map(p, TMA_MAP_TYPE_LSB, TMA_MAP_TYPE_BITS, TMA_RAW_TYPE_U32);
	fault_set_map(p, TMA_MAP_DIM_LSB, TMA_MAP_DIM_BITS, 16 - 1);
	fault_set_map(p, TMA_MAP_BOX_LSB, TMA_MAP_BOX_BITS, 16 - 1);
	return c;
}

BUILD(second_sum_behind_the_windows,
      fault_issued(p, two_words(p, PAGE(FAULT_CLOSED_PAGE)), PAGE(FAULT_CLOSED_PAGE)))
BUILD(sum_without_reads, p->windows[0].attr = 2,
      fault_issued(p, reduction(p, fault_store()), fault_store().global_address), p->moves = false)
BUILD(sum_without_writes, p->windows[0].attr = 1,
      fault_issued(p, reduction(p, fault_store()), fault_store().global_address), p->moves = false)
BUILD(sum_over_the_edge,
      fault_issued(p, reduction(p, at(fault_store(), PAGE(DATA_PAGES) - 16)), PAGE(DATA_PAGES)))
BUILD(multimem_sum_without_window, p->windows[MULTIMEM_WINDOW].attr = 0,
      fault_issued(p, reduction(p, multimem_store()), multimem_store().global_address), p->moves = false)

BUILD(cp_behind_the_windows,
      fault_issued(p, at(fault_cp_async(), PAGE(FAULT_CLOSED_PAGE)), PAGE(FAULT_CLOSED_PAGE)),
      p->moves = false)

/* The first granule lies in the data's window, the next page is for reads alone. */
BUILD(store_over_the_edge, fault_issued(p, at(fault_store(), PAGE(DATA_PAGES) - 16), PAGE(DATA_PAGES)))
BUILD(multimem_without_window, p->windows[MULTIMEM_WINDOW].attr = 0,
      fault_issued(p, multimem_store(), multimem_store().global_address), p->moves = false)
BUILD(multimem_of_nothing, p->multimem.base = PAGE(BAD_PAGE), p->multimem.limit = PAGE(BAD_PAGE + 1) - 1,
      fault_issued(p, at(multimem_store(), PAGE(BAD_PAGE + 1) - 16), PAGE(BAD_PAGE + 1)))

static void bad_read(struct fault_program *p, struct tma_command c, int resp)
{
	fault_bad_page(p, BAD_PAGE, resp);
	fault_issued(p, at(c, PAGE(BAD_PAGE) + 16), PAGE(BAD_PAGE) + 16);
	p->moves = false;
}

BUILD(read_slverr, bad_read(p, fault_load(), SLVERR))
BUILD(cp_read_slverr, bad_read(p, fault_cp_async(), SLVERR))
BUILD(second_row_slverr, fault_bad_page(p, BAD_PAGE, SLVERR),
      fault_issued(p, two_rows(p, TMA_TENSOR_LOAD, PAGE(BAD_PAGE)), PAGE(BAD_PAGE)))
BUILD(second_store_slverr, fault_bad_page(p, BAD_PAGE, SLVERR),
      fault_issued(p, two_rows(p, TMA_TENSOR_STORE, PAGE(BAD_PAGE)), PAGE(BAD_PAGE)))
BUILD(read_decerr, bad_read(p, fault_load(), DECERR))

/* Of a page that can neither be read nor written the read's error counts; nothing of the burst is written. */
BUILD(sum_read_slverr, bad_read(p, reduction(p, fault_store()), SLVERR))
BUILD(sum_read_decerr, bad_read(p, reduction(p, fault_store()), DECERR))
BUILD(sum_write_slverr, bad_read(p, reduction(p, fault_store()), SLVERR), p->error.read_resp = 0)
BUILD(sum_write_decerr, bad_read(p, reduction(p, fault_store()), DECERR), p->error.read_resp = 0)
BUILD(second_sum_slverr, fault_bad_page(p, BAD_PAGE, SLVERR),
      fault_issued(p, two_words(p, PAGE(BAD_PAGE)), PAGE(BAD_PAGE)))

static void bad_write(struct fault_program *p, int resp)
{
	fault_bad_page(p, BAD_PAGE, resp);
	fault_issued(p, at(fault_store(), PAGE(BAD_PAGE) + 16), PAGE(BAD_PAGE) + 16);
}

BUILD(write_slverr, bad_write(p, SLVERR))
BUILD(write_decerr, bad_write(p, DECERR))

static void one_of_two_ports(struct fault_program *p)
{
	if (p->shape.ports < 2)
		p->skip = "one port";
	fault_bad_page(p, BAD_PAGE, SLVERR);
	p->error.port = 1;
	fault_issued(p, at(multimem_store(), PAGE(BAD_PAGE) + 16), PAGE(BAD_PAGE) + 16);
}

static void sum_on_one_of_two_ports(struct fault_program *p)
{
	one_of_two_ports(p);
	if (p->skip)
		return;
	fault_issued(p, reduction(p, at(multimem_store(), PAGE(BAD_PAGE) + 16)), PAGE(BAD_PAGE) + 16);
}

static void dead(struct fault_program *p, uint32_t ports, struct tma_command c)
{
	p->stopped_ports = ports;
	p->recovery = FAULT_LASTS;
	fault_issued(p, c, c.global_address);
}

BUILD(dead_under_a_load, dead(p, 1, fault_load()), p->moves = false)
BUILD(dead_under_a_map, dead(p, 1, fault_tile(p, TMA_TENSOR_LOAD)), p->moves = false)
BUILD(dead_under_a_cp_async, dead(p, 1, fault_cp_async()), p->moves = false)
BUILD(dead_under_a_store, dead(p, 1, fault_store()))

/* The other port goes on, so the queue can. */
static void dead_under_a_multimem_store(struct fault_program *p)
{
	if (p->shape.ports < 2)
		p->skip = "one port";
	dead(p, 2, multimem_store());
	p->recovery = FAULT_RESUME;
}

BUILD(dead_under_a_sum, dead(p, 1, reduction(p, fault_store())))

static void dead_under_a_multimem_sum(struct fault_program *p)
{
	dead_under_a_multimem_store(p);
	if (p->skip)
		return;
	dead(p, 2, reduction(p, multimem_store()));
	p->recovery = FAULT_RESUME;
}

/* Neither the command nor the record of its fault gets through. */
static void dead_under_a_fetch(struct fault_program *p)
{
	p->commands[0] = fault_command(TMA_SIGNAL);
	p->num_commands = 1;
	p->stopped_ports = 1;
	p->address = PAGE(FAULT_RING_PAGE);
	p->unwritten = true;
	p->recovery = FAULT_LASTS;
}

static const struct fault_case cases[] = {
	{ TMA_FAULT_WINDOW_READ, "load behind the windows", FAULT_BOTH_FRONTS, load_behind_the_windows },
	{ TMA_FAULT_WINDOW_READ, "cp.async behind the windows", FAULT_BOTH_FRONTS, cp_behind_the_windows },
	{ TMA_FAULT_WINDOW_READ, "second row of a tensor load", FAULT_BOTH_FRONTS,
	  second_row_behind_the_windows },
	{ TMA_FAULT_WINDOW_READ, "reduction in a window for writes", FAULT_BOTH_FRONTS, sum_without_reads },
	{ TMA_FAULT_WINDOW_READ, "second row of a tensor reduction", FAULT_BOTH_FRONTS,
	  second_sum_behind_the_windows },
	{ TMA_FAULT_WINDOW_WRITE, "reduction in a window for reads", FAULT_BOTH_FRONTS, sum_without_writes },
	{ TMA_FAULT_WINDOW_WRITE, "reduction over the end of a window", FAULT_BOTH_FRONTS,
	  sum_over_the_edge },
	{ TMA_FAULT_WINDOW_WRITE, "second row of a tensor store", FAULT_BOTH_FRONTS,
	  second_store_behind_the_windows },
	{ TMA_FAULT_WINDOW_WRITE, "store over the end of a window", FAULT_BOTH_FRONTS, store_over_the_edge },
	{ TMA_FAULT_WINDOW_MULTIMEM, "no window allows it", FAULT_BOTH_FRONTS, multimem_without_window },
	{ TMA_FAULT_WINDOW_MULTIMEM, "no window allows a reduction", FAULT_BOTH_FRONTS,
	  multimem_sum_without_window },
	{ TMA_FAULT_MULTIMEM_UNMAPPED, "over the end of the multimem window", FAULT_BOTH_FRONTS,
	  multimem_of_nothing },
	{ TMA_FAULT_READ_SLVERR, "load, first beat", FAULT_BOTH_FRONTS, read_slverr },
	{ TMA_FAULT_READ_SLVERR, "cp.async", FAULT_BOTH_FRONTS, cp_read_slverr },
	{ TMA_FAULT_READ_SLVERR, "second row of a tensor load", FAULT_BOTH_FRONTS, second_row_slverr },
	{ TMA_FAULT_READ_SLVERR, "reduction", FAULT_BOTH_FRONTS, sum_read_slverr },
	{ TMA_FAULT_READ_SLVERR, "second row of a tensor reduction", FAULT_BOTH_FRONTS, second_sum_slverr },
	{ TMA_FAULT_READ_SLVERR, "one port of a multimem reduction", FAULT_BOTH_FRONTS,
	  sum_on_one_of_two_ports },
	{ TMA_FAULT_READ_DECERR, "reduction", FAULT_BOTH_FRONTS, sum_read_decerr },
	{ TMA_FAULT_READ_DECERR, "load, first beat", FAULT_BOTH_FRONTS, read_decerr },
	{ TMA_FAULT_WRITE_SLVERR, "store, first burst", FAULT_BOTH_FRONTS, write_slverr },
	{ TMA_FAULT_WRITE_SLVERR, "one port of a multimem store", FAULT_BOTH_FRONTS, one_of_two_ports },
	{ TMA_FAULT_WRITE_SLVERR, "second row of a tensor store", FAULT_BOTH_FRONTS, second_store_slverr },
	{ TMA_FAULT_WRITE_SLVERR, "reduction", FAULT_BOTH_FRONTS, sum_write_slverr },
	{ TMA_FAULT_WRITE_DECERR, "reduction", FAULT_BOTH_FRONTS, sum_write_decerr },
	{ TMA_FAULT_WRITE_DECERR, "store, first burst", FAULT_BOTH_FRONTS, write_decerr },
	{ TMA_FAULT_PORT_DEAD, "under the fetch of a command", FAULT_RING_ONLY, dead_under_a_fetch },
	{ TMA_FAULT_PORT_DEAD, "under a load", FAULT_DIRECT_ONLY, dead_under_a_load },
	{ TMA_FAULT_PORT_DEAD, "under the read of a tensor map", FAULT_DIRECT_ONLY, dead_under_a_map },
	{ TMA_FAULT_PORT_DEAD, "under a cp.async", FAULT_DIRECT_ONLY, dead_under_a_cp_async },
	{ TMA_FAULT_PORT_DEAD, "under a store", FAULT_DIRECT_ONLY, dead_under_a_store },
	{ TMA_FAULT_PORT_DEAD, "under a reduction", FAULT_DIRECT_ONLY, dead_under_a_sum },
	{ TMA_FAULT_PORT_DEAD, "one port of a multimem reduction", FAULT_BOTH_FRONTS,
	  dead_under_a_multimem_sum },
	{ TMA_FAULT_PORT_DEAD, "one port of a multimem store", FAULT_BOTH_FRONTS,
	  dead_under_a_multimem_store },
};

const struct fault_list fault_access_cases = FAULT_LIST(cases);
