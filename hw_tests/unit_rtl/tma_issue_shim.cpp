/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated issue stage <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_issue.h"
#include "shape.h"
#include "unit_rtl/tma_issue_shim.h"

namespace
{

constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);
constexpr unsigned CtaWidth = TMA_NumCtas > 1 ? log2_up(TMA_NumCtas) : 1;
constexpr unsigned BarAddr = log2_up(TMA_SmemBytes) - 3;
constexpr unsigned ChunkAddr = log2_up(TMA_SmemBytes) - 4;

const struct issue_info info = { TMA_NumCtas, TMA_SmemBytes, TMA_NumQueues };

uint32_t get32(unpacker &u, unsigned width)
{
	return static_cast<uint32_t>(u.get(width));
}

void get_origin(unpacker &u, struct issue_copy &c)
{
	c.tag = get32(u, 32);
	c.seq = get32(u, 16);
	c.queue = get32(u, QueueWidth);
}

void get_signal(unpacker &u, struct issue_copy &c)
{
	get_origin(u, c);
	c.bytes = get32(u, 20);
	c.barrier = get32(u, BarAddr);
	c.again = get32(u, TMA_NumCtas);
	c.ctas = get32(u, TMA_NumCtas);
	c.arrive = get32(u, 1);
}

void get_tensor(unpacker &u, struct issue_copy &c)
{
	for (uint32_t &x : c.coord)
		x = get32(u, 32);
	c.dim = get32(u, 3);
	c.mode = get32(u, 3);
	c.tensor = get32(u, 1);
}

void get_hint(unpacker &u, struct issue_copy &c)
{
	c.evict = get32(u, 4);
	c.l2 = get32(u, 2);
	c.cg = get32(u, 1);
	c.qos = get32(u, 4);
}

} // namespace

struct issue {
	unit<Vtma_issue> rtl{ "tma_issue" };
	struct issue_in in = {};
	struct issue_out out = {};

	void put_pins()
	{
		auto &top = *rtl.top;
		packer issue(top.issue_i), rsp(top.bar_rsp_i);
		packer read(top.pending_read_i), write(top.pending_write_i), cp(top.cp_pending_i);
		const auto *bytes = reinterpret_cast<const uint8_t *>(&in.cmd.command);

		top.rst_ni = in.rst_n;
		top.valid_i = in.valid;
		for (unsigned i = 0; i < sizeof(in.cmd.command); i++)
			issue.put(8, bytes[i]);
		issue.put(3, in.cmd.bar_op)
			.put(TMA_NumCtas, in.cmd.again)
			.put(TMA_NumCtas, in.cmd.ctas)
			.put(64, in.cmd.fault_address);
		issue.put(16, in.cmd.fault).put(QueueWidth, in.cmd.queue);
		packer(top.enable_i).put(TMA_NumQueues, in.enable);
		packer(top.stopped_i).put(TMA_NumQueues, in.stopped);
		packer(top.resume_i).put(TMA_NumQueues, in.resume);
		packer(top.resume_index_i).put(32, in.resume_index);
		packer(top.cancel_i).put(TMA_NumQueues, in.cancel);
		packer(top.group_full_i).put(TMA_NumQueues, in.group_full);
		packer(top.cp_full_i).put(TMA_NumQueues, in.cp_full);
		packer(top.cp_busy_i).put(TMA_NumQueues, in.cp_busy);
		packer(top.record_room_i).put(TMA_NumQueues, in.record_room);
		packer(top.bar_ready_i).put(TMA_NumCtas, in.bar_ready);
		packer(top.bar_update_i).put(TMA_NumCtas, in.bar_update);
		for (unsigned c = 0; c < TMA_NumCtas; c++)
			rsp.put(20, in.bar[c].pending).put(1, in.bar[c].phase).put(16, in.bar[c].fault);
		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			read.put(6, in.pending_read[q]);
			write.put(6, in.pending_write[q]);
			cp.put(6, in.cp_pending[q]);
		}
		top.load_ready_i = 1;
		top.prefetch_ready_i = 1;
		top.store_ready_i = 1;
		top.shared_ready_i = 1;
		top.fault_ready_i = in.fault_ready;
	}

	void get_paths()
	{
		const auto &top = *rtl.top;
		unpacker load(top.load_o), store(top.store_o), shared(top.shared_o);
		unpacker prefetch(top.prefetch_o);

		out.load_valid = top.load_valid_o;
		out.load = {};
		get_signal(load, out.load);
		out.load.cp_valid = get32(load, 5);
		out.load.cp_size = get32(load, 5);
		out.load.cp_dst = get32(load, 4);
		out.load.cp_arrive = get32(load, 1);
		get_hint(load, out.load);
		out.load.dst = get32(load, ChunkAddr);
		out.load.chunks = get32(load, 16);
		out.load.gaddr = load.get(64);
		out.load.dst_ctas = get32(load, TMA_NumCtas);
		for (uint32_t &x : out.load.im2col)
			x = get32(load, 16);
		get_tensor(load, out.load);
		out.load.client = get32(load, 3);

		out.prefetch_valid = top.prefetch_valid_o;
		out.prefetch = {};
		get_hint(prefetch, out.prefetch);
		out.prefetch.chunks = get32(prefetch, 28);
		out.prefetch.gaddr = prefetch.get(60) << 4;
		out.prefetch.queue = get32(prefetch, QueueWidth);

		out.store_valid = top.store_valid_o;
		out.store = {};
		get_origin(store, out.store);
		get_hint(store, out.store);
		out.store.byte_mask = get32(store, 16);
		out.store.src = get32(store, ChunkAddr);
		out.store.cta = get32(store, CtaWidth);
		out.store.chunks = get32(store, 16);
		out.store.gaddr = store.get(64);
		out.store.multimem = get32(store, 1);
		get_tensor(store, out.store);

		out.shared_valid = top.shared_valid_o;
		out.shared = {};
		get_signal(shared, out.shared);
		out.shared.dst = get32(shared, ChunkAddr);
		out.shared.src = get32(shared, ChunkAddr);
		out.shared.cta = get32(shared, CtaWidth);
		out.shared.chunks = get32(shared, 16);
		out.copy = top.copy_o;
		out.fence_valid = top.fence_valid_o;
		out.fence_address = top.fence_addr_o;
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker fault(top.fault_o), head(top.head_o), bar(top.bar_req_o);

		out.ready = top.ready_o;
		out.retire = top.retire_o;
		out.flush = top.flush_o;
		out.queue = top.queue_o;
		out.asleep = top.asleep_o;
		out.waiting = top.waiting_o;
		out.full = top.full_o;
		out.issuing = top.issuing_o;
		for (unsigned q = 0; q < TMA_NumQueues; q++)
			out.head[q] = get32(head, 32);
		out.bar_valid = top.bar_valid_o;
		out.bar_commit = top.bar_commit_o;
		out.bar.no_complete = static_cast<uint8_t>(bar.get(1));
		out.bar.drop = static_cast<uint8_t>(bar.get(1));
		out.bar.tx = get32(bar, 20);
		out.bar.count = get32(bar, 20);
		out.bar_addr = get32(bar, BarAddr);
		out.bar.op = get32(bar, 3);
		out.group_add = top.group_add_o;
		out.load_add = top.load_add_o;
		out.group_commit = top.group_commit_o;
		out.cp_add = top.cp_add_o;
		out.cp_commit = top.cp_commit_o;
		get_paths();
		out.ans_valid = top.ans_valid_o;
		std::memcpy(&out.ans, &top.ans_o, sizeof(out.ans));
		out.fault_valid = top.fault_valid_o;
		out.fault_address = fault.get(64);
		out.fault_code = get32(fault, 16);
		out.fault_tag = get32(fault, 32);
		out.fault_seq = get32(fault, 16);
		out.fault_queue = get32(fault, QueueWidth);
	}
};

struct issue *issue_open(void)
{
	return new issue;
}

void issue_close(struct issue *s)
{
	delete s;
}

const struct issue_info *issue_info(void)
{
	return &info;
}

struct issue_in *issue_in(struct issue *s)
{
	return &s->in;
}

const struct issue_out *issue_out(const struct issue *s)
{
	return &s->out;
}

void issue_eval(struct issue *s)
{
	s->put_pins();
	s->rtl.eval();
	s->get_pins();
}

void issue_tick(struct issue *s)
{
	s->rtl.tick();
	s->get_pins();
}
