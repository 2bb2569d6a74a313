// SPDX-License-Identifier: LGPL-2.1-or-later
/* Print the lines that region_file.c describes. */
#include <inttypes.h>
#include <vpmc_region_list.h>

char vpmcint_region_printable(char c)
{
	return (unsigned char)c < ' ' || c == 0x7f ? '?' : c;
}

static void print_name(FILE *out, const char *name)
{
	for (; *name; name++)
		fputc(vpmcint_region_printable(*name), out);
	fputc('\n', out);
}

static void print_events(FILE *out, const struct vpmc_event_set *set)
{
	unsigned int i;

	for (i = 0; i < set->nr; i++)
		fprintf(out, "event %" PRIu64 " %d %u\n", set->sel[i].code,
			set->sel[i].counter, set->sel[i].modes);
}

static void print_flags(FILE *out, unsigned int flags)
{
	if (!flags)
		fputc('-', out);
	if (flags & VPMC_REGION_NO_INCLUSIVE)
		fputc('i', out);
	if (flags & VPMC_REGION_NO_EXCLUSIVE)
		fputc('e', out);
	if (flags & VPMC_REGION_OPEN)
		fputc('o', out);
	if (flags & REGION_UNREAD)
		fputc('u', out);
}

static void print_region(FILE *out, const struct region_entry *entry,
			 unsigned int events)
{
	unsigned int i;

	fputs("region ", out);
	print_flags(out, entry->flags);
	fprintf(out, " %" PRIu64, entry->calls);
	for (i = 0; i < events; i++)
		fprintf(out, " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64,
			entry->inclusive[0][i], entry->exclusive[0][i],
			entry->inclusive[1][i], entry->exclusive[1][i]);
	fputc(' ', out);
	print_name(out, entry->name);
}

void vpmcint_region_print_list(FILE *out, const struct region_list *list,
			       long pid, const char *command, uint32_t number)
{
	const struct vpmc_regions *about = &list->about;
	size_t i;

	fprintf(out, "process %ld %u %u %u %u %u %u %u ", pid, about->events,
		about->running, about->other_events, about->mismatches,
		about->restarts, about->lost, about->stopped);
	print_name(out, command);
	print_events(out, &list->set);
	for (i = 0; i < list->nr; i++)
		print_region(out, &list->entry[i], about->events);
	fprintf(out, "end %ld %zu", pid, list->nr);
	if (number)
		fprintf(out, " %" PRIu32, number);
	fputc('\n', out);
}
