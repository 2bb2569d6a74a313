// SPDX-License-Identifier: GPL-2.0-only
/*
 * caches LOCKED <TRACE: count cache misses in a trace, for a comparison with other programs.
 *
 * A trace does not mark instructions that lock the bus, so LOCKED is a file with their
 * addresses in hexadecimal, one per line, in ascending order. TRACE is the output of valgrind's
 * tool lackey with --trace-mem=yes. The program simulates caches for code and for data, with
 * 128 sets of two ways and of four, with lines of 32 bytes and LRU. For each it prints a line:
 * a word, the number of ways, and the misses of code, of reads and of writes. The words:
 *
 *	cachegrind	as valgrind's tool of this name has them: a write miss brings the line
 *			in, and an access that touches two lines misses once
 *	pentium		a write miss does not, and each line misses; a line is in one of both
 *			caches only, and code is read 16 bytes at a time; a locked access
 *			goes to the bus and leaves no line
 *
 * So the first can be compared with cachegrind. The second, which differs from it only
 * by these rules, can be compared with the emulated Pentium. This program shares no
 * code with the emulator's model.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SETS	 128
#define LINE	 32
#define FETCH	 16
#define MAX_WAYS 4

#define MAX_LOCKED 4096

/* These kinds of misses are counted. */
enum { CODE, READ, WRITE, KINDS };

struct cache {
	unsigned ways;
	unsigned long used[SETS][MAX_WAYS]; /* time of the last use; 0: empty */
	unsigned long line[SETS][MAX_WAYS];
};

struct caches {
	unsigned long fetched; /* the last FETCH bytes */
	unsigned long next;    /* the next address */
	unsigned long at;      /* address of the last instruction */
	unsigned long misses[KINDS];
	struct cache code, data;
	bool pentium;
	bool locked,
		done; /* the last instruction locks; its accesses are done */
};

static unsigned long locked[MAX_LOCKED];
static size_t nr_locked;
static unsigned long now;

static int way_of(const struct cache *cache, unsigned long line)
{
	const unsigned long set = line % SETS;

	for (unsigned way = 0; way < cache->ways; way++)
		if (cache->used[set][way] && cache->line[set][way] == line)
			return (int)way;
	return -1;
}

/* Return whether the line is in the cache, and mark it as used. */
static bool use(struct cache *cache, unsigned long line)
{
	const int way = way_of(cache, line);

	if (way < 0)
		return false;
	cache->used[line % SETS][way] = ++now;
	return true;
}

static void bring(struct cache *cache, unsigned long line)
{
	const unsigned long set = line % SETS;
	unsigned oldest = 0;

	for (unsigned way = 1; way < cache->ways; way++)
		if (cache->used[set][way] < cache->used[set][oldest])
			oldest = way;
	cache->line[set][oldest] = line;
	cache->used[set][oldest] = ++now;
}

static void drop(struct cache *cache, unsigned long line)
{
	const int way = way_of(cache, line);

	if (way >= 0)
		cache->used[line % SETS][way] = 0;
}

/* Look for one line in the caches. Return whether it misses. */
static bool look(struct caches *caches, int kind, unsigned long line)
{
	struct cache *cache = kind == CODE ? &caches->code : &caches->data;

	if (caches->locked && kind != CODE)
		drop(cache, line);
	if (use(cache, line))
		return false;
	if (caches->pentium)
		drop(kind == CODE ? &caches->data : &caches->code, line);
	if (kind == CODE || !caches->pentium ||
	    (kind == READ && !caches->locked))
		bring(cache, line);
	return true;
}

static void touch(struct caches *caches, int kind, unsigned long address,
		  unsigned size)
{
	const unsigned long first = address / LINE,
			    last = (address + size - 1) / LINE;
	unsigned misses = look(caches, kind, first);

	if (last != first)
		misses += look(caches, kind, last);
	caches->misses[kind] += caches->pentium ? misses : misses > 0;
}

/* Read the bytes of an instruction that have not been read yet. */
static void fetch(struct caches *caches, unsigned long address, unsigned size)
{
	const unsigned long first = address / FETCH,
			    last = (address + size - 1) / FETCH;

	if (first != caches->fetched || address != caches->next)
		touch(caches, CODE, first * FETCH, 1);
	if (last != first)
		touch(caches, CODE, last * FETCH, 1);
	caches->fetched = last;
	caches->next = address + size;
}

static int compare(const void *a, const void *b)
{
	const unsigned long first = *(const unsigned long *)a;
	const unsigned long second = *(const unsigned long *)b;

	return first < second ? -1 : first > second;
}

static void pentium(struct caches *caches, char what, unsigned long address,
		    unsigned size)
{
	if (what == 'I') {
		/* A further round of an instruction with REP does not read code. */
		if (address != caches->at)
			fetch(caches, address, size);
		caches->at = address;
		caches->locked = bsearch(&address, locked, nr_locked,
					 sizeof(*locked), compare);
		caches->done = false;
		return;
	}
	if (caches->done)
		return;
	if (what != 'S' || caches->locked)
		touch(caches, READ, address, size);
	if (what != 'L' || caches->locked)
		touch(caches, WRITE, address, size);
	/*
	 * valgrind shows a second read, which it needs to see whether another thread has
	 * written.
	 */
	caches->done = caches->locked;
}

static void cachegrind(struct caches *caches, char what, unsigned long address,
		       unsigned size)
{
	const int kind = what == 'I' ? CODE : what == 'S' ? WRITE : READ;

	touch(caches, kind, address, size);
}

/* Read the addresses in LOCKED. Return false if the file cannot be read. */
static bool read_locked(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[64];

	if (!file)
		return false;
	while (nr_locked < MAX_LOCKED && fgets(line, sizeof(line), file))
		locked[nr_locked++] = strtoul(line, NULL, 16);
	fclose(file);
	return nr_locked < MAX_LOCKED;
}

static void print(const struct caches *caches)
{
	printf("%s %u %lu %lu %lu\n",
	       caches->pentium ? "pentium" : "cachegrind", caches->code.ways,
	       caches->misses[CODE], caches->misses[READ],
	       caches->misses[WRITE]);
}

/*
 * Pass one line of a trace, "I  ADDRESS,SIZE" or " L ADDRESS,SIZE", to all caches. Other
 * lines are ignored.
 */
static void take(struct caches *all, size_t nr, const char *line)
{
	const char what = line[0] == ' ' ? line[1] : line[0];
	char *end;
	unsigned long address, size;

	if (!what || !strchr("ILSM", what))
		return;
	address = strtoul(line + 2, &end, 16);
	if (*end != ',')
		return;
	size = strtoul(end + 1, NULL, 10);
	for (size_t i = 0; i < nr; i++) {
		if (all[i].pentium)
			pentium(&all[i], what, address, (unsigned)size);
		else
			cachegrind(&all[i], what, address, (unsigned)size);
	}
}

int main(int argc, char **argv)
{
	static struct caches all[] = {
		{ .code.ways = 2, .data.ways = 2 },
		{ .code.ways = 4, .data.ways = 4 },
		{ .code.ways = 2, .data.ways = 2, .pentium = true },
		{ .code.ways = 4, .data.ways = 4, .pentium = true },
	};
	const size_t nr = sizeof(all) / sizeof(*all);
	char line[256];

	if (argc != 2) {
		fprintf(stderr, "usage: caches LOCKED <TRACE\n");
		return 2;
	}
	if (!read_locked(argv[1])) {
		fprintf(stderr,
			"caches: cannot read %s: give a file with at most %d addresses\n",
			argv[1], MAX_LOCKED - 1);
		return 2;
	}
	while (fgets(line, sizeof(line), stdin))
		take(all, nr, line);
	for (size_t i = 0; i < nr; i++)
		print(&all[i]);
	return 0;
}
