// SPDX-License-Identifier: GPL-2.0-only
/* Create the file of a timeline, and convert it at the end. */
#include "timeline/timeline.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "timeline/thread_track.h"
#include "timeline/thread_windows.h"
#include "util/clock.h"
#include "util/temporary.h"

static const double ns_per_us = 1000;

/**
 * struct slot - a window with entries
 * @nr: index of the window
 * @thread: number of its thread
 * @turn: index of the window among those of the thread, from 0
 * @pid: number of the process
 * @tid: number of the thread in the process's PID namespace
 * @since: time at which the window was made
 * @left: time at which its thread exited, or 0
 */
struct slot {
	uint32_t nr;
	uint32_t thread;
	uint32_t turn;
	int pid;
	int tid;
	uint64_t since;
	uint64_t left;
};

/**
 * struct file - the file that processes have written. Some processes may still change it.
 * @fd: descriptor to read from
 * @lost: number of entries that did not fit into the file
 * @windows: number of windows at the time of the search
 * @slot: its windows, sorted by thread
 * @nr: number of @slot
 */
struct file {
	int fd;
	uint32_t lost;
	uint32_t windows;
	struct slot *slot;
	size_t nr;
};

/* Prepare the file. Returns false, with errno, if it cannot be used. */
static bool prepare_file(int fd, const char *path)
{
	const struct vpmc_timeline_file head = { .magic = VPMC_TIMELINE_MAGIC,
						 .windows = 1 };

	return !ftruncate(fd, VPMC_TIMELINE_WINDOW) &&
	       pwrite(fd, &head, sizeof(head), 0) == sizeof(head) &&
	       !setenv(VPMC_TIMELINE_VARIABLE, path, 1);
}

static int make_file(struct timeline *timeline)
{
	timeline->fd = create_temporary(&timeline->path, "timeline", 0);
	if (timeline->fd < 0)
		return complain_temporary("the timeline");
	if (prepare_file(timeline->fd, timeline->path))
		return 0;
	remove_temporary(timeline->path, timeline->fd);
	return complain_temporary("the timeline");
}

int collect_timeline(struct timeline *timeline, const char *file,
		     struct output *report)
{
	int status = open_another_output(&timeline->output, file, "--timeline",
					 report);

	if (status)
		return status;
	status = make_file(timeline);
	if (status)
		close_output(&timeline->output);
	timeline->begin_ns = now();
	timeline->begin_stamp = vpmc_timeline_stamp();
	return status;
}

int collect_region_times(struct timeline *timeline)
{
	return make_file(timeline);
}

/*
 * Compare windows by thread, and then by their order. A copy precedes its original, if the thread
 * has not emptied the original.
 */
static int compare(const void *a, const void *b)
{
	const struct slot *one = a, *two = b;

	if (one->thread != two->thread)
		return one->thread < two->thread ? -1 : 1;
	if (one->turn != two->turn)
		return one->turn < two->turn ? -1 : 1;
	return one->nr > two->nr ? -1 : 1;
}

/* Remove the windows that have copies. */
static void drop_copied(struct file *file)
{
	struct slot *slot = file->slot;
	size_t i, nr = 0;

	for (i = 0; i < file->nr; i++) {
		if (!nr || slot[i].thread != slot[nr - 1].thread ||
		    slot[i].turn != slot[nr - 1].turn)
			slot[nr++] = slot[i];
	}
	file->nr = nr;
}

/* Read a part of the file. Returns false if it is incomplete. */
static bool read_at(const struct file *file, uint32_t nr, void *to, size_t size)
{
	const uint64_t at = (uint64_t)nr * VPMC_TIMELINE_WINDOW;

	return pread(file->fd, to, size, (off_t)at) == (ssize_t)size;
}

static int complain_memory(void)
{
	complain("cannot write the whole timeline: out of memory");
	return PERFEX_SYSTEM;
}

/*
 * Return the index of the first window from @nr on that has contents, or @end. The program may
 * have enlarged the file without writing to it.
 */
static uint32_t next_window(const struct file *file, uint32_t nr, uint32_t end)
{
	return find_block(file->fd, VPMC_TIMELINE_WINDOW, nr, end);
}

/* Add a window. Returns false if there is no memory. */
static bool add_slot(struct file *file, uint32_t nr,
		     const struct vpmc_timeline_window *window)
{
	struct slot *slot = file->slot;

	/* Double the memory each time. */
	if (!(file->nr & (file->nr - 1)))
		slot = reallocarray(slot, file->nr ? 2 * file->nr : 1,
				    sizeof(*slot));
	if (!slot)
		return false;
	file->slot = slot;
	slot[file->nr++] = (struct slot){
		.nr = nr,
		.thread = window->thread,
		.turn = window->turn,
		.pid = window->pid,
		.tid = window->tid,
		.since = window->since,
		.left = window->left,
	};
	return true;
}

static int find_windows(struct file *file)
{
	struct vpmc_timeline_window window;
	uint32_t nr;

	for (nr = next_window(file, 1, file->windows); nr < file->windows;
	     nr = next_window(file, nr + 1, file->windows)) {
		if (read_at(file, nr, &window, sizeof(window)) &&
		    window.thread && !add_slot(file, nr, &window))
			return complain_memory();
	}
	if (!file->nr)
		return 0;
	qsort(file->slot, file->nr, sizeof(*file->slot), compare);
	drop_copied(file);
	return 0;
}

/* Count the windows. Returns false, with errno, if the file cannot be used. */
static bool count_windows(int fd, uint32_t *windows)
{
	struct stat status;
	uint64_t whole;

	if (fstat(fd, &status))
		return false;
	whole = (uint64_t)status.st_size / VPMC_TIMELINE_WINDOW;
	*windows = whole < UINT32_MAX ? (uint32_t)whole : UINT32_MAX;
	return true;
}

static int read_file(struct file *file)
{
	struct vpmc_timeline_file head;

	if (!read_at(file, 0, &head, sizeof(head)) ||
	    head.magic != VPMC_TIMELINE_MAGIC ||
	    !count_windows(file->fd, &file->windows)) {
		complain("there is no timeline: the command has overwritten its"
			 " file");
		return PERFEX_INVALID;
	}
	file->lost = head.lost;
	return find_windows(file);
}

/* Return the index of a copy that was written after the search for windows, or 0. */
static uint32_t find_copy(const struct file *file, const struct slot *slot)
{
	struct vpmc_timeline_window window;
	uint32_t nr, windows;

	if (!count_windows(file->fd, &windows))
		return 0;
	for (nr = next_window(file, file->windows, windows); nr < windows;
	     nr = next_window(file, nr + 1, windows)) {
		if (read_at(file, nr, &window, sizeof(window)) &&
		    window.thread == slot->thread && window.turn == slot->turn)
			return nr;
	}
	return 0;
}

/*
 * Read a window. A process that still runs may empty the window during the read. In that case,
 * the process has first written a copy after the windows that were found.
 */
static bool read_window(const struct file *file, const struct slot *slot,
			struct vpmc_timeline_window *window)
{
	const bool good = read_at(file, slot->nr, window, VPMC_TIMELINE_WINDOW);
	const uint32_t copy = find_copy(file, slot);

	return copy ? read_at(file, copy, window, VPMC_TIMELINE_WINDOW) : good;
}

static uint64_t first_stamp(const struct file *file)
{
	uint64_t first = UINT64_MAX;
	size_t i;

	for (i = 0; i < file->nr; i++) {
		if (file->slot[i].since < first)
			first = file->slot[i].since;
	}
	return file->nr ? first : 0;
}

static double ticks_per_us(const struct timeline *timeline)
{
	const uint64_t ns = now() - timeline->begin_ns;
	const uint64_t ticks = vpmc_timeline_stamp() - timeline->begin_stamp;

	return ns && ticks ? (double)ticks / (double)ns * ns_per_us : ns_per_us;
}

/*
 * Find the latest possible end of a region that is open at @stamp. This is the earliest of these
 * times: @end, the exit of the thread, and the start of another program or thread with the same
 * number.
 */
static uint64_t latest_end(const struct file *file, size_t nr, uint64_t stamp,
			   uint64_t end)
{
	const struct slot *slot = file->slot;
	size_t i;

	if (slot[nr].left && slot[nr].left < end)
		end = slot[nr].left;
	for (i = nr + 1; i < file->nr; i++) {
		if (slot[i].pid == slot[nr].pid &&
		    slot[i].tid == slot[nr].tid && slot[i].since >= stamp &&
		    slot[i].since < end)
			end = slot[i].since;
	}
	return end;
}

/* End a thread, which may be NULL. @nr is the index of its last window. */
static void finish_thread(struct replay *replay, const struct trace *trace,
			  struct tracks *tracks, const struct file *file,
			  size_t nr)
{
	uint64_t stamp;

	if (!replay)
		return;
	stamp = last_stamp(replay);
	stamp = end_replay(replay, latest_end(file, nr, stamp, trace->end));
	leave_track(tracks, stamp);
}

/* Return a thread for the window, or NULL if there is no memory. */
static struct replay *begin_thread(struct trace *trace,
				   struct trace_flaws *flaws, bool raw,
				   struct tracks *tracks,
				   const struct slot *slot)
{
	int tid = slot->tid;

	return take_track(tracks, slot->pid, &tid, slot->since)
		       ? begin_replay(trace, flaws, raw, tid)
		       : NULL;
}

/* Print all threads. Returns false if there is no memory. */
static bool print_threads(struct trace *trace, struct trace_flaws *flaws,
			  const struct file *file, bool raw)
{
	struct vpmc_timeline_window *window = malloc(VPMC_TIMELINE_WINDOW);
	struct tracks tracks = { .nr = 0 };
	struct replay *replay = NULL;
	uint32_t thread = 0;
	bool good = window;
	size_t i, last = 0;

	for (i = 0; good && i < file->nr; i++) {
		if (!read_window(file, &file->slot[i], window))
			continue;
		if (file->slot[i].thread != thread) {
			finish_thread(replay, trace, &tracks, file, last);
			replay = begin_thread(trace, flaws, raw, &tracks,
					      &file->slot[i]);
		}
		thread = file->slot[i].thread;
		last = i;
		good = replay && replay_window(replay, window);
	}
	finish_thread(replay, trace, &tracks, file, last);
	free(tracks.track);
	free(window);
	return good;
}

static int print_timeline(struct lines *lines, const struct timeline *timeline,
			  const struct file *file, const struct events *events,
			  bool raw, struct trace_flaws *flaws)
{
	struct trace trace = { .lines = lines,
			       .events = events,
			       .base = first_stamp(file),
			       .end = timeline->end_stamp,
			       .ticks_per_us = ticks_per_us(timeline) };
	bool good;

	trace.ns_per_tick = ns_per_us / trace.ticks_per_us;
	flaws->lost = file->lost;
	begin_trace(&trace);
	good = print_threads(&trace, flaws, file, raw);
	end_trace(&trace, flaws);
	return good ? 0 : complain_memory();
}

static int fail(const struct timeline *timeline)
{
	complain("cannot write the timeline to %s: %s", timeline->output.name,
		 strerror(errno));
	return PERFEX_OUTPUT;
}

static int write_file(const struct timeline *timeline, const struct file *file,
		      const struct events *events, bool raw,
		      struct trace_flaws *flaws)
{
	struct lines *lines = malloc(sizeof(*lines));
	int status;

	if (!lines)
		return complain_memory();
	lines->fd = timeline->output.fd;
	lines->error = 0;
	lines->used = 0;
	status = print_timeline(lines, timeline, file, events, raw, flaws);
	if (lines->error) {
		errno = lines->error;
		status = fail(timeline);
	}
	free(lines);
	return status;
}

static int complain_lost(const struct trace_flaws *flaws)
{
	if (!flaws->lost)
		return 0;
	complain("%u begins and ends of regions are missing in the timeline:"
		 " there was no space for them (TMPDIR names another"
		 " directory), or a signal handler has left a begin or"
		 " an end by longjmp(3): see vpmc_region(3)",
		 flaws->lost);
	return PERFEX_INVALID;
}

static int write_timeline(struct timeline *timeline,
			  const struct events *events, bool raw)
{
	struct trace_flaws flaws = { .lost = 0 };
	struct file file = { .fd = timeline->fd };
	int status = read_file(&file);

	if (!status)
		status = empty_output(&timeline->output);
	if (!status) {
		timeline->output.is_begun = true;
		status = write_file(timeline, &file, events, raw, &flaws);
	}
	free(file.slot);
	return status ? status : complain_lost(&flaws);
}

static int tell_times(struct timeline *timeline, const struct events *events,
		      void (*change)(const struct region_change *change,
				     void *arg),
		      void *arg)
{
	struct trace_flaws flaws = { .lost = 0 };
	struct file file = { .fd = timeline->fd };
	int status = read_file(&file);
	struct trace trace = { .change = change,
			       .arg = arg,
			       .events = events,
			       .base = first_stamp(&file),
			       .end = timeline->end_stamp };

	flaws.lost = file.lost;
	if (!status && !print_threads(&trace, &flaws, &file, true))
		status = complain_memory();
	free(file.slot);
	return status ? status : complain_lost(&flaws);
}

static void remove_file(const struct timeline *timeline)
{
	unsetenv(VPMC_TIMELINE_VARIABLE);
	remove_temporary(timeline->path, timeline->fd);
}

int read_region_times(struct timeline *timeline, const struct events *events,
		      void (*change)(const struct region_change *change,
				     void *arg),
		      void *arg)
{
	int status = 0;

	timeline->end_stamp = vpmc_timeline_stamp();
	if (change)
		status = tell_times(timeline, events, change, arg);
	remove_file(timeline);
	return status;
}

int finish_timeline(struct timeline *timeline, const struct events *events,
		    bool raw, bool has_run)
{
	int status = 0, failure;

	timeline->end_stamp = vpmc_timeline_stamp();
	if (has_run)
		status = write_timeline(timeline, events, raw);
	failure = close_output(&timeline->output);
	remove_file(timeline);
	return status ? status : failure;
}
