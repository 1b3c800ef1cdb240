/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A driver library for XRT 2.13 whose card is simulated in the process: libxrt_tramway.so.2.
 *
 * The xclbin's bitstream is the name of the engine's configuration. Loading it makes a new card. C++ because the interface
 * between libxrt_coreutil and its drivers is classes (xrt_abi.hpp).
 */
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <system_error>
#include <sys/mman.h>

#include <xrt.h>

#include <xclbin.h>

#include "card/card.h"
#include "card/xrt_abi.hpp"

namespace
{

/* Time that passes with each access: the clock runs only when the host does something. */
constexpr uint32_t Cycles = 32;
constexpr uint64_t Page = 4096;
constexpr unsigned int NoKernel = 0xFFFFFFFF; /* what contexts of the whole card are of */

[[noreturn]] void fail(int error, const char *what)
{
	throw std::system_error(error, std::generic_category(), what);
}

/* A process that ends with a card open: libxrt closes it when what the simulator needs is gone already. */
struct ending {
	bool now = false;

	~ending()
	{
		now = true;
	}
} ending;

struct buffer {
	uint8_t *host; /* of libxrt */
	uint64_t size, address;
};

/* A card that is open in this process. */
struct state {
	std::shared_ptr<xrt_core::device> device;
	struct card *card = nullptr;
	uint8_t *memory = nullptr;
	uint64_t base = 0, bank_bytes = 0;
	unsigned int banks = 0;
	bool exclusive = false;
	unsigned int next = 1;
	std::map<unsigned int, buffer> buffers;

	~state()
	{
		unload();
	}

	void unload()
	{
		int broken = card_close(card);

		if (memory)
			munmap(memory, banks * bank_bytes);
		card = nullptr;
		memory = nullptr;
		if (!broken)
			return;
		fprintf(stderr, "xrt_device: the engine has broken %d rules\n", broken);
		abort();
	}

	void load(const axlf *xclbin);
	uint64_t place(unsigned int bank, uint64_t size) const;
	buffer &find(unsigned int bo);
};

template <typename T> const T *section(const axlf *xclbin, axlf_section_kind kind, size_t *size)
{
	const axlf_section_header *header = xclbin::get_axlf_section(xclbin, kind);

	if (!header)
		fail(EINVAL, "the xclbin lacks a section");
	*size = header->m_sectionSize;
	return reinterpret_cast<const T *>(reinterpret_cast<const char *>(xclbin) + header->m_sectionOffset);
}

void state::load(const axlf *xclbin)
{
	size_t size;
	auto topology = section<mem_topology>(xclbin, MEM_TOPOLOGY, &size);
	auto bits = section<char>(xclbin, BITSTREAM, &size);
	std::string config(bits, strnlen(bits, size));

	while (!config.empty() && config.back() == '\n')
		config.pop_back();
	unload();
	banks = static_cast<unsigned int>(topology->m_count);
	base = topology->m_mem_data[0].m_base_address;
	bank_bytes = topology->m_mem_data[0].m_size * 1024;
	void *at = mmap(nullptr, banks * bank_bytes, PROT_READ | PROT_WRITE,
	                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		fail(ENOMEM, "memory of the card");
	memory = static_cast<uint8_t *>(at);
	/* Memory of a card holds anything at first. */
	memset(memory, 0xA5, 1 << 20);
	card = card_open(config.c_str(), memory, base, bank_bytes);
	if (!card)
		fail(EINVAL, "no engine of that configuration");
	if (card_ports(card) != banks)
		fail(EINVAL, "a bank per port is expected");
}

/* The lowest place in a bank that meets no buffer, nor the page behind one. */
uint64_t state::place(unsigned int bank, uint64_t size) const
{
	uint64_t at = base + bank * bank_bytes, end = at + bank_bytes;
	bool moved = true;

	size = ((size + Page - 1) & ~(Page - 1)) + Page;
	while (moved) {
		moved = false;
		for (const auto &entry : buffers) {
			const buffer &b = entry.second;
			uint64_t behind = ((b.address + b.size + Page - 1) & ~(Page - 1)) + Page;

			if (at < behind && b.address < at + size) {
				at = behind;
				moved = true;
			}
		}
	}
	if (size > end - at || at >= end)
		fail(ENOMEM, "no room in the bank");
	return at;
}

buffer &state::find(unsigned int bo)
{
	auto found = buffers.find(bo);

	if (found == buffers.end())
		fail(EINVAL, "no such buffer");
	return found->second;
}

class device : public xrt_core::device
{
	state *s;

      public:
	device(void *handle, unsigned int id) : xrt_core::device(id), s(static_cast<state *>(handle))
	{
	}

	/* The last that is called: libxrt counts who uses the card, and has a pointer that does not own. This object
	 * goes with the state. */
	void close_device() override
	{
		if (!ending.now)
			delete s;
	}

	void open_context(const unsigned char *, unsigned int kernel, bool shared) override
	{
		if (kernel == NoKernel)
			return;
		if (s->exclusive)
			fail(EBUSY, "the kernel is in use");
		s->exclusive = !shared;
	}

	void close_context(const unsigned char *, unsigned int kernel) override
	{
		if (kernel != NoKernel)
			s->exclusive = false;
	}

	unsigned int alloc_bo_of(void *host, size_t size, unsigned int flags) override
	{
		unsigned int bank = flags & 0xFFFFFF;

		if (bank >= s->banks)
			fail(EINVAL, "no such bank");
		s->buffers[s->next] = { static_cast<uint8_t *>(host), size, s->place(bank, size) };
		return s->next++;
	}

	void free_bo(unsigned int bo) override
	{
		s->buffers.erase(bo);
	}

	void sync_bo(unsigned int bo, int direction, size_t size, size_t offset) override
	{
		const buffer &b = s->find(bo);

		if (offset > b.size || size > b.size - offset)
			fail(EINVAL, "outside of the buffer");
		card_run(s->card, Cycles);
		if (direction == XCL_BO_SYNC_BO_TO_DEVICE)
			memcpy(s->memory + (b.address - s->base) + offset, b.host + offset, size);
		else
			memcpy(b.host + offset, s->memory + (b.address - s->base) + offset, size);
	}

	void get_bo_properties(unsigned int bo, xclBOProperties *properties) const override
	{
		const buffer &b = s->find(bo);

		*properties = {};
		properties->handle = bo;
		properties->size = b.size;
		properties->paddr = b.address;
	}

	/* As the drivers of cards, which want words. */
	static void check(unsigned int kernel, uint32_t offset)
	{
		if (kernel || offset % 4 || offset >= CARD_SPACE)
			fail(EINVAL, "no such register");
	}

	void reg_read(unsigned int kernel, uint32_t offset, uint32_t *value) const override
	{
		check(kernel, offset);
		card_run(s->card, Cycles);
		*value = card_read(s->card, offset);
	}

	void reg_write(unsigned int kernel, uint32_t offset, uint32_t value) override
	{
		check(kernel, offset);
		card_write(s->card, offset, value);
	}

	void load_axlf(const axlf *xclbin) override
	{
		s->load(xclbin);
		register_axlf(xclbin);
	}

	void *get_device_handle() const override
	{
		return s;
	}

	void *get_user_handle() const override
	{
		return s;
	}

	bool is_userpf() const override
	{
		return true;
	}

	const void *lookup_query(int key) const override
	{
		throw xrt_core::query::no_such_key("no answer to query " + std::to_string(key));
	}

	unsigned int alloc_bo(size_t, unsigned int) override
	{
		fail(ENOTSUP, "buffers without host memory");
	}

	void *map_bo(unsigned int bo, bool) override
	{
		return s->find(bo).host;
	}

	void unmap_bo(unsigned int, void *) override
	{
	}

	void *get_mgmt_handle() const override
	{
		return nullptr;
	}

/* Nobody calls these through the C interface of devices, buffers and registers. */
#define NOT_USED(n)                        \
	void slot##n() override            \
	{                                  \
		fail(ENOTSUP, "slot " #n); \
	}
	/* clang-format off */
	NOT_USED(6) NOT_USED(7) NOT_USED(8) NOT_USED(9) NOT_USED(10) NOT_USED(17) NOT_USED(18) NOT_USED(19)
	NOT_USED(20) NOT_USED(21) NOT_USED(22) NOT_USED(24) NOT_USED(25) NOT_USED(26) NOT_USED(27) NOT_USED(28)
	NOT_USED(29) NOT_USED(30) NOT_USED(31) NOT_USED(32) NOT_USED(33) NOT_USED(34) NOT_USED(35) NOT_USED(36)
	NOT_USED(37) NOT_USED(38) NOT_USED(39) NOT_USED(40) NOT_USED(41) NOT_USED(42) NOT_USED(43) NOT_USED(44)
	NOT_USED(45) NOT_USED(46) NOT_USED(47) NOT_USED(48) NOT_USED(49) NOT_USED(50) NOT_USED(51) NOT_USED(52)
	NOT_USED(53) NOT_USED(54) NOT_USED(55) NOT_USED(56) NOT_USED(64) NOT_USED(65) NOT_USED(66) NOT_USED(67)
	NOT_USED(68) NOT_USED(69) NOT_USED(70)
	/* clang-format on */
};

/* One card, which every opening finds anew. */
class system : public xrt_core::system
{
      public:
	std::pair<unsigned int, unsigned int> get_total_devices(bool) const override
	{
		return { 1, 1 };
	}

	std::shared_ptr<xrt_core::device> get_userpf_device(unsigned int id) const override
	{
		if (id)
			fail(ENODEV, "there is one card");
		auto s = new state;

		s->device = xrt_core::get_userpf_device(s, id);
		return s->device;
	}

	std::shared_ptr<xrt_core::device> get_userpf_device_of(void *handle, unsigned int id) const override
	{
		return std::make_shared<device>(handle, id);
	}

	std::shared_ptr<xrt_core::device> get_mgmtpf_device(unsigned int) const override
	{
		fail(ENOTSUP, "there is no management");
	}

	uint64_t get_device_id(const std::string &name) const override
	{
		return std::stoul(name);
	}

	void get_devices(void *) const override
	{
	}

	/* Facts about the machine, for what libxrt says in front of its first error. */
	void get_xrt_info(void *) override
	{
	}

	void get_os_info(void *) override
	{
	}

	int slot8() const override
	{
		return 0;
	}
	NOT_USED(9)
	NOT_USED(10)
	NOT_USED(11)
};

/* Its construction makes libxrt look for no other driver. It stays: libxrt has its address. */
system *const the_system = new system;

} // namespace

extern "C" __attribute__((visibility("default"))) unsigned int xclProbe()
{
	return 1;
}
