/* SPDX-License-Identifier: Apache-2.0 */
/* tma map decode, tma map describe - a map as options, and in words. */
#include <inttypes.h>
#include <stdlib.h>

#include "map.h"

const char map_decode_usage[] = "usage: tma map decode [--json] [FILE]\n"
				"\n"
				"Prints the options with which `tma map encode` makes this map.\n"
				"\n"
				"  --json  for programs\n"
				"\n"
				"Exit status: 0 it is a map, 1 it breaks a rule, 2 a wrong option or file.\n";

const char map_describe_usage[] =
	"usage: tma map describe [FILE]\n"
	"\n"
	"Puts a map into words; of an illegal one what can be read, and the rule that it breaks.\n"
	"\n"
	"Exit status: 0 it is a map, 1 it breaks a rule, 2 a wrong option or file.\n";

/* Either form of what a map holds. */
struct out {
	struct json *json; /* NULL: options */
};

static void put_word(const struct out *out, const char *option, const char *name, const char *word)
{
	if (out->json)
		json_text(out->json, name, word);
	else
		printf("--%s %s\n", option, word);
}

static void put_list(const struct out *out, const char *option, const char *name, const int64_t *numbers,
                     uint32_t count)
{
	uint32_t i;

	if (out->json)
		json_begin(out->json, name, '[');
	else
		printf("--%s ", option);
	for (i = 0; i < count; i++)
		if (out->json)
			json_number(out->json, NULL, numbers[i]);
		else
			printf("%s%" PRId64, i ? "," : "", numbers[i]);
	if (out->json)
		json_end(out->json, ']');
	else
		putchar('\n');
}

static void put_number(const struct out *out, const char *name, uint32_t number)
{
	if (out->json)
		json_number(out->json, name, number);
	else
		printf("--%s %" PRIu32 "\n", name, number);
}

static void put_tensor(const struct out *out, const struct tma_map_info *info)
{
	int64_t numbers[5] = { 0 };
	uint32_t i;

	if (out->json)
		json_hex(out->json, "address", info->address);
	else
		printf("--address 0x%" PRIx64 "\n", info->address);
	for (i = 0; i < info->rank; i++)
		numbers[i] = (int64_t)info->dim[i];
	put_list(out, "dims", "dims", numbers, info->rank);
	for (i = 0; i + 1 < info->rank; i++)
		numbers[i] = (int64_t)info->strides[i];
	if (info->rank > 1)
		put_list(out, "strides", "strides", numbers, info->rank - 1);
	for (i = 0; i < info->rank; i++)
		numbers[i] = info->element_strides[i];
	put_list(out, "element-strides", "element_strides", numbers, info->rank);
}

static void put_box(const struct out *out, const struct tma_map_info *info)
{
	uint32_t corners = info->wide ? 1 : info->rank - 2, i;
	int64_t numbers[5] = { 0 };

	if (info->kind == TMA_MAP_TILED) {
		for (i = 0; i < info->rank; i++)
			numbers[i] = info->box[i];
		put_list(out, "box", "box", numbers, info->rank);
		return;
	}
	for (i = 0; i < corners; i++)
		numbers[i] = info->lower[i];
	put_list(out, "lower", "lower", numbers, corners);
	for (i = 0; i < corners; i++)
		numbers[i] = info->upper[i];
	put_list(out, "upper", "upper", numbers, corners);
	put_number(out, "channels", info->channels);
	put_number(out, "pixels", info->pixels);
}

static void print(const struct tma_map_info *info, struct json *json)
{
	const struct out out = { json };

	if (json)
		json_begin(json, NULL, '{');
	put_word(&out, "kind", "kind", map_word(WORD_KIND, map_kind(info)));
	put_word(&out, "type", "type", map_word(WORD_TYPE, info->type));
	put_tensor(&out, info);
	put_box(&out, info);
	put_word(&out, "interleave", "interleave", map_word(WORD_INTERLEAVE, info->interleave));
	put_word(&out, "swizzle", "swizzle", map_word(WORD_SWIZZLE, info->swizzle));
	put_word(&out, "promotion", "promotion", map_word(WORD_PROMOTION, info->promotion));
	put_word(&out, "fill", "fill", map_word(WORD_FILL, info->fill));
	if (json)
		json_end(json, '}');
}

static int one_file(const struct cli *cli, int argc, char **argv, const char **path)
{
	int first, status = cli_parse(cli, argc, argv, &first);

	if (status != CLI_GO_ON)
		return status;
	*path = argv[first]; /* NULL behind the last */
	if (first + 1 < argc)
		return cli_refuse(cli->tool, argv[first + 1], "one file at a time");
	return CLI_GO_ON;
}

int map_decode(int argc, char **argv)
{
	bool as_json = false;
	const struct cli_option options[] = { { .name = "json", .kind = CLI_FLAG, .to = &as_json } };
	const struct cli cli = { "tma map decode", map_decode_usage, options, 1 };
	struct json json = { .file = stdout };
	struct tma_map_info info;
	const char *path;
	int status = one_file(&cli, argc, argv, &path);

	if (status != CLI_GO_ON)
		return status;
	status = map_read_legal(cli.tool, path, &info);
	if (status)
		return status;
	print(&info, as_json ? &json : NULL);
	return cli_end(cli.tool, TOOL_PASS);
}

int map_describe(int argc, char **argv)
{
	const struct cli cli = { .tool = "tma map describe", .usage = map_describe_usage };
	struct tma_map_info info;
	struct tma_map map;
	char text[4096];
	const char *path;
	int status = one_file(&cli, argc, argv, &path);

	if (status != CLI_GO_ON)
		return status;
	status = map_read(cli.tool, path, &map);
	if (status)
		return status;
	tma_map_describe(&map, text, sizeof(text));
	fputs(text, stdout);
	return cli_end(cli.tool, tma_map_decode(&map, &info, NULL) ? TOOL_FAIL : TOOL_PASS);
}
