# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh
#
# What the linters and the check of the models share: check() counts and reports,
# totals() ends.

passed=0
failed=0
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT

# check NAME COMMAND [ARG...]: succeeds in silence
check() {
	name=$1
	shift
	if "$@" > "$output" 2>&1; then
		echo "ok    $name"
		passed=$((passed + 1))
	else
		echo "FAIL  $name"
		sed 's/^/      /' "$output"
		failed=$((failed + 1))
	fi
}

totals() {
	echo "$passed passed, $failed failed"
	[ "$failed" -eq 0 ]
}
