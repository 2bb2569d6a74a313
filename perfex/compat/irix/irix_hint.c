// SPDX-License-Identifier: GPL-2.0-only
/*
 * Provide hints for a command that cannot be executed. perfex's child.c calls these functions,
 * and perfex's own hints name options that IRIX's perfex does not have.
 */
#include "util/perf_hint.h"

#include <stddef.h>

const char *command_hint(const char *command)
{
	(void)command;
	return NULL;
}
