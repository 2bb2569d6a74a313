# SPDX-License-Identifier: GPL-2.0-only
#
# The Makefiles of brink, brinkMod and CountIt include this file after libvpmc/common.mk.

PKG_CONFIG ?= pkg-config

BRINK_CONFIG := $(PREFIX)/share/vpmc/pentium4_emon.xml

# These objects of perfex/compat/brink read and check the configuration and the experiments.
BRINK_SHARED := assign.o emon_config.o experiment.o layout.o leave.o text_options.o \
		xml_tree.o

ifneq ($(filter-out uninstall clean,$(or $(MAKECMDGOALS),all)),)
ifeq ($(shell $(PKG_CONFIG) --exists expat && echo yes),)
$(error $(notdir $(CURDIR)) needs expat: install the package libexpat1-dev)
endif
endif

EXPAT_CFLAGS := $(shell $(PKG_CONFIG) --cflags expat)
EXPAT_LIBS := $(shell $(PKG_CONFIG) --libs expat)

BRINK_COMPILE = $(CC) -std=c11 -D_GNU_SOURCE -I../brink -I../brinkmod -I../../../libvpmc/include \
		-I../.. $(EXPAT_CFLAGS) -DCONFIG_PATH='"$(BRINK_CONFIG)"' $(WARNINGS) \
		$(CPPFLAGS) $(CFLAGS) -MMD -MP
