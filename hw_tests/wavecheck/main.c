/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wavecheck - holds the waveform of a run, and nothing else, against the C model.
 *
 * Exit status: 0 all agrees, 1 a difference, 2 the dump cannot be used.
 * The dump is read and checked in a child process: a damaged file may crash the waveform reader.
 */
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli.h"
#include "wavecheck/check.h"

enum stage { READING, CHECKING };

struct options {
	const char *path, *scope;
	bool verbose, private_memory;
};

static const char usage[] =
	"usage: wavecheck DUMP.fst [--scope PATH] [--private] [--verbose]\n"
	"\n"
	"Rebuilds commands, AXI transactions, records and shared memory accesses from the engine's ports\n"
	"in the dump, runs the commands through the C model and reports the first difference.\n"
	"\n"
	"  --scope PATH  scope of the engine; default: the outermost one with its ports\n"
	"  --private     nobody else writes global memory while a queue is enabled: what is read must be what\n"
	"                was last seen there\n"
	"  --verbose     list what was rebuilt\n"
	"\n"
	"Exit status: 0 all agrees, 1 a difference, 2 a wrong option or a dump that cannot be used.\n";

static int complain(const char *path, const char *error)
{
	fprintf(stderr, "wavecheck: %s: %s\n", path, error);
	return 2;
}

/* The reader complains about damaged files in words of its own; one error is enough. */
static int mute(void)
{
	int saved = dup(STDERR_FILENO), null = open("/dev/null", O_WRONLY);

	if (null >= 0) {
		dup2(null, STDERR_FILENO);
		close(null);
	}
	return saved;
}

static void unmute(int saved)
{
	if (saved >= 0) {
		dup2(saved, STDERR_FILENO);
		close(saved);
	}
}

static const char *read_dump(struct check *c, struct event_log *log, const struct options *o)
{
	struct sampler *sampler;
	const char *error = dump_open(&c->dump, o->path, o->scope);

	if (error)
		return error;
	c->shape = *dump_shape(c->dump);
	if (!c->shape.smem_bytes || !c->shape.windows || !c->shape.multimem)
		return "the constants SmemBytes, NumWindows and NumMultimem are missing";
	sampler = sampler_new(c->dump, log);
	if (!sampler)
		return "out of memory";
	error = dump_run(c->dump, sampler_sample, sampler);
	sampler_end(sampler);
	sampler_free(sampler);
	if (!error && !log->cycles)
		error = "signal clk_i has no rising edge";
	return log->no_memory ? "out of memory" : error;
}

static int run(const struct options *o, volatile enum stage *stage)
{
	struct event_log log = { 0 };
	struct check c = {
		.path = o->path, .log = &log, .verbose = o->verbose, .private_memory = o->private_memory
	};
	int saved = mute(), status;
	const char *error = read_dump(&c, &log, o);

	/* A damaged dump may have the reader spoil memory, and be found out as it frees this. */
	dump_end_reading(c.dump);
	unmute(saved);
	*stage = CHECKING;
	if (error) {
		status = complain(o->path, error);
	} else {
		status = check_run(&c);
		if (!status && o->verbose)
			printf("compared: %llu of %llu bytes stored, %llu of %llu bytes read by software, "
			       "%llu of %llu answers\n",
			       (unsigned long long)c.stored.compared, (unsigned long long)c.stored.all,
			       (unsigned long long)c.read.compared, (unsigned long long)c.read.all,
			       (unsigned long long)c.answers.compared, (unsigned long long)c.answers.all);
		if (!status && c.maps.all != c.maps.compared)
			printf("not checked: %llu of %llu commands with a tensor map that the dump does not show\n",
			       (unsigned long long)(c.maps.all - c.maps.compared),
			       (unsigned long long)c.maps.all);
		if (!status)
			printf("wavecheck: %s: %llu commands, %llu bursts, %llu records agree with the model\n",
			       o->path, (unsigned long long)c.commands, (unsigned long long)c.bursts,
			       (unsigned long long)c.records);
	}
	event_log_free(&log);
	dump_close(c.dump);
	return status;
}

static int run_in_child(const struct options *o)
{
	enum stage *stage =
		mmap(NULL, sizeof(*stage), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t child;
	int status;

	if (stage == MAP_FAILED)
		return complain(o->path, "out of memory");
	*stage = READING;
	child = fork();
	if (child < 0)
		return complain(o->path, "cannot start a process to read it");
	if (child == 0)
		exit(cli_end("wavecheck", run(o, stage)));
	if (waitpid(child, &status, 0) < 0)
		return complain(o->path, "lost the process that reads it");
	/* The reader may also end the process by itself. */
	if (WIFEXITED(status) && *stage == CHECKING)
		return WEXITSTATUS(status);
	/* Whoever read the list has had enough of it. */
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE)
		return 2;
	return complain(o->path, *stage == READING ? "is damaged: the waveform reader failed on it"
	                                           : "the check itself failed: this is a bug of wavecheck");
}

int main(int argc, char **argv)
{
	struct options o = { 0 };
	const struct cli_option known[] = {
		{ .name = "scope", .kind = CLI_TEXT, .to = &o.scope },
		{ .name = "private", .kind = CLI_FLAG, .to = &o.private_memory },
		{ .name = "verbose", .kind = CLI_FLAG, .to = &o.verbose },
	};
	const struct cli cli = { "wavecheck", usage, known, sizeof(known) / sizeof(known[0]) };
	int first, status = cli_parse(&cli, argc, argv, &first);

	if (status != CLI_GO_ON)
		return status;
	if (first + 1 < argc)
		return complain(argv[first + 1], "one dump at a time; see wavecheck --help");
	o.path = argv[first];
	if (!o.path)
		return fputs("wavecheck: no dump; see wavecheck --help\n", stderr), 2;
	return run_in_child(&o);
}
