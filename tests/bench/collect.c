// SPDX-License-Identifier: GPL-2.0-only
/*
 * collect FILE SAMPLES PLACES WAY: measure what perfex needs for the table of a profile. It takes
 * SAMPLES samples at PLACES instructions of FILE, an ELF file of 64 bits, as if a process had left
 * them, and makes the table of "functions", "lines" or "instructions". Half of the samples are at a
 * hundredth of the places, as in programs. Prints the processor time for the samples and for the
 * table, and the memory at the end. The mapped part of the file is included in the memory.
 */
#include <elf.h>
#include <err.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "profile/collection.h"
#include "profile/profile_table.h"

#define PROCESS 1
#define BASE	UINT64_C(0x10000000)
#define PERIOD	1000003

/* tables.py finds the costs of these functions by their names. */
#define NOINLINE __attribute__((noinline))

static const char *const ways[NR_PROFILE_DETAILS] = {
	[PROFILE_FUNCTIONS] = "functions",
	[PROFILE_LINES] = "lines",
	[PROFILE_INSTRUCTIONS] = "instructions",
};

/* This is the section ".text" of the file, by offset. */
static uint64_t text_begin, text_size;

static void find_text(const char *memory)
{
	const Elf64_Ehdr *head = (const void *)memory;
	const Elf64_Shdr *section = (const void *)(memory + head->e_shoff);
	const char *names = memory + section[head->e_shstrndx].sh_offset;
	unsigned int i;

	for (i = 0; i < head->e_shnum; i++) {
		if (strcmp(names + section[i].sh_name, ".text") != 0)
			continue;
		text_begin = section[i].sh_offset;
		text_size = section[i].sh_size;
	}
}

static void map_file(struct collection *collection, const char *path)
{
	struct vpmc_sample_record record = { .kind = VPMC_SAMPLE_EXEC,
					     .pid = PROCESS,
					     .text = "program" };
	const int file = open(path, O_RDONLY);
	struct stat status;
	void *memory;

	if (file < 0 || fstat(file, &status))
		err(1, "%s", path);
	memory = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE,
		      file, 0);
	if (memory == MAP_FAILED)
		err(1, "%s", path);
	find_text(memory);
	munmap(memory, (size_t)status.st_size);
	close(file);
	if (!text_size)
		errx(1, "%s: no .text", path);
	collect(&record, collection);
	record.kind = VPMC_SAMPLE_MAP;
	record.address = BASE;
	record.end = BASE + (uint64_t)status.st_size;
	record.inode = status.st_ino;
	record.device_major = major(status.st_dev);
	record.device_minor = minor(status.st_dev);
	record.text = path;
	collect(&record, collection);
}

/* Return numbers that look random, and are the same in each run. */
static uint64_t next_number(void)
{
	static uint64_t state = 1;

	state = state * 6364136223846793005U + 1442695040888963407U;
	return state >> 33;
}

static NOINLINE void take(struct collection *collection, uint64_t samples,
			  uint64_t places)
{
	struct vpmc_sample_record record = { .pid = PROCESS, .tid = PROCESS };
	uint64_t i, place;

	for (i = 0; i < samples; i++) {
		place = next_number() % (i % 2 ? places : places / 100 + 1);
		/* Places are not in the order of their frequency. */
		place = place * 2654435761U % places;
		record.address = BASE + text_begin + place * text_size / places;
		record.tsc = i;
		collect(&record, collection);
	}
}

static double seconds(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static NOINLINE void print(struct collection *collection,
			   enum profile_detail way)
{
	struct events events = { .pmu = vpmc_pmu_find("p6"), .nr = 1 };
	struct symbols *symbols = symbols_open();
	struct profile_report report = { .events = &events,
					 .collection = collection };
	struct rows rows;

	events.sel[0] = (struct vpmc_event_sel){ 0xc0, 0, VPMC_USER };
	events.period[0] = PERIOD;
	if (!symbols || !make_rows(&rows, way, collection, symbols))
		errx(1, "no memory");
	report.rows = &rows;
	print_profile(stdout, &report);
	free_rows(&rows);
	symbols_close(symbols);
}

int main(int argc, char **argv)
{
	struct collection collection;
	struct rusage usage;
	enum profile_detail way = PROFILE_FUNCTIONS;
	double collected;

	if (argc != 5)
		errx(2, "usage: collect FILE SAMPLES PLACES WAY");
	while (way < NR_PROFILE_DETAILS && strcmp(argv[4], ways[way]) != 0)
		way++;
	if (way == NR_PROFILE_DETAILS || !begin_collection(&collection))
		errx(2, "%s: give functions, lines or instructions", argv[4]);
	map_file(&collection, argv[1]);
	take(&collection, strtoull(argv[2], NULL, 10),
	     strtoull(argv[3], NULL, 10));
	collected = seconds();
	print(&collection, way);
	getrusage(RUSAGE_SELF, &usage);
	fprintf(stderr,
		"collected in %.2f s, printed in %.2f s, %ld KB at most\n",
		collected, seconds() - collected, usage.ru_maxrss);
	end_collection(&collection);
	return 0;
}
