/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * musl has no fts(3). This header has the declarations that elfutils' libraries need, for a file
 * that no program of the guest is linked with.
 */
#ifndef FTS_H
#define FTS_H

#include <sys/stat.h>

typedef struct fts FTS;

typedef struct ftsent {
	unsigned short fts_info;
	unsigned short fts_namelen;
	char *fts_path;
	char *fts_accpath;
	char *fts_name;
	int fts_errno;
	int fts_level;
	struct stat *fts_statp;
} FTSENT;

#define FTS_LOGICAL  0x0002
#define FTS_NOSTAT   0x0008
#define FTS_PHYSICAL 0x0010
#define FTS_SKIP     4
#define FTS_F	     8
#define FTS_NSOK     11
#define FTS_SL	     12
#define FTS_SLNONE   13
#define FTS_DNR	     4
#define FTS_ERR	     7
#define FTS_NS	     10
#define FTS_D	     1

FTS *fts_open(char *const *paths, int options,
	      int (*compare)(const FTSENT **first, const FTSENT **second));
FTSENT *fts_read(FTS *fts);
int fts_set(FTS *fts, FTSENT *entry, int options);
int fts_close(FTS *fts);

#endif /* FTS_H */
