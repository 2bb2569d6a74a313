/* SPDX-License-Identifier: GPL-2.0-only */
/* This header defines the marks that distinguish a merge from a report. */
#ifndef PERFEX_MERGE_FORM_H
#define PERFEX_MERGE_FORM_H

/* The columns of a merge with --csv, as perfex(1) has them. */
#define MERGE_COLUMNS                                            \
	"kind,name,modes,code,value,share,note,reports,missing," \
	"projected,means,min,min_file,max,max_file,low,high"

/* The member that a merge with --json has, and a report has not. */
#define MERGE_REPORTS "reports"

#endif /* PERFEX_MERGE_FORM_H */
