/* SPDX-License-Identifier: Apache-2.0 */
/*
 * pin_wave - a waveform of the engine's pins and constants, under the names that Verilator has for them. Verilator's own
 * shows all of the engine, and looks at all of it in every cycle, which takes twenty times as long.
 */
#ifndef PIN_WAVE_H
#define PIN_WAVE_H

#include <cstdint>
#include <memory>
#include <vector>

class pin_wave
{
      public:
	/* Whether it can be written says is_open(). */
	explicit pin_wave(const char *path);
	~pin_wave();
	pin_wave(const pin_wave &) = delete;
	pin_wave &operator=(const pin_wave &) = delete;

	bool is_open() const;
	void constant(const char *name, uint32_t value);
	/* A port: `value` is an array of bytes, bit i in byte i / 8, that lives as long as this. */
	void port(const char *name, unsigned bits, const void *value);
	/* One of `count` elements, each a variable. */
	void array(const char *name, unsigned count, unsigned bits, const void *value);
	/* What ports show from now on. */
	void dump(uint64_t time);

      private:
	struct pin;

	void add(const char *name, unsigned lsb, unsigned bits, const void *value);
	void *file;
	std::vector<pin> pins;
	std::vector<std::unique_ptr<uint32_t>> constants;
};

#endif
