/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor copies as the documentation tells them: walks step by step, elements one at a time. */
#include "model_tensor.h"

static int64_t one_at_least(uint64_t value)
{
	return value ? (int64_t)value : 1;
}

static int64_t stride_of(const struct map_fields *m, uint32_t i)
{
	return i == 0 && !m->interleave ? 1 : one_at_least(m->es[i]);
}

static struct spot start_of(const struct tma_command *c)
{
	struct spot s = { { 0 } };

	for (uint32_t i = 0; i < c->dim; i++)
		s.c[i] = c->coord[i];
	return s;
}

/* An odometer over the box, dimension 0 fastest. A row stands for its whole dimension 0, or its slice. */
static uint32_t tile_spots(const struct map_fields *m, const struct tma_command *c, struct spot *spots)
{
	uint32_t along = m->interleave ? m->rank - 2 : 0;
	int64_t j[5] = { 0 };
	uint32_t n = 0, i;

	do {
		spots[n] = start_of(c);
		for (i = 0; i < m->rank; i++)
			spots[n].c[i] += j[i];
		assert_true(++n <= MAX_ROWS);
		for (i = 0; i < m->rank; i++) {
			if (i == along)
				continue;
			j[i] += stride_of(m, i);
			if (j[i] < one_at_least(m->box[i]))
				break;
			j[i] = 0;
		}
	} while (i < m->rank);
	return n;
}

/* Semantics 2.10, and 2.5 for where the spatial dimensions are. */
static uint32_t im2col_spots(const struct map_fields *m, const struct tma_command *c, struct spot *spots)
{
	uint32_t first = m->interleave ? 0 : 1, ns = m->rank - 2;
	struct spot at = start_of(c);

	for (uint32_t p = 0; p < m->pixels; p++) {
		uint32_t i = 0;

		spots[p] = at;
		for (uint32_t s = 0; s < ns; s++)
			spots[p].c[first + s] += c->im2col[s];
		at.c[first] += one_at_least(m->es[first]);
		while (i < ns && at.c[first + i] > one_at_least(m->dim[first + i]) - 1 + m->upper[i]) {
			at.c[first + i] = m->lower[i];
			i++;
			if (i < ns)
				at.c[first + i] += one_at_least(m->es[first + i]);
			else
				at.c[m->rank - 1] += one_at_least(m->es[m->rank - 1]);
		}
	}
	return m->pixels;
}

/* Semantics 2.12. One segment, or four of 32 pixels; behind each the walk looks as far ahead as its halo
 * is long. Rows of main pixels stand together, and behind them those of the halos, of each segment in turn. */
static uint32_t wide_spots(const struct map_fields *m, const struct tma_command *c, struct spot *spots)
{
	uint32_t segments = m->wide == 2 ? 4 : 1, length = m->wide == 2 ? 32 : m->pixels, halo = c->im2col[0];
	int64_t s = one_at_least(m->es[1]), offset = c->im2col[1];
	int64_t last = one_at_least(m->dim[1]) - 1 + m->upper[0] + offset;
	uint32_t main_rows = segments * length;
	struct spot at = start_of(c), next;

	assert_true(main_rows + segments * halo <= MAX_ROWS);
	at.c[1] += offset;
	for (uint32_t segment = 0; segment < segments; segment++) {
		for (uint32_t p = 0; p < length + halo; p++) {
			spots[p < length ? segment * length + p
			                 : main_rows + (p - length) * segments + segment] = at;
			at.c[1] += s;
			if (at.c[1] > last) {
				at.c[1] = m->lower[0] + offset;
				at.c[m->rank - 1]++;
			}
			if (p + 1 == length)
				next = at;
		}
		at = next;
	}
	return main_rows + segments * halo;
}

uint32_t oracle_spots(const struct map_fields *m, const struct tma_command *c, struct spot spots[MAX_ROWS])
{
	if (c->mode == TMA_MODE_TILE)
		return tile_spots(m, c, spots);
	if (m->wide)
		return wide_spots(m, c, spots);
	if (m->im2col)
		return im2col_spots(m, c, spots);
	for (uint32_t j = 0; j < 4; j++)
		spots[j] = (struct spot){ { c->coord[0], c->coord[1 + j] } };
	return 4;
}

/* Number of the 16-byte chunk in its line, and so on: the pictures rather than the bits. */
uint32_t oracle_swizzle(const struct map_fields *m, uint32_t a)
{
	uint32_t line = a / 128, chunk = a / 16 % 8, rest = a % 16;

	if (m->swizzle96 || m->swizzle == 1)
		chunk = (chunk & 6) | ((chunk & 1) != (line & 1));
	else if (m->swizzle == 2)
		chunk = (chunk & 4) | ((chunk & 3) ^ line % 4);
	else if (m->swizzle == 3 && m->atom == 0)
		chunk ^= line % 8;
	else if (m->swizzle == 3 && m->atom == 3)
		chunk = line & 1 ? (chunk + 4) % 8 : chunk;
	else if (m->swizzle == 3)
		chunk = (chunk / 2 ^ line % 4) * 2 + chunk % 2;
	if (m->swizzle == 3 && m->atom == 2 && line & 1)
		rest = (rest + 8) % 16;
	return line * 128 + chunk * 16 + rest;
}

/* What moves together: an element; two or sixteen of those that are no whole bytes; a slice. */
struct unit {
	uint32_t elements, bytes, shared_bytes, per_row;
};

static struct unit unit_of(const struct map_fields *m)
{
	uint32_t bits = element_bits(m->type);
	struct unit u = { .elements = bits == 4 ? 2 : 1 };

	if (m->interleave)
		return (struct unit){ 1, 16 * m->interleave, 16 * m->interleave, 1 };
	if (is_padded(m->type))
		u.elements = 16;
	u.bytes = u.elements * bits / 8;
	u.shared_bytes = is_padded(m->type) ? 16 : u.bytes;
	u.per_row = m->box[0] / u.elements;
	return u;
}

uint32_t oracle_pitch(const struct map_fields *m)
{
	static const uint32_t spans[] = { 0, 32, 64, 128 };
	struct unit u = unit_of(m);

	if (m->interleave || (!m->swizzle && !m->swizzle96))
		return u.per_row * u.shared_bytes;
	return m->swizzle96 ? 96 : spans[m->swizzle];
}

uint32_t oracle_bytes(const struct map_fields *m, const struct tma_command *c)
{
	static struct spot spots[MAX_ROWS];

	return oracle_spots(m, c, spots) * unit_of(m).per_row * unit_of(m).bytes;
}

/* Is unit u of a row in the tensor? `along`: as far as the dimensions across the row say. */
static bool in_tensor(const struct map_fields *m, const struct spot *s, uint32_t u)
{
	for (uint32_t i = 0; i < m->rank; i++) {
		int64_t c = s->c[i];

		if (i == 0 && !m->interleave)
			c += (int64_t)u * unit_of(m).elements;
		if (c < 0 || c >= one_at_least(m->dim[i]))
			return false;
	}
	return true;
}

static uint64_t address_of(const struct map_fields *m, const struct spot *s, uint32_t u)
{
	struct unit unit = unit_of(m);
	uint64_t address = m->address;

	if (m->interleave)
		address += (uint64_t)s->c[0] * unit.bytes;
	else
		address += (uint64_t)(s->c[0] / (int64_t)unit.elements + u) * unit.bytes;
	for (uint32_t i = 1; i < m->rank; i++)
		address += (uint64_t)s->c[i] * m->stride[i - 1];
	return address;
}

static uint32_t tf32(uint32_t f32)
{
	uint32_t below = f32 & 0x1fff;

	if ((f32 & 0x7f800000) == 0x7f800000 && f32 & 0x7fffff)
		return 0x7fffe000;
	f32 -= below;
	if (below > 0x1000 || (below == 0x1000 && f32 & 0x2000))
		f32 += 0x2000;
	return f32;
}

static void load_unit(const struct fixture *f, const struct map_fields *m, const struct spot *s, uint32_t u,
                      uint8_t bytes[32])
{
	struct unit unit = unit_of(m);
	uint32_t word;

	memset(bytes, 0, unit.shared_bytes);
	if (!in_tensor(m, s, u)) {
		for (uint32_t b = 0; m->nan && b < unit.shared_bytes; b++)
			bytes[b] = b % 2 ? 0x7f : 0xf7;
		return;
	}
	memcpy(bytes, f->global + (address_of(m, s, u) - GLOBAL), unit.bytes);
	for (uint32_t b = 0; m->tf32 && b < unit.bytes; b += 4) {
		memcpy(&word, bytes + b, 4);
		word = tf32(word);
		memcpy(bytes + b, &word, 4);
	}
}

void oracle_load(const struct fixture *f, const struct map_fields *m, const struct tma_command *c,
                 uint8_t smem[SMEM_BYTES])
{
	static struct spot spots[MAX_ROWS];
	uint32_t rows = oracle_spots(m, c, spots);
	struct unit unit = unit_of(m);
	uint8_t bytes[32];

	for (uint32_t k = 0; k < rows; k++)
		for (uint32_t u = 0; u < unit.per_row; u++) {
			uint32_t a = (c->shared_dst & 0xffffff) + k * oracle_pitch(m) + u * unit.shared_bytes;

			load_unit(f, m, &spots[k], u, bytes);
			/* Padding stays as it is. */
			for (uint32_t b = 0; b < unit.bytes; b++)
				smem[oracle_swizzle(m, a + b)] = bytes[b];
		}
}

/* The first unit of the granule of 16 bytes, counted from the start of the row. */
static uint32_t granule_start(const struct unit *unit, uint32_t u)
{
	return u * unit->bytes / 16 * 16 / unit->bytes;
}

/* Sixteen values of 6 bits, one in each byte of shared memory from `a` on, as they lie in global memory. */
static void store_6bit(const struct map_fields *m, const uint8_t *smem, uint32_t a, uint8_t *to)
{
	for (uint32_t four = 0; four < 4; four++) {
		uint32_t bits = 0;

		for (uint32_t i = 0; i < 4; i++)
			bits |= (uint32_t)(smem[oracle_swizzle(m, a + 4 * four + i)] % 64) << 6 * i;
		for (uint32_t b = 0; b < 3; b++)
			to[3 * four + b] = (uint8_t)(bits >> 8 * b);
	}
}

void oracle_store(struct fixture *f, const struct map_fields *m, const struct tma_command *c, bool granule16)
{
	static struct spot spots[MAX_ROWS];
	uint32_t rows = oracle_spots(m, c, spots);
	struct unit unit = unit_of(m);
	const uint8_t *smem = tma_model_smem(f->m, c->shared_dst >> 24);

	for (uint32_t k = 0; k < rows; k++)
		for (uint32_t u = 0; u < unit.per_row; u++) {
			uint32_t a = (c->shared_dst & 0xffffff) + k * oracle_pitch(m) + u * unit.shared_bytes;
			uint32_t test = granule16 && !is_padded(m->type) ? granule_start(&unit, u) : u;
			uint8_t *to = f->expected.global + PAGE + (address_of(m, &spots[k], u) - GLOBAL);

			if (!in_tensor(m, &spots[k], test))
				continue;
			if (m->type == 15)
				store_6bit(m, smem, a, to);
			for (uint32_t b = 0; m->type != 15 && b < unit.bytes; b++)
				to[b] = smem[oracle_swizzle(m, a + b)];
		}
}
