/* SPDX-License-Identifier: Apache-2.0 */
/* Counting features of programs and of the answers they got. */
#include "crosscheck/stats.h"

#include <string.h>

#include "crosscheck/bus.h"
#include "crosscheck/listing.h"
#include "tma_tables.h"

#define LARGE_BYTES 8192u

static void add_copy(struct stats *s, const struct program *p, const struct tma_command *c)
{
	uint32_t data_bytes = p->shape->data_bytes;
	uint64_t shared =
		c->opcode == TMA_BULK_STORE || c->opcode == TMA_BULK_SHARED ? c->shared_src : c->shared_dst;

	s->bytes += c->size;
	s->zero_bytes += !c->size;
	s->large += c->size >= LARGE_BYTES;
	if (c->flags & TMA_FLAG_MULTICAST) {
		s->empty_masks += !c->cta_mask;
		s->targets += (uint64_t)__builtin_popcount(c->cta_mask);
	}
	if (c->opcode == TMA_BULK_SHARED) {
		s->misaligned += (c->shared_src ^ c->shared_dst) % data_bytes != 0;
		return;
	}
	s->misaligned += (c->global_address - shared) % data_bytes != 0;
	if (c->size)
		s->pages += (c->global_address % PAGE_BYTES + c->size - 1) / PAGE_BYTES;
}

/* Swizzles as they are named below. */
static uint32_t swizzle_of(const struct tensor *t)
{
	return t->swizzle96 ? 7 : t->swizzle == TMA_RAW_SWIZZLE_128B ? 3 + t->atom : t->swizzle;
}

static void add_tensor(struct stats *s, const struct tma_command *c, const struct tensor_copy *copy)
{
	const struct tensor *t = &copy->map;
	bool stepped = false, negative = false;

	s->modes[c->mode & 7]++;
	s->types[t->type & 15]++;
	s->swizzles[swizzle_of(t)]++;
	s->kinds[0][t->tf32 * 2 + t->nan]++;
	s->kinds[1][t->interleave & 3]++;
	s->kinds[2][c->opcode & 3]++;
	s->rows += copy->span.rows;
	s->outside += !copy->span.inside;
	s->clipped += copy->span.inside && copy->span.inside < copy->span.tx;
	for (uint32_t i = 0; i < t->rank; i++) {
		stepped |= t->step[i] > 1;
		negative |= c->coord[i] < 0;
	}
	s->stepped += stepped;
	s->negative += negative;
	s->pairs += c->flags & TMA_FLAG_CTA_GROUP_2 && c->flags & TMA_FLAG_MULTICAST;
}

static void add_step(struct stats *s, const struct program *p, const struct step *step)
{
	const struct tma_command *c = &step->cmd;

	if (step->fault)
		return;
	if (step->tensor >= 0)
		add_tensor(s, c, &p->tensors[step->tensor]);
	s->opcode[c->opcode]++;
	s->rule[step->rule]++;
	for (uint32_t f = 0; f < 16; f++)
		s->flag[f] += c->flags >> f & 1;
	if (c->opcode <= TMA_BULK_PREFETCH)
		add_copy(s, p, c);
	if (bus_updates(c->opcode) || c->opcode == TMA_BULK_REDUCE_SHARED) {
		s->operators[c->op & 7]++;
		s->shared_updates += step->shares;
	}
}

static void add_records(struct stats *s, const struct program *p, const struct result *model)
{
	for (uint32_t q = 0; q < p->shape->queues; q++)
		for (uint32_t i = 0; i < model->queue[q].num_records; i++) {
			const struct tma_record *r = &model->queue[q].records[i];
			uint8_t opcode = program_step(p, q, r->sequence)->cmd.opcode;

			if (r->kind == TMA_KIND_FAULT)
				s->faults[r->fault & 255]++;
			else if (opcode == TMA_MBARRIER_TEST_WAIT || opcode == TMA_MBARRIER_TRY_WAIT)
				s->answers[r->value & 1]++;
		}
}

static void add_fronts(struct stats *s, const struct program *p, const struct result *model)
{
	for (uint32_t q = 0; q < MAX_QUEUES; q++) {
		const struct queue_setup *setup = &p->queue[q];

		s->commands[setup->ring] += setup->steps;
		s->records[setup->ring] += model->queue[q].num_records;
		s->wraps += setup->first_command && setup->steps >= -setup->first_command;
		s->record_wraps += setup->first_record && model->queue[q].num_records >= -setup->first_record;
		if (!setup->ring)
			continue;
		s->laps += setup->steps >> setup->ring_log2;
		s->record_laps += model->queue[q].num_records >> setup->records_log2;
		s->interrupts += setup->interrupt;
	}
}

static void add_sms(struct stats *s, const struct program *p)
{
	s->with_sm += p->with_sm;
	for (uint32_t c = 0; c < p->shape->ctas; c++) {
		s->sm_bytes += p->sm[c].bytes;
		for (uint32_t i = 0; i < p->sm[c].num; i++) {
			s->sm[p->sm[c].act[i].kind]++;
			s->sm_ahead += p->sm[c].act[i].ahead;
		}
	}
	for (uint32_t q = 0; q < MAX_QUEUES; q++)
		for (uint32_t i = 0; i < p->queue[q].steps; i++)
			s->gated += memcmp(program_step(p, q, i)->gate,
			                   i ? program_step(p, q, i - 1)->gate : (uint32_t[MAX_CTAS]){ 0 },
			                   sizeof(p->steps->gate)) != 0;
}

void stats_add(struct stats *s, const struct program *p, const struct result *model)
{
	uint32_t queues = 0;

	s->programs++;
	s->shared += p->shared;
	s->steps += p->num_steps;
	s->resets += p->weather.reset;
	s->pokes += p->num_pokes;
	s->granules += p->granule16;
	if (p->num_steps > s->longest_steps)
		s->longest_steps = p->num_steps;
	for (uint32_t q = 0; q < MAX_QUEUES; q++)
		queues += p->queue[q].used;
	s->queues[queues]++;
	for (uint32_t i = 0; i < p->num_txns; i++) {
		s->txn[p->txns[i].kind]++;
		s->left_out[p->txns[i].kind] += p->txns[i].failed;
	}
	for (uint32_t i = 0; i < p->num_steps; i++)
		add_step(s, p, &p->steps[i]);
	add_sms(s, p);
	add_records(s, p, model);
	add_fronts(s, p, model);
}

void stats_add_guest(struct stats *s, const struct guest_counts *c)
{
	s->guest.accesses += c->accesses;
	s->guest.both += c->both;
	for (uint32_t i = 0; i < NUM_GUEST_ACTS; i++) {
		s->guest.acts[i] += c->acts[i];
		s->guest.busy[i] += c->busy[i];
	}
}

static void print_row(FILE *out, const char *name, uint64_t n)
{
	if (n)
		fprintf(out, "  %-26s %10llu\n", name, (unsigned long long)n);
}

static void print_tensors(FILE *out, const struct stats *s)
{
	static const char *const modes[] = { "tile",     "im2col",   "im2col_no_offs", "gather4",
		                             "scatter4", "im2col_w", "im2col_w_128",   "?" };
	static const char *const types[] = { "u8",  "u16",   "u32",       "s32",      "u64",  "s64",
		                             "f16", "f32",   "f32.ftz",   "f64",      "bf16", "?",
		                             "?",   "b4x16", "b4x16_p64", "b6x16_p32" };
	static const char *const swizzles[] = { "no swizzle",    "32B",
		                                "64B",           "128B",
		                                "128B atom 32B", "128B atom 32B flip",
		                                "128B atom 64B", "96B" };
	static const char *const kinds[3][4] = { { "fill zero", "fill NaN", "tf32", "tf32, fill NaN" },
		                                 { "no interleave", "interleave 16B", "interleave 32B", "?" },
		                                 { "loads", "stores", "reductions", "prefetches" } };

	fprintf(out, "tensor copies\n");
	for (uint32_t k = 3; k-- > 0;)
		for (uint32_t i = 0; i < 4; i++)
			print_row(out, kinds[k][i], s->kinds[k][i]);
	for (uint32_t i = 0; i < 8; i++)
		print_row(out, modes[i], s->modes[i]);
	for (uint32_t i = 0; i < 16; i++)
		print_row(out, types[i], s->types[i]);
	for (uint32_t i = 0; i < 8; i++)
		print_row(out, swizzles[i], s->swizzles[i]);
	print_row(out, "rows", s->rows);
	print_row(out, "partly outside", s->clipped);
	print_row(out, "all outside", s->outside);
	print_row(out, "with element strides", s->stepped);
	print_row(out, "from negative coordinates", s->negative);
	print_row(out, "multicasts to pairs", s->pairs);
	print_row(out, "programs with granules", s->granules);
}

static void print_operators(FILE *out, const struct stats *s)
{
	static const char *const operators[] = {
		"reductions: add", "min", "max", "inc", "dec", "and", "or", "xor"
	};

	for (uint32_t i = 0; i < 8; i++)
		print_row(out, operators[i], s->operators[i]);
	print_row(out, "beside others like them", s->shared_updates);
}

void stats_print(FILE *out, const struct stats *s)
{
	static const char *const flags[] = { "RECORD",     "LAST_STATE", "MULTICAST",   "CP_MASK",
		                             "CACHE_HINT", "CTA_LOCAL",  "READ",        "PARITY",
		                             "DROP",       "EXPECT_TX",  "NO_COMPLETE", "SRC_SIZE",
		                             "IGNORE_SRC", "CG",         "NOINC",       "CTA_GROUP_2" };

	static const char *const guest_acts[NUM_GUEST_ACTS] = { "set-ups", "resets", "resumes", "cancels" };

	fprintf(out,
	        "programs %llu (%llu with waits between queues, %llu after a reset), commands %llu, "
	        "cycles %llu\n",
	        (unsigned long long)s->programs, (unsigned long long)s->shared, (unsigned long long)s->resets,
	        (unsigned long long)s->steps, (unsigned long long)s->cycles);
	if (s->ptx.commands) {
		fprintf(out, "through PTX text\n");
		print_row(out, "commands", s->ptx.commands);
		print_row(out, "of those tma.command", s->ptx.words);
	}
	fprintf(out, "fronts\n");
	print_row(out, "commands, direct", s->commands[0]);
	print_row(out, "commands, ring", s->commands[1]);
	print_row(out, "records, direct", s->records[0]);
	print_row(out, "records, ring", s->records[1]);
	print_row(out, "laps of rings", s->laps);
	print_row(out, "laps of completion rings", s->record_laps);
	print_row(out, "sequences past 2^32", s->wraps);
	print_row(out, "records past 2^32", s->record_wraps);
	print_row(out, "queues with interrupts", s->interrupts);
	print_row(out, "programs on both", s->both);
	print_row(out, "ports that died", s->deaths);
	print_row(out, "ports stopped in vain", s->late_stops);
	fprintf(out, "commands\n");
	for (uint32_t i = 0; i < 256; i++)
		if (tma_opcode_name((uint8_t)i))
			print_row(out, tma_opcode_name((uint8_t)i), s->opcode[i]);
	fprintf(out, "flags\n");
	for (uint32_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		print_row(out, flags[i], s->flag[i]);
	fprintf(out, "copies\n");
	print_row(out, "bytes", s->bytes);
	print_row(out, "of zero bytes", s->zero_bytes);
	print_row(out, "to nobody", s->empty_masks);
	print_row(out, "multicast targets", s->targets);
	print_row(out, "page crossings", s->pages);
	print_row(out, "source, destination skewed", s->misaligned);
	print_row(out, "of 8 KiB and more", s->large);
	print_operators(out, s);
	print_row(out, "writes from outside", s->pokes);
	fprintf(out, "SMs\n");
	print_row(out, "programs with SMs", s->with_sm);
	print_row(out, "polls of barriers", s->sm[SM_POLL]);
	print_row(out, "with a read behind each", s->sm_ahead);
	print_row(out, "waits for records", s->sm[SM_RECORD]);
	print_row(out, "reads", s->sm[SM_READ]);
	print_row(out, "writes", s->sm[SM_WRITE]);
	print_row(out, "bytes read", s->sm_bytes);
	print_row(out, "commands behind an SM", s->gated);
	if (s->rows)
		print_tensors(out, s);
	fprintf(out, "answers\n");
	print_row(out, "waits and tests: 1", s->answers[1]);
	print_row(out, "waits and tests: 0", s->answers[0]);
	print_row(out, "free", s->rule[RULE_ANY]);
	print_row(out, "one of a set", s->rule[RULE_PENDING]);
	fprintf(out, "transactions\n");
	for (uint32_t i = 0; i < NUM_TXN_KINDS; i++)
		if (s->txn[i])
			fprintf(out, "  %-26s %10llu, %llu left out\n", txn_kind_name((enum txn_kind)i),
			        (unsigned long long)s->txn[i], (unsigned long long)s->left_out[i]);
	fprintf(out, "acts in traffic\n");
	for (uint32_t i = 0; i < NUM_GUEST_ACTS; i++)
		if (s->guest.acts[i])
			fprintf(out, "  %-26s %10llu, %llu beside a busy queue\n", guest_acts[i],
			        (unsigned long long)s->guest.acts[i], (unsigned long long)s->guest.busy[i]);
	print_row(out, "accesses to registers", s->guest.accesses);
	print_row(out, "writes beside a read", s->guest.both);
	fprintf(out, "acts afterwards\n");
	for (uint32_t i = 0; i < NUM_ACT_KINDS; i++)
		print_row(out, act_name((enum act_kind)i), s->acts[i]);
	fprintf(out, "faults after them\n");
	for (uint32_t i = 0; i < 256; i++)
		if (s->act_faults[i])
			print_row(out, tma_fault_info((uint16_t)i) ? tma_fault_info((uint16_t)i)->name : "?",
			          s->act_faults[i]);
	fprintf(out, "faults\n");
	for (uint32_t i = 0; i < 256; i++)
		if (s->faults[i])
			print_row(out, tma_fault_info((uint16_t)i) ? tma_fault_info((uint16_t)i)->name : "?",
			          s->faults[i]);
	fprintf(out, "queues in use\n ");
	for (uint32_t i = 0; i <= MAX_QUEUES; i++)
		if (s->queues[i])
			fprintf(out, " %u: %llu", i, (unsigned long long)s->queues[i]);
	fputc('\n', out);
}
