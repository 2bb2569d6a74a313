// SPDX-License-Identifier: LGPL-2.1-or-later
/*
 * Look up the generic names, which are the same on every processor. The file of the
 * processor's family defines the event of each name.
 */
#include <string.h>

#include "base/internal.h"

static const char *const names[] = {
	"instructions", "cycles",	 "ref-cycles",
	"branches",	"branch-misses", "cache-references",
	"cache-misses", "loads",	 "stores",
};

static bool is_model(const struct vpmcint_generic *generic,
		     const struct vpmc_machine *machine)
{
	unsigned int i;

	for (i = 0; i < generic->nr_models; i++) {
		const struct vpmcint_models *models = &generic->models[i];

		if (machine->family == models->family &&
		    machine->model >= models->first &&
		    machine->model <= models->last)
			return true;
	}
	return false;
}

/*
 * Return whether an entry applies to this processor. Models and features of this processor do not
 * apply to another vendor's families.
 */
static bool is_for(const struct vpmc_pmu *pmu,
		   const struct vpmcint_generic *generic,
		   const struct vpmc_machine *machine)
{
	const bool native = !strcmp(machine->vendor, pmu->vendor);
	uint32_t counters;

	if (generic->fixed && !pmu->fixed)
		return false;
	if (generic->models && !(native && is_model(generic, machine)))
		return false;
	if (native && !generic->event.refusal &&
	    vpmcint_constrain(pmu, machine, generic->event.info.code,
			      &counters))
		return false;
	return !generic->feature || !native || pmu->has(generic->feature);
}

const struct vpmc_named_event *vpmcint_generic_find(const struct vpmc_pmu *pmu,
						    const char *name)
{
	struct vpmc_machine machine = { .vendor = "" };
	const struct vpmcint_generic *generic = pmu->generic;
	size_t i;

	vpmcint_identify(&machine);
	for (i = 0; i < pmu->nr_generic; i++) {
		if (!strcmp(generic[i].event.info.name, name) &&
		    is_for(pmu, &generic[i], &machine))
			return &generic[i].event;
	}
	return NULL;
}

const struct vpmc_named_event *vpmc_generic_event(const struct vpmc_pmu *pmu,
						  unsigned int i)
{
	return i < ARRAY_SIZE(names) ? vpmcint_generic_find(pmu, names[i])
				     : NULL;
}
