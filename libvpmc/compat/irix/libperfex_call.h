/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* This header declares the functions that all calls of libperfex share. */
#ifndef LIBPERFEX_CALL_H
#define LIBPERFEX_CALL_H

#include <vpmc.h>

#include "libperfex_events.h"

/**
 * perfexint_handle() - get the handle of the calling thread
 * @err: receives the error
 *
 * The handle stands for the calling process, and is closed when the thread exits.
 *
 * Return: the handle, or NULL.
 */
struct vpmc *perfexint_handle(struct vpmc_error *err);

/**
 * struct perfexint_call - a call with two events
 * @vpmc: the handle of the thread
 * @sel: the events; events in the environment replace the arguments
 * @err: the reason why the call fails
 */
struct perfexint_call {
	struct vpmc *vpmc;
	struct vpmc_event_sel sel[PERFEXINT_PAIR];
	struct vpmc_error err;
};

/**
 * perfexint_begin() - find the handle and select the events
 * @call: the call, which is initialised
 * @e0: the first event
 * @e1: the second event
 *
 * Return: 0, or -1 with @call->err.
 */
int perfexint_begin(struct perfexint_call *call, int e0, int e1);

/**
 * perfexint_fail() - set the error of a call
 * @call: the call
 * @code: the kind of error
 * @text: the sentence, in the form of vpmc_error.text
 *
 * Return: -1.
 */
int perfexint_fail(struct perfexint_call *call, enum vpmc_code code,
		   const char *text);

/**
 * perfexint_end() - print the error if the call has failed
 * @call: the call
 * @ret: return value of the call; negative if it has failed
 *
 * Return: @ret.
 */
int perfexint_end(struct perfexint_call *call, int ret);

#endif /* LIBPERFEX_CALL_H */
