// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hint of a command that cannot be executed: child.c of perfex asks for one. Those of
 * perfex name options that IRIX's perfex does not have.
 */
#include "util/perf_hint.h"

#include <stddef.h>

const char *command_hint(const char *command)
{
	(void)command;
	return NULL;
}
