#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# enum_test.sh - three sets of numbers mean types, swizzles and so on of tensor maps, and none compiles where another is
# asked for: not in C++, and not in C with -Wenum-conversion, which is in -Wextra.
set -u

passed=0 failed=0
flags='-Isw_model/include -Ihost/include -Wextra -Werror -fsyntax-only'

program() { # TYPE INTERLEAVE SWIZZLE PROMOTION FILL, of the encoder
	cat <<-END
		#include <tma.h>
		int encode(struct tma_map *map, const uint64_t *dim, const uint32_t *box);
		int encode(struct tma_map *map, const uint64_t *dim, const uint32_t *box)
		{
			return tma_map_encode_tiled(map, TMA_MAP_SM_90, $1, 1, 4096, dim, dim, box, box, $2, $3, $4, $5, 0);
		}
	END
}

edit() { # FIELD VALUE, of tensormap.replace
	cat <<-END
		#include <tma.h>
		int edit(struct tma_map *map);
		int edit(struct tma_map *map)
		{
			return tma_map_replace_$1(map, $2, 0);
		}
	END
}

result() { # NAME STATUS
	if [ "$2" -eq 0 ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $1"
	fi
}

compile() { # c or c++, a program on standard input
	case $1 in
	c) gcc -std=c11 $flags -xc - ;;
	*) g++ -std=c++17 $flags -xc++ - ;;
	esac 2>&1
}

accepted() { # NAME, a program
	local text
	text=$(cat)
	for language in c c++; do
		compile $language <<<"$text"
		result "$1, $language" $?
	done
}

# Refused, and for this reason.
refused() { # NAME, a program
	local text
	text=$(cat)
	for language in c c++; do
		compile $language <<<"$text" | grep -qE 'error: (implicit conversion from|cannot convert) '
		result "$1, $language" $?
	done
}
export LC_ALL=C

none='TMA_MAP_INTERLEAVE_NONE TMA_MAP_SWIZZLE_NONE TMA_MAP_PROMOTION_NONE TMA_MAP_FILL_ZERO'
right="TMA_MAP_DATA_UINT8 $none"
accepted 'what the encoder takes' < <(program $right)
refused 'a raw type' < <(program TMA_RAW_TYPE_BF16 $none)
refused 'a type of PTX' < <(program TMA_PTX_ELEMTYPE_BF16 $none)
refused 'a type of a reduction' < <(program TMA_TYPE_BF16 $none)
refused 'a raw interleave' < <(program ${right/TMA_MAP_INTERLEAVE/TMA_RAW_INTERLEAVE})
refused 'a raw swizzle' < <(program ${right/TMA_MAP_SWIZZLE/TMA_RAW_SWIZZLE})
refused 'a swizzle mode of PTX' < <(program ${right/TMA_MAP_SWIZZLE/TMA_PTX_SWIZZLE_MODE})
refused 'a raw fill' < <(program ${right/TMA_MAP_FILL/TMA_RAW_FILL})
refused 'swizzle and interleave in turn' < <(program TMA_MAP_DATA_UINT8 TMA_MAP_SWIZZLE_NONE TMA_MAP_INTERLEAVE_NONE \
	TMA_MAP_PROMOTION_NONE TMA_MAP_FILL_ZERO)
accepted 'what elemtype takes' < <(edit elemtype TMA_PTX_ELEMTYPE_BF16)
refused 'a type of the driver for PTX' < <(edit elemtype TMA_MAP_DATA_BFLOAT16)
refused 'a raw type for PTX' < <(edit elemtype TMA_RAW_TYPE_BF16)
refused 'a swizzle of the driver for PTX' < <(edit swizzle_mode TMA_MAP_SWIZZLE_96B)
refused 'a mode for an atomicity' < <(edit swizzle_atomicity TMA_PTX_SWIZZLE_MODE_32B)
refused 'a fill of the driver for PTX' < <(edit fill_mode TMA_MAP_FILL_NAN)
# The name that once meant both does not exist.
result 'TMA_MAP_TYPE_BF16' $(($(program TMA_MAP_TYPE_BF16 $none | compile c | grep -c undeclared) == 0))

echo "$passed passed, $failed failed"
[ $failed -eq 0 ]
