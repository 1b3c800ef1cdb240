#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# sanitized_test.sh SANITIZED PLAIN EXAMPLES PROGRAMS - all examples under the sanitizers, each a folder of SANITIZED, and
# those of the folder PLAIN under valgrind. PROGRAMS run in every shape of the model. Tools that see nothing fail, too.
set -u

sanitized=$1 plain=$2 examples=$3 programs=$4
. host/tests/checks.sh
work=$dir skipped=0

clean() { # COMMAND..: status 0, and nothing on standard error, which is where sanitizers write
	"$@" >"$work/out" 2>"$work/error"
	local status=$?
	cat "$work/out" "$work/error"
	[ $status -eq 0 ] && [ -s "$work/out" ] && [ ! -s "$work/error" ]
}
dirty() { ! clean "$@"; }

# TOOL FOLDER COMMAND..: every program, run by the command.
all_programs() {
	local tool=$1 folder=$2 program config
	shift 2
	for program in $examples; do
		check "$program, $tool" clean "$@" "$folder/$program"
	done
	for program in $programs; do
		for config in small default max; do
			check "$program, $config, $tool" clean "$@" "$folder/$program" model $config 1
		done
	done
}

# A program of each kind of mistake, for the tools to see.
cat >"$work/wrong.c" <<'END'
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int shared;

static void *count(void *argument)
{
	for (int i = 0; i < 1000; i++)
		shared++;
	return argument;
}

int main(int argc, char **argv)
{
	char *bytes = malloc(16);
	pthread_t thread;

	if (!strcmp(argv[1], "heap"))
		printf("%d\n", bytes[15 + argc]);
	if (!strcmp(argv[1], "shift"))
		printf("%d\n", argc << (30 + argc));
	if (!strcmp(argv[1], "race")) {
		pthread_create(&thread, NULL, count, NULL);
		count(NULL);
		pthread_join(thread, NULL);
		printf("%d\n", shared);
	}
	if (!strcmp(argv[1], "nothing"))
		puts(strcpy(bytes, "nothing"));
	free(bytes);
	return 0;
}
END
compile() { gcc -g -O1 "${@:2}" "$work/wrong.c" -pthread -o "$work/$1"; }

# TSan needs its addresses free, which a kernel that scatters them much may have taken.
still=(setarch "$(uname -m)" -R)
"${still[@]}" true 2>/dev/null || still=()

check 'wrong, address' compile wrong-address -fsanitize=address,undefined -fno-sanitize-recover=all
check 'ASan sees nothing where nothing is' clean "$work/wrong-address" nothing
check 'ASan sees what is read behind an allocation' dirty "$work/wrong-address" heap
check 'UBSan sees an overflow' dirty "$work/wrong-address" shift
all_programs 'ASan and UBSan' "$sanitized/address"

check 'wrong, thread' compile wrong-thread -fsanitize=thread
check 'TSan sees nothing where nothing is' clean "${still[@]}" "$work/wrong-thread" nothing
check 'TSan sees a race' dirty "${still[@]}" "$work/wrong-thread" race
all_programs 'TSan' "$sanitized/thread" "${still[@]}"

valgrind=(valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=all)
if command -v valgrind >/dev/null; then
	check 'wrong, plain' compile wrong-plain
	check 'valgrind sees nothing where nothing is' clean "${valgrind[@]}" "$work/wrong-plain" nothing
	check 'valgrind sees what is read behind an allocation' dirty "${valgrind[@]}" "$work/wrong-plain" heap
	all_programs valgrind "$plain" "${valgrind[@]}"
else
	skipped=1
	echo 'valgrind is not installed'
fi

echo "$passed passed, $failed failed, $skipped skipped"
[ $failed -eq 0 ]
