/* SPDX-License-Identifier: Apache-2.0 */
/* tensor_pictures DIRECTORY - draw the pictures of docs/tensor-copies.md from what the C model does. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include "pictures.h"

static const char usage[] = "usage: tensor_pictures DIRECTORY\n"
			    "\n"
			    "Draws the pictures of docs/tensor-copies.md, from what the C model does.\n"
			    "\n"
			    "Exit status: 0 they are drawn, 1 they cannot be, 2 a wrong option.\n";

void open_svg(struct svg *svg, const char *directory, const char *name, const char *title, uint32_t width,
              uint32_t height)
{
	char path[4096];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s.svg", directory, name);
	file = fopen(path, "w");
	if (!file) {
		fprintf(stderr, "tensor_pictures: %s: %s\n", path, strerror(errno));
		exit(1);
	}
	begin_svg(svg, file, title, width, height);
}

void close_svg(struct svg *svg)
{
	if (!end_svg(svg))
		return;
	fprintf(stderr, "tensor_pictures: cannot be written: %s\n", strerror(errno));
	exit(1);
}

int main(int argc, char **argv)
{
	static void (*const pictures[])(const char *) = {
		draw_tile,         draw_element_strides, draw_im2col,     draw_im2col_offsets, draw_im2col_w,
		draw_im2col_w_128, draw_gather4,         draw_interleave, draw_swizzles,       draw_stores,
	};
	const struct cli cli = { .tool = "tensor_pictures", .usage = usage };
	int first, status = cli_parse(&cli, argc, argv, &first);
	size_t i;

	if (status != CLI_GO_ON)
		return status;
	if (first == argc) {
		fputs("tensor_pictures: no directory; see tensor_pictures --help\n", stderr);
		return CLI_USAGE;
	}
	if (first + 1 < argc)
		return cli_refuse(cli.tool, argv[first + 1],
		                  "one directory at a time; see tensor_pictures --help");
	open_model();
	for (i = 0; i < sizeof(pictures) / sizeof(pictures[0]); i++)
		pictures[i](argv[first]);
	close_model();
	return 0;
}
