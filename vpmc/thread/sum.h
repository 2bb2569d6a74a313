/* SPDX-License-Identifier: GPL-2.0-only */
/* This file declares sums of counts. A sum also has the number of missing counts. */
#ifndef VPMC_SUM_H
#define VPMC_SUM_H

#include <linux/compiler.h>
#include <linux/gfp.h>
#include <linux/types.h>

#include "cpu/events.h"

/**
 * struct vpmc_large_count - the count of one event of a large set
 * @count: number of events
 * @time: clocks for which the event had a counter
 *
 * If events share counters, there is a second and a third row of these pairs, in which
 * the two numbers mean something else: see enum vpmc_row. All rows are added up in the
 * same way. Squares saturate at the largest number.
 */
struct vpmc_large_count {
	u64 count;
	u64 time;
};

/* The meaning of the pairs of a row. Squares are in units of 1 << vpmc_rotate_shift. */
enum vpmc_row {
	VPMC_ROW_COUNTS,	/* count; time */
	VPMC_ROW_COUNT_SQUARES,	/* of each turn: count * count; count * time */
	VPMC_ROW_TIME_SQUARES,	/* of each turn: time * time; 1 */
	VPMC_ROWS,
};

/**
 * struct vpmc_large_counts - the counts of all events of a large set
 * @nr: number of events
 * @rows: number of rows of enum vpmc_row for which there is memory
 * @multiplex: whether some events share counters
 * @count: one pair per event, row after row
 */
struct vpmc_large_counts {
	u16 nr;
	u8 rows;
	bool multiplex;
	struct vpmc_large_count count[];
};

/**
 * struct vpmc_sum - a sum of counts
 * @tsc: clocks for which the threads in the sum were counting
 * @count: one count per event of a set that is not large
 * @large: the counts of a large set; the sum's owner owns this memory
 * @added: number of threads or children in the sum; if it is 0, all counts are 0
 * @other_events: number of threads or children that are missing because they counted
 *	other events
 * @revoked: number of threads or children that are missing because they must not be
 *	watched
 * @stopped: number of gaps in the counts of the sum, see vpmc_process_note_gap()
 * @is_large: whether the sum uses @large instead of @count
 * @extras: @stopped and @is_large as one word, which is 0 if both are 0
 *
 * An all-zero structure is an empty sum of a set that is not large. @added,
 * @other_events, @revoked and @stopped saturate, because a sum that exists for years
 * may have more parts than they can count.
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

/* The largest value of vpmc_sum.stopped. */
#define VPMC_MAX_STOPPED	0x7fffffffU

/*
 * This is the size of a struct vpmc_large_counts with @rows rows that is large enough for
 * any set.
 */
#define VPMC_LARGE_COUNTS_SIZE(rows) \
	struct_size_t(struct vpmc_large_counts, count, (rows) * VPMC_MAX_EVENTS)

/* Return the number of rows that a large set needs. */
static inline u32 vpmc_sum_rows(const struct vpmc_events *events)
{
	return vpmc_events_multiplex(events) ? VPMC_ROWS : 1;
}

/*
 * Allocate zeroed memory for a sum of @events; *@large is NULL if they are not large.
 * Returns 0 or -ENOMEM. May sleep.
 */
int vpmc_sum_alloc_large(const struct vpmc_events *events,
			 struct vpmc_large_counts **large);

/*
 * Allocate an empty sum of events that are not large. Returns NULL if memory is short.
 * May sleep if @gfp allows it.
 */
struct vpmc_sum *vpmc_sum_create(gfp_t gfp);

/*
 * Free a sum that vpmc_sum_create() has created. The sum may have become large. It is allowed in
 * the same contexts as kfree(). @sum may be NULL.
 */
void vpmc_sum_free(struct vpmc_sum *sum);

/*
 * Make @sum an empty sum of @events, with memory @large if they are large.
 * @events may be NULL.
 */
void vpmc_sum_init(struct vpmc_sum *sum, struct vpmc_large_counts *large,
		   const struct vpmc_events *events);

/*
 * Like vpmc_sum_init() for a reader that needs only @rows rows. @large has memory for
 * these rows.
 */
void vpmc_sum_init_rows(struct vpmc_sum *sum, struct vpmc_large_counts *large,
			const struct vpmc_events *events, u32 rows);

/*
 * Make @sum an empty sum of @events, with memory @large. Its previous parts are noted
 * as missing. Returns the old memory.
 */
struct vpmc_large_counts *vpmc_sum_change(struct vpmc_sum *sum,
					  struct vpmc_large_counts *large,
					  const struct vpmc_events *events);

/* Make @sum an empty sum of the same events, without missing parts. */
void vpmc_sum_clear(struct vpmc_sum *sum);

/* Return whether @sum has neither counts nor missing parts. */
static inline bool vpmc_sum_is_empty(const struct vpmc_sum *sum)
{
	return !(sum->added | sum->other_events | sum->revoked);
}

/* Return whether @sum is as vpmc_sum_init() leaves a sum of events that are not large. */
static inline bool vpmc_sum_is_initial(const struct vpmc_sum *sum)
{
	return vpmc_sum_is_empty(sum) && !sum->extras;
}

/* Return the memory of a sum of a large set; NULL if the set is not large. */
static inline struct vpmc_large_counts *vpmc_sum_large(const struct vpmc_sum *sum)
{
	return sum->is_large ? sum->large : NULL;
}

/* Return whether the events of @sum share counters, so that each event has its own time. */
static inline bool vpmc_sum_has_times(const struct vpmc_sum *sum)
{
	return sum->is_large && sum->large->multiplex;
}

/* Return @a + @b, or the largest number if the sum overflows. */
static inline u32 vpmc_sum_saturate(u32 a, u32 b)
{
	return unlikely(b > U32_MAX - a) ? U32_MAX : a + b;
}

/* Add @more to *@sum, which saturates at the largest number. */
static inline void vpmc_sum_add_limited(u64 *sum, u64 more)
{
	*sum += more;
	if (unlikely(*sum < more))
		*sum = ~0ULL;
}

/* Increment the number of threads in @sum. */
static inline void vpmc_sum_count_part(struct vpmc_sum *sum)
{
	if (unlikely(!++sum->added))
		sum->added = U32_MAX;
}

/* Add @stopped gaps to @sum. */
static inline void vpmc_sum_add_stopped(struct vpmc_sum *sum, u32 stopped)
{
	u32 nr = sum->stopped + stopped;

	sum->stopped = unlikely(nr > VPMC_MAX_STOPPED) ? VPMC_MAX_STOPPED : nr;
}

/*
 * Add @row to the same row of @sum, which is large and has that row. @which is an enum
 * vpmc_row.
 */
void vpmc_sum_add_row(struct vpmc_sum *sum, u32 which,
		      const struct vpmc_large_count *row);

/* Add @more, a sum of the same events, to @sum. */
void vpmc_sum_add(struct vpmc_sum *sum, const struct vpmc_sum *more);

/*
 * Record the counts that are missing in @sum: @other_events of other events, and @revoked
 * that must be hidden.
 */
void vpmc_sum_add_missing(struct vpmc_sum *sum, u32 other_events, u32 revoked);

/*
 * Note all parts of @more as missing in @sum. vpmc_sum_miss() is for a sum of other
 * events, and vpmc_sum_hide() for a sum that must be hidden.
 */
void vpmc_sum_miss(struct vpmc_sum *sum, const struct vpmc_sum *more);
void vpmc_sum_hide(struct vpmc_sum *sum, const struct vpmc_sum *more);

/* Copy the counts and times of @nr events. */
void vpmc_sum_values(const struct vpmc_sum *sum, u32 nr, u64 *count, u64 *time);

/*
 * Copy the turns of each event of @sum, which has all rows. Returns the number of
 * events.
 */
u32 vpmc_sum_turns(const struct vpmc_sum *sum, struct vpmc_turns *turns);

/*
 * This is the size, within the driver, of a struct vpmc_read or vpmc_record with memory
 * for turns. With any other size, the driver's copy may have memory only for the fields
 * before the turns.
 */
#define VPMC_SIZE_LONG U32_MAX

/*
 * Fill in @read from @sum, which counts @nr events. This does not fill in @unwaited, because a sum
 * does not know it. Returns 0. If events share counters, returns -EINVAL if there is no room for
 * their times, or -ENOBUFS if the caller has room for their turns and @read does not.
 */
int vpmc_sum_report(struct vpmc_read *read, const struct vpmc_sum *sum, u32 nr);

#endif /* VPMC_SUM_H */
