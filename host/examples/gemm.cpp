/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gemm [BACKEND [CONFIG [SEED]]] - C = A * B on all CTAs of the cluster, in C++: the engine brings tiles of the operands
 * into shared memory, and the host does the arithmetic that a GPU's tensor cores would.
 *
 *	CTA r	has rows 16 r to 16 r + 15 of A, and of C; all have the same columns of B
 *	A	a tile for each CTA, loaded by its own queue
 *	B	one tile for all: read once, by multicast into every CTA
 *
 * A CTA's barrier expects the bytes of both. Two stages: while the host multiplies one, the other one is loaded.
 * Rows of a tile are 128 bytes, in the 128B swizzle, as tensor cores want them.
 */
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <tma.h>

namespace
{

constexpr uint32_t tile_m = 16, tile_n = 32, tile_k = 64; // 64 numbers of 2 bytes: the span of the swizzle
constexpr uint32_t steps = 4, depth = steps * tile_k, stages = 2;
constexpr uint32_t row_bytes = tile_k * 2, a_bytes = tile_m * row_bytes, b_bytes = tile_n * row_bytes;
// Multiples of 1024, where the pattern of the swizzle begins anew.
constexpr uint32_t a_place = 1024, b_place = a_place + stages * a_bytes;
constexpr uint64_t limit = 1000000; // cycles to wait for a record

using Matrix = std::vector<int16_t>; // row by row; of B, which is stored by columns, column by column

int64_t check(int64_t answer)
{
	if (answer < 0)
		throw std::runtime_error(tma_last_error());
	return answer;
}

struct Close {
	void operator()(struct tma_device *device) const
	{
		tma_close(device);
	}
};

struct Gemm {
	std::unique_ptr<struct tma_device, Close> device; // and all that was opened from it
	std::vector<struct tma_queue *> queues;           // queue r executes in CTA r
	uint64_t map_a = 0, map_b = 0;                    // addresses of the tensor maps
	Matrix a, b;

	uint32_t ctas() const
	{
		return static_cast<uint32_t>(queues.size());
	}
};

// Where the 128B swizzle puts a byte: the 16-byte chunk in its row, bits 6:4, is changed by the row, bits 9:7.
constexpr uint32_t swizzle_128b(uint32_t address)
{
	return address ^ (address >> 3 & 0x70);
}

void wait(struct tma_queue *queue)
{
	struct tma_record record;

	check(tma_wait(queue, &record, limit));
}

// A matrix of `rows` rows, and in front of it its tensor map. Returns the map's address.
uint64_t put_operand(struct tma_device *device, const Matrix &matrix, uint32_t rows, uint32_t tile_rows)
{
	constexpr uint64_t place = 4096;
	const uint64_t bytes = matrix.size() * 2, size[] = { depth, rows }, stride[] = { depth * 2 };
	const uint32_t box[] = { tile_k, tile_rows }, step[] = { 1, 1 };
	struct tma_memory *memory;
	struct tma_map_error error;
	struct tma_map map;

	check(tma_memory_alloc(device, place + bytes, &memory));
	if (tma_map_encode_tiled(&map, TMA_MAP_SM_90, TMA_MAP_DATA_UINT16, 2,
	                         tma_memory_address(memory) + place, size, stride, box, step,
	                         TMA_MAP_INTERLEAVE_NONE, TMA_MAP_SWIZZLE_128B, TMA_MAP_PROMOTION_NONE,
	                         TMA_MAP_FILL_ZERO, &error))
		throw std::runtime_error(std::string(error.parameter) + " " + error.rule);
	check(tma_copy_in(memory, 0, &map, sizeof(map)));
	check(tma_copy_in(memory, place, matrix.data(), bytes));
	return tma_memory_address(memory);
}

// Queues and barriers: no CTA may multicast to another one before that has its barriers.
void open_queues(Gemm &g, uint32_t ctas)
{
	struct tma_queue_options options = {};

	options.size = sizeof(options);
	options.front = TMA_FRONT_RING;
	g.queues.resize(ctas);
	for (uint32_t r = 0; r < ctas; r++) {
		struct tma_command program[stages];

		options.cta = r;
		check(tma_queue_open(g.device.get(), r, &options, &g.queues[r]));
		for (uint32_t stage = 0; stage < stages; stage++)
			tma_mbarrier_init(&program[stage], tma_shared(r, 8 * stage), 1);
		tma_set_record(&program[stages - 1], 0);
		check(tma_submit_all(g.queues[r], program, stages));
	}
	for (struct tma_queue *queue : g.queues)
		wait(queue);
}

// Start to load the tiles of a step into its stage, which every CTA has done with.
void load(const Gemm &g, uint32_t step)
{
	const uint32_t stage = step % stages, phase = step / stages;
	const auto k = static_cast<int32_t>(step * tile_k);

	for (uint32_t r = 0; r < g.ctas(); r++) {
		const uint32_t barrier = tma_shared(r, 8 * stage);
		const int32_t tile_a[] = { k, static_cast<int32_t>(r * tile_m) }, tile_b[] = { k, 0 };
		struct tma_command program[4], *c = program;

		tma_mbarrier_arrive_expect_tx(c++, barrier, a_bytes + b_bytes);
		tma_cp_async_bulk_tensor_load(c++, TMA_MODE_TILE, 2, tma_shared(r, a_place + stage * a_bytes),
		                              g.map_a, tile_a, barrier, nullptr);
		if (r == 0) {
			tma_cp_async_bulk_tensor_load(c, TMA_MODE_TILE, 2,
			                              tma_shared(r, b_place + stage * b_bytes), g.map_b,
			                              tile_b, barrier, nullptr);
			tma_set_multicast(c++, static_cast<uint16_t>((1u << g.ctas()) - 1));
		}
		tma_mbarrier_try_wait_parity(c++, barrier, phase % 2, TMA_NO_LIMIT);
		check(tma_submit_all(g.queues[r], program, static_cast<uint32_t>(c - program)));
	}
}

// A tile as a matrix: out of shared memory, and out of the swizzle.
Matrix read_tile(const Gemm &g, uint32_t cta, uint32_t place, uint32_t rows)
{
	Matrix swizzled(rows * tile_k), tile(rows * tile_k);

	check(tma_smem_read(g.device.get(), tma_shared(cta, place), swizzled.data(), rows * row_bytes));
	for (uint32_t i = 0; i < rows * tile_k; i++)
		tile[i] = swizzled[(swizzle_128b(place + 2 * i) - place) / 2];
	return tile;
}

// One step: every CTA adds the product of its tiles to its rows of C.
void multiply(const Gemm &g, uint32_t step, std::vector<int32_t> &c)
{
	const uint32_t stage = step % stages;

	for (uint32_t r = 0; r < g.ctas(); r++) {
		wait(g.queues[r]); // both tiles are there
		const Matrix a = read_tile(g, r, a_place + stage * a_bytes, tile_m);
		const Matrix b = read_tile(g, r, b_place + stage * b_bytes, tile_n);

		for (uint32_t m = 0; m < tile_m; m++)
			for (uint32_t n = 0; n < tile_n; n++)
				for (uint32_t k = 0; k < tile_k; k++)
					c[(r * tile_m + m) * tile_n + n] +=
						a[m * tile_k + k] * b[n * tile_k + k];
	}
}

Matrix numbers(uint32_t rows, int modulus)
{
	Matrix matrix(rows * depth);

	for (size_t i = 0; i < matrix.size(); i++)
		matrix[i] = static_cast<int16_t>(static_cast<int>(i) % modulus - modulus / 2);
	return matrix;
}

void compare(const Gemm &g, const std::vector<int32_t> &c)
{
	for (size_t i = 0; i < c.size(); i++) {
		const size_t m = i / tile_n, n = i % tile_n;
		int32_t sum = 0;

		for (uint32_t k = 0; k < depth; k++)
			sum += g.a[m * depth + k] * g.b[n * depth + k];
		if (c[i] != sum)
			throw std::runtime_error("row " + std::to_string(m) + ", column " +
			                         std::to_string(n) + " is " + std::to_string(c[i]) +
			                         ", not " + std::to_string(sum));
	}
}

void run(const struct tma_options &options)
{
	struct tma_device_info info = {};
	struct tma_device *device;
	Gemm g;

	check(tma_open(&options, &device));
	g.device.reset(device);
	info.size = sizeof(info);
	check(tma_device_info(device, &info));
	g.a = numbers(info.ctas * tile_m, 251);
	g.b = numbers(tile_n, 127);
	g.map_a = put_operand(device, g.a, info.ctas * tile_m, tile_m);
	g.map_b = put_operand(device, g.b, tile_n, tile_n);
	open_queues(g, info.ctas);

	std::vector<int32_t> c(info.ctas * tile_m * tile_n);
	for (uint32_t step = 0; step < stages; step++)
		load(g, step);
	for (uint32_t step = 0; step < steps; step++) {
		multiply(g, step, c);
		if (step + stages < steps)
			load(g, step + stages);
	}
	compare(g, c);
	std::printf("gemm: %ux%u * %ux%u on %u CTAs, %zu elements, all right\n", info.ctas * tile_m, depth,
	            depth, tile_n, info.ctas, c.size());
}

} // namespace

int main(int argc, char **argv)
{
	struct tma_options options = {};

	options.size = sizeof(options);
	options.backend = argc > 1 ? argv[1] : nullptr;
	options.config = argc > 2 ? argv[2] : nullptr;
	options.seed = argc > 3 ? std::strtoull(argv[3], nullptr, 0) : 0;
	try {
		run(options);
	} catch (const std::exception &error) {
		std::fprintf(stderr, "gemm: %s\n", error.what());
		return EXIT_FAILURE;
	}
	return EXIT_SUCCESS;
}
