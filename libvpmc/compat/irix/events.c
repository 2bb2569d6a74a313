// SPDX-License-Identifier: LGPL-2.1-or-later
/* Convert event numbers of IRIX's interface into events of libvpmc. */
#include "libperfex_events.h"

#include <stdio.h>
#include <stdlib.h>

const char *perfexint_environment(unsigned int i)
{
	static const char *const name[PERFEXINT_PAIR] = { "T5_EVENT0",
							  "T5_EVENT1" };

	const char *text = getenv(name[i]);

	return text && *text ? text : NULL;
}

static int parse(const struct vpmc_pmu *pmu, const char *text, unsigned int i,
		 unsigned int modes, struct vpmc_event_sel *sel,
		 struct vpmc_error *err)
{
	char on_counter[VPMC_EVENT_NAME_MAX];
	int ret = vpmc_event_parse(pmu, text, modes, sel, err);

	if (ret != VPMC_E_AMBIGUOUS)
		return ret;
	snprintf(on_counter, sizeof(on_counter), "%s@%u", text, i);
	return vpmc_event_parse(pmu, on_counter, modes, sel, err);
}

int perfexint_select(const struct vpmc_pmu *pmu,
		     const char *const text[PERFEXINT_PAIR], unsigned int modes,
		     struct vpmc_event_sel sel[PERFEXINT_PAIR],
		     struct vpmc_error *err)
{
	struct vpmc_event_sel chosen[PERFEXINT_PAIR];
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < PERFEXINT_PAIR; i++)
		ret = parse(pmu, text[i], i, modes, &chosen[i], err);
	if (!ret)
		ret = vpmc_event_assign(pmu, chosen, PERFEXINT_PAIR, err);
	for (i = 0; !ret && i < PERFEXINT_PAIR; i++)
		sel[i] = chosen[i];
	return ret;
}

const char *perfexint_name(const struct vpmc_pmu *pmu,
			   const struct vpmc_event_sel *sel)
{
	const struct vpmc_event_info *info = vpmc_event_lookup(pmu, sel);

	return info ? info->name : "?";
}
