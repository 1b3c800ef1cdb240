/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_ptx - PTX text of asynchronous copies: read, checked, written.
 *
 * It takes what ptxas takes, target by target: the instructions of docs/semantics.md, section 1, with their
 * modifiers in any order. What forms there are, why the rest is refused, and which orders are free, is in
 * docs/gen/ptx-syntax.md, which is made from the tables that the parser reads (host/ptx/forms_*.c).
 *
 * A part of libtma, not a library of its own: faults, traces and random programs print commands as PTX, and
 * nothing here needs more than the C library.
 *
 * No function allocates memory; every structure can be copied and kept. Functions that return int give 0 or -1
 * and then fill @p error, if there is one.
 */
#ifndef TMA_PTX_H
#define TMA_PTX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tma_abi.h"

#ifdef __cplusplus
extern "C" {
#endif
/* What the library exports, however it and the program are compiled. */
#pragma GCC visibility push(default)

/* ---- Targets ------------------------------------------------------------------------------------ */

/*
 * What the text is written for. TMA_PTX_ENGINE is the dialect of this engine, for commands printed as text: every
 * form of every target, and beyond them
 *	addresses as numbers, [0x1000]
 *	the sink _ for every result
 *	numbers that ptxas would refuse, since the engine answers them with a fault
 *	the instructions tma.signal, tma.cancel and tma.command, which PTX does not have
 *	what a command has besides, in a comment behind the semicolon: // tma: record tag=7 last_state
 */
enum tma_ptx_target {
	TMA_PTX_SM_90,
	TMA_PTX_SM_90A,
	TMA_PTX_SM_100,
	TMA_PTX_SM_100A,
	TMA_PTX_SM_100F,
	TMA_PTX_SM_103A,
	TMA_PTX_SM_110A,
	TMA_PTX_SM_120A,
	TMA_PTX_ENGINE,
	TMA_PTX_TARGETS, /* how many there are */
};

/** "sm_90" to "sm_120a", "engine"; NULL: no target. */
const char *tma_ptx_target_name(enum tma_ptx_target target);
/** The target of that name. @return 0; -1: there is none, and @p target is as it was */
int tma_ptx_target_of(const char *name, enum tma_ptx_target *target);

/* ---- Modifiers ---------------------------------------------------------------------------------- */

/* A modifier belongs to a class; an instruction has at most one of each. State spaces and eviction priorities are
 * two classes each, first and second in the text: the only ones whose order means something. */
enum tma_ptx_class {
	TMA_PTX_CLASS_SPACE,   /* the destination's, or the only one */
	TMA_PTX_CLASS_SPACE_2, /* the source's */
	TMA_PTX_CLASS_DIM,
	TMA_PTX_CLASS_LEVEL,
	TMA_PTX_CLASS_MODE,
	TMA_PTX_CLASS_MECHANISM,
	TMA_PTX_CLASS_MULTICAST,
	TMA_PTX_CLASS_CTA_GROUP,
	TMA_PTX_CLASS_CACHE_HINT,
	TMA_PTX_CLASS_PREFETCH_SIZE,
	TMA_PTX_CLASS_CP_MASK,
	TMA_PTX_CLASS_OP,
	TMA_PTX_CLASS_NOFTZ,
	TMA_PTX_CLASS_TYPE,
	TMA_PTX_CLASS_CACHE, /* .ca, .cg */
	TMA_PTX_CLASS_PRIORITY,
	TMA_PTX_CLASS_PRIORITY_2,
	TMA_PTX_CLASS_READ,
	TMA_PTX_CLASS_NOINC,
	TMA_PTX_CLASS_NO_COMPLETE,
	TMA_PTX_CLASS_SEM,
	TMA_PTX_CLASS_SCOPE,
	TMA_PTX_CLASS_PROXY,
	TMA_PTX_CLASS_RESTRICT,
	TMA_PTX_CLASS_INIT, /* .mbarrier_init */
	TMA_PTX_CLASS_MAP,  /* .tensormap of a prefetch */
	TMA_PTX_CLASS_FIELD,
	TMA_PTX_CLASS_OBJECT, /* .b1024 */
	TMA_PTX_CLASS_SYNC,
	TMA_PTX_CLASS_ALIGNED,
	TMA_PTX_CLASSES,
};

/* Values of the classes; 0: there is none. */
enum {
	TMA_PTX_GLOBAL = 1,
	TMA_PTX_SHARED,
	TMA_PTX_SHARED_CTA,
	TMA_PTX_SHARED_CLUSTER,
	TMA_PTX_CONST,
	TMA_PTX_PARAM,
	TMA_PTX_LOCAL
};
enum { TMA_PTX_1D = 1, TMA_PTX_2D, TMA_PTX_3D, TMA_PTX_4D, TMA_PTX_5D };
enum { TMA_PTX_L1 = 1, TMA_PTX_L2 };
enum {
	TMA_PTX_TILE = 1,
	TMA_PTX_GATHER4,
	TMA_PTX_SCATTER4,
	TMA_PTX_IM2COL,
	TMA_PTX_IM2COL_W,
	TMA_PTX_IM2COL_W_128,
	TMA_PTX_IM2COL_NO_OFFS
};
enum { TMA_PTX_COMPLETE_TX = 1, TMA_PTX_BULK_GROUP };
enum { TMA_PTX_MULTICAST_CLUSTER = 1 };
enum { TMA_PTX_CTA_GROUP_1 = 1, TMA_PTX_CTA_GROUP_2 };
enum { TMA_PTX_CACHE_HINT = 1 };
enum { TMA_PTX_64B = 1, TMA_PTX_128B, TMA_PTX_256B };
enum { TMA_PTX_CP_MASK = 1 };
enum {
	TMA_PTX_ADD = 1,
	TMA_PTX_MIN,
	TMA_PTX_MAX,
	TMA_PTX_INC,
	TMA_PTX_DEC,
	TMA_PTX_AND,
	TMA_PTX_OR,
	TMA_PTX_XOR
};
enum { TMA_PTX_NOFTZ = 1 };
enum {
	TMA_PTX_U32 = 1,
	TMA_PTX_S32,
	TMA_PTX_B32,
	TMA_PTX_U64,
	TMA_PTX_S64,
	TMA_PTX_B64,
	TMA_PTX_F16,
	TMA_PTX_BF16,
	TMA_PTX_F32,
	TMA_PTX_F64,
	TMA_PTX_U8,
	TMA_PTX_S8,
	TMA_PTX_B8,
	TMA_PTX_U16,
	TMA_PTX_S16,
	TMA_PTX_B16,
	TMA_PTX_B128,
	TMA_PTX_PRED
};
enum { TMA_PTX_CA = 1, TMA_PTX_CG };
enum { TMA_PTX_EVICT_LAST = 1, TMA_PTX_EVICT_NORMAL, TMA_PTX_EVICT_FIRST, TMA_PTX_EVICT_UNCHANGED };
enum { TMA_PTX_READ = 1 };
enum { TMA_PTX_NOINC = 1 };
enum { TMA_PTX_NO_COMPLETE = 1 };
enum { TMA_PTX_ACQUIRE = 1, TMA_PTX_RELEASE, TMA_PTX_RELAXED, TMA_PTX_ACQ_REL, TMA_PTX_SC };
enum { TMA_PTX_CTA = 1, TMA_PTX_CLUSTER, TMA_PTX_GPU, TMA_PTX_SYS, TMA_PTX_GL };
enum { TMA_PTX_ALIAS = 1, TMA_PTX_ASYNC, TMA_PTX_TENSORMAP_GENERIC, TMA_PTX_ASYNC_GENERIC };
enum { TMA_PTX_RESTRICT_CTA = 1, TMA_PTX_RESTRICT_CLUSTER };
enum { TMA_PTX_MBARRIER_INIT = 1 };
enum { TMA_PTX_TENSORMAP = 1 };
enum {
	TMA_PTX_GLOBAL_ADDRESS = 1,
	TMA_PTX_RANK,
	TMA_PTX_BOX_DIM,
	TMA_PTX_GLOBAL_DIM,
	TMA_PTX_GLOBAL_STRIDE,
	TMA_PTX_ELEMENT_STRIDE,
	TMA_PTX_ELEMTYPE,
	TMA_PTX_INTERLEAVE_LAYOUT,
	TMA_PTX_SWIZZLE_MODE,
	TMA_PTX_SWIZZLE_ATOMICITY,
	TMA_PTX_FILL_MODE
};
enum { TMA_PTX_B1024 = 1 };
enum { TMA_PTX_SYNC = 1 };
enum { TMA_PTX_ALIGNED = 1 };

/* ---- Instructions ------------------------------------------------------------------------------- */

/* By the words in front of the modifiers, which have their places. */
enum tma_ptx_opcode {
	TMA_PTX_OP_CP_ASYNC,
	TMA_PTX_OP_CP_ASYNC_COMMIT_GROUP,
	TMA_PTX_OP_CP_ASYNC_WAIT_GROUP,
	TMA_PTX_OP_CP_ASYNC_WAIT_ALL,
	TMA_PTX_OP_CP_ASYNC_MBARRIER_ARRIVE,
	TMA_PTX_OP_CP_ASYNC_BULK,
	TMA_PTX_OP_CP_REDUCE_ASYNC_BULK,
	TMA_PTX_OP_CP_ASYNC_BULK_PREFETCH,
	TMA_PTX_OP_MULTIMEM_CP_ASYNC_BULK,
	TMA_PTX_OP_MULTIMEM_CP_REDUCE_ASYNC_BULK,
	TMA_PTX_OP_CP_ASYNC_BULK_TENSOR,
	TMA_PTX_OP_CP_REDUCE_ASYNC_BULK_TENSOR,
	TMA_PTX_OP_CP_ASYNC_BULK_PREFETCH_TENSOR,
	TMA_PTX_OP_CP_ASYNC_BULK_COMMIT_GROUP,
	TMA_PTX_OP_CP_ASYNC_BULK_WAIT_GROUP,
	TMA_PTX_OP_PREFETCH,
	TMA_PTX_OP_APPLYPRIORITY,
	TMA_PTX_OP_TENSORMAP_REPLACE,
	TMA_PTX_OP_TENSORMAP_CP_FENCEPROXY,
	TMA_PTX_OP_FENCE,
	TMA_PTX_OP_FENCE_PROXY,
	TMA_PTX_OP_MEMBAR,
	TMA_PTX_OP_MEMBAR_PROXY,
	TMA_PTX_OP_CREATEPOLICY_FRACTIONAL,
	TMA_PTX_OP_CREATEPOLICY_RANGE,
	TMA_PTX_OP_CREATEPOLICY_CVT,
	TMA_PTX_OP_MBARRIER_INIT,
	TMA_PTX_OP_MBARRIER_INVAL,
	TMA_PTX_OP_MBARRIER_EXPECT_TX,
	TMA_PTX_OP_MBARRIER_COMPLETE_TX,
	TMA_PTX_OP_MBARRIER_ARRIVE,
	TMA_PTX_OP_MBARRIER_ARRIVE_EXPECT_TX,
	TMA_PTX_OP_MBARRIER_ARRIVE_DROP,
	TMA_PTX_OP_MBARRIER_ARRIVE_DROP_EXPECT_TX,
	TMA_PTX_OP_MBARRIER_TEST_WAIT,
	TMA_PTX_OP_MBARRIER_TEST_WAIT_PARITY,
	TMA_PTX_OP_MBARRIER_TRY_WAIT,
	TMA_PTX_OP_MBARRIER_TRY_WAIT_PARITY,
	TMA_PTX_OP_MBARRIER_PENDING_COUNT,
	TMA_PTX_OP_MAPA,
	TMA_PTX_OP_GETCTARANK,
	TMA_PTX_OP_SIGNAL,  /* tma.signal, of the engine's dialect as the following */
	TMA_PTX_OP_CANCEL,  /* tma.cancel queue */
	TMA_PTX_OP_COMMAND, /* tma.command {eight 64-bit words}: what no PTX says */
	TMA_PTX_OPCODES,
};

/** "cp.async.bulk" and so on; NULL: no opcode. */
const char *tma_ptx_opcode_name(enum tma_ptx_opcode opcode);

/* What an operand is for. */
enum tma_ptx_role {
	TMA_PTX_ROLE_NONE,
	TMA_PTX_ROLE_DST,
	TMA_PTX_ROLE_SRC,
	TMA_PTX_ROLE_SIZE,
	TMA_PTX_ROLE_CP_SIZE,
	TMA_PTX_ROLE_SRC_SIZE,
	TMA_PTX_ROLE_IGNORE_SRC,
	TMA_PTX_ROLE_MBAR,
	TMA_PTX_ROLE_CTA_MASK,
	TMA_PTX_ROLE_BYTE_MASK,
	TMA_PTX_ROLE_POLICY,
	TMA_PTX_ROLE_MAP, /* with the coordinates as its vector, where it has any */
	TMA_PTX_ROLE_OFFSETS,
	TMA_PTX_ROLE_N,
	TMA_PTX_ROLE_COUNT,
	TMA_PTX_ROLE_TX,
	TMA_PTX_ROLE_STATE, /* result of an arrive */
	TMA_PTX_ROLE_TOKEN, /* such a state as operand */
	TMA_PTX_ROLE_DONE,  /* result of a wait */
	TMA_PTX_ROLE_PARITY,
	TMA_PTX_ROLE_LIMIT,
	TMA_PTX_ROLE_RESULT,
	TMA_PTX_ROLE_ADDRESS,
	TMA_PTX_ROLE_ORDINAL,
	TMA_PTX_ROLE_VALUE,
	TMA_PTX_ROLE_FRACTION,
	TMA_PTX_ROLE_PRIMARY,
	TMA_PTX_ROLE_TOTAL,
	TMA_PTX_ROLE_CTA,
	TMA_PTX_ROLE_QUEUE,
	TMA_PTX_ROLE_WORDS,
	TMA_PTX_ROLES,
};

#define TMA_PTX_NAME     48 /* a name and its zero */
#define TMA_PTX_ELEMENTS 8  /* of a vector: 5 in PTX */
#define TMA_PTX_OPERANDS 7
#define TMA_PTX_MESSAGE  240

enum tma_ptx_kind {
	TMA_PTX_NOTHING,
	TMA_PTX_REGISTER,
	TMA_PTX_VARIABLE,
	TMA_PTX_IMMEDIATE,
	TMA_PTX_FLOAT,
	TMA_PTX_SINK,
};

struct tma_ptx_place {
	uint32_t line, column; /* from 1 on; a tab is one column */
};

/* A name with what is added to it, or a number. */
struct tma_ptx_term {
	enum tma_ptx_kind kind;
	char name[TMA_PTX_NAME]; /* of a register or a variable */
	bool offset;             /* something is added to it */
	uint64_t value;          /* of an immediate, or what is added; two's complement */
	double number;           /* of a float */
	struct tma_ptx_place place;
};

struct tma_ptx_operand {
	enum tma_ptx_role role;
	bool bracket; /* [ ] stand around it */
	bool negated; /* ! stands before it */
	struct tma_ptx_term term;
	uint32_t count; /* elements of its vector */
	struct tma_ptx_term vector[TMA_PTX_ELEMENTS];
	struct tma_ptx_place place;
};

struct tma_ptx_instruction {
	enum tma_ptx_opcode opcode;
	uint32_t form;                     /* which one of the tables, for docs and messages */
	uint8_t modifier[TMA_PTX_CLASSES]; /* the value of each class, 0: none */
	struct tma_ptx_term guard;         /* @p; kind NOTHING: none */
	bool guard_negated;                /* @!p */
	uint32_t count;                    /* of operands */
	struct tma_ptx_operand operand[TMA_PTX_OPERANDS];
	bool record, last_state; /* of the comment behind it, TMA_PTX_ENGINE alone */
	uint32_t tag;
	struct tma_ptx_place place;
};

struct tma_ptx_error {
	struct tma_ptx_place place;
	uint32_t length;               /* of what is wrong, in columns; 0: the place alone */
	char message[TMA_PTX_MESSAGE]; /* with the rule; one line, no full stop */
	char section[8];               /* of docs/semantics.md, "1.4"; "": the notation */
};

/* ---- Names -------------------------------------------------------------------------------------- */

/* What a name stands for. */
struct tma_ptx_symbol {
	enum tma_ptx_kind kind; /* TMA_PTX_REGISTER or TMA_PTX_VARIABLE */
	uint8_t type;           /* of a register: TMA_PTX_U32 to TMA_PTX_PRED */
	uint8_t space;          /* of a variable: TMA_PTX_GLOBAL, _SHARED, _CONST, _PARAM, _LOCAL */
};

struct tma_ptx_symbols {
	/** @return false: there is no such name */
	bool (*find)(void *context, const char *name, struct tma_ptx_symbol *symbol);
	void *context;
};

/** The names of the frame that `tma check` and the tests put around an instruction. */
const struct tma_ptx_symbols *tma_ptx_frame(void);

/** Write its declarations, as PTX has them. @return length without the zero, as snprintf() */
int tma_ptx_frame_text(char *text, size_t size);

/* ---- Reading and writing ------------------------------------------------------------------------ */

/**
 * Read one instruction, and nothing else.
 *
 * @param symbols  NULL: there are no names
 * @param out      filled on success; undefined else
 */
int tma_ptx_parse(const char *text, enum tma_ptx_target target, const struct tma_ptx_symbols *symbols,
                  struct tma_ptx_instruction *out, struct tma_ptx_error *error);

/**
 * Read the next of several instructions.
 *
 * @param text   where to begin; on success moved behind the instruction and, in the engine's dialect, its comment
 * @param place  of that; NULL: line 1, column 1
 */
int tma_ptx_parse_next(const char **text, struct tma_ptx_place *place, enum tma_ptx_target target,
                       const struct tma_ptx_symbols *symbols, struct tma_ptx_instruction *out,
                       struct tma_ptx_error *error);

/** Move over white space and comments. @return what comes then */
const char *tma_ptx_skip(const char *text, struct tma_ptx_place *place);

/**
 * Write an instruction, its modifiers in the order of the documentation.
 *
 * @return length without the zero, also where @p size is too small for it (as snprintf()); -1: it is no instruction
 */
int tma_ptx_print(const struct tma_ptx_instruction *instruction, char *text, size_t size);

/** Whether two say the same, wherever they stood. */
bool tma_ptx_same(const struct tma_ptx_instruction *one, const struct tma_ptx_instruction *other);

/** The operand of that role; NULL: it has none. */
const struct tma_ptx_operand *tma_ptx_find(const struct tma_ptx_instruction *instruction,
                                           enum tma_ptx_role role);

/** The modifier as it is written, ".tile"; NULL: there is none. */
const char *tma_ptx_modifier(enum tma_ptx_class which, unsigned value);

/* ---- Commands ----------------------------------------------------------------------------------- */

/* What registers and variables hold. A shared address is tma_shared(CTA, offset), a predicate 0 or 1. */
struct tma_ptx_values {
	/** @return false: it has none */
	bool (*find)(void *context, const char *name, uint64_t *value);
	void *context;
};

/** Whether the engine has a command for it. Of the rest, the host does the fences, createpolicy, mapa and
 * getctarank, tensormap.replace and tensormap.cp_fenceproxy. */
bool tma_ptx_is_command(const struct tma_ptx_instruction *instruction);
/** Whether nobody has to do anything: prefetch to a cache and applypriority. */
bool tma_ptx_is_hint(const struct tma_ptx_instruction *instruction);

/** The value of a term, with what is added to it. @p values NULL: there are none. */
int tma_ptx_value(const struct tma_ptx_term *term, const struct tma_ptx_values *values, uint64_t *value,
                  struct tma_ptx_error *error);

/** Whether its guard lets the instruction run; true where it has none. */
int tma_ptx_guard(const struct tma_ptx_instruction *instruction, const struct tma_ptx_values *values,
                  bool *runs, struct tma_ptx_error *error);

/**
 * The command that the engine gets. The guard is not looked at. Values are cut to what their operands have; a shared
 * address of more than 32 bits is refused. A try_wait without a limit never gives up, an arrive without a count is
 * one arrival, and .cta_group::1 is what there is without it.
 *
 * @param values  NULL: the operands are numbers alone
 */
int tma_ptx_command(const struct tma_ptx_instruction *instruction, const struct tma_ptx_values *values,
                    struct tma_command *command, struct tma_ptx_error *error);

/**
 * Write a command as PTX of the target TMA_PTX_ENGINE, with numbers as operands. Read back, and with
 * tma_ptx_command(), it is the same, whatever command it is: what no PTX says is written as tma.command with its eight
 * words.
 *
 * @return length without the zero, as snprintf(); -1: NULL
 */
int tma_command_print(const struct tma_command *command, char *text, size_t size);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
