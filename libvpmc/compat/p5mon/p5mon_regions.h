/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header defines the file that receives the counts of a program's regions for
 * run_p5mon.
 *
 * run_p5mon passes the path of a file to the program in the environment variable
 * P5MON_REGIONS_FILE. When the program exits it appends, in one write(2), a line for each
 * region that was entered or left,
 *
 *	REGION ENTERED EXITED COUNT...
 *
 * with a count for each event. If it cannot count, it appends the line "error SENTENCE"
 * instead.
 */
#ifndef P5MON_REGIONS_FILE_H
#define P5MON_REGIONS_FILE_H

#define P5MON_REGIONS_FILE "P5MON_REGIONS_FILE"

#endif /* P5MON_REGIONS_FILE_H */
