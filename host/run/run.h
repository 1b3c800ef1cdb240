/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run - a program in PTX text: read (program.c, declare.c, source.c, source_map.c, target.c, on text.c), laid out on a
 * device (layout.c, fill.c, with element.c and npy.c), executed (execute.c, wait.c, host.c), and told of (compare.c,
 * report.c, trace.c, trace_write.c).
 *
 * The notation is in docs/ptx-programs.md. Reading needs no device; everything that was read belongs to the
 * program, and ends with it. What is wrong is said where it stands, and ends with an exit status.
 */
#ifndef RUN_H
#define RUN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "tma.h"
#include "tma_ptx.h"

#define RUN_QUEUES TMA_REG_QUEUE_COUNT /* most that any engine has */
#define RUN_PATH   1024

/* ---- Program ------------------------------------------------------------------------------------ */

/* What an element is. */
struct run_type {
	const char *name; /* "f16", without the point */
	uint8_t ptx;      /* TMA_PTX_F16 */
	uint8_t bytes;
	char kind; /* 'b' bits, 'u', 's', 'f', 'h' f16, 'e' bf16, 'p' predicate */
};

struct run_number {
	bool is_float;
	uint64_t value; /* two's complement */
	double number;
	struct tma_ptx_place place;
};

/* Which bytes: a variable, or a part of it, or a register. */
struct run_target {
	uint32_t symbol;
	bool has_at; /* @: a CTA of a shared variable, a port of a multimem object */
	uint32_t at;
	uint64_t offset; /* bytes */
	bool has_count;
	uint64_t count; /* elements */
	struct tma_ptx_place place;
	uint32_t length;
};

enum run_source_kind {
	RUN_ZERO,
	RUN_VALUE,   /* every element */
	RUN_LIST,    /* the first ones, the others are 0 */
	RUN_RAMP,    /* first, step, period */
	RUN_RANDOM,  /* seed */
	RUN_NPY,     /* a file of NumPy */
	RUN_RAW,     /* bytes of a file from an offset on */
	RUN_COPY,    /* of another variable */
	RUN_MAP,     /* a tensor map */
	RUN_ADDRESS, /* of a register: a variable's */
};

struct run_map {
	uint32_t kind, target; /* KIND_TILED and so on, as the words of `tma map` */
	struct run_target tensor;
	struct tma_map_info info;
	struct tma_ptx_place place; /* of its arguments */
};

/* What bytes are filled with, or compared with. */
struct run_source {
	enum run_source_kind kind;
	struct run_number *numbers;
	uint64_t count; /* of numbers */
	const char *path;
	uint64_t offset; /* into the file */
	struct run_target copy;
	struct run_map *map;
	struct tma_ptx_place place;
	uint32_t length;
};

struct run_symbol {
	char name[TMA_PTX_NAME];
	struct tma_ptx_symbol ptx;
	struct run_type type;
	uint64_t count; /* elements; 0: as many as the source has */
	uint32_t align;
	bool fixed; /* .at: the place in shared memory */
	uint32_t place_at;
	bool multimem;
	struct run_source source;
	struct tma_ptx_place place;
	/* Of the device. */
	struct tma_memory *memory;
	struct tma_multimem_object *object;
	uint64_t address; /* global: the engine's; shared: the offset in each CTA */
	/* Of a register, in each thread; an answer that has not come is one of a command. */
	uint64_t value[RUN_QUEUES];
	bool known[RUN_QUEUES], awaited[RUN_QUEUES];
	uint32_t sequence[RUN_QUEUES];
};

enum run_step_kind {
	RUN_INSTRUCTION,
	RUN_THREAD,
	RUN_WAIT,
	RUN_SET,
	RUN_DUMP,
	RUN_COMPARE,
};

struct run_step {
	enum run_step_kind kind;
	struct tma_ptx_instruction *instruction;
	uint32_t thread;  /* RUN_THREAD */
	uint32_t threads; /* RUN_WAIT: mask, 0: all */
	struct run_target target;
	struct run_source source;
	const char *path; /* RUN_DUMP; NULL: text to standard output */
	struct tma_ptx_place place;
	uint32_t length;
};

struct run_thread {
	bool used;
	uint32_t cta;
	struct tma_ptx_place place;
	uint32_t steps; /* its instructions */
};

struct run_program {
	FILE *errors;     /* where they are said */
	const char *tool; /* in messages */
	const char *path; /* as given; "-": standard input */
	char *text;       /* of the file */
	enum tma_ptx_target target;
	struct run_symbol *symbols;
	uint32_t num_symbols, room_symbols;
	struct run_step *steps;
	uint32_t num_steps, room_steps;
	struct run_thread threads[RUN_QUEUES];
	void *blocks; /* everything that was allocated for it */
};

/** Memory that lives as long as the program, all zero. NULL: there is none left. */
void *run_alloc(struct run_program *program, size_t bytes);

/**
 * Read a program; NULL or "-" is standard input.
 * @return 0, or the exit status: what is wrong was said
 */
int run_read(struct run_program *program, const char *tool, const char *path);
/** Read program->text: what is wrong was said if it is false. */
bool run_read_all(struct run_program *program);
void run_free(struct run_program *program);

/** Say what is wrong at a place: "TOOL: FILE:LINE:COLUMN: ..", the line, and a caret. @return 2, TOOL_USAGE */
int run_wrong(const struct run_program *program, struct tma_ptx_place place, uint32_t length,
              const char *format, ...) __attribute__((format(printf, 4, 5)));
/** The line and the caret alone. */
void run_point(const struct run_program *program, struct tma_ptx_place place, uint32_t length);

struct run_symbol *run_find(const struct run_program *program, const char *name);
/** How it is called by who wrote it: "x", "x@2", "x+16". */
const char *run_target_text(const struct run_program *program, const struct run_target *target, char *text,
                            size_t size);

/* ---- Reader (text.c) ---------------------------------------------------------------------------- */

struct run_reader {
	struct run_program *program;
	const char *text;
	struct tma_ptx_place place;
	uint32_t thread; /* that instructions go to */
	bool failed;     /* and said */
};

/** Whether the next thing is that sign or word; taken if it is. White space and comments in front are. */
bool run_took(struct run_reader *reader, const char *what);
/** The same, and said if it is not. @return false */
bool run_need(struct run_reader *reader, const char *what);
bool run_sees(struct run_reader *reader, const char *what);
/** A name, or a word as 128B, zero at its end. False: there is none, which was said as "expected WHAT". */
bool run_word(struct run_reader *reader, const char *what, char *word, size_t size,
              struct tma_ptx_place *place);
/** A string in quotes, which belongs to the program. NULL: there is none; said */
const char *run_string(struct run_reader *reader, const char *what);
bool run_integer(struct run_reader *reader, const char *what, uint64_t min, uint64_t max, uint64_t *value);
/** With a sign, a point or an exponent. */
bool run_number(struct run_reader *reader, struct run_number *number);
/** Say what is wrong here. @return false */
bool run_refuse(struct run_reader *reader, struct tma_ptx_place place, uint32_t length, const char *format,
                ...) __attribute__((format(printf, 4, 5)));
/** Where the next thing stands. */
struct tma_ptx_place run_here(struct run_reader *reader);

/* ---- Parts of the notation ---------------------------------------------------------------------- */

/** A type behind a point, ".f16". (declare.c) */
bool run_read_type(struct run_reader *reader, struct run_type *type);
const struct run_type *run_type_of(const char *name);
/** A declaration whose directive has been taken. */
bool run_declare(struct run_reader *reader, uint8_t space, bool multimem);
bool run_declare_registers(struct run_reader *reader);
bool run_declare_map(struct run_reader *reader);

/** What stands behind "=". (source.c) */
bool run_read_source(struct run_reader *reader, const struct run_type *type, struct run_source *source);
/** The same of a register. */
bool run_read_value(struct run_reader *reader, const struct run_type *type, struct run_source *source);
bool run_read_map(struct run_reader *reader, uint32_t kind, struct run_source *source); /* source_map.c */
/** A variable or a part of it. (target.c) */
bool run_read_target(struct run_reader *reader, struct run_target *target);

/* ---- On a device -------------------------------------------------------------------------------- */

struct json;
struct progress;
struct run_trace;

struct run_options {
	bool quiet, trace_text, as_json;
	uint64_t limit;     /* cycles without progress */
	const char *output; /* folder of dumps; NULL: where one is */
	const char *trace;  /* file; NULL: none */
	bool rings;         /* queues take commands from rings */
};

/* A command that was submitted, and the instruction that it came from. */
struct run_sent {
	const struct run_step *step;
	struct tma_command command;
};

struct run_queue {
	struct tma_queue *queue;
	struct run_sent *sent; /* from sequence number `first` on */
	uint32_t first, num_sent, room;
	uint32_t seen; /* sequence number of the next one to leave it, when it was looked at last */
};

struct run_comparison {
	const struct run_step *step;
	bool equal;
	char text[320]; /* of the first difference */
};

struct run {
	struct run_program *program;
	struct run_options options;
	struct tma_device *device;
	struct tma_device_info info;
	struct run_queue queues[RUN_QUEUES];
	uint32_t thread; /* that instructions go to */
	struct json *json;
	struct progress *progress;
	struct run_trace *trace;
	bool checking; /* compares and dumps are done */
	bool faulted;
	char fault[1800], fault_ptx[600];
	const struct run_step *fault_step;
	uint32_t commands, done_on_host, hints, skipped; /* instructions so far, by who did them */
	uint64_t asked;                                  /* bytes that the copies of the program name */
	struct run_comparison *comparisons;
	uint32_t num_comparisons, differences;
	uint64_t counters[TMA_REG_COUNTER_COUNT]; /* of the program alone */
	bool has_counter[TMA_REG_COUNTER_COUNT];
};

/** Give the program's variables memory and contents, and open its queues. @return 0 or the exit status */
int run_layout(struct run *run);
/** Registers, and what is counted, as they are when a program begins. */
void run_begin(struct run *run);
/** Execute all steps from the first one on, until every queue is idle. @return 0, 1: a compare failed or a fault came, or 2; said */
int run_execute(struct run *run);
/** Give back what run_layout() took. */
void run_close(struct run *run);

/** Say that the library has refused something. @return 1, TOOL_FAIL */
int run_failed(const struct run *run, struct tma_ptx_place place, const char *what);

/** How many elements and bytes a target has; said where it leaves its variable. @return 0 or the exit status */
int run_extent(const struct run *run, const struct run_target *target, uint64_t *count, uint64_t *bytes);
/** The bytes of a source, as so many elements of a type. @return 0 or the exit status; said */
int run_bytes(const struct run *run, const struct run_source *source, const struct run_type *type,
              uint64_t count, uint8_t *bytes);
/** How many elements a source has by itself, for a variable without a size. */
int run_count(const struct run *run, const struct run_source *source, const struct run_type *type,
              uint64_t *count);
int run_encode(const struct run *run, const struct run_source *source, struct tma_map *map);

/** Memory of a target; of a shared variable without @, in the CTA of the current thread. */
int run_load(struct run *run, const struct run_target *target, uint8_t *bytes, uint64_t size);
int run_store(struct run *run, const struct run_target *target, const uint8_t *bytes, uint64_t size);
/** The ports of a multimem object, or one for anything else. */
uint32_t run_places(const struct run *run, const struct run_target *target);

/* (wait.c) */
/** Wait until the queues of a mask are idle, 0: all of them. @return 0 or the exit status; said */
int run_drain(struct run *run, uint32_t threads);
/** Wait until every command of a thread has left its queue: what a thread waits for has come. */
int run_issued(struct run *run, uint32_t thread);
/** Wait for the answer that a register of a thread gets. */
int run_answer(struct run *run, struct run_symbol *symbol, uint32_t thread);
/** The command that a queue was given under a sequence number; NULL: it is not known any more. */
const struct run_sent *run_sent(const struct run *run, uint32_t queue, uint32_t sequence);
/** Say a fault, once. @return 1 */
int run_fault(struct run *run, uint32_t queue, const struct tma_record *record);

/** A tensor map in a variable in global memory. @return 0, -1: there is none that holds all of it */
int run_map_at(const struct run *run, uint64_t address, struct tma_map *map);
int run_put_map(const struct run *run, uint64_t address, const struct tma_map *map);

/** Execute an instruction that is no command of the engine. (host.c) */
int run_on_host(struct run *run, const struct run_step *step);
/* The names of a thread, and what they hold. (execute.c) */
struct run_names {
	struct run *run;
	uint32_t thread;
	int status; /* why a name has no value, if that was said */
};
struct tma_ptx_values run_values(struct run_names *names);
/** The value of an operand; 0 where there is none. */
int run_operand(struct run *run, const struct run_step *step, enum tma_ptx_role role, uint64_t *value);
/** What is left of a value in a register of that type. */
uint64_t run_cut(const struct run_type *type, uint64_t value);
/** What is left in a register, cut to its size. */
void run_define(struct run_symbol *symbol, uint32_t thread, uint64_t value);
/** The address of a variable for a thread. */
uint64_t run_address(const struct run_program *program, const struct run_target *target, uint32_t thread);
/** The register that an instruction leaves its result in; NULL: none, or the sink. */
struct run_symbol *run_result(const struct run *run, const struct tma_ptx_instruction *instruction);

int run_compare(struct run *run, const struct run_step *step);
int run_dump(struct run *run, const struct run_step *step);
/** An element as one reads it. (element.c) */
void run_element_text(const struct run_type *type, const uint8_t *bytes, char *text, size_t size);
/** @return NULL, or why it does not fit */
const char *run_element_put(const struct run_type *type, const struct run_number *number, uint8_t *bytes);

/* ---- Files (npy.c) ------------------------------------------------------------------------------- */

struct run_npy {
	char type[16]; /* "<f4" */
	bool fortran;
	uint64_t shape[8];
	uint32_t rank;
	uint64_t count;  /* elements */
	uint64_t offset; /* of the first one in the file */
	uint64_t length; /* of the file */
};

/** @return NULL, or why it is none */
const char *run_npy_read(FILE *file, struct run_npy *npy);
/** What NumPy calls a type in front of an array: "<u4". */
void run_npy_type(const struct run_type *type, char text[8]);
bool run_npy_write(FILE *file, const struct run_type *type, uint64_t count);
/** A file that the program names, beside the program. */
void run_path(const struct run_program *program, const char *name, char path[RUN_PATH]);

/* ---- Reports ------------------------------------------------------------------------------------- */

void run_report(struct run *run, int status);
void run_read_counters(struct run *run, uint64_t values[TMA_REG_COUNTER_COUNT]);

#endif
