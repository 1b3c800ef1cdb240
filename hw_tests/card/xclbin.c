/* SPDX-License-Identifier: Apache-2.0 */
/* The container: a head, a table of sections, the sections, each at a multiple of 8 bytes. */
#define _GNU_SOURCE /* open_memstream() */
#include "card/xclbin.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tma_shell.h"

#define HEAD_BYTES    456u
#define SECTION_BYTES 40u
#define NUM_SECTIONS  5u

/* Offsets in the head. */
#define AT_MAGIC    0u
#define AT_SIGNED   8u   /* -1: it is not; behind it the block of keys, all ones */
#define AT_ID       296u /* not 0 */
#define AT_HEADER   304u
#define AT_LENGTH   (AT_HEADER + 0u)
#define AT_MODE     (AT_HEADER + 28u)
#define AT_PLATFORM (AT_HEADER + 48u)
#define AT_UUID     (AT_HEADER + 112u)
#define AT_SECTIONS (AT_HEADER + 144u)

#define MODE_HW_EMU_PR 6u
#define PLATFORM       "tramway_simulated_card"

enum kind {
	BITSTREAM = 0,
	EMBEDDED_METADATA = 2,
	MEM_TOPOLOGY = 6,
	CONNECTIVITY = 7,
	IP_LAYOUT = 8,
};

#define MEM_HBM   6u
#define IP_KERNEL 1u

struct section {
	enum kind kind;
	char *bytes;
	size_t size;
};

/*
 * Little-endian words into a growing file of memory.
 */

static void put(FILE *out, uint64_t value, unsigned int bytes)
{
	for (; bytes; bytes--, value >>= 8)
		fputc((int)(value & 0xFF), out);
}

static void put_text(FILE *out, const char *text, size_t room)
{
	size_t length = strlen(text);

	fwrite(text, 1, length, out);
	for (; length < room; length++)
		fputc(0, out);
}

static void put_metadata(FILE *out, const struct xclbin_card *card)
{
	uint32_t p;

	fprintf(out,
	        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	        "<project name=\"tramway\"><platform vendor=\"tramway\" boardid=\"card\" name=\"card\" "
	        "featureRomTime=\"0\"><device name=\"fpga0\"><core name=\"OCL_REGION_0\" target=\"hw_em\" "
	        "type=\"clc_region\" clockFreq=\"0MHz\" numComputeUnits=\"1\">\n"
	        "<kernel name=\"" XCLBIN_KERNEL "\" language=\"c\" type=\"rtl\" "
	        "hwControlProtocol=\"ap_ctrl_hs\">\n");
	fprintf(out,
	        "<port name=\"S_AXI_CONTROL\" mode=\"slave\" range=\"0x%X\" dataWidth=\"32\" "
	        "portType=\"addressable\" base=\"0x0\"/>\n",
	        XCLBIN_SPACE);
	for (p = 0; p < card->ports; p++)
		fprintf(out,
		        "<port name=\"M_AXI_GMEM%u\" mode=\"master\" range=\"0xFFFFFFFFFFFFFFFF\" "
		        "dataWidth=\"128\" portType=\"addressable\" base=\"0x0\"/>\n",
		        p);
	for (p = 0; p < card->ports; p++)
		fprintf(out,
		        "<arg name=\"memory%u\" addressQualifier=\"1\" id=\"%u\" port=\"M_AXI_GMEM%u\" "
		        "size=\"0x8\" offset=\"0x%X\" hostOffset=\"0x0\" hostSize=\"0x8\" type=\"void*\"/>\n",
		        p, p, p, TMA_SHELL_ARGUMENT(p));
	fprintf(out,
	        "<instance name=\"" XCLBIN_KERNEL "_1\"><addrRemap base=\"0x%X\" port=\"S_AXI_CONTROL\"/>"
	        "</instance></kernel></core></device></platform></project>\n",
	        XCLBIN_BASE);
}

static void put_memory(FILE *out, const struct xclbin_card *card)
{
	char name[16];
	uint32_t p;

	put(out, card->ports, 4);
	put(out, 0, 4);
	for (p = 0; p < card->ports; p++) {
		put(out, MEM_HBM, 1);
		put(out, 1, 1); /* it is there */
		put(out, 0, 6);
		put(out, card->bank_bytes / 1024, 8);
		put(out, XCLBIN_MEMORY + p * card->bank_bytes, 8);
		snprintf(name, sizeof(name), "HBM[%u]", p);
		put_text(out, name, sizeof(name));
	}
}

static void put_connectivity(FILE *out, const struct xclbin_card *card)
{
	uint32_t p;

	put(out, card->ports, 4);
	for (p = 0; p < card->ports; p++) {
		put(out, p, 4); /* argument */
		put(out, 0, 4); /* kernel */
		put(out, p, 4); /* bank */
	}
}

static void put_kernel(FILE *out)
{
	put(out, 1, 4);
	put(out, 0, 4);
	put(out, IP_KERNEL, 4);
	put(out, 0, 4); /* no interrupt, ap_ctrl_hs */
	put(out, XCLBIN_BASE, 8);
	put_text(out, XCLBIN_KERNEL ":" XCLBIN_KERNEL "_1", 64);
}

static void put_section(FILE *out, enum kind kind, const struct xclbin_card *card)
{
	switch (kind) {
	case EMBEDDED_METADATA:
		put_metadata(out, card);
		break;
	case MEM_TOPOLOGY:
		put_memory(out, card);
		break;
	case CONNECTIVITY:
		put_connectivity(out, card);
		break;
	case IP_LAYOUT:
		put_kernel(out);
		break;
	default:
		fwrite(card->bits, 1, card->num_bits, out);
	}
}

/* @return 0 or -ENOMEM */
static int make_section(struct section *s, const struct xclbin_card *card)
{
	FILE *out = open_memstream(&s->bytes, &s->size);

	if (!out)
		return -ENOMEM;
	put_section(out, s->kind, card);
	return fclose(out) ? -ENOMEM : 0;
}

/*
 * The file.
 */

static uint64_t whole_words(uint64_t bytes)
{
	return (bytes + 7) & ~UINT64_C(7);
}

static void set(uint8_t *at, uint64_t value, unsigned int bytes)
{
	for (; bytes; bytes--, value >>= 8)
		*at++ = (uint8_t)value;
}

/* XRT keeps what it has loaded by this: another content has another one. */
static void set_uuid(uint8_t *uuid, const struct section *sections)
{
	uint64_t hash[2] = { UINT64_C(0xCBF29CE484222325), UINT64_C(0x84222325CBF29CE4) };
	size_t s, i;

	for (s = 0; s < NUM_SECTIONS; s++)
		for (i = 0; i < sections[s].size; i++) {
			hash[0] = (hash[0] ^ (uint8_t)sections[s].bytes[i]) * UINT64_C(0x100000001B3);
			hash[1] = (hash[1] + hash[0]) * UINT64_C(0x9E3779B97F4A7C15);
		}
	set(uuid, hash[0], 8);
	set(uuid + 8, hash[1] | 1, 8);
}

static int write_all(FILE *file, const struct section *sections)
{
	uint8_t head[HEAD_BYTES + NUM_SECTIONS * SECTION_BYTES] = { 0 }, *entry = head + HEAD_BYTES;
	uint64_t at = whole_words(sizeof(head));
	size_t s;

	memcpy(head + AT_MAGIC, "xclbin2", 8);
	memset(head + AT_SIGNED, 0xFF, AT_ID - AT_SIGNED);
	set_uuid(head + AT_UUID, sections);
	memcpy(head + AT_ID, head + AT_UUID, 8);
	set(head + AT_MODE, MODE_HW_EMU_PR, 2);
	memcpy(head + AT_PLATFORM, PLATFORM, sizeof(PLATFORM));
	set(head + AT_SECTIONS, NUM_SECTIONS, 4);
	for (s = 0; s < NUM_SECTIONS; s++, entry += SECTION_BYTES) {
		set(entry, sections[s].kind, 4);
		set(entry + 24, at, 8);
		set(entry + 32, sections[s].size, 8);
		at += whole_words(sections[s].size);
	}
	set(head + AT_LENGTH, at, 8);
	fwrite(head, 1, sizeof(head), file);
	for (s = 0; s < NUM_SECTIONS; s++) {
		fwrite(sections[s].bytes, 1, sections[s].size, file);
		put(file, 0, (unsigned int)(whole_words(sections[s].size) - sections[s].size));
	}
	return fflush(file) || ferror(file) ? -EIO : 0;
}

_Static_assert((HEAD_BYTES + NUM_SECTIONS * SECTION_BYTES) % 8 == 0, "sections begin at a multiple of 8");

bool xclbin_possible(const struct xclbin_card *card)
{
	return card->ports && card->ports <= XCLBIN_MAX_PORTS && card->bank_bytes &&
	       card->bank_bytes % 4096 == 0 &&
	       card->bank_bytes <= (UINT64_MAX - XCLBIN_MEMORY) / XCLBIN_MAX_PORTS;
}

int xclbin_write(FILE *file, const struct xclbin_card *card)
{
	struct section sections[NUM_SECTIONS] = { { .kind = BITSTREAM },
		                                  { .kind = EMBEDDED_METADATA },
		                                  { .kind = MEM_TOPOLOGY },
		                                  { .kind = CONNECTIVITY },
		                                  { .kind = IP_LAYOUT } };
	size_t s;
	int error = 0;

	if (!xclbin_possible(card))
		return -EINVAL;
	for (s = 0; s < NUM_SECTIONS && !error; s++)
		error = make_section(&sections[s], card);
	error = error ? error : write_all(file, sections);
	for (s = 0; s < NUM_SECTIONS; s++)
		free(sections[s].bytes);
	return error;
}
