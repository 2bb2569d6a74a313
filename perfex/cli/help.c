// SPDX-License-Identifier: GPL-2.0-only
/* Print help and version. */
#include "cli/help.h"

#include "cli/option_table.h"
#include "util/perfex.h"
#include "util/stream.h"

/* The text of an option begins in this column. */
#define TEXT_COLUMN 30

static const char usage[] =
	"usage: perfex [OPTION]... [--] COMMAND [ARG]...\n"
	"       perfex -p PID[,PID]... | -t TID [OPTION]...\n"
	"       perfex --system [OPTION]... [--] [COMMAND [ARG]...]\n";

static const char more_usage[] =
	"       perfex --cgroup PATH [OPTION]... [--] [COMMAND [ARG]...]\n"
	"       perfex --merge [OPTION]... REPORT...\n"
	"       perfex -l [PATTERN]... | --groups | -i | --release | -h | -V\n"
	"       perfex --self-test[=FILE]\n";

static const char summary[] =
	"\n"
	"Counts hardware events of a command, of processes that run, or of the system.\n"
	"Without -e and -g it counts instructions:u.\n";

static const char combinations[] =
	"\nperfex(1) says which options can be combined.\n";

static const char rest[] =
	"\n\"perfex --help all\" lists all options, and perfex(1) describes them.\n";

static const enum option_id common[] = {
#define COMMON(id) OPTION_##id,
#include "cli/options.def"
};

static const char *const sections[NR_SECTIONS] = {
	[SECTION_WHAT] = "What to count",
	[SECTION_WHOSE] = "Processes and times to count",
	[SECTION_RUN] = "Runs of the command",
	[SECTION_REPORT] = "Form and file of the report",
	[SECTION_OTHER] = "Without counting",
};

static void print_option(const struct option_entry *entry)
{
	const char *argument = entry->argument ? entry->argument : "";
	const char *gap =
		!entry->argument || has_optional_argument(entry) ? "" : " ";
	int width;

	if (entry->letters)
		width = printf("  -%s, --%s%s%s", entry->letters, entry->name,
			       gap, argument);
	else
		width = printf("      --%s%s%s", entry->name, gap, argument);
	if (width >= 0)
		printf("%*s%s\n", TEXT_COLUMN - width, "", entry->help);
}

static void print_section(enum option_section section)
{
	size_t i;

	printf("\n%s:\n", sections[section]);
	for (i = 0; i < NR_OPTIONS; i++) {
		if (option_table[i].section == section)
			print_option(&option_table[i]);
	}
}

int print_help(void)
{
	size_t i;

	fputs(usage, stdout);
	fputs(summary, stdout);
	putchar('\n');
	for (i = 0; i < sizeof(common) / sizeof(common[0]); i++)
		print_option(&option_table[common[i]]);
	fputs(rest, stdout);
	return finish_stdout();
}

int print_all_help(void)
{
	int section;

	fputs(usage, stdout);
	fputs(more_usage, stdout);
	fputs(summary, stdout);
	for (section = 0; section < NR_SECTIONS; section++)
		print_section((enum option_section)section);
	fputs(combinations, stdout);
	return finish_stdout();
}

int print_version(void)
{
	fputs("perfex " VPMC_VERSION "\n", stdout);
	return finish_stdout();
}
