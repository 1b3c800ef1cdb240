# SPDX-License-Identifier: Apache-2.0
# Part of tests that are scripts, sourced: a folder that goes with them, $dir, and checks that are counted.

passed=0 failed=0
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

check() { # NAME COMMAND..: the command succeeds
	local name=$1
	shift
	if "$@" >"$dir/log" 2>&1; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAILED: $name"
		cat "$dir/log"
	fi
}

# The last command of a script: its status is the script's.
count_checks() {
	echo "$passed passed, $failed failed"
	[ $failed -eq 0 ]
}
