// SPDX-License-Identifier: LGPL-2.1-or-later
/* Remember how the program's user wrote each event, so that errors can quote it. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/internal.h"

static _Thread_local struct {
	const struct vpmc_event_sel *sel;
	const char *const *text;
	size_t nr;
} called;

void vpmc_event_call(const struct vpmc_event_sel *sel, const char *const *text,
		     size_t nr)
{
	called.sel = sel;
	called.text = text;
	called.nr = nr;
}

static const char *find_text(const struct vpmc_event_sel *sel, int counter)
{
	const struct vpmc_event_sel *one = called.sel;
	size_t i;

	for (i = 0; i < called.nr; i++, one++) {
		if (called.text[i] && one->code == sel->code &&
		    one->modes == sel->modes && one->counter == counter)
			return called.text[i];
	}
	return NULL;
}

/*
 * If no text names this counter, use a text for any counter, because the counter may have
 * been chosen later.
 */
const char *vpmcint_called(const struct vpmc_event_sel *sel)
{
	const char *text = find_text(sel, sel->counter);

	return text ? text : find_text(sel, VPMC_ANY_COUNTER);
}

/*
 * Compose the name of an event in an error. If the user's text is a code, use the table's
 * name instead, because the sentence has the code anyway.
 */
void vpmcint_call(char *phrase, size_t size, const struct vpmc_event_sel *sel,
		  const char *name)
{
	const char *text = vpmcint_called(sel);

	if (text && strncmp(text, "0x", 2) != 0)
		snprintf(phrase, size, VPMCINT_TEXT " (0x%02" PRIx64 ")", text,
			 sel->code);
	else if (name)
		snprintf(phrase, size, "0x%02" PRIx64 " (%s)", sel->code, name);
	else
		snprintf(phrase, size, "0x%02" PRIx64, sel->code);
}
