/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header defines the exit statuses of perfex. If perfex succeeds, it returns the status of
 * the command.
 *
 * Commands mostly exit with small numbers, and shells report signals as 129 to 192, so perfex's
 * own statuses begin above 192. 126 and 127 have the same meaning as for env(1) and shells.
 * perfex(1) lists the statuses for users.
 */
#ifndef PERFEX_STATUS_H
#define PERFEX_STATUS_H

enum perfex_status {
	PERFEX_NOT_EXECUTABLE = 126, /* the command cannot be executed */
	PERFEX_NOT_FOUND = 127,	     /* there is no such command */

	PERFEX_SIGNAL_BASE = 128, /* plus the number of the signal */

	PERFEX_USAGE = 200,	    /* wrong options */
	PERFEX_UNKNOWN_EVENT = 201, /* no such event, or malformed */
	PERFEX_AMBIGUOUS = 202,	    /* the code needs a counter */
	PERFEX_WRONG_COUNTER = 203, /* event not on that counter */
	PERFEX_COUNTER_TAKEN = 204, /* two events need the same counter */
	PERFEX_TOO_MANY = 205,	    /* more events than counters */
	PERFEX_NO_DEVICE = 206,	    /* /dev/vpmc is missing */
	PERFEX_UNSUPPORTED = 207,   /* driver or processor unknown, or broken */
	PERFEX_BUSY = 208,	    /* counters in use */
	PERFEX_PERMISSION = 209,    /* not allowed */
	PERFEX_OUTPUT = 210,	    /* report cannot be written */
	PERFEX_INVALID = 211,	    /* counts are not those of the command */
	PERFEX_SYSTEM = 212,	    /* out of memory, processes, ... */
	PERFEX_NO_PROCESS = 213,    /* no such process to count */
	PERFEX_NEVER = 214,	    /* an event cannot happen (--strict) */
	PERFEX_AROUND = 215,	    /* the command of --pre or --post failed */
	PERFEX_INPUT = 216,	    /* a saved report is invalid */
	PERFEX_UNLIKE = 217,	    /* --compare has nothing to compare with */
	PERFEX_LIMIT = 218,	    /* a ratio exceeds its --limit */
	PERFEX_SELF_TEST = 219,	    /* a check of --self-test failed */
};

#endif /* PERFEX_STATUS_H */
