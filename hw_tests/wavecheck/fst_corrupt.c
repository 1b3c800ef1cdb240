/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fst_corrupt - copies a waveform with one fault in it: in the half-open span of time FROM..TO the
 * named signal shows its value with one bit turned over. For tests of wavecheck.
 *
 * usage: fst_corrupt IN.fst OUT.fst SIGNAL BIT FROM TO     
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fstapi.h>

struct copy {
	void *in, *out;
	fstHandle *handles; /* of IN to those of OUT */
	fstHandle signal;
	uint32_t bits, bit;
	uint64_t from, to, time;
	char *value, *turned; /* the signal's value as IN has it; scratch */
	bool inside;
};

static fstHandle create(struct copy *c, const struct fstHier *h)
{
	fstHandle alias = h->u.var.is_alias ? c->handles[h->u.var.handle] : 0;

	return fstWriterCreateVar(c->out, (enum fstVarType)h->u.var.typ, (enum fstVarDir)h->u.var.direction,
	                          h->u.var.length, h->u.var.name, alias);
}

static bool copy_names(struct copy *c, const char *signal)
{
	const char *scope = "";
	struct fstHier *h;
	char name[1024];

	while ((h = fstReaderIterateHier(c->in))) {
		switch (h->htyp) {
		case FST_HT_SCOPE:
			scope = fstReaderPushScope(c->in, h->u.scope.name, NULL);
			fstWriterSetScope(c->out, (enum fstScopeType)h->u.scope.typ, h->u.scope.name, NULL);
			break;
		case FST_HT_UPSCOPE:
			scope = fstReaderPopScope(c->in);
			fstWriterSetUpscope(c->out);
			break;
		case FST_HT_VAR:
			snprintf(name, sizeof(name), "%s.%s", scope ? scope : "", h->u.var.name);
			name[strcspn(name, " ")] = 0; /* the range */
			if (!strcmp(name, signal) && !c->signal) {
				c->signal = h->u.var.handle;
				c->bits = h->u.var.length;
			}
			if (h->u.var.is_alias)
				create(c, h);
			else
				c->handles[h->u.var.handle] = create(c, h);
			break;
		default:
			break;
		}
	}
	return c->signal;
}

static void emit_signal(struct copy *c)
{
	memcpy(c->turned, c->value, c->bits);
	if (c->inside)
		c->turned[c->bits - 1 - c->bit] ^= '0' ^ '1';
	fstWriterEmitValueChange(c->out, c->handles[c->signal], c->turned);
}

/* The span's ends are changes of the signal even where it has none of its own. */
static void advance(struct copy *c, uint64_t time)
{
	if (c->time < c->from && time >= c->from) {
		fstWriterEmitTimeChange(c->out, c->from);
		c->inside = true;
		emit_signal(c);
	}
	if (c->time < c->to && time >= c->to) {
		fstWriterEmitTimeChange(c->out, c->to);
		c->inside = false;
		emit_signal(c);
	}
	fstWriterEmitTimeChange(c->out, time);
	c->time = time;
}

static void on_change(void *arg, uint64_t time, fstHandle handle, const unsigned char *value)
{
	struct copy *c = arg;

	if (time != c->time)
		advance(c, time);
	if (handle == c->signal) {
		memcpy(c->value, value, c->bits);
		emit_signal(c);
	} else {
		fstWriterEmitValueChange(c->out, c->handles[handle], value);
	}
}

static int run(struct copy *c, char **argv)
{
	size_t handles = (size_t)fstReaderGetMaxHandle(c->in) + 1;

	c->handles = calloc(handles, sizeof(*c->handles));
	if (!c->handles)
		return 2;
	fstWriterSetTimescale(c->out, fstReaderGetTimescale(c->in));
	if (!copy_names(c, argv[3])) {
		fprintf(stderr, "fst_corrupt: %s: no signal %s\n", argv[1], argv[3]);
		return 2;
	}
	c->bit = (uint32_t)strtoul(argv[4], NULL, 0);
	c->from = strtoull(argv[5], NULL, 0);
	c->to = strtoull(argv[6], NULL, 0);
	c->value = calloc(2, c->bits);
	if (!c->value || c->bit >= c->bits) {
		fprintf(stderr, "fst_corrupt: %s has %u bits\n", argv[3], c->bits);
		return 2;
	}
	c->turned = c->value + c->bits;
	memset(c->value, '0', c->bits);
	fstReaderSetFacProcessMaskAll(c->in);
	return fstReaderIterBlocks(c->in, on_change, c, NULL) ? 0 : 2;
}

int main(int argc, char **argv)
{
	struct copy c = { 0 };
	int status;

	if (argc != 7) {
		fprintf(stderr, "usage: fst_corrupt IN.fst OUT.fst SIGNAL BIT FROM TO\n");
		return 2;
	}
	c.in = fstReaderOpen(argv[1]);
	c.out = c.in ? fstWriterCreate(argv[2], 1) : NULL;
	if (!c.in || !c.out) {
		fprintf(stderr, "fst_corrupt: cannot open %s\n", c.in ? argv[2] : argv[1]);
		return 2;
	}
	status = run(&c, argv);
	fstWriterClose(c.out);
	fstReaderClose(c.in);
	free(c.handles);
	free(c.value);
	return status;
}
