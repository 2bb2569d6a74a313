// SPDX-License-Identifier: GPL-2.0-only
/* Number the threads of a timeline. */
#include "timeline/thread_track.h"

#include <limits.h>
#include <stdlib.h>

/**
 * struct track - a thread
 * @pid: its process
 * @tid: its number in the timeline
 * @end: time of its end
 */
struct track {
	int pid;
	int tid;
	uint64_t end;
};

static bool is_taken(const struct tracks *tracks, int pid, int tid,
		     uint64_t since)
{
	const struct track *track = tracks->track;
	size_t i;

	for (i = 0; i < tracks->nr; i++) {
		if (track[i].pid == pid && track[i].tid == tid &&
		    since < track[i].end)
			return true;
	}
	return false;
}

bool take_track(struct tracks *tracks, int pid, int *tid, uint64_t since)
{
	const size_t room = 2 * tracks->room + 16;
	struct track *track;

	if (tracks->nr == tracks->room) {
		track = reallocarray(tracks->track, room, sizeof(*track));
		if (!track)
			return false;
		tracks->track = track;
		tracks->room = room;
	}
	/* A program can write any number to its windows, so do not rely on its range. */
	while (*tid < INT_MAX - TRACK_STEP &&
	       is_taken(tracks, pid, *tid, since))
		*tid += TRACK_STEP;
	tracks->track[tracks->nr++] = (struct track){
		.pid = pid,
		.tid = *tid,
		.end = since,
	};
	return true;
}

void leave_track(struct tracks *tracks, uint64_t stamp)
{
	tracks->track[tracks->nr - 1].end = stamp;
}
