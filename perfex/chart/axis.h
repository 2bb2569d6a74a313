/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * This header declares the axes and other common parts of a chart in SVG 1.1, which any
 * browser shows.
 */
#ifndef PERFEX_AXIS_H
#define PERFEX_AXIS_H

#include <stdbool.h>
#include <stdio.h>

/* This is the number of colours. The class of a shape in colour n is "sn". */
#define NR_COLOURS 8

/**
 * struct axis - a scale, which maps numbers to positions
 * @low: lowest number
 * @high: highest number
 * @step: distance between ticks
 * @begin: position of @low, in pixels from the left or from the top
 * @end: position of @high
 */
struct axis {
	double low;
	double high;
	double step;
	double begin;
	double end;
};

/**
 * struct frame - the area of a chart that contains the shapes, in pixels
 * @left: its left border
 * @right: its right border
 * @top: its top border
 * @bottom: its bottom border
 */
struct frame {
	double left;
	double right;
	double top;
	double bottom;
};

/**
 * begin_picture() - print the head of a picture
 * @out: stream to write to
 * @width: width of the picture, in pixels
 * @height: height of the picture, in pixels
 * @title: title of the picture
 */
void begin_picture(FILE *out, double width, double height, const char *title);

/* end_picture() - print the end of a picture */
void end_picture(FILE *out);

/* print_xml() - print a text, and escape the special characters of XML */
void print_xml(FILE *out, const char *text);

/* draw_text() - print a text at a position; @class is NULL, "title", "end" or "middle" */
void draw_text(FILE *out, double x, double y, const char *class,
	       const char *text);

/**
 * fit_axis() - choose an axis with round numbers for ticks and ends
 * @axis: receives the numbers of the axis; its positions do not change
 * @low: lowest number to show, at least 0
 * @high: highest number to show
 * @is_whole: true if all numbers are whole
 */
void fit_axis(struct axis *axis, double low, double high, bool is_whole);

/* place_on() - compute the position of a number on an axis, in pixels */
double place_on(const struct axis *axis, double value);

/* axis_width() - estimate the width of an axis's numbers, in pixels */
double axis_width(const struct axis *axis);

/* draw_left_axis() - draw the left axis, with a line through the frame for each tick */
void draw_left_axis(FILE *out, const struct axis *axis,
		    const struct frame *frame);

/* draw_bottom_axis() - draw the bottom axis, with @unit below its right end */
void draw_bottom_axis(FILE *out, const struct axis *axis,
		      const struct frame *frame, const char *unit);

#endif /* PERFEX_AXIS_H */
