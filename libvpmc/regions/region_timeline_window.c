// SPDX-License-Identifier: LGPL-2.1-or-later
/* Give the windows of the file to a thread's timeline, one after the other. */
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "regions/region_timeline_file.h"
#include "regions/region_timeline_window.h"

void vpmcint_timeline_forget_entries(struct region_timeline *timeline)
{
	struct vpmc_timeline_window *window = timeline->window;

	memset(window + 1, 0, timeline->fast.next - (uintptr_t)(window + 1));
	timeline->fast.next = (uintptr_t)(window + 1);
	timeline->fast.done = timeline->fast.next;
}

static void leave_window(struct region_timeline *timeline)
{
	timeline->window = NULL;
	*vpmcint_timeline_mapped(timeline) = NULL;
	memset(&timeline->fast, 0, sizeof(timeline->fast));
}

/* Begin the entries of a zeroed window. */
static void set_limits(struct region_timeline *timeline)
{
	struct vpmc_timeline_window *window = timeline->window;
	const uint32_t room = vpmc_timeline_room(timeline->size);

	window->used = room;
	timeline->fast.ends =
		(uintptr_t)vpmc_timeline_at(window, room, timeline->size);
	/* This limit agrees with vpmcint_timeline_has_room(). */
	timeline->fast.begins = (uintptr_t)vpmc_timeline_at(
		window, room - TIMELINE_SPARE + 1, timeline->size);
}

void vpmcint_timeline_describe_events(const struct region_thread *thread)
{
	struct region_timeline *timeline = thread->timeline;
	struct vpmc_timeline_window *window = timeline->window;
	unsigned int i;

	timeline->size = vpmc_timeline_size(thread->events);
	set_limits(timeline);
	window->events = thread->events;
	for (i = 0; i < thread->events; i++) {
		window->event[i].code = thread->set.sel[i].code;
		window->event[i].counter = thread->set.sel[i].counter;
		window->event[i].modes = thread->set.sel[i].modes;
		window->own[i] = thread->own[i];
		window->pair[i] = thread->pair[i];
	}
}

static void describe_window(const struct region_thread *thread, bool anew,
			    uint64_t since)
{
	struct vpmc_timeline_window *window = thread->timeline->window;

	window->pid = getpid();
	window->tid = (int)syscall(SYS_gettid);
	window->anew = anew;
	vpmcint_timeline_describe_events(thread);
	prctl(PR_GET_NAME, window->command);
	window->since = since;
	window->ready = vpmc_timeline_stamp();
}

/*
 * Begin a window. The number of the thread is written last, because perfex does not read
 * a window without this number.
 */
static void begin_window(const struct region_thread *thread, bool anew,
			 uint64_t since)
{
	struct region_timeline *timeline = thread->timeline;

	timeline->window = vpmcint_timeline_take_window();
	*vpmcint_timeline_mapped(timeline) = timeline->window;
	if (!timeline->window)
		return;
	timeline->fast.next = (uintptr_t)(timeline->window + 1);
	timeline->fast.done = timeline->fast.next;
	describe_window(thread, anew, since);
	timeline->window->turn = timeline->turn;
	__atomic_store_n(&timeline->window->thread, timeline->thread,
			 __ATOMIC_RELEASE);
}

/*
 * Copy and empty a window. The turn is written last, because perfex reads the copy until
 * the turn changes.
 */
static void empty_window(const struct region_thread *thread, bool anew,
			 uint64_t since)
{
	struct region_timeline *timeline = thread->timeline;
	struct vpmc_timeline_window *window = timeline->window;

	timeline->turn++;
	if (!vpmcint_timeline_copy_window(window)) {
		leave_window(timeline);
		munmap(window, VPMC_TIMELINE_WINDOW);
		return;
	}
	vpmcint_timeline_forget_entries(timeline);
	describe_window(thread, anew, since);
	__atomic_store_n(&window->turn, timeline->turn, __ATOMIC_RELEASE);
}

void vpmcint_timeline_change_window(const struct region_thread *thread,
				    bool anew)
{
	struct region_timeline *timeline = thread->timeline;
	const uint64_t since = vpmc_timeline_stamp();

	if (!timeline->thread)
		timeline->thread = vpmcint_timeline_number_thread();
	if (timeline->window)
		empty_window(thread, anew, since);
	else
		begin_window(thread, anew, since);
	timeline->is_full = !timeline->window;
}
