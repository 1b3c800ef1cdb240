/* SPDX-License-Identifier: Apache-2.0 */
/* What the reductions have to leave, in loops over bytes and pixels: no operator, no order of any updates. */
#include <stdlib.h>
#include <string.h>

#include "demo.h"

/* Byte by byte, which also says that no byte has run over into its neighbour. */
static void expect_sum(const uint8_t *exposures, const struct demo_sample *s, uint8_t *sum)
{
	uint32_t i, exposure;

	for (i = 0; i < s->bytes; i++) {
		uint32_t total = 0;

		for (exposure = 0; exposure < DEMO_EXPOSURES; exposure++)
			total += exposures[(size_t)exposure * s->bytes + i];
		sum[i] = (uint8_t)total;
	}
}

static void expect_counters(const uint8_t *pixels, const struct demo_sample *s, uint8_t *to)
{
	uint32_t counts[DEMO_BINS] = { 0 }, i, k;

	for (i = 0; i < s->pixels; i++)
		counts[demo_brightness(pixels + 4 * (size_t)i) * DEMO_BINS / 256]++;
	for (i = 0; i < DEMO_BINS; i++)
		for (k = 0; k < DEMO_COUNTERS; k++, to += 4) {
			/* From 0 to the top are one more than the top. */
			uint32_t count = (uint32_t)(counts[i] % ((uint64_t)demo_counter_tops[k] + 1));

			memcpy(to, &count, sizeof(count));
		}
}

int demo_expect_reductions(const struct demo_file *file, const struct tma_device_info *info, uint8_t *global)
{
	struct demo_sample sample;
	uint8_t *pixels, *exposures;
	uint32_t port;

	demo_take_sample(&sample, file);
	pixels = demo_sample_pixels(file, &sample);
	exposures = pixels ? demo_exposures(pixels, &sample) : NULL;
	if (exposures) {
		for (port = 0; port < info->ports; port++, global += sample.bytes)
			expect_sum(exposures, &sample, global);
		expect_counters(pixels, &sample, global);
	}
	free(pixels);
	free(exposures);
	return exposures ? 0 : -1;
}
