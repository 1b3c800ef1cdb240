/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor maps of a program: which, and where they lie. */
#include "crosscheck/gen.h"

#define MAX_BOX         12288u
#define CHANGES_PERCENT 35
#define MATRIX_PERCENT  60
#define AWAY_PERCENT    50
#define AWAY_GRAIN      32u

static bool is_free(const struct gen *g, uint64_t at)
{
	for (uint32_t i = 0; i < g->p->num_maps; i++)
		if (at < g->p->maps[i].at + MAP_BYTES && g->p->maps[i].at < at + MAP_BYTES)
			return false;
	return true;
}

/* Memory for one more map, some across the end of a page. */
uint64_t tensor_add_map(struct gen *g, const struct tensor *t)
{
	struct map_image *image;
	uint64_t at;

	do
		at = g->maps_at + rng_below(&g->rng, (uint32_t)(g->maps_bytes - MAP_BYTES) / MAP_ALIGN + 1) *
		                          (uint64_t)MAP_ALIGN;
	while (!is_free(g, at));
	if (rng_percent(&g->rng, 15) && is_free(g, g->maps_at + PAGE_BYTES - MAP_ALIGN))
		at = g->maps_at + PAGE_BYTES - MAP_ALIGN;
	image = &g->p->maps[g->p->num_maps++];
	image->at = at;
	tensor_encode(t, image->word);
	return at;
}

static void choose_tensor(struct gen *g, struct tensor *t)
{
	uint32_t room = g->p->arena_bytes / 3;

	if (room > MAX_BOX)
		room = MAX_BOX;
	tensor_choose(&g->rng, g->shape, g->p->global_base + g->data_at, g->data_bytes,
	              rng_percent(&g->rng, 40) ? room / 8 : room, t);
}

/* Some bytes of it are in front of the data, or it is anywhere. */
static void choose_away(struct gen *g)
{
	struct tensor *t = &g->away.map;

	if (g->p->faults || !rng_percent(&g->rng, AWAY_PERCENT))
		return;
	choose_tensor(g, t);
	t->address -= rng_percent(&g->rng, 70) ? rng_below(&g->rng, (uint32_t)g->data_bytes / AWAY_GRAIN) *
	                                                 (uint64_t)AWAY_GRAIN
	                                       : rng_next(&g->rng) & ~(uint64_t)(AWAY_GRAIN - 1);
	g->away.at = tensor_add_map(g, t);
}

void choose_maps(struct gen *g)
{
	uint32_t count = 1 + rng_below(&g->rng, MAX_SLOT_MAPS);

	g->p->granule16 = rng_percent(&g->rng, 40);
	while (g->num_map_slots < count) {
		struct map_slot *s = &g->map[g->num_map_slots++];

		s->matrix = g->num_map_slots == 1 && rng_percent(&g->rng, MATRIX_PERCENT);
		if (s->matrix)
			tensor_choose_matrix(&g->rng, g->p->global_base + g->data_at, g->data_bytes,
			                     g->p->arena_bytes / 8, &s->map);
		else
			choose_tensor(g, &s->map);
		s->at = tensor_add_map(g, &s->map);
		s->changes = !s->matrix && rng_percent(&g->rng, CHANGES_PERCENT);
		if (!s->changes)
			continue;
		s->spare[0] = s->map;
		choose_tensor(g, &s->spare[1]);
		for (uint32_t i = 0; i < 2; i++)
			s->spare_at[i] = tensor_add_map(g, &s->spare[i]);
	}
	choose_away(g);
}
