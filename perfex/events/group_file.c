// SPDX-License-Identifier: GPL-2.0-only
/*
 * Find the files of groups. A group is the file PLACE/FAMILY/NAME, in the user's place or in the
 * installation's place. The first file that exists is used.
 */
#include "events/group_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUBDIRECTORY "vpmc/groups"

/* The file of a group has at most this many bytes. */
#define FILE_MAX 65536

/*
 * A group is searched in this order: for the processor's model, its family by CPUID, the families
 * of its counters, and for all processors.
 */
#define NR_FAMILIES 5
#define NR_PLACES   2

/* The name of a family of counters with the numbers of CPUID fits into this many bytes. */
#define FAMILY_MAX 48

/* The names in a list have this width. */
#define NAME_WIDTH 16

/* A Pentium with MMX counts all events of a Pentium without MMX. */
static const struct {
	const char *pmu;
	const char *like;
} likes[] = {
	{ "p5mmx", "p5" },
};

/**
 * struct place - a place of groups
 * @path: path of its directory, which has a directory for each family; empty if there is none
 */
struct place {
	char path[PATH_MAX];
};

/*
 * Find the user's place. If perfex runs set-user-ID, it ignores the environment, so that
 * its caller cannot choose the files that it reads.
 */
static void find_own(struct place *place)
{
	const char *config = getenv("XDG_CONFIG_HOME");
	const char *home = getenv("HOME");

	place->path[0] = '\0';
	if (geteuid() != getuid())
		return;
	if (config && *config == '/')
		snprintf(place->path, PATH_MAX, "%s/" SUBDIRECTORY, config);
	else if (home && *home == '/')
		snprintf(place->path, PATH_MAX, "%s/.config/" SUBDIRECTORY,
			 home);
}

/*
 * Find the place of the installation. It is PREFIX/share for a perfex in PREFIX/bin, even if
 * PREFIX was moved.
 */
static void find_installed(struct place *place)
{
	static const char share[] = "/share/" SUBDIRECTORY;
	char *const path = place->path;
	ssize_t length =
		readlink("/proc/self/exe", path, PATH_MAX - sizeof(share));
	char *slash;
	int i;

	path[length < 0 ? 0 : length] = '\0';
	for (i = 0; i < 2; i++) {
		slash = strrchr(path, '/');
		if (slash)
			*slash = '\0';
	}
	memcpy(path + strlen(path), share, sizeof(share));
}

static void find_places(struct place places[NR_PLACES])
{
	find_own(&places[0]);
	find_installed(&places[1]);
}

/**
 * struct families - the families of a processor
 * @name: names of their directories; a repeated name follows the first
 */
struct families {
	char name[NR_FAMILIES][FAMILY_MAX];
};

static void name_family(struct families *families, size_t i, const char *name)
{
	snprintf(families->name[i], FAMILY_MAX, "%s", name);
}

/* Compose names such as "amd-6-8" and "amd-6" if @pmu describes the counters of this machine. */
static void find_models(struct families *families, const char *pmu)
{
	struct vpmc_machine machine;

	name_family(families, 0, pmu);
	name_family(families, 1, pmu);
	if (!vpmc_pmu_here(&machine) || strcmp(machine.pmu, pmu) != 0)
		return;
	snprintf(families->name[0], FAMILY_MAX, "%s-%u-%u", pmu, machine.family,
		 machine.model);
	snprintf(families->name[1], FAMILY_MAX, "%s-%u", pmu, machine.family);
}

static void find_families(const struct vpmc_pmu *pmu, struct families *families)
{
	const char *name = vpmc_pmu_name(pmu);
	size_t i;

	find_models(families, name);
	name_family(families, 2, name);
	name_family(families, 3, name);
	name_family(families, 4, "generic");
	for (i = 0; i < sizeof(likes) / sizeof(likes[0]); i++) {
		if (!strcmp(name, likes[i].pmu))
			name_family(families, 3, likes[i].like);
	}
}

static bool make_path(char path[PATH_MAX], const struct place *place,
		      const char *family, const char *name)
{
	return place->path[0] && snprintf(path, PATH_MAX, "%s/%s/%s",
					  place->path, family, name) < PATH_MAX;
}

static bool is_file(const char *path)
{
	struct stat status;

	return !stat(path, &status) && S_ISREG(status.st_mode);
}

static bool find_file(char path[PATH_MAX], const struct vpmc_pmu *pmu,
		      const char *group)
{
	struct families families;
	struct place places[NR_PLACES];
	size_t i, j;

	if (strchr(group, '/'))
		return snprintf(path, PATH_MAX, "%s", group) < PATH_MAX;
	find_places(places);
	find_families(pmu, &families);
	for (i = 0; i < NR_PLACES; i++) {
		for (j = 0; j < NR_FAMILIES; j++) {
			if (make_path(path, &places[i], families.name[j],
				      group) &&
			    is_file(path))
				return *group && *group != '.';
		}
	}
	return false;
}

static int fail(const char *path, const char *why)
{
	complain("cannot read the group %s: %s", path, why);
	return PERFEX_UNKNOWN_EVENT;
}

/* Read a file into a text that the caller frees. */
static int read_text(const char *path, char **text)
{
	FILE *file = fopen(path, "re");
	size_t length;
	bool bad;

	if (!file)
		return fail(path, strerror(errno));
	*text = malloc(FILE_MAX + 1);
	length = *text ? fread(*text, 1, FILE_MAX + 1, file) : 0;
	bad = !*text || ferror(file);
	fclose(file);
	if (bad || length > FILE_MAX || memchr(*text, '\0', length)) {
		free(*text);
		return fail(path, bad ? strerror(errno)
				      : "it is not a text of 64 KiB or less");
	}
	(*text)[length] = '\0';
	return 0;
}

int load_group_file(struct metrics *metrics, const char *path)
{
	const size_t nr = metrics->nr_files;
	int status;

	status = read_text(path, &metrics->file[nr]);
	if (status)
		return status;
	metrics->name[nr] = strdup(path);
	metrics->nr_files++;
	if (!metrics->name[nr])
		return fail(path, strerror(errno));
	return parse_group(metrics, metrics->name[nr], metrics->file[nr]);
}

int load_group(struct metrics *metrics, const struct vpmc_pmu *pmu,
	       const char *group)
{
	char path[PATH_MAX];

	if (find_file(path, pmu, group))
		return load_group_file(metrics, path);
	complain("unknown group \"%s\" for this processor (%s): perfex -g help"
		 " lists the groups",
		 group, vpmc_pmu_name(pmu));
	return PERFEX_UNKNOWN_EVENT;
}

void free_groups(struct metrics *metrics)
{
	size_t i;

	for (i = 0; i < metrics->nr_files; i++) {
		free(metrics->file[i]);
		free(metrics->name[i]);
	}
}

static int is_group(const struct dirent *entry)
{
	const size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '.' && entry->d_name[length - 1] != '~';
}

/* Visit the groups of a directory. Skip groups that an earlier directory hides. */
static int visit_directory(const struct vpmc_pmu *pmu,
			   const struct place *place, const char *family,
			   int (*use)(const char *path, const char *name,
				      void *arg),
			   void *arg)
{
	char path[PATH_MAX] = "", found[PATH_MAX];
	struct dirent **entries = NULL;
	int status = 0, nr = 0, i;

	if (make_path(path, place, family, "."))
		nr = scandir(path, &entries, is_group, alphasort);
	for (i = 0; i < nr; i++) {
		const char *name = entries[i]->d_name;

		if (!status && make_path(path, place, family, name) &&
		    find_file(found, pmu, name) && !strcmp(found, path))
			status = use(path, name, arg);
		free(entries[i]);
	}
	free(entries);
	return status;
}

int visit_groups(const struct vpmc_pmu *pmu,
		 int (*use)(const char *path, const char *name, void *arg),
		 void *arg)
{
	struct families families;
	struct place places[NR_PLACES];
	int status = 0;
	size_t i, j;

	find_places(places);
	find_families(pmu, &families);
	for (i = 0; i < NR_PLACES; i++) {
		for (j = 0; !status && j < NR_FAMILIES; j++) {
			/* Visit a directory only once if its name occurs twice. */
			if (!j ||
			    strcmp(families.name[j], families.name[j - 1]) != 0)
				status = visit_directory(pmu, &places[i],
							 families.name[j], use,
							 arg);
		}
	}
	return status;
}

/**
 * struct group_list - a list of groups in progress
 * @out: stream to write to
 * @listed: number of groups in the list
 */
struct group_list {
	FILE *out;
	unsigned int listed;
};

/* Print the name of a group and the first line of its text. */
static int print_group(const char *path, const char *name, void *arg)
{
	struct group_list *list = arg;
	char line[GROUP_LINE_MAX + sizeof("\n")] = "";
	char escaped[4 * sizeof(line)];
	FILE *file = fopen(path, "re");

	while (file && fgets(line, sizeof(line), file)) {
		line[strcspn(line, "\n")] = '\0';
		if (is_meaning(line))
			break;
		line[0] = '\0';
	}
	if (file)
		fclose(file);
	vpmc_escape(line + strspn(line, " \t"), escaped, sizeof(escaped));
	fprintf(list->out, "%-*s  %s\n", NAME_WIDTH, name, escaped);
	list->listed++;
	return 0;
}

void list_groups(FILE *out, const struct vpmc_pmu *pmu)
{
	struct group_list list = { .out = out };
	struct place places[NR_PLACES];

	visit_groups(pmu, print_group, &list);
	find_places(places);
	if (!list.listed)
		fprintf(out, "# no groups for %s: put their files into %s/%s\n",
			vpmc_pmu_name(pmu), places[1].path, vpmc_pmu_name(pmu));
}
