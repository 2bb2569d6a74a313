// SPDX-License-Identifier: LGPL-2.1-or-later
/* Read samples, in the order of their time stamps, from the rings that the driver fills. */
#include <errno.h>
#include <inttypes.h>
#include <linux/vpmc.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "base/internal.h"

_Static_assert(VPMC_PERIOD_MIN == VPMC_MIN_PERIOD, "");
_Static_assert(VPMC_PERIOD_MIN_KERNEL == VPMC_MIN_PERIOD_KERNEL, "");
_Static_assert(VPMC_RING_SIZE_MAX == VPMC_MAX_RING, "");
_Static_assert(VPMC_CALLERS_MAX == VPMC_MAX_CALLERS, "");
_Static_assert((int)VPMC_CALLERS_UNKNOWN == VPMC_CHAIN_UNKNOWN, "");
_Static_assert(sizeof(struct vpmc_sample_registers) ==
		       sizeof(struct vpmc_registers),
	       "");
_Static_assert(sizeof(struct vpmc_ring) == VPMC_RING_SIZE_MIN,
	       "the records of a ring begin at its second page");

/* A record with the longest path fits into this number of bytes. */
#define RECORD_MAX 8192

/* All records begin and end at multiples of this number of bytes. */
#define ALIGNMENT 8

/**
 * struct reader - a ring that is being read. All positions are modulo 2^32.
 * @ring: the mapping
 * @head: the position up to which the kernel had written when vpmc_samples_read() was called
 * @tail: the position up to which the records were taken
 * @scanned: the position up to which vpmc_samples_rings.youngest includes the time stamps
 * @hole: start of the bytes that are not records
 * @hole_end: end of these bytes; equal to @hole if there are none
 * @tsc: time stamp of the next record, if @has_next
 * @size: size of the next record
 * @has_next: true if there is a record at @tail
 */
struct reader {
	struct vpmc_ring *ring;
	uint32_t head;
	uint32_t tail;
	uint32_t scanned;
	uint32_t hole;
	uint32_t hole_end;
	uint64_t tsc;
	uint32_t size;
	bool has_next;
};

/**
 * struct vpmc_samples_rings - the rings of a handle
 * @size: size of each ring in bytes, without its first page
 * @nr: number of rings
 * @nr_events: number of events that can have samples
 * @invalid: number of bytes that were skipped
 * @youngest: the largest time stamp in all rings
 * @record: a copy of the record that is read, because the record may be in two parts in its ring
 * @reader: the rings
 */
struct vpmc_samples_rings {
	uint32_t size;
	uint32_t nr;
	size_t nr_events;
	uint64_t invalid;
	uint64_t youngest;
	_Alignas(ALIGNMENT) char record[RECORD_MAX];
	struct reader reader[];
};

/* Returns the largest jitter that a period may have. */
static uint32_t most_jitter(uint32_t period, uint32_t least)
{
	const uint32_t below = period - least, above = VPMC_PERIOD_MAX - period;

	return below < above ? below : above;
}

int vpmcint_check_period(const struct vpmc_event_sel *sel, uint32_t period,
			 uint32_t jitter, struct vpmc_error *err)
{
	const uint32_t least = sel->modes & VPMC_KERNEL ? VPMC_PERIOD_MIN_KERNEL
							: VPMC_PERIOD_MIN;
	const bool is_valid = period >= least && period <= VPMC_PERIOD_MAX;
	char phrase[VPMCINT_CALL_MAX];

	if (!period || (is_valid && jitter <= most_jitter(period, least)))
		return 0;
	vpmcint_call(phrase, sizeof(phrase), sel, NULL);
	if (is_valid)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "the jitter %" PRIu32 " of event %s is too"
				    " large: with the period %" PRIu32
				    " give at most %" PRIu32,
				    jitter, phrase, period,
				    most_jitter(period, least));
	return vpmcint_fail(err, VPMC_E_ARGUMENT,
			    "the period %" PRIu32 " of event %s is too %s: give"
			    " one from %" PRIu32 " to %d%s",
			    period, phrase, period < least ? "short" : "long",
			    least, VPMC_PERIOD_MAX,
			    sel->modes & VPMC_KERNEL
				    ? ", or from 1000 without kernel mode"
				    : "");
}

static int fail_samples(const struct vpmc *vpmc, struct vpmc_error *err)
{
	switch (errno) {
	case EBUSY:
		return vpmcint_fail(err, VPMC_E_BUSY,
				    "cannot take samples: the handle has rings"
				    " for samples, or was started, already, so"
				    " open another one");
	case EOPNOTSUPP:
		return vpmcint_fail(err, VPMC_E_UNSUPPORTED,
				    "cannot take samples: the counters of this"
				    " processor do not interrupt, or the"
				    " machine does not let them, so count"
				    " without periods or take samples at"
				    " ticks");
	case ENOMEM:
		return vpmcint_fail(err, VPMC_E_MEMORY,
				    "cannot take samples: out of memory, or the"
				    " rings exceed RLIMIT_MEMLOCK, so make them"
				    " smaller or raise it (ulimit -l)");
	default:
		return vpmcint_fail_call(vpmc, "take samples", err);
	}
}

static int fail_ring_map(struct vpmc_error *err)
{
	if (errno == EACCES)
		return vpmcint_fail(err, VPMC_E_PERMISSION,
				    "cannot map samples: no permission to write"
				    " to " VPMC_DEVICE
				    ", so let the administrator give it");
	return vpmcint_fail_errno(err, "map samples");
}

static bool is_ring_size(size_t size)
{
	return size >= VPMC_RING_SIZE_MIN && size <= VPMC_RING_SIZE_MAX &&
	       !(size & (size - 1));
}

static int check_arguments(const uint32_t *period, size_t nr, size_t ring_size,
			   struct vpmc_error *err)
{
	bool has_period = false;
	size_t i;

	for (i = 0; i < nr && i < VPMC_COUNTS_MAX; i++)
		has_period = has_period || period[i];
	if (nr > VPMC_COUNTS_MAX || !has_period)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot take samples of %zu events: give"
				    " from 1 to %d, one of them with a period",
				    nr, VPMC_COUNTS_MAX);
	if (!is_ring_size(ring_size))
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot take samples: rings of %zu bytes do"
				    " not exist, so give a power of two from %d"
				    " to %d",
				    ring_size, VPMC_RING_SIZE_MIN,
				    VPMC_RING_SIZE_MAX);
	return 0;
}

static bool has_jitter(const struct vpmc_samples_options *options)
{
	size_t i = 0;

	while (i < VPMC_COUNTS_MAX && !options->jitter[i])
		i++;
	return i < VPMC_COUNTS_MAX;
}

static int check_ring_options(const struct vpmc_samples_options *options,
			      const uint32_t *period, size_t nr,
			      struct vpmc_error *err)
{
	const bool is_long = options->callers || options->with_registers;
	size_t i;

	if (options->at_ticks && (is_long || has_jitter(options)))
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot take samples at ticks with callers,"
				    " registers or jitter: leave these out");

	if (options->callers > VPMC_CALLERS_MAX)
		return vpmcint_fail(err, VPMC_E_ARGUMENT,
				    "cannot take samples with %u callers: give"
				    " at most %d",
				    options->callers, VPMC_CALLERS_MAX);
	for (i = 0; i < VPMC_COUNTS_MAX; i++) {
		if (options->jitter[i] && (i >= nr || !period[i]))
			return vpmcint_fail(err, VPMC_E_ARGUMENT,
					    "cannot take samples: event %zu has"
					    " a jitter, so give it a period",
					    i);
	}
	return 0;
}

static size_t mapped_size(const struct vpmc_samples_rings *rings)
{
	return sizeof(struct vpmc_ring) + rings->size;
}

/* Map the rings one by one. Only mapped rings are counted. */
static int map_rings(struct vpmc_samples_rings *rings, uint32_t nr, int fd,
		     struct vpmc_error *err)
{
	const size_t size = mapped_size(rings);
	void *ring;

	for (; rings->nr < nr; rings->nr++) {
		ring = mmap64(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
			      fd, (off64_t)(rings->nr + 1) * (off64_t)size);
		if (ring == MAP_FAILED)
			return fail_ring_map(err);
		rings->reader[rings->nr].ring = ring;
	}
	return 0;
}

/* Fill in the argument of the ioctl. */
static struct vpmc_samples ask_for(size_t ring_size,
				   const struct vpmc_samples_options *options)
{
	struct vpmc_samples samples = {
		.size = sizeof(samples),
		.flags =
			(options->with_registers ? VPMC_SAMPLES_REGISTERS : 0) |
			(options->at_ticks ? VPMC_SAMPLES_TICKS : 0),
		.ring_size = (uint32_t)ring_size,
		.callers = options->callers,
		.seed = options->seed,
	};

	memcpy(samples.jitter, options->jitter, sizeof(samples.jitter));
	return samples;
}

int vpmc_samples_open_with_sized(struct vpmc *vpmc, const uint32_t *period,
				 size_t nr, size_t ring_size,
				 const struct vpmc_samples_options *options,
				 size_t size, struct vpmc_samples_rings **rings,
				 struct vpmc_error *err)
{
	struct vpmc_samples_options known;
	struct vpmc_samples samples;
	struct vpmc_samples_rings *found;
	int ret = check_arguments(period, nr, ring_size, err);

	vpmcint_hand_over(&known, sizeof(known), options, size);
	if (!ret)
		ret = check_ring_options(&known, period, nr, err);
	if (ret)
		return ret;
	samples = ask_for(ring_size, &known);
	if (ioctl(vpmc->fd, VPMC_SAMPLES, &samples))
		return fail_samples(vpmc, err);
	found = calloc(1, sizeof(*found) +
				  samples.nr_rings * sizeof(*found->reader));
	if (!found)
		return vpmcint_fail(err, VPMC_E_MEMORY,
				    "cannot take samples: out of memory");
	found->size = samples.ring_size;
	found->nr_events = nr;
	ret = map_rings(found, samples.nr_rings, vpmc->fd, err);
	if (ret) {
		vpmc_samples_close(found);
		return ret;
	}
	vpmc->nr_periods = nr;
	memcpy(vpmc->period, period, nr * sizeof(*period));
	memcpy(vpmc->jitter, known.jitter, sizeof(vpmc->jitter));
	*rings = found;
	return 0;
}

int vpmc_samples_open(struct vpmc *vpmc, const uint32_t *period, size_t nr,
		      size_t ring_size, struct vpmc_samples_rings **rings,
		      struct vpmc_error *err)
{
	static const struct vpmc_samples_options nothing = { .seed = 0 };

	return vpmc_samples_open_with(vpmc, period, nr, ring_size, &nothing,
				      rings, err);
}

void vpmc_samples_close(struct vpmc_samples_rings *rings)
{
	int saved = errno;
	uint32_t i;

	if (!rings)
		return;
	for (i = 0; i < rings->nr; i++)
		munmap(rings->reader[i].ring, mapped_size(rings));
	free(rings);
	errno = saved;
}

/* Returns the beginning of the record, which all records have in common. */
static const struct vpmc_sample *
sample_of(const struct vpmc_samples_rings *rings)
{
	return (const void *)rings->record;
}

static const struct vpmc_change *
change_of(const struct vpmc_samples_rings *rings)
{
	return (const void *)rings->record;
}

/* Copy bytes of a ring to the record. The bytes may continue at the beginning of the ring. */
static void copy_out(struct vpmc_samples_rings *rings,
		     const struct reader *reader, uint32_t at, uint32_t size)
{
	const char *bytes = (const char *)(reader->ring + 1);
	const uint32_t begin = at & (rings->size - 1);
	const uint32_t first =
		size < rings->size - begin ? size : rings->size - begin;

	memcpy(rings->record, bytes + begin, first);
	memcpy(rings->record + first, bytes, size - first);
}

/* Return whether a record with this first word is a sample with callers or registers. */
static bool is_long_sample(uint64_t where)
{
	return where & VPMC_WHERE_OTHER &&
	       (where >> VPMC_CHANGE_TYPE_SHIFT & VPMC_CHANGE_TYPE_MASK) ==
		       VPMC_CHANGE_SAMPLE;
}

/*
 * Returns the size of a record with this first word, or 0 if the library does not know such a
 * record.
 */
static uint32_t size_of(const struct vpmc_samples_rings *rings, uint64_t where)
{
	const uint64_t size = where & VPMC_CHANGE_SIZE;
	const size_t least = is_long_sample(where)
				     ? sizeof(struct vpmc_long_sample)
				     : sizeof(struct vpmc_change);

	if (!(where & VPMC_WHERE_OTHER))
		return sizeof(struct vpmc_sample);
	if (size < least || size % ALIGNMENT || size > RECORD_MAX ||
	    size > rings->size)
		return 0;
	return (uint32_t)size;
}

/*
 * Copy out the record at a position. The record must end at @end or before. Returns its size, or 0
 * if the record is not complete.
 */
static uint32_t copy_record(struct vpmc_samples_rings *rings,
			    const struct reader *reader, uint32_t at,
			    uint32_t end)
{
	const uint32_t rest = end - at;
	uint64_t where;
	uint32_t size;

	if (rest < sizeof(struct vpmc_sample))
		return 0;
	copy_out(rings, reader, at, sizeof(where));
	where = sample_of(rings)->where;
	size = size_of(rings, where);
	if (!size || size > rest)
		return 0;
	copy_out(rings, reader, at, size);
	memcpy(rings->record, &where, sizeof(where));
	return size;
}

/* Return whether bytes that are not records follow the records to take. */
static bool has_hole(const struct reader *reader)
{
	return reader->hole != reader->hole_end;
}

/*
 * Note that no record can be found after the scanned records. If an earlier hole has not been
 * passed yet, it grows, and includes the records between the two holes.
 */
static void dig_hole(struct vpmc_samples_rings *rings, struct reader *reader)
{
	if (has_hole(reader)) {
		rings->invalid += reader->head - reader->hole_end;
	} else {
		rings->invalid += reader->head - reader->scanned;
		reader->hole = reader->scanned;
	}
	reader->hole_end = reader->head;
	reader->scanned = reader->head;
}

/* Find the youngest time stamp of the records that have come since the last call. */
static void scan(struct vpmc_samples_rings *rings, struct reader *reader)
{
	uint32_t size;

	while (reader->scanned != reader->head) {
		size = copy_record(rings, reader, reader->scanned,
				   reader->head);
		if (!size) {
			dig_hole(rings, reader);
			return;
		}
		if (sample_of(rings)->tsc > rings->youngest)
			rings->youngest = sample_of(rings)->tsc;
		reader->scanned += size;
	}
}

/*
 * Find the position up to which the kernel has written. The records before this position can then
 * be read.
 */
static void load_head(struct vpmc_samples_rings *rings, struct reader *reader)
{
	const uint32_t head =
		__atomic_load_n(&reader->ring->head, __ATOMIC_ACQUIRE);
	const uint32_t new = head - reader->tail;

	reader->head = reader->tail + (new & ~(uint32_t)(ALIGNMENT - 1));
	if (new <= rings->size &&
	    reader->head - reader->tail < reader->scanned - reader->tail)
		reader->head = reader->scanned;
	if (new <= rings->size)
		return;
	/* The kernel never writes beyond the ring, so the content of the ring is not valid. */
	rings->invalid += rings->size;
	reader->hole = reader->tail;
	reader->hole_end = reader->head;
	reader->scanned = reader->head;
}

/* Let the kernel overwrite the records that were read. */
static void store_tail(struct reader *reader)
{
	__atomic_store_n(&reader->ring->tail, reader->tail, __ATOMIC_RELEASE);
}

/*
 * Find the next record of a ring, or its end. If the ring's content has changed since scan(), skip
 * all records that scan() found.
 */
static void find_next(struct vpmc_samples_rings *rings, struct reader *reader)
{
	uint32_t end;

	if (has_hole(reader) && reader->tail == reader->hole) {
		reader->tail = reader->hole_end;
		reader->hole = reader->hole_end;
	}
	end = has_hole(reader) ? reader->hole : reader->scanned;
	reader->size = copy_record(rings, reader, reader->tail, end);
	reader->tsc = sample_of(rings)->tsc;
	reader->has_next = reader->size != 0;
	if (reader->has_next || reader->tail == end)
		return;
	rings->invalid += end - reader->tail;
	reader->tail = reader->scanned;
	reader->hole = reader->hole_end;
}

/*
 * Choose the ring with the oldest next record. Returns NULL if all records are younger than @limit.
 * Otherwise sets @limit to the time stamp up to which this ring has the oldest records.
 */
static struct reader *choose_oldest(struct vpmc_samples_rings *rings,
				    uint64_t *limit)
{
	struct reader *oldest = NULL, *reader = rings->reader;
	uint64_t others = *limit;

	for (; reader < rings->reader + rings->nr; reader++) {
		if (!reader->has_next || reader->tsc > *limit)
			continue;
		if (oldest && oldest->tsc <= reader->tsc) {
			others = reader->tsc < others ? reader->tsc : others;
			continue;
		}
		if (oldest)
			others = oldest->tsc < others ? oldest->tsc : others;
		oldest = reader;
	}
	*limit = others;
	return oldest;
}

/* This is the highest bit of an address that a sample has. It is clear in 32-bit kernels. */
#define SIGN_OF_ADDRESS (VPMC_WHERE_ADDRESS & ~(VPMC_WHERE_ADDRESS >> 1))

/*
 * Describe a sample with this vpmc_sample.where. The address is sign-extended to a canonical
 * address.
 */
static void describe_sample(uint64_t where, struct vpmc_sample_record *record)
{
	record->event = where >> VPMC_WHERE_EVENT_SHIFT & VPMC_WHERE_EVENT_MASK;
	record->is_kernel = !!(where & VPMC_WHERE_KERNEL);
	record->is_late = !!(where & VPMC_WHERE_LATE);
	record->address = where & VPMC_WHERE_ADDRESS;
	if (record->is_kernel && record->address & SIGN_OF_ADDRESS)
		record->address |= ~VPMC_WHERE_ADDRESS;
}

static void describe_mapping(const struct vpmc_change *change,
			     struct vpmc_sample_record *record)
{
	record->kind = VPMC_SAMPLE_MAP;
	record->number = 0;
	record->address = change->begin;
	record->end = change->end;
	record->offset = change->offset;
	record->inode = change->inode;
	record->device_major = (uint32_t)(change->device >> 32);
	record->device_minor = (uint32_t)change->device;
	record->text = change->text;
}

/* Return whether a change with this size ends with the zero of its text. */
static bool has_text(const struct vpmc_change *change, uint32_t size)
{
	return size > sizeof(*change) &&
	       !change->text[size - sizeof(*change) - 1];
}

/* Describe a sample with callers or registers. Returns whether the sample is valid. */
static bool describe_long_sample(const struct vpmc_long_sample *sample,
				 uint32_t size, size_t nr_events,
				 struct vpmc_sample_record *record)
{
	const bool has_registers = sample->flags & VPMC_SAMPLES_REGISTERS;
	const size_t registers = has_registers ? sizeof(*record->registers) : 0;

	describe_sample(sample->at, record);
	record->caller = (const void *)sample->caller;
	record->nr_callers = sample->nr_callers;
	record->callers_end = (enum vpmc_callers_end)sample->end;
	if (has_registers)
		record->registers =
			(const void *)&sample->caller[sample->nr_callers];
	return record->event < nr_events &&
	       sample->nr_callers <= VPMC_CALLERS_MAX &&
	       size == sizeof(*sample) +
			       sample->nr_callers * sizeof(*sample->caller) +
			       registers;
}

/* Describe several samples of one moment. Returns whether they are valid. */
static bool describe_samples(const struct vpmc_change *change, size_t nr_events,
			     struct vpmc_sample_record *record)
{
	describe_sample(change->begin, record);
	record->more = change->end - 1;
	return record->event < nr_events && change->end &&
	       !(change->begin & VPMC_WHERE_OTHER);
}

static enum vpmc_change_type type_of(uint64_t where)
{
	return where >> VPMC_CHANGE_TYPE_SHIFT & VPMC_CHANGE_TYPE_MASK;
}

/* Describe a change. Returns whether the library knows this kind of change. */
static bool describe_change(const struct vpmc_change *change, uint32_t size,
			    struct vpmc_sample_record *record)
{
	record->number = change->begin;
	switch (type_of(change->where)) {
	case VPMC_CHANGE_MAP:
		describe_mapping(change, record);
		return has_text(change, size) && change->begin < change->end;
	case VPMC_CHANGE_EXEC:
		record->kind = VPMC_SAMPLE_EXEC;
		record->text = change->text;
		record->number = 0;
		return has_text(change, size);
	case VPMC_CHANGE_FORK:
		record->kind = VPMC_SAMPLE_FORK;
		return true;
	case VPMC_CHANGE_BORN:
		record->kind = VPMC_SAMPLE_BORN;
		return true;
	default:
		return false;
	}
}

/*
 * Describe the record that was copied last. Returns whether the library knows this kind of record.
 */
static bool describe_record(const struct vpmc_samples_rings *rings,
			    uint32_t size, struct vpmc_sample_record *record)
{
	const struct vpmc_sample *sample = sample_of(rings);

	*record = (struct vpmc_sample_record){ .tsc = sample->tsc,
					       .pid = sample->pid,
					       .tid = sample->tid };
	if (is_long_sample(sample->where))
		return describe_long_sample((const void *)rings->record, size,
					    rings->nr_events, record);
	if (sample->where & VPMC_WHERE_OTHER &&
	    type_of(sample->where) == VPMC_CHANGE_SAMPLES)
		return describe_samples(change_of(rings), rings->nr_events,
					record);
	if (sample->where & VPMC_WHERE_OTHER)
		return describe_change(change_of(rings), size, record);
	describe_sample(sample->where, record);
	return record->event < rings->nr_events;
}

size_t vpmc_samples_read(struct vpmc_samples_rings *rings, int rest,
			 void (*use)(const struct vpmc_sample_record *record,
				     void *arg),
			 void *arg)
{
	const uint64_t seen = rest ? UINT64_MAX : rings->youngest;
	struct vpmc_sample_record record;
	struct reader *reader;
	uint64_t limit = seen;
	size_t taken = 0;
	uint32_t i;

	for (i = 0; i < rings->nr; i++) {
		load_head(rings, &rings->reader[i]);
		scan(rings, &rings->reader[i]);
		find_next(rings, &rings->reader[i]);
	}
	while ((reader = choose_oldest(rings, &limit))) {
		while (reader->has_next && reader->tsc <= limit) {
			copy_out(rings, reader, reader->tail, reader->size);
			if (describe_record(rings, reader->size, &record)) {
				use(&record, arg);
				taken++;
			} else {
				rings->invalid += reader->size;
			}
			reader->tail += reader->size;
			find_next(rings, reader);
		}
		store_tail(reader);
		limit = seen;
	}
	return taken;
}

void vpmc_samples_lost_sized(const struct vpmc_samples_rings *rings,
			     struct vpmc_lost_samples *lost, size_t size)
{
	struct vpmc_lost_samples found = { .invalid = rings->invalid };
	uint32_t i;

	for (i = 0; i < rings->nr; i++) {
		found.samples += rings->reader[i].ring->lost;
		found.changes += rings->reader[i].ring->lost_changes;
		found.hidden += rings->reader[i].ring->hidden;
	}
	vpmcint_hand_over(lost, size, &found, sizeof(found));
}
