# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=sh disable=SC2154 # variables of those who read this
#
# Functions that the builders of kernels share.  They set emulator (this directory),
# build (the directory of all results), name, arch and log.

say() { echo "kernel $name: $*" >&2; }
die() { say "$*"; exit 1; }

# Print one line of progress for every 300 files.
progress() {
	awk -v name="$name" -v log_file="$log" '{ print >log_file }
		/^  (CC|AS) / && ++n % 300 == 0 {
			print "kernel " name ": " n " files compiled" >"/dev/stderr"
		}'
}

# make_kernel TREE TARGET...: run make.  The compiler has its plain name, which finds
# ccache.  So a later build of modules in the tree has the same commands.  No object
# contains a path of this machine.
make_kernel() {
	PATH=$emulator/ccache:$PATH CCACHE_NOHASHDIR=1 \
		make -C "$@" ARCH="$arch" KBUILD_BUILD_TIMESTAMP=@0 \
		KBUILD_BUILD_USER=vpmc KBUILD_BUILD_HOST=vpmc -j"$(nproc)" 2>&1
}

compile() {
	{ make_kernel "$1" bzImage modules || echo "make failed"; } | progress
	[ "$(tail -n 1 "$log")" != "make failed" ] || {
		tail -n 30 "$log" >&2
		die "the build failed, see $log"
	}
}

# copy_built TREE COPY: make a copy of a built tree that may be changed.  Files of the
# unpacked source are hard links, which our tools replace before they write.
copy_built() {
	rm -rf "$2" "$2.new"
	cp -al "$("$emulator/fetch-linux")" "$2.new"
	(cd "$1" && find . ! -type d -links 1 -print0 |
		xargs -0 cp -a --parents --remove-destination -t "$2.new")
	mv "$2.new" "$2"
}
