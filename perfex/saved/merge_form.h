/* SPDX-License-Identifier: GPL-2.0-only */
/* This header defines the marks that distinguish a merge from a report. */
#ifndef PERFEX_MERGE_FORM_H
#define PERFEX_MERGE_FORM_H

/* These are the columns of a merge with --csv, as perfex(1) lists them. */
#define MERGE_COLUMNS                                            \
	"kind,name,modes,code,value,share,note,reports,missing," \
	"projected,means,min,min_file,max,max_file,low,high"

/* A merge with --json has this member, and a report does not. */
#define MERGE_REPORTS "reports"

#endif /* PERFEX_MERGE_FORM_H */
