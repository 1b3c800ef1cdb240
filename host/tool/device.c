/* SPDX-License-Identifier: Apache-2.0 */
/* Opens the engine that the options name. */
#include "tool.h"

/* A word or a file that is not there is the caller's to mend, the rest is the engine's. */
static int status_of(int error)
{
	return error == TMA_EBACKEND || error == TMA_ECONFIG || error == TMA_EINVAL ? TOOL_USAGE : TOOL_FAIL;
}

/* Why the library has failed, in one line, though it may have more: each file that it has looked for. */
static void print_why(int error)
{
	const char *why = tma_last_error(), *c;

	if (!*why)
		why = tma_strerror(error);
	for (c = why; *c; c++) {
		if (*c == '\n')
			fputs(c > why && c[-1] == ':' ? " " : "; ", stderr);
		else if (*c != '\t')
			fputc(*c, stderr);
	}
	fputc('\n', stderr);
}

static int refuse(const char *command, const struct tma_options *options, int error)
{
	fprintf(stderr, "%s: --backend %s", command, options->backend);
	if (options->config)
		fprintf(stderr, " --config %s", options->config);
	fprintf(stderr, ": ");
	print_why(error);
	return status_of(error);
}

int tool_open(const char *command, const struct tool_target *target, struct tma_device **device)
{
	struct tma_options options = {
		.size = sizeof(options),
		.backend = target->backend ? target->backend : "model",
		.config = target->config,
		.seed = target->seed,
		.memory_bytes = UINT64_C(1) << 30,
		.reductions = true,
		.device = target->device,
		.baud = (uint32_t)target->baud,
	};
	int error = tma_open(&options, device);

	/* An engine that has none is one all the same. */
	if (error == TMA_ENOTSUP) {
		options.reductions = false;
		error = tma_open(&options, device);
	}
	return error ? refuse(command, &options, error) : 0;
}
