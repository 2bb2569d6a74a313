// SPDX-License-Identifier: GPL-2.0-only
/*
 * This file tests the entries that a process with regions writes to a timeline. Each of these
 * processes is new and has had no regions.
 */
#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "fake_driver.h"
#include "fake_rdpmc.h"
#include "fake_regions.h"
#include "regions/region_timeline_file.h"
#include "run_files.h"
#include "run_perfex.h"
#include "single_step.h"
#include "vpmc_timeline.h"

#define WINDOWS 8

/* The file is mapped at this address. */
static char *at;

static struct vpmc_timeline_file *head(void)
{
	return (void *)at;
}

static struct vpmc_timeline_window *window(unsigned int nr)
{
	return (void *)(at + (size_t)nr * VPMC_TIMELINE_WINDOW);
}

static int make_file(void **state)
{
	const struct vpmc_timeline_file empty = { .magic = VPMC_TIMELINE_MAGIC,
						  .windows = 1 };
	int fd;

	if (directory_setup(state) || regions_setup(state))
		return -1;
	fd = open(path, O_RDWR | O_CREAT, 0600);
	if (fd < 0 || ftruncate(fd, VPMC_TIMELINE_WINDOW) ||
	    pwrite(fd, &empty, sizeof(empty), 0) != sizeof(empty))
		return -1;
	at = mmap(NULL, (size_t)WINDOWS * VPMC_TIMELINE_WINDOW,
		  PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return at == MAP_FAILED ? -1 : 0;
}

static int remove_file(void **state)
{
	munmap(at, (size_t)WINDOWS * VPMC_TIMELINE_WINDOW);
	vpmc_close(regions_vpmc);
	return directory_teardown(state);
}

/* Let a process call a function, and check its exit status. Return its process number. */
static pid_t in_process(void (*does)(void), int want)
{
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid) {
		setenv(VPMC_TIMELINE_VARIABLE, path, 1);
		/* This is the state at the start of a program. */
		vpmcint_region_timeline_open();
		does();
		_exit(0);
	}
	check_status(pid, want);
	return pid;
}

static char *place_of(const struct vpmc_timeline_window *of, uint32_t nr)
{
	return vpmc_timeline_at(of, nr, vpmc_timeline_size(of->events));
}

/* Return an entry as text. The next call overwrites the text. */
static const struct vpmc_timeline_entry *
entry_of(const struct vpmc_timeline_window *of, uint32_t nr)
{
	static struct vpmc_timeline_entry entry;

	vpmc_timeline_read(&entry, place_of(of, nr),
			   vpmc_timeline_size(of->events), of->since);
	return &entry;
}

static uint32_t room_of(const struct vpmc_timeline_window *of)
{
	return vpmc_timeline_room(vpmc_timeline_size(of->events));
}

/* Return the number of entries in a window up to the last entry that is not void. */
static uint32_t used_of(struct vpmc_timeline_window *of)
{
	uint32_t i, used = 0;

	for (i = 0; i < room_of(of); i++) {
		if (entry_of(of, i)->kind)
			used = i + 1;
		if (entry_of(of, i)->kind == VPMC_TIMELINE_NAME) {
			i += entry_of(of, i)->more;
			used = i + 1;
		}
	}
	return used;
}

/**
 * struct call - a region that has begun
 * @region: its number
 * @count: its counts at the begin; later, the counts to leave out
 */
struct call {
	uint32_t region;
	uint64_t count[2];
};

/* Regions with the same name have different numbers. */
#define NUMBERS 64
static struct call call[NUMBERS];
static unsigned int nr_open;
static uint32_t around[NUMBERS];
static uint64_t early[NUMBERS][2];

static uint64_t count_of(const struct vpmc_timeline_entry *entry,
			 uint32_t events, uint32_t nr)
{
	return nr < events ? entry->count[nr] : 0;
}

/* Read an entry that is neither a begin nor an end. */
static void read_other(const struct vpmc_timeline_entry *entry, uint32_t events)
{
	const bool is_one = entry->kind == VPMC_TIMELINE_APART_ONE;
	uint32_t region = entry->region, i, nr;
	bool is_found = false;

	if (entry->kind == VPMC_TIMELINE_NAME) {
		around[region] = entry->around;
		return;
	}
	for (nr = nr_open; nr && region; nr--) {
		if (call[nr - 1].region != region)
			continue;
		for (i = 0; i < 2; i++)
			call[nr - 1].count[i] += count_of(entry, events, i);
		region = is_one ? 0 : around[region];
		is_found = true;
	}
	for (i = 0; is_one && !is_found && i < 2; i++)
		early[entry->region][i] += count_of(entry, events, i);
}

static void read_begin(const struct vpmc_timeline_entry *entry, uint32_t events)
{
	struct call *one = &call[nr_open++];
	uint32_t i;

	assert_true(nr_open < NUMBERS);
	one->region = entry->region;
	for (i = 0; i < 2; i++) {
		one->count[i] =
			count_of(entry, events, i) + early[entry->region][i];
		early[entry->region][i] = 0;
	}
}

static void read_end(const struct vpmc_timeline_entry *entry, uint32_t events,
		     uint64_t count[2])
{
	uint32_t i;

	assert_true(nr_open);
	nr_open--;
	assert_int_equal(call[nr_open].region, entry->region);
	for (i = 0; i < 2; i++)
		count[i] = vpmc_timeline_narrow(count_of(entry, events, i) -
						call[nr_open].count[i]);
}

/* Return the entries of a window as text, in order. */
static const char *entries(unsigned int nr)
{
	static const char *const kinds[] = { "void", "name", "begin", "end",
					     "uncounted" };
	const uint32_t events = window(nr)->events;
	const struct vpmc_timeline_entry *entry;
	static char text[65536];
	size_t used = 0;
	uint64_t stamp = 0, count[2];
	uint32_t i;

	text[0] = '\0';
	nr_open = 0;
	for (i = 0; i < used_of(window(nr)); i++) {
		entry = entry_of(window(nr), i);
		assert_int_not_equal(entry->kind, VPMC_TIMELINE_VOID);
		if (entry->kind < VPMC_TIMELINE_BEGIN ||
		    entry->kind > VPMC_TIMELINE_UNCOUNTED)
			read_other(entry, events);
		if (entry->kind > VPMC_TIMELINE_UNCOUNTED)
			continue;
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s",
					 kinds[entry->kind]);
		if (entry->kind == VPMC_TIMELINE_NAME) {
			used += (size_t)snprintf(text + used,
						 sizeof(text) - used, " %s",
						 place_of(window(nr), i + 1));
			i += entry->more;
		} else {
			assert_true(entry->stamp > stamp);
			stamp = entry->stamp;
		}
		if (entry->kind == VPMC_TIMELINE_BEGIN)
			read_begin(entry, events);
		if (entry->kind == VPMC_TIMELINE_END) {
			read_end(entry, events, count);
			used += (size_t)snprintf(text + used,
						 sizeof(text) - used, " %u %u",
						 (unsigned int)count[0],
						 (unsigned int)count[1]);
		}
		used += (size_t)snprintf(text + used, sizeof(text) - used,
					 "\n");
	}
	return text;
}

static void nested(void)
{
	vpmc_region_begin("outer");
	regions_work(1);
	vpmc_region_begin("inner");
	regions_work(20);
	vpmc_region_end("inner");
	vpmc_region_begin("inner");
	regions_work(300);
	vpmc_region_end("inner");
	vpmc_region_end("outer");
}

static void one_event(void)
{
	regions_start(1);
	nested();
}

static void two_events(void)
{
	regions_start(2);
	nested();
}

static void without_rdpmc(void)
{
	fake->map_errno = EOPNOTSUPP;
	regions_start(2);
	nested();
}

static void begins_and_ends_have_their_counts(void **state)
{
	static const char one[] = "name outer\nbegin\nname inner\nbegin\n"
				  "end 20 0\nbegin\nend 300 0\nend 321 0\n";
	static const char two[] = "name outer\nbegin\nname inner\nbegin\n"
				  "end 20 200\nbegin\nend 300 3000\n"
				  "end 321 3210\n";
	pid_t pid = in_process(one_event, 0);

	assert_string_equal(entries(1), one);
	assert_int_equal(window(1)->thread, 1);
	assert_int_equal(window(1)->pid, pid);
	assert_int_equal(window(1)->tid, pid);
	assert_int_equal(window(1)->anew, 1);
	assert_int_equal(window(1)->events, 1);
	assert_int_equal(window(1)->left, 0);
	assert_int_equal(window(1)->event[0].code, 0x16);
	if (!under_valgrind())
		assert_string_equal(window(1)->command, "test_region_tim");
	in_process(two_events, 0);
	assert_string_equal(entries(2), two);
	assert_int_equal(window(2)->thread, 2);
	in_process(without_rdpmc, 0);
	assert_string_equal(entries(3), two);
	assert_int_equal(head()->windows, 4);
	assert_int_equal(head()->lost, 0);
}

/* Set the cost of each read. */
static void cost(void)
{
	regions_work(7);
}

static void with_costs(void)
{
	fake_rdpmc.then = cost;
	regions_start(1);
	nested();
}

/*
 * One read costs 7. One read is between the events of begin and end, and the pair has two reads.
 */
static void costs_are_known(void **state)
{
	in_process(with_costs, 0);
	assert_int_equal(window(1)->own[0], 7);
	assert_int_equal(window(1)->pair[0], 14);
}

static void long_name(void)
{
	char name[400];

	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	regions_start(1);
	vpmc_region_begin(name);
	vpmc_region_end(name);
	name[31] = '\0';
	vpmc_region_begin("b");
	vpmc_region_end("b");
	memset(name, 'y', 31);
	vpmc_region_begin(name + 1);
	vpmc_region_end(name + 1);
}

static void names_are_cut_off_where_they_take_too_much(void **state)
{
	char want[400] = "name ";

	in_process(long_name, 0);
	memset(want + 5, 'x', 271);
	snprintf(want + 5 + 271, sizeof(want) - 5 - 271,
		 "\nbegin\nend 0 0\nname b\nbegin\nend 0 0\n"
		 "name yyyyyyyyyyyyyyyyyyyyyyyyyyyyyy\n"
		 "begin\nend 0 0\n");
	assert_string_equal(entries(1), want);
}

/* This many entries fill two windows, and part of a third one. */
#define TURNS 4000UL

static void many(void)
{
	unsigned int i;

	regions_start(1);
	fake_rdpmc.then = cost;
	vpmc_region_begin("outer");
	for (i = 0; i < TURNS; i++) {
		vpmc_region_begin("turn");
		regions_work(1);
		vpmc_region_end("turn");
	}
	fake_rdpmc.then = NULL;
	vpmc_region_end("outer");
}

/*
 * Return the place of a window in the order in which the thread filled its windows. The
 * present window is the first in the file.
 */
static unsigned int in_turn(unsigned int turn)
{
	return turn + 2 < head()->windows ? turn + 2 : 1;
}

/* Events that occur while the library changes the window do not count in any region. */
static void a_full_window_is_copied_and_emptied(void **state)
{
	unsigned int begins = 0, ends = 0, turn;
	const struct vpmc_timeline_entry *entry;
	struct vpmc_timeline_window *one;
	uint64_t count[2] = { 0 };
	uint32_t i;

	in_process(many, 0);
	assert_in_range(head()->windows, 4, WINDOWS);
	nr_open = 0;
	for (turn = 0; turn < head()->windows - 1; turn++) {
		one = window(in_turn(turn));
		assert_int_equal(one->thread, 1);
		assert_int_equal(one->turn, turn);
		assert_int_equal(one->anew, turn == 0);
		assert_int_equal(one->used, room_of(one));
		for (i = 0; i < used_of(one); i++) {
			entry = entry_of(one, i);
			if (entry->kind == VPMC_TIMELINE_BEGIN) {
				read_begin(entry, 1);
				begins++;
			} else if (entry->kind == VPMC_TIMELINE_END) {
				read_end(entry, 1, count);
				ends++;
			} else {
				read_other(entry, 1);
			}
			i += entry->kind == VPMC_TIMELINE_NAME ? entry->more
							       : 0;
		}
	}
	assert_int_equal(head()->lost, 0);
	assert_int_equal(begins, TURNS + 1);
	assert_int_equal(ends, TURNS + 1);
	/*
	 * Each turn counts 1 and two reads. The outer region has one more read, and each begin
	 * that found no room has one.
	 */
	assert_int_equal(count[0],
			 TURNS * (1 + 2 * 7) + 7UL * (head()->windows - 1));
}

static void stopped(void)
{
	regions_start(1);
	vpmc_region_begin("stopped");
	regions_page->count[0].high[1] = VPMC_PAGE_INVALID;
	vpmc_region_end("stopped");
	regions_page->count[0].high[1] = 0;
}

static void a_region_that_was_not_counted_has_no_count(void **state)
{
	in_process(stopped, 0);
	assert_string_equal(entries(1), "name stopped\nbegin\nuncounted\n");
}

static void again(void)
{
	regions_start(1);
	vpmc_region_begin("open");
	regions_start(1);
	vpmc_region_begin("new");
	vpmc_region_end("new");
	vpmc_region_end("open");
}

static void a_start_begins_anew_in_another_window(void **state)
{
	in_process(again, 0);
	assert_string_equal(entries(2), "name open\nbegin\n");
	assert_string_equal(entries(1), "name new\nbegin\nend 0 0\n");
	assert_int_equal(window(1)->thread, 1);
	assert_int_equal(window(1)->turn, 1);
	assert_int_equal(window(1)->anew, 1);
}

static void *begin_open(void *unused)
{
	regions_start(1);
	vpmc_region_begin("open");
	return unused;
}

static void in_thread(void)
{
	pthread_t id;

	if (pthread_create(&id, NULL, begin_open, NULL) ||
	    pthread_join(id, NULL))
		_exit(1);
}

static void a_thread_leaves_the_time_of_its_exit(void **state)
{
	in_process(in_thread, 0);
	assert_string_equal(entries(1), "name open\nbegin\n");
	assert_true(window(1)->left >=
		    entry_of(window(1), used_of(window(1)) - 1)->stamp);
}

static void end_in_child(pid_t pid)
{
	int status;

	if (!pid) {
		vpmc_region_begin("child");
		regions_work(5);
		vpmc_region_end("child");
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	vpmc_region_end("parent");
	if (status)
		_exit(1);
}

static void with_fork(void)
{
	regions_start(1);
	vpmc_region_begin("parent");
	end_in_child(fork());
}

/* Fork by a system call, like a program with its own C library or without any. */
static void with_raw_fork(void)
{
	regions_start(1);
	vpmc_region_begin("parent");
	end_in_child(_Fork());
}

static void call_turn(void)
{
	vpmc_region_begin("turn");
	vpmc_region_end("turn");
}

/* The child begins a region that the parent has begun, too. */
static void with_regions_of_parent(void)
{
	pid_t pid;

	regions_start(1);
	vpmc_region_begin("parent");
	call_turn();
	pid = _Fork();
	if (!pid) {
		call_turn();
		vpmc_region_end("parent");
		_exit(0);
	}
	check_status(pid, 0);
	vpmc_region_end("parent");
}

static void check_child(void)
{
	assert_string_equal(entries(1), "name parent\nbegin\nend 0 0\n");
	assert_string_equal(entries(2), "name child\nbegin\nend 5 0\n");
	assert_int_equal(window(2)->thread, 2);
	assert_true(window(1)->pid != window(2)->pid);
	assert_int_equal(head()->lost, 0);
}

static void a_child_has_a_window_of_its_own(void **state)
{
	in_process(with_fork, 0);
	check_child();
}

static void so_has_one_that_the_library_is_not_told_of(void **state)
{
	in_process(with_raw_fork, 0);
	check_child();
}

/* The child gives regions new numbers in its own window, and leaves out those of its parent. */
static void so_has_one_that_goes_on_with_its_parents_regions(void **state)
{
	in_process(with_regions_of_parent, 0);
	assert_string_equal(entries(1), "name parent\nbegin\nname turn\n"
					"begin\nend 0 0\nend 0 0\n");
	assert_string_equal(entries(2), "name turn\nbegin\nend 0 0\n");
	assert_int_equal(head()->lost, 0);
}

/* The file has space for only one more window. */
static void without_space(void)
{
	const struct rlimit limit = { 2UL * VPMC_TIMELINE_WINDOW,
				      2UL * VPMC_TIMELINE_WINDOW };

	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	many();
}

static void what_there_is_no_space_for_is_counted(void **state)
{
	in_process(without_space, 0);
	assert_int_equal(window(1)->thread, 1);
	assert_true(used_of(window(1)) > room_of(window(1)) / 2);
	assert_in_range(head()->lost, 2 * TURNS - room_of(window(1)),
			2 * TURNS + 3);
}

/* Lose a window for want of space, and then continue with enough space. */
static void with_space_again(void)
{
	struct rlimit limit;
	rlim_t before;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	before = limit.rlim_cur;
	limit.rlim_cur = 2UL * VPMC_TIMELINE_WINDOW;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	many();
	limit.rlim_cur = before;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	nested();
	regions_start(1);
	nested();
}

/* Earlier entries stay in the file as another window of the thread. */
static void a_window_after_a_loss_is_another_one(void **state)
{
	const unsigned int last = 3;

	in_process(with_space_again, 0);
	assert_int_equal(head()->windows, last + 1);
	assert_true(head()->lost > 0);
	assert_int_equal(window(1)->thread, 1);
	assert_int_equal(window(1)->turn, 0);
	assert_int_equal(window(last)->thread, 1);
	assert_int_equal(window(last)->turn, 1);
}

/**
 * struct sum - the sum of a region over all places in which it was called
 * @calls: number of its ends
 * @count: its counts
 */
struct sum {
	uint64_t calls;
	uint64_t count[2];
};

static const char *named[NUMBERS];
static uint64_t last_stamp;

static struct sum *sum_of(const char *name)
{
	static const char *const names[] = { "outer", "inner", "handler",
					     "deep" };
	static struct sum sums[ARRAY_SIZE(names)];
	size_t i = 0;

	while (strcmp(names[i], name) != 0)
		assert_true(++i < ARRAY_SIZE(names));
	return &sums[i];
}

/* Time stamps increase, except in an entry that a handler has interrupted. Regions nest. */
static void check_entry(const struct vpmc_timeline_entry *entry,
			uint32_t events, const char *text)
{
	struct sum *sum;
	uint64_t count[2];

	if (!entry->kind)
		return;
	assert_true(entry->region < NUMBERS);
	if (entry->kind == VPMC_TIMELINE_NAME)
		named[entry->region] = text;
	if (entry->kind == VPMC_TIMELINE_NAME ||
	    entry->kind > VPMC_TIMELINE_UNCOUNTED) {
		read_other(entry, events);
		return;
	}
	if (entry->kind == VPMC_TIMELINE_BEGIN &&
	    !strcmp(named[entry->region], "handler"))
		last_stamp = 0;
	assert_true(entry->stamp > last_stamp);
	last_stamp = entry->stamp;
	if (entry->kind == VPMC_TIMELINE_BEGIN) {
		read_begin(entry, events);
		return;
	}
	assert_int_equal(entry->kind, VPMC_TIMELINE_END);
	read_end(entry, events, count);
	sum = sum_of(named[entry->region]);
	sum->calls++;
	sum->count[0] += count[0];
	sum->count[1] += count[1];
}

/* Check that the sum of all calls is the value in the table. */
static void check_sums(void)
{
	struct vpmc_regions *regions;
	struct sum *sum;
	size_t i;

	assert_int_equal(vpmc_regions_read(&regions, VPMC_THREAD, 0, NULL), 0);
	for (i = 0; i < regions->nr; i++) {
		sum = sum_of(regions->region[i].name);
		assert_int_equal(sum->calls, regions->region[i].calls);
		assert_int_equal(sum->count[0],
				 regions->region[i].inclusive[0]);
		assert_int_equal(sum->count[1],
				 regions->region[i].inclusive[1]);
	}
	vpmc_regions_free(regions);
}

static void check_timeline(void)
{
	struct vpmc_timeline_window *one;
	unsigned int turn;
	uint32_t i;

	assert_int_equal(head()->lost, 0);
	assert_true(head()->windows <= WINDOWS);
	for (turn = 0; turn < head()->windows - 1; turn++) {
		one = window(in_turn(turn));
		for (i = 0; i < used_of(one); i++) {
			check_entry(entry_of(one, i), one->events,
				    place_of(one, i + 1));
			i += entry_of(one, i)->kind == VPMC_TIMELINE_NAME
				     ? entry_of(one, i)->more
				     : 0;
		}
	}
	assert_int_equal(nr_open, 0);
	check_sums();
}

/* A signal comes at each of this many instructions. */
#define PLACES 100U

static void sweep(unsigned int events)
{
	unsigned int all, n;

	regions_start(events);
	fake_rdpmc.then = single_step_more;
	regions_work(1000000);
	nested();
	all = single_step(nested, UINT_MAX, NULL);
	for (n = 1; n < all - 10; n += 1 + all / PLACES)
		assert_int_equal(single_step(nested, n, regions_handle), n);
	check_timeline();
}

static void sweep_one_event(void)
{
	sweep(1);
}

static void sweep_two_events(void)
{
	sweep(2);
}

static void a_handler_at_any_instruction_is_in_it(void **state)
{
	in_process(sweep_one_event, 0);
}

static void so_it_is_with_two_events(void **state)
{
	in_process(sweep_two_events, 0);
}

/* Empty the file for another process. */
static void empty_file(void)
{
	const struct vpmc_timeline_file empty = { .magic = VPMC_TIMELINE_MAGIC,
						  .windows = 1 };

	assert_int_equal(truncate(path, 0), 0);
	assert_int_equal(truncate(path, VPMC_TIMELINE_WINDOW), 0);
	*head() = empty;
}

/* A signal comes at this instruction. A begin and its end have fewer than INSTRUCTIONS. */
#define INSTRUCTIONS 90U
static unsigned int signal_at;

/* Return the place for the number of the handler's calls that have room in the file. */
static uint32_t *calls_of_handler(void)
{
	return &head()->reserved;
}

/* Fill the window until it lacks room for another name. */
static void fill_window(void)
{
	const uint32_t calls =
		(room_of(window(1)) - used_of(window(1)) - 4) / 2;
	static char name[200];
	uint32_t i;

	for (i = 0; i < calls; i++) {
		vpmc_region_begin("handler");
		vpmc_region_end("handler");
	}
	memset(name, 'x', sizeof(name) - 1);
	vpmc_region_begin(name);
	vpmc_region_end(name);
	*calls_of_handler() = calls + 1;
}

static void filled_by_handler(void)
{
	regions_start(1);
	call_turn();
	single_step(call_turn, signal_at, fill_window);
}

/* Skip the end of the last region that had room, because the end itself may not have had room. */
static void skip_lost_end(const struct vpmc_timeline_entry *entry)
{
	if (head()->lost && nr_open > 1 &&
	    call[nr_open - 1].region != entry->region)
		nr_open--;
}

/* Return the number of begins and ends in the windows, and check that they nest. */
static uint32_t count_stamped(void)
{
	const struct vpmc_timeline_entry *entry;
	uint32_t nr = 0, turn, i;
	uint64_t count[2];

	nr_open = 0;
	for (turn = 0; turn < head()->windows - 1; turn++) {
		for (i = 0; i < used_of(window(in_turn(turn))); i++) {
			entry = entry_of(window(in_turn(turn)), i);
			nr += entry->kind == VPMC_TIMELINE_BEGIN ||
			      entry->kind == VPMC_TIMELINE_END;
			if (entry->kind == VPMC_TIMELINE_BEGIN)
				read_begin(entry, 1);
			if (entry->kind == VPMC_TIMELINE_END) {
				skip_lost_end(entry);
				read_end(entry, 1, count);
			}
			i += entry->kind == VPMC_TIMELINE_NAME ? entry->more
							       : 0;
		}
	}
	assert_true(nr_open <= (head()->lost > 0));
	return nr;
}

/*
 * A window is not replaced while a handler runs that has interrupted an entry in it, because the
 * entry is written after the handler. So there may be no room for the handler's name.
 */
static void an_interrupted_entry_keeps_its_window(void **state)
{
	unsigned int kept = 0, changed = 0;
	uint32_t all;

	for (signal_at = 1; signal_at < INSTRUCTIONS; signal_at++) {
		empty_file();
		in_process(filled_by_handler, 0);
		all = 2 * (2 + *calls_of_handler());
		kept += head()->windows == 2 && head()->lost;
		changed += head()->windows == 3 && !head()->lost;
		if (head()->windows > 2 || head()->lost)
			assert_int_equal(count_stamped() + head()->lost, all);
	}
	assert_in_range(kept, 4, INSTRUCTIONS / 2);
	assert_in_range(changed, 4, INSTRUCTIONS);
}

static sigjmp_buf before_jump;

static void jump(void)
{
	siglongjmp(before_jump, 1);
}

static void look_here(void)
{
	vpmc_region_here();
}

/*
 * The signal comes while "turn" begins or ends, and its handler does not return. Handlers that
 * have returned before must not matter.
 */
static void left_by_handler(void)
{
	const struct vpmc_region *here;

	regions_start(1);
	vpmc_region_begin("outer");
	here = vpmc_region_here();
	call_turn();
	single_step(call_turn, signal_at, look_here);
	if (sigsetjmp(before_jump, 1)) {
		single_step_off();
		vpmc_region_unwind(here);
	} else {
		single_step(call_turn, signal_at, jump);
	}
	fill_window();
	vpmc_region_end("outer");
}

static void
an_entry_that_is_left_by_a_jump_does_not_keep_its_window(void **state)
{
	for (signal_at = 1; signal_at < INSTRUCTIONS; signal_at++) {
		empty_file();
		in_process(left_by_handler, 0);
		assert_int_equal(head()->lost, 0);
		assert_int_equal(head()->windows, 3);
	}
}

/* The handler jumps within its own code, and then returns. */
static void jump_within(void)
{
	const struct vpmc_region *here = vpmc_region_here();

	if (sigsetjmp(before_jump, 1))
		vpmc_region_unwind(here);
	else
		jump();
	fill_window();
}

static void filled_after_jump(void)
{
	regions_start(1);
	call_turn();
	single_step(call_turn, signal_at, jump_within);
}

static void
a_jump_within_a_handler_keeps_the_window_of_what_it_interrupts(void **state)
{
	for (signal_at = 1; signal_at < INSTRUCTIONS; signal_at++) {
		empty_file();
		in_process(filled_after_jump, 0);
		if (head()->windows > 2 || head()->lost)
			assert_int_equal(count_stamped() + head()->lost,
					 2 * (2 + *calls_of_handler()));
	}
}

static void forked_by_handler(void)
{
	regions_start(1);
	call_turn();
	single_step(call_turn, signal_at, single_step_fork);
	call_turn();
	_exit(single_step_child_failed);
}

#define TURN "begin\nend 0 0\n"

static void a_child_of_a_handler_has_a_window_of_its_own(void **state)
{
	for (signal_at = 1; signal_at < INSTRUCTIONS; signal_at++) {
		empty_file();
		in_process(forked_by_handler, 0);
		assert_string_equal(entries(1), "name turn\n" TURN TURN TURN);
		/* Stop if the region has fewer instructions than this number. */
		if (head()->windows == 2)
			break;
		assert_memory_equal(entries(2), "name turn\n" TURN,
				    strlen("name turn\n" TURN));
		assert_true(window(1)->pid != window(2)->pid);
	}
	assert_true(signal_at > 40);
}

static void another_file_is_left_alone(void **state)
{
	static const char garbage[] = "garbage, garbage, garbage, garbage";
	char text[sizeof(garbage)] = "";
	int fd = open(path, O_RDWR | O_TRUNC);

	assert_int_equal(write(fd, garbage, sizeof(garbage)), sizeof(garbage));
	in_process(one_event, 0);
	assert_int_equal(pread(fd, text, sizeof(text), 0), sizeof(text));
	assert_string_equal(text, garbage);
	assert_int_equal(lseek(fd, 0, SEEK_END), sizeof(text));
	close(fd);
}

#define TIMELINE_TEST(f) \
	cmocka_unit_test_setup_teardown(f, make_file, remove_file)

static const struct CMUnitTest tests[] = {
	TIMELINE_TEST(begins_and_ends_have_their_counts),
	TIMELINE_TEST(costs_are_known),
	TIMELINE_TEST(names_are_cut_off_where_they_take_too_much),
	TIMELINE_TEST(a_full_window_is_copied_and_emptied),
	TIMELINE_TEST(a_region_that_was_not_counted_has_no_count),
	TIMELINE_TEST(a_start_begins_anew_in_another_window),
	TIMELINE_TEST(a_thread_leaves_the_time_of_its_exit),
	TIMELINE_TEST(a_child_has_a_window_of_its_own),
	TIMELINE_TEST(so_has_one_that_the_library_is_not_told_of),
	TIMELINE_TEST(so_has_one_that_goes_on_with_its_parents_regions),
	TIMELINE_TEST(what_there_is_no_space_for_is_counted),
	TIMELINE_TEST(a_window_after_a_loss_is_another_one),
	TIMELINE_TEST(a_handler_at_any_instruction_is_in_it),
	TIMELINE_TEST(so_it_is_with_two_events),
	TIMELINE_TEST(an_interrupted_entry_keeps_its_window),
	TIMELINE_TEST(an_entry_that_is_left_by_a_jump_does_not_keep_its_window),
	TIMELINE_TEST(
		a_jump_within_a_handler_keeps_the_window_of_what_it_interrupts),
	TIMELINE_TEST(a_child_of_a_handler_has_a_window_of_its_own),
	TIMELINE_TEST(another_file_is_left_alone),
};

UNIT_MAIN(tests)
