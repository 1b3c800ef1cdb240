/* SPDX-License-Identifier: Apache-2.0 */
/* What must be true of every fault, and the table of who has shown it. */
#include "engine/fault_cases.h"

#include "tma_tables.h"

static const char *check_record(const struct fault_program *p, const struct fault_report *r)
{
	if (p->unwritten)
		return r->records ? "a record that cannot be written was seen" : NULL;
	if (r->records != 1)
		return "there is not one FAULT record";
	if (r->record.queue != FAULT_QUEUE || r->record.fault != p->code || r->record.value)
		return "the record is not of this fault";
	if (r->record.sequence != p->sequence)
		return "the record's sequence number";
	if (r->record.tag != p->tag)
		return "the record's tag";
	return r->record.address == p->address ? NULL : "the record's address";
}

const char *fault_check(const struct fault_program *p, const struct fault_report *r)
{
	const char *trouble;

	if (!r->faulted)
		return "the queue has not stopped";
	if (r->code != p->code)
		return "another code";
	if (r->address != p->address)
		return "the address";
	if (r->sequence != p->sequence)
		return "the sequence number";
	if (r->tag != p->tag)
		return "the tag";
	if (r->count != (p->unwritten ? 2 : 1))
		return "the number of faults";
	if (r->head != p->head)
		return "HEAD";
	trouble = check_record(p, r);
	if (trouble)
		return trouble;
	if (!r->other)
		return "another queue stands still";
	if (r->moved && !p->moves)
		return "memory has changed";
	if (!r->recovered && p->recovery != FAULT_LASTS)
		return "no recovery";
	return NULL;
}

static const char *column(const struct fault_result *results, size_t index)
{
	if (!results)
		return "";
	if (!results[index].ran)
		return "-";
	return results[index].trouble ? results[index].trouble : "ok";
}

void fault_print_table(FILE *to, const struct fault_result *model, const struct fault_result *rtl)
{
	const struct fault_case *c;

	fprintf(to, "%-6s  %-24s  %-52s  %-8s  %s\n", "code", "fault", "test", model ? "model" : "",
	        rtl ? "RTL" : "");
	for (size_t i = 0; (c = fault_case(i)); i++)
		fprintf(to, "0x%04X  %-24s  %-52s  %-8s  %s\n", c->code, tma_fault_info(c->code)->name,
		        c->name, column(model, i), column(rtl, i));
}
