/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma - the command line tool: its commands, and what they share.
 *
 * A program of libtma like any other: it includes public headers alone and is linked with libtma.so. Back ends
 * besides the model are found by their names. A command is a file of its own and a row of the table in main.c.
 */
#ifndef TOOL_H
#define TOOL_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli.h"
#include "tma.h"

/* Exit status of every command. */
#define TOOL_PASS  0
#define TOOL_FAIL  1
#define TOOL_USAGE CLI_USAGE

struct tool_command {
	const char *name;    /* "info" */
	const char *full;    /* "tma info", in messages */
	const char *summary; /* one line, for the list of commands */
	const char *usage;   /* whole text of --help */
	/** argv[0] is the command's name. @return exit status */
	int (*run)(int argc, char **argv);
};

extern const struct tool_command tool_bench, tool_check, tool_info, tool_map, tool_run, tool_selftest;

/* ---- Device (device.c) ------------------------------------------------------------------------- */

/* What says which engine; all zero at first: model, default. */
struct tool_target {
	const char *backend, *config, *device;
	uint64_t seed, baud;
};

/* The options that say so, in a table of cli_option. */
#define TOOL_TARGET_OPTIONS(target)                                                                   \
	{ .name = "backend", .kind = CLI_TEXT, .to = &(target).backend },                             \
		{ .name = "config", .kind = CLI_TEXT, .to = &(target).config },                       \
		{ .name = "device", .kind = CLI_TEXT, .to = &(target).device },                       \
	{                                                                                             \
		.name = "baud", .kind = CLI_NUMBER, .to = &(target).baud, .min = 1, .max = UINT32_MAX \
	}

/**
 * Open an engine, with reductions if it can have them.
 *
 * @param command  name in messages, "tma info"
 * @param device   filled on success
 * @return 0, or the exit status; why was said in one line, behind what the library has said
 */
int tool_open(const char *command, const struct tool_target *target, struct tma_device **device);

/* ---- JSON (json.c) ------------------------------------------------------------------------------ */

/* Writes one document. Names are NULL inside arrays. */
struct json {
	FILE *file;
	uint32_t depth;
	bool follows; /* something stands in front, a comma is due */
};

void json_begin(struct json *json, const char *name, char bracket); /* '{' or '[' */
void json_end(struct json *json, char bracket);                     /* '}' or ']' */
void json_text(struct json *json, const char *name, const char *text);
void json_number(struct json *json, const char *name, int64_t number);
void json_bool(struct json *json, const char *name, bool value);
/** 64 bits as text: "0x..", as not every reader has whole numbers of that size. */
void json_hex(struct json *json, const char *name, uint64_t value);

/* ---- Progress (progress.c) ---------------------------------------------------------------------- */

/* A line on a terminal that tells how far long work is; nothing where standard error is a file. */
struct progress {
	bool shown; /* on a terminal at all */
	int width;  /* of what stands there */
};

void progress_open(struct progress *progress);
void progress_say(struct progress *progress, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Wipe the line, before anything else is written. */
void progress_clear(struct progress *progress);

#endif
