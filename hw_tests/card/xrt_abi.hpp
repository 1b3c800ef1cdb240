/* SPDX-License-Identifier: Apache-2.0 */
/*
 * xrt_abi - what libxrt_coreutil of XRT 2.13 expects of a driver library: two classes, as their tables of virtual
 * functions have them.
 *
 * XRT's own headers of these are not installed. Only the order of the functions counts, so those that no caller
 * of the C interface needs are numbers. hw_tests/card/xrt_slots.py compares the order with a driver of the installed XRT.
 */
#ifndef XRT_ABI_HPP
#define XRT_ABI_HPP

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

struct axlf;
struct xclBOProperties;

namespace xrt_core
{

/* The order is the contract. Not defined here but in libxrt_coreutil. */
class device
{
      public:
	explicit device(unsigned int id);
	virtual void close_device();
	virtual void open_context(const unsigned char *uuid, unsigned int kernel, bool shared);
	virtual void close_context(const unsigned char *uuid, unsigned int kernel);
	virtual unsigned int alloc_bo(size_t size, unsigned int flags);
	virtual unsigned int alloc_bo_of(void *host, size_t size, unsigned int flags);
	virtual void free_bo(unsigned int bo);
	virtual void slot6();
	virtual void slot7();
	virtual void slot8();
	virtual void slot9();
	virtual void slot10();
	virtual void sync_bo(unsigned int bo, int direction, size_t size, size_t offset);
	virtual void *map_bo(unsigned int bo, bool write);
	virtual void unmap_bo(unsigned int bo, void *at);
	virtual void get_bo_properties(unsigned int bo, xclBOProperties *properties) const;
	virtual void reg_read(unsigned int kernel, uint32_t offset, uint32_t *value) const;
	virtual void reg_write(unsigned int kernel, uint32_t offset, uint32_t value);
	virtual void slot17();
	virtual void slot18();
	virtual void slot19();
	virtual void slot20();
	virtual void slot21();
	virtual void slot22();
	virtual void load_axlf(const axlf *xclbin);
	virtual void slot24();
	virtual void slot25();
	virtual void slot26();
	virtual void slot27();
	virtual void slot28();
	virtual void slot29();
	virtual void slot30();
	virtual void slot31();
	virtual void slot32();
	virtual void slot33();
	virtual void slot34();
	virtual void slot35();
	virtual void slot36();
	virtual void slot37();
	virtual void slot38();
	virtual void slot39();
	virtual void slot40();
	virtual void slot41();
	virtual void slot42();
	virtual void slot43();
	virtual void slot44();
	virtual void slot45();
	virtual void slot46();
	virtual void slot47();
	virtual void slot48();
	virtual void slot49();
	virtual void slot50();
	virtual void slot51();
	virtual void slot52();
	virtual void slot53();
	virtual void slot54();
	virtual void slot55();
	virtual void slot56();
	virtual ~device(); /* two slots */
	virtual void *get_device_handle() const;
	virtual void *get_mgmt_handle() const;
	virtual void *get_user_handle() const;
	virtual bool is_userpf() const;
	virtual const void *lookup_query(int key) const;
	virtual void slot64();
	virtual void slot65();
	virtual void slot66();
	virtual void slot67();
	virtual void slot68();
	virtual void slot69();
	virtual void slot70();

	void register_axlf(const axlf *xclbin);

      private:
	char opaque[1024]; /* larger than its members are */
};

class system
{
      public:
	system();
	virtual void get_xrt_info(void *tree) = 0;
	virtual void get_os_info(void *tree) = 0;
	virtual void get_devices(void *tree) const = 0;
	virtual uint64_t get_device_id(const std::string &name) const;
	virtual std::pair<unsigned int, unsigned int> get_total_devices(bool is_user) const = 0;
	virtual std::shared_ptr<device> get_userpf_device(unsigned int id) const = 0;
	virtual std::shared_ptr<device> get_userpf_device_of(void *handle, unsigned int id) const = 0;
	virtual std::shared_ptr<device> get_mgmtpf_device(unsigned int id) const = 0;
	virtual int slot8() const = 0;
	virtual void slot9() = 0;
	virtual void slot10() = 0;
	virtual void slot11() = 0;

      private:
	char opaque[1024];
};

/* Makes the object through the system, and finds it again by its handle. */
std::shared_ptr<device> get_userpf_device(void *handle, unsigned int id);

/* What a driver throws where it has no answer; libxrt then asks elsewhere. */
namespace query
{

class __attribute__((visibility("default"))) exception : public std::runtime_error
{
      public:
	using std::runtime_error::runtime_error;
};

class __attribute__((visibility("default"))) no_such_key : public exception
{
      public:
	using exception::exception;
};

} // namespace query
} // namespace xrt_core

#endif
