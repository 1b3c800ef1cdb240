/* SPDX-License-Identifier: Apache-2.0 */
/*
 * host_tensor_faults - tensor copies and maps that break a rule, and the words for it.
 *
 * Spec: the fault table, 0x2C to 0x2F and 0x60 to 0x78; tma_fault_text()
 * Checks: code and the whole text; that a map's own parameter is named, unless it has changed since or
 *         is not the host's; that nothing has moved and no barrier was told.
 */
#include <stdio.h>
#include <inttypes.h>
#include <string.h>

#include "host_test.h"
#include "tma_ptx.h"

#define MBAR      0u
#define BUFFER    1024u
#define UNTOUCHED 0xa5

/* A load, or a store, of box (0, 0) of an 8-bit tensor of rank 2; a case changes some of it. */
struct copy {
	struct tma_map map;
	uint64_t map_offset; /* where the command looks for it, from the memory that it lies in */
	bool stores;
	enum tma_mode mode;
	uint32_t dim, buffer;
	int32_t coord[5];
	uint16_t im2col[3];
};

static const uint64_t dims[] = { 64, 32, 16, 8 }, strides[] = { 64, 2048, 32768 };
static const uint32_t box[] = { 16, 4, 2, 1 }, ones[] = { 1, 1, 1, 1 };

static void tile(struct copy *c, uint32_t rank, uint32_t swizzle)
{
	assert_int_equal(tma_map_encode_tiled(&c->map, TMA_MAP_SM_100, TMA_MAP_DATA_UINT8, rank, 0x100002000,
	                                      dims, strides, box, ones, 0, swizzle, 0, 0, NULL),
	                 0);
	c->dim = rank;
}

static void im2col(struct copy *c)
{
	static const int32_t corner[] = { -1, -1 };

	assert_int_equal(tma_map_encode_im2col(&c->map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT8, 4, 0x100002000,
	                                       dims, strides, corner, corner, 16, 8, ones, 0, 0, 0, 0, NULL),
	                 0);
	c->dim = 4;
	c->mode = TMA_MODE_IM2COL;
}

static void map_reserved(struct copy *c)
{
	c->map.word[15] = 1;
}

static void map_box(struct copy *c)
{
	assert_int_equal(tma_map_replace_box_dim(&c->map, 0, 24, NULL), 0);
}

static struct copy good_copy(void)
{
	struct copy copy = { .buffer = BUFFER };

	tile(&copy, 2, 0);
	return copy;
}

static void build(struct tma_command *command, const struct copy *c, uint64_t maps)
{
	if (c->stores)
		tma_cp_async_bulk_tensor_store(command, c->mode, c->dim, maps + c->map_offset, c->coord,
		                               c->buffer);
	else
		tma_cp_async_bulk_tensor_load(command, c->mode, c->dim, c->buffer, maps + c->map_offset,
		                              c->coord, MBAR, c->im2col);
	command->tag = 5;
}

/* The first command of a queue initialises a barrier, the second faults. */
static struct tma_record fault_of(struct tma_queue *queue, const struct tma_command *command,
                                  enum tma_fault fault)
{
	struct tma_record record;

	init_barrier(queue, MBAR, 1);
	record = expect_fault(queue, command, fault);
	assert_int_equal(record.sequence, 1);
	assert_int_equal(record.tag, 5);
	return record;
}

/* The barrier still waits for its arrival, and for no bytes. */
static void check_barrier(struct tma_device *device)
{
	uint64_t barrier;

	assert_int_equal(tma_smem_read(device, MBAR, &barrier, sizeof(barrier)), 0);
	assert_int_equal(barrier >> TMA_BARRIER_PENDING_LSB & 0xFFFFF, 1);
	assert_int_equal(barrier >> TMA_BARRIER_TX_LSB & 0x1FFFFF, 0);
	assert_int_equal(barrier >> TMA_BARRIER_PHASE_LSB & 1, 0);
}

/* Texts are written for maps at 0x100000000, in hundreds of bytes: let them be for those that lie elsewhere. */
static void move_texts(char *text, size_t room, uint64_t maps)
{
	static const char from[] = "0x1000000";
	char to[32], *at = text, rest[800];

	snprintf(to, sizeof(to), "0x%" PRIx64, maps >> 8);
	while ((at = strstr(at, from)) != NULL) {
		snprintf(rest, sizeof(rest), "%s", at + strlen(from));
		snprintf(at, room - (size_t)(at - text), "%s%s", to, rest);
		at += strlen(to);
	}
}

/* The words for a copy that has gone wrong, after "queue 0, command 1 (NAME, tag 0x5): "; it has moved nothing. */
static void expect_words(struct tma_device *device, struct tma_memory *maps, const struct copy *copy,
                         enum tma_fault fault, const char *words)
{
	struct tma_queue *queue = open_queue(device, 0, 0);
	uint8_t bytes[64], untouched[64];
	struct tma_command command;
	struct tma_record record;
	char text[800], expected[800], ptx[400];

	memset(untouched, UNTOUCHED, sizeof(untouched));
	assert_int_equal(tma_smem_write(device, BUFFER, untouched, sizeof(untouched)), 0);
	assert_int_equal(tma_copy_in(maps, 0, &copy->map, sizeof(copy->map)), 0);
	build(&command, copy, tma_memory_address(maps));
	record = fault_of(queue, &command, fault);
	snprintf(expected, sizeof(expected), "queue 0, command 1 (TENSOR_%s, tag 0x5): %s",
	         copy->stores ? "STORE" : "LOAD", words);
	move_texts(expected, sizeof(expected), tma_memory_address(maps));
	tma_command_print(&command, ptx, sizeof(ptx));
	strncat(expected, "; PTX: ", sizeof(expected) - strlen(expected) - 1);
	strncat(expected, ptx, sizeof(expected) - strlen(expected) - 1);
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_string_equal(text, expected);
	check_barrier(device);
	assert_int_equal(tma_smem_read(device, BUFFER, bytes, sizeof(bytes)), 0);
	assert_memory_equal(bytes, untouched, sizeof(bytes));
	tma_queue_close(queue);
	/* The next case has another map in the same place. */
	queue = open_queue(device, 0, 0);
	SUBMIT(queue, tma_fence_proxy_tensormap(&c, tma_memory_address(maps)); tma_set_record(&c, 0));
	wait_kind(queue, TMA_KIND_RETIRED);
	tma_queue_close(queue);
}

#define WORDS(change, fault, words)                           \
	do {                                                  \
		struct copy c = good_copy();                  \
		change;                                       \
		expect_words(device, maps, &c, fault, words); \
	} while (0)

static void test_texts(struct tma_device *device)
{
	struct tma_memory *maps = alloc_memory(device, 4096);

	alloc_memory(device, 4096);
	WORDS(c.map_offset = 32, TMA_FAULT_MAP_MISALIGNED,
	      "MAP_MISALIGNED: a tensor map must be a multiple of 64; tensor map = 0x100000020 (F17)");
	WORDS(c.mode = TMA_MODE_SCATTER4, TMA_FAULT_TENSOR_MODE,
	      "TENSOR_MODE: loads and prefetches have the modes tile, im2col, gather4, im2col_w and im2col_w_128, "
	      "stores tile, im2col_no_offs and scatter4; mode = tile::scatter4 (4) (semantics 1.8)");
	WORDS(c.dim = 6, TMA_FAULT_TENSOR_DIM,
	      "TENSOR_DIM: dim must be 1 to 5, in the im2col modes 3 to 5, with gather4 and scatter4 2; dim = 6 "
	      "(semantics 1.8)");
	WORDS(c.map_offset = 0x7000 - tma_memory_address(maps), TMA_FAULT_MAP_WINDOW,
	      "MAP_WINDOW: every byte of a tensor map must lie in a window of the queue that allows reads; address "
	      "= 0x7000 (F17)");
	if (has_gaps())
		WORDS(c.map_offset = 4096, TMA_FAULT_MAP_DECERR,
		      "MAP_DECERR: the read of a tensor map answered DECERR; address = 0x100001000 (architecture, "
		      "Faults)");
	WORDS(map_reserved(&c), TMA_FAULT_MAP_RESERVED,
	      "MAP_RESERVED: bits that the tensor map does not use must be zero; fields of dimensions beyond its "
	      "rank are not looked at; tensor map = 0x100000000: tensorMap must be zero in the bits that it does "
	      "not use (F17)");
	WORDS(c.map.word[1] |= 7 << 4, TMA_FAULT_MAP_RANK,
	      "MAP_RANK: the rank must be 1 to 5, with interleave and of im2col maps 3 to 5; tensor map = "
	      "0x100000000: tensorRank must be 1 to 5 (semantics 2.2)");
	WORDS(c.map.word[1] |= 1 << 16, TMA_FAULT_MAP_TYPE,
	      "MAP_TYPE: the element type must be one that this build has; the tf32 bit goes with f32 and f32.ftz "
	      "alone; tensor map = 0x100000000: tensorDataType must be a type that exists, and tf32 goes with f32 "
	      "and f32.ftz alone (semantics 2.13)");
	WORDS(assert_int_equal(tma_map_replace_swizzle_atomicity(&c.map, 1, NULL), 0), TMA_FAULT_MAP_SWIZZLE,
	      "MAP_SWIZZLE: the swizzle must exist and go with the type and kind of the map: an atom with 128B "
	      "alone, 96B by itself and without interleave, padded types with none or 128B without flip, wide maps "
	      "with 64B, 128B, 128B_ATOM_32B or (kind w) 96B; tensor map = 0x100000000: swizzle must exist: atoms "
	      "of 32 and 64 bytes are of 128B alone, and 96B stands by itself (semantics 2.2)");
	WORDS(map_box(&c), TMA_FAULT_MAP_BOX,
	      "MAP_BOX: a row of the box must be a multiple of 16 bytes, 128 elements of padded types, and without "
	      "interleave at most the span of the swizzle; tensor map = 0x100000000: boxDim[0] times the element "
	      "size must be a multiple of 16 bytes (semantics 2.2)");
	WORDS(tile(&c, 3, 0); assert_int_equal(tma_map_replace_box_dim(&c.map, 0, 256, NULL), 0);
	      assert_int_equal(tma_map_replace_box_dim(&c.map, 1, 228, NULL), 0);
	      assert_int_equal(tma_map_replace_box_dim(&c.map, 2, 4, NULL), 0), TMA_FAULT_MAP_SIZE,
	      "MAP_SIZE: a box must be at most 232,448 bytes; tensor map = 0x100000000: boxDim must make a "
	      "box of at most 232,448 bytes (semantics 2.2)");
	WORDS(im2col(&c);
	      c.map.word[7] = (c.map.word[7] & ~UINT64_C(0xFF00)) | 15 << 8, TMA_FAULT_MAP_CORNERS,
	      "MAP_CORNERS: the window of an im2col map must not be empty; tensor map = 0x100000000: "
	      "pixelBoxLowerCorner[1] must be at most globalDim - 1 + pixelBoxUpperCorner: the window is empty "
	      "(semantics 2.2)");
	WORDS(c.dim = 3, TMA_FAULT_TENSOR_RANK,
	      "TENSOR_RANK: dim must be the rank of the tensor map; dim = 3 (M24)");
	WORDS(tile(&c, 4, 0);
	      c.mode = TMA_MODE_IM2COL_W, TMA_FAULT_TENSOR_KIND,
	      "TENSOR_KIND: the mode must fit the kind of the map: tile, gather4 and scatter4 a tiled one, im2col "
	      "and im2col_no_offs an im2col one, im2col_w and im2col_w_128 that of their name; mode = im2col::w (5) "
	      "(M24)");
	WORDS(c.mode = TMA_MODE_GATHER4, TMA_FAULT_TENSOR_GATHER,
	      "TENSOR_GATHER: gather4 and scatter4 need boxDim[1] = 1; mode = tile::gather4 (3) (F25)");
	WORDS(tile(&c, 2, TMA_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B);
	      c.stores = true, TMA_FAULT_TENSOR_STORE,
	      "TENSOR_STORE: a store must not have the padded 4-bit type or the swizzle with flip, and its im2col "
	      "window must lie in the tensor; tensor map = 0x100000000 (semantics 2.2)");
	WORDS(c.coord[0] = -8, TMA_FAULT_MISALIGNED_BOX,
	      "MISALIGNED_BOX: without interleave the first coordinate must be a multiple of 16 bytes, of 128 "
	      "elements for padded types; coord = -8 (M7)");
	WORDS(c.stores = true;
	      c.coord[1] = -3, TMA_FAULT_NEGATIVE_COORDINATE,
	      "NEGATIVE_COORDINATE: the coordinates of a store must not be negative; coord = -3 (M26)");
	WORDS(im2col(&c);
	      c.coord[1] = 31, TMA_FAULT_IM2COL_START,
	      "IM2COL_START: an im2col walk must start inside the window, that of a wide map not right of it; "
	      "coord = 31 (M27)");
	WORDS(im2col(&c);
	      c.im2col[1] = 256, TMA_FAULT_IM2COL_OFFSETS,
	      "IM2COL_OFFSETS: im2col offsets must fit 16, 8 or 5 bits in 3, 4 or 5 dimensions, wHalo 9 bits "
	      "(im2col_w_128: 5), wOffset 5; im2col = 256 (M29)");
}

/* A parameter is named only as long as it can be known. */
static void test_map_gone(struct tma_device *device)
{
	char without[100] = "; tensor map = 0x100000000 (semantics 2.2)";
	struct tma_memory *maps = alloc_memory(device, 128);
	const uint64_t place = tma_memory_address(maps);
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct copy copy = good_copy();
	struct tma_command command;
	struct tma_record record;
	char text[800];

	move_texts(without, sizeof(without), place);
	map_box(&copy);
	assert_int_equal(tma_copy_in(maps, 0, &copy.map, sizeof(copy.map)), 0);
	build(&command, &copy, place);
	record = fault_of(queue, &command, TMA_FAULT_MAP_BOX);
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_non_null(strstr(text, "boxDim[0]"));
	tma_fault_text(NULL, &record, text, sizeof(text));
	assert_non_null(strstr(text, without));
	map_reserved(&copy); /* breaks another rule, which comes first */
	assert_int_equal(tma_copy_in(maps, 0, &copy.map, sizeof(copy.map)), 0);
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_non_null(strstr(text, without));
	tma_memory_free(maps);
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_non_null(strstr(text, without));

	/* The host's buffer ends in the map; the engine finds zeros behind it. */
	map_box(&copy);
	copy.map.word[15] = 0;
	maps = alloc_memory(device, 120);
	assert_true(tma_memory_address(maps) == place);
	assert_int_equal(tma_copy_in(maps, 0, &copy.map, 120), 0);
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_non_null(strstr(text, without));
}

/* Operands that the mode does not have, and a box that ends outside. */
static void test_command_rules(struct tma_device *device)
{
	struct tma_memory *maps = alloc_memory(device, 128);
	uint32_t smem_bytes = device_info(device).smem_bytes;
	struct tma_queue *queue = open_queue(device, 0, 0);
	struct copy copy = good_copy();
	struct tma_command command;
	struct tma_record record;
	char text[800], expected[100];

	assert_int_equal(tma_copy_in(maps, 0, &copy.map, sizeof(copy.map)), 0);
	build(&command, &copy, tma_memory_address(maps));
	command.coord[2] = 1;
	record = fault_of(queue, &command, TMA_FAULT_TENSOR_UNUSED);
	tma_fault_text(queue, &record, text, sizeof(text));
	assert_non_null(strstr(text, "must be zero; mode = tile (0), dim = 2 (semantics 1.8)"));
	tma_queue_close(queue);

	/* 144 bytes where 128 are left. */
	assert_int_equal(tma_map_replace_box_dim(&copy.map, 1, 9, NULL), 0);
	assert_int_equal(tma_copy_in(maps, 0, &copy.map, sizeof(copy.map)), 0);
	copy.buffer = smem_bytes - 128;
	build(&command, &copy, tma_memory_address(maps));
	queue = open_queue(device, 0, 0);
	record = fault_of(queue, &command, TMA_FAULT_TENSOR_RANGE);
	tma_fault_text(queue, &record, text, sizeof(text));
	snprintf(expected, sizeof(expected), "; shared_dst = 0x%x (CTA 0, offset 0x%x) (F06)", copy.buffer,
	         copy.buffer);
	assert_non_null(strstr(text, expected));
}

/* The padded types are for builds that have them. */
static void test_packed(struct tma_device *device)
{
	bool packed = device_info(device).packed;
	struct tma_memory *maps = alloc_memory(device, 128), *memory = alloc_memory(device, 4096);
	struct tma_queue *queue = open_queue(device, 0, 0);
	static const uint64_t dim[] = { 128 };
	static const uint32_t row[] = { 128 };
	struct copy copy = good_copy();
	struct tma_command command;
	uint8_t bytes[128];

	fill_pattern(tma_memory_host(memory), 4096);
	assert_int_equal(tma_memory_to_device(memory, 0, 4096), 0);
	assert_int_equal(tma_map_encode_tiled(&copy.map, TMA_MAP_SM_100, TMA_MAP_DATA_16U6_ALIGN16B, 1,
	                                      tma_memory_address(memory), dim, NULL, row, ones, 0, 0, 0, 0,
	                                      NULL),
	                 0);
	copy.dim = 1;
	assert_int_equal(tma_copy_in(maps, 0, &copy.map, sizeof(copy.map)), 0);
	build(&command, &copy, tma_memory_address(maps));
	if (!packed) {
		fault_of(queue, &command, TMA_FAULT_MAP_TYPE);
		return;
	}
	memset(bytes, UNTOUCHED, sizeof(bytes));
	assert_int_equal(tma_smem_write(device, BUFFER, bytes, sizeof(bytes)), 0);
	init_barrier(queue, MBAR, 1);
	expect_bytes(queue, MBAR, 96); /* without padding, which stays as it was */
	submit(queue, &command);
	wait_phase(queue, MBAR, 0);
	assert_int_equal(tma_smem_read(device, BUFFER, bytes, sizeof(bytes)), 0);
	for (uint32_t i = 0; i < sizeof(bytes); i++)
		assert_int_equal(bytes[i], i % 16 < 12 ? pattern(i / 16 * 12 + i % 16) : UNTOUCHED);
}

const struct host_test tensor_fault_tests[] = {
	{ "tensor_fault_texts", test_texts },
	{ "map_gone", test_map_gone },
	{ "tensor_command_rules", test_command_rules },
	{ "packed", test_packed },
	{ 0 },
};
