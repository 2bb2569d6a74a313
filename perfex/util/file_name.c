// SPDX-License-Identifier: GPL-2.0-only
/* Compose the names of files from patterns. */
#include "util/file_name.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/perfex.h"
#include "util/stream.h"

/*
 * Launchers pass a process its rank in these variables. Slurm's variable comes last, because
 * mpirun inherits it from its job, and passes it on.
 */
static const char *const rank_variables[] = {
	"OMPI_COMM_WORLD_RANK", /* Open MPI */
	"PMIX_RANK",		/* launchers with PMIx: Open MPI, Slurm */
	"PMI_RANK",		/* MPICH and its derivatives */
	"SLURM_PROCID",		/* srun */
};

static int fail(const char *name, const char *option, const char *why)
{
	complain("cannot make a file name from \"%s\" after %s: %s", name,
		 option, why);
	return PERFEX_USAGE;
}

static const char *find_rank(void)
{
	const char *rank;
	size_t i;

	for (i = 0; i < sizeof(rank_variables) / sizeof(rank_variables[0]);
	     i++) {
		rank = getenv(rank_variables[i]);
		if (rank && *rank && !rank[strspn(rank, "0123456789")])
			return rank;
	}
	return NULL;
}

static int print_rank(FILE *out, const char *name, const char *option)
{
	const char *rank = find_rank();

	if (!rank)
		return fail(name, option,
			    "%r is the rank, but no launcher of MPI has set"
			    " OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK or"
			    " SLURM_PROCID");
	fputs(rank, out);
	return 0;
}

static int print_host(FILE *out, const char *name, const char *option)
{
	char host[HOST_NAME_MAX + 1] = "";

	/*
	 * The name of a machine may be any text. Refuse a name with a slash, which would select
	 * another directory.
	 */
	if (gethostname(host, sizeof(host) - 1) || strchr(host, '/'))
		return fail(name, option,
			    "%h is the name of this machine, which cannot be"
			    " part of a file's name");
	fputs(host, out);
	return 0;
}

static int print_unknown(const char *at, const char *name, const char *option)
{
	char why[80];
	int length = 2;

	if (!at[1])
		return fail(name, option,
			    "% at its end means nothing (write %% for a per"
			    " cent sign)");
	/* Include all bytes of a character that is not ASCII. */
	while ((at[length] & 0xc0) == 0x80)
		length++;
	snprintf(why, sizeof(why),
		 "%.*s is not a pattern (%%h, %%p, %%r and %%%% are)", length,
		 at);
	return fail(name, option, why);
}

/* Print the part that begins with the per cent sign at @at. */
static int print_part(FILE *out, const char *at, const char *name,
		      const char *option)
{
	switch (at[1]) {
	case '%':
		fputc('%', out);
		return 0;
	case 'h':
		return print_host(out, name, option);
	case 'p':
		fprintf(out, "%ld", (long)getpid());
		return 0;
	case 'r':
		return print_rank(out, name, option);
	default:
		return print_unknown(at, name, option);
	}
}

static int print_name(FILE *out, const char *name, const char *option)
{
	const char *at;
	int status = 0;

	for (at = name; !status && *at; at++) {
		if (*at == '%')
			status = print_part(out, at++, name, option);
		else
			fputc(*at, out);
	}
	return status;
}

static int keep_name(const char **name, char kept[PATH_MAX],
		     const char *expanded, const char *option)
{
	const size_t size = strlen(expanded) + 1;

	if (size > PATH_MAX)
		return fail(*name, option, "it is too long");
	memcpy(kept, expanded, size);
	*name = kept;
	return 0;
}

int expand_file_name(const char **name, char kept[PATH_MAX], const char *option)
{
	char *expanded = NULL;
	size_t size;
	FILE *out;
	int status;

	if (!strchr(*name, '%'))
		return 0;
	out = open_memstream(&expanded, &size);
	status = out ? print_name(out, *name, option) : PERFEX_SYSTEM;
	if (!out || !close_stream(out)) {
		complain("cannot make the name of a file: %s", strerror(errno));
		status = PERFEX_SYSTEM;
	}
	if (!status)
		status = keep_name(name, kept, expanded, option);
	free(expanded);
	return status;
}
