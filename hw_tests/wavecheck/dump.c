/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the dump: current values of all ports, and a sample before each rising edge. */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstapi.h>

#include "wavecheck/dump_priv.h"

/* A reader that a damaged file has sent into an endless loop is ended by the alarm. */
#define READER_SECONDS   60
#define CHANGES_PER_TICK 65536

/* A change of the present time stamp, not yet applied. */
struct change {
	uint32_t var, offset;
};

struct run {
	struct dump *dump;
	void (*sample)(void *arg, uint64_t time);
	void *arg;
	uint64_t time;
	struct change *changes;
	size_t count, capacity;
	char *text;
	size_t text_used, text_capacity;
	uint64_t seen;
	bool rising, clock, no_memory;
};

static void apply(struct run *r)
{
	struct dump *d = r->dump;

	for (size_t i = 0; i < r->count; i++) {
		struct var *v = &d->vars[r->changes[i].var];
		const char *text = r->text + r->changes[i].offset;

		memset(v->value, 0, (v->bits + 7) / 8);
		for (uint32_t bit = 0; bit < v->bits; bit++)
			if (text[v->bits - 1 - bit] == '1')
				v->value[bit / 8] |= (uint8_t)(1u << bit % 8);
	}
	r->count = 0;
	r->text_used = 0;
}

static void end_of_time(struct run *r)
{
	if (r->rising)
		r->sample(r->arg, r->time);
	r->rising = false;
	apply(r);
}

static bool reserve(void **memory, size_t *capacity, size_t needed, size_t unit)
{
	size_t grown = *capacity ? *capacity : 256;
	void *moved;

	if (needed <= *capacity)
		return true;
	while (grown < needed)
		grown *= 2;
	moved = realloc(*memory, grown * unit);
	if (!moved)
		return false;
	*memory = moved;
	*capacity = grown;
	return true;
}

static void change(struct run *r, uint64_t time, fstHandle handle, const unsigned char *value, uint32_t len)
{
	struct dump *d = r->dump;
	struct var *v;

	if (++r->seen % CHANGES_PER_TICK == 0)
		alarm(READER_SECONDS);
	if (handle > d->max_handle || d->by_handle[handle] < 0 || r->no_memory)
		return;
	v = &d->vars[d->by_handle[handle]];
	if (len != v->bits)
		return;
	if (time != r->time) {
		end_of_time(r);
		r->time = time;
	}
	if (!reserve((void **)&r->changes, &r->capacity, r->count + 1, sizeof(*r->changes)) ||
	    !reserve((void **)&r->text, &r->text_capacity, r->text_used + len, 1)) {
		r->no_memory = true;
		return;
	}
	memcpy(r->text + r->text_used, value, len);
	r->changes[r->count++] = (struct change){ (uint32_t)d->by_handle[handle], (uint32_t)r->text_used };
	r->text_used += len;
	if (v == &d->vars[d->place[P_clk_i][0].var]) {
		r->rising = value[0] == '1' && !r->clock;
		r->clock = value[0] == '1';
	}
}

static void on_change(void *arg, uint64_t time, fstHandle handle, const unsigned char *value)
{
	change(arg, time, handle, value, (uint32_t)strlen((const char *)value));
}

static void on_change_varlen(void *arg, uint64_t time, fstHandle handle, const unsigned char *value,
                             uint32_t len)
{
	change(arg, time, handle, value, len);
}

/* Constants of the build, from the block of values that begins the dump. */
static void read_parameter(struct dump *d, fstHandle handle, uint32_t *to)
{
	char *text, *buffer;

	if (!handle || *to)
		return;
	buffer = calloc(1, d->longest + 1);
	if (!buffer)
		return;
	text = fstReaderGetValueFromHandleAtTime(d->fst, fstReaderGetStartTime(d->fst), handle, buffer);
	if (text)
		*to = (uint32_t)strtoul(text, NULL, 2);
	free(buffer);
}

const char *dump_open(struct dump **dump, const char *path, const char *scope)
{
	struct dump *d = calloc(1, sizeof(*d));
	struct stat file;
	const char *error;

	*dump = d;
	if (!d)
		return "out of memory";
	if (stat(path, &file) || access(path, R_OK))
		return strerror(errno);
	if (S_ISDIR(file.st_mode))
		return strerror(EISDIR);
	if (S_ISREG(file.st_mode) && !file.st_size)
		return "is empty";
	alarm(READER_SECONDS);
	d->fst = fstReaderOpen(path);
	if (!d->fst)
		return "is not an FST waveform, or is damaged";
	d->max_handle = fstReaderGetMaxHandle(d->fst);
	d->by_handle = malloc(((size_t)d->max_handle + 1) * sizeof(*d->by_handle));
	if (!d->by_handle)
		return "out of memory";
	for (size_t i = 0; i <= d->max_handle; i++)
		d->by_handle[i] = -1;
	error = dump_bind(d, scope);
	if (error)
		return error;
	read_parameter(d, d->smem_bytes, &d->shape.smem_bytes);
	read_parameter(d, d->windows, &d->shape.windows);
	read_parameter(d, d->multimem, &d->shape.multimem);
	read_parameter(d, d->packed, &d->shape.packed);
	read_parameter(d, d->reductions, &d->shape.reductions);
	read_parameter(d, d->floats, &d->shape.floats);
	d->shape.has_packed = d->packed != 0;
	return NULL;
}

const char *dump_run(struct dump *d, void (*sample)(void *arg, uint64_t time), void *arg)
{
	struct run r = { .dump = d, .sample = sample, .arg = arg, .clock = true };
	const char *error = NULL;

	fstReaderClrFacProcessMaskAll(d->fst);
	for (uint32_t i = 0; i < d->num_vars; i++)
		fstReaderSetFacProcessMask(d->fst, d->vars[i].handle);
	if (!fstReaderIterBlocks2(d->fst, on_change, on_change_varlen, &r, NULL))
		error = "has no values, or is damaged";
	end_of_time(&r);
	if (r.no_memory)
		error = "out of memory";
	else if (!error && !r.seen)
		error = "has no values, or is damaged";
	free(r.changes);
	free(r.text);
	return error;
}

void dump_end_reading(struct dump *d)
{
	alarm(0);
	if (!d || !d->fst)
		return;
	d->exponent = fstReaderGetTimescale(d->fst);
	fstReaderClose(d->fst);
	d->fst = NULL;
}

void dump_close(struct dump *d)
{
	if (!d)
		return;
	dump_end_reading(d);
	for (uint32_t i = 0; i < d->num_vars; i++)
		free(d->vars[i].value);
	for (unsigned p = 0; p < NUM_PORTS; p++)
		for (unsigned u = 0; u < DUMP_MAX_UNITS; u++)
			free(d->place[p][u].name);
	free(d->by_handle);
	free(d);
}

const struct shape *dump_shape(const struct dump *d)
{
	return &d->shape;
}

const char *dump_name(const struct dump *d, enum port port, unsigned unit)
{
	return d->place[port][unit].name;
}

double dump_ns(const struct dump *d, uint64_t time)
{
	double ns = (double)time;

	for (int exponent = d->exponent; exponent != -9;)
		if (exponent < -9) {
			ns /= 10;
			exponent++;
		} else {
			ns *= 10;
			exponent--;
		}
	return ns;
}

uint64_t dump_get(const struct dump *d, enum port port, unsigned unit)
{
	const struct place *p = &d->place[port][unit];
	const uint8_t *value = d->vars[p->var].value;
	uint64_t word = 0;

	if (p->bits == 1)
		return value[p->lsb / 8] >> p->lsb % 8 & 1;
	for (uint32_t i = 0; i < p->bits; i++) {
		uint32_t bit = p->lsb + i;

		word |= (uint64_t)(value[bit / 8] >> bit % 8 & 1) << i;
	}
	return word;
}

/* Elements of whole bytes start at whole bytes. */
void dump_bytes(const struct dump *d, enum port port, unsigned unit, void *to, uint32_t bytes)
{
	const struct place *p = &d->place[port][unit];

	memcpy(to, d->vars[p->var].value + p->lsb / 8, bytes);
}
