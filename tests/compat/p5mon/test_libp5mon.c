// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests libp5mon: its structures, the buffers of the device, and regions.
 */
#include "../../unit/lib/unit.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../unit/lib/fake_driver.h"
#include "../../unit/lib/fake_rdpmc.h"
#include "libp5mon.h"
#include "p5mon_device.h"
#include "p5mon_regions.h"

#define MAX ((1ULL << 40) - 1)

/* The header does not declare these functions, because programs in assembler call them. */
void p5mon_asm_begreg_0(void);
void p5mon_asm_begreg_99(void);
void p5mon_asm_endreg_0(void);
void p5mon_asm_endreg_99(void);

static int open_p5mon(void **state)
{
	fake_setup(state);
	/* A process that has not started a count does not have events. */
	fake->query_errno = ENODATA;
	fake->read.state = VPMC_STATE_RUNNING;
	fake->read.count[0] = 0;
	fake->read.count[1] = 0;
	return p5mon_init();
}

static int close_p5mon(void **state)
{
	return p5mon_close();
}

static void check_error(int error, const char *words)
{
	assert_int_equal(errno, error);
	if (!strstr(p5mon_error(), words))
		fail_msg("\"%s\" does not say \"%s\"", p5mon_error(), words);
}

static CNT_CONFIG two_events(CNT_CLR clr)
{
	return (CNT_CONFIG){ .event0 = data_read_miss,
			     .ctrl0 = evt_user,
			     .event1 = data_read,
			     .ctrl1 = evt_all,
			     .clr = clr };
}

static void configure(CNT_CLR clr, ULONG init0, ULONG init1)
{
	CNT_CONFIG config = two_events(clr);

	config.init0 = init0;
	config.init1 = init1;
	if (p5mon_config(&config))
		fail_msg("%s", p5mon_error());
}

static void check_read(ULONG counter0, ULONG counter1, ULONG cesr)
{
	ULONG result[3];

	if (p5mon_read(result))
		fail_msg("%s", p5mon_error());
	assert_int_equal(result[0], counter0);
	assert_int_equal(result[1], counter1);
	assert_int_equal(result[2], cesr);
}

static void check_started(size_t i, uint64_t code, int counter,
			  unsigned int modes)
{
	const struct vpmc_event *event = &fake->started.event[i];

	assert_int_equal(event->code, code);
	assert_int_equal(event->counter, counter);
	assert_int_equal(event->modes, modes);
}

static void a_configuration_starts_both_counters(void **state)
{
	configure(clr_0_1, 0, 0);
	assert_int_equal(fake->started.nr_events, 2);
	check_started(0, 0x03, 0, VPMC_MODE_USER);
	check_started(1, 0x00, 1, VPMC_MODE_USER | VPMC_MODE_KERNEL);
	fake->read.count[0] = 96;
	fake->read.count[1] = 2166;
	check_read(96, 2166, 0x00c00083);
}

static void processes_that_were_waited_for_are_counted(void **state)
{
	configure(clr_0_1, 0, 0);
	fake->read.count[0] = 10;
	fake->children.count[0] = 5;
	check_read(15, 0, 0x00c00083);
}

static void clock_cycles_are_counted_by_control_or_by_event(void **state)
{
	CNT_CONFIG config = two_events(clr_0_1);

	config.ctrl0 = clk_user;
	config.event1 = count_clocks;
	config.ctrl1 = evt_kernel;
	assert_int_equal(p5mon_config(&config), 0);
	check_started(0, 0x100, 0, VPMC_MODE_USER);
	check_started(1, 0x100, 1, VPMC_MODE_KERNEL);
	check_read(0, 0, 0x01400183);
}

static void a_disabled_counter_is_not_started(void **state)
{
	CNT_CONFIG config = two_events(clr_0_1);

	config.event0 = event_disable;
	assert_int_equal(p5mon_config(&config), 0);
	assert_int_equal(fake->started.nr_events, 1);
	check_started(0, 0x00, 1, VPMC_MODE_USER | VPMC_MODE_KERNEL);
	fake->read.count[0] = 7;
	fake->read.nr_counts = 1;
	fake->children.nr_counts = 1;
	check_read(0, 7, 0x00c00000);
	config.ctrl1 = evt_disable;
	assert_int_equal(p5mon_config(&config), 0);
	assert_int_equal(fake->stops, 1);
	check_read(0, 0, 0);
}

/* Each row has the values to which the counters change from 100 and 200. */
static const struct {
	CNT_CLR clr;
	ULONG counter[2];
} clearings[] = {
	{ clr_none, { 100, 200 } },  { clr_0, { 0, 200 } },
	{ clr_1, { 100, 0 } },	     { clr_0_1, { 0, 0 } },
	{ init_0_clr_1, { 11, 0 } }, { init_1_clr_0, { 0, 22 } },
	{ init_0, { 11, 200 } },     { init_1, { 100, 22 } },
	{ init_0_1, { 11, 22 } },    { clear_only, { 0, 0 } },
};

static void counters_are_cleared_preset_or_left_alone(void **state)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(clearings); i++) {
		fake->read.count[0] = 0;
		fake->read.count[1] = 0;
		configure(init_0_1, 70, 150);
		fake->read.count[0] = 30;
		fake->read.count[1] = 50;
		check_read(100, 200, 0x00c00083);
		configure(clearings[i].clr, 11, 22);
		/* The count has begun again from these values. */
		fake->read.count[0] = 1;
		fake->read.count[1] = 2;
		check_read(clearings[i].counter[0] + 1,
			   clearings[i].counter[1] + 2, 0x00c00083);
	}
}

static void clear_only_leaves_cesr_as_it_is(void **state)
{
	CNT_CONFIG config = { .event0 = branches,
			      .ctrl0 = evt_user,
			      .clr = clear_only };

	configure(clr_0_1, 0, 0);
	assert_int_equal(p5mon_config(&config), 0);
	check_read(0, 0, 0x00c00083);
	fake->read.count[1] = 9;
	assert_int_equal(p5mon_clear(), 0);
	fake->read.count[1] = 0;
	check_read(0, 0, 0x00c00083);
}

static void counters_have_40_bits(void **state)
{
	configure(init_0_1, MAX, MAX);
	fake->read.count[0] = 1;
	check_read(0, MAX, 0x00c00083);
}

static void inherited_counters_can_be_read(void **state)
{
	fake->query_errno = 0;
	fake->query.nr_events = 2;
	fake->query.event[0].code = 0x16;
	fake->query.event[0].counter = 1;
	fake->query.event[0].modes = VPMC_MODE_USER;
	fake->query.event[1].code = 0x100;
	fake->query.event[1].counter = 0;
	fake->query.event[1].modes = VPMC_MODE_KERNEL;
	fake->read.count[0] = 5;
	fake->read.count[1] = 6;
	check_read(6, 5, 0x00960140);
}

/* Inherit events as with perfex --multiplex: three events, or two events on one counter. */
static void inherited_events_that_take_turns_are_refused(void **state)
{
	CNT_CONFIG config = two_events(clr_0);
	ULONG result[3];

	fake->query_errno = 0;
	fake->query.nr_events = 3;
	fake->query.event[0].code = 0x16;
	fake->query.event[0].modes = VPMC_MODE_USER;
	fake->query.event[1].code = 0x12;
	fake->query.event[1].counter = 1;
	fake->query.event[1].modes = VPMC_MODE_USER;
	assert_int_equal(p5mon_read(result), -1);
	check_error(EIO, "3 events that were inherited");
	fake->query.nr_events = 2;
	check_read(0, 0, 0x00920096);
	fake->query.event[1].counter = 0;
	assert_int_equal(p5mon_read(result), -1);
	check_error(EIO, "2 events that were inherited");
	/*
	 * A configuration that keeps a counter, and clearing, need the inherited events, so
	 * they fail, too. A configuration that clears both counters works.
	 */
	assert_int_equal(p5mon_config(&config), -1);
	check_error(EIO, "2 events that were inherited");
	assert_int_equal(p5mon_clear(), -1);
	check_error(EIO, "2 events that were inherited");
	configure(clr_0_1, 0, 0);
}

static void nothing_counts_before_a_configuration(void **state)
{
	check_read(0, 0, 0);
}

static void cesr_becomes_a_structure(void **state)
{
	CNT_CONFIG config;

	p5mon_gen_config(0x00c00083, &config);
	assert_int_equal(config.event0, data_read_miss);
	assert_int_equal(config.ctrl0, evt_user);
	assert_int_equal(config.event1, data_read);
	assert_int_equal(config.ctrl1, evt_all);
	assert_int_equal(config.clr, clr_none);
	/* Count clocks, and disable the counter in both possible ways. */
	p5mon_gen_config(0x01120140, &config);
	assert_int_equal(config.event0, count_clocks);
	assert_int_equal(config.ctrl0, clk_kernel);
	assert_int_equal(config.event1, event_disable);
	assert_int_equal(config.ctrl1, evt_disable);
	p5mon_gen_config(0x00000012, &config);
	assert_int_equal(config.event0, event_disable);
}

static void every_event_has_a_name(void **state)
{
	unsigned int code, nr = 0;

	for (code = 0; code < P5MON_EVENTS; code++)
		nr += p5mon_event_name[code] != NULL;
	/* There are names for 38 codes, for clock cycles, and for no event. */
	assert_int_equal(nr, 40);
	assert_string_equal(p5mon_event_name[0x17],
			    "Instructions Executed in the v-pipe");
	assert_null(p5mon_event_name[0x10]);
}

/* Each of these configurations has one error. */
static void a_wrong_configuration_changes_nothing(void **state)
{
	static const struct {
		CNT_CONFIG config;
		const char *words;
	} wrong[] = {
		{ { .event0 = (EVENT)0x10, .ctrl0 = evt_user },
		  "event0 is 0x10" },
		{ { .event1 = (EVENT)0x2a, .ctrl1 = evt_user },
		  "event1 is 0x2a" },
		{ { .event0 = (EVENT)1000 }, "event0 is 0x3e8" },
		{ { .ctrl0 = (CNT_CTRL)4 }, "ctrl0 is 4" },
		{ { .ctrl1 = (CNT_CTRL)8 }, "ctrl1 is 8" },
		{ { .clr = (CNT_CLR)10 }, "clr is 10" },
		{ { .clr = init_0, .init0 = MAX + 1 },
		  "init0 is 0x10000000000" },
		{ { .clr = init_1_clr_0, .init1 = MAX + 1 },
		  "init1 is 0x10000000000" },
	};
	CNT_CONFIG config;
	size_t i;

	configure(clr_0_1, 0, 0);
	memset(&fake->started, 0, sizeof(fake->started));
	for (i = 0; i < ARRAY_SIZE(wrong); i++) {
		config = wrong[i].config;
		assert_int_equal(p5mon_config(&config), -1);
		check_error(EINVAL, wrong[i].words);
		assert_int_equal(fake->started.nr_events, 0);
	}
	check_read(0, 0, 0x00c00083);
}

static void values_that_are_not_used_may_be_any(void **state)
{
	configure(clr_none, MAX + 1, MAX + 1);
	configure(init_0_clr_1, 1, MAX + 1);
	configure(init_1_clr_0, MAX + 1, 1);
}

static void errors_of_the_driver_are_told(void **state)
{
	CNT_CONFIG config = two_events(clr_0_1);
	ULONG result[3];

	fake->start_errno = EPERM;
	assert_int_equal(p5mon_config(&config), -1);
	check_error(EPERM, "kernel");
	fake->start_errno = EBUSY;
	assert_int_equal(p5mon_config(&config), -1);
	check_error(EBUSY, "busy");
	fake->start_errno = 0;
	configure(clr_0_1, 0, 0);
	fake->read_errno = ESTALE;
	assert_int_equal(p5mon_read(result), -1);
	assert_int_equal(errno, EIO);
}

static void functions_need_an_open_device(void **state)
{
	CNT_CONFIG config = two_events(clr_0_1);
	ULONG result[3];

	assert_int_equal(p5mon_config(&config), -1);
	check_error(EBADF, "p5mon_init()");
	assert_int_equal(p5mon_read(result), -1);
	assert_int_equal(p5mon_clear(), -1);
	assert_int_equal(p5mon_close(), -1);
	check_error(EBADF, "p5mon_init()");
}

static void it_is_opened_once(void **state)
{
	assert_int_equal(p5mon_init(), -1);
	check_error(EBUSY, "p5mon_close()");
}

static void other_processors_are_refused(void **state)
{
	strcpy(fake->info.pmu, "p6");
	fake->info.nr_counters = 2;
	assert_int_equal(p5mon_init(), -1);
	check_error(ENXIO, "Invalid processor");
	strcpy(fake->info.pmu, "p5");
	assert_int_equal(p5mon_init(), 0);
	assert_int_equal(p5mon_close(), 0);
}

static void without_a_driver_it_does_not_open(void **state)
{
	fake->open_errno = ENOENT;
	assert_int_equal(p5mon_init(), -1);
	check_error(ENODEV, "/dev/vpmc");
}

static struct p5mon_device *open_device(void)
{
	struct p5mon_device *device = p5mon_device_open();

	assert_non_null(device);
	fake->query_errno = ENODATA;
	return device;
}

/* This is the buffer of p5mon's sample program, which counts data reads and their misses. */
static void five_bytes_configure_the_device(void **state)
{
	static const unsigned char buffer[] = { 0x83, 0, 0x80, 0, 3 };
	struct p5mon_device *device = open_device();
	uint64_t value[3];

	assert_int_equal(p5mon_device_write(device, buffer, sizeof(buffer)), 5);
	check_started(0, 0x03, 0, VPMC_MODE_USER);
	check_started(1, 0x00, 1, VPMC_MODE_USER);
	fake->read.count[0] = 96;
	fake->read.count[1] = 2166;
	assert_int_equal(p5mon_device_read(device, value, sizeof(value)), 24);
	assert_int_equal(value[0], 96);
	assert_int_equal(value[1], 2166);
	assert_int_equal(value[2], 0x00800083);
	p5mon_device_close(device);
}

static void fifteen_bytes_have_the_values_of_counters(void **state)
{
	static const unsigned char buffer[] = { 0x83, 0, 0x80, 0, 8, 1, 2, 3,
						4,    5, 6,    7, 8, 9, 10 };
	struct p5mon_device *device = open_device();
	uint64_t value[3];

	assert_int_equal(p5mon_device_write(device, buffer, sizeof(buffer)),
			 15);
	fake->read.count[0] = 0;
	fake->read.count[1] = 0;
	assert_int_equal(p5mon_device_read(device, value, sizeof(value)), 24);
	assert_int_equal(value[0], 0x0504030201);
	assert_int_equal(value[1], 0x0a09080706);
	p5mon_device_close(device);
}

/* The other bits control pins, or are reserved. */
static void other_bits_of_cesr_are_not_taken_over(void **state)
{
	static const unsigned char buffer[] = { 0x83, 0xfe, 0x80, 0xfe, 3 };
	struct p5mon_device *device = open_device();
	uint64_t value[3];

	assert_int_equal(p5mon_device_write(device, buffer, sizeof(buffer)), 5);
	assert_int_equal(p5mon_device_read(device, value, sizeof(value)), 24);
	assert_int_equal(value[2], 0x00800083);
	p5mon_device_close(device);
}

static void buffers_that_are_too_short_are_refused(void **state)
{
	static const unsigned char buffer[] = { 0x83, 0, 0x80, 0, 8, 1, 2, 3,
						4,    5, 6,    7, 8, 9, 10 };
	static const unsigned char unknown[] = { 0x83, 0, 0x80, 0, 10 };
	struct p5mon_device *device = open_device();
	uint64_t value[3];

	assert_int_equal(p5mon_device_write(device, buffer, 4), -1);
	check_error(EINVAL, "4 bytes: give 5");
	assert_int_equal(p5mon_device_write(device, buffer, 14), -1);
	check_error(EINVAL, "14 bytes: give 15");
	assert_int_equal(p5mon_device_write(device, unknown, 5), -1);
	check_error(EINVAL, "10 is not an initialization");
	assert_int_equal(p5mon_device_read(device, value, 23), -1);
	check_error(EINVAL, "23 bytes: give 24");
	assert_int_equal(fake->started.nr_events, 0);
	p5mon_device_close(device);
}

static void fake_counts(uint64_t count0, uint64_t count1)
{
	fake->read.count[0] = count0;
	fake->read.count[1] = count1;
}

/* Return the regions of a process that executes @function and exits. */
static const char *regions_of(void (*function)(void))
{
	static char text[400];
	char path[] = "/tmp/p5mon-test-XXXXXX";
	const int fd = mkstemp(path);
	ssize_t length;
	pid_t pid;

	assert_true(fd >= 0);
	fake->map_errno = EOPNOTSUPP;
	pid = fork();
	if (!pid) {
		setenv(P5MON_REGIONS_FILE, path, 1);
		function();
		exit(0);
	}
	check_status(pid, 0);
	length = read(fd, text, sizeof(text) - 1);
	assert_true(length >= 0);
	text[length] = '\0';
	close(fd);
	unlink(path);
	return text;
}

static void enter_two(void)
{
	int i;

	p5mon_asm_init();
	fake_counts(1000, 50);
	p5mon_asm_begreg_0();
	for (i = 0; i < 3; i++) {
		fake_counts(2000 + 10 * (uint64_t)i, 60);
		p5mon_asm_begreg_99();
		fake_counts(2007 + 10 * (uint64_t)i, 62);
		p5mon_asm_endreg_99();
	}
	p5mon_asm_begreg_99();
	fake_counts(4000, 150);
	p5mon_asm_endreg_0();
}

static void regions_add_up_what_is_counted_in_them(void **state)
{
	fake->query.nr_events = 2;
	assert_string_equal(regions_of(enter_two),
			    "0 1 1 3000 100\n99 4 3 21 6\n");
}

static void one_event_has_one_count(void **state)
{
	fake->query.nr_events = 1;
	assert_string_equal(regions_of(enter_two), "0 1 1 3000\n99 4 3 21\n");
}

static void enter_uncounted(void)
{
	fake->query_errno = ENODATA;
	p5mon_asm_init();
	p5mon_asm_begreg_0();
	p5mon_asm_endreg_0();
}

static void regions_are_entered_where_nothing_is_counted(void **state)
{
	assert_string_equal(regions_of(enter_uncounted), "0 1 1\n");
}

static void enter_unreadable(void)
{
	fake->query.nr_events = 2;
	p5mon_asm_init();
	p5mon_asm_begreg_0();
	fake->read_errno = ESTALE;
	p5mon_asm_endreg_0();
}

static void counts_that_cannot_be_read_are_told_of(void **state)
{
	assert_memory_equal(regions_of(enter_unreadable), "error ", 6);
}

static void fork_within(void)
{
	pid_t pid;

	fake->query.nr_events = 2;
	p5mon_asm_init();
	p5mon_asm_init();
	p5mon_asm_begreg_0();
	pid = fork();
	if (!pid)
		exit(0);
	waitpid(pid, NULL, 0);
	fake->read.count[0] += 5;
	p5mon_asm_endreg_0();
}

static void a_forked_process_does_not_write_them_again(void **state)
{
	assert_string_equal(regions_of(fork_within), "0 1 1 5 0\n");
}

static void *enter_one(void *arg)
{
	p5mon_asm_begreg_0();
	p5mon_asm_endreg_0();
	return NULL;
}

static void enter_in_another_thread(void)
{
	pthread_t thread;

	fake->query.nr_events = 1;
	p5mon_asm_init();
	enter_one(NULL);
	pthread_create(&thread, NULL, enter_one, NULL);
	pthread_join(thread, NULL);
	enter_one(NULL);
}

/* Each thread has its own counts, so a thread cannot enter a region that another thread counts. */
static void a_region_of_another_thread_is_refused(void **state)
{
	assert_memory_equal(regions_of(enter_in_another_thread),
			    "error region 0 was entered or left in another"
			    " thread",
			    52);
}

/*
 * Enter a region that reads the counts without a system call. The first read works. Before the
 * second read, the counters are taken away.
 */
static void enter_uncountable(void)
{
	struct vpmc_own_page *page;

	fake->query.nr_events = 1;
	fake->map_errno = 0;
	fake_rdpmc_begin();
	page = fake_page(1);
	p5mon_asm_init();
	p5mon_asm_begreg_0();
	fake_take_away(page);
	p5mon_asm_endreg_0();
}

static void a_count_that_is_not_known_is_told_of(void **state)
{
	assert_memory_equal(regions_of(enter_uncountable),
			    "error the counts of a region are not known", 42);
}

static void enter_nothing(void)
{
	p5mon_asm_begreg_0();
	p5mon_asm_endreg_0();
}

static void without_p5mon_asm_init_nothing_is_written(void **state)
{
	assert_string_equal(regions_of(enter_nothing), "");
}

#define OPEN(test) \
	cmocka_unit_test_setup_teardown(test, open_p5mon, close_p5mon)
#define SHUT(test) cmocka_unit_test_setup(test, fake_setup)

static const struct CMUnitTest tests[] = {
	OPEN(a_configuration_starts_both_counters),
	OPEN(processes_that_were_waited_for_are_counted),
	OPEN(clock_cycles_are_counted_by_control_or_by_event),
	OPEN(a_disabled_counter_is_not_started),
	OPEN(counters_are_cleared_preset_or_left_alone),
	OPEN(clear_only_leaves_cesr_as_it_is),
	OPEN(counters_have_40_bits),
	OPEN(inherited_counters_can_be_read),
	OPEN(inherited_events_that_take_turns_are_refused),
	OPEN(nothing_counts_before_a_configuration),
	OPEN(cesr_becomes_a_structure),
	OPEN(every_event_has_a_name),
	OPEN(a_wrong_configuration_changes_nothing),
	OPEN(values_that_are_not_used_may_be_any),
	OPEN(errors_of_the_driver_are_told),
	SHUT(functions_need_an_open_device),
	OPEN(it_is_opened_once),
	SHUT(other_processors_are_refused),
	SHUT(without_a_driver_it_does_not_open),
	SHUT(five_bytes_configure_the_device),
	SHUT(fifteen_bytes_have_the_values_of_counters),
	SHUT(other_bits_of_cesr_are_not_taken_over),
	SHUT(buffers_that_are_too_short_are_refused),
	SHUT(regions_add_up_what_is_counted_in_them),
	SHUT(one_event_has_one_count),
	SHUT(regions_are_entered_where_nothing_is_counted),
	SHUT(counts_that_cannot_be_read_are_told_of),
	SHUT(a_forked_process_does_not_write_them_again),
	SHUT(a_region_of_another_thread_is_refused),
	SHUT(a_count_that_is_not_known_is_told_of),
	SHUT(without_p5mon_asm_init_nothing_is_written),
};

UNIT_MAIN(tests)
