/* SPDX-License-Identifier: Apache-2.0 */
/* Tensor maps that a model with a seed keeps, until a fence or chance forgets them. */
#include <string.h>

#include "late.h"

/* A map that is kept is used so many times of EIGHT. */
#define EIGHT 8u
#define USED  7u

static struct old_map *find(struct late *l, uint64_t address)
{
	for (uint32_t i = 0; i < l->num_maps; i++)
		if (l->maps[i].address == address)
			return &l->maps[i];
	return NULL;
}

static void forget(struct late *l, struct old_map *old)
{
	*old = l->maps[--l->num_maps];
}

/* The words of the command's map as they were when somebody used it last; false: read them. */
bool model_late_map(const struct issue *issue, struct tensor_map *map)
{
	struct late *l = issue->model->late;
	struct old_map *old = find(l, issue->command->global_address);

	if (!old)
		return false;
	if (model_chance(l, EIGHT) >= USED) {
		forget(l, old);
		return false;
	}
	memcpy(map->words, old->words, sizeof(map->words));
	return true;
}

/* One that is there stays as it is: it was used. */
void model_late_keep_map(const struct issue *issue, const struct tensor_map *map)
{
	struct late *l = issue->model->late;
	struct old_map *old = find(l, issue->command->global_address);

	if (old)
		return;
	if (l->num_maps == issue->model->config.maps)
		forget(l, &l->maps[model_chance(l, l->num_maps)]);
	old = &l->maps[l->num_maps++];
	old->address = issue->command->global_address;
	memcpy(old->words, map->words, sizeof(old->words));
}

/* As the engine does, for a queue that may read the map: nobody's map is forgotten by a stranger. */
void model_late_forget_map(const struct issue *issue)
{
	struct late *l = issue->model->late;
	struct old_map *old = find(l, issue->command->global_address);
	struct row row = model_row(issue, FOR_MAP, MAP_BYTES);
	struct fault unseen;

	if (old && model_window_allows(&row, row.address, &unseen))
		forget(l, old);
}
