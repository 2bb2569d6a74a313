/* SPDX-License-Identifier: GPL-2.0-only */
/* This header declares the errata of processors that the self-test knows, with their sources. */
#ifndef PERFEX_SELF_TEST_ERRATA_H
#define PERFEX_SELF_TEST_ERRATA_H

#include "self_test/checks.h"

/**
 * struct erratum - an erratum, or a property, of some processors
 * @vendor: the vendor, as CPUID names it
 * @models: the models, ended by NO_MODEL; NULL for all models
 * @text: what happens, as a sentence
 * @source: the document that says so
 * @family: the family, or 0 for all families
 * @steppings: the first stepping without it, or 0 if all steppings have it
 * @only: the only stepping that has it, or 0
 * @check: the check that fails because of it, or NR_CHECKS
 */
struct erratum {
	const char *vendor;
	const unsigned char *models;
	const char *text;
	const char *source;
	unsigned int family;
	unsigned int steppings;
	unsigned int only;
	enum check_id check;
};

extern const struct erratum errata[];
extern const size_t nr_errata;

/* has_erratum() - return whether a processor has an erratum */
bool has_erratum(const struct vpmc_machine *machine,
		 const struct erratum *erratum);

/*
 * find_erratum() - find the erratum of a processor because of which a check fails. Returns NULL if
 * none is known.
 */
const struct erratum *find_erratum(const struct vpmc_machine *machine,
				   enum check_id check);

#endif /* PERFEX_SELF_TEST_ERRATA_H */
