// SPDX-License-Identifier: GPL-2.0-only
/* List the errata of processors that change what the self-test finds. */
#include "self_test/errata.h"

#include <string.h>

#define INTEL	 "GenuineIntel"
#define AMD	 "AuthenticAMD"
#define NO_MODEL 0xff

#define MODELS(...) ((const unsigned char[]){ __VA_ARGS__, NO_MODEL })

/* Families of AMD's since Zen */
#define DISPATCHED(number)                                                        \
	{                                                                         \
		.vendor = AMD, .family = (number), .check = CHECK_MEMORY,         \
		.text = "Loads and stores of wrongly predicted code count, too.", \
		.source = "AMD, Processor Programming References, PMCx029"        \
	}

const struct erratum errata[] = {
	{ .vendor = INTEL,
	  .family = 5,
	  .models = MODELS(4),
	  .only = 4,
	  .check = NR_CHECKS,
	  .text = "RDPMC is not reliable in user mode, so the driver forbids it.",
	  .source = "Pentium Processor Specification Update, erratum 74" },
	{ .vendor = INTEL,
	  .family = 6,
	  .models = MODELS(1),
	  .steppings = 9,
	  .check = CHECK_READS,
	  .text = "RDPMC is not reliable in user mode.",
	  .source =
		  "Pentium Pro erratum 26, named in Linux, arch/x86/events/intel/p6.c" },
	{ .vendor = INTEL,
	  .family = 6,
	  .check = CHECK_FAULTS,
	  .text = "An interrupt or page fault counts as an instruction of user mode.",
	  .source =
		  "Weaver, Terpstra, Moore: Non-Determinism and Overcount, ISPASS 2013" },
	{ .vendor = AMD,
	  .check = CHECK_FAULTS,
	  .text = "An interrupt or page fault counts as an instruction of user mode.",
	  .source =
		  "Weaver, Terpstra, Moore: Non-Determinism and Overcount, ISPASS 2013" },
	{ .vendor = INTEL,
	  .family = 6,
	  .models = MODELS(26, 30, 44),
	  .check = NR_CHECKS,
	  .text = "Counters need three other events before they are set, or they may not count.",
	  .source =
		  "errata AAK100, AAP53, BD53, named in Linux, arch/x86/events/intel/core.c" },
	{ .vendor = INTEL,
	  .family = 6,
	  .models = MODELS(42, 45, 58, 60, 62, 63, 69, 70),
	  .check = CHECK_MEMORY,
	  .text = "Loads and stores of the other thread of a core can be counted, too.",
	  .source = "Specification Updates, errata BJ122, BV98, HSD29" },
	DISPATCHED(0x17),
	DISPATCHED(0x19),
	DISPATCHED(0x1a),
};

const size_t nr_errata = sizeof(errata) / sizeof(errata[0]);

static bool has_model(const unsigned char *models, unsigned int model)
{
	const unsigned char *m = models;

	while (m && *m != NO_MODEL && *m != model)
		m++;
	return !m || *m == model;
}

bool has_erratum(const struct vpmc_machine *machine,
		 const struct erratum *erratum)
{
	return !strcmp(machine->vendor, erratum->vendor) &&
	       (!erratum->family || machine->family == erratum->family) &&
	       has_model(erratum->models, machine->model) &&
	       (!erratum->steppings ||
		machine->stepping < erratum->steppings) &&
	       (!erratum->only || machine->stepping == erratum->only);
}

const struct erratum *find_erratum(const struct vpmc_machine *machine,
				   enum check_id check)
{
	size_t i;

	for (i = 0; i < nr_errata; i++) {
		if (errata[i].check == check &&
		    has_erratum(machine, &errata[i]))
			return &errata[i];
	}
	return NULL;
}
