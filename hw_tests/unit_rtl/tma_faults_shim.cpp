/* SPDX-License-Identifier: Apache-2.0 */
/* Pins of the Verilated fault collector <-> the C structs of its header. */
#include "unit_rtl/unit.hpp"

#include "Vtma_faults.h"
#include "shape.h"
#include "unit_rtl/tma_faults_shim.h"

constexpr unsigned QueueWidth = log2_up(TMA_NumQueues);

struct faults {
	unit<Vtma_faults> rtl{ "tma_faults" };
	struct faults_in in = {};
	struct faults_out out = {};

	void put_pins()
	{
		auto &top = *rtl.top;
		packer active(top.active_i), ring(top.ring_i), room(top.room_i), resume(top.resume_i);
		packer head(top.head_i), valid(top.fault_valid_i), fault(top.fault_i);
		packer rec_ready(top.rec_ready_i);

		top.rst_ni = in.rst_n;
		for (uint8_t x : in.rec_ready)
			rec_ready.put(1, x);
		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			active.put(1, in.active[q]);
			ring.put(1, in.ring[q]);
			room.put(1, in.room[q]);
			resume.put(1, in.resume[q]);
			head.put(32, in.head[q]);
		}
		for (const struct faults_fault &x : in.fault) {
			valid.put(1, x.valid);
			fault.put(64, x.address).put(16, x.code);
			fault.put(32, x.tag).put(16, x.seq).put(QueueWidth, x.queue);
		}
		packer(top.status_queue_i).put(QueueWidth, in.status_queue);
	}

	void get_pins()
	{
		const auto &top = *rtl.top;
		unpacker ready(top.fault_ready_o), stopped(top.stopped_o), pending(top.pending_o);
		unpacker status(top.status_o), rec_valid(top.rec_valid_o);

		for (uint8_t &x : out.ready)
			x = static_cast<uint8_t>(ready.get(1));
		for (unsigned q = 0; q < TMA_NumQueues; q++) {
			out.stopped[q] = static_cast<uint8_t>(stopped.get(1));
			out.pending[q] = static_cast<uint8_t>(pending.get(1));
		}
		for (uint8_t &x : out.rec_valid)
			x = static_cast<uint8_t>(rec_valid.get(1));
		out.event = top.event_o;
		out.idle = top.idle_o;
		std::memcpy(out.rec, &top.rec_o, sizeof(out.rec));
		out.status.tag = static_cast<uint32_t>(status.get(32));
		out.status.address = status.get(64);
		out.status.seq = static_cast<uint32_t>(status.get(32));
		out.status.count = static_cast<uint32_t>(status.get(16));
		out.status.code = static_cast<uint32_t>(status.get(16));
		out.status.faulted = static_cast<uint8_t>(status.get(1));
	}
};

struct faults *faults_open(void)
{
	return new faults;
}

void faults_close(struct faults *f)
{
	delete f;
}

uint32_t faults_short(void)
{
	return TMA_ShortPaths;
}

uint32_t faults_queues(void)
{
	return TMA_NumQueues;
}

struct faults_in *faults_in(struct faults *f)
{
	return &f->in;
}

const struct faults_out *faults_out(const struct faults *f)
{
	return &f->out;
}

void faults_eval(struct faults *f)
{
	f->put_pins();
	f->rtl.eval();
	f->get_pins();
}

void faults_tick(struct faults *f)
{
	f->rtl.tick();
	f->get_pins();
}
