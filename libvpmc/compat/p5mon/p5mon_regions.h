/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * Regions of a program that run_p5mon counts.
 *
 * run_p5mon gives the program the path of a file in the environment variable
 * P5MON_REGIONS_FILE. When the program exits it appends, in one write(2), a line for
 * each region that was entered or left,
 *
 *	REGION ENTERED EXITED COUNT...
 *
 * with a count for each event, or the line "error SENTENCE" if it cannot count.
 */
#ifndef P5MON_REGIONS_FILE_H
#define P5MON_REGIONS_FILE_H

#define P5MON_REGIONS_FILE "P5MON_REGIONS_FILE"

#endif /* P5MON_REGIONS_FILE_H */
