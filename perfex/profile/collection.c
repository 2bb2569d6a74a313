// SPDX-License-Identifier: GPL-2.0-only
/* Collect the samples of a command. */
#include "profile/collection.h"

#include "util/clock.h"

/* The program of a process has this name until its real name is known. */
#define UNKNOWN_PROGRAM "?"

static const char *const special[NR_SPECIAL_OBJECTS] = {
	[OBJECT_KERNEL] = "[kernel]",
	[OBJECT_UNKNOWN] = "[unknown]",
};

static struct moment present_moment(void)
{
	struct moment moment = { .tsc = __builtin_ia32_rdtsc() };
	struct timespec present;

	clock_gettime(CLOCK_REALTIME, &present);
	moment.time =
		(uint64_t)present.tv_sec * NS_PER_S + (uint64_t)present.tv_nsec;
	return moment;
}

/*
 * Return the time of a record. Mappings that are older than the collection have the time at which
 * it began.
 */
static uint64_t time_of(const struct collection *collection, uint64_t tsc)
{
	const struct moment *begin = &collection->begin;
	const struct moment now = present_moment();

	if (tsc <= begin->tsc || now.time <= begin->time)
		return begin->time;
	if (tsc >= now.tsc)
		return now.time;
	return begin->time + (uint64_t)((double)(now.time - begin->time) *
					(double)(tsc - begin->tsc) /
					(double)(now.tsc - begin->tsc));
}

bool begin_collection(struct collection *collection)
{
	uint32_t i;

	*collection = (struct collection){ .begin = present_moment() };
	for (i = 0; i < NR_SPECIAL_OBJECTS; i++) {
		if (number_name(&collection->names, special[i]) != i)
			return false;
	}
	return true;
}

void end_collection(struct collection *collection)
{
	free_objects(&collection->names);
	free_spaces(&collection->spaces);
	free_spots(&collection->spots);
	free_stacks(&collection->stacks);
	free_timed(&collection->timed);
}

static bool note_mapping(struct collection *collection,
			 const struct vpmc_sample_record *record)
{
	const struct object object = {
		.name = (char *)record->text,
		.inode = record->inode,
		.device_major = record->device_major,
		.device_minor = record->device_minor,
		.mapped = record->inode ? time_of(collection, record->tsc) : 0
	};
	const struct mapping mapping = {
		.begin = record->address,
		.end = record->end,
		/* Memory without a file is described by its address. */
		.offset = record->inode ? record->offset : record->address,
		.object = number_object(&collection->names, &object),
	};

	return mapping.object != NO_OBJECT &&
	       map_into(&collection->spaces, record->pid, &mapping);
}

static bool note_change(struct collection *collection,
			const struct vpmc_sample_record *record)
{
	const char *name = record->kind == VPMC_SAMPLE_EXEC ? record->text
							    : UNKNOWN_PROGRAM;
	const uint64_t birth = space_of_birth(record->number);
	uint32_t program;

	/* All processes outside of the PID namespace have the number 0, so drop their records. */
	if (!record->pid)
		return true;
	if (record->kind == VPMC_SAMPLE_MAP)
		return note_mapping(collection, record);
	program = number_name(&collection->names, name);
	if (program == NO_OBJECT)
		return false;
	if (collection->with_regions && record->kind != VPMC_SAMPLE_FORK &&
	    !keep_program(&collection->timed, record))
		return false;
	if (record->kind == VPMC_SAMPLE_EXEC)
		return clear_space(&collection->spaces, record->pid, program);
	if (record->kind == VPMC_SAMPLE_FORK)
		return copy_space(&collection->spaces, birth, record->pid,
				  program);
	if (!copy_space(&collection->spaces, record->pid, birth, program))
		return false;
	remove_space(&collection->spaces, birth);
	return true;
}

/* Find the file that is mapped at an address of user mode, and the offset in the file. */
static void find_file(const struct space *space, uint64_t address,
		      uint32_t *object, uint64_t *offset)
{
	const struct mapping *mapping =
		space ? find_mapping(space, address) : NULL;

	if (!mapping)
		return;
	*object = mapping->object;
	*offset = address - mapping->begin + mapping->offset;
}

/*
 * Number the callers of a sample, from the outermost one. A call ends before the address to which
 * it returns, except where the program entered the kernel.
 */
static bool number_callers(struct collection *collection,
			   const struct vpmc_sample_record *record,
			   const struct space *space, uint32_t *number)
{
	unsigned int i = record->nr_callers;

	*number = NO_CALLER;
	while (i--) {
		const bool is_entry = !i && record->is_kernel;
		struct caller caller = { .object = OBJECT_UNKNOWN,
					 .next = *number };

		find_file(space, record->caller[i] - !is_entry, &caller.object,
			  &caller.offset);
		*number = number_caller(&collection->stacks, &caller);
		if (*number == NO_CALLER)
			return false;
	}
	return true;
}

/*
 * Tell whether callers are missing in a sample. A broken chain with at least one caller is
 * normal, because C libraries do not use frame pointers.
 */
static bool lacks_callers(const struct vpmc_sample_record *record)
{
	switch (record->callers_end) {
	case VPMC_CALLERS_DEPTH:
	case VPMC_CALLERS_UNKNOWN:
		return true;
	case VPMC_CALLERS_BROKEN:
		return !record->nr_callers;
	case VPMC_CALLERS_NONE:
	case VPMC_CALLERS_OUTERMOST:
		break;
	}
	return false;
}

static bool note_sample(struct collection *collection,
			const struct vpmc_sample_record *record)
{
	struct event_samples *event = &collection->event[record->event];
	const struct space *space =
		find_space(&collection->spaces, record->pid);
	struct spot spot = { .event = record->event,
			     .program = space ? space->program : OBJECT_UNKNOWN,
			     .object = OBJECT_UNKNOWN,
			     .samples = record->more + 1 };

	if (record->is_kernel) {
		spot.object = OBJECT_KERNEL;
		spot.offset = record->address;
	} else {
		find_file(space, record->address, &spot.object, &spot.offset);
	}
	if (!number_callers(collection, record, space, &spot.callers))
		return false;
	if (!(collection->with_regions
		      ? keep_sample(&collection->timed, record, &spot)
		      : count_at(&collection->spots, &spot)))
		return false;
	event->nr += spot.samples;
	event->pairs += (double)spot.samples * (double)record->more;
	event->late += record->is_late ? spot.samples : 0;
	event->unknown += spot.object == OBJECT_UNKNOWN ? spot.samples : 0;
	event->cut += lacks_callers(record);
	return true;
}

void collect(const struct vpmc_sample_record *record, void *collection)
{
	struct collection *to = collection;

	if (!(record->kind == VPMC_SAMPLE_EVENT ? note_sample(to, record)
						: note_change(to, record)))
		to->forgotten++;
}

void note_region(const struct region_change *change, void *collection)
{
	struct collection *to = collection;

	keep_change(&to->timed, change, &to->names);
}

void find_regions(struct collection *collection)
{
	if (!settle_samples(&collection->timed, &collection->spots))
		collection->forgotten++;
}
