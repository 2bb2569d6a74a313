# SPDX-License-Identifier: GPL-2.0-only
#
# "make help" lists what there is to make.  Everything lands in build/.

# Seen from here, so that the path to here may have spaces.
BUILD := build
HOST := $(BUILD)/host
GUEST := $(BUILD)/guest
GUEST64 := $(BUILD)/guest64
EMULATOR := tests/emulator
PENTIUM := $(EMULATOR)/pentium

PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
MAKEFLAGS += --no-print-directory

# Variables for the makefiles of other directories.
TOP := $(CURDIR)
# A relative DESTDIR is seen from here.
override DESTDIR := $(if $(filter-out /%,$(firstword $(DESTDIR))),$(TOP)/)$(DESTDIR)
INTO = DESTDIR="$(DESTDIR)" PREFIX="$(PREFIX)" LIBDIR="$(LIBDIR)"

# make V=1 shows the commands. Warnings are errors in our tests.
Q := $(if $(filter-out 0,$(V)),,@)
S := $(if $(filter-out 0,$(V)),,-s)
WERROR ?=

# Debian packages: to build the product; the emulator; kernel and user land of the guest.
PACKAGES := build-essential pkg-config libcap-dev libpfm4-dev libncurses-dev libdw-dev git \
	libprotobuf-c-dev protobuf-c-compiler zlib1g-dev libexpat1-dev \
	ninja-build meson libglib2.0-dev libpixman-1-dev libfdt-dev \
	flex bison bc libelf-dev lz4 ccache xz-utils lib32gcc-12-dev dpkg-dev python3
# For make image.
IMAGE_PACKAGES := isolinux syslinux-common xorriso mandoc
# For the tests; for make lint.
TEST_PACKAGES := $(IMAGE_PACKAGES) bochs bochs-term bochsbios vgabios \
	libcmocka-dev gfortran openjdk-17-jdk-headless spin \
	python3-pytest python3-pytest-xdist python3-prometheus-client python3-pyte \
	clang-format-14 clang-tidy-14 shellcheck mandoc sparse pyflakes3 codespell valgrind nodejs \
	$(if $(shell command -v npm),,npm) # A nodejs that is not Debian's has its own.
# For make debs and its checks, also.
DEBS_PACKAGES := debhelper dh-dkms mandoc lintian mmdebstrap

# The program or command of "make run", the files next to it, and those that it brings back.
PROG ?=
ARGS ?=
CMD ?= perfex -e 0x16 -e 0x00 -- $(if $(PROG),"./$$(basename "$$program")" $(ARGS),wc text)
FILES ?=
# make itself has a GET, for SCCS.
GET :=
OPTIONS ?=

# In front of a guest: $$program is the one of PROG, compiled.
define with_program
$(if $(PROG),program=$$($(EMULATOR)/build-program "$(PROG)") || exit;) \
$(PENTIUM) $(OPTIONS) --file $(GUEST)/text $(FILES:%=--file %) \
	$(if $(PROG),--file "$$program")
endef

all:
	$(Q)$(MAKE) $(S) -C libvpmc OUT=../$(HOST) $(INTO)
	$(Q)$(MAKE) $(S) -C perfex OUT=../$(HOST) LIBVPMC=../$(HOST) $(INTO)

help:
	@sed -n 's/^#: //p' Makefile

#: make [all]            library and command for this machine
#:     PFM=no              without the names of libpfm4
#:     CURSES=no           without ncurses: perfex has no --live then
#:     CURSES=static       with a static ncurses in it
#:     ELFUTILS=no         without elfutils: profiles have no names of functions then
#:     ELFUTILS=static     with a static elfutils in it
#:     PPROF=no            without protobuf-c: no profiles for pprof then
#:     V=1                 with the commands; so does make guest V=1
#: make install          install them under DESTDIR, PREFIX (/usr/local), LIBDIR (PREFIX/lib)
install: all
	$(Q)$(MAKE) $(S) -C libvpmc install OUT=../$(HOST) $(INTO)
	$(Q)$(MAKE) $(S) -C perfex install OUT=../$(HOST) LIBVPMC=../$(HOST) $(INTO)

#: make uninstall        remove what make install, told the same, has installed
uninstall:
	$(Q)$(MAKE) $(S) -C libvpmc uninstall OUT=../$(HOST) $(INTO)
	$(Q)$(MAKE) $(S) -C perfex uninstall OUT=../$(HOST) LIBVPMC=../$(HOST) $(INTO)

# The older tools, each in a folder of its own that has all that is needed to build it.
COMPAT := $(sort $(patsubst %/Makefile,%,$(wildcard libvpmc/compat/*/Makefile perfex/compat/*/Makefile)))

# $(call make_compat,TARGET,DIRECTORY[,...]): make TARGET in each of their folders, into
# DIRECTORY/compat. DIRECTORY has libvpmc.a, and perfex.
define make_compat
+$(Q)for folder in $(COMPAT); do \
	$(MAKE) $(S) -C $$folder $(1) OUT=$(TOP)/$(2)/compat LIBVPMC=$(TOP)/$(2) $(3) || exit; \
done
endef

#: make compat           older tools under their own names: docs/history/older-tools.md
compat: all
	$(call make_compat,all,$(HOST),$(INTO))

#: make install-compat   install these, too; uninstall-compat removes them
install-compat: compat
	$(call make_compat,install,$(HOST),$(INTO))

uninstall-compat:
	$(call make_compat,uninstall,$(HOST),$(INTO))

# For the guests' tests. Each folder says itself what of it has 64 bits only.
compat-guest: $(GUEST)/perfex $(GUEST64)/perfex
	$(call make_compat,guest,$(GUEST),CC=$(I586_CC) BITS=32 WERROR=-Werror)
	$(call make_compat,guest,$(GUEST64),LDFLAGS=-static BITS=64 WERROR=-Werror)

#: make run              count a program on the emulated Pentium
#:     PROG=hello.c        your own: a C file, or a directory with a Makefile
#:     ARGS='a b'          with arguments
#:     CMD='perfex -e 0x12 ./hello data'   with other events
#:     FILES='data'        files to lie next to it
#:     GET='counts'        files to be brought back here
#:     OPTIONS='--cpu p5 --smp 2'   on another machine (machine --help)
run:
	@# At the same time, for each build has parts that one processor does.
	@$(MAKE) $(S) -j3 guest
	@$(with_program) $(GET:%=--get %) -- $(CMD) </dev/null

#: make shell            a prompt on the emulated Pentium; Ctrl-A X quits
shell: guest
	@$(with_program)

#: make check [T=name]   all tests, or those in the guest with name in their name
#:     FRESH=1             with all machines, even if nothing has changed since a test passed
ifeq ($(T),)
check: test-deps
	@tests/tools/sum "$(MAKE) check-static" "$(MAKE) check-guest" "$(MAKE) check-mutants"
else
check: check-guest
endif

check-static: test-deps
	@tests/tools/sum -j "$(MAKE) check-host" "$(MAKE) lint" "$(MAKE) check-debs"

# Objects for tests/tools/layers.
LAYERS := $(TOP)/$(BUILD)/layers
LIBRARY_OBJECTS := $(patsubst %.c,$(BUILD)/layers/%.o,$(wildcard libvpmc/*/*.c))
COMMAND_OBJECTS := $(patsubst perfex/%.c,$(BUILD)/layers/perfex.o/%.o,$(wildcard perfex/*.c perfex/*/*.c))

check-host: test-deps
	@# Without optimisation, so that each function is seen.
	@$(MAKE) -s -C libvpmc OUT=$(LAYERS) CFLAGS='-O0 -g' SHARED=0 WERROR=-Werror
	@$(MAKE) -s -C perfex OUT=$(LAYERS) LIBVPMC=$(LAYERS) \
		CFLAGS='-O0 -g' WERROR=-Werror
	@$(MAKE) -s -C libvpmc/compat/irix $(LAYERS)/compat/libperfex.a OUT=$(LAYERS)/compat \
		CFLAGS='-O0 -g' WERROR=-Werror
	@$(MAKE) -s -C perfex/compat/irix OUT=$(LAYERS)/compat LIBVPMC=$(LAYERS) \
		CFLAGS='-O0 -g' WERROR=-Werror
	@tests/tools/sum -j "$(MAKE) -s -C tests/unit check OUT=$(TOP)/$(BUILD)/unit" \
		$(patsubst %/Makefile,"$(MAKE) -s -C % check OUT=$(TOP)/$(BUILD)/unit/compat",$(wildcard tests/compat/*/Makefile)) \
		"$(MAKE) -s -C tests/emulator/validation/pipeline check OUT=$(TOP)/$(BUILD)/pipeline" \
		"tests/tools/layers --most 1 --unique --folders libvpmc/layers --includes libvpmc $(LIBRARY_OBJECTS)" \
		"tests/tools/layers --most 1 --folders perfex/layers --includes perfex $(COMMAND_OBJECTS)" \
		"tests/tools/layers --most 1 $(BUILD)/layers/compat/libperfex.a $(BUILD)/layers/compat/perfex.irix.o" \
		"tests/spin/check $(TOP)/$(BUILD)/spin"

check-guest: test-deps
	@# At the same time, for each build has parts that one processor does.
	@$(MAKE) -j3 WERROR=-Werror guest guest64 compat-guest stock-kernel debug-kernel newest-kernel image
	@tests/check $(T:%=-k '%') $(if $(FRESH),--fresh)

check-mutants: test-deps guest guest64
	@tests/tools/mutate --few

#: make mutants          deliberate bugs, of which the tests must notice each
mutants: test-deps guest guest64 debug-kernel stock-kernel
	@tests/tools/mutate

#: make validate         the emulated Pentium's models against published figures
validate: test-deps guest guest64 compat-guest
	@$(MAKE) -s -C tests/emulator/validation/pipeline validate OUT=$(TOP)/$(BUILD)/pipeline
	@tests/check -k 'pipeline or uarch or bare or events or thesis'
	@cd tests/emulator/validation && \
		PYTHONPATH=../../lib /usr/bin/python3 -B -m cachegrind.compare

#: make bench            what counting costs, in instructions: docs/internals/benchmarks.md
bench: test-deps all guest $(GUEST64)/perfex
	@tests/bench/bench
	@tests/bench/slowdown

#: make mpi              perfex under Open MPI's mpirun, and --live on a terminal, in a guest
mpi: test-deps all guest guest64
	@$(MAKE) -s -C tests/guest -j2 anywhere OUT=$(TOP)/$(GUEST64)/tests LIBVPMC=$(TOP)/$(GUEST64) \
		CC='gcc -static -no-pie' \
		ASM='gcc -nostdlib -static -Wa,--fatal-warnings -Wl,--build-id=none,-z,noexecstack'
	@tests/mpi/try

# Pages of others are on the web.
HTML := man=%N.%S.html;https://man7.org/linux/man-pages/man%S/%N.%S.html,toc

#: make docs             the man pages for a browser: build/docs/vpmc.7.html
docs:
	@command -v mandoc >/dev/null || \
		{ echo "make docs needs mandoc: install the package of that name" >&2; exit 1; }
	$(Q)rm -rf $(BUILD)/docs
	$(Q)mkdir -p $(BUILD)/docs
	$(Q)cp docs/internals/*.svg docs/man/*.[1-9] $(BUILD)/docs
	$(Q)cd $(BUILD)/docs && for page in *.[1-9]; do \
		for name in $$(sed -n 's/^\.Nm \(vpmc_[a-z_]*\).*/\1.3/p' $$page); do \
			[ $$name = $$page ] || { ln -sf $$page $$name && ln -sf $$page.html $$name.html; } || exit; \
		done; \
	done
	$(Q)# mandoc looks which pages are there.
	$(Q)cd $(BUILD)/docs && for page in *.[1-9]; do \
		[ -L $$page ] || mandoc -T html -O '$(HTML)' $$page >$$page.html || exit; \
	done
	$(Q)rm $(BUILD)/docs/*.[1-9]
	@echo $(BUILD)/docs/vpmc.7.html

#: make debs             packages for Debian: build/debs
debs: debs-deps
	@tests/tools/debs

# Compare the contents of the packages. debs-check installs them.
check-debs: debs-deps
	@tests/tools/debs-contents

#: make debs-check       install, boot, use, upgrade and remove them in a new Debian under build/
debs-check: debs guest64
	@$(MAKE) -s -C tests/guest OUT=$(TOP)/$(GUEST64)/tests ASM='gcc -nostdlib -static -Wl,--build-id=none' \
		$(TOP)/$(GUEST64)/tests/programs/exactly-1000
	@tests/tools/kernel-package >/dev/null
	@tests/tools/debs-check

#: make image            boot a Pentium from CD or disk with it: build/image/vpmc.iso
image: guest image-deps $(GUEST)/image/vpmc.ko
	@$(MAKE) $(S) -C tests/guest OUT=$(TOP)/$(GUEST)/tests CC=$(I586_CC) LIBVPMC=$(TOP)/$(GUEST) \
		$(TOP)/$(GUEST)/tests/programs/exactly-1000
	@tests/image/build

#: make lint             style of all sources
lint: test-deps $(BUILD)/kernel-vpmc.path
	@$(MAKE) -s -C tests/lint check OUT=$(TOP)/$(BUILD)/lint

#: make guest            emulator, kernel and programs for make run
guest: one-word $(BUILD)/qemu.path $(GUEST)/init $(GUEST)/perfex $(GUEST)/vpmc.ko $(GUEST)/text \
		$(patsubst docs/examples/%.c,$(GUEST)/examples/%,$(wildcard docs/examples/*.c))

#: make guest64          kernels and programs for 64-bit models: docs/guide/models.md
guest64: one-word $(BUILD)/qemu.path $(BUILD)/userland-amd64.path $(BUILD)/kernel-stock-amd64.path \
		$(GUEST)/vpmc-amd64/vpmc.ko $(GUEST64)/perfex

stock-kernel: $(BUILD)/kernel-stock.path

#: make debug-kernel     the driver on a kernel that checks itself: machine --kernel debug
debug-kernel: guest $(GUEST)/debug/vpmc.ko

# The newest series of Linux that we have patches for.
newest-kernel: $(GUEST)/vpmc-$(lastword $(shell ls -v kernel-patches | grep '^[0-9]'))-amd64/vpmc.ko

# The series of Linux that we have patches for, except that of "make run".
OTHER_SERIES := $(filter-out 6.12 README.md,$(notdir $(wildcard kernel-patches/*)))

# Files of tests that count programs exactly, and the processes that they create.
EXACT := guest_cases/cases_counts.py guest_cases/cases_follow.py
EXACT64 := guest_cases/cases_exact64.py

#: make kernels          count exactly on each kernel of kernel-patches/, of 32 and 64 bits
kernels: test-deps guest guest64 $(foreach series,$(OTHER_SERIES),$(GUEST)/vpmc-$(series)/vpmc.ko \
		$(GUEST)/vpmc-$(series)-amd64/vpmc.ko)
	@tests/tools/sum $(foreach kernel,vpmc $(OTHER_SERIES:%=vpmc-%), \
		"tests/check $(EXACT) --kernel $(kernel)" \
		"tests/check $(EXACT64) --kernel $(kernel)-amd64")

#: make torture T=name   a long campaign: docs/internals/torture.md
torture: test-deps guest debug-kernel
	@tests/tools/torture $(T)

# $(call note_path,SCRIPT): in $@, the directory of what the script builds, or has
# built before. Touched only when the directory is another one.
define note_path
@path=$$(MAKEFLAGS= $(EMULATOR)/$(1)) || exit; \
[ "$$path" = "$$(cat $@ 2>/dev/null)" ] || echo "$$path" >$@
endef

$(BUILD)/%.path: FORCE | deps
	$(call note_path,build-$*)

$(BUILD)/kernel-%.path: FORCE | deps
	$(call note_path,build-kernel $*)

$(BUILD)/ncurses-%.path: FORCE | deps
	$(call note_path,build-ncurses $*)

$(BUILD)/elfutils-%.path: FORCE | deps
	$(call note_path,build-elfutils $*)

$(BUILD)/kernel-image.path: FORCE | deps
	$(call note_path,build-kernel-with tests/image/kernel.config vpmc)

# Nothing to build: Debian's own.
$(BUILD)/kernel-stock-amd64.path: FORCE | deps
	$(call note_path,fetch-kernel)

I586_CC = $(shell cat $(BUILD)/userland.path)/bin/i586-cc
I586_PKGCONFIG = $(shell cat $(BUILD)/userland.path)/sysroot/lib/pkgconfig
# $(call guest_pkgconfig,ARCH): where its ncurses and elfutils are found.
guest_pkgconfig = $(shell cat $(BUILD)/ncurses-$(1).path)/lib/pkgconfig:$\
		  $(shell cat $(BUILD)/elfutils-$(1).path)/lib/pkgconfig

# Another compiler or C library builds everything for the guest again.
$(GUEST)/compiler: $(BUILD)/userland.path
	@rm -rf $(GUEST)
	@mkdir -p $(GUEST)
	@cp $< $@

$(GUEST)/init: $(EMULATOR)/init.c $(GUEST)/compiler
	$(Q)$(I586_CC) -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra $(WERROR) -s -o $@ $<

$(GUEST)/perfex: $(GUEST)/compiler $(BUILD)/ncurses-i586.path $(BUILD)/elfutils-i586.path FORCE
	$(Q)$(MAKE) $(S) -C libvpmc OUT=$(TOP)/$(GUEST) CC=$(I586_CC) SHARED=0
	$(Q)PKG_CONFIG_LIBDIR=$(I586_PKGCONFIG):$(call guest_pkgconfig,i586) \
		$(MAKE) $(S) -C perfex OUT=$(TOP)/$(GUEST) CC=$(I586_CC) LIBVPMC=$(TOP)/$(GUEST) \
		CURSES=static ELFUTILS=static PPROF=no

$(GUEST)/examples/%: docs/examples/%.c $(GUEST)/perfex
	@mkdir -p $(@D)
	$(Q)$(I586_CC) -std=c11 -D_GNU_SOURCE -Ilibvpmc/include -O2 -Wall -Wextra $(WERROR) -s -o $@ \
		$< $(GUEST)/libvpmc.a

# The guest has no libraries for it, so it has libpfm4, ncurses and elfutils in it.
$(GUEST64)/perfex: $(BUILD)/ncurses-amd64.path $(BUILD)/elfutils-amd64.path FORCE | deps
	$(Q)$(MAKE) $(S) -C libvpmc OUT=$(TOP)/$(GUEST64) SHARED=0
	$(Q)PKG_CONFIG_PATH=$(call guest_pkgconfig,amd64) \
		$(MAKE) $(S) -C perfex OUT=$(TOP)/$(GUEST64) LIBVPMC=$(TOP)/$(GUEST64) \
		CURSES=static ELFUTILS=static \
		LDFLAGS="-static -Wl,-u,pfm_initialize" LDLIBS=-lpfm

DRIVER := $(wildcard vpmc/* vpmc/*/* vpmc/*/linux/*)

# $(call make_module,KERNEL): $@, built in a copy, which keeps vpmc/ clean.
define make_module
@echo "$(@:$(BUILD)/%=%): compiling" >&2
@mkdir -p $(@D)
@rm -rf $(@:.ko=-ko)
@cp -r vpmc $(@:.ko=-ko)
+$(Q)$(MAKE) $(S) -C $$(cat $(BUILD)/kernel-$(1).path) \
	ARCH=$(if $(filter %-amd64,$(1)),x86_64,i386) M=$(TOP)/$(@:.ko=-ko) \
	KCFLAGS=$(WERROR) modules
@cp $(@:.ko=-ko)/vpmc.ko $@
endef

$(GUEST)/vpmc.ko: $(DRIVER) $(BUILD)/kernel-vpmc.path $(GUEST)/compiler
	$(call make_module,vpmc)

$(GUEST)/%/vpmc.ko: $(DRIVER) $(BUILD)/kernel-%.path $(GUEST)/compiler
	$(call make_module,$*)

# Some hundred KB of real text to count programs on.
$(GUEST)/text: $(GUEST)/compiler
	@head -c 400000 "$$($(EMULATOR)/fetch-linux)/MAINTAINERS" >$@

# Makefiles of other projects do not support spaces.
one-word:
	$(if $(word 2,$(TOP)),$(error kernel and emulator cannot be built in a path with spaces: \
		move the sources from "$(TOP)"))

#: make deps             install the Debian packages that this needs
deps:
	@tests/tools/deps $(PACKAGES)

#: make test-deps        and those that the tests need
test-deps: deps
	@tests/tools/deps $(TEST_PACKAGES)

image-deps: deps
	@tests/tools/deps $(IMAGE_PACKAGES)

debs-deps: deps
	@tests/tools/deps $(DEBS_PACKAGES)

#: make clean            remove our own programs
clean:
	rm -rf $(HOST) $(GUEST) $(GUEST64) $(BUILD)/bench $(BUILD)/unit $(BUILD)/spin \
		$(BUILD)/layers $(BUILD)/lint $(BUILD)/docs $(BUILD)/debs $(BUILD)/image $(BUILD)/booted

#: make distclean        remove everything made or downloaded
distclean:
	rm -rf $(BUILD)

FORCE:

.PHONY: all help install uninstall compat install-compat uninstall-compat compat-guest one-word run shell check check-static check-host check-guest check-mutants mutants \
	validate bench mpi torture docs debs debs-check check-debs debs-deps image image-deps lint guest guest64 stock-kernel debug-kernel newest-kernel kernels deps test-deps clean distclean FORCE
.PRECIOUS: $(BUILD)/%.path $(BUILD)/kernel-%.path
.DELETE_ON_ERROR:
