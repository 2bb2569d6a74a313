# SPDX-License-Identifier: GPL-2.0-only
#
# Included by the makefiles of the tests that are linked with fakes.

comma := ,

# $(call wraps,FILES): options by which the linker sends the calls of a function to the
# __wrap_FUNCTION() that one of FILES defines, and of __real_FUNCTION() to the function.
# The sources say what they wrap, so that no separate list can lack a function.
wraps = $(addprefix -Wl$(comma)--wrap=,$(sort $(shell sed -n $(print_wrapped) $(1))))
print_wrapped := 's/^[^\t]*\b__\(wrap\|real\)_\(\w*\)(.*/\2/p'
