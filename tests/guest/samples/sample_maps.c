// SPDX-License-Identifier: GPL-2.0-only
/*
 * sample_maps: test that the records of rings describe the executable memory of each process in a
 * tree like /proc/PID/maps.
 *
 * The processes execute a copy of this program. It maps files as if it loaded them, forks and
 * executes itself again. At its end, each process copies its executable mappings from
 * /proc/self/maps to a file. The test replays the records up to the end of each process.
 */
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "rings.h"

#define RING_SIZE (1 << 20)
#define LONG_NAME 250

/* This is executable memory. The later fields describe its file. */
struct map {
	uint64_t begin, end, offset, inode, device;
	char text[PATH_MAX];
};

#define MAPS 128

/* These are the mappings of one process. */
struct view {
	uint32_t pid;
	unsigned int nr;
	struct map map[MAPS];
};

/* Add a mapping. It replaces overlapped parts of earlier mappings, and the other parts stay. */
static void view_add(struct view *v, const struct map *m)
{
	unsigned int i, nr = v->nr;
	struct map *old, rest;

	for (i = 0; i < nr; i++) {
		old = &v->map[i];
		if (old->end <= m->begin || old->begin >= m->end)
			continue;
		if (old->end > m->end) {
			rest = *old;
			rest.offset += rest.inode ? m->end - rest.begin : 0;
			rest.begin = m->end;
			v->map[v->nr++] = rest;
		}
		/* A mapping that begins at its end is empty. */
		old->end = old->begin < m->begin ? m->begin : old->begin;
	}
	if (v->nr + 2 > MAPS)
		errx(2, "too many mappings");
	v->map[v->nr++] = *m;
}

/* The following functions run in the program. */

static void *map_code(const char *path, off_t offset, bool protect, bool gone)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	int prot = PROT_READ | PROT_EXEC;
	char *p;

	if (fd < 0 || (gone && unlink(path)))
		err(2, "%s", path);
	p = mmap(NULL, 4096, protect ? PROT_READ : prot, MAP_PRIVATE, fd,
		 offset);
	close(fd);
	if (p == MAP_FAILED || (protect && mprotect(p, 4096, prot)))
		err(2, "%s", path);
	return p;
}

static void copy_self(const char *path)
{
	int from = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);

	if (from < 0 || to < 0)
		err(2, "%s", path);
	while (sendfile(to, from, NULL, 1 << 20) > 0)
		;
	close(from);
	close(to);
}

/* Write the executable lines of /proc/self/maps to the file of this process. */
static void write_maps(void)
{
	char line[PATH_MAX + 128], path[32], perms[8];
	FILE *from = fopen("/proc/self/maps", "re"), *to;

	snprintf(path, sizeof(path), "maps.%d", getpid());
	to = fopen(path, "we");
	if (!from || !to)
		err(2, "%s", path);
	while (fgets(line, sizeof(line), from)) {
		if (sscanf(line, "%*s %7s", perms) == 1 && perms[2] == 'x' &&
		    !strstr(line, "[vsyscall]"))
			fputs(line, to);
	}
	fclose(from);
	fclose(to);
}

/* Map a file that is deleted, and one with a long path. */
static void map_odd_files(void)
{
	char name[LONG_NAME + 1];
	unsigned int depth;
	int here = open(".", O_RDONLY | O_CLOEXEC);

	copy_self("gone");
	map_code("gone", 4096, false, true);
	memset(name, 'x', LONG_NAME);
	name[LONG_NAME] = 0;
	for (depth = 0; depth < 12; depth++) {
		mkdir(name, 0700);
		if (chdir(name))
			err(2, "chdir");
	}
	copy_self("deep");
	map_code("deep", 0, false, false);
	if (fchdir(here))
		err(2, "fchdir");
	close(here);
}

/* Let mremap(2) move executable memory, into a mapping that it joins, too, and let it grow. */
static void move_code(void)
{
	const size_t page = 4096;
	const int prot = PROT_READ | PROT_EXEC,
		  flags = MREMAP_MAYMOVE | MREMAP_FIXED;
	char *place = mmap(NULL, 16 * page, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *code = map_code("/proc/self/exe", 4096, false, false);
	char *next = map_code("/proc/self/exe", 8192, false, false);
	char *alone =
		mmap(NULL, page, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char *far = place + 12 * page;

	if (place == MAP_FAILED || alone == MAP_FAILED ||
	    munmap(far + page, page) ||
	    mremap(code, page, page, flags, place + page) != place + page ||
	    mremap(next, page, page, flags, place + 2 * page) !=
		    place + 2 * page ||
	    mremap(alone, page, page, flags, far) != far ||
	    mremap(far, page, 2 * page, 0) != far)
		err(2, "mremap");
}

/* NOLINTNEXTLINE(misc-no-recursion): it executes itself at each depth */
static void program(int depth)
{
	void *anonymous = mmap(NULL, 8192, PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char text[16];
	void *p, *q;
	pid_t pid;

	p = map_code("/proc/self/exe", 0, false, false);
	q = map_code("/proc/self/exe", 4096, true, false);
	if (mprotect(anonymous, 4096, PROT_READ | PROT_EXEC))
		err(2, "mprotect");
	/*
	 * The end of a mapping does not have a record, but the next mapping at its place has a
	 * record.
	 */
	munmap(p, 4096);
	if (mmap(p, 4096, PROT_READ | PROT_EXEC,
		 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != p)
		err(2, "mmap");
	(void)q;
	move_code();
	if (depth == 2)
		map_odd_files();
	if (depth) {
		pid = fork();
		if (!pid) {
			map_code("/proc/self/exe", 0, true, false);
			if (depth % 2) {
				snprintf(text, sizeof(text), "%d", depth - 1);
				execl("./sample_maps", "sample_maps", text,
				      NULL);
				err(2, "exec");
			}
			write_maps();
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		program(depth - 1);
		return;
	}
	write_maps();
}

/* The following functions run in the test. */

#define VIEWS 64

static struct view *views[VIEWS];
static unsigned int nr_views;
/* These are the mappings of processes that were forked and have not run yet. */
static struct {
	uint64_t number;
	struct view view;
} forked[VIEWS];
static unsigned int nr_forked;

static struct view *view_of(uint32_t pid)
{
	unsigned int i;

	for (i = 0; i < nr_views; i++) {
		if (views[i]->pid == pid)
			return views[i];
	}
	if (nr_views == VIEWS)
		errx(2, "too many processes");
	views[nr_views] = calloc(1, sizeof(struct view));
	views[nr_views]->pid = pid;
	return views[nr_views++];
}

static unsigned int nr_changes[8], strange;

static void take(const uint64_t *record, uint32_t size)
{
	const struct vpmc_change *c = (const struct vpmc_change *)record;
	struct view *v;
	struct map m;
	unsigned int i;

	if (!(*record & VPMC_WHERE_OTHER))
		return;
	nr_changes[change_type(c) % 8]++;
	v = view_of(c->pid);
	switch (change_type(c)) {
	case VPMC_CHANGE_MAP:
		if (!memchr(c->text, 0, size - sizeof(*c)))
			strange++;
		m = (struct map){ c->begin, c->end,    c->offset,
				  c->inode, c->device, "" };
		snprintf(m.text, sizeof(m.text), "%s", c->text);
		view_add(v, &m);
		break;
	case VPMC_CHANGE_EXEC:
		v->nr = 0;
		break;
	case VPMC_CHANGE_FORK:
		forked[nr_forked].number = c->begin;
		forked[nr_forked++].view = *v;
		break;
	case VPMC_CHANGE_BORN:
		for (i = 0; i < nr_forked && forked[i].number != c->begin; i++)
			;
		if (i == nr_forked || v->nr) {
			strange++;
			break;
		}
		*v = forked[i].view;
		v->pid = c->pid;
		break;
	default:
		strange++;
	}
}

/* Return whether @v has exactly the mapping that a line of /proc/PID/maps describes. */
static bool view_has(const struct view *v, const char *line)
{
	unsigned int i, major, minor;
	uint64_t begin, end, offset, inode;
	int at = 0;
	const struct map *m;

	/* NOLINTNEXTLINE(cert-err34-c): the kernel has written the line */
	sscanf(line,
	       "%" SCNx64 "-%" SCNx64 " %*s %" SCNx64 " %x:%x %" SCNu64 " %n",
	       &begin, &end, &offset, &major, &minor, &inode, &at);
	for (i = 0; i < v->nr; i++) {
		m = &v->map[i];
		if (m->begin == begin && m->end == end &&
		    (!inode || m->offset == offset) && m->inode == inode &&
		    m->device == ((uint64_t)major << 32 | minor) &&
		    !strncmp(m->text, line + at, strlen(m->text)) &&
		    !line[(size_t)at + strlen(m->text)])
			return true;
	}
	return false;
}

static void compare(const struct view *v)
{
	char path[32], line[PATH_MAX + 128];
	unsigned int nr = 0, wrong = 0;
	FILE *file;

	snprintf(path, sizeof(path), "maps.%u", v->pid);
	file = fopen(path, "re");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		nr++;
		line[strcspn(line, "\n")] = 0;
		if (view_has(v, line))
			continue;
		wrong++;
		check(false, "process %u has told of %s", v->pid, line);
	}
	fclose(file);
	check(nr > 3 && !wrong, "process %u has told of its %u mappings",
	      v->pid, nr);
}

int main(int argc, char **argv)
{
	struct vpmc_start *start;
	struct rings r;
	unsigned int i;
	int result;

	if (argc > 1) {
		program((int)strtol(argv[1], NULL, 10));
		return 0;
	}
	r = rings_new(RING_SIZE);
	start = start_arg(FIRST, VPMC_START_COLLECT | VPMC_START_AT_EXEC);
	start->nr_events = 1;
	start->event[0].period = 1000000;
	if (!child_fork()) {
		result = request(r.fd, VPMC_START, start);
		if (result)
			errx(2, "start: %d, %u", result, start->error);
		execl("./sample_maps", "sample_maps", "3", NULL);
		err(2, "exec");
	}
	until_gone(&r);
	rings_read(&r, take);
	check(!r.lost && !r.lost_changes && !r.hidden && !strange,
	      "nothing is lost or strange: %u", strange);
	for (i = 0; i < nr_views; i++)
		compare(views[i]);
	check(nr_changes[VPMC_CHANGE_EXEC] > 1 &&
		      nr_changes[VPMC_CHANGE_FORK] ==
			      nr_changes[VPMC_CHANGE_BORN],
	      "%u programs, %u forks, %u births", nr_changes[VPMC_CHANGE_EXEC],
	      nr_changes[VPMC_CHANGE_FORK], nr_changes[VPMC_CHANGE_BORN]);
	return check_status();
}
