// SPDX-License-Identifier: GPL-2.0-only
/* Draw the axes and other common parts of a chart. */
#include "chart/axis.h"

#include <math.h>

/* An axis has about this many ticks at most. */
#define NR_TICKS 5

/* Two numbers are treated as distinct if their relative difference is at least this. */
#define PRECISION 1e-14

/* A number of 2^64 with a sign, or with a few decimals, fits into this many bytes. */
#define LABEL_MAX 40

/* Most letters are at most this wide in most fonts. */
#define LETTER_WIDTH 7

/* Every colour is readable on a light and on a dark background. */
static const char *const colours[NR_COLOURS] = {
	"#2f7ed8", "#cf5a00", "#13855a", "#b0528f",
	"#7a63c7", "#8a6d00", "#c0392b", "#4d7c8a",
};

static const char style[] = "text{font:12px sans-serif;fill:#222}\n"
			    ".title{font-size:14px;font-weight:bold}\n"
			    ".end{text-anchor:end}\n"
			    ".middle{text-anchor:middle}\n"
			    ".ground{fill:#fff}\n"
			    ".grid{stroke:#ddd}\n"
			    ".line{fill:none;stroke-width:2}\n"
			    ".dot{stroke:none}\n"
			    ".interval{stroke:none;fill-opacity:.25}\n"
			    "@media (prefers-color-scheme:dark){\n"
			    "text{fill:#ddd}\n"
			    ".ground{fill:#15181c}\n"
			    ".grid{stroke:#3a3f46}\n"
			    "}\n";

void print_xml(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*text, out);
		}
	}
}

void begin_picture(FILE *out, double width, double height, const char *title)
{
	size_t i;

	fprintf(out,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" role=\"img\""
		" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\">\n"
		"<title>",
		width, height, width, height);
	print_xml(out, title);
	fputs("</title>\n<style>\n", out);
	for (i = 0; i < NR_COLOURS; i++)
		fprintf(out, ".s%zu{fill:%s;stroke:%s}\n", i, colours[i],
			colours[i]);
	fprintf(out,
		"%s</style>\n"
		"<rect class=\"ground\" width=\"100%%\" height=\"100%%\"/>\n",
		style);
}

void end_picture(FILE *out)
{
	fputs("</svg>\n", out);
}

void draw_text(FILE *out, double x, double y, const char *class,
	       const char *text)
{
	fprintf(out, "<text x=\"%.1f\" y=\"%.1f\"", x, y);
	if (class)
		fprintf(out, " class=\"%s\"", class);
	fputc('>', out);
	print_xml(out, text);
	fputs("</text>\n", out);
}

/* Round up to 1, 2 or 5 times a power of ten. */
static double round_step(double step)
{
	const double power = pow(10, floor(log10(step)));
	const double digit = step / power;

	if (digit <= 1)
		return power;
	if (digit <= 2)
		return 2 * power;
	return digit <= 5 ? 5 * power : 10 * power;
}

void fit_axis(struct axis *axis, double low, double high, bool is_whole)
{
	const double least = fmax(is_whole ? 1 : 0, high * PRECISION);

	/* If there is only one number, put it in the middle. */
	if (high - low <= least) {
		low = fmax(low - least, 0);
		high += high > 0 ? least : 1;
	}
	axis->step = round_step((high - low) / NR_TICKS);
	if (is_whole && axis->step < 1)
		axis->step = 1;
	axis->low = floor(low / axis->step) * axis->step;
	axis->high = ceil(high / axis->step) * axis->step;
}

double place_on(const struct axis *axis, double value)
{
	return axis->begin + (value - axis->low) / (axis->high - axis->low) *
				     (axis->end - axis->begin);
}

static size_t nr_ticks(const struct axis *axis)
{
	return 1 + (size_t)((axis->high - axis->low) / axis->step + 0.001);
}

/* Print the number of a tick, counted from 0. Returns its length. */
static int print_tick(char text[LABEL_MAX], const struct axis *axis, size_t i)
{
	const int decimals =
		axis->step < 1 ? (int)ceil(-log10(axis->step) - PRECISION) : 0;

	return snprintf(text, LABEL_MAX, "%.*f", decimals,
			axis->low + (double)i * axis->step);
}

double axis_width(const struct axis *axis)
{
	char text[LABEL_MAX];

	return print_tick(text, axis, nr_ticks(axis) - 1) * LETTER_WIDTH;
}

void draw_left_axis(FILE *out, const struct axis *axis,
		    const struct frame *frame)
{
	char text[LABEL_MAX];
	double y;
	size_t i;

	for (i = 0; i < nr_ticks(axis); i++) {
		y = place_on(axis, axis->low + (double)i * axis->step);
		fprintf(out, "<path class=\"grid\" d=\"M%.1f %.1fH%.1f\"/>\n",
			frame->left, y, frame->right);
		print_tick(text, axis, i);
		draw_text(out, frame->left - 6, y + 4, "end", text);
	}
}

void draw_bottom_axis(FILE *out, const struct axis *axis,
		      const struct frame *frame, const char *unit)
{
	char text[LABEL_MAX];
	double x;
	size_t i;

	for (i = 0; i < nr_ticks(axis); i++) {
		x = place_on(axis, axis->low + (double)i * axis->step);
		fprintf(out, "<path class=\"grid\" d=\"M%.1f %.1fv5\"/>\n", x,
			frame->bottom);
		print_tick(text, axis, i);
		draw_text(out, x, frame->bottom + 18, "middle", text);
	}
	draw_text(out, frame->right, frame->bottom + 34, "end", unit);
}
