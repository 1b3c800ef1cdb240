// SPDX-License-Identifier: Apache-2.0
// Types between the stages of the front end.
package tma_front_pkg;

  import tma_pkg::*;
  import tma_isa_pkg::*;

  localparam int unsigned CmdDepth    = 8;   // commands held per queue
  localparam int unsigned AnswerDepth = 16;  // records held
  localparam int unsigned PathDepth   = 8;   // commands held by a copy path

  // Places for answers that a fault record leaves when it goes in. As none is let go while it waits, the answers under
  // way stand in the registers between the pick of a command and its record: two, with short paths four.
  localparam int unsigned AnswerReserve = 4;

  localparam int unsigned NumPaths    = Reduces ? 8 : 5 + NumLanes;  // of path_e; no build has a use for more

  localparam int unsigned PathLevelWidth = $clog2(PathDepth + 1);

  // What the arbiter must know of a command before it can let it go.
  typedef struct packed {
    path_e path;
    logic  answers;  // it may write a record
  } cmd_class_t;

  // Whether a command was fetched. A failed one has the address of its slot in bits 63:0 and is zero
  // otherwise; commands of the direct port are always whole.
  typedef enum logic [2:0] {
    FetchOk,
    FetchWindow,
    FetchSlverr,
    FetchDecerr,
    FetchDead
  } fetch_e;

  typedef struct packed {
    fetch_e   fetch;
    command_t cmd;
  } fetched_t;

  // A rule that is broken, and which part of the command the record names.
  typedef enum logic [3:0] {
    SayNothing, SayCommand, SaySize, SayCount, SayTx, SayMode, SayDim, SayGlobal, SaySrc, SayDst, SayBarrier,
    SayMask, SayDenied, SayOp
  } say_e;

  typedef struct packed {
    fault_e fault;
    say_e   say;
  } verdict_t;

  // A command with the first rule of each kind that it breaks; the kind of the lowest codes comes first. Behind
  // the form come reserved bits, between places and limits that a CTA is denied.
  typedef struct packed {
    queue_t      qid;
    verdict_t    form;
    logic [7:0]  reserved;  // words with a bit that the command does not use
    verdict_t    sizes;
    verdict_t    operands;
    verdict_t    places;
    verdict_t    limits;
    logic [31:0] src;     // its source in shared memory
    logic [15:0] denied;  // CTAs that it must not touch
    cta_mask_t   ctas;    // these three: see issue_t
    cta_mask_t   again;
    bar_op_e     bar_op;
    command_t    cmd;
  } judged_t;

  // A checked command, ready to issue.
  typedef struct packed {
    queue_t      qid;
    fault_e      fault;       // lowest rule that the command alone breaks
    logic [63:0] fault_addr;  // what the record says of it
    cta_mask_t   ctas;        // CTAs whose barriers it works on
    cta_mask_t   again;       // of these, signalled twice
    bar_op_e     bar_op;      // what it does to them
    command_t    cmd;
  } issue_t;

  // What a command can wait for.
  typedef enum logic [2:0] {
    WaitBarrier,  // a phase of a barrier of `cta`, for `limit` cycles
    WaitRead,     // at most `groups` bulk groups with reads to do
    WaitWrite,    // at most `groups` bulk groups that are not done
    WaitCp,       // at most `groups` cp.async groups
    WaitCpAll,    // no cp.async
    WaitRoom      // room for its record
  } wait_e;

  typedef struct packed {
    wait_e       kind;
    logic [5:0]  groups;
    cta_t        cta;
    logic [31:0] limit;
  } wait_t;

  function automatic cmd_class_t class_of(input logic [7:0] opcode, input logic record);
    class_of.path    = path_of(opcode);
    if (NumLanes == 1 && class_of.path == PathMultimem) class_of.path = PathStore;
    if (!Reduces && needs_reduce(opcode)) class_of.path = PathSync;  // an opcode that is unknown
    class_of.answers = answers(opcode) || record;
  endfunction

  // Of a tensor copy, whose coordinates lie where other commands have their fields.
  function automatic logic [4:0][31:0] coords_of(input command_t cmd);
    return {cmd.tx, cmd.count, cmd.reserved26, cmd.byte_mask, cmd.size, cmd.shared_src};
  endfunction

endpackage
