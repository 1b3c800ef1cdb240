// SPDX-License-Identifier: Apache-2.0
// What passes between the front end and the copy paths.
package tma_path_pkg;

  import tma_pkg::*;
  import tma_front_pkg::*;

  typedef logic [PathLevelWidth-1:0] path_level_t;

  // Issue -> paths: a command for each of them, of one queue, and what to forget.
  typedef struct packed {
    logic          load_valid;
    load_cmd_t     load;
    logic          prefetch_valid;
    prefetch_cmd_t prefetch;
    logic          store_valid;
    store_cmd_t    store;
    logic          reduce_valid;
    reduce_cmd_t   reduce;
    logic          shared_valid;
    shared_cmd_t   shared;
    logic          fence_valid;     // pulse: forget this tensor map
    queue_t        fence_queue;
    logic [63:6]   fence_addr;
  } path_cmd_t;

  // Paths -> issue: how many commands each holds. Issue sends none that would find no room.
  typedef struct packed {
    path_level_t                load;
    path_level_t                tensor;  // loads and prefetches
    path_level_t                prefetch;
    path_level_t [NumLanes-1:0] store;  // by lane
    path_level_t                reduce;
    path_level_t                shared;
  } path_levels_t;

  localparam int unsigned WindowIdx = NumWindows > 1 ? $clog2(NumWindows) : 1;

  // Registers -> paths: a write to the table of windows. Whoever checks against them keeps a copy of it (tma_windows).
  typedef struct packed {
    logic                 valid;
    queue_t               qid;
    logic [WindowIdx-1:0] index;
    window_t              window;
  } window_write_t;

  // Something of a queue has begun, or is done.
  typedef struct packed {
    logic   valid;
    queue_t qid;
  } event_t;

  // What comes to that which is in flight behind issue, and keeps the life of its queue from ending.
  typedef struct packed {
    event_t burst;  // of a load, has left
    event_t fill;   // of a row, is to be written
  } begun_t;

  // What leaves it again, copies and what has begun.
  typedef struct packed {
    event_t                issued;    // load or tensor prefetch: its last burst has left
    event_t                burst;     // ended, and no signal stands for it
    event_t                signal;
    event_t                fill;
    event_t                cp_async;
    event_t                cp_drop;   // an arrive behind cp.async that is dropped
    event_t [NumStreams-1:0] store;   // or reduction, by stream
  } ended_t;

  // Who finds faults behind issue.
  localparam int unsigned NumFaulters = 3 + 32'(Reduces);
  localparam int unsigned FaultLoad = 0, FaultStore = 1, FaultSignal = 2, FaultReduce = 3;

  // Of these, and besides, what the load path says.
  typedef struct packed {
    event_t                 issued;      // a load or tensor prefetch: its last burst has left, or will not
    event_t                 prefetch;    // the same of a bulk prefetch
    logic [NumChannels-1:0] read;        // a load of this channel has read its last byte,
    queue_t                 read_queue;  // of this queue
    event_t                 burst_add;   // a load has issued one
    event_t                 burst_done;  // it has ended, and does not signal
    event_t                 fill_add;    // a row of a load has fill
    event_t                 fill_done;   // that is written
    event_t                 cp_done;
    event_t                 cp_drop;     // never in one cycle with the one before
    logic                   prefetch_error; // what prefetches met, one by one
  } load_events_t;

  // Paths -> front end: what has happened to copies behind issue.
  typedef struct packed {
    begun_t                 begun;
    ended_t                 ended;
    event_t                 prefetch;   // a bulk prefetch is done
    event_t [NumStreams-1:0] read;      // a store or reduction has read its source, by stream
    logic [NumChannels-1:0] load_read;  // a load has, by channel; one at most
    queue_t                 load_read_queue;
  } path_events_t;

  // Issue -> bulk and cp.async groups: an operation joins the open group, the open group is committed.
  typedef struct packed {
    logic store;
    logic reduce;
    logic load;
    logic commit;
    logic cp;
    logic cp_commit;
  } group_req_t;

  // Groups -> issue: committed groups that have operations left to do; full: a commit has to wait.
  typedef struct packed {
    logic [NumQueues-1:0]      full;
    logic [NumQueues-1:0][5:0] pending_read;
    logic [NumQueues-1:0][5:0] pending_write;
    logic [NumQueues-1:0]      cp_full;
    logic [NumQueues-1:0][5:0] cp_pending;
    logic [NumQueues-1:0]      cp_busy;  // a cp.async is not done
  } group_state_t;

  // Ring -> load path, and back: fetches of commands, and their beats. Denied: the newest of those taken before
  // this cycle.
  typedef struct packed {
    logic       valid;
    fetch_t     fetch;
    logic       r_ready;
  } fetch_req_t;

  typedef struct packed {
    logic       ready;
    logic       denied;
    logic       r_valid;
    read_beat_t r;
  } fetch_rsp_t;

  // Map cache -> load path, and back: fetches and probes of maps, whose beats are `fetch_rsp_t.r` too and always
  // taken. Denied as above; done: it has left, denied or not.
  typedef struct packed {
    logic       valid;
    fetch_t     fetch;
    logic       error;  // pulse: a prefetched map has one
  } map_req_t;

  typedef struct packed {
    logic       ready;
    logic       denied;
    logic       done;
    logic       r_valid;
  } map_rsp_t;

  // Completion rings -> store path, and back: a record, and its bytes, which are taken later.
  typedef struct packed {
    logic         valid;
    record_cmd_t  cmd;
    logic [255:0] data;
  } record_req_t;

  typedef struct packed {
    logic         ready;
    logic         data_pop;
    event_t       done;
  } record_rsp_t;

  // Pulses for the counters. What goes to several ports counts once.
  typedef struct packed {
    logic aw;
    logic w;
    logic w_stall;  // WVALID and not WREADY, on a living port
  } write_counts_t;

  typedef struct packed {
    write_counts_t write;
    logic          line;  // of shared memory, for a copy between CTAs
    logic          signal;
    logic          prefetch_error;
  } path_counts_t;

  typedef struct packed {
    logic retire;
    logic stall;
    logic fault;
    logic record;
  } front_counts_t;

  // Register BEHAVIOUR.
  typedef struct packed {
    logic f32_ftz;    // adds of f32 flush
    logic granule16;  // tensor stores clip as an H200 does
  } behaviour_t;

  // What the registers say of the whole engine.
  typedef struct packed {
    logic [3:0]  axcache;
    logic [31:0] watchdog;
    behaviour_t  behaviour;
  } common_cfg_t;

  // What software does with the queues.
  typedef struct packed {
    logic                 door_valid;  // pulse: the ring of this queue has commands up to this one
    queue_t               door_queue;
    logic [31:0]          door_tail;
    logic [NumQueues-1:0] resume;      // pulses, from here on
    logic [31:0]          resume_index;
    logic [NumQueues-1:0] reset;
    logic [NumQueues-1:0] cancel;
  } queue_acts_t;

  // How the queues are; head, tail and producer are numbers, modulo 2^32.
  typedef struct packed {
    logic [NumQueues-1:0]          active;
    logic [NumQueues-1:0]          closing;
    logic [NumQueues-1:0]          busy;
    logic [NumQueues-1:0]          waiting;
    logic [NumQueues-1:0]          full;
    logic [NumQueues-1:0]          drained;
    logic [NumQueues-1:0][31:0]    head;
    logic [NumQueues-1:0][31:0]    tail;
    logic [NumQueues-1:0][31:0]    producer;
    held_records_t [NumQueues-1:0] held_records;
  } queue_state_t;

  // The shared operand of a tensor copy / 128 travels where a bulk copy has its bytes.
  typedef logic [31:7] operand_t;

  function automatic load_cmd_t load_with_operand(input load_cmd_t cmd, input operand_t operand);
    load_with_operand = cmd;
    {load_with_operand.signal.bytes[8:0], load_with_operand.chunks} = operand;
  endfunction

  function automatic operand_t operand_of_load(input load_cmd_t cmd);
    return {cmd.signal.bytes[8:0], cmd.chunks};
  endfunction

  function automatic store_cmd_t store_with_operand(input store_cmd_t cmd, input operand_t operand);
    store_with_operand = cmd;
    {store_with_operand.byte_mask[8:0], store_with_operand.chunks} = operand;
  endfunction

  function automatic operand_t operand_of_store(input store_cmd_t cmd);
    return {cmd.byte_mask[8:0], cmd.chunks};
  endfunction

endpackage
