/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what has changed. */
#include "sim/pin_wave.h"

#include <cstring>
#include <string>

#include <gtkwave/fstapi.h>

/* Bits lsb .. lsb + bits - 1 of a port, and the bytes with them as they were last. */
struct pin_wave::pin {
	fstHandle handle;
	unsigned lsb, bits;
	const uint8_t *value;
	std::vector<uint8_t> shown;
};

pin_wave::pin_wave(const char *path) : file(fstWriterCreate(path, 1))
{
	if (!file)
		return;
	fstWriterSetTimescale(file, -12);
	fstWriterSetPackType(file, FST_WR_PT_LZ4);
	fstWriterSetScope(file, FST_ST_VCD_MODULE, "tma_engine", nullptr);
}

pin_wave::~pin_wave()
{
	if (file)
		fstWriterClose(file);
}

bool pin_wave::is_open() const
{
	return file;
}

void pin_wave::add(const char *name, unsigned lsb, unsigned bits, const void *value)
{
	const std::string range = bits > 1 ? " [" + std::to_string(bits - 1) + ":0]" : "";

	pins.push_back(
		{ fstWriterCreateVar(file, FST_VT_VCD_WIRE, FST_VD_IMPLICIT, bits, (name + range).c_str(), 0),
	          lsb,
	          bits,
	          static_cast<const uint8_t *>(value),
	          {} });
}

void pin_wave::port(const char *name, unsigned bits, const void *value)
{
	add(name, 0, bits, value);
}

void pin_wave::array(const char *name, unsigned count, unsigned bits, const void *value)
{
	for (unsigned i = 0; i < count; i++)
		add((std::string(name) + "[" + std::to_string(i) + "]").c_str(), i * bits, bits, value);
}

void pin_wave::constant(const char *name, uint32_t value)
{
	constants.push_back(std::make_unique<uint32_t>(value));
	add(name, 0, 32, constants.back().get());
}

static std::vector<uint32_t> bits_of(const uint8_t *value, unsigned lsb, unsigned bits)
{
	std::vector<uint32_t> words((bits + 31) / 32);

	for (unsigned i = 0; i < bits; i++)
		words[i / 32] |= static_cast<uint32_t>(value[(lsb + i) / 8] >> (lsb + i) % 8 & 1) << i % 32;
	return words;
}

void pin_wave::dump(uint64_t time)
{
	fstWriterEmitTimeChange(file, time);
	for (pin &p : pins) {
		const uint8_t *first = p.value + p.lsb / 8, *end = p.value + (p.lsb + p.bits + 7) / 8;

		if (!p.shown.empty() && !std::memcmp(first, p.shown.data(), p.shown.size()))
			continue;
		p.shown.assign(first, end);
		fstWriterEmitValueChangeVec32(file, p.handle, p.bits, bits_of(p.value, p.lsb, p.bits).data());
	}
}
