// SPDX-License-Identifier: GPL-2.0-only
/*
 * Count a command with libvpmc.
 *
 * The child starts the count on the handle that it inherits, to begin at its execve(2). It writes
 * a message to a pipe with a close-on-exec end. So end of file after STARTED means that the
 * command runs.
 */
#include "job_count.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "assign.h"
#include "vpmc.h"

/* The text of an event has at most this many bytes. */
#define TEXT_MAX 160

/*
 * libvpmc sets the modes and the thread bits of an ESCR, and these bits of a CCCR, by itself. One of
 * them is the bit "cascade".
 */
#define ESCR_MODES  UINT64_C(0xf)
#define CCCR_DRIVER (UINT64_C(1) << 12 | UINT64_C(3) << 16 | UINT64_C(1) << 30)

/**
 * struct counting - a command that is counted
 * @experiment: the events
 * @vpmc: the handle that stands for the command
 * @sel: the events for libvpmc: first the events of the experiment, then the events that set tags
 * @nr: number of @sel
 * @rings: the rings of samples, or NULL
 * @pidfd: descriptor of the process
 * @taken: number of samples of each event
 * @result: the result
 */
struct counting {
	const struct experiment *experiment;
	struct vpmc *vpmc;
	struct vpmc_event_sel sel[COUNTERS];
	unsigned int nr;
	struct vpmc_samples_rings *rings;
	int pidfd;
	uint32_t taken[COUNTERS];
	struct job_result *result;
};

/* struct message - a message of the child to its parent */
struct message {
	enum { NOTHING, STARTED, START_FAILED, EXEC_FAILED } kind;
	uint64_t generation;
	int error;
	struct vpmc_error err;
};

static _Noreturn void leave_vpmc(const struct vpmc_error *err)
{
	leave(err->code == VPMC_E_NO_DEVICE ? PERFEX_NO_DEVICE
					    : PERFEX_UNSUPPORTED,
	      "%s", err->text);
}

/* Write the text by which libvpmc selects the event of a part. */
static void write_event(char *text, const struct experiment_event *event,
			const struct part *part)
{
	const char *modes = (part->escr_value & 0xc) == 0xc ? "uk"
			    : part->escr_value & 0x4	    ? "u"
							    : "k";
	const bool precise = event->sampling.precise && part == &event->count;
	char pebs[64] = "", after[32] = "";

	if (event->type == TAG_REPLAY && part == &event->count)
		snprintf(pebs, sizeof(pebs),
			 ":pebs=0x%" PRIx64 ":matrix=0x%" PRIx64,
			 event->pebs_enable, event->pebs_matrix_vert);
	if (event->after && part == &event->count)
		snprintf(after, sizeof(after), ":after=%" PRIu32, event->after);
	snprintf(text, TEXT_MAX,
		 "escr=0x%" PRIx64 ":cccr=0x%" PRIx64 "%s@%u:%s%s%s",
		 part->escr_value & ~ESCR_MODES,
		 part->cccr_value & ~CCCR_DRIVER, pebs, part->counter, modes,
		 precise ? "pp" : "", after);
}

static void select_event(struct counting *counting,
			 const struct experiment_event *event,
			 const struct part *part)
{
	struct vpmc_error err;
	char text[TEXT_MAX];

	write_event(text, event, part);
	if (vpmc_event_parse(vpmc_pmu_of(counting->vpmc), text, VPMC_USER,
			     &counting->sel[counting->nr], &err))
		leave_at(&event->element->place, "<%s>: %s",
			 event->element->name, err.text);
	counting->nr++;
}

/*
 * Add the experiment's events first, so that counts and samples have the indexes of these events.
 */
static void open_counting(struct counting *counting)
{
	const struct experiment *experiment = counting->experiment;
	const struct experiment_event *event;
	const struct experiment_event *end = experiment->event + experiment->nr;
	struct vpmc_error err;

	if (vpmc_open(&counting->vpmc, &err))
		leave_vpmc(&err);
	for (event = experiment->event; event < end; event++)
		select_event(counting, event, &event->count);
	for (event = experiment->event; event < end; event++)
		if (event->tag.event && !shares_tag(experiment, event))
			select_event(counting, event, &event->tag);
}

void check_counting(const struct experiment *experiment)
{
	struct counting counting = { .experiment = experiment };

	open_counting(&counting);
	vpmc_close(counting.vpmc);
}

static size_t ring_size_for(uint64_t bytes)
{
	size_t size = VPMC_RING_SIZE_MIN;

	while (size < bytes && size < VPMC_RING_SIZE_MAX)
		size *= 2;
	return size;
}

/*
 * Open rings for samples if an event has <ebs>. A sample has 24 bytes, and 176 more bytes with
 * registers.
 */
static void open_samples(struct counting *counting)
{
	struct vpmc_samples_options options = { .with_registers = 0 };
	const struct sampling *sampling;
	uint32_t period[COUNTERS] = { 0 };
	uint64_t bytes = 0, each;
	struct vpmc_error err;
	unsigned int i;

	for (i = 0; i < counting->experiment->nr; i++) {
		sampling = &counting->experiment->event[i].sampling;
		period[i] = sampling->interval;
		options.with_registers |= sampling->all;
		each = sampling->all ? 200 : 24;
		if (sampling->interval)
			bytes += sampling->buffer * each;
	}
	if (bytes && vpmc_samples_open_with(counting->vpmc, period,
					    counting->nr, ring_size_for(bytes),
					    &options, &counting->rings, &err))
		leave_vpmc(&err);
}

static void send_message(int fd, const struct message *message)
{
	if (write(fd, message, sizeof(*message)) != sizeof(*message))
		_exit(PERFEX_SYSTEM);
}

static _Noreturn void be_child(const struct counting *counting, char **argv,
			       int fd)
{
	struct message message = { .kind = STARTED };

	if (vpmc_start(counting->vpmc, counting->sel, counting->nr,
		       VPMC_COLLECT | VPMC_AT_EXEC, &message.err)) {
		message.kind = START_FAILED;
		send_message(fd, &message);
		_exit(PERFEX_SYSTEM);
	}
	message.generation = vpmc_generation(counting->vpmc);
	send_message(fd, &message);
	execvp(argv[0], argv);
	message.error = errno;
	message.kind = EXEC_FAILED;
	send_message(fd, &message);
	_exit(PERFEX_SYSTEM);
}

/* Wait until the command runs. If it cannot run, exit with an error. */
static void await_start(const struct counting *counting, const char *name,
			int fd)
{
	struct message message = { .kind = NOTHING };
	ssize_t got;

	do {
		got = read(fd, &message, sizeof(message));
		if (got == sizeof(message) && message.kind == STARTED)
			vpmc_expect(counting->vpmc, message.generation);
	} while (got == sizeof(message) || (got < 0 && errno == EINTR));
	close(fd);
	if (message.kind == START_FAILED)
		leave_vpmc(&message.err);
	if (message.kind == EXEC_FAILED)
		leave(message.error == ENOENT ? PERFEX_NOT_FOUND
					      : PERFEX_NOT_EXECUTABLE,
		      "cannot execute the command \"%s\": %s", name,
		      strerror(message.error));
	if (message.kind != STARTED)
		leave(PERFEX_SYSTEM,
		      "the child died before it could start \"%s\"", name);
}

static pid_t start_command(const struct counting *counting, char **argv)
{
	int ends[2];
	pid_t pid;

	if (pipe2(ends, O_CLOEXEC))
		leave(PERFEX_SYSTEM, "cannot open a pipe: %s", strerror(errno));
	fflush(NULL);
	pid = fork();
	if (pid < 0)
		leave(PERFEX_SYSTEM, "cannot fork: %s", strerror(errno));
	if (!pid)
		be_child(counting, argv, ends[1]);
	close(ends[1]);
	await_start(counting, argv[0], ends[0]);
	return pid;
}

static void read_counts(struct counting *counting)
{
	struct job_result *result = counting->result;
	struct vpmc_counts counts;
	struct reading *reading;
	struct vpmc_error err;

	if (vpmc_read(counting->vpmc, VPMC_ALL, &counts, &err))
		leave_vpmc(&err);
	result->reading = grow(result->reading, result->nr_readings + 1,
			       sizeof(*result->reading));
	reading = &result->reading[result->nr_readings++];
	reading->tsc = counts.tsc;
	memcpy(reading->count, counts.count, sizeof(reading->count));
}

static void keep_registers(struct ebs_sample *sample,
			   const struct vpmc_sample_registers *from)
{
	const uint64_t registers[] = {
		from->rax, from->rbx, from->rcx,    from->rdx, from->rsi,
		from->rdi, from->rbp, from->rsp,    from->r8,  from->r9,
		from->r10, from->r11, from->r12,    from->r13, from->r14,
		from->r15, from->rip, from->rflags,
	};

	memcpy(sample->registers, registers, sizeof(registers));
	sample->has_registers = true;
}

static void keep_sample(const struct vpmc_sample_record *record, void *arg)
{
	struct counting *counting = arg;
	struct job_result *result = counting->result;
	const struct sampling *sampling;
	struct ebs_sample *sample;

	if (record->kind != VPMC_SAMPLE_EVENT ||
	    record->event >= counting->experiment->nr)
		return;
	sampling = &counting->experiment->event[record->event].sampling;
	if (counting->taken[record->event]++ >= sampling->max) {
		result->over_max = true;
		return;
	}
	result->sample = grow(result->sample, result->nr_samples + 1,
			      sizeof(*result->sample));
	sample = &result->sample[result->nr_samples++];
	memset(sample, 0, sizeof(*sample));
	sample->event = record->event;
	sample->tsc = record->tsc;
	sample->pid = record->pid;
	sample->tid = record->tid;
	sample->address = record->address;
	if (sampling->all && record->registers)
		keep_registers(sample, record->registers);
}

/* Take samples every few milliseconds, so that a buffer of moderate size suffices. */
static bool wait_some(struct counting *counting, unsigned int ms)
{
	struct pollfd end = { .fd = counting->pidfd, .events = POLLIN };
	unsigned int step = counting->rings && ms > 5 ? 5 : ms;
	int got = 0;

	for (; ms && !got; ms -= step) {
		if (step > ms)
			step = ms;
		got = poll(&end, 1, (int)step);
		if (counting->rings)
			vpmc_samples_read(counting->rings, 0, keep_sample,
					  counting);
	}
	return got > 0;
}

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void take_last_samples(struct counting *counting)
{
	struct vpmc_lost_samples lost;

	if (!counting->rings)
		return;
	vpmc_samples_read(counting->rings, 1, keep_sample, counting);
	vpmc_samples_lost(counting->rings, &lost);
	counting->result->lost = lost.samples;
	vpmc_samples_close(counting->rings);
}

static void run(struct counting *counting, char **argv,
		unsigned int interval_ms)
{
	struct job_result *result = counting->result;
	double began;
	pid_t pid;

	result->began = time(NULL);
	began = now();
	pid = start_command(counting, argv);
	counting->pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (counting->pidfd < 0)
		leave(PERFEX_SYSTEM, "cannot wait for \"%s\": %s", argv[0],
		      strerror(errno));
	do {
		read_counts(counting);
	} while (!wait_some(counting, interval_ms));
	while (wait4(pid, &result->status, 0, &result->usage) < 0)
		if (errno != EINTR)
			leave(PERFEX_SYSTEM, "cannot wait for \"%s\": %s",
			      argv[0], strerror(errno));
	result->seconds = now() - began;
	close(counting->pidfd);
	read_counts(counting);
	take_last_samples(counting);
}

void count_command(const struct experiment *experiment, const char *command,
		   unsigned int interval_ms, struct job_result *result)
{
	struct counting counting = { .experiment = experiment,
				     .result = result };
	char *argv[COMMAND_WORDS_MAX + 1];
	char *words = copy_text(command);

	split_command(words, argv);
	open_counting(&counting);
	open_samples(&counting);
	run(&counting, argv, interval_ms);
	vpmc_close(counting.vpmc);
	free(words);
}
