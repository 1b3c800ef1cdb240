/* SPDX-License-Identifier: Apache-2.0 */
/* Records that wait for the program. */
#include <stdlib.h>
#include <string.h>

#include "kept.h"

#define FIRST_ROOM 16

int kept_reserve(struct kept *kept)
{
	struct tma_record *records;
	size_t room;

	if (kept->first && kept->count == kept->room) {
		kept->count -= kept->first;
		memmove(kept->records, kept->records + kept->first, kept->count * sizeof(*kept->records));
		kept->first = 0;
	}
	if (kept->count < kept->room)
		return 0;
	room = kept->room ? 2 * kept->room : FIRST_ROOM;
	records = realloc(kept->records, room * sizeof(*records));
	if (!records)
		return TMA_ENOMEM;
	kept->records = records;
	kept->room = room;
	return 0;
}

void kept_add(struct kept *kept, const struct tma_record *record)
{
	kept->records[kept->count++] = *record;
}

int kept_take(struct kept *kept, struct tma_record *record)
{
	if (kept->first == kept->count)
		return 0;
	*record = kept->records[kept->first++];
	if (kept->first == kept->count)
		kept->first = kept->count = 0;
	return 1;
}

void kept_clear(struct kept *kept)
{
	free(kept->records);
	*kept = (struct kept){ 0 };
}
