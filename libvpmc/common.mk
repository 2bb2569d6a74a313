# SPDX-License-Identifier: LGPL-2.1-or-later
#
# The Makefiles of library, command and older tools include this file first. It has the
# settings that they share, and defines how make install and uninstall handle their files.
# DESTDIR, in which a package is collected, may have spaces in its name.

ifeq ($(OUT),)
$(error give OUT, the directory to build in)
endif

WERROR ?=
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
CFLAGS ?= -O2 -g
INSTALL ?= install
WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes $(WERROR)

# $(call absolute,NAME): fail unless the directory in variable NAME is one that
# make and pkg-config can use.
define absolute
$(if $(filter-out /%,$(firstword $($(1)))),\
	$(error $(1) is $($(1)): give an absolute path))
endef
define one_word
$(if $(word 2,$($(1))),$(error $(1) is $($(1)): give a path without spaces))
endef

$(foreach name,DESTDIR PREFIX LIBDIR,$(call absolute,$(name)))
$(foreach name,OUT PREFIX LIBDIR,$(call one_word,$(name)))

# Remove the files of $(INSTALLED), and then those of our own directories that are empty.
define remove_installed
for file in $(INSTALLED); do rm -f "$(DESTDIR)$$file" || exit; done
for directory in $(OWN_DIRECTORIES); do \
	rmdir "$(DESTDIR)$$directory" 2>/dev/null || :; \
done
endef

.DEFAULT_GOAL := all

uninstall:
	$(remove_installed)
