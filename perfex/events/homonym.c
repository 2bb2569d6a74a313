// SPDX-License-Identifier: GPL-2.0-only
/* Warn about names that mean different events in vpmc and in libpfm4. */
#include "events/homonym.h"

#include <ctype.h>
#include <inttypes.h>

#include "util/perfex.h"

void warn_of_homonym(const char *place, const struct vpmc_pmu *pmu,
		     const char *text)
{
	char name[VPMC_EVENT_NAME_MAX];
	const uint64_t code = vpmc_event_homonym(pmu, text, name);
	struct vpmc_event_sel sel;

	if (!code || vpmc_event_parse(pmu, text, VPMC_USER, &sel, NULL))
		return;
	complain("%s%sevent \"%s\" is counted as 0x%02" PRIx64
		 ", but %s has 0x%02" PRIx64
		 " under that name: write %s to count that one, or 0x%02" PRIx64
		 " to count this one without a warning",
		 place, *place ? ": " : "", text, sel.code,
		 isdigit((unsigned char)*name) ? "vpmc itself" : "libpfm4",
		 code, name, sel.code);
}
