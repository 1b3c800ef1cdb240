/* SPDX-License-Identifier: Apache-2.0 */
/*
 * engine_faults - one directed program at least per fault code on the engine.
 *
 * Spec: rtl/spec/tma.toml, fault table; the programs are those of fault_cases.h
 * Checks: in every configuration, without and with stalls, through the direct port and through a
 *         ring: code, address, sequence number and tag in registers and record; what may not change
 *         has not; another queue goes on. Then RESUME behind the command, RESUME at the mended one
 *         and RESET, each with good commands behind it. No code is left out.
 * Prints the table of codes and tests, for model and engine.
 */
#include <stdio.h>

#include "lib/cmocka_all.h"
#include "tma_tables.h"
#include "engine/engine_fault.h"
#include "engine/engine_tests.h"
#include "engine/fault_model.h"

#define MAX_CASES 256

struct tried {
	struct engine *engine;
	size_t index;
};

static struct fault_result model[MAX_CASES], rtl[MAX_CASES];

static void note(struct fault_result *result, bool ran, const char *trouble)
{
	result->ran |= ran;
	if (!result->trouble)
		result->trouble = trouble;
}

static const char *try_front(struct engine *e, const struct fault_program *p, enum engine_recovery *how)
{
	const char *trouble = NULL;

	for (*how = 0; *how < ENGINE_RECOVERIES; (*how)++) {
		if (engine_recovers(p, *how))
			trouble = engine_run(e, p, *how);
		if (trouble)
			break;
	}
	return trouble;
}

static void fault(void **state)
{
	static const char *const names[] = { "as the program", "mended", "RESET" };
	const struct tried *t = *state;
	const struct fault_case *c = fault_case(t->index);
	const struct fault_shape shape = engine_shape(t->engine);
	const struct fault_result here = fault_try_model(c, &shape, engine_data_bytes(t->engine));

	note(&model[t->index], here.ran, here.trouble);
	for (int ring = 0; ring < 2; ring++) {
		const struct fault_program p = fault_build(c, &shape, ring);
		enum engine_recovery how;
		const char *trouble;

		if (!fault_has_front(c, ring) || p.skip)
			continue;
		trouble = try_front(t->engine, &p, &how);
		note(&rtl[t->index], true, trouble);
		if (trouble)
			fail_msg("%s, recovery %s: %s", ring ? "ring" : "direct port", names[how], trouble);
	}
}

static void nothing_else_was_touched(void **state)
{
	const struct tried *t = *state;

	assert_int_equal(engine_close(t->engine), 0);
}

int engine_faults(const char *name, const char *config, const struct rig_opts *opts)
{
	static struct CMUnitTest tests[MAX_CASES + 1];
	static struct tried tried[MAX_CASES + 1];
	static char names[MAX_CASES][96];
	struct engine *e = engine_open(config, opts);
	const struct fault_case *c;
	size_t n = 0;

	if (!e)
		return 1;
	for (; n < MAX_CASES && (c = fault_case(n)); n++) {
		snprintf(names[n], sizeof(names[n]), "%s: %s", tma_fault_info(c->code)->name, c->name);
		tried[n] = (struct tried){ e, n };
		tests[n] = (struct CMUnitTest){ .name = names[n],
			                        .test_func = fault,
			                        .initial_state = &tried[n] };
	}
	tried[n] = (struct tried){ e, n };
	tests[n] = (struct CMUnitTest){ .name = "nothing_else_was_touched",
		                        .test_func = nothing_else_was_touched,
		                        .initial_state = &tried[n] };
	return _cmocka_run_group_tests(name, tests, n + 1, NULL, NULL);
}

TEST(every_code_was_shown)
{
	/* One configuration alone may have no way to show a fault: every bit of a mask can be a CTA. */
	bool several = tma_sim_configs()[1];

	fault_print_table(stdout, model, rtl);
	for (uint32_t code = 1; code <= UINT16_MAX; code++) {
		const struct fault_case *c;
		const struct tma_fault_info *info = tma_fault_info((uint16_t)code);
		bool on_model = false, on_rtl = false, skipped = false, ran = false;

		for (size_t i = 0; i < MAX_CASES && (c = fault_case(i)); i++) {
			on_model |= c->code == code && model[i].ran && !model[i].trouble;
			on_rtl |= c->code == code && rtl[i].ran && !rtl[i].trouble;
			ran |= c->code == code && rtl[i].ran;
			skipped |= c->code == code && !rtl[i].ran && !several;
		}
		/* What needs a capability that no configuration has, model_faults shows. */
		if (info && !(on_model && on_rtl) && !skipped && !(info->needs && !ran))
			fail_msg("fault 0x%04x: no test has shown it", code);
	}
}

int engine_fault_table(void)
{
	return run_file_tests("fault_table");
}
