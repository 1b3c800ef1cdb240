/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tma_board_sim - the Verilated board behind a pseudo-terminal.
 *
 * Clock by clock the board's two pins are the line, whose bytes come from and go to the terminal. When nothing moves and
 * no answer is owed, the board's time stands still until a byte comes: whoever asks then need not wait for a processor
 * that does nothing.
 */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "board/board_sim.h"
#include "board/noise.h"
#include "board/pty.h"
#include "board/serial_line.h"
#include "cli.h"

#define TOOL "tma_board_sim"

/* Clocks between two looks at the terminal: fewer than two bytes take. */
#define STEP 64u
/* Looks between two at the standard input. */
#define LOOKS 1024u
/* Bytes that are worth a call. */
#define FLUSH 256u
/* Milliseconds until a signal that came at the wrong moment is noticed. */
#define PATIENCE 200

#define US_CLOCKS ((BOARD_CLOCK_HZ + 999999u) / 1000000u)
#define MAX_WAIT  (UINT64_C(1) << 20) /* microseconds, of WAIT */
/* Clocks in which nothing has moved, until time stands still: with an answer owed, and without. */
#define QUIET_OWED ((MAX_WAIT + MAX_WAIT / 8) * US_CLOCKS)
#define QUIET      4096u
#define FLAG       0x7Eu
#define STRING_(a) #a
#define STRING(a)  STRING_(a)

struct board {
	struct board_sim *sim;
	struct pty pty;
	struct serial_line line;
	struct noise to, from;
	uint64_t clocks, quiet; /* all of them; since something moved last */
	bool asks, answers;     /* bytes have come since the last flag, from either side */
	bool owed;              /* a frame has gone to the board, and none has come back since */
	uint64_t read, written, dropped;
};

static volatile sig_atomic_t ended;

static void end(int signal)
{
	(void)signal;
	ended = 1;
}

static bool input_closed(int timeout, struct pty *pty)
{
	struct pollfd fds[2] = { { .fd = STDIN_FILENO, .events = POLLIN },
		                 { .fd = pty ? pty->master : -1, .events = POLLIN } };
	char bytes[256];
	ssize_t got;

	if (poll(fds, 2, timeout) <= 0 || !fds[0].revents)
		return false;
	got = read(STDIN_FILENO, bytes, sizeof(bytes));
	return !got || (got < 0 && errno != EINTR && errno != EAGAIN);
}

/* A frame ends with this byte; @p inside: it has begun. */
static bool ends_frame(bool *inside, uint8_t byte)
{
	bool ends = byte == FLAG && *inside;

	*inside = byte != FLAG;
	return ends;
}

/* Bytes of the terminal go onto the line. */
static void take(struct board *b)
{
	uint8_t bytes[1024], passed[2];
	size_t count;

	if (b->line.out.count)
		return;
	count = pty_read(&b->pty, bytes, sizeof(bytes));
	b->read += count;
	for (size_t i = 0; i < count; i++) {
		unsigned n = noise_pass(&b->to, bytes[i], passed);

		for (unsigned k = 0; k < n; k++) {
			serial_push(&b->line.out, passed[k]);
			b->owed = ends_frame(&b->asks, passed[k]) || b->owed;
		}
	}
}

/* Bytes of the line go to the terminal. */
static void give(struct board *b)
{
	uint8_t bytes[2 * SERIAL_QUEUE], byte;
	size_t count = 0, put;

	if (!b->line.in.count || (b->line.in_left && b->line.in.count < FLUSH))
		return;
	while (serial_pop(&b->line.in, &byte)) {
		count += noise_pass(&b->from, byte, bytes + count);
		if (ends_frame(&b->answers, byte))
			b->owed = false;
	}
	put = pty_write(&b->pty, bytes, count);
	b->written += put;
	b->dropped += count - put;
}

static void run(struct board *b)
{
	for (uint64_t look = 0; !ended && !board_sim_failed(); look++) {
		take(b);
		for (unsigned i = 0; i < STEP; i++)
			serial_line_see(&b->line, board_sim_clock(b->sim, serial_line_level(&b->line)));
		b->clocks += STEP;
		give(b);
		if (serial_line_moves(&b->line) || board_sim_leds(b->sim) & BOARD_LED_BUSY)
			b->quiet = 0;
		else
			b->quiet += STEP;
		if (b->quiet >= (b->owed ? QUIET_OWED : QUIET)) {
			if (input_closed(PATIENCE, &b->pty))
				break;
		} else if (look % LOOKS == 0 && input_closed(0, NULL)) {
			break;
		}
	}
}

static double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void say_stats(const struct board *b, double seconds)
{
	fprintf(stderr,
	        TOOL ": %" PRIu64 " clocks in %.2f s of processor time, %.0f per second; %" PRIu64
	             " bytes to the board, %" PRIu64 " from it, %" PRIu64 " of these dropped\n",
	        b->clocks, seconds, (double)b->clocks / seconds, b->read, b->written + b->dropped,
	        b->dropped);
	fprintf(stderr,
	        TOOL ": to the board %" PRIu64 " lost, %" PRIu64 " doubled, %" PRIu64
	             " flipped; from it %" PRIu64 ", %" PRIu64 ", %" PRIu64 "\n",
	        b->to.lost, b->to.doubled, b->to.flipped, b->from.lost, b->from.doubled, b->from.flipped);
}

/* SEED[,RATE] */
static bool read_noise(const char *text, uint64_t *seed, uint64_t *rate)
{
	const char *comma = strchr(text, ',');
	char first[32];
	size_t length = comma ? (size_t)(comma - text) : strlen(text);

	*rate = 1000;
	if (length >= sizeof(first)) {
		cli_refuse(TOOL, "--noise", "must be SEED or SEED,RATE");
		return false;
	}
	memcpy(first, text, length);
	first[length] = 0;
	return cli_number(TOOL, "--noise: SEED", first, 0, UINT64_MAX, seed) &&
	       (!comma || cli_number(TOOL, "--noise: RATE", comma + 1, 2, UINT32_MAX, rate));
}

static const char usage[] =
	"usage: " TOOL " [OPTION]...\n"
	"Run the Verilated board with its serial line on a pseudo-terminal, whose name is the first line\n"
	"printed. Ends when the standard input is closed, and on SIGTERM.\n"
	"\n"
	"  --link PATH          a symbolic link of this name to the terminal, for as long as this runs\n"
	"  --noise SEED[,RATE]  lose, double or flip one byte of RATE (2 or more, default 1000), both ways\n"
	"  --stats              say at the end how many clocks and bytes there were\n"
	"  -h, --help           print this\n"
	"  --version            print the version\n"
	"\n"
	"Built for " STRING(BOARD_CLOCKS_PER_BIT) " clocks per bit (make BOARD_CLOCKS_PER_BIT=N) and a clock of " STRING(
		BOARD_CLOCK_HZ) " Hz.\n";

int main(int argc, char **argv)
{
	const char *link = NULL, *noise = NULL;
	bool stats = false;
	uint64_t seed = 0, rate = 0;
	const struct cli_option options[] = {
		{ "link", CLI_TEXT, &link, 0, 0 },
		{ "noise", CLI_TEXT, &noise, 0, 0 },
		{ "stats", CLI_FLAG, &stats, 0, 0 },
	};
	const struct cli cli = { TOOL, usage, options, sizeof(options) / sizeof(*options) };
	struct sigaction action = { .sa_handler = end };
	struct board *b;
	int first, status = cli_parse(&cli, argc, argv, &first);

	if (status != CLI_GO_ON)
		return status;
	if (first < argc)
		return cli_refuse(TOOL, argv[first], "takes no operands");
	if (noise && !read_noise(noise, &seed, &rate))
		return CLI_USAGE;

	b = calloc(1, sizeof(*b));
	if (!b || !(b->sim = board_sim_open())) {
		fprintf(stderr, TOOL ": out of memory\n");
		free(b);
		return EXIT_FAILURE;
	}
	status = EXIT_FAILURE;
	if (pty_open(&b->pty, link)) {
		fprintf(stderr, TOOL ": %s: %s\n", link ? link : "pseudo-terminal", strerror(errno));
		goto close_sim;
	}
	sigaction(SIGTERM, &action, NULL);
	sigaction(SIGINT, &action, NULL);
	serial_line_start(&b->line, BOARD_CLOCKS_PER_BIT);
	b->to = noise_make(seed, 1, (uint32_t)rate);
	b->from = noise_make(seed, 2, (uint32_t)rate);
	printf("%s\n", b->pty.name);
	if (cli_end(TOOL, EXIT_SUCCESS) == EXIT_SUCCESS) {
		double start = cpu_seconds();

		run(b);
		if (stats)
			say_stats(b, cpu_seconds() - start);
		if (board_sim_failed())
			fprintf(stderr, TOOL ": an assertion of the RTL has failed\n");
		else
			status = EXIT_SUCCESS;
	}
	pty_close(&b->pty);
close_sim:
	board_sim_close(b->sim);
	free(b);
	return status;
}
