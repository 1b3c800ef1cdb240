// SPDX-License-Identifier: Apache-2.0
// Generated from rtl/spec/tma.toml by make gen. Do not edit.
//
// The command, the completion record, faults and capability words as types and constants, and
// which bits of a command its opcode and flags bring into use.
package tma_isa_pkg;

  // A package offers all constants, no build uses each of them.
  /* verilator lint_off UNUSEDPARAM */

  localparam int unsigned AbiMajor = 1;
  localparam int unsigned AbiMinor = 3;
  localparam int unsigned CommandBytes = 64;
  localparam int unsigned RecordBytes = 32;
  localparam logic [7:0] CommandVersion = 8'd1;

  // Bits of command_t.flags.
  localparam int unsigned FlagRecord = 0;
  localparam int unsigned FlagLastState = 1;
  localparam int unsigned FlagMulticast = 2;
  localparam int unsigned FlagCpMask = 3;
  localparam int unsigned FlagCacheHint = 4;
  localparam int unsigned FlagCtaLocal = 5;
  localparam int unsigned FlagRead = 6;
  localparam int unsigned FlagParity = 7;
  localparam int unsigned FlagDrop = 8;
  localparam int unsigned FlagExpectTx = 9;
  localparam int unsigned FlagNoComplete = 10;
  localparam int unsigned FlagSrcSize = 11;
  localparam int unsigned FlagIgnoreSrc = 12;
  localparam int unsigned FlagCg = 13;
  localparam int unsigned FlagNoinc = 14;
  localparam int unsigned FlagCtaGroup2 = 15;

  // barrier_t.live of an initialised mbarrier.
  localparam logic [1:0] BarrierAlive = 2'd2;

  // Capabilities: word of CAP, lowest bit, width.
  localparam int unsigned CapDataBytesWord = 0, CapDataBytesLsb = 0, CapDataBytesWidth = 8;
  localparam int unsigned CapCtasWord = 0, CapCtasLsb = 8, CapCtasWidth = 8;
  localparam int unsigned CapQueuesWord = 0, CapQueuesLsb = 16, CapQueuesWidth = 8;
  localparam int unsigned CapPortsWord = 0, CapPortsLsb = 24, CapPortsWidth = 8;
  localparam int unsigned CapSmemBytesWord = 1, CapSmemBytesLsb = 0, CapSmemBytesWidth = 32;
  localparam int unsigned CapWindowsWord = 2, CapWindowsLsb = 0, CapWindowsWidth = 8;
  localparam int unsigned CapReadsWord = 2, CapReadsLsb = 8, CapReadsWidth = 16;
  localparam int unsigned CapMultimemWindowsWord = 2, CapMultimemWindowsLsb = 24, CapMultimemWindowsWidth = 8;
  localparam int unsigned CapRingWord = 3, CapRingLsb = 0, CapRingWidth = 1;
  localparam int unsigned CapTensorWord = 3, CapTensorLsb = 1, CapTensorWidth = 1;
  localparam int unsigned CapReduceWord = 3, CapReduceLsb = 2, CapReduceWidth = 1;
  localparam int unsigned CapF64Word = 3, CapF64Lsb = 3, CapF64Width = 1;
  localparam int unsigned CapMultimemWord = 3, CapMultimemLsb = 4, CapMultimemWidth = 1;
  localparam int unsigned CapCpAsyncWord = 3, CapCpAsyncLsb = 5, CapCpAsyncWidth = 1;
  localparam int unsigned CapPackedWord = 3, CapPackedLsb = 6, CapPackedWidth = 1;
  localparam int unsigned CapFloatsWord = 3, CapFloatsLsb = 7, CapFloatsWidth = 1;
  localparam int unsigned CapMapsWord = 3, CapMapsLsb = 8, CapMapsWidth = 8;
  /* verilator lint_on UNUSEDPARAM */

  // Instructions.
  typedef enum logic [7:0] {
    OpBulkLoad              = 8'h10,
    OpBulkStore             = 8'h11,
    OpBulkShared            = 8'h12,
    OpBulkPrefetch          = 8'h13,
    OpMultimemBulkStore     = 8'h14,
    OpBulkReduce            = 8'h15,
    OpBulkReduceShared      = 8'h16,
    OpMultimemBulkReduce    = 8'h17,
    OpTensorLoad            = 8'h20,
    OpTensorStore           = 8'h21,
    OpTensorReduce          = 8'h22,
    OpTensorPrefetch        = 8'h23,
    OpPrefetchTensormap     = 8'h28,
    OpMapFence              = 8'h29,
    OpCpAsync               = 8'h30,
    OpCpAsyncCommitGroup    = 8'h31,
    OpCpAsyncWaitGroup      = 8'h32,
    OpCpAsyncWaitAll        = 8'h33,
    OpCpAsyncMbarrierArrive = 8'h34,
    OpBulkCommitGroup       = 8'h40,
    OpBulkWaitGroup         = 8'h41,
    OpMbarrierInit          = 8'h50,
    OpMbarrierInval         = 8'h51,
    OpMbarrierExpectTx      = 8'h52,
    OpMbarrierCompleteTx    = 8'h53,
    OpMbarrierArrive        = 8'h54,
    OpMbarrierPendingCount  = 8'h55,
    OpMbarrierTestWait      = 8'h56,
    OpMbarrierTryWait       = 8'h57,
    OpSignal                = 8'h60,
    OpCancel                = 8'h61
  } opcode_e;

  // Part of the engine that executes a command.
  typedef enum logic [2:0] {
    PathLoad     = 3'h0,
    PathStore    = 3'h1,
    PathShared   = 3'h2,
    PathSync     = 3'h3,
    PathPrefetch = 3'h4,
    PathTensor   = 3'h5,
    PathMultimem = 3'h6,
    PathReduce   = 3'h7
  } path_e;

  // Kinds of record.
  typedef enum logic [7:0] {
    KindRetired = 8'h01,
    KindAnswer  = 8'h02,
    KindSignal  = 8'h03,
    KindFault   = 8'h04
  } kind_e;

  // Faults in check order: the lowest code wins.
  typedef enum logic [15:0] {
    FaultNone                   = 16'h0000,
    FaultRingOverrun            = 16'h0001,
    FaultCommandWindow          = 16'h0002,
    FaultCommandSlverr          = 16'h0003,
    FaultCommandDecerr          = 16'h0004,
    FaultUnknownVersion         = 16'h0010,
    FaultUnknownOpcode          = 16'h0011,
    FaultReservedBits           = 16'h0012,
    FaultFlagConflict           = 16'h0013,
    FaultReduceOp               = 16'h0014,
    FaultSizeGranule            = 16'h0020,
    FaultSizeRange              = 16'h0021,
    FaultCountRange             = 16'h0022,
    FaultTxRange                = 16'h0023,
    FaultParityRange            = 16'h0024,
    FaultCpSize                 = 16'h0025,
    FaultSrcSizeRange           = 16'h0026,
    FaultPrefetchSizeRange      = 16'h0027,
    FaultGlobalMisaligned       = 16'h0028,
    FaultSrcMisaligned          = 16'h0029,
    FaultDstMisaligned          = 16'h002A,
    FaultBarrierMisaligned      = 16'h002B,
    FaultMapMisaligned          = 16'h002C,
    FaultTensorMode             = 16'h002D,
    FaultTensorDim              = 16'h002E,
    FaultTensorUnused           = 16'h002F,
    FaultSrcCta                 = 16'h0030,
    FaultDstCta                 = 16'h0031,
    FaultDstNotLocal            = 16'h0032,
    FaultDstLocal               = 16'h0033,
    FaultMaskCta                = 16'h0034,
    FaultBarrierCta             = 16'h0035,
    FaultBarrierNotLocal        = 16'h0036,
    FaultCtaDenied              = 16'h0037,
    FaultSrcRange               = 16'h0038,
    FaultDstRange               = 16'h0039,
    FaultBarrierRange           = 16'h003A,
    FaultCancelDenied           = 16'h003B,
    FaultNoState                = 16'h0040,
    FaultBarrierDead            = 16'h0050,
    FaultPendingUnderflow       = 16'h0051,
    FaultTxCountRange           = 16'h0052,
    FaultNoCompleteCompletes    = 16'h0053,
    FaultExpectedUnderflow      = 16'h0054,
    FaultPendingOverflow        = 16'h0055,
    FaultCancelled              = 16'h0058,
    FaultMapWindow              = 16'h0060,
    FaultMapSlverr              = 16'h0061,
    FaultMapDecerr              = 16'h0062,
    FaultMapReserved            = 16'h0063,
    FaultMapRank                = 16'h0064,
    FaultMapType                = 16'h0065,
    FaultMapLayout              = 16'h0066,
    FaultMapSwizzle             = 16'h0067,
    FaultMapFill                = 16'h0068,
    FaultMapAddress             = 16'h0069,
    FaultMapDim                 = 16'h006A,
    FaultMapStride              = 16'h006B,
    FaultMapBox                 = 16'h006C,
    FaultMapSize                = 16'h006D,
    FaultMapCorners             = 16'h006E,
    FaultTensorRank             = 16'h0070,
    FaultTensorKind             = 16'h0071,
    FaultTensorGather           = 16'h0072,
    FaultTensorStore            = 16'h0073,
    FaultMisalignedBox          = 16'h0074,
    FaultNegativeCoordinate     = 16'h0075,
    FaultIm2colStart            = 16'h0076,
    FaultIm2colOffsets          = 16'h0077,
    FaultTensorRange            = 16'h0078,
    FaultTensorReduce           = 16'h0079,
    FaultWindowRead             = 16'h0080,
    FaultWindowWrite            = 16'h0081,
    FaultWindowMultimem         = 16'h0082,
    FaultMultimemUnmapped       = 16'h0083,
    FaultReadSlverr             = 16'h0090,
    FaultReadDecerr             = 16'h0091,
    FaultWriteSlverr            = 16'h0092,
    FaultWriteDecerr            = 16'h0093,
    FaultPortDead               = 16'h0094,
    FaultCompletionWindow       = 16'h0098,
    FaultCompletionSlverr       = 16'h0099,
    FaultCompletionDecerr       = 16'h009A,
    FaultSignalBarrierDead      = 16'h00A0,
    FaultSignalTxCountRange     = 16'h00A1,
    FaultSignalPendingUnderflow = 16'h00A2
  } fault_e;

  // One command as it lies in memory: bit 0 is bit 0 of byte 0.
  typedef struct packed {
    logic [63:0]      policy;          // bytes 56-63
    logic [31:0]      tag;             // bytes 52-55
    logic [15:0]      cta_mask;        // bytes 50-51
    logic [2:0][15:0] im2col;          // bytes 44-49
    logic [31:0]      barrier;         // bytes 40-43
    logic [31:0]      shared_dst;      // bytes 36-39
    logic [31:0]      tx;              // bytes 32-35
    logic [31:0]      count;           // bytes 28-31
    logic [15:0]      reserved26;      // bytes 26-27
    logic [15:0]      byte_mask;       // bytes 24-25
    logic [31:0]      size;            // bytes 20-23
    logic [31:0]      shared_src;      // bytes 16-19
    logic [63:0]      global_address;  // bytes 8-15
    logic [15:0]      flags;           // bytes 6-7
    logic [7:0]       element_type;    // byte 5
    logic [7:0]       op;              // byte 4
    logic [7:0]       dim;             // byte 3
    logic [7:0]       mode;            // byte 2
    logic [7:0]       version;         // byte 1
    logic [7:0]       opcode;          // byte 0
  } command_t;

  // One completion record, bit 0 is bit 0 of byte 0.
  typedef struct packed {
    logic [31:0] phase;            // bytes 28-31
    logic [31:0] tag;              // bytes 24-27
    logic [63:0] address;          // bytes 16-23
    logic [63:0] value;            // bytes 8-15
    logic [15:0] fault;            // bytes 6-7
    logic [7:0]  kind;             // byte 5
    logic [7:0]  queue_number;     // byte 4
    logic [31:0] sequence_number;  // bytes 0-3
  } record_t;

  // An mbarrier object in shared memory.
  typedef struct packed {
    logic [1:0]  live;      // 2 = initialised; inval clears the whole object to zero
    logic        phase;     // parity of the current phase
    logic [20:0] tx;        // bytes still missing, two's complement
    logic [19:0] pending;   // arrivals still missing
    logic [19:0] expected;  // arrivals that a phase starts with
  } barrier_t;

  // The state token that an arrive answers.
  typedef struct packed {
    logic [42:0] reserved21;  // reserved
    logic        phase;       // phase before the arrive
    logic [19:0] pending;     // pending count before the arrive
  } state_t;

  // A tensor map as it lies in memory: bit 0 is bit 0 of byte 0.
  typedef struct packed {
    logic [383:0]     reserved640;     // reserved
    logic [127:0]     hints;           // private to the driver, ignored
    logic [21:0]      reserved490;     // reserved
    logic [9:0]       pixels;          // im2col: pixelsPerColumn - 1
    logic [4:0][7:0]  box;             // tiled: boxDim[i] - 1; im2col: element 0 channelsPerPixel - 1, the others the corners
    logic [8:0]       reserved431;     // reserved
    logic [4:0][2:0]  element_stride;  // elementStrides[i] - 1
    logic [4:0][31:0] dim;             // globalDim[i] - 1
    logic [15:0]      reserved240;     // reserved
    logic [3:0][3:0]  stride_high;     // globalStrides[i] >> 4, bits 35:32
    logic [3:0][31:0] stride_low;      // globalStrides[i] >> 4, bits 31:0
    logic [7:0]       reserved88;      // reserved
    logic [1:0]       wide;            // wide kind, an extension: see the values
    logic             swizzle96;       // 96B swizzle, an extension
    logic [1:0]       atom;            // swizzle atom, an extension: see the values
    logic [1:0]       promotion;       // L2 promotion: a hint
    logic             tf32;            // loads round to tf32
    logic             fill;            // see the values
    logic [1:0]       swizzle;         // see the values
    logic [1:0]       interleave;      // see the values
    logic [3:0]       element_type;    // element type, see the values
    logic [2:0]       rank;            // rank - 1
    logic [2:0]       reserved65;      // reserved
    logic             im2col;          // 1: im2col map, 0: tiled
    logic [63:0]      global_address;  // first byte of element (0, .., 0)
  } map_t;

  // Values of a command's mode and of fields of a tensor map.
  /* verilator lint_off UNUSEDPARAM */
  localparam logic [2:0] ModeTile = 3'd0;
  localparam logic [2:0] ModeIm2col = 3'd1;
  localparam logic [2:0] ModeIm2colNoOffs = 3'd2;
  localparam logic [2:0] ModeGather4 = 3'd3;
  localparam logic [2:0] ModeScatter4 = 3'd4;
  localparam logic [2:0] ModeIm2colW = 3'd5;
  localparam logic [2:0] ModeIm2colW128 = 3'd6;
  localparam logic [2:0] ReduceAdd = 3'd0;
  localparam logic [2:0] ReduceMin = 3'd1;
  localparam logic [2:0] ReduceMax = 3'd2;
  localparam logic [2:0] ReduceInc = 3'd3;
  localparam logic [2:0] ReduceDec = 3'd4;
  localparam logic [2:0] ReduceAnd = 3'd5;
  localparam logic [2:0] ReduceOr = 3'd6;
  localparam logic [2:0] ReduceXor = 3'd7;
  localparam logic [3:0] TypeU32 = 4'd0;
  localparam logic [3:0] TypeS32 = 4'd1;
  localparam logic [3:0] TypeU64 = 4'd2;
  localparam logic [3:0] TypeS64 = 4'd3;
  localparam logic [3:0] TypeF16 = 4'd4;
  localparam logic [3:0] TypeBf16 = 4'd5;
  localparam logic [3:0] TypeF32 = 4'd6;
  localparam logic [3:0] TypeF64 = 4'd7;
  localparam logic [3:0] TypeB32 = 4'd8;
  localparam logic [3:0] TypeB64 = 4'd9;
  localparam logic [3:0] MapTypeU8 = 4'd0;
  localparam logic [3:0] MapTypeU16 = 4'd1;
  localparam logic [3:0] MapTypeU32 = 4'd2;
  localparam logic [3:0] MapTypeS32 = 4'd3;
  localparam logic [3:0] MapTypeU64 = 4'd4;
  localparam logic [3:0] MapTypeS64 = 4'd5;
  localparam logic [3:0] MapTypeF16 = 4'd6;
  localparam logic [3:0] MapTypeF32 = 4'd7;
  localparam logic [3:0] MapTypeF32Ftz = 4'd8;
  localparam logic [3:0] MapTypeF64 = 4'd9;
  localparam logic [3:0] MapTypeBf16 = 4'd10;
  localparam logic [3:0] MapTypeB4x16 = 4'd13;
  localparam logic [3:0] MapTypeB4x16P64 = 4'd14;
  localparam logic [3:0] MapTypeB6x16P32 = 4'd15;
  localparam logic [1:0] InterleaveNone = 2'd0;
  localparam logic [1:0] Interleave16b = 2'd1;
  localparam logic [1:0] Interleave32b = 2'd2;
  localparam logic [1:0] SwizzleNone = 2'd0;
  localparam logic [1:0] Swizzle32b = 2'd1;
  localparam logic [1:0] Swizzle64b = 2'd2;
  localparam logic [1:0] Swizzle128b = 2'd3;
  localparam logic [1:0] Atom16b = 2'd0;
  localparam logic [1:0] Atom32b = 2'd1;
  localparam logic [1:0] Atom32bFlip8b = 2'd2;
  localparam logic [1:0] Atom64b = 2'd3;
  localparam logic [1:0] WideNone = 2'd0;
  localparam logic [1:0] WideW = 2'd1;
  localparam logic [1:0] WideW128 = 2'd2;
  localparam logic [1:0] FillZero = 2'd0;
  localparam logic [1:0] FillNan = 2'd1;
  /* verilator lint_on UNUSEDPARAM */

  // Whether the opcode names a command.
  function automatic logic known_opcode(input logic [7:0] opcode);
    case (opcode)
      OpBulkLoad, OpBulkStore, OpBulkShared, OpBulkPrefetch,
      OpMultimemBulkStore, OpBulkReduce, OpBulkReduceShared, OpMultimemBulkReduce,
      OpTensorLoad, OpTensorStore, OpTensorReduce, OpTensorPrefetch,
      OpPrefetchTensormap, OpMapFence, OpCpAsync, OpCpAsyncCommitGroup,
      OpCpAsyncWaitGroup, OpCpAsyncWaitAll, OpCpAsyncMbarrierArrive, OpBulkCommitGroup,
      OpBulkWaitGroup, OpMbarrierInit, OpMbarrierInval, OpMbarrierExpectTx,
      OpMbarrierCompleteTx, OpMbarrierArrive, OpMbarrierPendingCount, OpMbarrierTestWait,
      OpMbarrierTryWait, OpSignal, OpCancel: known_opcode = 1'b1;
      default: known_opcode = 1'b0;
    endcase
  endfunction

  // Whether only builds with the capability REDUCE know the command.
  function automatic logic needs_reduce(input logic [7:0] opcode);
    case (opcode)
      OpBulkReduce, OpBulkReduceShared, OpMultimemBulkReduce, OpTensorReduce: needs_reduce = 1'b1;
      default: needs_reduce = 1'b0;
    endcase
  endfunction

  // Whether the command writes a record without being asked to.
  function automatic logic answers(input logic [7:0] opcode);
    case (opcode)
      OpMbarrierPendingCount, OpMbarrierTestWait, OpMbarrierTryWait, OpSignal: answers = 1'b1;
      default: answers = 1'b0;
    endcase
  endfunction

  // Path that executes the command. Unknown opcodes fault before they reach one.
  function automatic path_e path_of(input logic [7:0] opcode);
    case (opcode)
      OpBulkLoad, OpCpAsync, OpCpAsyncMbarrierArrive: path_of = PathLoad;
      OpBulkStore, OpTensorStore: path_of = PathStore;
      OpBulkShared, OpBulkReduceShared: path_of = PathShared;
      OpBulkPrefetch: path_of = PathPrefetch;
      OpTensorLoad, OpTensorPrefetch, OpPrefetchTensormap: path_of = PathTensor;
      OpMultimemBulkStore: path_of = PathMultimem;
      OpBulkReduce, OpMultimemBulkReduce, OpTensorReduce: path_of = PathReduce;
      default: path_of = PathSync;
    endcase
  endfunction

  // Flags that the command may set.
  function automatic logic [15:0] allowed_flags(input logic [7:0] opcode);
    allowed_flags = 16'h0001;
    case (opcode)
      OpBulkLoad: begin
        allowed_flags[FlagMulticast] = 1'b1;
        allowed_flags[FlagCacheHint] = 1'b1;
        allowed_flags[FlagCtaLocal] = 1'b1;
      end
      OpBulkStore: begin
        allowed_flags[FlagCpMask] = 1'b1;
        allowed_flags[FlagCacheHint] = 1'b1;
      end
      OpBulkPrefetch, OpBulkReduce, OpTensorStore, OpTensorReduce,
      OpTensorPrefetch: allowed_flags[FlagCacheHint] = 1'b1;
      OpMultimemBulkStore: allowed_flags[FlagCpMask] = 1'b1;
      OpTensorLoad: begin
        allowed_flags[FlagMulticast] = 1'b1;
        allowed_flags[FlagCacheHint] = 1'b1;
        allowed_flags[FlagCtaLocal] = 1'b1;
        allowed_flags[FlagCtaGroup2] = 1'b1;
      end
      OpCpAsync: begin
        allowed_flags[FlagCacheHint] = 1'b1;
        allowed_flags[FlagSrcSize] = 1'b1;
        allowed_flags[FlagIgnoreSrc] = 1'b1;
        allowed_flags[FlagCg] = 1'b1;
      end
      OpCpAsyncMbarrierArrive: allowed_flags[FlagNoinc] = 1'b1;
      OpBulkWaitGroup: allowed_flags[FlagRead] = 1'b1;
      OpMbarrierArrive: begin
        allowed_flags[FlagDrop] = 1'b1;
        allowed_flags[FlagExpectTx] = 1'b1;
        allowed_flags[FlagNoComplete] = 1'b1;
      end
      OpMbarrierPendingCount: allowed_flags[FlagLastState] = 1'b1;
      OpMbarrierTestWait, OpMbarrierTryWait: begin
        allowed_flags[FlagLastState] = 1'b1;
        allowed_flags[FlagParity] = 1'b1;
      end
      default: ;
    endcase
  endfunction

  // Bits of the command that mean something; all others must be zero. A flag that the command
  // does not have is itself such a bit, and changes nothing else.
  function automatic logic [511:0] used_bits(input logic [7:0] opcode, input logic [15:0] flags);
    command_t used;
    used = '0;
    used.opcode = '1;
    used.version = '1;
    used.tag = '1;
    used.flags = allowed_flags(opcode);
    case (opcode)
      OpBulkLoad: begin
        used.global_address = '1;
        used.size = '1;
        used.shared_dst = '1;
        used.barrier = '1;
      end
      OpBulkStore, OpMultimemBulkStore: begin
        used.global_address = '1;
        used.size = '1;
        used.shared_src = '1;
      end
      OpBulkShared: begin
        used.size = '1;
        used.shared_src = '1;
        used.shared_dst = '1;
        used.barrier = '1;
      end
      OpBulkPrefetch: begin
        used.global_address = '1;
        used.size = '1;
      end
      OpBulkReduce, OpMultimemBulkReduce: begin
        used.global_address = '1;
        used.size = '1;
        used.shared_src = '1;
        used.op = '1;
        used.element_type = '1;
      end
      OpBulkReduceShared: begin
        used.size = '1;
        used.shared_src = '1;
        used.shared_dst = '1;
        used.barrier = '1;
        used.op = '1;
        used.element_type = '1;
      end
      OpTensorLoad: begin
        used.mode = '1;
        used.dim = '1;
        used.global_address = '1;
        used.shared_src = '1;
        used.size = '1;
        used.byte_mask = '1;
        used.reserved26 = '1;
        used.count = '1;
        used.tx = '1;
        used.shared_dst = '1;
        used.barrier = '1;
        used.im2col = '1;
      end
      OpTensorStore: begin
        used.mode = '1;
        used.dim = '1;
        used.global_address = '1;
        used.shared_src = '1;
        used.size = '1;
        used.byte_mask = '1;
        used.reserved26 = '1;
        used.count = '1;
        used.tx = '1;
        used.shared_dst = '1;
      end
      OpTensorReduce: begin
        used.mode = '1;
        used.dim = '1;
        used.op = '1;
        used.global_address = '1;
        used.shared_src = '1;
        used.size = '1;
        used.byte_mask = '1;
        used.reserved26 = '1;
        used.count = '1;
        used.tx = '1;
        used.shared_dst = '1;
      end
      OpTensorPrefetch: begin
        used.mode = '1;
        used.dim = '1;
        used.global_address = '1;
        used.shared_src = '1;
        used.size = '1;
        used.byte_mask = '1;
        used.reserved26 = '1;
        used.count = '1;
        used.tx = '1;
        used.im2col = '1;
      end
      OpPrefetchTensormap, OpMapFence, OpMbarrierPendingCount: used.global_address = '1;
      OpCpAsync: begin
        used.mode = '1;
        used.global_address = '1;
        used.size = '1;
        used.shared_dst = '1;
      end
      OpCpAsyncWaitGroup, OpBulkWaitGroup, OpCancel: used.count = '1;
      OpCpAsyncMbarrierArrive, OpMbarrierInval: used.barrier = '1;
      OpMbarrierInit, OpMbarrierArrive: begin
        used.barrier = '1;
        used.count = '1;
      end
      OpMbarrierExpectTx, OpMbarrierCompleteTx: begin
        used.barrier = '1;
        used.tx = '1;
      end
      OpMbarrierTestWait: begin
        used.barrier = '1;
        used.global_address = '1;
      end
      OpMbarrierTryWait: begin
        used.barrier = '1;
        used.global_address = '1;
        used.tx = '1;
      end
      default: ;
    endcase
    if (flags[FlagMulticast] && used.flags[FlagMulticast]) used.cta_mask = '1;
    if (flags[FlagCpMask] && used.flags[FlagCpMask]) used.byte_mask = '1;
    if (flags[FlagCacheHint] && used.flags[FlagCacheHint]) used.policy = '1;
    if (flags[FlagParity] && used.flags[FlagParity]) used.count = '1;
    if (flags[FlagExpectTx] && used.flags[FlagExpectTx]) used.tx = '1;
    if (flags[FlagSrcSize] && used.flags[FlagSrcSize]) used.count = '1;
    if (flags[FlagLastState] && used.flags[FlagLastState]) used.global_address = '0;
    if (flags[FlagParity] && used.flags[FlagParity]) used.global_address = '0;
    used_bits = used;
  endfunction

endpackage
