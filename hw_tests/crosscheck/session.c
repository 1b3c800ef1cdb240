/* SPDX-License-Identifier: Apache-2.0 */
/* One run of the tool. */
#include "crosscheck/session.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "crosscheck/guest.h"
#include "crosscheck/listing.h"
#include "crosscheck/ptx.h"
#include "crosscheck/run_acts.h"
#include "crosscheck/run_death.h"
#include "crosscheck/run_model.h"
#include "lib/rig.h"
#include "lib/rng.h"
#include "tma_ptx.h"

/* Programs on one engine, so that a case that needs those before it can be replayed. */
#define PER_ENGINE 64
/* Whole memories are compared this often, and the used part after every program. */
#define ALL_EVERY    16
#define MODEL_ORDERS 3
#define LIST_LIMIT   4000
/* Programs that run three times: as they are, on the direct port alone, on rings alone. */
#define BOTH_PERCENT 15
#define STREAM_BOTH  13
#define STREAM_FILL  15

void session_drop_engine(struct session *s)
{
	if (s->engine)
		s->stats.cycles += engine_cycles(s->engine);
	if (!engine_close(s->engine)) {
		s->failed++;
		fprintf(stderr, "%s: answers are owed at the end, see above\n", s->o.shape->name);
	}
	s->engine = NULL;
}

bool session_engine(struct session *s, uint32_t number)
{
	uint32_t start = number / PER_ENGINE * PER_ENGINE;

	if (s->o.model_only)
		return true;
	if (s->engine && s->opened_at >= start)
		return true;
	session_drop_engine(s);
	s->opened_at = number;
	s->engine = engine_open(s->o.shape, s->o.seed ^ number, s->o.fst);
	if (s->engine) {
		const struct tma_sim_info *info = rig_info(engine_rig(s->engine));

		s->o.built.reduce = info->reductions;
		s->o.built.floats = info->floats;
		s->o.built.f64 = info->floats == 2;
		return true;
	}
	fprintf(stderr, "tma_crosscheck: --config %s: the rtl has no such configuration%s\n",
	        s->o.shape->name, s->o.fst ? ", or the waveform cannot be written" : "");
	return false;
}

/* The model says nothing against the program. */
static bool model_content(const struct program *p, const struct result *model, bool done, char *text,
                          size_t room)
{
	if (!done)
		return snprintf(text, room, "the model does not come to an end"), false;
	for (uint32_t q = 0; q < p->shape->queues; q++)
		if (model->queue[q].fault && !program_victim(p, q))
			return snprintf(text, room, "the model: queue %u command %u faults with %#x", q,
			                model->queue[q].fault_sequence, model->queue[q].fault),
			       false;
	for (uint32_t i = 0; i < p->num_victims; i++)
		if (!model->queue[p->victims[i].queue].fault)
			return snprintf(text, room, "the illegal command is legal for the model"), false;
	if (p->faults && !p->death.on && !p->num_victims)
		return snprintf(text, room, "no queue has an illegal command"), false;
	return true;
}

/* Other orders of the model, in which copies are late, have to agree: no race, without the RTL. */
static bool orders_agree(const struct program *p, const struct memory *before, const struct result *model,
                         char *text, size_t room)
{
	bool good = true;

	if (p->shape->queues > 8 || !program_ordered(p))
		return true;
	for (uint32_t i = 0; i < MODEL_ORDERS && good; i++) {
		struct result late = { 0 };

		good = run_model_late(p, before, p->seed ^ i, &late);
		if (!good)
			snprintf(text, room, "the model in order %u does not come to an end", i);
		else
			good = result_agrees(p, before, model, &late, text, room);
		result_free(&late);
	}
	return good;
}

static void adopt_guest(const struct program *p, const struct memory *from, struct memory *to)
{
	struct guest_bytes b = guest_bytes_new(p);

	guest_bytes_take(p, &b, from);
	guest_bytes_give(p, &b, to);
	guest_bytes_free(&b);
}

/* As it is: on the model and on the RTL. */
static bool run_once(struct session *s, const struct program *p, char *text, size_t room)
{
	struct result model = { 0 }, rtl = { 0 };
	const struct memory *before = &s->memory;
	struct feed feed;
	bool good;

	text[0] = '\0';
	if (s->engine) {
		before = engine_prepare(s->engine, p);
	} else {
		memory_global(&s->memory, p);
		memory_images(&s->memory, p);
	}
	good = model_begin(&feed, p, before, &model);
	good = model_content(p, &model, good, text, room);
	stats_add(&s->stats, p, &model);
	if (good && s->engine) {
		memory_pokes(&model.memory, p);
		good = engine_run(s->engine, p, &rtl, text, room);
		stats_add_guest(&s->stats, &rtl.guest);
		/* Its bytes have been looked at. */
		if (good && p->guest.on)
			adopt_guest(p, &rtl.memory, &model.memory);
		good = good && result_agrees(p, before, &model, &rtl, text, room);
		if (good)
			good = run_acts(s->engine, p, &feed, &model, &rtl, s->stats.acts, s->stats.act_faults,
			                s->o.list, s->o.ptx ? &s->stats.ptx : NULL, text, room);
		if (good)
			engine_keep(s->engine, &rtl);
		if (good && p->number % ALL_EVERY == ALL_EVERY - 1)
			good = engine_check_all(s->engine, text, room);
	} else if (good) {
		good = orders_agree(p, before, &model, text, room);
	}
	model_end(&feed);
	result_free(&model);
	result_free(&rtl);
	return good;
}

/* A port stops meanwhile: the RTL alone, within bounds. */
static bool run_dying(struct session *s, const struct program *p, char *text, size_t room)
{
	const struct memory *before = engine_prepare(s->engine, p);
	struct result rtl = { 0 };
	bool good, died = false;

	memory_init(&rtl.memory, p->shape);
	memory_copy(&rtl.memory, before);
	good = engine_set_up(s->engine, p);
	if (!good)
		snprintf(text, room, "the set-up fails");
	good = good && run_death(engine_rig(s->engine), s->engine, p, before, &rtl.memory, &died, text, room);
	if (good)
		engine_keep(s->engine, &rtl);
	s->stats.programs++;
	s->stats.deaths += died;
	s->stats.late_stops += !died;
	result_free(&rtl);
	return good;
}

static bool same_both(const struct session *s, const struct program *p)
{
	struct rng rng = rng_make(p->seed ^ p->number, STREAM_BOTH);

	return s->o.same_both || rng_percent(&rng, BOTH_PERCENT);
}

/* Where both fronts agree with the model, they agree with each other. */
bool session_program(struct session *s, struct program *p, char *text, size_t room)
{
	static const char *const names[] = { "", "all queues on the direct port: ", "all queues on rings: " };
	uint32_t runs = same_both(s, p) ? 3 : 1;
	bool good = true;

	if (s->o.ptx && !ptx_program(p, tma_command_print, &s->stats.ptx, text, room))
		return false;
	if (p->death.on && s->engine)
		return run_dying(s, p, text, room);
	for (uint32_t i = 0; i < runs && good; i++) {
		size_t length = strlen(names[i]);

		if (i)
			program_fronts(p, (enum fronts)i);
		snprintf(text, room, "%s", names[i]);
		good = run_once(s, p, text + length, room - length);
	}
	s->stats.both += good && runs > 1;
	return good;
}

static void print_failure(const struct session *s, const struct program *p, const char *text)
{
	char options[80];

	snprintf(options, sizeof(options), "%s%s%s%s%s%s%s", s->o.tensor ? " --tensor" : "",
	         s->o.faults ? " --faults" : "", s->o.from_zero ? " --from-zero" : "",
	         s->o.same_both ? " --same-both" : "", s->o.no_reduce ? " --no-reduce" : "",
	         s->o.reduce ? " --reduce" : "", s->o.ptx ? " --ptx" : "");

	fflush(stdout);
	fprintf(stderr, "\n%s: program %u of seed %llu%s fails: %s\n", s->o.shape->name, p->number,
	        (unsigned long long)p->seed, options, text);
	listing_print(stderr, p, LIST_LIMIT);
	fprintf(stderr, "%s: program %u of seed %llu%s fails: %s\n", s->o.shape->name, p->number,
	        (unsigned long long)p->seed, options, text);
	fprintf(stderr, "replay: tma_crosscheck --config %s --seed %llu --first %u --programs 1%s\n",
	        s->o.shape->name, (unsigned long long)p->seed, p->number, options);
	if (s->engine && s->opened_at < p->number)
		fprintf(stderr,
		        "or, with the programs before it on the same engine: --first %u --programs %u\n",
		        s->opened_at, p->number - s->opened_at + 1);
}

static int finish(struct session *s)
{
	session_drop_engine(s);
	if (s->o.stats)
		stats_print(stdout, &s->stats);
	printf("%u passed, %u failed\n", s->passed, s->failed);
	memory_free(&s->memory);
	return s->failed ? 1 : 0;
}

/* Without an engine, which does it itself: zeros would change no sum. */
static void fill(struct session *s)
{
	struct rng rng = rng_make(s->o.seed, STREAM_FILL);

	for (uint32_t c = 0; c < s->o.shape->ctas; c++)
		for (uint32_t i = 0; i < s->o.shape->smem_bytes; i++)
			s->memory.smem[c][i] = (uint8_t)rng_next(&rng);
}

int session_run(const struct options *o)
{
	struct session s = { .o = *o };
	unsigned int with = 0;
	char text[SESSION_TEXT];

	s.o.built = *o->shape;
	s.o.shape = &s.o.built;
	memory_init(&s.memory, s.o.shape);
	fill(&s);
	if (o->faults)
		with |= WITH_FAULTS;
	if (o->tensor)
		with |= WITH_TENSORS;
	if (o->from_zero)
		with |= FROM_ZERO;
	if (!o->no_reduce)
		with |= WITH_REDUCTIONS;
	if (o->reduce)
		with |= ALL_REDUCE;
	for (uint32_t i = 0; i < o->programs && (!s.failed || o->keep_going); i++) {
		uint32_t number = o->first + i;
		struct program *p;

		/* First of all: it says what is built. */
		if (!session_engine(&s, number)) {
			memory_free(&s.memory);
			return 2;
		}
		if (o->reduce && !s.o.shape->reduce) {
			fprintf(stderr, "tma_crosscheck: --reduce: %s has no reductions\n", s.o.shape->name);
			session_drop_engine(&s);
			memory_free(&s.memory);
			return 2;
		}
		p = program_make(s.o.shape, o->seed, number, with, NULL);
		if (o->list)
			listing_print(stdout, p, LIST_LIMIT);
		if (session_program(&s, p, text, sizeof(text))) {
			s.passed++;
		} else {
			s.failed++;
			print_failure(&s, p, text);
			if (o->shrink)
				shrink(&s, p);
			/* Nobody knows what state it is in. */
			session_drop_engine(&s);
		}
		program_free(p);
	}
	return finish(&s);
}
