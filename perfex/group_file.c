// SPDX-License-Identifier: GPL-2.0-only
/*
 * See group_file.h. A group is the file PLACE/FAMILY/NAME, in the user's place and in
 * that of the installation, and the first that there is counts.
 */
#include "group_file.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUBDIRECTORY "vpmc/groups"

/* No group is longer. */
#define FILE_MAX 65536

/* Where a group is sought: the families a processor's counters belong to, at last all. */
#define NR_FAMILIES 3
#define NR_PLACES   2

/* Where the names in a list end. */
#define NAME_WIDTH 16

/* A Pentium with MMX counts all that one without it does. */
static const struct {
	const char *pmu;
	const char *like;
} likes[] = {
	{ "p5mmx", "p5" },
};

/**
 * struct place - where groups are
 * @path: of the directory with one for each family; empty if there is none
 */
struct place {
	char path[PATH_MAX];
};

/* Whoever has gained rights by executing perfex does not choose what it reads. */
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

/* PREFIX/share, for a perfex in PREFIX/bin, wherever that has been moved. */
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

static void find_families(const struct vpmc_pmu *pmu,
			  const char *families[NR_FAMILIES])
{
	size_t i;

	families[0] = vpmc_pmu_name(pmu);
	families[1] = families[0];
	families[2] = "generic";
	for (i = 0; i < sizeof(likes) / sizeof(likes[0]); i++) {
		if (!strcmp(families[0], likes[i].pmu))
			families[1] = likes[i].like;
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
	const char *families[NR_FAMILIES];
	struct place places[NR_PLACES];
	size_t i, j;

	if (strchr(group, '/'))
		return snprintf(path, PATH_MAX, "%s", group) < PATH_MAX;
	find_places(places);
	find_families(pmu, families);
	for (i = 0; i < NR_PLACES; i++) {
		for (j = 0; j < NR_FAMILIES; j++) {
			if (make_path(path, &places[i], families[j], group) &&
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

/* A text that the caller frees. */
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
				      : "it is no text of 64 KiB or less");
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

/* Those that another directory hides are left out. */
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
	const char *families[NR_FAMILIES];
	struct place places[NR_PLACES];
	int status = 0;
	size_t i, j;

	find_places(places);
	find_families(pmu, families);
	for (i = 0; i < NR_PLACES; i++) {
		for (j = 0; !status && j < NR_FAMILIES; j++) {
			/* One may stand there twice. */
			if (!j || strcmp(families[j], families[j - 1]) != 0)
				status = visit_directory(pmu, &places[i],
							 families[j], use, arg);
		}
	}
	return status;
}

/**
 * struct group_list - a list of groups under way
 * @out: where to
 * @listed: how many are in it
 */
struct group_list {
	FILE *out;
	unsigned int listed;
};

/* The first line of its text. */
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
		fprintf(out, "# no groups for %s: they belong into %s/%s\n",
			vpmc_pmu_name(pmu), places[1].path, vpmc_pmu_name(pmu));
}
