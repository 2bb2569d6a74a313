/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the axes and other common parts of a chart in SVG 1.1, which any
 * browser shows.
 */
#ifndef PERFEX_AXIS_H
#define PERFEX_AXIS_H

#include <stdbool.h>
#include <stdio.h>

/* How many colours there are. The class of a shape in colour n is "sn". */
#define NR_COLOURS 8

/**
 * struct axis - a scale: from numbers to places
 * @low: its least number
 * @high: its largest number
 * @step: from tick to tick
 * @begin: where @low is, in pixels from the left or from the top
 * @end: where @high is
 */
struct axis {
	double low;
	double high;
	double step;
	double begin;
	double end;
};

/**
 * struct frame - the area of a chart that has the shapes, in pixels
 * @left: its borders
 * @right: likewise
 * @top: likewise
 * @bottom: likewise
 */
struct frame {
	double left;
	double right;
	double top;
	double bottom;
};

/**
 * begin_picture() - the head of a picture
 * @out: where to
 * @width: of it, in pixels
 * @height: of it
 * @title: what it is called
 */
void begin_picture(FILE *out, double width, double height, const char *title);

/* end_picture() - the end of it */
void end_picture(FILE *out);

/* print_xml() - print a text, which XML then takes as it is */
void print_xml(FILE *out, const char *text);

/* draw_text() - a text at a place; @class: NULL, "title", "end" or "middle" */
void draw_text(FILE *out, double x, double y, const char *class,
	       const char *text);

/**
 * fit_axis() - choose an axis that has round numbers for ticks, also at its ends
 * @axis: receives it; its places are left alone
 * @low: the least number that is shown, from 0
 * @high: the largest
 * @is_whole: all are whole numbers
 */
void fit_axis(struct axis *axis, double low, double high, bool is_whole);

/* place_on() - where a number is on an axis, in pixels */
double place_on(const struct axis *axis, double value);

/* axis_width() - how much room its numbers need on the left of it, in pixels */
double axis_width(const struct axis *axis);

/* draw_left_axis() - with a line through the frame for each tick */
void draw_left_axis(FILE *out, const struct axis *axis,
		    const struct frame *frame);

/* draw_bottom_axis() - with its @unit below it, at the right */
void draw_bottom_axis(FILE *out, const struct axis *axis,
		      const struct frame *frame, const char *unit);

#endif /* PERFEX_AXIS_H */
