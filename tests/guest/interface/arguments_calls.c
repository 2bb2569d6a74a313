// SPDX-License-Identifier: GPL-2.0-only
/* This file has the table of calls and the table of their answers. */
#include <errno.h>
#include <string.h>

#include "arguments.h"
#include "follow.h"

#define OFFSET(type, field) offsetof(struct type, field)

const struct call calls[NR_CALLS] = {
	{ "info",
	  VPMC_INFO,
	  sizeof(struct vpmc_info),
	  OFFSET(vpmc_info, system),
	  WHOLE,
	  0,
	  { OFFSET(vpmc_info, flags) },
	  {} },
	{ "start",
	  VPMC_START,
	  sizeof(struct vpmc_start),
	  OFFSET(vpmc_start, event),
	  WHOLE,
	  OF_STARTS,
	  {},
	  { EINVAL, EPERM, EBUSY, EXDEV, ENODATA, ESRCH } },
	{ "stop",
	  VPMC_STOP,
	  sizeof(struct vpmc_stop),
	  sizeof(struct vpmc_stop),
	  WHOLE,
	  WHOLE,
	  { OFFSET(vpmc_stop, flags) },
	  { ENODATA, EXDEV, ESRCH } },
	{ "read",
	  VPMC_READ,
	  sizeof(struct vpmc_read),
	  OFFSET(vpmc_read, count),
	  OFFSET(vpmc_read, state),
	  0,
	  { OFFSET(vpmc_read, flags) },
	  { EINVAL, ENODATA, EXDEV } },
	{ "query",
	  VPMC_QUERY,
	  sizeof(struct vpmc_query),
	  OFFSET(vpmc_query, event),
	  WHOLE,
	  0,
	  { OFFSET(vpmc_query, flags) },
	  { EINVAL, ENODATA, EXDEV } },
	{ "record",
	  VPMC_RECORD,
	  sizeof(struct vpmc_record),
	  OFFSET(vpmc_record, time),
	  OFFSET(vpmc_record, pid),
	  0,
	  { OFFSET(vpmc_record, flags) },
	  { EINVAL, ENODATA } },
	{ "attach",
	  VPMC_ATTACH,
	  sizeof(struct vpmc_attach),
	  sizeof(struct vpmc_attach),
	  WHOLE,
	  WHOLE,
	  { OFFSET(vpmc_attach, pad) },
	  { EINVAL, EPERM, ESRCH, EBADF, EXDEV } },
	{ "signal",
	  VPMC_SIGNAL,
	  sizeof(struct vpmc_signal),
	  sizeof(struct vpmc_signal),
	  WHOLE,
	  WHOLE,
	  { OFFSET(vpmc_signal, flags) },
	  { EINVAL, EXDEV, ENODATA } },
	{ "map",
	  VPMC_MAP,
	  sizeof(struct vpmc_map),
	  sizeof(struct vpmc_map),
	  WHOLE,
	  WHOLE,
	  { OFFSET(vpmc_map, flags) },
	  { EXDEV, EOPNOTSUPP } },
	{ "samples",
	  VPMC_SAMPLES,
	  sizeof(struct vpmc_samples),
	  sizeof(struct vpmc_samples),
	  WHOLE,
	  WHOLE,
	  { 0 },
	  { EINVAL, EBUSY, EOPNOTSUPP, ENOMEM } },
	/* The callers do not have the right to make this request. */
	{ "cgroup",
	  VPMC_CGROUP,
	  sizeof(struct vpmc_cgroup),
	  sizeof(struct vpmc_cgroup),
	  WHOLE,
	  0,
	  { OFFSET(vpmc_cgroup, flags), OFFSET(vpmc_cgroup, pad) },
	  { EPERM } },
	/* These requests are refused before the driver reads the argument. */
	{ .name = "system start", .request = VPMC_SYSTEM_START },
	{ .name = "system stop", .request = VPMC_SYSTEM_STOP },
	{ .name = "system read", .request = VPMC_SYSTEM_READ },
	{ .name = "release", .request = VPMC_RELEASE },
};

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

static uint32_t word_at(size_t offset)
{
	uint32_t word;

	memcpy(&word, place_alias(offset), sizeof(word));
	return word;
}

/*
 * Check the bytes after the structure that the driver knows. Returns the error for a byte that is
 * not readable or not zero, or 0 if there is no such byte.
 */
static int tail_refuses(size_t from, size_t end)
{
	for (; from < end; from++) {
		if (!place_readable(from, 1))
			return -EFAULT;
		if (*place_alias(from))
			return -E2BIG;
	}
	return 0;
}

static int size_refuses(const struct call *call, size_t offset)
{
	size_t size;

	if (!place_readable(offset, 4))
		return -EFAULT;
	size = word_at(offset);
	if (size > PAGE)
		return -E2BIG;
	if (size < call->least)
		return -EINVAL;
	return tail_refuses(offset + call->known, offset + size);
}

static bool is_answerable(const struct call *call, size_t offset, size_t size)
{
	if (call->must_write == OF_STARTS)
		return place_writable(offset + OFFSET(vpmc_start, error), 4) &&
		       place_writable(offset + OFFSET(vpmc_start, self_start),
				      8);
	return place_writable(offset, smaller(size, call->must_write));
}

/* Return whether one of the reserved words that the caller passes is not zero. */
static bool has_nonzero(const struct call *call, size_t offset, size_t size)
{
	const size_t *zero;
	size_t i;

	for (zero = call->zero; *zero; zero++)
		for (i = *zero; i < *zero + 4 && i < size; i++)
			if (*place_alias(offset + i))
				return true;
	return false;
}

int call_refuses(const struct call *call, size_t offset)
{
	size_t size;
	int result;

	if (!call->known)
		return -EPERM;
	result = size_refuses(call, offset);
	if (result)
		return result;
	size = smaller(word_at(offset), call->known);
	if (!place_readable(offset, smaller(size, call->reads)) ||
	    !is_answerable(call, offset, size))
		return -EFAULT;
	return has_nonzero(call, offset, size) ? -EINVAL : 0;
}

/*
 * struct field - a field of an answer @first, @size: its offset, and its size: 4 or 8 bytes of a
 * number, or 16 bytes of a name. For an array, these are the offset and size of the first entry.
 * @mask: the bits that can be set in a number
 * @here: a member of the processor's masks that replaces @mask, or NULL
 * @entries: the largest number of entries of an array
 * @stride: the distance from one entry to the next, in bytes
 * @number: the offset of the number of entries in the answer, or 0 if the driver writes all entries
 */
struct field {
	unsigned long request;
	size_t first, size;
	uint64_t mask;
	size_t entries, stride, number;
	const uint64_t *here;
};

#define LOW(bits) ((UINT64_C(1) << (bits)) - 1)
#define NUMBER	  LOW(40)
#define COUNT	  LOW(50)
#define THREADS	  LOW(28)
#define ID	  LOW(15)

/*
 * struct masks - the bits that can be set in numbers that depend on the processor
 * @counters, @fixed, @bits: the number of counters and of fixed counters, and their width
 * @code, @how: the first and the second word of an event; the second one has the counter and
 *	VPMC_MODE_USER
 * @last_reason: the highest reason. Only MORE_REGISTERS and NO_SAMPLES may be higher.
 */
struct masks {
	uint64_t counters, fixed, bits, code, how;
	uint32_t last_reason;
};

static const struct masks of_pentium = {
	.counters = 2,
	.bits = 40,
	.code = 0x13f,
	.how = 0x10001,
	.last_reason = VPMC_REASON_RESUME,
};

static const struct masks of_p4 = {
	.counters = 18,
	.bits = 40,
	.code = UINT64_C(0x1fce0077ffffff0), /* without reserved bits */
	.how = 0x1001f,
	.last_reason = VPMC_REASON_REGISTER_TAKEN,
};

/* AMD's codes have bits 11 to 8 above the others. */
static const struct masks of_others = {
	.counters = 8 | 4 | 6 | 2,
	.fixed = 3,
	.bits = 48 | 40,
	.code = UINT64_C(0xfff84ffff),
	.how = 0x1000f,
	.last_reason = VPMC_REASON_EXTRA_TAKEN,
};

/* These are the masks of the processor that runs the test. */
static struct masks here;

static void find_masks(void)
{
	if (here.bits)
		return;
	if (is_p4_here())
		here = of_p4;
	else
		here = only_first_interrupts_here() ? of_pentium : of_others;
}

#ifdef __x86_64__
#define ADDRESS (LOW(47) & ~LOW(12))
#else
#define ADDRESS UINT64_C(0xfffff000)
#endif

#define FIELD(request, type, field, mask)                                      \
	{                                                                      \
		request, OFFSET(type, field),                                  \
			sizeof(((struct type *)0)->field), mask, 1, 0, 0, NULL \
	}
/* Like FIELD(), with a mask that depends on the processor. */
#define FIELD_HERE(request, type, field, member)                       \
	{                                                              \
		request, OFFSET(type, field),                          \
			sizeof(((struct type *)0)->field), 0, 1, 0, 0, \
			&here.member                                   \
	}
#define ARRAY(request, type, field, mask, number)                          \
	{                                                                  \
		request, OFFSET(type, field), 8, mask, VPMC_MAX_EVENTS, 8, \
			number, NULL                                       \
	}
/* This is a field of the turns of each event. Its number can have any value. */
#define TURN(request, type, number, field)                                  \
	{                                                                   \
		request, OFFSET(type, turn[0].field), 8, UINT64_MAX,        \
			VPMC_MAX_EVENTS, sizeof(struct vpmc_turns), number, \
			NULL                                                \
	}
/*
 * These rows are the number of turns and the fields of each turn. Unless events share counters,
 * the driver does not change the number, which can have any value.
 */
#define TURNS(request, type, number)                          \
	FIELD(request, type, nr_turns, UINT32_MAX),           \
		FIELD(request, type, turn_shift, UINT32_MAX), \
		TURN(request, type, number, count_squares),   \
		TURN(request, type, number, products),        \
		TURN(request, type, number, time_squares),    \
		TURN(request, type, number, nr)
/* This is an array of 8 bytes of each event, at the offset of a field. */
#define EVENTS(field, here)                                           \
	{                                                             \
		VPMC_QUERY, OFFSET(vpmc_query, event[0].field), 8, 0, \
			VPMC_MAX_EVENTS, sizeof(struct vpmc_event),   \
			OFFSET(vpmc_query, nr_events), here           \
	}

static const struct field fields[] = {
	FIELD(VPMC_INFO, vpmc_info, abi_version, VPMC_ABI_VERSION),
	FIELD_HERE(VPMC_INFO, vpmc_info, nr_counters, counters),
	FIELD_HERE(VPMC_INFO, vpmc_info, counter_bits, bits),
	FIELD(VPMC_INFO, vpmc_info, features, 3),
	FIELD(VPMC_INFO, vpmc_info, generation, NUMBER),
	FIELD(VPMC_INFO, vpmc_info, pmu, 0),
	FIELD(VPMC_INFO, vpmc_info, system, 0),
	FIELD_HERE(VPMC_INFO, vpmc_info, nr_fixed, fixed),
	FIELD(VPMC_INFO, vpmc_info, start, NUMBER),
	FIELD(VPMC_START, vpmc_start, generation, NUMBER),
	FIELD(VPMC_START, vpmc_start, start, NUMBER),
	FIELD(VPMC_START, vpmc_start, self_start, NUMBER),
	FIELD(VPMC_STOP, vpmc_stop, generation, NUMBER),
	FIELD(VPMC_STOP, vpmc_stop, start, NUMBER),
	FIELD(VPMC_READ, vpmc_read, state, 7),
	FIELD(VPMC_READ, vpmc_read, nr_counts, LOW(6)),
	FIELD(VPMC_READ, vpmc_read, running, THREADS),
	FIELD(VPMC_READ, vpmc_read, other_events, THREADS),
	FIELD(VPMC_READ, vpmc_read, revoked, THREADS),
	FIELD(VPMC_READ, vpmc_read, stopped, THREADS),
	FIELD(VPMC_READ, vpmc_read, unwaited, THREADS),
	FIELD(VPMC_READ, vpmc_read, generation, NUMBER),
	FIELD(VPMC_READ, vpmc_read, start, NUMBER),
	FIELD(VPMC_READ, vpmc_read, tsc, COUNT),
	ARRAY(VPMC_READ, vpmc_read, count, COUNT, OFFSET(vpmc_read, nr_counts)),
	ARRAY(VPMC_READ, vpmc_read, time, COUNT, OFFSET(vpmc_read, nr_counts)),
	TURNS(VPMC_READ, vpmc_read, OFFSET(vpmc_read, nr_turns)),
	FIELD(VPMC_QUERY, vpmc_query, nr_events, LOW(6)),
	FIELD(VPMC_QUERY, vpmc_query, generation, NUMBER),
	FIELD(VPMC_QUERY, vpmc_query, start, NUMBER),
	EVENTS(code, &here.code),
	EVENTS(counter, &here.how),
	EVENTS(extra, NULL),
	FIELD(VPMC_RECORD, vpmc_record, pid, ID),
	FIELD(VPMC_RECORD, vpmc_record, tid, ID),
	FIELD(VPMC_RECORD, vpmc_record, comm, 0),
	FIELD(VPMC_RECORD, vpmc_record, what, 0x1f),
	FIELD(VPMC_RECORD, vpmc_record, nr_counts, LOW(6)),
	FIELD(VPMC_RECORD, vpmc_record, lost, THREADS),
	FIELD(VPMC_RECORD, vpmc_record, stopped, THREADS),
	FIELD(VPMC_RECORD, vpmc_record, generation, NUMBER),
	FIELD(VPMC_RECORD, vpmc_record, start, NUMBER),
	FIELD(VPMC_RECORD, vpmc_record, tsc, COUNT),
	ARRAY(VPMC_RECORD, vpmc_record, count, COUNT, 0),
	ARRAY(VPMC_RECORD, vpmc_record, time, COUNT, 0),
	TURNS(VPMC_RECORD, vpmc_record, 0),
	FIELD(VPMC_ATTACH, vpmc_attach, generation, NUMBER),
	FIELD(VPMC_ATTACH, vpmc_attach, start, NUMBER),
	FIELD(VPMC_SIGNAL, vpmc_signal, generation, NUMBER),
	FIELD(VPMC_SIGNAL, vpmc_signal, start, NUMBER),
	FIELD(VPMC_SAMPLES, vpmc_samples, nr_rings, LOW(10)),
	FIELD(VPMC_MAP, vpmc_map, address, ADDRESS),
	FIELD(VPMC_MAP, vpmc_map, generation, NUMBER),
	FIELD(VPMC_MAP, vpmc_map, start, NUMBER),
};

#define NR_FIELDS (sizeof(fields) / sizeof(fields[0]))

/*
 * Return whether the name consists of printable ASCII characters, and of one or more zero bytes
 * after them.
 */
static bool is_name(const unsigned char *name, size_t size)
{
	size_t i = 0;

	while (i < size && name[i] >= ' ' && name[i] < 0x7f)
		i++;
	if (i == size)
		return false;
	for (; i < size; i++)
		if (name[i])
			return false;
	return true;
}

/*
 * Return whether a field of the answer has a possible value. If a field does not fit into the
 * caller's structure, the driver writes only a part of it.
 */
static bool is_sensible(const struct field *field, const unsigned char *value,
			size_t size)
{
	uint64_t number = 0;

	if (field->size > 8)
		return size < field->size || is_name(value, size);
	memcpy(&number, value, size);
	return !(number & ~(field->here ? *field->here : field->mask));
}

/*
 * Mark the bytes of an answer of @size bytes that @field may change. Returns whether their values
 * are possible ones.
 */
static bool mark_field(const struct field *field, const unsigned char *answer,
		       size_t size, bool *may)
{
	uint32_t entries = (uint32_t)field->entries;
	size_t i, first = field->first, room;

	if (field->number)
		memcpy(&entries, answer + field->number, sizeof(entries));
	for (i = 0; i < entries && i < field->entries && first < size; i++) {
		room = smaller(field->size, size - first);
		if (!is_sensible(field, answer + first, room))
			return false;
		memset(may + first, true, room);
		first += field->stride;
	}
	return true;
}

static bool mark_answer(const struct call *call, const unsigned char *answer,
			size_t size, bool *may)
{
	size_t i;

	for (i = 0; i < NR_FIELDS; i++)
		if (fields[i].request == call->request &&
		    !mark_field(&fields[i], answer, size, may))
			return false;
	return true;
}

/* A start that fails reports the reason and the event. */
static bool mark_reason(const unsigned char *answer, bool *may)
{
	uint32_t error, event;

	memcpy(&error, answer + OFFSET(vpmc_start, error), sizeof(error));
	memcpy(&event, answer + OFFSET(vpmc_start, error_event), sizeof(event));
	memset(may + OFFSET(vpmc_start, error), true, 8);
	return (error <= here.last_reason ||
		error == VPMC_REASON_MORE_REGISTERS ||
		error == VPMC_REASON_NO_SAMPLES) &&
	       event < VPMC_MAX_EVENTS;
}

const char *call_answer_wrong(const struct call *call, size_t offset,
			      int result, const unsigned char *before)
{
	const unsigned char *answer = place_alias(offset);
	bool may[sizeof(struct vpmc_start) + sizeof(struct vpmc_read)] = {};
	size_t i, size = call->known;

	find_masks();
	if (size)
		size = smaller(word_at(offset), size);
	if (!result && !mark_answer(call, answer, size, may))
		return "a number that makes no sense";
	if (result == -EFAULT && !call->must_write)
		memset(may, true, size);
	if (result == -EINVAL && call->request == VPMC_START &&
	    !call_refuses(call, offset) && !mark_reason(answer, may))
		return "a reason that there is not";
	for (i = 0; i < MARGIN + call->known + MARGIN; i++)
		if (before[i] != answer[i - MARGIN] &&
		    (i < MARGIN || i >= MARGIN + size || !may[i - MARGIN]))
			return "a byte that is no part of the answer";
	return NULL;
}
