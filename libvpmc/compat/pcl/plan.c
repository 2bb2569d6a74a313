// SPDX-License-Identifier: LGPL-2.1-or-later
/* Plan which events to count for PCL's events, and compute PCL's results from the counts. */
#include "plan.h"

#include <stdio.h>
#include <string.h>

int pclint_status(enum vpmc_code code)
{
	switch (code) {
	case VPMC_OK:
		return PCL_SUCCESS;
	case VPMC_E_TOO_MANY:
	case VPMC_E_COUNTER_TAKEN:
		return PCL_TOO_MANY_EVENTS;
	case VPMC_E_UNKNOWN_EVENT:
	case VPMC_E_AMBIGUOUS:
	case VPMC_E_NO_COUNTER:
	case VPMC_E_WRONG_COUNTER:
	case VPMC_E_UNSUPPORTED:
		return PCL_NOT_SUPPORTED;
	default:
		return PCL_FAILURE;
	}
}

static bool is_same(const struct vpmc_event_sel *one,
		    const struct vpmc_event_sel *other)
{
	return one->code == other->code && one->counter == other->counter;
}

/* Find the index of an event of the processor. The event is counted once for all results. */
static int add_sel(struct pclint_plan *plan, const struct vpmc_event_sel *sel,
		   unsigned int *index)
{
	size_t i = 0;

	while (i < plan->nr_sel && !is_same(&plan->sel[i], sel))
		i++;
	if (i == VPMC_COUNTS_MAX)
		return PCL_TOO_MANY_EVENTS;
	if (i == plan->nr_sel)
		plan->sel[plan->nr_sel++] = *sel;
	*index = (unsigned int)i;
	return PCL_SUCCESS;
}

static int add_event(struct pclint_plan *plan,
		     const struct pclint_processor *processor, const char *text,
		     unsigned int modes, unsigned int *index)
{
	const char *code = strchr(text, '=');
	struct vpmc_event_sel sel;

	if (!strcmp(text, PCLINT_TSC)) {
		*index = PCLINT_TSC_INDEX;
		return PCL_SUCCESS;
	}
	if (vpmc_event_parse(processor->pmu, code ? code + 1 : text, modes,
			     &sel, NULL) ||
	    vpmc_event_never(processor->pmu, &processor->machine, &sel))
		return PCL_NOT_SUPPORTED;
	return add_sel(plan, &sel, index);
}

/* Add a sum whose @text is "EVENT", "EVENT + EVENT", "EVENT - EVENT" and so on. */
static int add_sum(struct pclint_plan *plan,
		   const struct pclint_processor *processor, const char *text,
		   unsigned int modes, struct pclint_sum *sum)
{
	char event[VPMC_EVENT_NAME_MAX];
	size_t length;
	int sign = 1, status = PCL_SUCCESS;

	while (!status && *text) {
		length = strcspn(text, " ");
		snprintf(event, sizeof(event), "%.*s", (int)length, text);
		text += length;
		text += strspn(text, " ");
		if (!strcmp(event, "+") || !strcmp(event, "-")) {
			sign = *event == '-' ? -1 : 1;
			continue;
		}
		sum->sign[sum->nr] = sign;
		status = add_event(plan, processor, event, modes,
				   &sum->index[sum->nr++]);
	}
	return status;
}

static int add_value(struct pclint_plan *plan,
		     const struct pclint_processor *processor, int event,
		     unsigned int modes)
{
	struct pclint_value *value = &plan->value[plan->nr_values++];
	const struct pclint_make_up *make_up;
	int status;

	if (event < 0 || event >= PCL_MAX_EVENT)
		return PCL_ILL_EVENT;
	make_up = processor->family ? pclint_make_up(processor->family, event)
				    : NULL;
	if (!make_up)
		return PCL_NOT_SUPPORTED;
	value->event = event;
	/* The ratio is events per clock. Multiply it by clocks per microsecond. */
	value->factor = event == PCL_MFLOPS ? processor->mhz : 1;
	if (value->factor <= 0)
		return PCL_NOT_SUPPORTED;
	status = add_sum(plan, processor, make_up->sum, modes, &value->sum);
	if (!status && make_up->per)
		status = add_sum(plan, processor, make_up->per, modes,
				 &value->per);
	return status;
}

int pclint_make_plan(struct pclint_plan *plan,
		     const struct pclint_processor *processor,
		     const int *events, int nr, unsigned int modes)
{
	struct vpmc_event_sel assigned[VPMC_COUNTS_MAX];
	int status = PCL_SUCCESS, i;

	if (nr < 1 || !events)
		return PCL_FAILURE;
	if (nr > PCL_MAX_EVENT_PER_CALL)
		return PCL_TOO_MANY_EVENTS;
	memset(plan, 0, sizeof(*plan));
	for (i = 0; !status && i < nr; i++)
		status = add_value(plan, processor, events[i], modes);
	if (status || !plan->nr_sel)
		return status;
	memcpy(assigned, plan->sel, sizeof(assigned));
	return pclint_status(vpmc_event_assign(processor->pmu, assigned,
					       plan->nr_sel, NULL));
}

/* Add up a sum modulo 2^64, because counts are numbers of 64 bits. */
static int64_t add_up(const struct pclint_sum *sum,
		      const struct pclint_counts *counts)
{
	uint64_t total = 0;
	unsigned int i;

	for (i = 0; i < sum->nr; i++) {
		const uint64_t count = counts->count[sum->index[i]];

		total += sum->sign[i] < 0 ? 0 - count : count;
	}
	return (int64_t)total;
}

PCL_CNT_TYPE pclint_integer(const struct pclint_value *value,
			    const struct pclint_counts *counts)
{
	return add_up(&value->sum, counts);
}

PCL_FP_CNT_TYPE pclint_ratio(const struct pclint_value *value,
			     const struct pclint_counts *counts)
{
	return (double)add_up(&value->sum, counts) /
	       (double)add_up(&value->per, counts) * value->factor;
}
