// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compose the sentence that p5mon_error() returns. */
#include "failure.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "libp5mon.h"

static char sentence[300];

int p5monint_fail(int error, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	errno = error;
	return -1;
}

const char *p5mon_error(void)
{
	return sentence;
}
