// SPDX-License-Identifier: GPL-2.0-only
/*
 * The hint of a command that cannot be executed: run.c of perfex asks for one. Those of
 * perfex name options that IRIX's perfex does not have.
 */
#include "hint.h"

#include <stddef.h>

const char *command_hint(const char *command)
{
	(void)command;
	return NULL;
}
