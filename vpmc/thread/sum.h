/* SPDX-License-Identifier: GPL-2.0-only */
/* Sums of counts, and how many counts are missing in them. */
#ifndef VPMC_SUM_H
#define VPMC_SUM_H

#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/types.h>

#include "cpu/events.h"

/**
 * struct vpmc_large_count - an event of a large set
 * @count: events counted
 * @time: clocks for which it had a counter
 *
 * If events share counters, there is a second and a third row of these pairs, in which
 * the two numbers are others: see enum vpmc_row. All of them are added up alike. Squares
 * may come to the largest number, and stay there.
 */
struct vpmc_large_count {
	u64 count;
	u64 time;
};

/* What the pairs of a row are. The squares are in units of 1 << vpmc_rotate_shift. */
enum vpmc_row {
	VPMC_ROW_COUNTS,	/* count; time */
	VPMC_ROW_COUNT_SQUARES,	/* of each turn: count * count; count * time */
	VPMC_ROW_TIME_SQUARES,	/* of each turn: time * time; 1 */
	VPMC_ROWS,
};

/**
 * struct vpmc_large_counts - all events of a large set
 * @nr: how many
 * @rows: for how many of enum vpmc_row there is memory
 * @multiplex: some of them share counters
 * @count: one per event, row after row
 */
struct vpmc_large_counts {
	u16 nr;
	u8 rows;
	bool multiplex;
	struct vpmc_large_count count[];
};

/**
 * struct vpmc_sum - counts added up
 * @tsc: clocks for which what was added up was counting
 * @count: one per event of a set that is not large
 * @large: the counts of a large set; memory of the sum's owner
 * @added: how many threads or children are in the sum; if none, all counts are
 *	0
 * @other_events: how many are missing because they counted other events
 * @revoked: how many are missing because they must not be watched
 * @stopped: gaps in what was added up, see vpmc_process_note_gap()
 * @is_large: it has @large, not @count
 * @extras: these two at once; 0 if neither is set
 *
 * All zero is an empty sum of a set that is not large. A sum that lives for years
 * can have more parts than its numbers count: these stay at the largest then.
 */
struct vpmc_sum {
	u64 tsc;
	union {
		u64 count[VPMC_SMALL_EVENTS];
		struct vpmc_large_counts *large;
	};
	u32 added;
	u32 other_events;
	u32 revoked;
	union {
		struct {
			u32 stopped:31;
			u32 is_large:1;
		};
		u32 extras;
	};
};

/* The largest number of gaps. */
#define VPMC_MAX_STOPPED	0x7fffffffU

/* The size of struct vpmc_large_counts with so many rows, for any set. */
#define VPMC_LARGE_COUNTS_SIZE(rows) \
	struct_size_t(struct vpmc_large_counts, count, (rows) * VPMC_MAX_EVENTS)

/* The rows of a large set. */
static inline u32 vpmc_sum_rows(const struct vpmc_events *events)
{
	return vpmc_events_multiplex(events) ? VPMC_ROWS : 1;
}

/*
 * Zeroed memory for a sum of @events, NULL if they are not large.
 * Returns 0 or -ENOMEM. May sleep.
 */
int vpmc_sum_alloc_large(const struct vpmc_events *events,
			 struct vpmc_large_counts **large);

/*
 * An empty sum of events that are not large, in memory of its own; NULL if memory is short. May
 * sleep.
 */
struct vpmc_sum *vpmc_sum_create(gfp_t gfp);

/* Free such a sum, also if it is large by now. Allowed wherever kfree() is. May be NULL. */
void vpmc_sum_free(struct vpmc_sum *sum);

/*
 * Make @sum an empty sum of @events, with memory @large if they are large.
 * @events may be NULL.
 */
void vpmc_sum_init(struct vpmc_sum *sum, struct vpmc_large_counts *large,
		   const struct vpmc_events *events);

/* Like vpmc_sum_init(), but @large has memory for @rows at most, to be read. */
void vpmc_sum_init_rows(struct vpmc_sum *sum, struct vpmc_large_counts *large,
			const struct vpmc_events *events, u32 rows);

/*
 * Make @sum an empty sum of @events, with memory @large. What it contained is
 * missing from now on. Returns the old memory.
 */
struct vpmc_large_counts *vpmc_sum_change(struct vpmc_sum *sum,
					  struct vpmc_large_counts *large,
					  const struct vpmc_events *events);

/* Empty the sum, for the same events. Nothing is missing in it. */
void vpmc_sum_clear(struct vpmc_sum *sum);

/* Was nothing ever added to @sum, nor anything noted as missing? */
static inline bool vpmc_sum_is_empty(const struct vpmc_sum *sum)
{
	return !(sum->added | sum->other_events | sum->revoked);
}

/* Is @sum what vpmc_sum_init() makes of one of events that are not large? */
static inline bool vpmc_sum_is_initial(const struct vpmc_sum *sum)
{
	return vpmc_sum_is_empty(sum) && !sum->extras;
}

/* The memory of a sum of a large set; NULL of another one. */
static inline struct vpmc_large_counts *vpmc_sum_large(const struct vpmc_sum *sum)
{
	return sum->is_large ? sum->large : NULL;
}

/* Do its events share counters, so that each has a time of its own? */
static inline bool vpmc_sum_has_times(const struct vpmc_sum *sum)
{
	return sum->is_large && sum->large->multiplex;
}

/* @a + @b, or the largest number if that is larger. */
static inline u32 vpmc_sum_saturate(u32 a, u32 b)
{
	return unlikely(b > U32_MAX - a) ? U32_MAX : a + b;
}

/* Add up, to the largest number at most. */
static inline void vpmc_sum_add_limited(u64 *sum, u64 more)
{
	*sum += more;
	if (unlikely(*sum < more))
		*sum = ~0ULL;
}

/* One thread more is in @sum. */
static inline void vpmc_sum_count_part(struct vpmc_sum *sum)
{
	if (unlikely(!++sum->added))
		sum->added = U32_MAX;
}

/* So many gaps more are in what @sum has. */
static inline void vpmc_sum_add_stopped(struct vpmc_sum *sum, u32 stopped)
{
	u32 nr = sum->stopped + stopped;

	sum->stopped = unlikely(nr > VPMC_MAX_STOPPED) ? VPMC_MAX_STOPPED : nr;
}

/* Add a row, an enum vpmc_row, to that of @sum, which is large and has it. */
void vpmc_sum_add_row(struct vpmc_sum *sum, u32 which,
		      const struct vpmc_large_count *row);

/* Add a sum of the same events. */
void vpmc_sum_add(struct vpmc_sum *sum, const struct vpmc_sum *more);

/* So many counts are missing in @sum: of other events, and that must be hidden. */
void vpmc_sum_add_missing(struct vpmc_sum *sum, u32 other_events, u32 revoked);

/* Do not add a sum, of other events or that must be hidden: it is missing. */
void vpmc_sum_miss(struct vpmc_sum *sum, const struct vpmc_sum *more);
void vpmc_sum_hide(struct vpmc_sum *sum, const struct vpmc_sum *more);

/* The counts and times of @nr events. */
void vpmc_sum_values(const struct vpmc_sum *sum, u32 nr, u64 *count, u64 *time);

/* The turns of each event of @sum, which has all rows. Returns how many events these are. */
u32 vpmc_sum_turns(const struct vpmc_sum *sum, struct vpmc_turns *turns);

/*
 * The size of a struct vpmc_read or vpmc_record that has room for turns in the driver.
 * Another one may have less room than its size says: as much as is needed without.
 */
#define VPMC_SIZE_LONG U32_MAX

/*
 * Fill in what @read says of @sum, which counts @nr events: all but @unwaited, which is
 * not a sum's. Returns 0, or if events share counters -EINVAL without room for their
 * times, or -ENOBUFS if the caller has room for their turns and @read has not.
 */
int vpmc_sum_report(struct vpmc_read *read, const struct vpmc_sum *sum, u32 nr);

#endif /* VPMC_SUM_H */
