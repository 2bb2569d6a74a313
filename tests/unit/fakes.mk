# SPDX-License-Identifier: GPL-2.0-only
#
# The makefiles of tests that are linked with fakes include this file.

comma := ,

# $(call wraps,FILES): print the linker's options for the functions that FILES wrap. With them,
# calls of FUNCTION() reach the __wrap_FUNCTION() that one of FILES defines, and calls of
# __real_FUNCTION() reach FUNCTION(). The names are taken from the sources, because a separate
# list could lack a function.
wraps = $(addprefix -Wl$(comma)--wrap=,$(sort $(shell sed -n $(print_wrapped) $(1))))
print_wrapped := 's/^[^\t]*\b__\(wrap\|real\)_\(\w*\)(.*/\2/p'
