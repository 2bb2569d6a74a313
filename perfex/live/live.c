// SPDX-License-Identifier: GPL-2.0-only
/* Show counts and rates on the terminal during the count. */
#include "live/live.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "live/sparkline.h"
#include "report/metric_value.h"
#include "run/per_cpu.h"
#include "run/target.h"
#include "stats/event_value.h"
#include "util/clock.h"

/* The title and the names of columns take this many rows. */
#define HEAD_ROWS 2

/* From this width on, counts are shown with all their digits. */
#define WIDE_COLUMNS 80

/* A line, and a number or the time, fit into this many bytes. */
#define LINE_SIZE   (BARS_SIZE + 512)
#define NUMBER_SIZE 48

/**
 * struct row - a row of an event, of a processor, or of a metric
 * @name: name of the row
 * @unit: unit of a metric
 * @has_count: true if there is a count
 * @is_projected: true if the event was not counted all the time
 * @count: count so far
 * @missing: NULL, or the reason why there is no count
 * @value: rate in the last interval, or value of the metric; NaN if unknown
 * @history: history of @value
 */
struct row {
	char name[EVENT_NAME_MAX];
	const char *unit;
	bool has_count;
	bool is_projected;
	uint64_t count;
	const char *missing;
	double value;
	struct history history;
};

/**
 * struct layout - the layout of columns
 * @is_wide: true if counts are shown with all digits
 * @name: width of the name column
 * @mark: width of the mark of projected counts
 * @count: width of the count column, including the mark
 * @value: width of the rate column
 * @bars: width of the bar column
 */
struct layout {
	bool is_wide;
	int name;
	int mark;
	int count;
	int value;
	int bars;
};

/* Copy a text. Replace characters that are not ASCII, because their width is not known. */
static void copy_ascii(char *to, size_t size, const char *from)
{
	size_t i;

	for (i = 0; i + 1 < size && from[i]; i++)
		to[i] = from[i] < ' ' || from[i] > '~' ? '?' : from[i];
	to[i] = '\0';
}

static void add_word(char title[LIVE_TITLE_MAX], const char *word)
{
	const size_t length = strlen(title);

	copy_ascii(title + length, LIVE_TITLE_MAX - length, word);
}

static void make_title(char title[LIVE_TITLE_MAX],
		       const struct request *request)
{
	size_t i;

	title[0] = '\0';
	if (request->count.system && request->count.cpu != VPMC_EVERY_CPU)
		snprintf(title, LIVE_TITLE_MAX, "processor %d",
			 request->count.cpu);
	else if (request->count.system)
		add_word(title, "all processors");
	else if (request->count.nr_pids)
		name_targets(title, LIVE_TITLE_MAX, &request->count);
	else if (request->count.cgroup)
		add_word(title, request->count.cgroup);
	for (i = 0; request->count.command[i]; i++) {
		if (title[0])
			add_word(title, i ? " " : ": ");
		add_word(title, request->count.command[i]);
	}
}

static void name_rows(struct live *live)
{
	const struct events *events = live->events;
	char name[EVENT_NAME_MAX];
	size_t i;

	for (i = 0; i < live->nr; i++) {
		struct row *row = &live->rows[i];

		row->value = NAN;
		if (i < events->nr) {
			event_name(events, i, name);
			copy_ascii(row->name, sizeof(row->name), name);
		} else {
			copy_ascii(
				row->name, sizeof(row->name),
				events->metrics->metric[i - events->nr].name);
		}
	}
}

int open_live(struct live *live, const struct events *events,
	      const struct request *request)
{
	int status;

	*live = (struct live){ .events = events,
			       .interval_ms = request->report.interval_ms,
			       .nr = events->nr };
	if (events->metrics)
		live->nr += events->metrics->nr;
	make_title(live->title, request);
	status = open_screen(&live->screen);
	if (status)
		return status;
	live->rows = calloc(live->nr, sizeof(*live->rows));
	if (live->rows) {
		name_rows(live);
		status = put_aside(&live->aside);
	} else {
		complain("no memory for the rows of --live");
		status = PERFEX_SYSTEM;
	}
	if (!status)
		return 0;
	close_screen(&live->screen);
	free(live->rows);
	return status;
}

static void find_layout(struct layout *layout, const struct live *live,
			int columns)
{
	const int least_bars = 8;
	int length, most, other;
	size_t i;

	*layout = (struct layout){ .is_wide = columns >= WIDE_COLUMNS,
				   .mark = live->events->shared };
	layout->count = (layout->is_wide ? COUNT_WIDTH : 6) + layout->mark;
	layout->value = layout->is_wide ? 12 : 7;
	/* Print a space before each column except the first. */
	other = layout->count + layout->value + 3;
	most = columns - other - least_bars;
	for (i = 0; i < live->nr; i++) {
		length = (int)strlen(live->rows[i].name);
		if (length > layout->name)
			layout->name = length;
	}
	if (layout->name > most)
		layout->name = most > 0 ? most : 0;
	layout->bars = columns - other - layout->name;
	if (layout->bars < 0)
		layout->bars = 0;
}

/* Print the count of a row, or the unit of a metric. */
static void print_amount_so_far(char text[NUMBER_SIZE], const struct row *row,
				const struct layout *layout)
{
	const bool fits =
		row->unit && strlen(row->unit) <= (size_t)layout->count;

	if (row->unit)
		snprintf(text, NUMBER_SIZE, "%s", fits ? row->unit : "");
	else if (!row->has_count)
		snprintf(text, NUMBER_SIZE, "%s", NO_COUNT);
	else if (layout->is_wide)
		snprintf(text, NUMBER_SIZE, "%" PRIu64, row->count);
	else
		print_short(text, (double)row->count);
}

static void print_value(char text[NUMBER_SIZE], const struct row *row,
			const struct layout *layout)
{
	if (isnan(row->value))
		snprintf(text, NUMBER_SIZE, "%s", NO_COUNT);
	else if (layout->is_wide && (!row->unit || row->value >= 1e6))
		snprintf(text, NUMBER_SIZE, "%.0f", row->value);
	else if (layout->is_wide)
		snprintf(text, NUMBER_SIZE, "%.3f", row->value);
	else
		print_short(text, row->value);
}

static void draw_columns(int at, const struct layout *layout, const char *name,
			 const char *count, const char *mark, const char *value,
			 const char *bars, bool is_head)
{
	char line[LINE_SIZE];

	snprintf(line, sizeof(line), "%-*.*s %*s%.*s %*s %s", layout->name,
		 layout->name, name, layout->count - layout->mark, count,
		 layout->mark, mark, layout->value, value, bars);
	draw_line(at, line, is_head);
}

static void draw_row(const struct live *live, int at,
		     const struct layout *layout, const struct row *row)
{
	char count[NUMBER_SIZE], value[NUMBER_SIZE], bars[BARS_SIZE];

	print_amount_so_far(count, row, layout);
	print_value(value, row, layout);
	if (row->missing)
		snprintf(bars, sizeof(bars), "%.*s", layout->bars,
			 row->missing);
	else
		draw_bars(&row->history, (size_t)layout->bars,
			  live->screen.in_utf8, bars);
	draw_columns(at, layout, row->name, count,
		     row->is_projected ? "*" : " ", value, bars, false);
}

static void draw_head(const struct live *live, const struct layout *layout,
		      int columns)
{
	char time[NUMBER_SIZE], bars[16], line[LINE_SIZE];
	int room;

	snprintf(time, sizeof(time), "%" PRIu64 ".%" PRIu64 " s%s",
		 live->us / US_PER_S, live->us / 100000 % 10, "  q: end");
	room = columns - (int)strlen(time) - 1;
	if (room < 0)
		room = 0;
	snprintf(line, sizeof(line), "%-*.*s %.*s", room, room, live->title,
		 columns, time);
	draw_line(0, line, false);
	snprintf(bars, sizeof(bars), "%.*s", layout->bars, "history");
	draw_columns(1, layout, "event", "count", " ",
		     layout->is_wide ? "per second" : "per s", bars, true);
}

/* Return the row to show at index @i. */
static const struct row *row_at(const struct live *live, bool with_cpus,
				size_t i)
{
	const size_t block = live->nr_cpus + 1, nr = live->events->nr;

	if (!with_cpus)
		return &live->rows[i];
	if (i >= nr * block)
		return &live->rows[i - nr * live->nr_cpus];
	if (i % block)
		return &live->cpu_rows[i / block * live->nr_cpus + i % block -
				       1];
	return &live->rows[i / block];
}

static void draw_rows(const struct live *live, const struct layout *layout,
		      int rows)
{
	const size_t room = rows > HEAD_ROWS ? (size_t)(rows - HEAD_ROWS) : 0;
	const size_t with_cpus = live->nr + live->events->nr * live->nr_cpus;
	const bool is_all = with_cpus <= room;
	const size_t nr = is_all ? with_cpus : live->nr;
	char line[LINE_SIZE];
	size_t i;

	for (i = 0; i < nr; i++) {
		if (nr > room && i + 1 >= room)
			break;
		draw_row(live, (int)i + HEAD_ROWS, layout,
			 row_at(live, is_all, i));
	}
	if (i == nr)
		return;
	snprintf(line, sizeof(line), "%zu more: enlarge the terminal", nr - i);
	draw_line((int)i + HEAD_ROWS, line, false);
}

static void draw(struct live *live)
{
	struct layout layout;
	int rows, columns;

	if (!begin_drawing(&live->screen, &rows, &columns))
		return;
	find_layout(&layout, live, columns);
	draw_head(live, &layout, columns);
	draw_rows(live, &layout, rows);
	end_drawing();
	live->is_shown = true;
}

static double rate_of(const struct report *report, uint64_t count)
{
	if (!report->elapsed_us)
		return NAN;
	return (double)count * (double)US_PER_S / (double)report->elapsed_us;
}

static void update_event(struct row *row, const struct report *report, size_t i)
{
	const struct figure whole = figure_of_whole(report, i);
	const struct figure part = figure_of_total(report, i);

	row->has_count = !whole.missing;
	row->missing = whole.missing;
	row->is_projected = !whole.missing && whole.share < WHOLE;
	row->count = whole.count;
	row->value = part.missing ? NAN : rate_of(report, part.count);
	add_to_history(&row->history, row->value);
}

static void update_metric(struct row *row, const struct derived *derived)
{
	row->unit = derived->unit;
	row->value = derived->has_value ? strtod(derived->value, NULL) : NAN;
	add_to_history(&row->history, row->value);
}

/*
 * Find the processors. If their number changes because a processor came online, their histories
 * begin again. Earlier counts are known only at the first call, when all counts are zero.
 */
static bool find_cpus(struct live *live, const struct cpus *cpus)
{
	const size_t nr = cpus && cpus->nr > 1 ? cpus->nr : 0;
	const bool is_first = !live->cpu_rows;
	const size_t nr_rows = nr * live->events->nr;
	struct row *row;
	size_t i;

	if (nr == live->nr_cpus)
		return true;
	free(live->cpu_rows);
	live->cpu_rows = NULL;
	live->nr_cpus = 0;
	if (nr_rows)
		live->cpu_rows = calloc(nr_rows, sizeof(*row));
	if (nr_rows && !live->cpu_rows)
		return false;
	live->nr_cpus = nr;
	for (i = 0; i < nr_rows; i++) {
		row = &live->cpu_rows[i];
		row->has_count = is_first;
		snprintf(row->name, sizeof(row->name), "  cpu %d",
			 cpus->cpu[i % nr].number);
	}
	return true;
}

static void update_cpus(struct live *live, const struct report *report)
{
	size_t i, nr = live->nr_cpus * live->events->nr;

	for (i = 0; i < nr; i++) {
		struct row *row = &live->cpu_rows[i];
		const uint64_t count = report->cpus->cpu[i % live->nr_cpus]
					       .count[i / live->nr_cpus];

		row->value = row->has_count
				     ? rate_of(report, count - row->count)
				     : NAN;
		row->missing = live->rows[i / live->nr_cpus].missing;
		row->has_count = !row->missing;
		row->count = count;
		add_to_history(&row->history, row->value);
	}
}

int show_report(struct live *live, const struct report *report)
{
	const size_t nr = live->events->nr;
	struct derived derived;
	size_t i;

	live->us = report->counted_us;
	for (i = 0; i < nr; i++)
		update_event(&live->rows[i], report, i);
	for (i = 0; get_metric(report, i, &derived); i++)
		update_metric(&live->rows[nr + i], &derived);
	if (!find_cpus(live, report->cpus)) {
		complain("no memory for the rows of each processor in --live");
		return PERFEX_SYSTEM;
	}
	update_cpus(live, report);
	draw(live);
	return 0;
}

void watch_terminal(struct live *live)
{
	switch (read_screen(&live->screen)) {
	case SCREEN_QUIT:
		kill(0, SIGINT);
		break;
	case SCREEN_RESIZED:
		draw(live);
		break;
	default:
		if (!live->is_shown)
			draw(live);
	}
}

void close_live(struct live *live)
{
	close_screen(&live->screen);
	bring_back(&live->aside);
	free(live->rows);
	free(live->cpu_rows);
	live->rows = NULL;
	live->cpu_rows = NULL;
}
