// SPDX-License-Identifier: GPL-2.0-only
#include "fake_driver.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include "unit.h"

struct fake_driver *fake;

/* The linker prescribes these names; the prototypes are those of the wrapped functions. */
int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode);
int __real_stat(const char *path, struct stat *status);
int __real_statvfs(const char *path, struct statvfs *to);
int __wrap_statvfs(const char *path, struct statvfs *to);
int __wrap_ioctl(int fd, unsigned long request, ...);
void *__real_mmap64(void *at, size_t size, int protection, int flags, int fd,
		    off64_t offset);
void *__wrap_mmap64(void *at, size_t size, int protection, int flags, int fd,
		    off64_t offset);
int __wrap_vpmcint_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4]);

int fake_setup(void **state)
{
	if (!fake) {
		fake = mmap(NULL, sizeof(*fake), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
		if (fake == MAP_FAILED)
			return -1;
	}

	memset(fake, 0, sizeof(*fake));
	fake->nr_rings = 2;
	fake->info.abi_version = VPMC_ABI_VERSION;
	fake->info.nr_counters = 2;
	fake->info.counter_bits = 40;
	fake->info.features = VPMC_FEATURE_RDPMC | VPMC_FEATURE_MAP;
	strcpy(fake->info.pmu, "p5mmx");
	fake->start.generation = 7;
	fake->start.start = 21;
	fake->start.self_start = 21;
	fake->attach.generation = 7;
	fake->attach.start = 21;
	fake->asked.generation = 7;
	fake->asked.start = 21;
	fake->map.generation = 7;
	fake->map.start = 21;
	fake->stop.generation = 7;
	fake->stop.start = 21;
	fake->read.generation = 7;
	fake->read.start = 21;
	fake->read.state = VPMC_STATE_EXITED;
	fake->read.nr_counts = 2;
	fake->read.count[0] = 1000;
	fake->read.count[1] = UINT64_MAX;
	fake->all = fake->read;
	fake->children = fake->read;
	memset(fake->children.count, 0, sizeof(fake->children.count));
	fake->system.generation = 7;
	fake->system.state = VPMC_STATE_RUNNING;
	fake->system.cpus = 2;
	fake->system.nr_counts = 1;
	fake->system.count[0] = 100;
	return 0;
}

void fake_turns(struct vpmc_turns *turns, uint64_t count, uint64_t time,
		uint64_t nr)
{
	turns->count_squares = count * count / nr;
	turns->products = count * time / nr;
	turns->time_squares = time * time / nr;
	turns->nr = nr;
}

void fake_equal_turns(struct vpmc_read *read, uint64_t nr)
{
	unsigned int i;

	read->nr_turns = read->nr_counts;
	for (i = 0; i < read->nr_counts; i++) {
		if (read->time[i])
			fake_turns(&read->turn[i], read->count[i],
				   read->time[i], nr);
	}
}

void fake_shared_counter(void)
{
	fake->read.nr_counts = 2;
	fake->read.tsc = 4 << 20;
	fake->read.time[0] = 3 << 20;
	fake->read.time[1] = 1 << 20;
	fake->read.count[0] = 300;
	fake->read.count[1] = 200;
	fake_equal_turns(&fake->read, 20);
}

bool fake_wait_for_records(void)
{
	int i;

	for (i = 0; i < 1000 && fake->records_taken < fake->nr_records; i++)
		usleep(10000);
	return i < 1000;
}

struct vpmc *fake_open(void)
{
	struct vpmc *vpmc;

	assert_int_equal(vpmc_open(&vpmc, NULL), 0);
	return vpmc;
}

#define WATCHDOG "/proc/sys/kernel/nmi_watchdog"
#define HOLDERS	 "/sys/class/misc/vpmc/holders"
#define LEASE	 "/sys/module/vpmc/parameters/lease"
#define MISC	 "/proc/misc"

/*
 * Open a temporary file that contains the text. If @text is NULL, fail like open(2) of a
 * missing file.
 */
static int open_text(const char *text)
{
	int fd;

	if (!text) {
		errno = ENOENT;
		return -1;
	}
	fd = memfd_create("text", MFD_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	assert_int_equal(lseek(fd, 0, SEEK_SET), 0);
	return fd;
}

void (*fake_before_fopen)(const char *path);

FILE *__wrap_fopen(const char *path, const char *mode)
{
	const struct {
		const char *path;
		const char *text;
	} files[] = {
		{ WATCHDOG, fake ? fake->watchdog : NULL },
		{ HOLDERS, fake ? fake->holders : NULL },
		{ LEASE, fake ? fake->lease : NULL },
		{ MISC, fake ? fake->misc : NULL },
	};
	size_t i;
	int fd;

	if (fake_before_fopen)
		fake_before_fopen(path);
	for (i = 0; fake && i < ARRAY_SIZE(files); i++) {
		if (strcmp(path, files[i].path) != 0)
			continue;
		fd = open_text(files[i].text);
		return fd < 0 ? NULL : fdopen(fd, mode);
	}
	return __real_fopen(path, mode);
}

int __wrap_statvfs(const char *path, struct statvfs *to)
{
	if (!fake || strcmp(path, VPMC_DEVICE) != 0)
		return __real_statvfs(path, to);
	*to = (struct statvfs){ .f_flag = fake->nodev ? ST_NODEV : 0 };
	return 0;
}

int __wrap_open(const char *path, int flags, ...)
{
	va_list args;
	mode_t mode = 0;

	if (flags & O_CREAT) {
		va_start(args, flags);
		mode = va_arg(args, mode_t);
		va_end(args);
	}
	if (strcmp(path, WATCHDOG) == 0)
		return open_text(fake->watchdog);
	if (strcmp(path, VPMC_DEVICE) != 0)
		return __real_open(path, flags, mode);
	fake->open_flags = flags;
	fake->opens++;
	if (fake->open_errno) {
		errno = fake->open_errno;
		return -1;
	}
	return __real_open("/dev/null", flags);
}

static int end_call(int error)
{
	if (!error)
		return 0;
	errno = error;
	return -1;
}

/* Copy the answer. Every structure begins with its size. The caller has to set it. */
static int answer(void *to, const void *from, uint32_t size, int error)
{
	uint32_t given;

	memcpy(&given, to, sizeof(given));
	assert_int_equal(given, size);
	memcpy((char *)to + sizeof(given), (const char *)from + sizeof(given),
	       size - sizeof(given));
	return end_call(error);
}

static int answer_attach(struct vpmc_attach *attach)
{
	fake->attached = *attach;
	return answer(attach, &fake->attach, sizeof(*attach),
		      fake->attach_errno);
}

static int answer_signal(struct vpmc_signal *request)
{
	fake->asks++;
	fake->asking = *request;
	fake->asked.event = request->event;
	fake->asked.signo = request->signo;
	fake->asked.period = request->period;
	return answer(request, &fake->asked, sizeof(*request),
		      fake->signal_errno);
}

static int answer_start(struct vpmc_start *start, struct vpmc_start *started,
			int error)
{
	*started = (struct vpmc_start){ 0 };
	memcpy(started, start, start->size);
	start->error = fake->start.error;
	start->error_event = fake->start.error_event;
	start->generation = fake->start.generation;
	start->start = fake->start.start;
	start->self_start = fake->start.self_start;
	if (fake->signal_start)
		raise(fake->signal);
	return end_call(error);
}

static void count_by_code(struct vpmc_read *counts)
{
	uint32_t i;

	if (!fake->per_code)
		return;
	counts->nr_counts = fake->started.nr_events;
	for (i = 0; i < counts->nr_counts; i++)
		counts->count[i] = fake->started.event[i].code * fake->per_code;
}

/* Return the counts of a scope, and the error of calls on it. */
static struct vpmc_read counts_of(uint32_t scope, int *error)
{
	struct vpmc_read counts = fake->read;

	*error = fake->read_errno;
	switch (scope) {
	case VPMC_SCOPE_SELF:
		if (fake->self_start)
			counts.start = fake->self_start;
		fake->read.count[0] += fake->self_step;
		fake->read.time[0] += fake->time_step;
		count_by_code(&counts);
		return counts;
	case VPMC_SCOPE_CHILDREN:
		if (fake->child_waits && fake->child_waits--)
			fake->children.count[0]++;
		counts = fake->children;
		if (fake->per_code)
			counts.nr_counts = fake->started.nr_events;
		return counts;
	case VPMC_SCOPE_ALL:
		*error = fake->all_errno;
		return fake->all;
	default:
		return counts;
	}
}

static int answer_read(struct vpmc_read *read)
{
	int error;
	const struct vpmc_read from = counts_of(read->scope, &error);
	const uint32_t brief = offsetof(struct vpmc_read, nr_turns);

	fake->reading = *read;
	if (read->scope <= VPMC_SCOPE_ALL)
		fake->scopes |= 1U << read->scope;
	return answer(read, &from, read->size == brief ? brief : sizeof(from),
		      error);
}

static int answer_query(struct vpmc_query *query)
{
	const bool is_other =
		query->scope != VPMC_SCOPE_THREAD && fake->others.nr_events;
	struct vpmc_query from = is_other ? fake->others : fake->query;
	int error;
	const struct vpmc_read counts = counts_of(query->scope, &error);

	fake->queries++;
	assert_int_equal(query->flags, 0);
	from.generation = counts.generation;
	from.start = counts.start;
	if (!from.nr_events) {
		from.nr_events = fake->started.nr_events;
		memcpy(from.event, fake->started.event, sizeof(from.event));
	}
	return answer(query, &from, sizeof(from),
		      fake->query_errno ? fake->query_errno : error);
}

static int answer_record(struct vpmc_record *record)
{
	const uint32_t brief = offsetof(struct vpmc_record, nr_turns);
	const uint32_t size = record->size == brief ? brief : sizeof(*record);
	unsigned int next = fake->records_taken;
	struct vpmc_record from;

	if (next == fake->nr_records)
		return answer(record, &fake->record[0], size, ENODATA);
	if (!fake->record_errno)
		fake->records_taken++;
	from = fake->record[next];
	from.generation = fake->all.generation;
	from.start = fake->all.start;
	return answer(record, &from, size, fake->record_errno);
}

static int answer_system_read(struct vpmc_system_read *read)
{
	struct vpmc_system_read from = fake->system;
	unsigned int i;

	fake->system_reads++;
	fake->system_cpu = read->cpu;
	for (i = 0; i < from.nr_counts; i++)
		from.count[i] *= fake->system_reads;
	if (fake->system_reads == fake->signal_read)
		raise(fake->signal);
	return answer(read, &from, sizeof(from), fake->system_read_errno);
}

/* Return whether @fd is the device. If not, set errno. */
static int is_device(int fd)
{
	struct stat status, null;

	assert_int_equal(__real_stat("/dev/null", &null), 0);
	if (fstat(fd, &status))
		return 0;
	if (status.st_rdev == null.st_rdev)
		return 1;
	errno = ENOTTY;
	return 0;
}

static size_t size_of_ring(void)
{
	return sizeof(struct vpmc_ring) + fake->sampling.ring_size;
}

static int answer_samples(struct vpmc_samples *samples)
{
	struct vpmc_samples from = *samples;
	int number = fake->samples_errno;

	/* Every processor can take samples at ticks. */
	if (number == EOPNOTSUPP && samples->flags & VPMC_SAMPLES_TICKS)
		number = 0;
	fake->sampling = *samples;
	from.nr_rings = fake->nr_rings;
	if (!number) {
		fake->rings_fd = memfd_create("rings", MFD_CLOEXEC);
		assert_int_equal(ftruncate(fake->rings_fd,
					   (off_t)((fake->nr_rings + 1) *
						   size_of_ring())),
				 0);
	}
	if (!number && fake->fill_rings)
		fake->fill_rings();
	return answer(samples, &from, sizeof(from), number);
}

void *__wrap_mmap64(void *at, size_t size, int protection, int flags, int fd,
		    off64_t offset)
{
	if (fd < 0 || !is_device(fd))
		return __real_mmap64(at, size, protection, flags, fd, offset);
	assert_int_equal(protection, PROT_READ | PROT_WRITE);
	assert_int_equal(flags, MAP_SHARED);
	assert_int_equal(size, size_of_ring());
	if (fake->ring_map_errno) {
		errno = fake->ring_map_errno;
		return MAP_FAILED;
	}
	return __real_mmap64(at, size, protection, flags, fake->rings_fd,
			     offset);
}

struct vpmc_ring *fake_ring(unsigned int i)
{
	static struct vpmc_ring *ring[FAKE_RINGS];
	static size_t size[FAKE_RINGS];

	assert_true(i < fake->nr_rings && i < FAKE_RINGS);
	if (ring[i])
		munmap(ring[i], size[i]);
	size[i] = size_of_ring();
	ring[i] =
		__real_mmap64(NULL, size[i], PROT_READ | PROT_WRITE, MAP_SHARED,
			      fake->rings_fd, (off64_t)((i + 1) * size[i]));
	assert_true(ring[i] != MAP_FAILED);
	return ring[i];
}

void fake_write(unsigned int i, const void *bytes, size_t size)
{
	struct vpmc_ring *ring = fake_ring(i);
	char *records = (char *)(ring + 1);
	size_t j;

	for (j = 0; j < size; j++)
		records[(ring->head + j) % fake->sampling.ring_size] =
			((const char *)bytes)[j];
	ring->head += (uint32_t)size;
}

void fake_sample(unsigned int i, uint64_t tsc, uint32_t pid, uint64_t where)
{
	const struct vpmc_sample sample = {
		.where = where, .tsc = tsc, .pid = 100 + pid, .tid = 100 + pid
	};

	fake_write(i, &sample, sizeof(sample));
}

void fake_change(unsigned int i, enum vpmc_change_type type,
		 const struct vpmc_change *change, const char *text)
{
	char bytes[sizeof(*change) + 4104] = "";
	const size_t size =
		text ? (sizeof(*change) + strlen(text) + 1 + 7) & ~(size_t)7
		     : sizeof(*change);
	const uint64_t where = VPMC_WHERE_OTHER |
			       (uint64_t)type << VPMC_CHANGE_TYPE_SHIFT | size;

	assert_true(size <= sizeof(bytes));
	memcpy(bytes, change, sizeof(*change));
	memcpy(bytes, &where, sizeof(where));
	if (text)
		snprintf(bytes + sizeof(*change),
			 sizeof(bytes) - sizeof(*change), "%s", text);
	fake_write(i, bytes, size);
}

int __wrap_ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *argument;

	if (!is_device(fd))
		return -1;
	va_start(args, request);
	argument = va_arg(args, void *);
	va_end(args);

	switch (request) {
	case VPMC_INFO:
		return answer(argument, &fake->info, sizeof(fake->info),
			      fake->info_errno);
	case VPMC_START:
		return answer_start(argument, &fake->started,
				    fake->start_errno);
	case VPMC_STOP:
		fake->stops++;
		return answer(argument, &fake->stop, sizeof(fake->stop),
			      fake->stop_errno);
	case VPMC_READ:
		return answer_read(argument);
	case VPMC_QUERY:
		return answer_query(argument);
	case VPMC_RECORD:
		return answer_record(argument);
	case VPMC_ATTACH:
		return answer_attach(argument);
	case VPMC_SIGNAL:
		return answer_signal(argument);
	case VPMC_MAP:
		fake->maps++;
		return answer(argument, &fake->map, sizeof(fake->map),
			      fake->map_errno);
	case VPMC_SYSTEM_START:
		return answer_start(argument, &fake->system_started,
				    fake->system_start_errno);
	case VPMC_SYSTEM_STOP:
		fake->system_stops++;
		return answer(argument, &fake->stop, sizeof(fake->stop),
			      fake->system_stop_errno);
	case VPMC_SYSTEM_READ:
		return answer_system_read(argument);
	case VPMC_RELEASE:
		fake->releases++;
		errno = fake->release_errno;
		return errno ? -1 : 0;
	case VPMC_SAMPLES:
		return answer_samples(argument);
	case VPMC_CGROUP:
		fake->cgroups++;
		errno = fake->cgroup_errno;
		return errno ? -1 : 0;
	default:
		errno = ENOTTY;
		return -1;
	}
}

int __wrap_vpmcint_cpuid(uint32_t leaf, uint32_t subleaf, uint32_t regs[4])
{
	unsigned int i;

	for (i = 0; fake && i < fake->nr_cpuid; i++) {
		if (fake->cpuid[i].leaf == leaf &&
		    fake->cpuid[i].subleaf == subleaf) {
			memcpy(regs, fake->cpuid[i].regs,
			       sizeof(fake->cpuid[i].regs));
			return 1;
		}
	}
	return 0;
}
