// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compose errors, and keep the general sentence for each error code. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"

/* Each sentence is at the index of its negated code. */
static const char *const kinds[] = {
	[-VPMC_OK] = "no error",
	[-VPMC_E_ARGUMENT] = "the library was used incorrectly",
	[-VPMC_E_SYNTAX] = "malformed event",
	[-VPMC_E_UNKNOWN_EVENT] = "unknown event",
	[-VPMC_E_AMBIGUOUS] = "ambiguous event",
	[-VPMC_E_NO_COUNTER] = "no such counter",
	[-VPMC_E_WRONG_COUNTER] = "event not countable on that counter",
	[-VPMC_E_COUNTER_TAKEN] = "two events need the same counter",
	[-VPMC_E_TOO_MANY] = "more events than counters",
	[-VPMC_E_NO_DEVICE] = "no vpmc driver",
	[-VPMC_E_ABI] = "driver and library are incompatible",
	[-VPMC_E_UNSUPPORTED] = "not supported on this processor",
	[-VPMC_E_PERMISSION] = "permission denied",
	[-VPMC_E_BUSY] = "counters busy",
	[-VPMC_E_BOUND] = "handle stands for another process",
	[-VPMC_E_NOT_STARTED] = "counting never started",
	[-VPMC_E_RESUME] = "other events than those to resume",
	[-VPMC_E_GENERATION] = "counts invalid",
	[-VPMC_E_MEMORY] = "out of memory",
	[-VPMC_E_SYSTEM] = "system error",
	[-VPMC_E_NO_RECORD] = "no record left",
	[-VPMC_E_NO_CPU] = "no such processor",
	[-VPMC_E_NO_PROCESS] = "no such process or thread",
};

const char *vpmc_strerror(int code)
{
	if (code > 0 || code <= -(int)ARRAY_SIZE(kinds))
		return "unknown error code";
	return kinds[-code];
}

void vpmcint_compose(struct vpmc_error *err, enum vpmc_code code,
		     const char *format, ...)
{
	char text[sizeof(err->text)];
	va_list args;

	if (!err)
		return;

	err->code = code;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	/* The text may quote words of the user. */
	vpmc_escape(text, err->text, sizeof(err->text));
}

int vpmcint_fail_kept(struct vpmc_error *err, const char *what)
{
	return vpmcint_fail(err, VPMC_E_MEMORY,
			    "cannot %s: out of memory, or open files of this"
			    " user keep more counts of processes that have"
			    " ended than RLIMIT_MEMLOCK permits, so close"
			    " some of them or raise it (ulimit -l)",
			    what);
}

int vpmcint_fail_errno(struct vpmc_error *err, const char *what)
{
	switch (errno) {
	case ENOTTY:
	case E2BIG:
	case EINVAL:
		return vpmcint_fail(err, VPMC_E_ABI,
				    "cannot %s: the loaded vpmc driver does not"
				    " understand this libvpmc (%s), install"
				    " driver and library of one version",
				    what, VPMC_VERSION);
	case ENOMEM:
		return vpmcint_fail(err, VPMC_E_MEMORY,
				    "cannot %s: out of memory", what);
	default:
		return vpmcint_fail(err, VPMC_E_SYSTEM, "cannot %s: %s", what,
				    strerror(errno));
	}
}
