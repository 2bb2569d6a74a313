// SPDX-License-Identifier: LGPL-2.1-or-later
/* Compose and report the errors of libperfex, and check its calls' arguments. */
#include "libperfex_call.h"

#include <stdio.h>

/* A number has at most this number of bytes as text for vpmc_event_parse(). */
#define NUMBER_MAX 16

static int select_events(struct perfexint_call *call, int e0, int e1)
{
	const int event[PERFEXINT_PAIR] = { e0, e1 };
	char number[PERFEXINT_PAIR][NUMBER_MAX];
	const char *text[PERFEXINT_PAIR];
	unsigned int i;

	for (i = 0; i < PERFEXINT_PAIR; i++) {
		text[i] = perfexint_environment(i);
		if (text[i])
			continue;
		snprintf(number[i], sizeof(number[i]), "%d", event[i]);
		text[i] = number[i];
	}
	return perfexint_select(vpmc_pmu_of(call->vpmc), text, VPMC_USER,
				call->sel, &call->err);
}

int perfexint_begin(struct perfexint_call *call, int e0, int e1)
{
	*call = (struct perfexint_call){ .vpmc = NULL };
	call->vpmc = perfexint_handle(&call->err);
	return call->vpmc && !select_events(call, e0, e1) ? 0 : -1;
}

int perfexint_fail(struct perfexint_call *call, enum vpmc_code code,
		   const char *text)
{
	call->err.code = code;
	snprintf(call->err.text, sizeof(call->err.text), "%s", text);
	return -1;
}

int perfexint_end(struct perfexint_call *call, int ret)
{
	if (ret < 0)
		fprintf(stderr, "libperfex: %s%s\n",
			call->err.code == VPMC_E_COUNTER_TAKEN
				? "conflicting counters: "
				: "",
			call->err.text);
	return ret;
}
