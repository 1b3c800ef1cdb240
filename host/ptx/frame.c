/* SPDX-License-Identifier: Apache-2.0 */
/* The declarations of the frame around a single instruction. */
#include <stdio.h>
#include <string.h>

#include "ptx.h"

/* Names that have the same declaration; %r<12> stands for %r0 to %r11. */
static const struct {
	struct tma_ptx_symbol symbol;
	const char *names;
} declared[] = {
	{ { TMA_PTX_VARIABLE, 0, TMA_PTX_GLOBAL }, "gbl gMem" },
	{ { TMA_PTX_VARIABLE, 0, TMA_PTX_CONST }, "cmap" },
	{ { TMA_PTX_VARIABLE, 0, TMA_PTX_SHARED }, "smem sMem shmbar shMem shrd" },
	{ { TMA_PTX_VARIABLE, 0, TMA_PTX_PARAM }, "pmap pg" },
	{ { TMA_PTX_REGISTER, TMA_PTX_PRED, 0 }, "p q pp" },
	{ { TMA_PTX_REGISTER, TMA_PTX_B64, 0 },
	  "dstMem srcMem mbar pol policy cache_policy gd gs dst64 src64 %rd<12> l2CachePolicy tm tensorMap tensorMap<8> "
	  "sMem<7> mbar0 mbar2 mbar3 mbar4 mbar5 peerMbar state state2 new_addr v64 d64 a64" },
	{ { TMA_PTX_REGISTER, TMA_PTX_B32, 0 },
	  "sd ss mb size n r32 srcsz addr32 cta %r<12> tc<5> t<4> x0 y<4> v32 d32 a32 cnt txc par" },
	{ { TMA_PTX_REGISTER, TMA_PTX_S32, 0 }, "c<6>" },
	{ { TMA_PTX_REGISTER, TMA_PTX_B16, 0 }, "byteMask ctaMask h<4> hb" },
	{ { TMA_PTX_REGISTER, TMA_PTX_U16, 0 }, "i2cOffW i2cOffH i2cOffD im2colwHalo im2colOff" },
	{ { TMA_PTX_REGISTER, TMA_PTX_F32, 0 }, "f0" },
	{ { TMA_PTX_REGISTER, TMA_PTX_F64, 0 }, "fd" },
	{ { TMA_PTX_REGISTER, TMA_PTX_B128, 0 }, "b128r" },
	{ { TMA_PTX_REGISTER, TMA_PTX_B8, 0 }, "bb" },
};

/* A decimal number below the limit, as a compiler numbers registers: without zeros in front. */
static bool is_below(const char *digits, uint32_t limit)
{
	uint32_t number = 0;

	if (!*digits || (*digits == '0' && digits[1]))
		return false;
	for (; *digits; digits++) {
		if (*digits < '0' || *digits > '9' || number > limit)
			return false;
		number = number * 10 + (uint32_t)(*digits - '0');
	}
	return number < limit;
}

/* Whether the word, up to its blank, declares the name. */
static bool declares(const char *word, const char *name)
{
	const size_t stem = strcspn(word, " <");
	uint32_t count = 0;

	if (strncmp(word, name, stem))
		return false;
	if (word[stem] != '<')
		return !name[stem];
	for (word += stem + 1; *word != '>'; word++)
		count = count * 10 + (uint32_t)(*word - '0');
	return is_below(name + stem, count);
}

static bool find(void *context, const char *name, struct tma_ptx_symbol *symbol)
{
	(void)context;
	for (size_t i = 0; i < sizeof(declared) / sizeof(declared[0]); i++) {
		for (const char *word = declared[i].names; *word; word += strspn(word, " ")) {
			if (declares(word, name)) {
				*symbol = declared[i].symbol;
				return true;
			}
			word += strcspn(word, " ");
		}
	}
	return false;
}

const struct tma_ptx_symbols *tma_ptx_frame(void)
{
	static const struct tma_ptx_symbols frame = { .find = find };

	return &frame;
}

/* "a, b, c" of "a b c". */
static size_t put_names(char *text, size_t size, size_t used, const char *names, const char *behind)
{
	while (*names) {
		const size_t length = strcspn(names, " ");

		used += (size_t)snprintf(used < size ? text + used : NULL, used < size ? size - used : 0,
		                         "%.*s%s%s", (int)length, names, behind,
		                         names[length] ? ", " : ";\n");
		names += length + strspn(names + length, " ");
	}
	return used;
}

int tma_ptx_frame_text(char *text, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < sizeof(declared) / sizeof(declared[0]); i++) {
		const struct tma_ptx_symbol *symbol = &declared[i].symbol;
		const bool is_variable = symbol->kind == TMA_PTX_VARIABLE;
		const char *type = symbol->type == TMA_PTX_PRED
		                           ? ".pred"
		                           : tma_ptx_modifier(TMA_PTX_CLASS_TYPE,
		                                              is_variable ? TMA_PTX_B8 : symbol->type);

		used += (size_t)snprintf(
			used < size ? text + used : NULL, used < size ? size - used : 0, "%s %s ",
			is_variable ? tma_ptx_modifier(TMA_PTX_CLASS_SPACE, symbol->space) : ".reg", type);
		used = put_names(text, size, used, declared[i].names, is_variable ? "[]" : "");
	}
	return (int)used;
}
