// SPDX-License-Identifier: GPL-2.0-only
/*
 * perfex.perfctr runs perfex with the options of perfctr's command perfex, as
 * docs/history/perfctr.md describes.
 */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "translate.h"
#include "util/status.h"
#include "vpmc.h"

#define NAME "perfex.perfctr"

/* These are the options for registers of a Pentium 4. */
#define OPTION_PEBS_ENABLE (UCHAR_MAX + 1)
#define OPTION_MATRIX_VERT (UCHAR_MAX + 2)

static const char usage[] =
	"usage: " NAME
	" [-e EVNTSEL[/ESCR][@PMC]]... [--p4pe=VALUE] [--p4pmv=VALUE]\n"
	"           [-o FILE] COMMAND [ARG]...\n"
	"       " NAME " -i | -l | -L\n"
	"\n"
	"Counts events of a command by perfex(1), with the options of perfctr's command.\n"
	"\n"
	"  -e, --event EVNTSEL[/ESCR][@PMC]  value of an event select register, on a Pentium of\n"
	"                    one half of CESR, on a Pentium 4 of a CCCR and an ESCR, and the\n"
	"                    counter; without it instructions\n"
	"  --p4pe, --p4_pebs_enable VALUE, --p4pmv, --p4_pebs_matrix_vert VALUE\n"
	"                    registers of a Pentium 4 for its replay_event\n"
	"  -o, --output FILE  write to FILE, and not to standard error output\n"
	"  -i, --info        describe the processor\n"
	"  -l, --list        list the events, too\n"
	"  -L, --long-list   with descriptions\n"
	"  -h, --help        print this\n";

static const struct option long_options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "output", required_argument, NULL, 'o' },
	{ "info", no_argument, NULL, 'i' },
	{ "list", no_argument, NULL, 'l' },
	{ "long-list", no_argument, NULL, 'L' },
	{ "help", no_argument, NULL, 'h' },
	{ "p4pe", required_argument, NULL, OPTION_PEBS_ENABLE },
	{ "p4_pebs_enable", required_argument, NULL, OPTION_PEBS_ENABLE },
	{ "p4pmv", required_argument, NULL, OPTION_MATRIX_VERT },
	{ "p4_pebs_matrix_vert", required_argument, NULL, OPTION_MATRIX_VERT },
	{ NULL, 0, NULL, 0 },
};

/**
 * struct words - the command line of perfex
 * @argv: its words; the words of events are translated at the end
 * @nr: number of words
 * @replay: registers for events of a Pentium 4, which may be given after the events
 * @has_replay: whether an option has set a register of @replay
 */
struct words {
	char **argv;
	int nr;
	struct replay replay;
	bool has_replay;
};

/* Print an error and exit. Escape it, because the user's words may have control characters. */
static _Noreturn __attribute__((format(printf, 2, 3))) void
leave(int status, const char *format, ...)
{
	char sentence[1000], escaped[4 * sizeof(sentence)];
	va_list args;

	va_start(args, format);
	vsnprintf(sentence, sizeof(sentence), format, args);
	va_end(args);
	vpmc_escape(sentence, escaped, sizeof(escaped));
	fprintf(stderr, NAME ": %s\n", escaped);
	exit(status);
}

static char *keep(const char *word)
{
	char *copy = strdup(word);

	if (!copy)
		leave(PERFEX_SYSTEM, "out of memory");
	return copy;
}

static void add(struct words *words, const char *word)
{
	words->argv[words->nr++] = keep(word);
}

/* Find the counters of this machine. Ask the driver or, if there is no driver, CPUID. */
static const struct vpmc_pmu *find_counters(void)
{
	struct vpmc_machine machine;
	const struct vpmc_pmu *pmu;
	struct vpmc_error err;
	struct vpmc *vpmc;

	if (!vpmc_open(&vpmc, &err)) {
		pmu = vpmc_pmu_of(vpmc);
		vpmc_close(vpmc);
		return pmu;
	}
	pmu = vpmc_pmu_here(&machine);
	if (!pmu)
		leave(PERFEX_NO_DEVICE, "%s", err.text);
	return pmu;
}

static enum registers find_registers(void)
{
	const char *pmu = vpmc_pmu_name(find_counters());

	if (!strcmp(pmu, "p4"))
		return CCCR_AND_ESCR;
	return !strncmp(pmu, "p5", 2) ? CESR : EVENT_SELECT;
}

static void set_replay(struct words *words, uint64_t *value)
{
	if (!translate_number(optarg, value) || *value >> 32)
		leave(PERFEX_USAGE,
		      "\"%s\" is not a value of a register of 32"
		      " bits",
		      optarg);
	words->has_replay = true;
}

/* Translate the events. Each event follows a word "-e". */
static void translate(struct words *words)
{
	char event[EVENT_MAX], fault[SENTENCE_MAX];
	enum registers registers;
	int i;

	if (words->nr == 1 && !words->has_replay)
		return;
	registers = find_registers();
	if (words->has_replay && registers != CCCR_AND_ESCR)
		leave(PERFEX_USAGE, "options that begin with --p4 need a"
				    " Pentium 4: leave them out");
	for (i = 1; i < words->nr; i += 2) {
		if (strcmp(words->argv[i], "-e") != 0)
			continue;
		if (!translate_event(words->argv[i + 1], registers,
				     &words->replay, event, fault))
			leave(PERFEX_UNKNOWN_EVENT, "%s", fault);
		free(words->argv[i + 1]);
		words->argv[i + 1] = keep(event);
	}
}

/* Execute perfex. It must be in PATH, like this command. */
static _Noreturn void run(const struct words *words)
{
	execvp(words->argv[0], words->argv);
	leave(PERFEX_NOT_FOUND, "cannot run perfex: %s (is it in PATH?)",
	      strerror(errno));
}

static int finish_output(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return EXIT_SUCCESS;
	leave(PERFEX_OUTPUT, "cannot write to standard output: %s",
	      strerror(errno));
}

static int print_names(void)
{
	const struct vpmc_event_info *table;
	size_t nr, i;

	table = vpmc_event_table(find_counters(), &nr);
	for (i = 0; i < nr; i++)
		printf("0x%02" PRIx64 "  %s\n", table[i].code, table[i].name);
	return finish_output();
}

static _Noreturn void describe(const char *how)
{
	struct words words = { .argv = (char *[3]){ NULL } };

	add(&words, "perfex");
	add(&words, how);
	run(&words);
}

/* Print the list of -l or -L. It begins with the output of -i. */
static _Noreturn void list(int option)
{
	int status = 0;
	pid_t pid = fork();

	if (!pid)
		describe("-i");
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		leave(PERFEX_SYSTEM, "cannot run perfex: %s", strerror(errno));
	if (status)
		exit(WIFEXITED(status) ? WEXITSTATUS(status) : PERFEX_SYSTEM);
	if (option == 'L')
		describe("-l");
	exit(print_names());
}

static void take(struct words *words, int option)
{
	switch (option) {
	case 'e':
		add(words, "-e");
		add(words, optarg);
		break;
	case 'o':
		add(words, "-o");
		add(words, optarg);
		break;
	case 'i':
		describe("-i");
	case 'l':
	case 'L':
		list(option);
	case 'h':
		fputs(usage, stdout);
		exit(finish_output());
	case OPTION_PEBS_ENABLE:
		set_replay(words, &words->replay.pebs_enable);
		break;
	case OPTION_MATRIX_VERT:
		set_replay(words, &words->replay.matrix_vert);
		break;
	default:
		leave(PERFEX_USAGE, "unknown option, or one without its"
				    " argument (" NAME " -h shows how)");
	}
}

int main(int argc, char **argv)
{
	/* Each option becomes at most two words, and "--" is added. */
	struct words words = { .argv = calloc(2 * (size_t)argc + 3,
					      sizeof(*words.argv)) };
	int option;

	if (!words.argv)
		leave(PERFEX_SYSTEM, "out of memory");
	add(&words, "perfex");
	opterr = 0;
	while ((option = getopt_long(argc, argv, "+e:o:ilLh", long_options,
				     NULL)) >= 0)
		take(&words, option);
	translate(&words);
	if (!argv[optind])
		leave(PERFEX_USAGE,
		      "give a command to count (" NAME " -h shows how)");
	add(&words, "--");
	for (; argv[optind]; optind++)
		add(&words, argv[optind]);
	run(&words);
}
