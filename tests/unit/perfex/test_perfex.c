// SPDX-License-Identifier: GPL-2.0-only
/* This file tests the output and exit status of the whole of perfex over a fake driver. */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/option_table.h"
#include "fake_driver.h"
#include "run_files.h"
#include "run_perfex.h"
#include "util/status.h"

#define ONE_EVENT "                1000  0x16   instructions_executed:u\n"

/* Each of these command lines exits with PERFEX_USAGE. */
static const struct {
	const char *line;
	const char *words;
} misused[] = {
	{ "perfex", "command" },
	{ "perfex --", "command" },
	{ "perfex -e", "-e ... argument" },
	{ "perfex -z", "-z" },
	{ "perfex '-a\xc3\xa9k' true", "unknown option -a\xc3\xa9k (" },
	{ "perfex '--\xc3\xa9' true", "unknown option --\xc3\xa9 (" },
	{ "perfex '-\033[2J'", "-\\x1b" },
	{ "perfex -of --output=g true", "--output is given twice" },
	{ "perfex -p1 -p 1", "twice" },
	{ "perfex --system --cpu=1 --cpu=1", "--cpu" },
	{ "perfex --system --interval=1 --interval=2", "--interval" },
	{ "perfex -p1 --for=1 --for=2", "--for" },
	{ "perfex --regions=raw --regions true", "--regions" },
	{ "perfex --csv --json true", "--csv and --json" },
	{ "perfex -r 1 true", "\"1\" ... -r" },
	{ "perfex -r2 -r3 true", "--repeat" },
	{ "perfex --warmup=1 true",
	  "--warmup needs --runs, -r or --compare (" },
	{ "perfex --warmup=0 true", "--warmup needs --runs" },
	{ "perfex -r2 --warmup=x true", "\"x\" ... --warmup" },
	{ "perfex --confidence=95 true", "--confidence needs -r" },
	{ "perfex --confidence=99 true", "--confidence needs -r" },
	{ "perfex -r2 --confidence=90 true",
	  "\"90\" ... give 95 or 99 ... --confidence" },
	{ "perfex --pre=a --pre=b true", "--pre is given twice" },
	{ "perfex --pre=a --system true",
	  "--pre cannot be combined with --system (" },
	{ "perfex --post=a -p1", "--post needs a command (" },
	{ "perfex --post=a -l", "-l cannot be combined with --post (" },
	{ "perfex -mr2 true", "-mr2" },
	{ "perfex -r2 -m true", "-r ... -m" },
	{ "perfex -r2 --system", "-r ... --system" },
	{ "perfex --append true", "--append ... -o" },
	{ "perfex --append -o- true", "--append ... -o" },
	{ "perfex -l --times", "-l ... --times" },
	{ "perfex -p1 --times", "--times" },
	{ "perfex -i true", "-i" },
	{ "perfex -i -e 22", "-e" },
	{ "perfex -l -o f", "-o" },
	{ "perfex -l -a", "-a" },
	{ "perfex -l -n", "-n" },
	{ "perfex -na true", "-n ... -a" },
	{ "perfex -nm true", "-n ... -m" },
	{ "perfex -i -m", "-m" },
	{ "perfex -i -mp", "-m" },
	{ "perfex -mk true", "-mk ... -mp" },
	{ "perfex -mpk true", "-mpk" },
	{ "perfex -p", "-p ... argument" },
	{ "perfex -p true", "\"true\" ... -p" },
	{ "perfex -p ''", "\"\" ... -p" },
	{ "perfex -p 0", "\"0\" ... -p" },
	{ "perfex -p -5", "\"-5\" ... -p" },
	{ "perfex -p 5x", "\"5x\" ... -p" },
	{ "perfex -p 99999999999", "\"99999999999\" ... -p" },
	{ "perfex -p 99999999999999999999", "\"99999999999999999999\" ... -p" },
	{ "perfex -p1 true", "-p ... command" },
	{ "perfex -p1 --system", "--system ... -p" },
	{ "perfex -p1 --cpu 0", "--cpu ... needs --system" },
	{ "perfex -p1 -na", "-n ... -a" },
	{ "perfex -lp1", "-l ... -p" },
	{ "perfex -i --for=1", "-i ... --for" },
	{ "perfex -i --multiplex", "-i ... --multiplex" },
	{ "perfex --system --multiplex", "--system ... --multiplex" },
	{ "perfex --system --for 1", "--system ... --for" },
	{ "perfex --for 1", "command ... -p" },
	{ "perfex --for", "--for ... argument" },
	{ "perfex -p1 --for ''", "\"\" ... --for" },
	{ "perfex -p1 --for -1", "\"-1\" ... --for" },
	{ "perfex -p1 --for 1s", "\"1s\" ... --for" },
	{ "perfex -p1 --for 0", "\"0\" ... --for" },
	{ "perfex -a", "command" },
	{ "perfex --no", "unknown option --no" },
	{ "perfex --cpu", "--cpu ... argument" },
	{ "perfex --force=1", "--force=1" },
	{ "perfex -i --force", "-i ... --force" },
	{ "perfex --cpu=0 true", "needs --system" },
	{ "perfex -i --system", "-i ... --system" },
	{ "perfex -l --cpu=1", "-l ... --cpu" },
	{ "perfex --system -a", "--system ... -a" },
	{ "perfex --system -n", "--system ... -n" },
	{ "perfex --system -m", "--system ... -m" },
	{ "perfex --system --cpu ''", "\"\" ... --cpu" },
	{ "perfex --system --cpu -1", "\"-1\" ... --cpu" },
	{ "perfex --system --cpu 1x", "\"1x\" ... --cpu" },
	{ "perfex --system --cpu 99999999999", "\"99999999999\" ... --cpu" },
	{ "perfex --system --interval ''", "\"\" ... --interval" },
	{ "perfex --system --interval 1s", "\"1s\" ... --interval" },
	{ "perfex --system --interval 0", "\"0\" ... --interval" },
	{ "perfex --system --interval nan", "\"nan\" ... --interval" },
	{ "perfex --system --interval 1e7", "\"1e7\" ... --interval" },
	/* options and commands of perf */
	{ "perfex -I 1000 true",
	  "unknown option -I (did you mean --interval SECONDS? perfex -h" },
	{ "perfex -x, true", "unknown option -, ... did you mean --csv?" },
	{ "perfex -x: true", "unknown option -: ... did you mean --csv?" },
	{ "perfex -x';' true", "unknown option -; ... did you mean --csv?" },
	{ "perfex -d true", "-d ( ... -g GROUP" },
	{ "perfex --timeout=100 true", "--timeout=100 ... --for SECONDS" },
	{ "perfex -p 1 sleep 10",
	  "-p cannot be combined with a command ... --for SECONDS" },
};

static const struct {
	const char *line;
	enum perfex_status status;
	const char *words;
} bad[] = {
	{ "perfex -m p", PERFEX_NOT_FOUND, "\"p\"" },
	/* options and commands of perf */
	{ "perfex -x , true", PERFEX_NOT_FOUND, "\",\" ... --csv" },
	{ "perfex --runs 5 true", PERFEX_NOT_FOUND, "\"5\" ... -r N" },
	{ "perfex record true", PERFEX_NOT_FOUND,
	  "\"record\" ... perfex --profile" },
	/* events */
	{ "perfex -e No_Such true", PERFEX_UNKNOWN_EVENT,
	  "\"No_Such\" ... perfex -l" },
	{ "perfex -e Instruction:k true", PERFEX_UNKNOWN_EVENT,
	  "did you mean instructions? perfex -l" },
	{ "perfex -e data_raed@0 true", PERFEX_UNKNOWN_EVENT,
	  "did you mean data_read?" },
	{ "perfex -e datawrite true", PERFEX_UNKNOWN_EVENT,
	  "did you mean data_write?" },
	/* names of perf */
	{ "perfex -e LLC-load-misses:u true", PERFEX_UNKNOWN_EVENT,
	  "\"LLC-load-misses:u\" of perf ... another event on each" },
	{ "perfex -e page-faults true", PERFEX_UNKNOWN_EVENT,
	  "not the processor ... --times" },
	{ "perfex -e sched:sched_switch true", PERFEX_UNKNOWN_EVENT,
	  "\"sched:sched_switch\" ... not an event of the processor" },
	{ "perfex -e cpu/event=0x16/u true", PERFEX_UNKNOWN_EVENT,
	  "syntax of perf" },
	{ "perfex -e r2b true", PERFEX_AMBIGUOUS, "0x2b ... counter" },
	{ "perfex -l no-such", PERFEX_UNKNOWN_EVENT,
	  "\"no-such\" ... perfex -l" },
	{ "perfex -e 0x16:z true", PERFEX_UNKNOWN_EVENT, "\"0x16:z\"" },
	{ "perfex -e 0x2b true", PERFEX_AMBIGUOUS, "0x2b ... counter" },
	{ "perfex -e 0x16@2 true", PERFEX_WRONG_COUNTER,
	  "counter 2 ... instructions_executed" },
	{ "perfex -e emms_executed@1 true", PERFEX_WRONG_COUNTER,
	  "emms_executed ... counter 1" },
	{ "perfex -e emms_executed -e returns true", PERFEX_COUNTER_TAKEN,
	  "returns ... emms_executed ... (perfex --runs, or --multiplex)" },
	{ "perfex -e 0 -e 1 -e 2 true", PERFEX_TOO_MANY,
	  "3 ... 2 counters ... (perfex --runs, or --multiplex)" },
	{ "perfex -e 0,1,2 true", PERFEX_TOO_MANY, "3 ... 2 counters" },
	{ "perfex -e 0, true", PERFEX_UNKNOWN_EVENT, "no event in \"\"" },
	{ "perfex -e ref-cycles true", PERFEX_UNKNOWN_EVENT,
	  "event ref-cycles cannot be counted ... count cycles" },
	/* the command */
	{ "perfex no-such-command-anywhere", PERFEX_NOT_FOUND,
	  "find ... \"no-such-command-anywhere\"" },
	{ "perfex /etc/passwd", PERFEX_NOT_EXECUTABLE,
	  "\"/etc/passwd\" ... Permission denied" },
	{ "perfex /", PERFEX_NOT_EXECUTABLE, "\"/\"" },
	/* the report */
	{ "perfex -o /no/such/dir/file echo ran", PERFEX_OUTPUT,
	  "/no/such/dir/file ... No such file" },
	{ "perfex -o /dev/full true", PERFEX_OUTPUT, "/dev/full ... No space" },
};

static void a_wrong_command_line_is_refused(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(misused); i++)
		check_refused(misused[i].line, PERFEX_USAGE, misused[i].words);
	for (i = 0; i < ARRAY_SIZE(bad); i++)
		check_refused(bad[i].line, bad[i].status, bad[i].words);
}

/* These names look similar to events, but perf means other events by them. */
static void another_event_is_not_suggested(void **state)
{
	static const char *const names[] = { "LLC-loads",   "bus-cycles",
					     "data_stored", "cache-hits",
					     "rep-cycle",   "code_misses",
					     "bata_write",  "cs" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		PERFEX_EXITS(PERFEX_UNKNOWN_EVENT, "-e", names[i], "true");
		check_sentence("(perfex -l lists the events)");
	}
}

static void names_of_perf_are_counted(void **state)
{
	PERFEX_EXITS(0, "-e", "branch-instructions", "true");
	assert_string_equal(
		stderr_text,
		"                1000  0x12   branch-instructions:u\n");
	PERFEX_EXITS(0, "-e", "CPU-cycles@1:k", "true");
	assert_string_equal(stderr_text,
			    "                1000  0x100  CPU-cycles:k\n");
	PERFEX_EXITS(0, "-e", "r16", "true");
	assert_string_equal(stderr_text, ONE_EVENT);
}

/* These are the names of "perf list", without tracepoints, on several processors. */
static const struct {
	const char *name;
	const char *reason; /* NULL if perfex counts it */
} of_perf[] = {
	{ "branch-instructions", NULL },
	{ "branches", NULL },
	{ "branch-misses", NULL },
	{ "cache-misses", NULL },
	{ "cache-references", NULL },
	{ "cpu-cycles", NULL },
	{ "cycles", NULL },
	{ "instructions", NULL },
	{ "r16", NULL },
	{ "ref-cycles", "no other clock" },
	{ "bus-cycles", "another event on each" },
	{ "stalled-cycles-backend", "another event on each" },
	{ "idle-cycles-backend", "another event on each" },
	{ "stalled-cycles-frontend", "another event on each" },
	{ "idle-cycles-frontend", "another event on each" },
	{ "alignment-faults", "software" },
	{ "bpf-output", "software" },
	{ "cgroup-switches", "software" },
	{ "context-switches", "software" },
	{ "cs", "software" },
	{ "cpu-clock", "software" },
	{ "cpu-migrations", "software" },
	{ "migrations", "software" },
	{ "dummy", "software" },
	{ "emulation-faults", "software" },
	{ "major-faults", "software" },
	{ "minor-faults", "software" },
	{ "page-faults", "software" },
	{ "faults", "software" },
	{ "task-clock", "software" },
	{ "duration_time", "software" },
	{ "user_time", "software" },
	{ "system_time", "software" },
	{ "L1-dcache-loads", "another event on each" },
	{ "L1-dcache-load-misses", "another event on each" },
	{ "L1-dcache-stores", "another event on each" },
	{ "L1-dcache-prefetches", "another event on each" },
	{ "L1-icache-loads", "another event on each" },
	{ "L1-icache-load-misses", "another event on each" },
	{ "LLC-loads", "another event on each" },
	{ "LLC-load-misses", "another event on each" },
	{ "LLC-stores", "another event on each" },
	{ "LLC-store-misses", "another event on each" },
	{ "dTLB-loads", "another event on each" },
	{ "dTLB-load-misses", "another event on each" },
	{ "dTLB-stores", "another event on each" },
	{ "dTLB-store-misses", "another event on each" },
	{ "iTLB-loads", "another event on each" },
	{ "iTLB-load-misses", "another event on each" },
	{ "branch-loads", "another event on each" },
	{ "branch-load-misses", "another event on each" },
	{ "node-loads", "another event on each" },
	{ "node-load-misses", "another event on each" },
	{ "node-stores", "another event on each" },
	{ "node-store-misses", "another event on each" },
	{ "mem-loads", "another event on each" },
	{ "mem-stores", "another event on each" },
	{ "slots", "another event on each" },
	{ "topdown-retiring", "another event on each" },
	{ "topdown-fetch-bubbles", "another event on each" },
	{ "msr/tsc/", "syntax of perf" },
	{ "cpu/event=0x16/", "syntax of perf" },
	{ "cpu/branch-misses/u", "syntax of perf" },
	{ "mem:0x1000/4:rw", "breakpoint" },
	{ "sched:sched_switch", "place in the kernel" },
	{ "ext4:ext4_sync_file_enter", "place in the kernel" },
	{ "kvm:kvm_exit", "place in the kernel" },
	{ "KVM:kvm_exit:u", "place in the kernel" },
	/* These texts are not events of perf, but may have modes, too. */
	{ "dma:k", "unknown event" },
	{ "signal:u", "unknown event" },
	{ "irq:uk", "unknown event" },
	{ "tcp:kh", "unknown modes" },
	{ "mem:k", "unknown event" },
	{ "sched", "unknown event" },
	{ "scheduler:x", "unknown modes" },
};

static void
each_name_of_perf_is_counted_or_refused_with_the_reason(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(of_perf); i++) {
		const int status = PERFEX("-e", of_perf[i].name, "true");

		if (status != (of_perf[i].reason ? PERFEX_UNKNOWN_EVENT : 0))
			fail_msg("%s: %d, %s", of_perf[i].name, status,
				 stderr_text);
		if (!of_perf[i].reason)
			continue;
		check_sentence("%s", of_perf[i].reason);
		check_says(stderr_text, of_perf[i].name);
	}
}

static void a_failed_stat_is_explained(void **state)
{
	PERFEX_EXITS(1, "stat", "/no/such/file");
	check_says(stderr_text, "perfex: the program \"stat\" was"
				" counted, because");
	PERFEX_EXITS(0, "stat", "/");
	assert_string_equal(stderr_text, ONE_EVENT);
}

static void more_events_than_any_processor_has_are_refused(void **state)
{
	const char *args[VPMC_COUNTS_MAX + 4] = { "perfex" };
	size_t i;

	for (i = 1; i <= VPMC_COUNTS_MAX + 1; i++)
		args[i] = "-e0";
	args[i] = "true";
	assert_int_equal(perfex(args), PERFEX_TOO_MANY);
	check_sentence("too many events");
}

static void events_for_one_counter_can_be_too_many(void **state)
{
	const char *args[MAX_ARGS] = { "perfex", "--multiplex" };
	size_t i;

	for (i = 2; i < 2 + 17; i++)
		args[i] = "-e0@1";
	args[i] = "true";
	assert_int_equal(perfex(args), PERFEX_TOO_MANY);
	check_sentence("16 ... counter 1");
	assert_null(strstr(stderr_text, "--multiplex"));
}

static void a_machine_without_driver_is_explained(void **state)
{
	static const char *const options[] = { "-l", "-i", "true" };
	size_t i;

	fake->open_errno = ENOENT;
	for (i = 0; i < ARRAY_SIZE(options); i++) {
		PERFEX_EXITS(PERFEX_NO_DEVICE, options[i]);
		check_sentence("/dev/vpmc ... patches ... modprobe vpmc");
	}
}

/* CPUID describes the processor, so perfex can list its events. */
static void events_are_listed_without_a_driver(void **state)
{
	static const struct fake_cpuid leaves[] = {
		{ 0, 0, { 1, 0x756e6547, 0x6c65746e, 0x49656e69 } },
		{ 1, 0, { 0x543, 0, 0, 1 << 23 } },
	};

	memcpy(fake->cpuid, leaves, sizeof(leaves));
	fake->nr_cpuid = ARRAY_SIZE(leaves);
	fake->open_errno = ENOENT;
	PERFEX_EXITS(0, "-l");
	assert_memory_equal(stdout_text, "# without a driver", 18);
	check_says(stdout_text, "  emms_executed  ");
	check_says(stdout_text, "\n0x16   0,1  instructions  ");
	PERFEX_EXITS(0, "-l", "emms");
	assert_null(strstr(stdout_text, "\n0x16 "));
	PERFEX_EXITS(PERFEX_NO_DEVICE, "-li");
	PERFEX_EXITS(PERFEX_NO_DEVICE, "true");
}

static const struct {
	int open_errno;
	int start_errno;
	int read_errno;
	uint32_t abi;
	uint64_t generation;
	enum perfex_status status;
	const char *words;
} driver_errors[] = {
	{ EACCES, 0, 0, 1, 7, PERFEX_PERMISSION, "permission" },
	{ 0, 0, 0, 2, 7, PERFEX_UNSUPPORTED, "version 2" },
	{ 0, EBUSY, 0, 1, 7, PERFEX_BUSY, "busy" },
	{ 0, EPERM, 0, 1, 7, PERFEX_PERMISSION, "restricted" },
	{ 0, ENOMEM, 0, 1, 7, PERFEX_SYSTEM, "memory" },
	{ 0, 0, ENODATA, 1, 7, PERFEX_SYSTEM, "never started" },
	{ 0, 0, 0, 1, 8, PERFEX_INVALID, "invalid ... 7 ... 8" },
	{ 0, 0, 0, 1, 8, PERFEX_INVALID, "privileged ... user namespace" },
	{ 0, 0, EPERM, 1, 7, PERFEX_INVALID, "invalid ... set-user-ID" },
};

static void every_refusal_of_the_driver_has_its_status(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(driver_errors); i++) {
		fake->open_errno = driver_errors[i].open_errno;
		fake->start_errno = driver_errors[i].start_errno;
		fake->read_errno = driver_errors[i].read_errno;
		fake->info.abi_version = driver_errors[i].abi;
		fake->read.generation = driver_errors[i].generation;
		PERFEX_EXITS(driver_errors[i].status, "true");
		check_sentence("%s", driver_errors[i].words);
	}
}

static void a_command_that_cannot_be_counted_does_not_run(void **state)
{
	fake->start_errno = EBUSY;
	PERFEX_EXITS(PERFEX_BUSY, "echo", "ran");
	assert_string_equal(stdout_text, "");
}

/* The first value belongs to the command, and the other values to its runs. */
static void a_fixed_layout_is_that_of_the_command(void **state)
{
	static const char asks[] =
		"read -r word </proc/self/personality; echo $((0x$word & 0x40000))";

	PERFEX_EXITS(0, "--fixed-layout", "sh", "-c", asks);
	assert_string_equal(stdout_text, "262144\n");
	PERFEX_EXITS(0, "-r2", "--fixed-layout", "sh", "-c", asks);
	assert_string_equal(stdout_text, "262144\n262144\n");
	PERFEX_EXITS(0, "sh", "-c", asks);
	assert_string_equal(stdout_text, "0\n");
	PERFEX_EXITS(PERFEX_USAGE, "--fixed-layout", "-p", "1");
	PERFEX_EXITS(PERFEX_USAGE, "--fixed-layout", "-l", "emms");
}

static void counting_starts_at_exec_in_user_mode(void **state)
{
	PERFEX_EXITS(0, "true");
	assert_int_equal(fake->started.flags, VPMC_START_AT_EXEC);
	assert_int_equal(fake->started.nr_events, 1);
	assert_int_equal(fake->started.event[0].code, 0x16);
	assert_int_equal(fake->started.event[0].modes, VPMC_MODE_USER);
	assert_int_equal(fake->scopes,
			 1U << VPMC_SCOPE_SELF | 1U << VPMC_SCOPE_CHILDREN);
}

static void events_can_stand_in_one_word(void **state)
{
	fake->read.count[0] = 10;
	fake->read.count[1] = 20;
	fake->children.count[0] = 0;
	PERFEX_EXITS(0, "-e", "Branches,cycles:uk", "true");
	assert_int_equal(fake->started.nr_events, 2);
	assert_int_equal(fake->started.event[0].code, 0x12);
	assert_int_equal(fake->started.event[0].modes, VPMC_MODE_USER);
	assert_int_equal(fake->started.event[1].code, 0x100);
	assert_string_equal(stderr_text,
			    "                  10  0x12   branches:u\n"
			    "                  20  0x100  cycles:uk\n");
}

static void waited_for_children_are_added(void **state)
{
	fake->read.count[0] = 10;
	fake->children.count[0] = 990;
	fake->children.other_events = 1;
	PERFEX_EXITS(0, "true");
	assert_string_equal(stderr_text,
			    ONE_EVENT "# 1 thread is missing in these counts:"
				      " other events were counted there\n");
}

#define STOPPED(times)                                                        \
	"# counting was stopped " times " in between: what was executed then" \
	" is missing in these counts\n"
#define UNWAITED(processes, its)                                              \
	"# " processes " missing in these counts: nobody has waited for " its \
	" end so far (-a counts all processes)\n"

static void what_nobody_waited_for_or_was_not_counted_has_a_line(void **state)
{
	fake->read.count[0] = 10;
	fake->read.stopped = 1;
	fake->children.count[0] = 990;
	fake->children.unwaited = 1;
	PERFEX_EXITS(0, "true");
	assert_string_equal(stderr_text,
			    ONE_EVENT STOPPED("1 time")
				    UNWAITED("1 process is", "its"));
	fake->children.stopped = 2;
	fake->children.unwaited = 3;
	PERFEX_EXITS(0, "true");
	assert_string_equal(stderr_text,
			    ONE_EVENT STOPPED("3 times")
				    UNWAITED("3 processes are", "their"));
}

static void the_command_can_be_counted_alone(void **state)
{
	fake->read.count[0] = 1000;
	fake->children.count[0] = 990;
	PERFEX_EXITS(0, "-n", "true");
	assert_string_equal(stderr_text, ONE_EVENT);
}

static void all_descendants_are_one_sum(void **state)
{
	fake->read.count[0] = 1;
	fake->children.count[0] = 2;
	fake->all.running = 2;
	PERFEX_EXITS(0, "-a", "true");
	assert_int_equal(fake->started.flags,
			 VPMC_START_AT_EXEC | VPMC_START_COLLECT);
	assert_string_equal(stderr_text,
			    ONE_EVENT "# 2 processes are still running: these"
				      " counts contain what was counted there"
				      " so far\n");
}

static void a_command_that_gains_privileges_is_not_counted(void **state)
{
	fake->read.generation = 8;
	PERFEX_EXITS(PERFEX_INVALID, "-a", "true");
	check_sentence("invalid");
}

static struct vpmc_record *add_record(int pid, int tid, const char *command,
				      uint64_t count)
{
	struct vpmc_record *record = &fake->record[fake->nr_records++];

	*record = (struct vpmc_record){
		.pid = pid,
		.tid = tid,
		.nr_counts = 1,
		.count = { count },
	};
	snprintf(record->comm, sizeof(record->comm), "%s", command);
	return record;
}

#define THREAD_HEAD \
	"# thread       pid      tid  instructions_executed:u  command\n"
#define PROCESS_HEAD "# process      pid  instructions_executed:u  command\n"

static void processes_and_threads_are_listed_as_they_ended(void **state)
{
	add_record(30, 31, "worker", 5);
	add_record(20, 20, "child", 7);
	add_record(30, 30, "leader", 100);
	add_record(30, 32, "worker", UINT64_MAX);
	add_record(10, 10, "two words", 1);
	PERFEX_EXITS(0, "-mp", "true");
	assert_int_equal(fake->started.flags, VPMC_START_AT_EXEC |
						      VPMC_START_COLLECT |
						      VPMC_START_RECORDS);
	assert_string_equal(
		stderr_text, THREAD_HEAD
		"thread          30       31                     5  worker\n"
		"thread          20       20                     7  child\n"
		"thread          30       30                   100  leader\n"
		"thread          30       32  18446744073709551615  worker\n"
		"thread          10       10                     1  two words\n" PROCESS_HEAD
		"process         20                     7  child\n"
		"process         30                   104  leader\n"
		"process         10                     1  two words\n" ONE_EVENT);
}

/*
 * Start a process that adds a record, and makes @path readable, when the existing
 * records have been taken. Returns the process.
 */
static pid_t wait_until_taken(void)
{
	pid_t pid;
	bool taken;

	fflush(NULL);
	pid = fork();
	if (pid)
		return pid;
	taken = fake_wait_for_records();
	fake->nr_records++;
	_exit(open(path, O_WRONLY) < 0 || !taken);
}

/* The kernel keeps only a limited number of records. */
static void records_are_taken_while_the_command_runs(void **state)
{
	pid_t pid;

	assert_int_equal(mkfifo(path, 0600), 0);
	add_record(30, 31, "worker", 5);
	add_record(30, 32, "worker", 6);
	add_record(30, 30, "leader", 100);
	fake->nr_records--;
	pid = wait_until_taken();
	PERFEX_EXITS(0, "-m", "cat", path);
	check_status(pid, 0);
	assert_string_equal(
		stderr_text, PROCESS_HEAD
		"process         30                   111  leader\n" ONE_EVENT);
}

static void processes_can_be_listed_alone(void **state)
{
	add_record(30, 30, "a", 5);
	PERFEX_EXITS(0, "-m", "true");
	assert_string_equal(stderr_text, PROCESS_HEAD
			    "process         30"
			    "                     5  a\n" ONE_EVENT);
}

static void the_lists_go_with_other_options(void **state)
{
	PERFEX_EXITS(0, "-mp", "-m", "-k", "true");
	assert_string_equal(stderr_text, "# thread       pid      tid"
					 "  instructions_executed:uk  command\n"
					 "# process      pid"
					 "  instructions_executed:uk  command\n"
					 "                1000  0x16"
					 "   instructions_executed:uk\n");
}

/*
 * The system uses process numbers again. The last record of a process shows that its number
 * ends there.
 */
static void processes_with_one_number_are_told_apart(void **state)
{
	add_record(30, 31, "worker", 1);
	add_record(20, 20, "other", 2)->what = VPMC_RECORD_LAST;
	add_record(30, 30, "old", 4)->what = VPMC_RECORD_LAST;
	add_record(30, 30, "new", 8);
	add_record(30, 32, "worker", 16)->what = VPMC_RECORD_LAST;
	add_record(30, 30, "newest", 32)->what = VPMC_RECORD_LAST;
	PERFEX_EXITS(0, "-m", "true");
	assert_string_equal(
		stderr_text, PROCESS_HEAD
		"process         20                     2  other\n"
		"process         30                     5  old\n"
		"process         30                    24  new\n"
		"process         30                    32  newest\n" ONE_EVENT);
}

/* The line of the process contains the thread's earlier counts. */
static void a_thread_has_a_line_for_each_start(void **state)
{
	add_record(30, 30, "first", 5)->what = VPMC_RECORD_RESTARTED;
	add_record(30, 30, "second", 6)->what = VPMC_RECORD_RESTARTED;
	add_record(30, 30, "third", 7)->what = VPMC_RECORD_LAST;
	PERFEX_EXITS(0, "-mp", "true");
	assert_string_equal(
		stderr_text, THREAD_HEAD
		"thread          30       30                     5  first\n"
		"thread          30       30                     6  second\n"
		"thread          30       30                     7  third\n" PROCESS_HEAD
		"process         30                    18  third\n" ONE_EVENT);
}

/* Such a thread may have more or fewer events than the table has columns. */
static void counts_of_other_events_are_in_no_column(void **state)
{
	struct vpmc_record *record;

	add_record(30, 30, "a", 5)->what = VPMC_RECORD_RESTARTED;
	record = add_record(30, 30, "a", 6);
	record->what = VPMC_RECORD_OTHER | VPMC_RECORD_LAST;
	record->nr_counts = 2;
	add_record(31, 31, "b", 7)->what = VPMC_RECORD_OTHER | VPMC_RECORD_LAST;
	PERFEX_EXITS(0, "-mp", "true");
	assert_string_equal(
		stderr_text, THREAD_HEAD
		"thread          30       30                     5  a\n"
		"thread          30       30                     -  a\n"
		"thread          31       31                     -  b\n" PROCESS_HEAD
		"process         30                     5  a\n"
		"process         31                     -  b\n" ONE_EVENT);
}

static void events_that_fit_do_not_take_turns(void **state)
{
	fake->read.tsc = 1000;
	PERFEX_EXITS(0, "--multiplex", "-e", "0x16", "-e", "emms_executed:k",
		     "true");
	assert_int_equal(fake->started.flags,
			 VPMC_START_AT_EXEC | VPMC_START_MULTIPLEX);
	assert_int_equal(fake->started.event[0].counter, 1);
	assert_int_equal(fake->started.event[1].counter, 0);
	assert_string_equal(stderr_text, ONE_EVENT
			    "18446744073709551615  0x2d   emms_executed:k\n");
}

/* The counts of the process and of its children are added before they are projected. */
static void counts_of_part_of_the_time_are_projected_and_marked(void **state)
{
	fake->read.nr_counts = 4;
	fake->read.tsc = 1000;
	memcpy(fake->read.count, (const uint64_t[]){ 60, 70, 80, 0 }, 32);
	memcpy(fake->read.time, (const uint64_t[]){ 300, 1000, 500, 0 }, 32);
	fake_equal_turns(&fake->read, 10);
	fake->children = fake->read;
	fake->children.time[0] = 200;
	fake_equal_turns(&fake->children, 10);
	PERFEX_EXITS(0, "--multiplex", "-e", "0x16@0", "-e", "0x12@1", "-e",
		     "0x00@0", "-e", "0x01@0", "true");
	assert_int_equal(fake->started.nr_events, 4);
	assert_string_equal(
		stderr_text,
		"                 480  0x16   instructions_executed:u"
		"  # projected from 25.0% of the time, 384 to 576 (95 %)\n"
		"                 140  0x12   branches:u\n"
		"                 320  0x00   data_read:u"
		"  # projected from 50.0% of the time, 267 to 373 (95 %)\n"
		"                   -  0x01   data_write:u  # not counted\n"
		"# 1 count is not known, since the turns say too little: let"
		" the command run longer, choose longer intervals, or use"
		" --runs\n");
}

/* If turns give no meaningful value, the report gives the reason instead of a number. */
static void what_turns_do_not_say_is_not_printed(void **state)
{
	static const char *const why[] = {
		"its turns are too few",
		"it did not happen in its turns",
		"it happened in too few of its turns",
	};
	struct vpmc_read *read = &fake->read;
	char *found;
	size_t i;

	fake->per_code = 0;
	read->nr_counts = 4;
	read->tsc = 1000;
	memcpy(read->count, (const uint64_t[]){ 90, 0, 90, 5 }, 32);
	memcpy(read->time, (const uint64_t[]){ 300, 300, 300, 1000 }, 32);
	fake_equal_turns(read, 20);
	fake->children.nr_counts = 0;
	read->turn[0].nr = 9;
	/* All work is in one turn. */
	read->turn[2].count_squares = 8100;
	PERFEX_EXITS(0, "--multiplex", "-e", "0x16@0,0x12@0,0@0,1@1", "true");
	for (i = 0; i < ARRAY_SIZE(why); i++) {
		found = strstr(stderr_text, why[i]);
		assert_non_null(found);
	}
	check_says(stderr_text, "                   5  0x01   "
				"data_write:u\n# 3 counts are not"
				" known");
	assert_null(strstr(stderr_text, "projected"));
}

/*
 * Run a command of two threads whose first and last event share a counter, of which the last event
 * has no turn. @nr is the number of each thread's turns.
 */
static void list_in_turns(uint64_t nr)
{
	struct vpmc_record *record;
	int i;

	for (i = 0; i < 2; i++) {
		record = add_record(30, 31 - i, i ? "leader" : "worker", 10);
		record->nr_counts = 3;
		record->count[1] = 7;
		record->tsc = 100ULL << 50;
		record->time[0] = (i ? 30ULL : 20ULL) << 50;
		record->time[1] = 100ULL << 50;
		record->time[2] = 0;
		record->nr_turns = 3;
		fake_turns(&record->turn[0], record->count[0], record->time[0],
			   nr);
		fake_turns(&record->turn[1], 7, 100, nr);
	}
	fake->read.nr_counts = 3;
	fake->children.nr_counts = 3;
	PERFEX_EXITS(0, "--multiplex", "-mp", "-e", "0x00@0", "-e", "0x01@1",
		     "-e", "0x02@0", "true");
}

static void lists_mark_what_is_projected(void **state)
{
	list_in_turns(10);
	check_says(stderr_text,
		   "thread          30       31                   50*"
		   "                     7                     -  worker\n"
		   "thread          30       30                   33*"
		   "                     7                     -  leader\n");
	check_says(stderr_text,
		   "process         30                   80*"
		   "                    14                     -  leader\n"
		   "# counts with * are projected: events share counters\n");
}

/* The turns of each thread are too few, but not those of both. */
static void turns_of_threads_are_added(void **state)
{
	list_in_turns(5);
	check_says(stderr_text,
		   "thread          30       30                     -"
		   "                     7                     -  leader\n");
	check_says(stderr_text,
		   "process         30                   80*"
		   "                    14                     -  leader\n");
}

static void what_was_lost_at_the_end_has_no_line(void **state)
{
	add_record(30, 30, "a", 5)->lost = 1;
	fake->record[fake->nr_records++].lost = 3;
	PERFEX_EXITS(0, "-mp", "true");
	assert_string_equal(
		stderr_text, THREAD_HEAD
		"thread          30       30                     5  a\n" PROCESS_HEAD
		"process         30                     5  a\n" ONE_EVENT
		"# 4 threads are not listed: the kernel had no room for more records\n");
}

static void who_reached_the_limit_of_records_learns_its_name(void **state)
{
	add_record(30, 30, "a", 5)->lost = 1;
	fake->record[0].what = VPMC_RECORD_LAST | VPMC_RECORD_LIMITED;
	PERFEX_EXITS(0, "-m", "true");
	assert_string_equal(
		stderr_text, PROCESS_HEAD
		"process         30                     5  a\n" ONE_EVENT
		"# 1 thread is not listed: the records would exceed the user's"
		" RLIMIT_MEMLOCK, so raise it (ulimit -l)\n");
}

static void a_list_says_what_is_not_in_it(void **state)
{
	add_record(30, 30, "a\nb\177", 5);
	add_record(31, 31, "su", 5)->what = VPMC_RECORD_REVOKED;
	fake->record[1].lost = 2;
	fake->all.running = 1;
	fake->all.revoked = 1;
	PERFEX_EXITS(0, "-am", "true");
	assert_string_equal(
		stderr_text, PROCESS_HEAD
		"process         30                     5  a?b?\n"
		"process         31                     -  su\n" ONE_EVENT
		"# 2 threads are not listed: the kernel had no room for more records\n"
		"# 1 process is still running: threads that have not ended are"
		" not listed\n"
		"# 1 thread is missing in these counts: a privileged program,"
		" or one in another user namespace, was executed there, or the"
		" counters were taken away\n"
		"# 1 process is still running: these counts contain what was"
		" counted there so far\n");
}

/* The sum may lack a process that is in the list. */
static void a_list_with_gaps_has_a_line(void **state)
{
	add_record(30, 30, "a", 5)->stopped = 1;
	add_record(31, 31, "b", 6)->stopped = 1;
	fake->read.count[0] = 1000;
	fake->read.stopped = 1;
	fake->children.unwaited = 1;
	PERFEX_EXITS(0, "-m", "true");
	assert_string_equal(
		stderr_text, PROCESS_HEAD
		"process         30                     5  a\n"
		"process         31                     6  b\n" ONE_EVENT
			STOPPED("2 times") UNWAITED("1 process is", "its"));
}

/* The counts of the last thread of a process may be hidden. */
static void counts_of_a_privileged_program_are_in_no_sum(void **state)
{
	add_record(30, 31, "sh", 5);
	add_record(30, 30, "su", 6)->what = VPMC_RECORD_REVOKED;
	PERFEX_EXITS(0, "-m", "true");
	assert_string_equal(stderr_text, PROCESS_HEAD
			    "process         30"
			    "                     5  su\n" ONE_EVENT);
}

static void there_may_be_many_records(void **state)
{
	char expected[sizeof(stderr_text)] = PROCESS_HEAD;
	size_t length = strlen(expected);
	int i;

	for (i = 1; i <= 100; i++) {
		add_record(1000 - i, 1000 - i, "x", i);
		length += snprintf(expected + length, sizeof(expected) - length,
				   "process    %7d  %20d  x\n", 1000 - i, i);
	}
	snprintf(expected + length, sizeof(expected) - length, ONE_EVENT);
	PERFEX_EXITS(0, "-m", "true");
	assert_string_equal(stderr_text, expected);
}

static void a_failure_to_take_records_has_its_status(void **state)
{
	add_record(30, 30, "a", 5);
	fake->record_errno = ENOTTY;
	PERFEX_EXITS(PERFEX_UNSUPPORTED, "-m", "true");
	check_sentence("record ... one version");
}

static void k_and_x_add_kernel_mode_where_no_mode_is_given(void **state)
{
	static const char *const options[] = { "-k", "-x", "-kx" };
	size_t i;

	for (i = 0; i < ARRAY_SIZE(options); i++) {
		PERFEX_EXITS(0, "-e", "branches", options[i], "-e", "0x16:u",
			     "true");
		assert_int_equal(fake->started.event[0].modes,
				 VPMC_MODE_USER | VPMC_MODE_KERNEL);
		assert_int_equal(fake->started.event[1].modes, VPMC_MODE_USER);
	}
}

static void the_report_follows_what_the_command_says(void **state)
{
	PERFEX_EXITS(0, "sh", "-c", "echo out; echo err >&2");
	assert_string_equal(stdout_text, "out\n");
	assert_string_equal(stderr_text, "err\n" ONE_EVENT);
}

static void events_are_reported_in_the_order_given(void **state)
{
	PERFEX_EXITS(0, "-e", "0x16", "-e", "emms_executed:k", "true");
	assert_string_equal(stderr_text, ONE_EVENT
			    "18446744073709551615  0x2d   emms_executed:k\n");
}

static void the_commands_options_are_its_own(void **state)
{
	PERFEX_EXITS(0, "echo", "-e", "-l", "--");
	assert_string_equal(stdout_text, "-l --\n");
	PERFEX_EXITS(0, "--", "printf", "%s", "-i");
	assert_string_equal(stdout_text, "-i");
}

/* For any status, the file says whether it is perfex's status or the command's. */
static const struct {
	const char *words[4];
	const char *text;
	uint64_t generation;
	int start_errno;
	int status;
} ends[] = {
	{ { "true" }, "exit 0\n", 7, 0, 0 },
	{ { "sh", "-c", "exit 208" }, "exit 208\n", 7, 0, 208 },
	{ { "sh", "-c", "kill -9 $$" }, "signal 9\n", 7, 0, 137 },
	{ { "sh", "-c", "exit 137" }, "exit 137\n", 7, 0, 137 },
	{ { "true" }, "perfex 208\n", 7, EBUSY, 208 },
	{ { "sh", "-c", "exit 3" }, "exit 3\nperfex 211\n", 8, 0, 211 },
	{ { "no-such-command-anywhere" }, "perfex 127\n", 7, 0, 127 },
	{ { "-e", "nonsense", "true" }, "perfex 201\n", 7, 0, 201 },
	{ { "--system", "sh", "-c", "exit 5" }, "exit 5\n", 7, 0, 5 },
};

static void a_file_says_whose_the_exit_status_is(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		fake->start_errno = ends[i].start_errno;
		fake->read.generation = ends[i].generation;
		PERFEX_EXITS(ends[i].status, "--status-file", path,
			     ends[i].words[0], ends[i].words[1],
			     ends[i].words[2], ends[i].words[3]);
		check_file(path, ends[i].text);
	}
}

static void a_program_is_no_file_for_a_status(void **state)
{
	PERFEX_EXITS(PERFEX_OUTPUT, "--status-file", "/bin/sh", "echo", "ran");
	check_sentence("/bin/sh ... --status-file");
}

/* Another perfex counts this perfex already. */
static void a_command_of_another_perfex_can_be_counted_by_force(void **state)
{
	fake->start_errno = EBUSY;
	fake->read.state = VPMC_STATE_RUNNING;
	PERFEX_EXITS(PERFEX_BUSY, "true");
	check_sentence("counted already ... (perfex --force counts");
	fake->read.state = VPMC_STATE_EXITED;
	PERFEX_EXITS(PERFEX_BUSY, "true");
	assert_null(strstr(stderr_text, "--force"));
	fake->start_errno = 0;
	PERFEX_EXITS(0, "--force", "true");
	assert_int_equal(fake->started.flags,
			 VPMC_START_AT_EXEC | VPMC_START_FORCE);
}

/* Each run opens its own handle, so each run has its own start. */
static void runs_can_be_repeated(void **state)
{
	fake->read.count[0] = 1000;
	fake->self_step = 2;
	PERFEX_EXITS(0, "-r3", "--warmup=2", "-n", "-e", "0x16,0x12", "echo",
		     "ran");
	assert_string_equal(stdout_text, "ran\nran\nran\nran\nran\n");
	/* 1004, 1006, 1008: t(2) s / sqrt(3), s = 2 */
	assert_string_equal(
		stderr_text,
		"                1006  0x16   instructions_executed:u"
		"  # mean of 3 runs +- 5.0 (95 %), 1004 to 1008\n"
		"18446744073709551615  0x12   branches:u"
		"  # the same in all 3 runs\n");
}

/* With this confidence, t(2) is 9.9248. */
static void intervals_can_have_more_confidence(void **state)
{
	fake->read.count[0] = 1000;
	fake->self_step = 2;
	PERFEX_EXITS(0, "-r3", "--confidence=99", "-n", "true");
	assert_string_equal(
		stderr_text,
		"                1002  0x16   instructions_executed:u"
		"  # mean of 3 runs +- 11.5 (99 %), 1000 to 1004\n");
}

static void runs_that_fail_are_told(void **state)
{
	PERFEX_EXITS(1, "--repeat", "2", "--times", "-n", "false");
	check_says(stderr_text, ":u  # the same in all 2 runs\n");
	check_says(stderr_text, "elapsed_seconds  # mean of 2");
	check_says(stderr_text, "\n# 2 runs have ended otherwise than with exit"
				" status 0\n");
	PERFEX_EXITS(128 + SIGINT, "-r", "5", "-n", "sh", "-c",
		     "echo ran; kill -INT $$");
	assert_string_equal(stdout_text, "ran\n");
	check_says(stderr_text, "\n# 1 of 5 runs are counted: no"
				" more took place\n");
	PERFEX_EXITS(128 + SIGINT, "-r", "5", "--warmup=2", "-n", "sh", "-c",
		     "echo ran; kill -INT $$");
	assert_string_equal(stdout_text, "ran\n");
	assert_string_equal(stderr_text, "");
}

/* Only the command reads standard input. The lines of --pre and --post do not. */
static void commands_run_around_each_run(void **state)
{
	stdin_path = "/etc/passwd";
	PERFEX_EXITS(0, "-r2", "--warmup=1", "-n", "--pre", "cat; echo before",
		     "--post", "cat; echo after", "sh", "-c",
		     "read line && echo ran");
	assert_string_equal(stdout_text,
			    "before\nran\nafter\nbefore\nran\nafter\n"
			    "before\nran\nafter\n");
	PERFEX_EXITS(3, "-n", "--pre", "echo before", "--post", "echo after",
		     "sh", "-c", "echo ran; exit 3");
	assert_string_equal(stdout_text, "before\nran\nafter\n");
	assert_string_equal(stderr_text, ONE_EVENT);
	PERFEX_EXITS(0, "--runs", "-n", "-e", "0x16,0x12,0x0", "--pre",
		     "echo before", "--post", "echo after", "echo", "ran");
	assert_string_equal(stdout_text, "before\nran\nafter\n"
					 "before\nran\nafter\n");
	stdin_path = NULL;
}

static void what_runs_around_must_end_well(void **state)
{
	PERFEX_EXITS(PERFEX_AROUND, "-n", "--pre", "exit 3", "echo", "ran");
	assert_string_equal(stdout_text, "");
	check_sentence("\"exit 3\" of --pre ... status 3");
	/* Even if --post fails, the report is written. */
	PERFEX_EXITS(PERFEX_AROUND, "-n", "--post", "kill -TERM $$", "echo",
		     "ran");
	assert_string_equal(stdout_text, "ran\n");
	assert_int_equal(strncmp(stderr_text, ONE_EVENT, strlen(ONE_EVENT)), 0);
	check_says(stderr_text, "of --post ended with signal 15");
	PERFEX_EXITS(PERFEX_AROUND, "-r3", "-n", "--post",
		     "test ! -e /etc/passwd", "echo", "ran");
	assert_string_equal(stdout_text, "ran\n");
	check_says(stderr_text, "# 1 of 3 runs are counted");
}

/* --post runs, because it may have to undo what --pre did. */
static void post_follows_each_run_that_took_place(void **state)
{
	PERFEX_EXITS(PERFEX_NOT_FOUND, "-n", "--post", "echo after",
		     "/nonexistent");
	assert_string_equal(stdout_text, "");
	PERFEX_EXITS(128 + SIGINT, "-r3", "-n", "--post", "echo after", "sh",
		     "-c", "echo ran; kill -INT $$");
	assert_string_equal(stdout_text, "ran\nafter\n");
	fake->read.generation = 8;
	PERFEX_EXITS(PERFEX_INVALID, "-n", "--post", "echo after", "echo",
		     "ran");
	assert_string_equal(stdout_text, "ran\nafter\n");
}

/* A signal must be able to end perfex while --pre runs. Here it does not reach the subshell. */
static void what_runs_around_gets_the_signals(void **state)
{
	PERFEX_EXITS(PERFEX_AROUND, "-n", "--pre",
		     "(kill -TERM $PPID); sleep 60", "echo", "ran");
	assert_string_equal(stdout_text, "");
	check_says(stderr_text, "of --pre ended with signal 15");
}

static void exit_statuses_pass_through(void **state)
{
	PERFEX_EXITS(0, "true");
	PERFEX_EXITS(1, "false");
	PERFEX_EXITS(77, "sh", "-c", "exit 77");
	PERFEX_EXITS(255, "sh", "-c", "exit 255");
	assert_string_equal(stderr_text, ONE_EVENT);
}

static void death_by_a_signal_is_128_and_reported(void **state)
{
	PERFEX_EXITS(128 + SIGTERM, "sh", "-c", "kill -TERM $$");
	assert_string_equal(stderr_text, ONE_EVENT);
	PERFEX_EXITS(128 + SIGKILL, "sh", "-c", "kill -KILL $$");
	assert_string_equal(stderr_text, ONE_EVENT);
}

static void an_interrupt_ends_the_command_not_the_report(void **state)
{
	PERFEX_EXITS(128 + SIGINT, "sh", "-c", "kill -INT $PPID $$");
	assert_string_equal(stderr_text, ONE_EVENT);
	PERFEX_EXITS(3, "sh", "-c", "kill -QUIT $PPID; exit 3");
	assert_string_equal(stderr_text, ONE_EVENT);
}

/* The caller may ignore SIGCHLD, and exec does not change this. */
static void an_ignored_sigchld_does_not_matter(void **state)
{
	caller_sigchld = SIG_IGN;
	PERFEX_EXITS(5, "sh", "-c", "exit 5");
	caller_sigchld = SIG_DFL;
	assert_string_equal(stderr_text, ONE_EVENT);
}

static void the_command_inherits_no_descriptor_of_perfex(void **state)
{
	PERFEX_EXITS(0, "-o", "/dev/null", "ls", "/proc/self/fd");
	/* Descriptor 3 is the directory that ls reads. */
	assert_string_equal(stdout_text, "0\n1\n2\n3\n");
}

static void a_missing_interpreter_is_told_from_a_missing_command(void **state)
{
	/* perfex cannot continue after an execve(2) that fails in this way. */
	if (under_valgrind())
		skip();
	fill_program(path, "#!/no/such/shell\n");
	PERFEX_EXITS(PERFEX_NOT_EXECUTABLE, path);
	check_sentence("interpreter");
	unlink(path);
	PERFEX_EXITS(PERFEX_NOT_FOUND, path);
}

/* Some events are missing in the emulator, and others never happen in user mode. */
static void what_cannot_happen_is_told_or_refused(void **state)
{
	fake->read.count[0] = 0;
	fake->children.count[0] = 0;
	add_record(30, 30, "a", 0);
	PERFEX_EXITS(0, "-m", "-e", "0x27,0x27:k", "true");
	check_says(stderr_text, "\nprocess         30"
				"                     -"
				"                     0  a\n");
	check_says(stderr_text, "                   -  0x27"
				"   hardware_interrupts:u"
				"  # never in user mode\n");
	check_says(stderr_text, "  hardware_interrupts:k\n");
	PERFEX_EXITS(PERFEX_NEVER, "--strict", "-e", "0x27", "echo", "ran");
	check_sentence(
		"hardware_interrupts:u ... never in user mode ... --strict");
	PERFEX_EXITS(0, "--strict", "-e", "0x27:k", "true");
}

/* The counts of the driver have no place for the events that were left out. */
static void what_cannot_happen_takes_no_turn(void **state)
{
	struct vpmc_read *read = &fake->read;
	struct vpmc_record *record;

	fake->per_code = 0;
	fake->children.nr_counts = 0;
	read->nr_counts = 2;
	read->tsc = 1000;
	memcpy(read->count, (const uint64_t[]){ 60, 80 }, 16);
	memcpy(read->time, (const uint64_t[]){ 500, 500 }, 16);
	fake_equal_turns(read, 20);
	record = add_record(30, 30, "a", 60);
	record->nr_counts = 2;
	record->count[1] = 70;
	record->tsc = 1000;
	record->time[0] = record->time[1] = 500;
	record->nr_turns = 2;
	fake_turns(&record->turn[0], 60, 500, 20);
	fake_turns(&record->turn[1], 70, 500, 20);
	PERFEX_EXITS(0, "--multiplex", "-m", "-e", "0x16@0,0x27@0,0x12@0",
		     "true");
	assert_int_equal(fake->started.nr_events, 2);
	assert_int_equal(fake->started.event[0].code, 0x16);
	assert_int_equal(fake->started.event[1].code, 0x12);
	check_says(stderr_text, "\nprocess         30"
				"                  120*"
				"                     -"
				"                  140*  a\n");
	check_says(stderr_text,
		   "                 120  0x16   instructions_executed:u"
		   "  # projected from 50.0% of the time, ");
	check_says(stderr_text,
		   "                   -  0x27   hardware_interrupts:u"
		   "  # never in user mode\n"
		   "                 160  0x12   branches:u"
		   "  # projected from 50.0% of the time, ");
	/* Events that keep their counters without the option are exact. */
	PERFEX_EXITS(0, "--multiplex", "-e", "0x27,0x16,0x12", "true");
	assert_int_equal(fake->started.nr_events, 2);
	assert_string_equal(
		stderr_text,
		"                   -  0x27   hardware_interrupts:u"
		"  # never in user mode\n"
		"                  60  0x16   instructions_executed:u\n"
		"                  80  0x12   branches:u\n");
	/* If there are no other events, even an event that cannot happen is counted. */
	read->nr_counts = 1;
	read->count[0] = 0;
	PERFEX_EXITS(0, "--multiplex", "-e", "0x27", "true");
	assert_int_equal(fake->started.nr_events, 1);
}

static void what_cannot_happen_takes_no_run(void **state)
{
	PERFEX_EXITS(0, "--runs", "-n", "-e", "0x27,0x16,0x12", "true");
	check_says(stderr_text, "                   -  0x27   "
				"hardware_interrupts:u  # never in"
				" user mode\n");
	check_says(stderr_text, "# the events were counted in 1 run of");
}

/*
 * The emulator does not model the pipelines, so its clocks are not real. A model counts the
 * other events.
 */
static void what_an_emulator_makes_up_is_told(void **state)
{
	static const struct fake_cpuid leaves[] = {
		{ 0, 0, { 1, 0x756e6547, 0x6c65746e, 0x49656e69 } },
		{ 1, 0, { 0x543, 0, 1U << 31, 1 << 23 } },
		{ 0x40000002, 0, { 0, 0x434d5056 } },
		{ 0x40000002, 0x100, { 5 } },
		{ 0x40000002, 0x10100, { 5 } },
		{ 0x40000002, 0x20100, { 5 } },
		{ 0x40000002, 0x03, { 3 } },
		{ 0x40000002, 0x10003, { 3 } },
		{ 0x40000002, 0x20003, { 3 } },
	};
	static const char clocks[] =
		"# 1 count is of clocks, one per instruction: the emulator has"
		" no model of the pipes\n";
	static const char modelled[] = "# 1 count is modelled: ";

	memcpy(fake->cpuid, leaves, sizeof(leaves));
	fake->nr_cpuid = ARRAY_SIZE(leaves);
	PERFEX_EXITS(0, "-e", "clocks,0x16", "true");
	check_says(stderr_text, clocks);
	assert_null(strstr(stderr_text, modelled));
	PERFEX_EXITS(0, "-e", "0x03,0x16", "true");
	assert_null(strstr(stderr_text, clocks));
	check_says(stderr_text, modelled);
	PERFEX_EXITS(0, "--runs", "-e", "0x03,0x16,cycles", "true");
	check_says(stderr_text, clocks);
	check_says(stderr_text, modelled);
}

static void a_file_takes_the_report(void **state)
{
	PERFEX_EXITS(1, "-o", path, "false");
	assert_string_equal(stderr_text, "");
	check_file(path, ONE_EVENT);
}

static void each_letter_has_a_long_name(void **state)
{
	add_record(30, 30, "a", 5);
	PERFEX_EXITS(0, "--event", "0x16,branches:k", "--kernel", "--all",
		     "--processes", "--output", "-", "true");
	assert_int_equal(fake->started.nr_events, 2);
	assert_int_equal(fake->started.event[0].modes,
			 VPMC_MODE_USER | VPMC_MODE_KERNEL);
	assert_int_equal(fake->started.event[1].modes, VPMC_MODE_KERNEL);
	assert_int_equal(fake->started.flags, VPMC_START_AT_EXEC |
						      VPMC_START_COLLECT |
						      VPMC_START_RECORDS);
	assert_memory_equal(stdout_text, "# process ", 10);
	PERFEX_EXITS(0, "--threads", "--exceptions", "true");
	assert_memory_equal(stderr_text, "# thread ", 9);
	PERFEX_EXITS(0, "--alone", "true");
	PERFEX_EXITS(PERFEX_NO_PROCESS, "--pid", "999999999");
	PERFEX_EXITS(0, "--list");
	PERFEX_EXITS(0, "--info");
	PERFEX_EXITS(0, "--version");
}

/*
 * Count the options in a help. Their texts must begin in one column, in lines of 80 columns at
 * most.
 */
static size_t count_help_options(const char *text)
{
	const char *line, *option;
	size_t nr = 0;

	for (line = text; *line; line += strcspn(line, "\n") + 1) {
		assert_true(strcspn(line, "\n") <= 80);
		if (strncmp(line, "  -", 3) != 0 &&
		    strncmp(line, "      --", 8) != 0)
			continue;
		option = strstr(line, "--");
		assert_true(option - line <= 7);
		assert_true(line[29] == ' ' && line[30] != ' ');
		nr++;
	}
	return nr;
}

static void help_has_a_line_for_each_option(void **state)
{
	(void)state;
	assert_int_equal(PERFEX("--help=all"), 0);
	assert_int_equal(count_help_options(stdout_text), NR_OPTIONS);
	assert_int_equal(PERFEX("--help", "all"), 0);
	assert_int_equal(count_help_options(stdout_text), NR_OPTIONS);
	assert_int_equal(PERFEX("-h", "all"), 0);
	assert_int_equal(count_help_options(stdout_text), NR_OPTIONS);
	assert_int_equal(PERFEX("--help=some"), PERFEX_USAGE);
	assert_string_equal(stderr_text, "perfex: unknown option --help=some:"
					 " only --help and --help=all exist\n");
	PERFEX_EXITS(PERFEX_USAGE, "--help=some", "all");
}

static void the_common_options_fit_on_a_screen(void **state)
{
	const char *next = stdout_text;
	size_t lines = 0;

	(void)state;
	assert_int_equal(PERFEX("--help"), 0);
	assert_in_range(count_help_options(stdout_text), 10, 15);
	while ((next = strchr(next, '\n'))) {
		next++;
		lines++;
	}
	/* One of 24 lines is left for the next prompt. */
	assert_in_range(lines, 1, 23);
	check_says(stdout_text, "\"perfex --help all\"");
}

static void help_version_list_and_info_go_to_stdout(void **state)
{
	PERFEX_EXITS(0, "-h");
	check_says(stdout_text, "usage: perfex ");
	PERFEX_EXITS(0, "-V");
	assert_string_equal(stdout_text, "perfex " VPMC_VERSION "\n");
	PERFEX_EXITS(0, "-l");
	check_says(stdout_text, "0x16   0,1  instructions_ex");
	check_says(stdout_text, "  branches  ");
	assert_null(strstr(strstr(stdout_text, "  branches  ") + 1,
			   "  branches  "));
	check_says(stdout_text, "of this processor (p5mmx)\n");
	PERFEX_EXITS(0, "-i");
	check_says(stdout_text, "pmu         p5mmx\n");
	assert_string_equal(stderr_text, "");
}

#define DRIVER_TEST(f) cmocka_unit_test_setup(f, fake_setup)
static const struct CMUnitTest tests[] = {
	DRIVER_TEST(a_wrong_command_line_is_refused),
	DRIVER_TEST(another_event_is_not_suggested),
	DRIVER_TEST(names_of_perf_are_counted),
	DRIVER_TEST(each_name_of_perf_is_counted_or_refused_with_the_reason),
	DRIVER_TEST(a_failed_stat_is_explained),
	DRIVER_TEST(more_events_than_any_processor_has_are_refused),
	DRIVER_TEST(events_for_one_counter_can_be_too_many),
	DRIVER_TEST(a_machine_without_driver_is_explained),
	DRIVER_TEST(events_are_listed_without_a_driver),
	DRIVER_TEST(every_refusal_of_the_driver_has_its_status),
	DRIVER_TEST(a_command_that_cannot_be_counted_does_not_run),
	DRIVER_TEST(a_fixed_layout_is_that_of_the_command),
	DRIVER_TEST(counting_starts_at_exec_in_user_mode),
	DRIVER_TEST(events_can_stand_in_one_word),
	DRIVER_TEST(waited_for_children_are_added),
	DRIVER_TEST(the_command_can_be_counted_alone),
	DRIVER_TEST(all_descendants_are_one_sum),
	DRIVER_TEST(a_command_that_gains_privileges_is_not_counted),
	DRIVER_TEST(processes_and_threads_are_listed_as_they_ended),
	DIRECTORY_TEST(records_are_taken_while_the_command_runs),
	DRIVER_TEST(processes_can_be_listed_alone),
	DRIVER_TEST(the_lists_go_with_other_options),
	DRIVER_TEST(processes_with_one_number_are_told_apart),
	DRIVER_TEST(a_thread_has_a_line_for_each_start),
	DRIVER_TEST(counts_of_other_events_are_in_no_column),
	DRIVER_TEST(what_nobody_waited_for_or_was_not_counted_has_a_line),
	DRIVER_TEST(a_list_with_gaps_has_a_line),
	DRIVER_TEST(events_that_fit_do_not_take_turns),
	DRIVER_TEST(counts_of_part_of_the_time_are_projected_and_marked),
	DRIVER_TEST(what_turns_do_not_say_is_not_printed),
	DRIVER_TEST(lists_mark_what_is_projected),
	DRIVER_TEST(turns_of_threads_are_added),
	DRIVER_TEST(what_was_lost_at_the_end_has_no_line),
	DRIVER_TEST(who_reached_the_limit_of_records_learns_its_name),
	DRIVER_TEST(a_list_says_what_is_not_in_it),
	DRIVER_TEST(counts_of_a_privileged_program_are_in_no_sum),
	DRIVER_TEST(there_may_be_many_records),
	DRIVER_TEST(a_failure_to_take_records_has_its_status),
	DRIVER_TEST(k_and_x_add_kernel_mode_where_no_mode_is_given),
	DRIVER_TEST(the_report_follows_what_the_command_says),
	DRIVER_TEST(events_are_reported_in_the_order_given),
	DRIVER_TEST(the_commands_options_are_its_own),
	DRIVER_TEST(runs_can_be_repeated),
	DRIVER_TEST(intervals_can_have_more_confidence),
	DRIVER_TEST(runs_that_fail_are_told),
	DRIVER_TEST(commands_run_around_each_run),
	DRIVER_TEST(what_runs_around_must_end_well),
	DRIVER_TEST(post_follows_each_run_that_took_place),
	DRIVER_TEST(what_runs_around_gets_the_signals),
	DRIVER_TEST(exit_statuses_pass_through),
	FILE_TEST(a_file_says_whose_the_exit_status_is),
	DRIVER_TEST(a_program_is_no_file_for_a_status),
	DRIVER_TEST(a_command_of_another_perfex_can_be_counted_by_force),
	DRIVER_TEST(death_by_a_signal_is_128_and_reported),
	DRIVER_TEST(an_interrupt_ends_the_command_not_the_report),
	DRIVER_TEST(an_ignored_sigchld_does_not_matter),
	DRIVER_TEST(the_command_inherits_no_descriptor_of_perfex),
	DIRECTORY_TEST(a_missing_interpreter_is_told_from_a_missing_command),
	DRIVER_TEST(what_cannot_happen_is_told_or_refused),
	DRIVER_TEST(what_cannot_happen_takes_no_turn),
	DRIVER_TEST(what_cannot_happen_takes_no_run),
	DRIVER_TEST(what_an_emulator_makes_up_is_told),
	FILE_TEST(a_file_takes_the_report),
	DRIVER_TEST(each_letter_has_a_long_name),
	DRIVER_TEST(help_has_a_line_for_each_option),
	DRIVER_TEST(the_common_options_fit_on_a_screen),
	DRIVER_TEST(help_version_list_and_info_go_to_stdout),
};

UNIT_MAIN(tests)
