/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptx_page SEMANTICS OUTPUT - docs/gen/ptx-syntax.md, by the tables that the parser reads. The places in the PTX ISA
 * are those that the headings of docs/semantics.md have.
 */
#define _POSIX_C_SOURCE 200809L
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "ptx.h"

#define TOOL "ptx_page"

/* A heading of docs/semantics.md: "### 1.4 `cp.async.bulk` (§9.7.9.25.4.1) ..". */
struct heading {
	char number[8], anchor[240], isa[80];
};

static struct heading headings[40];
static size_t num_headings;

/* As sites of Markdown name a heading: lower case, blanks as hyphens, no other signs. */
static void make_anchor(const char *text, char *anchor, size_t size)
{
	size_t used = 0;

	for (; *text && used + 1 < size; text++) {
		unsigned char c = (unsigned char)*text;

		if (isalnum(c) || c == '_' || c == '-')
			anchor[used++] = (char)tolower(c);
		else if (c == ' ')
			anchor[used++] = '-';
	}
	anchor[used] = 0;
}

static bool read_headings(const char *path)
{
	char line[1000];
	FILE *file = fopen(path, "r");

	if (!file)
		return false;
	while (fgets(line, sizeof(line), file)) {
		struct heading *heading = &headings[num_headings];
		const char *isa;

		line[strcspn(line, "\n")] = 0;
		if (strncmp(line, "### 1.", 6) != 0 || num_headings == sizeof(headings) / sizeof(headings[0]))
			continue;
		sscanf(line + 4, "%7s", heading->number);
		make_anchor(line + 4, heading->anchor, sizeof(heading->anchor));
		isa = strstr(line, "(\xc2\xa7");
		if (!isa)
			isa = strstr(line, "(9.1 \xc2\xa7");
		if (isa)
			snprintf(heading->isa, sizeof(heading->isa), "%.*s", (int)strcspn(isa + 1, ")"),
			         isa + 1);
		num_headings++;
	}
	fclose(file);
	return num_headings != 0;
}

static const struct heading *heading_of(const char *number)
{
	for (size_t i = 0; i < num_headings; i++)
		if (!strcmp(headings[i].number, number))
			return &headings[i];
	return NULL;
}

/* "sm_100a, sm_100f", "all" */
static void put_targets(FILE *out, uint32_t targets)
{
	bool follows = false;

	if (!targets || (targets | T_ENGINE) == T_ALL) {
		fputs("all", out);
		return;
	}
	if (targets == T_ENGINE) {
		fputs("engine", out);
		return;
	}
	for (uint32_t i = 0; i < TMA_PTX_ENGINE; i++) {
		if (targets >> i & 1) {
			fprintf(out, "%s%s", follows ? ", " : "",
			        tma_ptx_target_name((enum tma_ptx_target)i));
			follows = true;
		}
	}
}

/* ".tile", ".{add|min}" */
static void put_slot(FILE *out, const struct ptx_slot *slot)
{
	const bool several = (slot->values & (slot->values - 1)) != 0;
	bool follows = false;

	fputs(slot->optional ? "[" : "", out);
	fputs(several && !slot->optional ? "{" : "", out);
	for (uint32_t value = 1; value < 32; value++) {
		if (slot->values >> value & 1) {
			fprintf(out, "%s%s", follows ? "|" : "",
			        tma_ptx_modifier((enum tma_ptx_class)slot->class, value));
			follows = true;
		}
	}
	fputs(several && !slot->optional ? "}" : "", out);
	fputs(slot->optional ? "]" : "", out);
}

static const char *brackets(const struct ptx_arg *arg)
{
	switch ((enum ptx_syntax)arg->syntax) {
	case AT_SPACE:
	case AT_SPACE_2:
	case AT_SHARED:
	case AT_SHARED_BARE:
	case AT_ANY:
		return "[%s]";
	case TENSOR:
		return "[%s, {coordinates}]";
	case TENSOR_ROWS:
		return "[%s, {column, rows}]";
	case OFFSETS:
	case OFFSETS_2:
	case WORDS:
		return "{%s}";
	default:
		return "%s";
	}
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void put_arg(FILE *out, const struct ptx_arg *arg, bool first)
{
	const bool optional = arg->optional || arg->with;

	fputs(optional ? "[" : "", out);
	fputs(first ? " " : ", ", out);
	fprintf(out, brackets(arg), ptx_roles[arg->role]);
	fputs(optional ? "]" : "", out);
}
#pragma GCC diagnostic pop

static void put_form(FILE *out, const struct ptx_form *form)
{
	fputs(ptx_opcodes[form->opcode].name, out);
	for (uint32_t i = 0; i < SLOTS; i++)
		if (form->slots[i].values)
			put_slot(out, &form->slots[i]);
	for (uint32_t i = 0; i < TMA_PTX_OPERANDS && form->args[i].role; i++)
		put_arg(out, &form->args[i], i == 0);
	fputs(";", out);
}

/* Each operand of the opcode once, with what it may be. */
static void put_operands(FILE *out, uint32_t opcode)
{
	bool seen[TMA_PTX_ROLES][SYNTAXES][RULES] = { 0 };
	const struct ptx_form *form;
	bool any = false;

	for (uint32_t i = 0; (form = ptx_form(i)); i++) {
		for (uint32_t j = 0; form->opcode == opcode && j < TMA_PTX_OPERANDS && form->args[j].role;
		     j++) {
			const struct ptx_arg *arg = &form->args[j];

			if (seen[arg->role][arg->syntax][arg->rule])
				continue;
			seen[arg->role][arg->syntax][arg->rule] = true;
			if (!any)
				fputs("\n| operand | may be |\n| --- | --- |\n", out);
			any = true;
			fprintf(out, "| `%s` | %s", ptx_roles[arg->role], ptx_syntaxes[arg->syntax]);
			if (arg->rule)
				fprintf(out, "; a number must be %s", ptx_ranges[arg->rule].text);
			if (arg->with)
				fprintf(out, "; with `%s`",
				        tma_ptx_modifier((enum tma_ptx_class)arg->with, 1));
			fputs(" |\n", out);
		}
	}
}

static void put_opcode(FILE *out, uint32_t opcode)
{
	static const char *const doers[] = {
		[DOER_ENGINE] = "a command of the engine",
		[DOER_HOST] = "done by the host",
		[DOER_NOBODY] = "a hint, nothing is done",
	};
	const struct ptx_opcode *info = &ptx_opcodes[opcode];
	const struct heading *heading = heading_of(info->section);
	const struct ptx_form *form;

	fprintf(out, "\n### `%s`\n\n", info->name);
	if (heading)
		fprintf(out, "[Semantics %s](../semantics.md#%s)%s%s; ", heading->number, heading->anchor,
		        heading->isa[0] ? ", PTX ISA " : "", heading->isa);
	fprintf(out, "%s", doers[info->doer]);
	if (opcode == TMA_PTX_OP_PREFETCH)
		fputs(", but `.tensormap` a command of the engine", out);
	if (opcode == TMA_PTX_OP_FENCE_PROXY)
		fputs(", but `.tensormap::generic.acquire` a command of the engine", out);
	fputs(".\n\n| form | targets |\n| --- | --- |\n", out);
	for (uint32_t i = 0; (form = ptx_form(i)); i++) {
		if (form->opcode != opcode)
			continue;
		fputs("| <code>", out);
		/* A bar would end the cell. */
		char *text = NULL;
		size_t size = 0;
		FILE *memory = open_memstream(&text, &size);

		if (!memory)
			exit(cli_refuse(TOOL, "a form", strerror(errno)));
		put_form(memory, form);
		fclose(memory);
		for (const char *at = text; *at; at++)
			fputs(*at == '|' ? "&#124;" : (char[]){ *at, 0 }, out);
		free(text);
		fputs("</code> | ", out);
		put_targets(out, form->targets);
		fputs(" |\n", out);
	}
	put_operands(out, opcode);
	if (info->why)
		fprintf(out, "\n%s\n", info->why);
}

static void put_modifiers(FILE *out)
{
	fputs("\n## Modifiers\n\n| class | modifiers |\n| --- | --- |\n", out);
	for (uint32_t class = 0; class < TMA_PTX_CLASSES; class ++) {
		bool follows = false;

		for (size_t i = 0; i < ptx_num_modifiers; i++) {
			const struct ptx_modifier *modifier = &ptx_modifiers[i];

			if (modifier->class != class)
				continue;
			if (!follows)
				fprintf(out, "| %s%s | ", ptx_classes[class].name,
				        ptx_classes[class].next ? ", up to two" : "");
			fprintf(out, "%s`%s`", follows ? " " : "", modifier->text);
			if (modifier->targets) {
				fputs(" (", out);
				put_targets(out, modifier->targets);
				fputs(")", out);
			}
			follows = true;
		}
		fputs(follows ? " |\n" : "", out);
	}
}

static const char head[] =
	"<!-- SPDX-License-Identifier: Apache-2.0 -->\n"
	"<!-- Generated from host/ptx by make gen. Do not edit. -->\n"
	"\n"
	"# PTX syntax\n"
	"\n"
	"What `tma_ptx_parse()` and `tma check` take, by the tables that they read, and why the rest is refused. It is what ptxas 13.0 takes, compared on "
	"[15,360 rows](../../hw_tests/vectors/FORMAT.md#the-table-of-ptx-texts); the `multimem.cp` instructions, which that ptxas does not know, are those of the "
	"documentation of PTX 9.1.\n"
	"\n"
	"## Notation\n"
	"\n"
	"* `[.x]` and `[, operand]` may be left out, `{.x|.y}` is one of them. An operand that belongs to a modifier is there if and only if the modifier is: a policy without "
	"`.L2::cache_hint`, and that without a policy, are refused.\n"
	"* Modifiers stand in any order behind the words of the instruction, which are the headings below. Two orders mean something: the "
	"destination's state space is before the source's, and the first eviction priority before the second. A modifier of a class that there is already is "
	"refused. ptxas takes all orders too: all 24 and 120 of tensor copies and reductions were tried.\n"
	"* Operands stand in their order. Every instruction may have a guard, `@p` or `@!p`, and ends with a semicolon.\n"
	"* An address is `[register]`, `[variable]`, or one of them with `+n` or `+-n`; `[register-n]` is refused, and so is a number as address. Registers of 32 and of 64 bits are "
	"taken in every state space, but for the source of a bulk load, which has 64 on sm_120a ([semantics 1.0](../semantics.md#10-notation-rules-that-hold-for-all-of-them-p); "
	"no row of the table shows it; of other instructions rows show that sm_120a takes 32). A variable has to lie in the space that the instruction names; in global memory, if it names none.\n"
	"* Numbers are decimal, hexadecimal (`0x`), octal (`0`) or binary (`0b`), with `U` behind them if one likes. One of more bits than its operand is cut before it is "
	"looked at: 4294967296 is 0 as a size, 4294967295 is -1. Floats are written with a point, or as bits: `0f3F000000`, `0d3FE0000000000000`. "
	"Constant expressions are not taken.\n"
	"* The documentation's examples spell `cache-policy` with a hyphen, which is no name: they are refused as they stand there.\n"
	"* The target `engine` takes the forms of all targets, and what `tma_command_print()` writes: numbers as addresses, the sink `_` for every result, `!0` for a true "
	"predicate, numbers that the engine answers with a fault, the instructions `tma.signal`, `tma.cancel` and `tma.command`, and behind the semicolon a comment "
	"`// tma:` with `record`, `tag=N` and `last_state`.\n";

int main(int argc, char **argv)
{
	FILE *out;

	if (argc != 3)
		return cli_refuse(TOOL, "arguments", "must be docs/semantics.md and the page");
	if (!read_headings(argv[1]))
		return cli_refuse(TOOL, argv[1], "has no headings of instructions");
	out = fopen(argv[2], "w");
	if (!out)
		return cli_refuse(TOOL, argv[2], strerror(errno));
	fputs(head, out);
	put_modifiers(out);
	fputs("\n## Instructions\n", out);
	for (uint32_t opcode = 0; opcode < TMA_PTX_OPCODES; opcode++)
		put_opcode(out, opcode);
	return cli_close(out) ? cli_refuse(TOOL, argv[2], strerror(errno)) : EXIT_SUCCESS;
}
