/* SPDX-License-Identifier: Apache-2.0 */
/* tensor_pictures DIRECTORY - draw the pictures of docs/tensor-copies.md from what the C model does. */
#include <string.h>

#include "pictures.h"

int main(int argc, char **argv)
{
	static void (*const pictures[])(const char *) = {
		draw_tile,         draw_element_strides, draw_im2col,     draw_im2col_offsets, draw_im2col_w,
		draw_im2col_w_128, draw_gather4,         draw_interleave, draw_swizzles,       draw_stores,
	};
	size_t i;

	if (argc != 2 || argv[1][0] == '-') {
		fputs("usage: tensor_pictures DIRECTORY\n\n"
		      "Draws the pictures of docs/tensor-copies.md, from what the C model does.\n",
		      argc == 2 && !strcmp(argv[1], "--help") ? stdout : stderr);
		return argc == 2 && !strcmp(argv[1], "--help") ? 0 : 2;
	}
	open_model();
	for (i = 0; i < sizeof(pictures) / sizeof(pictures[0]); i++)
		pictures[i](argv[1]);
	close_model();
	return 0;
}
