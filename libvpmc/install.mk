# SPDX-License-Identifier: LGPL-2.1-or-later
#
# This file defines how make install and uninstall handle the files of library and command.
# DESTDIR, in which a package is collected, may have spaces in its name.

# $(call absolute,NAME): fail unless the directory that variable NAME gives is one that
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
