// SPDX-License-Identifier: GPL-2.0-only
/*
 * Give hints for a command that cannot be executed. child.c of perfex asks for a hint, and
 * perfex's own hints name options that IRIX's perfex does not have.
 */
#include "util/perf_hint.h"

#include <stddef.h>

const char *command_hint(const char *command)
{
	(void)command;
	return NULL;
}
