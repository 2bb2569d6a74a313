# SPDX-License-Identifier: GPL-2.0-only
#
# shellcheck shell=sh disable=SC2154
#
# This file has the common part of the tests of installations. A script that includes it
# must have set top, stage and folders.

prefix=/opt/vpmc
root=$stage/root
# shellcheck disable=SC2034
lib=$root$prefix/lib
number=0

check() {
	name=$1
	shift
	number=$((number + 1))
	if "$@" > "$stage/log" 2>&1; then
		echo "ok $number - $name"
	else
		echo "not ok $number - $name"
		sed 's/^/# /' "$stage/log"
	fi
}

make_each() {
	for folder in $folders; do
		make -C "$top/$folder" "$1" OUT="$stage/build/compat" LIBVPMC="$stage/build" \
			DESTDIR="$root" PREFIX=$prefix WERROR=-Werror || return
	done
}

installs() {
	make -C "$top/libvpmc" install OUT="$stage/build" DESTDIR="$root" PREFIX=$prefix &&
		find "$root" ! -type d | sort > "$stage/before" &&
		make_each install
}

# installed_files: check that exactly the files that standard input lists were installed.
installed_files() {
	find "$root" ! -type d | sort | comm -13 "$stage/before" - |
		sed "s|^$root$prefix/||" > "$stage/files"
	diff - "$stage/files"
}

uninstalls() {
	make_each uninstall && find "$root" ! -type d | sort | diff "$stage/before" -
}

rm -rf "$stage"
mkdir -p "$stage"
