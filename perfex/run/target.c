// SPDX-License-Identifier: GPL-2.0-only
/* Attach to processes and threads that already run. */
#include "run/target.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "run/child.h"

/* This flag is newer than the C libraries. */
#ifndef PIDFD_THREAD
#define PIDFD_THREAD O_EXCL
#endif

static void name_one(char *text, size_t size, const struct count_spec *spec,
		     int id)
{
	snprintf(text, size, "%s %d", spec->thread ? "thread" : "process", id);
}

void name_targets(char *text, size_t size, const struct count_spec *spec)
{
	if (spec->nr_pids > 1)
		snprintf(text, size, "%zu processes", spec->nr_pids);
	else
		name_one(text, size, spec, spec->pids[0]);
}

/*
 * Open a descriptor that can be read when the target ends. Another process may have got the
 * target's number after the handle was attached. Then the target has exited, and the start fails.
 */
static int find_end(struct target *target)
{
	const bool thread = target->spec->thread;

	target->fd = (int)syscall(SYS_pidfd_open, target->id,
				  thread ? PIDFD_THREAD : 0);
	/* EINVAL means that the number is that of a thread, or that Linux is older than 6.9. */
	if (target->fd >= 0 || (thread && errno == EINVAL))
		return 0;
	if (errno == ESRCH || errno == EINVAL) {
		complain("there is no %s: check the number, or it has exited",
			 target->result.name);
		return PERFEX_NO_PROCESS;
	}
	complain("cannot wait for %s: %s", target->result.name,
		 strerror(errno));
	return PERFEX_SYSTEM;
}

int open_target(struct target *target)
{
	struct vpmc_error err;

	target->fd = -1;
	name_one(target->result.name, sizeof(target->result.name), target->spec,
		 target->id);
	return vpmc_open(&target->vpmc, &err) ? complain_vpmc(&err) : 0;
}

int attach_target(struct target *target)
{
	struct vpmc_error err;

	if (vpmc_attach(target->vpmc, target->id,
			target->spec->thread ? VPMC_ATTACH_ONE_THREAD : 0,
			&err))
		return complain_vpmc(&err);
	return find_end(target);
}

/* Read the present name of the target, or keep the previous one. */
static void name_target(struct target *target)
{
	char path[48], name[sizeof(target->command)];
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/comm", target->id);
	file = fopen(path, "re");
	if (!file)
		return;
	if (fgets(name, sizeof(name), file)) {
		name[strcspn(name, "\n")] = '\0';
		memcpy(target->command, name, sizeof(name));
	}
	fclose(file);
}

/*
 * Return the number of unwaited processes of the target's earlier counts. If perfex cannot read
 * these counts, the present count does not include these processes.
 */
static unsigned int count_earlier(const struct target *target)
{
	struct vpmc_counts counts;

	if (target->spec->thread ||
	    vpmc_read(target->vpmc, VPMC_CHILDREN, &counts, NULL))
		return 0;
	return counts.unwaited;
}

int start_target(struct target *target, const struct events *events)
{
	const struct count_spec *spec = target->spec;
	struct vpmc_event_sel sel[EVENTS_MAX];
	struct vpmc_error err;

	name_target(target);
	target->result.records.events = events;
	target->result.earlier = count_earlier(target);
	if (!vpmc_start(target->vpmc, sel, started_events(events, sel),
			start_flags(spec), &err))
		return 0;
	return complain_of(target->result.name, &err,
			   err.code == VPMC_E_BUSY && !spec->force &&
					   counts_already(target->vpmc)
				   ? " (perfex --force)"
				   : "");
}

bool target_has_ended(struct target *target)
{
	struct vpmc_counts counts;

	return vpmc_read(target->vpmc, VPMC_THREAD, &counts, NULL) ||
	       counts.activity == VPMC_EXITED;
}

int finish_target(struct target *target)
{
	const int ret = vpmc_stop(target->vpmc, &target->stop_error);

	if (!ret || ret == VPMC_E_NO_PROCESS)
		target->stop_error.code = VPMC_OK;
	return read_result(target->vpmc, target->spec, &target->result);
}

int check_stopped(const struct target *target)
{
	if (!target->stop_error.code)
		return 0;
	return complain_of(target->result.name, &target->stop_error, "");
}

void list_target(struct target *target, struct records *list)
{
	struct counted counted = target->result.counted;
	const struct vpmc_counts *counts = &counted.counts;
	struct vpmc_thread_record record = {
		.pid = target->id,
		.tid = target->id,
		.revoked = have_lost(counts, &target->printed.counts),
		.last = 1,
	};

	name_target(target);
	memcpy(record.command, target->command, sizeof(record.command));
	subtract_counted(&counted, &target->printed);
	target->printed = target->result.counted;
	record.nr = counts->nr;
	record.tsc = counts->tsc;
	memcpy(record.count, counts->count, sizeof(record.count));
	memcpy(record.time, counts->time, sizeof(record.time));
	keep_record(list, &record, &counted.spread);
}

void close_target(struct target *target)
{
	if (target->fd >= 0)
		close(target->fd);
	vpmc_close(target->vpmc);
	free(target->result.records.memory);
}
