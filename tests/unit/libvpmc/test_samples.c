// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests how samples are read from rings: the order over all rings, and records that are
 * held back or continue at the beginning of a ring. The kernel never writes the contents of some
 * of these rings.
 */
#include "unit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "check_error.h"
#include "fake_driver.h"

#define RING 4096UL

static const struct vpmc_event_sel two_events[] = {
	{ 0x16, VPMC_ANY_COUNTER, VPMC_USER },
	{ 0x12, VPMC_ANY_COUNTER, VPMC_USER | VPMC_KERNEL },
};

static const uint32_t two_periods[] = { 1000, 100000 };

/* These are the records that were read, one in a line. */
static char text[65536];
static size_t used;

static void note(const struct vpmc_sample_record *record, void *arg)
{
	char *at = text + used;
	const size_t room = sizeof(text) - used;

	assert_ptr_equal(arg, text);
	switch (record->kind) {
	case VPMC_SAMPLE_EVENT:
		used += (size_t)snprintf(
			at, room, "%" PRIu64 " %u/%u e%u%s%s %" PRIx64,
			record->tsc, record->pid, record->tid, record->event,
			record->is_kernel ? " kernel" : "",
			record->is_late ? " late" : "", record->address);
		used += (size_t)snprintf(
			text + used, sizeof(text) - used,
			record->more ? " and %" PRIu64 " more\n" : "\n",
			record->more);
		break;
	case VPMC_SAMPLE_MAP:
		used += (size_t)snprintf(
			at, room,
			"%" PRIu64 " %u map %" PRIx64 "-%" PRIx64 " +%" PRIx64
			" i%" PRIu64 " d%u:%u %.40s\n",
			record->tsc, record->pid, record->address, record->end,
			record->offset, record->inode, record->device_major,
			record->device_minor, record->text);
		break;
	case VPMC_SAMPLE_EXEC:
		used += (size_t)snprintf(at, room, "%" PRIu64 " %u exec %s\n",
					 record->tsc, record->pid,
					 record->text);
		break;
	case VPMC_SAMPLE_FORK:
	case VPMC_SAMPLE_BORN:
		used += (size_t)snprintf(
			at, room, "%" PRIu64 " %u %s number %" PRIu64 "\n",
			record->tsc, record->pid,
			record->kind == VPMC_SAMPLE_FORK ? "forks" : "is",
			record->number);
		break;
	}
	assert_true(used < sizeof(text));
}

/* Read records, and fail the test unless they are the expected records. */
static void check_read(struct vpmc_samples_rings *rings, int rest,
		       const char *lines)
{
	size_t taken, i, nr = 0;

	used = 0;
	text[0] = '\0';
	taken = vpmc_samples_read(rings, rest, note, text);
	assert_string_equal(text, lines);
	for (i = 0; i < used; i++)
		nr += text[i] == '\n';
	assert_int_equal(taken, nr);
}

static void check_lost(const struct vpmc_samples_rings *rings, uint64_t samples,
		       uint64_t changes, uint64_t invalid)
{
	struct vpmc_lost_samples lost;

	vpmc_samples_lost(rings, &lost);
	assert_int_equal(lost.samples, samples);
	assert_int_equal(lost.changes, changes);
	assert_int_equal(lost.invalid, invalid);
}

static struct vpmc_samples_rings *open_rings(struct vpmc *vpmc)
{
	struct vpmc_samples_rings *rings;

	assert_int_equal(
		vpmc_samples_open(vpmc, two_periods, 2, RING, &rings, NULL), 0);
	return rings;
}

static void a_start_has_the_periods(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_samples_rings *rings = open_rings(vpmc);

	assert_int_equal(fake->sampling.size, sizeof(struct vpmc_samples));
	assert_int_equal(fake->sampling.flags, 0);
	assert_int_equal(fake->sampling.ring_size, RING);
	assert_int_equal(vpmc_start(vpmc, two_events, 2, VPMC_COLLECT, NULL),
			 0);
	assert_int_equal(fake->started.event[0].period, 1000);
	assert_int_equal(fake->started.event[1].period, 100000);
	vpmc_samples_close(rings);
	vpmc_samples_close(NULL);
	vpmc_close(vpmc);

	vpmc = fake_open();
	assert_int_equal(vpmc_start(vpmc, two_events, 2, 0, NULL), 0);
	assert_int_equal(fake->started.event[0].period, 0);
	vpmc_close(vpmc);
}

static const struct vpmc_change several = {
	.tsc = 23,
	.pid = 100,
	.tid = 100,
	.begin = VPMC_WHERE_LATE | 1ULL << VPMC_WHERE_EVENT_SHIFT | 0x8126,
	.end = 7
};

static void records_come_in_the_order_of_time(void **state)
{
	const struct vpmc_change map = { .tsc = 11,
					 .pid = 100,
					 .tid = 100,
					 .begin = 0x8000,
					 .end = 0xa000,
					 .offset = 0x1000,
					 .inode = 77,
					 .device = 8ULL << 32 | 1 };
	const struct vpmc_change fork = {
		.tsc = 20, .pid = 100, .tid = 100, .begin = 1ULL << 40
	};
	const struct vpmc_change born = {
		.tsc = 20, .pid = 101, .tid = 101, .begin = 1ULL << 40
	};
	const struct vpmc_change exec = { .tsc = 10, .pid = 100, .tid = 100 };
	struct vpmc_lost_samples lost;
	struct vpmc *vpmc = fake_open();
	struct vpmc_samples_rings *rings = open_rings(vpmc);

	fake_change(1, VPMC_CHANGE_EXEC, &exec, "prog");
	fake_change(1, VPMC_CHANGE_MAP, &map, "/bin/prog (deleted)");
	fake_sample(0, 12, 0, 0x8123);
	fake_sample(0, 19, 0, VPMC_WHERE_LATE | 0x8124);
	fake_change(0, VPMC_CHANGE_FORK, &fork, NULL);
	fake_change(0, VPMC_CHANGE_BORN, &born, NULL);
	fake_sample(1, 21, 1,
		    VPMC_WHERE_KERNEL | 1ULL << VPMC_WHERE_EVENT_SHIFT |
			    0xffffff80001234);
	fake_sample(1, 22, 1, VPMC_WHERE_KERNEL | 0xc0001234);
	fake_sample(0, 21, 0, 0x8125);
	fake_change(0, VPMC_CHANGE_SAMPLES, &several, NULL);
	fake_ring(0)->lost = 5;
	fake_ring(1)->lost = 2;
	fake_ring(1)->lost_changes = 1;
	fake_ring(1)->hidden = 3;

	check_read(rings, 1,
		   "10 100 exec prog\n"
		   "11 100 map 8000-a000 +1000 i77 d8:1 /bin/prog (deleted)\n"
		   "12 100/100 e0 8123\n"
		   "19 100/100 e0 late 8124\n"
		   "20 100 forks number 1099511627776\n"
		   "20 101 is number 1099511627776\n"
		   "21 100/100 e0 8125\n"
		   "21 101/101 e1 kernel ffffffff80001234\n"
		   "22 101/101 e0 kernel c0001234\n"
		   "23 100/100 e1 late 8126 and 6 more\n");
	check_read(rings, 1, "");
	assert_int_equal(fake_ring(0)->tail, fake_ring(0)->head);
	assert_int_equal(fake_ring(1)->tail, fake_ring(1)->head);
	check_lost(rings, 7, 1, 0);
	vpmc_samples_lost(rings, &lost);
	assert_int_equal(lost.hidden, 3);
	vpmc_samples_close(rings);
	vpmc_close(vpmc);
}

static void options_reach_the_driver(void **state)
{
	const struct vpmc_samples_options options = { .jitter = { 0, 77 },
						      .seed = 12,
						      .callers = 5,
						      .with_registers = 1 };
	struct vpmc *vpmc = fake_open();
	struct vpmc_samples_rings *rings;

	assert_int_equal(vpmc_samples_open_with(vpmc, two_periods, 2, RING,
						&options, &rings, NULL),
			 0);
	assert_int_equal(fake->sampling.flags, VPMC_SAMPLES_REGISTERS);
	assert_int_equal(fake->sampling.jitter[0], 0);
	assert_int_equal(fake->sampling.jitter[1], 77);
	assert_int_equal(fake->sampling.seed, 12);
	assert_int_equal(fake->sampling.callers, 5);
	vpmc_samples_close(rings);
	vpmc_close(vpmc);
}

/* Write a sample with @nr callers and some registers. Their values are 1, 2 and so on. */
static void fake_long_sample(uint64_t tsc, uint16_t nr, bool has_registers,
			     uint32_t more)
{
	uint64_t record[256] = { 0 };
	struct vpmc_long_sample *sample = (void *)record;
	const uint32_t words = nr + (has_registers ? 20 : 0);
	const uint32_t size = (uint32_t)sizeof(*sample) + words * 8 + more;
	uint32_t i;

	sample->where = VPMC_WHERE_OTHER | size |
			(uint64_t)VPMC_CHANGE_SAMPLE << VPMC_CHANGE_TYPE_SHIFT;
	sample->tsc = tsc;
	sample->pid = 7;
	sample->tid = 8;
	sample->at = VPMC_WHERE_KERNEL | 0x123;
	sample->nr_callers = nr;
	sample->end = VPMC_CHAIN_DEPTH;
	sample->flags = has_registers ? VPMC_SAMPLES_REGISTERS : 0;
	for (i = 0; i < words; i++)
		sample->caller[i] = i + 1;
	fake_write(0, record, size);
}

/* Print a sample with its callers and two registers. */
static void note_long(const struct vpmc_sample_record *record, void *arg)
{
	unsigned int i;

	note(record, arg);
	used += (size_t)snprintf(text + used, sizeof(text) - used,
				 "end %d:", record->callers_end);
	for (i = 0; i < record->nr_callers && i < 3; i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 " %" PRIu64, record->caller[i]);
	if (record->registers)
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 " rax %" PRIu64 " ss %" PRIu64,
					 record->registers->rax,
					 record->registers->ss);
	used += (size_t)snprintf(text + used, sizeof(text) - used, "\n");
}

static void samples_have_callers_and_registers(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_samples_rings *rings = open_rings(vpmc);

	fake_long_sample(1, 0, false, 0);
	fake_long_sample(2, 2, true, 0);
	fake_sample(0, 3, 0, 0x99);
	fake_long_sample(4, 127, false, 0);
	/*
	 * The size of these records does not match their fields, or they have too many callers.
	 */
	fake_long_sample(5, 2, false, 8);
	fake_long_sample(6, 128, false, 0);
	used = 0;
	assert_int_equal(vpmc_samples_read(rings, 1, note_long, text), 4);
	assert_string_equal(text,
			    "1 7/8 e0 kernel 123\nend 2:\n"
			    "2 7/8 e0 kernel 123\nend 2: 1 2 rax 3 ss 22\n"
			    "3 100/100 e0 99\nend 0:\n"
			    "4 7/8 e0 kernel 123\nend 2: 1 2 3\n");
	check_lost(rings, 0, 0, (5 + 3) * 8 + (5 + 128) * 8);
	vpmc_samples_close(rings);
	vpmc_close(vpmc);
}

/* A record of another processor may come later than newer records. */
static void young_records_are_held_back(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_samples_rings *rings = open_rings(vpmc);

	fake_sample(0, 10, 0, 0x10);
	fake_sample(0, 30, 0, 0x30);
	check_read(rings, 0, "");
	assert_int_equal(fake_ring(0)->tail, 0);
	fake_sample(1, 20, 1, 0x20);
	fake_sample(1, 40, 1, 0x40);
	check_read(rings, 0,
		   "10 100/100 e0 10\n20 101/101 e0 20\n30 100/100 e0 30\n");
	assert_int_equal(fake_ring(0)->tail, 48);
	assert_int_equal(fake_ring(1)->tail, 24);
	fake_sample(0, 35, 0, 0x35);
	check_read(rings, 0, "35 100/100 e0 35\n40 101/101 e0 40\n");
	fake_sample(0, 50, 0, 0x50);
	check_read(rings, 0, "");
	check_read(rings, 1, "50 100/100 e0 50\n");
	vpmc_samples_close(rings);
	vpmc_close(vpmc);
}

/* Fill a ring three times over, so that records continue at its beginning at different places. */
static void records_may_continue_at_the_beginning(void **state)
{
	char path[48], expected[256];
	struct vpmc *vpmc = fake_open();
	struct vpmc_samples_rings *rings = open_rings(vpmc);
	struct vpmc_change map = { .pid = 100, .tid = 100, .end = 1 };
	unsigned int i, turns = 0;
	uint64_t before;

	for (i = 1; i <= 100; i++) {
		before = fake_ring(0)->head / RING;
		memset(path, 'a' + (int)(i % 26), sizeof(path));
		path[i % sizeof(path)] = '\0';
		map.tsc = 2ULL * i;
		fake_change(0, VPMC_CHANGE_MAP, &map, path);
		fake_sample(0, 2ULL * i + 1, 0, i);
		turns += fake_ring(0)->head / RING != before;
		snprintf(expected, sizeof(expected),
			 "%u 100 map 0-1 +0 i0 d0:0 %.40s\n"
			 "%u 100/100 e0 %x\n",
			 2 * i, path, 2 * i + 1, i);
		check_read(rings, 1, expected);
	}
	assert_true(turns >= 2);
	check_lost(rings, 0, 0, 0);
	vpmc_samples_close(rings);
	vpmc_close(vpmc);
}

/* A ring can be full to its last byte, even at positions near the end of 32 bits. */
static void a_full_ring_is_read(void **state)
{
	const uint32_t begin = UINT32_MAX - 999;
	struct vpmc *vpmc = fake_open();
	struct vpmc_samples_rings *rings = open_rings(vpmc);
	unsigned int i;

	/* The reader follows the kernel's jump, and counts one ring of invalid bytes. */
	fake_ring(0)->head = begin;
	check_read(rings, 1, "");
	assert_int_equal(fake_ring(0)->tail, 0);
	check_lost(rings, 0, 0, RING);
	for (i = 0; i < RING / 24; i++)
		fake_sample(0, i, 0, i);
	used = 0;
	assert_int_equal(vpmc_samples_read(rings, 1, note, text), RING / 24);
	assert_true(fake_ring(0)->tail == fake_ring(0)->head);
	assert_true(fake_ring(0)->tail == (uint32_t)(begin + RING / 24 * 24));
	assert_true(fake_ring(0)->tail < RING);
	check_lost(rings, 0, 0, RING);
	vpmc_samples_close(rings);
	vpmc_close(vpmc);
}

static const struct {
	uint64_t where;
	size_t size;
} hostile[] = {
	/* the size of a change is 0, is not a multiple of 8, or is too small */
	{ VPMC_WHERE_OTHER | 1ULL << VPMC_CHANGE_TYPE_SHIFT, 80 },
	{ VPMC_WHERE_OTHER | 1ULL << VPMC_CHANGE_TYPE_SHIFT | 84, 88 },
	{ VPMC_WHERE_OTHER | 1ULL << VPMC_CHANGE_TYPE_SHIFT | 56, 80 },
	/* it is larger than the record, or larger than a ring */
	{ VPMC_WHERE_OTHER | 1ULL << VPMC_CHANGE_TYPE_SHIFT | 88, 80 },
	{ VPMC_WHERE_OTHER | 1ULL << VPMC_CHANGE_TYPE_SHIFT | 8192, 80 },
	{ VPMC_WHERE_OTHER | 1ULL << VPMC_CHANGE_TYPE_SHIFT | 0xfffffff8, 80 },
	/* less than a sample */
	{ 0x8000, 16 },
};

static void a_ring_that_makes_no_sense_is_skipped(void **state)
{
	uint64_t bytes[16];
	struct vpmc_samples_rings *rings;
	uint64_t invalid = 0;
	struct vpmc *vpmc;
	size_t i;

	for (i = 0; i < ARRAY_SIZE(hostile); i++) {
		vpmc = fake_open();
		rings = open_rings(vpmc);
		memset(bytes, 0, sizeof(bytes));
		bytes[0] = hostile[i].where;
		fake_sample(0, 10, 0, 0x10);
		fake_write(0, bytes, hostile[i].size);
		fake_sample(1, 20, 0, 0x20);
		check_read(rings, 0, "");
		/* The next records can be read again. */
		fake_sample(0, 30, 0, 0x30);
		check_read(rings, 1,
			   "10 100/100 e0 10\n20 100/100 e0 20\n"
			   "30 100/100 e0 30\n");
		invalid = hostile[i].size;
		check_lost(rings, 0, 0, invalid);
		assert_true(fake_ring(0)->tail == fake_ring(0)->head);
		vpmc_samples_close(rings);
		vpmc_close(vpmc);
	}
}

/* Whole records that the library does not know are skipped one by one. */
static void unknown_records_are_skipped(void **state)
{
	const struct vpmc_change none = { .tsc = 1, .begin = 5, .end = 5 };
	uint64_t unended[10] = {
		VPMC_WHERE_OTHER |
			(uint64_t)VPMC_CHANGE_EXEC << VPMC_CHANGE_TYPE_SHIFT |
			sizeof(unended),
	};
	struct vpmc *vpmc = fake_open();
	struct vpmc_samples_rings *rings = open_rings(vpmc);

	unended[9] = UINT64_MAX;
	fake_change(0, (enum vpmc_change_type)5, &none, "");
	fake_change(0, VPMC_CHANGE_MAP, &none, "");
	fake_change(0, VPMC_CHANGE_EXEC, &none, NULL);
	fake_write(0, unended, sizeof(unended));
	fake_sample(0, 2, 0, 2ULL << VPMC_WHERE_EVENT_SHIFT);
	fake_sample(0, 3, 0, 0x30);
	check_read(rings, 1, "3 100/100 e0 30\n");
	check_lost(rings, 0, 0, 72 + 72 + 64 + 80 + 24);
	vpmc_samples_close(rings);
	vpmc_close(vpmc);
}

/* A head that goes back, or that is not at the end of a record, does not mislead the reader. */
static void a_head_out_of_place_is_harmless(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_samples_rings *rings = open_rings(vpmc);

	fake_sample(0, 10, 0, 0x10);
	fake_sample(0, 20, 0, 0x20);
	check_read(rings, 0, "");
	fake_ring(0)->head = 24;
	check_read(rings, 0, "10 100/100 e0 10\n20 100/100 e0 20\n");
	fake_ring(0)->head = 0;
	check_read(rings, 0, "");
	check_lost(rings, 0, 0, RING);
	vpmc_samples_close(rings);
	vpmc_close(vpmc);

	vpmc = fake_open();
	rings = open_rings(vpmc);
	fake_sample(0, 10, 0, 0x10);
	fake_ring(0)->head += 3;
	check_read(rings, 1, "10 100/100 e0 10\n");
	assert_int_equal(fake_ring(0)->tail, 24);
	check_lost(rings, 0, 0, 0);
	vpmc_samples_close(rings);
	vpmc_close(vpmc);
}

/* Return a random number below @below, by Marsaglia's xorshift. */
static uint64_t draw(uint64_t below)
{
	static uint64_t random = 38;

	random ^= random << 13;
	random ^= random >> 7;
	random ^= random << 17;
	return (random >> 11) % below;
}

/* Read all that a record points to, so that the sanitizers check it. */
static void touch(const struct vpmc_sample_record *record, void *arg)
{
	uint64_t *sum = arg;
	unsigned int i;

	assert_true(record->kind <= VPMC_SAMPLE_BORN && record->event < 2);
	assert_true(record->nr_callers <= VPMC_CALLERS_MAX);
	*sum += record->text ? strlen(record->text) : 0;
	for (i = 0; i < record->nr_callers; i++)
		*sum += record->caller[i];
	*sum += record->registers ? record->registers->ss : 0;
}

/* Add a record of random words, or change a word or the head of a ring. */
static void fuzz(unsigned int ring)
{
	uint64_t words[48], nr = 1 + draw(ARRAY_SIZE(words)), i;

	for (i = 0; i < nr; i++)
		words[i] = draw(draw(2) ? 40 : UINT64_MAX);
	words[0] = VPMC_WHERE_OTHER | draw(8) << VPMC_CHANGE_TYPE_SHIFT |
		   (draw(4) ? nr * 8 : draw(RING + 64));
	switch (draw(16)) {
	case 0:
		fake_ring(ring)->head = (uint32_t)draw(UINT32_MAX);
		break;
	case 1:
		((uint64_t *)(fake_ring(ring) + 1))[draw(RING / 8)] = words[0];
		break;
	case 2:
	case 3:
		fake_long_sample(draw(1000), (uint16_t)draw(140), draw(2),
				 (uint32_t)draw(2) * 8);
		break;
	case 4:
	case 5:
		fake_sample(ring, draw(1000), 0, draw(UINT64_MAX));
		break;
	default:
		fake_write(ring, words, nr * 8);
	}
}

/* Whatever is in the rings, the reader ends, stays inside of them, and reads the next records. */
static void random_rings_are_read(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_samples_rings *rings = open_rings(vpmc);
	unsigned int i, ring;
	uint64_t sum = 0, nr = 0;

	for (i = 0; i < 20000; i++) {
		fuzz((unsigned int)draw(fake->nr_rings));
		if (!draw(3))
			nr += vpmc_samples_read(rings, (int)draw(2), touch,
						&sum);
	}
	vpmc_samples_read(rings, 1, touch, &sum);
	assert_true(nr > 1000 && sum);
	for (ring = 0; ring < fake->nr_rings; ring++)
		fake_ring(ring)->head = fake_ring(ring)->tail;
	fake_sample(0, 30, 0, 0x30);
	check_read(rings, 1, "30 100/100 e0 30\n");
	vpmc_samples_close(rings);
	vpmc_close(vpmc);
}

static const struct {
	int number;
	int map_number;
	enum vpmc_code code;
	const char *words;
} errors[] = {
	{ EBUSY, 0, VPMC_E_BUSY, "already ... open another" },
	{ EOPNOTSUPP, 0, VPMC_E_UNSUPPORTED, "interrupt" },
	{ ENOMEM, 0, VPMC_E_MEMORY, "RLIMIT_MEMLOCK" },
	{ EINVAL, 0, VPMC_E_ABI, "one version" },
	{ ENOTTY, 0, VPMC_E_ABI, "one version" },
	{ 0, EACCES, VPMC_E_PERMISSION, "write" },
	{ 0, ENOMEM, VPMC_E_MEMORY, "out of memory" },
};

static void every_refusal_is_explained(void **state)
{
	struct vpmc_samples_rings *rings = NULL;
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(errors); i++) {
		fake->samples_errno = errors[i].number;
		fake->ring_map_errno = errors[i].map_number;
		ret = vpmc_samples_open(vpmc, two_periods, 2, RING, &rings,
					&err);
		check_error(ret, &err, errors[i].code, errors[i].words);
	}
	assert_null(rings);
	vpmc_close(vpmc);
}

static const struct {
	uint32_t period[2];
	size_t nr;
	size_t size;
	const char *words;
} arguments[] = {
	{ { 0, 0 }, 2, RING, "2 events ... with a period" },
	{ { 1000 }, 33, RING, "33 events ... to 32" },
	{ { 1000 }, 1, 2048, "2048 bytes ... 4096" },
	{ { 1000 }, 1, 12288, "12288 bytes ... power of two" },
	{ { 1000 }, 1, 1 << 25, "33554432 ... 16777216" },
};

static void wrong_arguments_are_refused(void **state)
{
	struct vpmc_samples_rings *rings = NULL;
	struct vpmc *vpmc = fake_open();
	uint32_t period[33] = { 0 };
	struct vpmc_error err;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(arguments); i++) {
		memcpy(period, arguments[i].period,
		       sizeof(arguments[i].period));
		ret = vpmc_samples_open(vpmc, period, arguments[i].nr,
					arguments[i].size, &rings, &err);
		check_error(ret, &err, VPMC_E_ARGUMENT, arguments[i].words);
	}
	assert_int_equal(fake->sampling.size, 0);
	vpmc_close(vpmc);
}

static const struct {
	struct vpmc_samples_options options;
	const char *words;
} wrong_options[] = {
	{ { .callers = 128 }, "128 callers ... 127" },
	{ { .jitter = { 0, 0, 5 } }, "event 2 ... period" },
};

static void wrong_options_are_refused(void **state)
{
	struct vpmc_samples_rings *rings = NULL;
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(wrong_options); i++) {
		ret = vpmc_samples_open_with(vpmc, two_periods, 2, RING,
					     &wrong_options[i].options, &rings,
					     &err);
		check_error(ret, &err, VPMC_E_ARGUMENT, wrong_options[i].words);
	}
	assert_int_equal(fake->sampling.size, 0);
	vpmc_close(vpmc);
}

static const struct {
	uint32_t period[2];
	size_t nr;
	const char *words;
} starts[] = {
	{ { 999, 0 }, 2, "999 of event 0x16 ... short ... from 1000 to" },
	{ { 0, 99999 }, 2, "99999 of event 0x12 ... 100000 ... from 1000 " },
	{ { 0x80000000, 0 }, 2, "2147483648 ... long ... to 2147483647" },
	{ { 1000, 0 }, 1, "start 2 events ... of 1" },
};

static void a_start_with_a_wrong_period_is_refused(void **state)
{
	struct vpmc_samples_rings *rings;
	struct vpmc_error err;
	struct vpmc *vpmc;
	size_t i;
	int ret;

	for (i = 0; i < ARRAY_SIZE(starts); i++) {
		vpmc = fake_open();
		assert_int_equal(vpmc_samples_open(vpmc, starts[i].period,
						   starts[i].nr, RING, &rings,
						   NULL),
				 0);
		ret = vpmc_start(vpmc, two_events, 2, VPMC_COLLECT, &err);
		check_error(ret, &err, VPMC_E_ARGUMENT, starts[i].words);
		assert_int_equal(fake->started.size, 0);
		vpmc_samples_close(rings);
		vpmc_close(vpmc);
	}
}

static const struct {
	enum vpmc_reason reason;
	enum vpmc_code code;
	const char *words;
} reasons[] = {
	{ VPMC_REASON_PERIOD, VPMC_E_ARGUMENT, "period of event 0x12" },
	{ VPMC_REASON_NO_SAMPLES, VPMC_E_ARGUMENT, "COLLECT ... shared" },
	{ VPMC_REASON_NO_INTERRUPT, VPMC_E_UNSUPPORTED, "interrupt" },
	{ VPMC_REASON_LEASED, VPMC_E_UNSUPPORTED,
	  "without vpmc.lease to count event" },
};

static void the_drivers_reasons_are_explained(void **state)
{
	struct vpmc *vpmc = fake_open();
	struct vpmc_error err;
	size_t i;
	int ret;

	fake->start_errno = EINVAL;
	for (i = 0; i < ARRAY_SIZE(reasons); i++) {
		fake->start.error = reasons[i].reason;
		fake->start.error_event = 1;
		ret = vpmc_start(vpmc, two_events, 2, VPMC_COLLECT, &err);
		check_error(ret, &err, reasons[i].code, reasons[i].words);
	}
	vpmc_close(vpmc);
}

static const struct CMUnitTest tests[] = {
	cmocka_unit_test_setup(a_start_has_the_periods, fake_setup),
	cmocka_unit_test_setup(records_come_in_the_order_of_time, fake_setup),
	cmocka_unit_test_setup(options_reach_the_driver, fake_setup),
	cmocka_unit_test_setup(samples_have_callers_and_registers, fake_setup),
	cmocka_unit_test_setup(wrong_options_are_refused, fake_setup),
	cmocka_unit_test_setup(young_records_are_held_back, fake_setup),
	cmocka_unit_test_setup(records_may_continue_at_the_beginning,
			       fake_setup),
	cmocka_unit_test_setup(a_full_ring_is_read, fake_setup),
	cmocka_unit_test_setup(a_ring_that_makes_no_sense_is_skipped,
			       fake_setup),
	cmocka_unit_test_setup(unknown_records_are_skipped, fake_setup),
	cmocka_unit_test_setup(a_head_out_of_place_is_harmless, fake_setup),
	cmocka_unit_test_setup(random_rings_are_read, fake_setup),
	cmocka_unit_test_setup(every_refusal_is_explained, fake_setup),
	cmocka_unit_test_setup(wrong_arguments_are_refused, fake_setup),
	cmocka_unit_test_setup(a_start_with_a_wrong_period_is_refused,
			       fake_setup),
	cmocka_unit_test_setup(the_drivers_reasons_are_explained, fake_setup),
};

UNIT_MAIN(tests)
