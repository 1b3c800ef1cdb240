/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the buffers of one port lie in the arena: first fit.
 *
 * A search tree by address. Every buffer knows the gap in front of it, and the widest gap of all buffers below
 * it, so the first that is wide enough is found on one way down. A rank drawn from the address keeps the tree
 * balanced: no buffer has one below it that ranks higher.
 */
#include "device.h"

static uint64_t rank(const struct tma_memory *m)
{
	return m->address / PAGE_BYTES * UINT64_C(0x9E3779B97F4A7C15);
}

static uint64_t widest(const struct tma_memory *tree)
{
	return tree ? tree->widest : 0;
}

/* What a buffer takes of the arena. */
static uint64_t taken(const struct tma_memory *m)
{
	return whole_pages(m->bytes) + PAGE_BYTES;
}

static void update(struct tma_memory *tree)
{
	tree->widest = tree->gap;
	if (widest(tree->left) > tree->widest)
		tree->widest = widest(tree->left);
	if (widest(tree->right) > tree->widest)
		tree->widest = widest(tree->right);
}

/* Cut a tree in two: what lies below an address, and the rest. */
static void split(struct tma_memory *tree, uint64_t address, struct tma_memory **below,
                  struct tma_memory **rest)
{
	if (!tree) {
		*below = *rest = NULL;
	} else if (tree->address < address) {
		split(tree->right, address, &tree->right, rest);
		*below = tree;
		update(tree);
	} else {
		split(tree->left, address, below, &tree->left);
		*rest = tree;
		update(tree);
	}
}

/* One tree of two; all of `below` lies below all of `rest`. */
static struct tma_memory *join(struct tma_memory *below, struct tma_memory *rest)
{
	struct tma_memory *top = below;

	if (!below || !rest)
		return below ? below : rest;
	if (rank(below) > rank(rest)) {
		below->right = join(below->right, rest);
	} else {
		rest->left = join(below, rest->left);
		top = rest;
	}
	update(top);
	return top;
}

/* Let the gap in front of the lowest buffer of a tree be another one. */
static void set_first_gap(struct tma_memory *tree, uint64_t gap)
{
	if (tree->left)
		set_first_gap(tree->left, gap);
	else
		tree->gap = gap;
	update(tree);
}

static struct tma_memory *lowest(struct tma_memory *tree)
{
	while (tree->left)
		tree = tree->left;
	return tree;
}

/* The lowest buffer with a gap of so many bytes in front of it, or NULL. */
static const struct tma_memory *find_gap(const struct tma_memory *tree, uint64_t bytes)
{
	if (widest(tree) < bytes)
		return NULL;
	while (widest(tree->left) >= bytes || tree->gap < bytes)
		tree = widest(tree->left) >= bytes ? tree->left : tree->right;
	return tree;
}

bool arena_place(struct arena *arena, struct tma_memory *m)
{
	const struct tma_memory *after = find_gap(arena->tree, taken(m));
	struct tma_memory *below, *rest;

	m->address = after ? after->address - after->gap : ARENA_BASE + arena->used;
	if (!after && arena->used + whole_pages(m->bytes) > ARENA_BYTES)
		return false;
	m->gap = 0;
	update(m);
	split(arena->tree, m->address, &below, &rest);
	if (after)
		set_first_gap(rest, after->gap - taken(m));
	else
		arena->used += taken(m);
	arena->tree = join(join(below, m), rest);
	return true;
}

void arena_insert(struct arena *arena, struct tma_memory *m)
{
	struct tma_memory *below, *rest;

	m->gap = 0;
	update(m);
	split(arena->tree, m->address, &below, &rest);
	arena->tree = join(join(below, m), rest);
}

void arena_remove(struct arena *arena, struct tma_memory *m)
{
	struct tma_memory *below, *from, *only, *rest;

	split(arena->tree, m->address, &below, &from);
	split(from, m->address + 1, &only, &rest);
	if (rest)
		set_first_gap(rest, lowest(rest)->gap + taken(m) + m->gap);
	else
		arena->used -= taken(m) + m->gap;
	arena->tree = join(below, rest);
}

const struct tma_memory *arena_find(const struct arena *arena, uint64_t address)
{
	const struct tma_memory *m = arena->tree;

	while (m && (address < m->address || address - m->address >= m->bytes))
		m = address < m->address ? m->left : m->right;
	return m;
}
