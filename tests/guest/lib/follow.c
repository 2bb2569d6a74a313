// SPDX-License-Identifier: GPL-2.0-only
/* This file has the common code of programs that follow counts from process to process. */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "follow.h"

int open_device(void)
{
	int fd = open(VPMC_DEVICE, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		err(2, VPMC_DEVICE);
	return fd;
}

int request(int fd, unsigned long what, void *arg)
{
	return ioctl(fd, (int)what, arg) ? -errno : 0;
}

/*
 * The codes of the Pentium 4 have the event and mask of an ESCR, its number, and the group of
 * counters that can count it: instr_retired, branch_retired, and clocks with more than no and with
 * more than one instruction. All of them are counted by the same counters.
 */
#define P4_CODE(event, mask, number, group)                                    \
	(UINT64_C(event) << 25 | UINT64_C(mask) << 9 | UINT64_C(group) << 32 | \
	 UINT64_C(number) << 45)
#define P4_INSTRUCTIONS P4_CODE(0x02, 0x3, 4, 4)
#define P4_BRANCHES	P4_CODE(0x06, 0xf, 5, 4)
#define P4_CLOCKS	(P4_INSTRUCTIONS | UINT64_C(1) << 50)
#define P4_NEVER	(P4_CLOCKS | UINT64_C(1) << 52)

/*
 * The first table has the events that the P5 refuses. The second one has those that the P6 and all
 * later processors refuse.
 */
static const struct refused of_p5[NR_REFUSED] = {
	{ 0x3f, VPMC_REASON_UNKNOWN_EVENT },
	{ 0x416, VPMC_REASON_RESERVED_BITS },
	{ 0x216, VPMC_REASON_PIN_CONTROL },
};

static const struct refused of_evtsel[NR_REFUSED] = {
	{ 0x4000c0, VPMC_REASON_RESERVED_BITS }, /* the enable bit */
	{ 0x1000c0, VPMC_REASON_RESERVED_BITS }, /* interrupts */
	{ 0x800c0, VPMC_REASON_PIN_CONTROL },
};

/*
 * The Pentium 4 refuses the bits of a CCCR that enable counting and interrupts, and the bits of
 * an ESCR for the other thread of a core.
 */
static const struct refused of_p4[NR_REFUSED] = {
	{ P4_INSTRUCTIONS | UINT64_C(0x1000) << 32, VPMC_REASON_RESERVED_BITS },
	{ P4_INSTRUCTIONS | UINT64_C(0x4000000) << 32,
	  VPMC_REASON_RESERVED_BITS },
	{ P4_INSTRUCTIONS | 1, VPMC_REASON_RESERVED_BITS },
};

/*
 * These are the codes of events that never happen in a script: I/O cycles on a P5, and clocks in
 * which two instructions end on the other processors.
 */
#define NEVER_P5     0x1d
#define NEVER_EVTSEL 0x020000c0

/* The codes for each processor family, by the name that the driver gives to the family. */
static const struct codes {
	const char *pmu;
	uint64_t code[NR_CODES];
	const struct refused *refused;
} codes[] = {
	{ "p5", { 0x16, 0x12, VPMC_P5_CLOCKS, NEVER_P5 }, of_p5 },
	{ "p5mmx", { 0x16, 0x12, VPMC_P5_CLOCKS, NEVER_P5 }, of_p5 },
	{ "p6", { 0xc0, 0xc4, 0x79, NEVER_EVTSEL }, of_evtsel },
	{ "intel", { 0xc0, 0xc4, 0x3c, NEVER_EVTSEL }, of_evtsel },
	{ "p4", { P4_INSTRUCTIONS, P4_BRANCHES, P4_CLOCKS, P4_NEVER }, of_p4 },
	{ "amd", { 0xc0, 0xc2, 0x76, NEVER_EVTSEL }, of_evtsel },
};

static struct vpmc_info info_here(void)
{
	struct vpmc_info info = { .size = sizeof(info) };
	int fd = open_device();

	if (ioctl(fd, VPMC_INFO, &info))
		err(2, "VPMC_INFO");
	close(fd);
	return info;
}

static const struct codes *codes_of(const char *pmu)
{
	unsigned int i;

	for (i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		if (!strcmp(codes[i].pmu, pmu))
			return &codes[i];
	}
	errx(2, "no event codes for %s", pmu);
}

uint64_t code_here(unsigned int which)
{
	static const struct codes *here;

	if (!here)
		here = codes_of(info_here().pmu);
	return here->code[which];
}

uint64_t general_code_here(unsigned int which)
{
	return code_here(which) | (fixed_here() ? UINT64_C(1) << 24 : 0);
}

const struct refused *refused_here(void)
{
	return codes_of(info_here().pmu)->refused;
}

bool is_p4_here(void)
{
	static int is_p4 = -1;

	if (is_p4 < 0)
		is_p4 = !strcmp(info_here().pmu, "p4");
	return is_p4;
}

/*
 * On the Pentium 4, only the last counters count instructions and branches. Two of them that follow
 * each other here have different ESCRs, so that they can count different modes.
 */
static const uint16_t of_p4_counters[] = { 12, 14, 13, 15, 16, 17 };
#define NR_P4_COUNTERS (sizeof(of_p4_counters) / sizeof(*of_p4_counters))

uint16_t counter_here(unsigned int n)
{
	if (!is_p4_here())
		return (uint16_t)n;
	return n < NR_P4_COUNTERS ? of_p4_counters[n]
				  : (uint16_t)(n + of_p4_counters[0]);
}

unsigned int counters_here(void)
{
	return is_p4_here() ? NR_P4_COUNTERS : info_here().nr_counters;
}

unsigned int modes_here(void)
{
	return is_p4_here() ? 2 : counters_here();
}

uint64_t any_code_here(unsigned int n)
{
	return is_p4_here() ? P4_CODE(0x02, 0, 4, 4) | n << 9 : n;
}

unsigned int fixed_here(void)
{
	return info_here().nr_fixed;
}

bool only_first_interrupts_here(void)
{
	return !strncmp(info_here().pmu, "p5", 2);
}

unsigned int counter_bits_here(void)
{
	return info_here().counter_bits;
}

static unsigned int start_most = VPMC_MAX_EVENTS;

void start_at_most(unsigned int nr)
{
	start_most = nr;
}

struct vpmc_start *start_arg(enum events events, unsigned int flags)
{
	struct vpmc_start *start = shared(sizeof(*start));
	const unsigned int nr = counters_here();
	const uint64_t *code = codes_of(info_here().pmu)->code;
	unsigned int i;

	*start = (struct vpmc_start){
		.size = sizeof(*start),
		.flags = flags,
		.nr_events = nr < start_most ? nr : start_most,
	};
	for (i = 0; i < start->nr_events; i++)
		start->event[i] = (struct vpmc_event)EVENT(
			code[i % 2 ^ (events == OTHER)], counter_here(i),
			VPMC_MODE_USER);
	return start;
}

struct vpmc_start *start_arg_of(const struct vpmc_event *list, unsigned int nr,
				unsigned int flags)
{
	struct vpmc_start *start = start_arg(FIRST, flags);

	start->nr_events = nr;
	memcpy(start->event, list, nr * sizeof(*list));
	return start;
}

void start_count_kernel(struct vpmc_start *start)
{
	start->event[1].modes = VPMC_MODE_KERNEL;
	if (start->nr_events > modes_here())
		start->nr_events = modes_here();
}

void check_start_refused(struct vpmc_start *start, enum vpmc_reason reason,
			 const char *what)
{
	int fd = open_device(), result = request(fd, VPMC_START, start);

	check(result == -EINVAL && start->error == reason &&
		      start->error_event == start->nr_events - 1,
	      "%s: errno %d, reason %u, event %u", what, -result, start->error,
	      start->error_event);
	close(fd);
}

struct vpmc_stop *stop_arg(void)
{
	struct vpmc_stop *stop = shared(sizeof(*stop));

	stop->size = sizeof(*stop);
	return stop;
}

struct vpmc_read *read_arg(unsigned int scope)
{
	struct vpmc_read *read = shared(sizeof(*read));

	read->size = sizeof(*read);
	read->scope = scope;
	return read;
}

struct vpmc_system_read *system_read_arg(int cpu)
{
	struct vpmc_system_read *read = shared(sizeof(*read));

	read->size = sizeof(*read);
	read->cpu = cpu;
	return read;
}

struct vpmc_read read_scope(int fd, unsigned int scope)
{
	struct vpmc_read read = { .size = sizeof(read), .scope = scope };
	int result = request(fd, VPMC_READ, &read);

	if (result)
		check(false, "read of scope %u: errno %d", scope, -result);
	return read;
}

struct vpmc_record next_record(int fd)
{
	struct vpmc_record record = { .size = sizeof(record) };
	int result = request(fd, VPMC_RECORD, &record);

	if (result)
		check(false, "record: errno %d", -result);
	return record;
}

bool are_counts(const __u64 *count, unsigned int nr, struct cost want)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (count[i] != (i % 2 ? want.branches : want.instructions))
			return false;
	return nr >= 2;
}

void check_system(const struct vpmc_system_read *read, struct cost want,
		  const char *what)
{
	check(are_counts(read->count, read->nr_counts, want),
	      "%s: %llu %llu want %llu %llu", what, read->count[0],
	      read->count[1], (unsigned long long)want.instructions,
	      (unsigned long long)want.branches);
}

void check_read(const struct vpmc_read *read, struct cost want,
		unsigned int missing, const char *what)
{
	check(are_counts(read->count, read->nr_counts, want) &&
		      read->other_events == missing % REVOKED &&
		      read->revoked == missing / REVOKED,
	      "%s: %llu %llu (%u other, %u revoked) want %llu %llu (%u, %u)",
	      what, read->count[0], read->count[1], read->other_events,
	      read->revoked, (unsigned long long)want.instructions,
	      (unsigned long long)want.branches, missing % REVOKED,
	      missing / REVOKED);
}

bool is_between(const struct vpmc_read *read, struct cost low, struct cost high)
{
	return read->count[0] >= low.instructions &&
	       read->count[0] <= high.instructions &&
	       read->count[1] >= low.branches &&
	       read->count[1] <= high.branches;
}

void check_scope(int fd, unsigned int scope, struct cost want,
		 unsigned int missing, const char *what)
{
	struct vpmc_read read = read_scope(fd, scope);

	check_read(&read, want, missing, what);
}

struct family family_new(void)
{
	struct family f = {
		.fd = open_device(),
		.other = open_device(),
		.start = start_arg(FIRST, 0),
		.stop = stop_arg(),
		.parent = script_new(),
	};

	script_start(&f.parent, f.fd, f.start);
	return f;
}

struct script family_child(struct family *f)
{
	struct script child = script_new();

	script_fork(&f->parent, &child, SYS_fork);
	return child;
}

struct script family_child_pid(struct family *f, uint32_t *pid)
{
	struct script child = family_child(f);

	script_save(&f->parent, pid);
	return child;
}

void family_run(struct family *f)
{
	script_stop(&f->parent, f->fd, f->stop);
	script_back(&f->parent);
	script_run(&f->parent);
	check_scope(f->fd, VPMC_SCOPE_SELF, f->parent.cost, 0,
		    "SELF of the parent");
}

void family_check(const struct family *f, struct cost want,
		  unsigned int missing, const char *what)
{
	check_scope(f->fd, VPMC_SCOPE_CHILDREN, want, missing, what);
}

struct gate gate_new(void)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		err(2, "pipe2");
	return (struct gate){ .in = ends[0], .out = ends[1] };
}

void gate_open(const struct gate *gate)
{
	if (write(gate->out, "", 1) != 1)
		err(2, "pipe");
}

void gate_wait(const struct gate *gate)
{
	char byte;

	if (read(gate->in, &byte, 1) != 1)
		err(2, "pipe");
}

void set_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) != (ssize_t)strlen(text))
		err(2, "%s", path);
	close(fd);
}

unsigned long number_in(const char *path, const char *word)
{
	FILE *file = fopen(path, "re");
	size_t length = strlen(word);
	char line[256], *end = line;
	unsigned long number = 0;

	if (!file)
		err(2, "%s", path);
	while (end == line && fgets(line, sizeof(line), file)) {
		if (strncmp(line, word, length) != 0)
			continue;
		number = strtoul(line + length, &end, 10);
		if (end == line + length)
			end = line;
	}
	fclose(file);
	if (end == line)
		errx(2, "%s: no number behind '%s'", path, word);
	return number;
}

void until_threads(uint32_t pid, unsigned long n)
{
	char path[32];

	snprintf(path, sizeof(path), "/proc/%u/status", pid);
	while (number_in(path, "Threads:") != n)
		usleep(500);
}

static FILE *open_proc(uint32_t pid, const char *name)
{
	char path[32];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%u/%s", pid, name);
	file = fopen(path, "re");
	if (!file)
		err(2, "%s", path);
	return file;
}

static char state_of(uint32_t pid)
{
	FILE *file = open_proc(pid, "stat");
	char state;

	if (fscanf(file, "%*d (%*[^)]) %c", &state) != 1)
		errx(2, "the state of process %u cannot be read", pid);
	fclose(file);
	return state;
}

/*
 * Return whether the process is on a processor. A process that falls asleep stays on its processor
 * for a while although its state already says that it sleeps. The kernel shows the system call of a
 * process only after the process has been switched out.
 */
static bool is_running(uint32_t pid)
{
	FILE *file = open_proc(pid, "syscall");
	int first = fgetc(file);

	fclose(file);
	return first == 'r';
}

static void until_in_state(uint32_t pid, char state)
{
	while (state_of(pid) != state || is_running(pid))
		usleep(1000);
}

void until_asleep(uint32_t pid)
{
	until_in_state(pid, 'S');
}

void until_stopped(uint32_t pid)
{
	until_in_state(pid, 'T');
}

bool in_system_mode(void)
{
	struct vpmc_info info = { .size = sizeof(info) };
	int fd = open_device();

	if (request(fd, VPMC_INFO, &info))
		check(false, "info");
	close(fd);
	return info.system;
}

void stay_on(unsigned int processor)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(processor, &set);
	if (sched_setaffinity(0, sizeof(set), &set))
		err(2, "sched_setaffinity");
}

void script_stay_on(struct script *s, unsigned int processor)
{
	uint32_t *mask = shared(sizeof(*mask));

	*mask = UINT32_C(1) << processor;
	script_call(s, SYS_sched_setaffinity, 0, sizeof(*mask), P(mask));
}

/* Wait until the parent sleeps, and until the guest's first process has relayed all output. */
void until_quiet(void)
{
	until_asleep((uint32_t)getppid());
	until_asleep(1);
}

void run(void (*test)(void))
{
	int status;
	pid_t pid = child_fork();

	if (!pid) {
		check_failures = 0;
		test();
		exit(check_status());
	}
	if (waitpid(pid, &status, 0) != pid)
		err(2, "waitpid");
	check_failures += !!status;
	if (WIFSIGNALED(status))
		check(false, "killed by signal %d", WTERMSIG(status));
}
