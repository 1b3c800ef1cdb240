/* SPDX-License-Identifier: Apache-2.0 */
/* Programs as text. */
#include "crosscheck/listing.h"

#include <string.h>

#include "crosscheck/guest.h"
#include "crosscheck/ptx.h"
#include "tma_map.h"
#include "tma_ptx.h"
#include "tma_tables.h"

static const char *const kind_names[NUM_TXN_KINDS] = {
	"load",
	"store",
	"shared",
	"prefetch",
	"multimem",
	"cp.async",
	"empty",
	"link",
	"observe",
	"test",
	"token",
	"contribute",
	"close",
	"init",
	"retire",
	"signal",
	"commit",
	"wait_group",
	"cp commit",
	"cp wait",
	"cp arrive",
	"cancel",
	"fault",
	"tensor load",
	"tensor store",
	"tensor prefetch",
	"tensor to nobody",
	"map",
	"map change",
	"reduction",
	"multimem reduction",
	"shared reduction",
	"tensor reduction",
	"SM look",
	"SM tile",
	"SM peek",
	"SM over",
	"SM own",
};

static const char *const rule_names[] = { "", " answer free", " pending in set", " never", " maybe" };

const char *txn_kind_name(enum txn_kind kind)
{
	return kind_names[kind];
}

static void print_command(FILE *out, const struct tma_command *c)
{
	char text[PTX_TEXT];

	tma_command_print(c, text, sizeof(text));
	fprintf(out, "%s\n", text);
}

static void print_span(FILE *out, const struct tensor_span *s)
{
	fprintf(out, " rows %u of %u, shared %u, tx %u, in the tensor %llu", s->rows, s->pitch, s->shared,
	        s->tx, (unsigned long long)s->inside);
	if (s->inside)
		fprintf(out, " at +%#llx..+%#llx", (unsigned long long)s->first, (unsigned long long)s->last);
}

/* Acts that come before. */
static void print_gate(FILE *out, const uint32_t gate[MAX_CTAS])
{
	for (uint32_t c = 0; c < MAX_CTAS; c++)
		if (gate[c])
			fprintf(out, " behind SM %u #%u", c, gate[c] - 1);
}

static void print_act(FILE *out, const struct program *p, uint32_t cta, uint32_t index)
{
	const struct sm_act *a = &p->sm[cta].act[index];

	fprintf(out, "  SM %u #%-4u ", cta, index);
	if (a->kind == SM_POLL)
		fprintf(out, "poll %#x until phase %u%s%s", a->offset, a->phase,
		        a->known ? ", which it is" : "", a->ahead ? " and read behind it" : "");
	else if (a->kind == SM_RECORD)
		fprintf(out, "record of q%u #%u", a->queue, a->index);
	else
		fprintf(out, "%s bytes %#06x of", a->kind == SM_READ ? "read" : "write", a->mask);
	for (uint32_t i = 0; a->kind == SM_READ && i < a->chunks; i++)
		fprintf(out, " %#x", a->chunk[i] * CHUNK_BYTES);
	if (a->kind == SM_WRITE)
		fprintf(out, " %#x, %u chunks", a->chunk[0] * CHUNK_BYTES, a->chunks);
	fprintf(out, "  ;");
	if (a->pause)
		fprintf(out, " pause %u", a->pause);
	print_gate(out, a->gate);
	fprintf(out, " txn %d %s\n", a->txn, kind_names[p->txns[a->txn].kind]);
}

/* What PTX does not say stands in front, so that the line ends with what can be parsed. */
static void print_step(FILE *out, const struct program *p, const struct step *s)
{
	const char *name = tma_opcode_name(s->cmd.opcode);

	fprintf(out, "  q%u #%-4u", s->queue, s->index);
	if (s->fault)
		fprintf(out, " illegal %s", name ? name : "(no such command)");
	if (s->txn >= 0)
		fprintf(out, " txn %d %s", s->txn, kind_names[p->txns[s->txn].kind]);
	else
		fprintf(out, " end");
	fprintf(out, "%s", rule_names[s->rule]);
	print_gate(out, s->gate);
	if (s->shares)
		fprintf(out, " beside others");
	if (s->tensor >= 0)
		print_span(out, &p->tensors[s->tensor].span);
	fprintf(out, ": ");
	print_command(out, &s->cmd);
}

static void print_queue(FILE *out, const struct program *p, uint32_t q, uint32_t limit)
{
	const struct queue_setup *s = &p->queue[q];
	uint32_t from = s->steps > limit ? s->steps - limit : 0;

	fprintf(out, "queue %u: CTA %u, may touch %#x, stream %#x, prot %u, %u commands\n", q, s->cta,
	        s->cta_mask, s->stream, s->prot, s->steps);
	fprintf(out, "  %s, ring of %u at %#llx, completion ring of %u at %#llx, bell %u, consumer %u%s\n",
	        s->ring ? "ring" : "direct", 1u << s->ring_log2,
	        (unsigned long long)(p->rings_base + s->ring_at), 1u << s->records_log2,
	        (unsigned long long)(p->rings_base + s->records_at), s->bell, s->consumer,
	        s->interrupt ? ", interrupt" : "");
	if (s->first_command | s->first_record)
		fprintf(out, "  command 0 is %#x, record 0 is %#x\n", s->first_command, s->first_record);
	for (uint32_t w = 0; w < s->num_windows; w++)
		fprintf(out, "  window %#llx..%#llx attr %u\n", (unsigned long long)s->windows[w].base,
		        (unsigned long long)s->windows[w].limit, s->windows[w].attr);
	if (from)
		fprintf(out, "  (%u commands before)\n", from);
	for (uint32_t i = from; i < s->steps; i++)
		print_step(out, p, program_step(p, q, i));
}

/* Does a command name the barrier? Of a multicast the offset counts alone. */
static bool is_used(const struct program *p, const struct image *im)
{
	for (uint32_t i = 0; i < p->num_steps; i++)
		if ((p->steps[i].cmd.barrier & 0xffffff) == im->offset)
			return true;
	return false;
}

/* Those that memory holds at the start. */
static void print_maps(FILE *out, const struct program *p)
{
	char text[2000];

	if (p->tensor)
		fprintf(out, "stores end at %s\n", p->granule16 ? "16 bytes" : "the element");
	if (p->f32_ftz)
		fprintf(out, "adds of f32 flush\n");
	for (uint32_t i = 0; i < p->num_maps; i++) {
		struct tma_map map;

		memcpy(map.word, p->maps[i].word, MAP_BYTES);
		tma_map_describe(&map, text, sizeof(text));
		fprintf(out, "map %#llx (base + %#llx):\n%s\n",
		        (unsigned long long)(p->global_base + p->maps[i].at),
		        (unsigned long long)p->maps[i].at, text);
	}
}

static void print_guest(FILE *out, const struct program *p)
{
	for (uint32_t i = 0; i < p->guest.lives->count; i++) {
		const struct guest_life *life = &p->guest.lives->life[i];
		const struct queue_setup *s = &life->setup;

		fprintf(out, "guest %u, life %u: %s, CTA %u, may touch %#x, %s, ring of %u, records of %u",
		        p->guest.queue, i, life->renew ? "set up anew" : "reset", s->cta, s->cta_mask,
		        s->ring ? "ring" : "direct", 1u << s->ring_log2, 1u << s->records_log2);
		if (life->cut)
			fprintf(out, ", cut after %u cycles", life->cut);
		fputc('\n', out);
		for (uint32_t c = 0; c < life->count; c++) {
			fprintf(out, "  #%-4u%s: ", c, life->hold[c] ? " hold" : "");
			print_command(out, &life->commands[c]);
		}
	}
}

void listing_print(FILE *out, const struct program *p, uint32_t limit)
{
	const struct weather *w = &p->weather;
	char text[200];

	fprintf(out, "global memory: %u bytes at %#llx, %u mapped; shared memory used: %u bytes at %#x\n",
	        p->global_bytes, (unsigned long long)p->global_base, p->mapped, p->arena_bytes, p->arena_at);
	for (uint32_t i = 0; i < p->num_multimem; i++) {
		const struct multimem *m = &p->multimem[i];

		fprintf(out, "multimem %#llx, %u bytes:", (unsigned long long)m->base, m->bytes);
		for (uint32_t port = 0; port < p->shape->ports; port++)
			if (m->ports >> port & 1)
				fprintf(out, " port %u at %#llx", port,
				        (unsigned long long)m->port_base[port]);
		fputc('\n', out);
	}
	fprintf(out,
	        "latency %u+%u, stall %u%%, commands held %u%%, records held %u%%, ext every %u, pick %u%s\n",
	        w->latency, w->random_latency, w->stall, w->commands, w->records, w->ext_busy, w->pick,
	        w->in_order ? ", reads in order" : "");
	for (uint32_t port = 0; port < p->shape->ports; port++)
		if (axi_manners_text(&w->manners[port], text, sizeof(text))[0])
			fprintf(out, "port %u: %s\n", port, text);
	if (p->with_sm)
		fprintf(out, "SMs busy at %#x, %u%%\n", p->busy_at, p->sm_busy);
	if (p->death.on)
		fprintf(out, "port %u: channels %#x stop after %u cycles, watchdog %u\n", p->death.port,
		        p->death.channels, p->death.after, p->death.watchdog);
	for (uint32_t i = 0; i < p->num_errors; i++)
		fprintf(out, "error %u%s at %#llx of port %u, %u bytes\n", p->errors[i].resp,
		        w->torn ? ", torn" : "", (unsigned long long)p->errors[i].address, p->errors[i].port,
		        p->errors[i].bytes);
	print_maps(out, p);
	for (uint32_t i = 0; i < p->num_images; i++)
		if (is_used(p, &p->images[i]))
			fprintf(out, "barrier %u:%#x starts as %#018llx\n", p->images[i].cta,
			        p->images[i].offset, (unsigned long long)p->images[i].word);
	for (uint32_t q = 0; q < p->shape->queues; q++)
		if (p->queue[q].used)
			print_queue(out, p, q, limit);
	for (uint32_t c = 0; c < p->shape->ctas; c++)
		for (uint32_t i = 0; i < p->sm[c].num; i++)
			print_act(out, p, c, i);
	if (p->guest.on)
		print_guest(out, p);
}
