#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
#
# libpfm4 refuses some of the full names that it gives to events itself.
#
# Version:   libpfm4 4.13.0-1 (Debian 12)
# Expected:  The fully qualified name that pfm_get_os_event_encoding() returns can be
#            encoded again, to the same codes and to the same full name.
# Seen:      Of 14,141 names (each unit mask of each event of all core PMUs in the
#            library) 257 get a full name that the library refuses: it has "ldlat=0",
#            which is not a valid latency, or lists responses of an offcore event that
#            exclude each other. The full names of 31 are encoded to other codes:
#            offcore events lose a bit of their responses ("SNP_ANY" comes back as a
#            list without it), and on Sandy Bridge LLC_MISSES, code 412Eh, has the full
#            name LAST_LEVEL_CACHE_MISSES, which is 012Eh. Another 470 have the same
#            codes, but their full name is another one the second time.
# Meaning:   A tool must keep the name as its user gave it, and not the full name, if
#            it wants to count the same event again.
#
# It needs apt-get with the lists of Debian 12, dpkg and a C compiler.
set -eu

VERSION=4.13.0-1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get -q download "libpfm4=$VERSION" "libpfm4-dev=$VERSION" >/dev/null 2>&1
for package in ./*.deb; do
	dpkg -x "$package" .
done

cat >names.c <<'END'
#include <perfmon/pfmlib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALL, REFUSED, RENAMED, RECODED, NR_RESULTS };

static const char *const results[] = {
	"encoded", "full name refused", "full name changes", "codes change"
};

static unsigned int count[NR_RESULTS];

struct encoded {
	pfm_pmu_encode_arg_t codes;
	char *full;
};

static int encode(const char *name, struct encoded *e)
{
	memset(e, 0, sizeof(*e));
	e->codes.size = sizeof(e->codes);
	e->codes.fstr = &e->full;
	return pfm_get_os_event_encoding(name, PFM_PLM0 | PFM_PLM3, PFM_OS_NONE, &e->codes);
}

static int same_codes(const struct encoded *a, const struct encoded *b)
{
	return a->codes.count == b->codes.count &&
	       !memcmp(a->codes.codes, b->codes.codes,
		       a->codes.count * sizeof(*a->codes.codes));
}

static void try_name(const char *name)
{
	struct encoded first, second;

	if (encode(name, &first) != PFM_SUCCESS)
		return;
	count[ALL]++;
	if (encode(first.full, &second) != PFM_SUCCESS)
		count[REFUSED]++;
	else if (!same_codes(&first, &second))
		count[RECODED]++;
	else if (strcmp(first.full, second.full))
		count[RENAMED]++;
}

static void try_event(const pfm_pmu_info_t *pmu, int event)
{
	pfm_event_info_t info = { .size = sizeof(info) };
	pfm_event_attr_info_t mask = { .size = sizeof(mask) };
	char name[512];
	int i, nr_masks = 0;

	pfm_get_event_info(event, PFM_OS_NONE, &info);
	for (i = 0; i < info.nattrs; i++) {
		pfm_get_event_attr_info(event, i, PFM_OS_NONE, &mask);
		if (mask.type != PFM_ATTR_UMASK)
			continue;
		nr_masks++;
		snprintf(name, sizeof(name), "%s::%s:%s", pmu->name, info.name, mask.name);
		try_name(name);
	}
	if (nr_masks)
		return;
	snprintf(name, sizeof(name), "%s::%s", pmu->name, info.name);
	try_name(name);
}

int main(void)
{
	int pmu, event, i;

	setenv("LIBPFM_ENCODE_INACTIVE", "1", 1);
	if (pfm_initialize() != PFM_SUCCESS)
		return 1;
	pfm_for_all_pmus(pmu) {
		pfm_pmu_info_t info = { .size = sizeof(info) };

		if (pfm_get_pmu_info(pmu, &info) != PFM_SUCCESS ||
		    info.type != PFM_PMU_TYPE_CORE)
			continue;
		for (event = info.first_event; event != -1;
		     event = pfm_get_event_next(event))
			try_event(&info, event);
	}
	for (i = 0; i < NR_RESULTS; i++)
		printf("%s: %u\n", results[i], count[i]);
	return 0;
}
END
cc -O1 -Wall -Wextra -Iusr/include -o names names.c usr/lib/x86_64-linux-gnu/libpfm.a
./names >seen

cat >expected <<'END'
encoded: 14141
full name refused: 257
full name changes: 470
codes change: 31
END
if ! cmp -s expected seen; then
	echo "expected, and seen:"
	diff expected seen || true
	exit 1
fi
sed 's/^/    /' seen
