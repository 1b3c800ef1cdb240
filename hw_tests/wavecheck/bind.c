/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the engine in a dump by the names of its ports, and its shape by their widths. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <fstapi.h>

#include "wavecheck/dump_priv.h"

enum per { PER_ENGINE, PER_CTA, PER_GLOBAL };

struct port_info {
	const char *name;
	enum per per;
	uint32_t bits;
};

#define INFO_ENGINE(n, b) { #n, PER_ENGINE, b },
#define INFO_CTA(n, b)    { #n, PER_CTA, b },
#define INFO_GLOBAL(n, b) { #n, PER_GLOBAL, b },
static const struct port_info ports[NUM_PORTS] = { DUMP_PORTS(INFO_ENGINE, INFO_CTA, INFO_GLOBAL) };

/* What of a port was found in the scope that is looked at. */
struct found {
	uint32_t handle[DUMP_MAX_UNITS], bits[DUMP_MAX_UNITS];
	char *name[DUMP_MAX_UNITS];
	uint32_t count;
	bool indexed; /* a variable per element */
};

static void forget(struct found *found)
{
	for (unsigned p = 0; p < NUM_PORTS; p++)
		for (unsigned u = 0; u < DUMP_MAX_UNITS; u++)
			free(found[p].name[u]);
	memset(found, 0, NUM_PORTS * sizeof(*found));
}

/* "name", "name [7:0]", "name[2]" or "name[2] [7:0]": port and element, -1 if it has none. */
static int parse(const char *text, int *element)
{
	size_t length = strcspn(text, " [");
	char *end;

	*element = -1;
	for (int p = 0; p < NUM_PORTS; p++) {
		if (strlen(ports[p].name) != length || strncmp(ports[p].name, text, length))
			continue;
		if (text[length] == '[') {
			*element = (int)strtol(text + length + 1, &end, 10);
			if (*end != ']' || *element < 0 || *element >= DUMP_MAX_UNITS)
				return -1;
		}
		return p;
	}
	return -1;
}

static void note(struct dump *d, struct found *found, const char *scope, const struct fstHier *h)
{
	int element;
	int p = parse(h->u.var.name, &element);
	struct found *f;
	size_t length;

	if (h->u.var.length > d->longest)
		d->longest = h->u.var.length;
	if (p < 0)
		return;
	f = &found[p];
	f->indexed = element >= 0;
	if (element < 0)
		element = 0;
	if (f->name[element])
		return;
	length = strlen(scope) + strcspn(h->u.var.name, " ") + 2;
	f->name[element] = malloc(length);
	if (!f->name[element])
		return;
	snprintf(f->name[element], length, "%s.%s", scope, h->u.var.name);
	f->handle[element] = h->u.var.handle;
	f->bits[element] = h->u.var.length;
	f->count++;
}

static bool complete(const struct found *found)
{
	for (unsigned p = 0; p < NUM_PORTS; p++)
		if (!found[p].count)
			return false;
	return true;
}

static unsigned present(const struct found *found)
{
	unsigned count = 0;

	for (unsigned p = 0; p < NUM_PORTS; p++)
		count += found[p].count != 0;
	return count;
}

static const char *refuse(struct dump *d, const char *format, const char *a, const char *b)
{
	snprintf(d->error, sizeof(d->error), format, a, b);
	return d->error;
}

static uint32_t units_of(const struct dump *d, enum per per)
{
	return per == PER_CTA ? d->shape.ctas : per == PER_GLOBAL ? d->shape.ports : 1;
}

/* Signals that are always equal may be one variable. */
static bool add_var(struct dump *d, uint32_t handle, uint32_t bits)
{
	struct var *v = &d->vars[d->num_vars];

	if (d->by_handle[handle] >= 0)
		return true;
	*v = (struct var){ .handle = handle, .bits = bits, .value = calloc(1, (bits + 7) / 8) };
	if (!v->value)
		return false;
	d->by_handle[handle] = (int32_t)d->num_vars++;
	return true;
}

/* An element of every port, each inside one variable. */
static const char *place_port(struct dump *d, unsigned p, struct found *f)
{
	uint32_t units = units_of(d, ports[p].per);
	uint32_t bits = f->indexed ? f->bits[0] : f->bits[0] / units;

	if (ports[p].bits && bits != ports[p].bits)
		return refuse(d, "signal %s does not have the width of the engine's port%s", f->name[0], "");
	for (uint32_t u = 0; u < units; u++) {
		uint32_t from = f->indexed ? u : 0;
		struct place *place = &d->place[p][u];

		if (!f->name[from] || !f->handle[from] || f->handle[from] > d->max_handle)
			return refuse(d, "no signal for an element of port %s%s", ports[p].name, "");
		if (f->bits[from] != (f->indexed ? bits : bits * units))
			return refuse(d, "the elements of %s are not of one width%s", ports[p].name, "");
		if (!add_var(d, f->handle[from], f->bits[from]))
			return "out of memory";
		place->var = (uint32_t)d->by_handle[f->handle[from]];
		place->lsb = f->indexed ? 0 : u * bits;
		place->bits = bits;
		place->name = strdup(f->name[from]);
		if (!place->name)
			return "out of memory";
	}
	return NULL;
}

static uint32_t element_bits(const struct found *f, uint32_t units)
{
	return f->indexed ? f->bits[0] : f->bits[0] / units;
}

static const char *measure(struct dump *d, struct found *found)
{
	struct shape *s = &d->shape;
	uint32_t bits;

	s->ctas = found[P_ext_valid_i].bits[0];
	s->ports = found[P_m_axi_arvalid_o].bits[0];
	s->queues = found[P_queue_ready_o].bits[0];
	if (s->ctas < 1 || s->ctas > 16)
		return refuse(d, "signal %s: 1 to 16 CTAs are possible%s", found[P_ext_valid_i].name[0], "");
	if (s->ports < 1 || s->ports > 4)
		return refuse(d, "signal %s: 1 to 4 ports are possible%s", found[P_m_axi_arvalid_o].name[0],
		              "");
	if (s->queues < 1 || s->queues > 16)
		return refuse(d, "signal %s: 1 to 16 queues are possible%s", found[P_queue_ready_o].name[0],
		              "");
	bits = element_bits(&found[P_m_axi_rdata_i], s->ports);
	if (bits != 128 && bits != 256 && bits != 512 && bits != 1024)
		return refuse(d, "signal %s: a bus of this width is not possible%s",
		              found[P_m_axi_rdata_i].name[0], "");
	s->data_bytes = bits / 8;
	s->id_bits = element_bits(&found[P_m_axi_arid_o], s->ports);
	if (element_bits(&found[P_m_axi_wdata_o], s->ports) != bits ||
	    element_bits(&found[P_m_axi_wstrb_o], s->ports) != s->data_bytes)
		return refuse(d, "signal %s does not have the width of the bus%s",
		              found[P_m_axi_wdata_o].name[0], "");
	if (s->id_bits < 1 || s->id_bits > 8)
		return refuse(d, "signal %s: ids of this width are not possible%s",
		              found[P_m_axi_arid_o].name[0], "");
	for (unsigned p = 0; p < NUM_PORTS; p++) {
		const char *error = place_port(d, p, &found[p]);

		if (error)
			return error;
	}
	return NULL;
}

/* The ports come before the scope's inner scopes: a scope is judged when its first inner scope
 * opens, or it closes. */
static bool judge(struct found *found, struct found *best, const char *scope, const char *wanted,
                  char *missing, size_t size)
{
	if (wanted ? !strcmp(scope, wanted) : complete(found)) {
		memcpy(best, found, NUM_PORTS * sizeof(*found));
		memset(found, 0, NUM_PORTS * sizeof(*found));
		return true;
	}
	if (!wanted && present(found) > NUM_PORTS / 2 && !*missing)
		for (unsigned p = 0; p < NUM_PORTS; p++)
			if (!found[p].count) {
				snprintf(missing, size, "%s.%s", scope, ports[p].name);
				break;
			}
	forget(found);
	return false;
}

const char *dump_bind(struct dump *d, const char *wanted)
{
	struct found *found = calloc(2 * NUM_PORTS, sizeof(*found)), *best = found + NUM_PORTS;
	char missing[256] = "", scope[1024] = "";
	const char *error = NULL, *flat;
	struct fstHier *h;
	bool have = false;

	if (!found)
		return "out of memory";
	while ((h = fstReaderIterateHier(d->fst))) {
		if (h->htyp == FST_HT_SCOPE || h->htyp == FST_HT_UPSCOPE) {
			if (!have)
				have = judge(found, best, scope, wanted, missing, sizeof(missing));
			flat = h->htyp == FST_HT_SCOPE ? fstReaderPushScope(d->fst, h->u.scope.name, NULL)
			                               : fstReaderPopScope(d->fst);
			snprintf(scope, sizeof(scope), "%s", flat ? flat : "");
		} else if (h->htyp == FST_HT_VAR) {
			if (!have)
				note(d, found, scope, h);
			if (!strncmp(h->u.var.name, "SmemBytes ", 10) && h->u.var.length == 32)
				d->smem_bytes = h->u.var.handle;
			if (!strncmp(h->u.var.name, "NumWindows ", 11) && h->u.var.length == 32)
				d->windows = h->u.var.handle;
			if (!strncmp(h->u.var.name, "NumMultimem ", 12) && h->u.var.length == 32)
				d->multimem = h->u.var.handle;
			if (!strncmp(h->u.var.name, "NumReductions ", 14) && h->u.var.length == 32)
				d->reductions = h->u.var.handle;
			if (!strncmp(h->u.var.name, "Floats ", 7) && h->u.var.length == 32)
				d->floats = h->u.var.handle;
			/* A number in the configuration, of which the engine makes a bit. */
			if (!strcmp(h->u.var.name, "Packed") || !strncmp(h->u.var.name, "Packed ", 7))
				d->packed = h->u.var.handle;
			if (h->u.var.length > d->longest)
				d->longest = h->u.var.length;
		}
	}
	if (!have)
		have = judge(found, best, scope, wanted, missing, sizeof(missing));
	if (!have && wanted)
		error = refuse(d, "has no scope %s%s", wanted, "");
	else if (!have && *missing)
		error = refuse(d, "signal %s is missing%s", missing, "");
	else if (!have)
		error = "has no scope with the ports of the engine";
	for (unsigned p = 0; !error && p < NUM_PORTS; p++)
		if (!best[p].count)
			error = refuse(d, "signal %s.%s is missing", wanted ? wanted : "", ports[p].name);
	if (!error)
		error = measure(d, best);
	forget(found);
	forget(best);
	free(found);
	return error;
}
