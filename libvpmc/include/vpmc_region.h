/* SPDX-License-Identifier: LGPL-2.1-or-later */
/*
 * This header counts events in named parts of a program, which are called regions.
 *
 *	vpmc_region_begin("sort");
 *	sort(table);
 *	vpmc_region_end("sort");
 *
 * Regions can nest and call each other or themselves. They belong to the thread that executes them.
 * Each name has a number of calls, inclusive counts and exclusive counts. Inclusive counts are all
 * events from the beginning to the end of a region. Exclusive counts do not include the regions
 * within it. vpmc_regions_read() returns these numbers to the program, and "perfex --regions"
 * prints them when the program has ended.
 *
 * A program starts its counts by itself, or inherits them from perfex. No other call is needed,
 * because the first region of a thread opens the driver and maps the counts.
 *
 * With RDPMC and one event, vpmc_region_begin() and vpmc_region_end() together take 28 instructions
 * in 32-bit code that is not position independent. They take 29 instructions in the 64-bit code of
 * a program, and 35 in the 64-bit code of a shared object. With two events, they take 54
 * instructions in 32-bit programs, and 51 in 64-bit programs. With one event and a timeline, they
 * take 64 instructions in 32-bit programs, and 63 in 64-bit programs. These numbers hold if the
 * region was the last one to begin in this place. Otherwise a function is called. Without RDPMC
 * each of these two functions makes one system call.
 */
#ifndef VPMC_REGION_H
#define VPMC_REGION_H

#include <stddef.h>
#include <stdint.h>
#include <vpmc.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Regions count up to this number of events. */
#define VPMC_REGION_EVENTS 4

/*
 * This is the version of the structures that follow, which are compiled into programs. The library
 * does not count the regions of a program with another version. It returns an error instead.
 */
#define VPMC_REGION_VERSION 3

/*
 * A region has three parts, at the same offset in three pages of memory. This is the distance
 * between the parts, so that vpmc_region_begin() and vpmc_region_end() find all parts by one
 * address. Each page is a different kind of memory. struct vpmc_region is in the first page, which
 * is copied to a forked process. The second page is all 0 in a forked process, so that its first
 * vpmc_region_begin() or vpmc_region_end() calls the library. The third page may be shared with
 * perfex, which reads it when the process has ended.
 */
#if defined(__i386__) || defined(__x86_64__)
#define VPMC_REGION_PAGE_SIZE 4096UL
#else
#define VPMC_REGION_PAGE_SIZE 65536UL
#endif

/*
 * struct vpmc_region - a region in one place of a thread's calls; only for the
 *	library
 * @parent: region in which it was begun
 * @recent: the last region that was begun within it
 * @begins: last word of a timeline entry of its beginning
 * @ends: last word of a timeline entry of its end
 */
struct vpmc_region {
	struct vpmc_region *parent;
	struct vpmc_region *recent;
	uint32_t begins;
	uint32_t ends;
};

/*
 * struct vpmc_region_match - the names that are compared to find out whether a region needs the
 * library
 * @site: the region's name, if one count can be read without the library; else NULL
 * @two: the region's name, if two counts can be read without the library; else NULL
 * @timed: the region's name, if one count can be read and recorded in a timeline without the
 *	library; else NULL
 */
struct vpmc_region_match {
	const char *site;
	const char *two;
	const char *timed;
};

/*
 * struct vpmc_region_sums - the counts of a region
 * @calls: number of calls
 * @sum: counts at all ends of the region minus the counts at all its beginnings. The
 *	first sum is negative while the region runs.
 */
struct vpmc_region_sums {
	uint64_t calls;
	uint64_t sum[VPMC_REGION_EVENTS];
};

/*
 * struct vpmc_region_outside - a region that never begins, with the fields that vpmc_region_begin()
 * reads
 */
struct vpmc_region_outside {
	struct vpmc_region region;
	char unused[VPMC_REGION_PAGE_SIZE - sizeof(struct vpmc_region)];
	struct vpmc_region_match match;
};

/*
 * struct vpmc_region_timeline - the position in a thread's timeline; only for the library
 * @next: address of the next entry
 * @begins: first address at which the entry of a beginning does not fit
 * @ends: first address at which the entry of an end does not fit
 * @done: @next minus the bytes of all entries that are being written
 *
 * All fields are 0 in a forked process, so that its timeline has no room.
 */
struct vpmc_region_timeline {
	uintptr_t next;
	uintptr_t begins;
	uintptr_t ends;
	uintptr_t done;
};

/*
 * An entry of one event has the low 7 bytes of the count, the low 7 bytes of the time stamp, and a
 * word of 4 bytes with its kind and region. The count and the stamp are each written with 8 bytes,
 * and the next field overwrites the highest byte. The library checks that VPMC_REGION_ENTRY is the
 * size of its timeline's entries.
 */
#define VPMC_REGION_ENTRY 18

/*
 * struct vpmc_region_thread - the position of a thread; only for the library
 * @region: the region that it is in
 * @page: vpmc_self of the thread; used only in regions that have a @site or @two
 * @version: VPMC_REGION_VERSION of the file that has defined the object
 * @timeline: position in the timeline, used only in regions that have @timed
 */
struct vpmc_region_thread {
	struct vpmc_region *region;
	struct vpmc_own_page *page;
	unsigned int version;
	struct vpmc_region_timeline *timeline;
};

/*
 * A process has one of each of these objects. Code of a shared object finds them in the program or,
 * if the program does not have them, in the library. Code of a program finds them in the program,
 * because each file that includes this header defines them, and the linker keeps one of each. So a
 * program does not need indirect access, and the calibration measures the code that the program's
 * compiler generates. Shared objects and libraries find the objects even if the compiler hides
 * symbols.
 */
#define VPMC_REGION_VISIBLE __attribute__((visibility("default")))
#if defined(__PIC__) && !defined(__PIE__)
#define VPMC_REGION_TLS_MODEL __attribute__((tls_model("initial-exec")))
#elif defined(VPMC_REGION_LIBRARY)
#define VPMC_REGION_TLS_MODEL __attribute__((tls_model("local-exec")))
#else
#define VPMC_REGION_TLS_MODEL
#define VPMC_REGION_ONE __attribute__((weak)) VPMC_REGION_VISIBLE
#endif

/* vpmc_region_none is the region of a thread that is not in a region of the program. */
extern struct vpmc_region_outside vpmc_region_none VPMC_REGION_VISIBLE;
extern __thread struct vpmc_region_thread vpmc_region_thread VPMC_REGION_VISIBLE
	VPMC_REGION_TLS_MODEL;

#ifdef VPMC_REGION_ONE
VPMC_REGION_ONE struct vpmc_region_outside vpmc_region_none = {
	{ &vpmc_region_none.region, &vpmc_region_none.region, 0, 0 },
	{ 0 },
	{ NULL, NULL, NULL }
};
VPMC_REGION_ONE __thread struct vpmc_region_thread vpmc_region_thread = {
	&vpmc_region_none.region, NULL, VPMC_REGION_VERSION, NULL
};
#endif

/*
 * These are the slow paths of vpmc_region_begin() and vpmc_region_end(). They return 1 to make the
 * caller try again. They are declared cold, because compilers otherwise align the code around the
 * calls, which adds instructions.
 */
int vpmc_region_enter(const char *name) __attribute__((cold));
int vpmc_region_leave(const char *name) __attribute__((cold));

/*
 * A signal handler may have regions, too, and interrupt vpmc_region_begin() or vpmc_region_end() at
 * any instruction. vpmc_region_begin() reads the count before it enters the region, and
 * vpmc_region_end() leaves the region before it reads. So a handler that interrupts in between is
 * in the surrounding region. The name of its own region does not match the region that was begun
 * last, so it calls the library. The library changes the interrupted region's sum so much that its
 * sign is wrong after the interrupted addition or subtraction. The interrupted function then undoes
 * this operation and calls the library. A count that cannot be read is negative and has the same
 * effect. Because vpmc_region_begin() may leave the sum 0, the conditions are "greater" and "less"
 * (JG and JL), which are right even after an overflow.
 *
 * With a timeline, both functions then take an entry by one instruction, and write the entry. The
 * entry counts as being written until the last instruction, so a handler that interrupts does not
 * empty the memory of the entry. vpmc_region_begin() enters the region before it writes the entry's
 * last word, which makes the entry valid. So if a handler leaves by longjmp(3), the unfinished
 * entry is ignored.
 *
 * This part, which does not call a function, is written in assembly language, so that each region
 * costs the same in all places. The counts are read as in vpmc_count(). On other processors, the C
 * code below has the same effect. Each instruction is written in both dialects of the assembler.
 */
/* clang-format off */
#if defined(__i386__) && !defined(__PIC__)

#define VPMC_REGION_ASM
#define VPMC_REGION_TLS(field)							\
	"{%%gs:vpmc_region_thread@ntpoff+%c[" #field "]"			\
	"|DWORD PTR gs:vpmc_region_thread@ntpoff+%c[" #field "]}"

#define VPMC_REGION_NAME "ri"(name)

/* Operate on each half of a 64-bit field and of EDX:EAX. */
#define VPMC_REGION_LONG(low, high, field)					\
	"{" low "l %%eax, %c[" field "](%%esi)|"				\
	low " DWORD PTR [esi+%c[" field "]], eax}\n\t"				\
	"{" high "l %%edx, %c[" field "]+4(%%esi)|"				\
	high " DWORD PTR [esi+%c[" field "]+4], edx}\n\t"

#define VPMC_REGION_TAKE_NAME

#define VPMC_REGION_CHECK_NAME(field)						\
	"{cmpl %[name], %c[" field "](%%esi)|"					\
	"cmp DWORD PTR [esi+%c[" field "]], %[name]}\n\t"

#define VPMC_REGION_COUNT(field)						\
	"{movl %c[" field "](%%edi), %%ecx|mov ecx, [edi+%c[" field "]]}\n\t"	\
	"rdpmc\n\t"								\
	"{cltd|cdq}\n\t"							\
	"{movl %c[" field "]+20(%%edi,%%edx,8), %%edx|"				\
	"mov edx, [edi+edx*8+%c[" field "]+20]}\n\t"

/* The stack keeps the count, because no other register is free. */
#define VPMC_REGION_SAVE							\
	"{pushl %%edx|push edx}\n\t"						\
	"{pushl %%eax|push eax}\n\t"
#define VPMC_REGION_RESTORE							\
	"{popl %%eax|pop eax}\n\t"						\
	"{popl %%edx|pop edx}\n\t"
#define VPMC_REGION_FORGET "{addl $8, %%esp|add esp, 8}\n\t"

#define VPMC_REGION_LOAD(field, to)						\
	"{movl|mov " to ",} " VPMC_REGION_TLS(field) "{, %%" to "|}\n\t"

#define VPMC_REGION_ENTER(at)							\
	"{movl %%" at ",|mov} " VPMC_REGION_TLS(region) "{|, " at "}\n\t"

#define VPMC_REGION_RECENT							\
	"{movl %c[recent](%%esi), %%esi|mov esi, [esi+%c[recent]]}\n\t"

#define VPMC_REGION_PARENT							\
	"{movl %c[parent](%%esi), %%edi|mov edi, [esi+%c[parent]]}\n\t"

#define VPMC_REGION_CALL							\
	"{addl $1, %c[calls](%%esi)|add DWORD PTR [esi+%c[calls]], 1}\n\t"	\
	"{adcl $0, %c[calls]+4(%%esi)|adc DWORD PTR [esi+%c[calls]+4], 0}\n\t"

#define VPMC_REGION_ADD(field)	    VPMC_REGION_LONG("add", "adc", field)
#define VPMC_REGION_SUBTRACT(field) VPMC_REGION_LONG("sub", "sbb", field)

/*
 * After this, EDI has the address of the entry, and ECX has the address of the timeline.
 * EDX:EAX do not change.
 */
#define VPMC_REGION_TAKE(limit)							\
	VPMC_REGION_LOAD(timeline, "ecx")					\
	"{movl %[entry], %%edi|mov edi, %[entry]}\n\t"				\
	"{xaddl %%edi, %c[next](%%ecx)|xadd [ecx+%c[next]], edi}\n\t"		\
	"{cmpl %c[" limit "](%%ecx), %%edi|cmp edi, [ecx+%c[" limit "]]}\n\t"
#define VPMC_REGION_GIVE_BACK							\
	"{subl %[entry], %c[next](%%ecx)|"					\
	"sub DWORD PTR [ecx+%c[next]], %[entry]}\n\t"

#define VPMC_REGION_NOTE							\
	"{movl %%eax, (%%edi)|mov [edi], eax}\n\t"				\
	"{movl %%edx, 4(%%edi)|mov [edi+4], edx}\n\t"				\
	"rdtsc\n\t"								\
	"{movl %%eax, 7(%%edi)|mov [edi+7], eax}\n\t"				\
	"{movl %%edx, 11(%%edi)|mov [edi+11], edx}\n\t"
#define VPMC_REGION_NOTED(what)							\
	"{movl %c[" what "](%%esi), %%eax|mov eax, [esi+%c[" what "]]}\n\t"	\
	"{movl %%eax, 14(%%edi)|mov [edi+14], eax}\n\t"			\
	"{addl %[entry], %c[done](%%ecx)|"					\
	"add DWORD PTR [ecx+%c[done]], %[entry]}\n\t"

#define VPMC_REGION_NODE     "esi"
#define VPMC_REGION_OUTER    "edi"
#define VPMC_REGION_PAGE     "edi"
#define VPMC_REGION_CLOBBERS "eax", "ecx", "edx", "esi", "edi", "cc", "memory"

#elif defined(__x86_64__) && defined(__LP64__)

#define VPMC_REGION_ASM

/*
 * The distance of vpmc_region_thread from FS is a constant in a program. A shared object reads it
 * from its global offset table, into the register @spare.
 */
#if defined(__PIC__) && !defined(__PIE__)
#define VPMC_REGION_FIND(spare)							\
	"{movq vpmc_region_thread@gottpoff(%%rip), %%" spare "|"		\
	"mov " spare ", QWORD PTR vpmc_region_thread@gottpoff[rip]}\n\t"
#define VPMC_REGION_TLS(field, spare)						\
	"{%%fs:%c[" #field "](%%" spare ")"					\
	"|QWORD PTR fs:[" spare "+%c[" #field "]]}"
#else
#define VPMC_REGION_FIND(spare)
#define VPMC_REGION_TLS(field, spare)						\
	"{%%fs:vpmc_region_thread@tpoff+%c[" #field "]"				\
	"|QWORD PTR fs:vpmc_region_thread@tpoff+%c[" #field "]}"
#endif

/*
 * This operand is one instruction for any address of the text. Clang does not support it.
 * Clang may compute the address once for several regions, and the measured cost of a
 * region then includes this instruction.
 */
#ifdef __clang__
#define VPMC_REGION_NAME "m"(*name)
#define VPMC_REGION_TEXT "%[name]"
#else
#define VPMC_REGION_NAME "p"(name)
#define VPMC_REGION_TEXT "%a[name]"
#endif
#define VPMC_REGION_TAKE_NAME							\
	"{leaq " VPMC_REGION_TEXT ", %%rax|lea rax, " VPMC_REGION_TEXT "}\n\t"

#define VPMC_REGION_CHECK_NAME(field)						\
	"{cmpq %%rax, %c[" field "](%%rsi)|cmp [rsi+%c[" field "]], rax}\n\t"

#define VPMC_REGION_COUNT(field)						\
	"{movl %c[" field "](%%rdi), %%ecx|mov ecx, [rdi+%c[" field "]]}\n\t"	\
	"rdpmc\n\t"								\
	"{movslq %%eax, %%rdx|movsxd rdx, eax}\n\t"				\
	"{sarq $63, %%rdx|sar rdx, 63}\n\t"					\
	"{orq %c[" field "]+16(%%rdi,%%rdx,8), %%rax|"				\
	"or rax, [rdi+rdx*8+%c[" field "]+16]}\n\t"

#define VPMC_REGION_SAVE    "{movq %%rax, %%r8|mov r8, rax}\n\t"
#define VPMC_REGION_RESTORE "{movq %%r8, %%rax|mov rax, r8}\n\t"
#define VPMC_REGION_FORGET

#define VPMC_REGION_LOAD(field, to)						\
	VPMC_REGION_FIND(to)							\
	"{movq|mov " to ",} " VPMC_REGION_TLS(field, to) "{, %%" to "|}\n\t"

/* This changes RDX in shared objects. */
#define VPMC_REGION_ENTER(at)							\
	VPMC_REGION_FIND("rdx")							\
	"{movq %%" at ",|mov} " VPMC_REGION_TLS(region, "rdx")			\
	"{|, " at "}\n\t"

#define VPMC_REGION_RECENT							\
	"{movq %c[recent](%%rsi), %%rsi|mov rsi, [rsi+%c[recent]]}\n\t"

#define VPMC_REGION_PARENT							\
	"{movq %c[parent](%%rsi), %%rdi|mov rdi, [rsi+%c[parent]]}\n\t"

#define VPMC_REGION_CALL							\
	"{addq $1, %c[calls](%%rsi)|add QWORD PTR [rsi+%c[calls]], 1}\n\t"

#define VPMC_REGION_ADD(field)							\
	"{addq %%rax, %c[" field "](%%rsi)|add [rsi+%c[" field "]], rax}\n\t"
#define VPMC_REGION_SUBTRACT(field)						\
	"{subq %%rax, %c[" field "](%%rsi)|sub [rsi+%c[" field "]], rax}\n\t"

/*
 * After this, RDI has the address of the entry, and RCX has the address of the timeline. RAX does
 * not change.
 */
#define VPMC_REGION_TAKE(limit)							\
	VPMC_REGION_LOAD(timeline, "rcx")					\
	"{movl %[entry], %%edi|mov edi, %[entry]}\n\t"				\
	"{xaddq %%rdi, %c[next](%%rcx)|xadd [rcx+%c[next]], rdi}\n\t"		\
	"{cmpq %c[" limit "](%%rcx), %%rdi|cmp rdi, [rcx+%c[" limit "]]}\n\t"
#define VPMC_REGION_GIVE_BACK							\
	"{subq %[entry], %c[next](%%rcx)|"					\
	"sub QWORD PTR [rcx+%c[next]], %[entry]}\n\t"

#define VPMC_REGION_NOTE							\
	"{movq %%rax, (%%rdi)|mov [rdi], rax}\n\t"				\
	"rdtsc\n\t"								\
	"{movl %%eax, 7(%%rdi)|mov [rdi+7], eax}\n\t"				\
	"{movl %%edx, 11(%%rdi)|mov [rdi+11], edx}\n\t"
#define VPMC_REGION_NOTED(what)							\
	"{movl %c[" what "](%%rsi), %%eax|mov eax, [rsi+%c[" what "]]}\n\t"	\
	"{movl %%eax, 14(%%rdi)|mov [rdi+14], eax}\n\t"			\
	"{addq %[entry], %c[done](%%rcx)|"					\
	"add QWORD PTR [rcx+%c[done]], %[entry]}\n\t"

#define VPMC_REGION_NODE     "rsi"
#define VPMC_REGION_OUTER    "rdi"
#define VPMC_REGION_PAGE     "rdi"
#define VPMC_REGION_CLOBBERS							\
	"rax", "rcx", "rdx", "rsi", "rdi", "r8", "cc", "memory"

#endif

#ifdef VPMC_REGION_ASM

/*
 * The code for two events and for timelines is in another subsection, so that regions of one event
 * do not take more instructions. The name of a timeline is checked last, so that regions of two
 * events do not take more instructions, either.
 */
#define VPMC_REGION_BEGIN							\
	VPMC_REGION_LOAD(region, VPMC_REGION_NODE)				\
	VPMC_REGION_RECENT							\
	VPMC_REGION_TAKE_NAME							\
	VPMC_REGION_CHECK_NAME("site")						\
	"jne 3f\n\t"								\
	VPMC_REGION_LOAD(page, VPMC_REGION_PAGE)				\
	VPMC_REGION_COUNT("count")						\
	VPMC_REGION_SUBTRACT("sum")						\
	"jg 2f\n\t"								\
	VPMC_REGION_ENTER(VPMC_REGION_NODE)					\
	VPMC_REGION_CALL							\
	"1:\n\t"								\
	".subsection 1\n"							\
	"2:\t" VPMC_REGION_ADD("sum")						\
	"jmp %l[slow]\n"							\
	"3:\t" VPMC_REGION_CHECK_NAME("two")					\
	"jne 6f\n\t"								\
	VPMC_REGION_LOAD(page, VPMC_REGION_PAGE)				\
	VPMC_REGION_COUNT("count_two")						\
	VPMC_REGION_SUBTRACT("sum_two")						\
	"jg 5f\n\t"								\
	VPMC_REGION_SAVE							\
	VPMC_REGION_COUNT("count")						\
	VPMC_REGION_SUBTRACT("sum")						\
	"jg 4f\n\t"								\
	VPMC_REGION_FORGET							\
	VPMC_REGION_ENTER(VPMC_REGION_NODE)					\
	VPMC_REGION_CALL							\
	"jmp 1b\n"								\
	"4:\t" VPMC_REGION_ADD("sum")						\
	VPMC_REGION_RESTORE							\
	"5:\t" VPMC_REGION_ADD("sum_two")					\
	"jmp %l[slow]\n"							\
	"6:\t" VPMC_REGION_CHECK_NAME("timed")					\
	"jne %l[slow]\n\t"							\
	VPMC_REGION_LOAD(page, VPMC_REGION_PAGE)				\
	VPMC_REGION_COUNT("count")						\
	VPMC_REGION_SUBTRACT("sum")						\
	"jg 2b\n\t"								\
	VPMC_REGION_TAKE("begin_limit")						\
	"jae 7f\n\t"								\
	VPMC_REGION_NOTE							\
	VPMC_REGION_ENTER(VPMC_REGION_NODE)					\
	VPMC_REGION_CALL							\
	VPMC_REGION_NOTED("begins")						\
	"jmp 1b\n"								\
	"7:\t" VPMC_REGION_GIVE_BACK						\
	"jmp 2b\n\t"								\
	".previous"

#define VPMC_REGION_END								\
	VPMC_REGION_LOAD(region, VPMC_REGION_NODE)				\
	VPMC_REGION_TAKE_NAME							\
	VPMC_REGION_CHECK_NAME("site")						\
	"jne 3f\n\t"								\
	VPMC_REGION_PARENT							\
	VPMC_REGION_ENTER(VPMC_REGION_OUTER)					\
	VPMC_REGION_LOAD(page, VPMC_REGION_PAGE)				\
	VPMC_REGION_COUNT("count")						\
	VPMC_REGION_ADD("sum")							\
	"jl 2f\n"								\
	"1:\n\t"								\
	".subsection 1\n"							\
	"2:\t" VPMC_REGION_SUBTRACT("sum")					\
	VPMC_REGION_ENTER(VPMC_REGION_NODE)					\
	"jmp %l[slow]\n"							\
	"3:\t" VPMC_REGION_CHECK_NAME("two")					\
	"jne 6f\n\t"								\
	VPMC_REGION_PARENT							\
	VPMC_REGION_ENTER(VPMC_REGION_OUTER)					\
	VPMC_REGION_LOAD(page, VPMC_REGION_PAGE)				\
	VPMC_REGION_COUNT("count_two")						\
	VPMC_REGION_ADD("sum_two")						\
	"jl 5f\n\t"								\
	VPMC_REGION_SAVE							\
	VPMC_REGION_COUNT("count")						\
	VPMC_REGION_ADD("sum")							\
	"jl 4f\n\t"								\
	VPMC_REGION_FORGET							\
	"jmp 1b\n"								\
	"4:\t" VPMC_REGION_SUBTRACT("sum")					\
	VPMC_REGION_RESTORE							\
	"5:\t" VPMC_REGION_SUBTRACT("sum_two")					\
	VPMC_REGION_ENTER(VPMC_REGION_NODE)					\
	"jmp %l[slow]\n"							\
	"6:\t" VPMC_REGION_CHECK_NAME("timed")					\
	"jne %l[slow]\n\t"							\
	VPMC_REGION_PARENT							\
	VPMC_REGION_ENTER(VPMC_REGION_OUTER)					\
	VPMC_REGION_LOAD(page, VPMC_REGION_PAGE)				\
	VPMC_REGION_COUNT("count")						\
	VPMC_REGION_ADD("sum")							\
	"jl 2b\n\t"								\
	VPMC_REGION_TAKE("end_limit")						\
	"jae 7f\n\t"								\
	VPMC_REGION_NOTE							\
	VPMC_REGION_NOTED("ends")						\
	"jmp 1b\n"								\
	"7:\t" VPMC_REGION_GIVE_BACK						\
	"jmp 2b\n\t"								\
	".previous"

#endif
/* clang-format on */

/* Each field of these structures has this offset from the region's struct vpmc_region. */
#define VPMC_REGION_MATCH(field) \
	(VPMC_REGION_PAGE_SIZE + offsetof(struct vpmc_region_match, field))
#define VPMC_REGION_SUMS(field) \
	(2 * VPMC_REGION_PAGE_SIZE + offsetof(struct vpmc_region_sums, field))

static inline struct vpmc_region_match *
vpmc_region_match_of(struct vpmc_region *region)
{
	return (struct vpmc_region_match *)(void *)((char *)region +
						    VPMC_REGION_PAGE_SIZE);
}

static inline struct vpmc_region_sums *
vpmc_region_sums_of(struct vpmc_region *region)
{
	return (struct vpmc_region_sums *)(void *)((char *)region +
						   2 * VPMC_REGION_PAGE_SIZE);
}

/* The compiler must not move code out of a region. */
#define VPMC_REGION_BARRIER() __asm__ __volatile__("" : : : "memory")

/*
 * Subtract a count from a sum, and add a count to a sum. Each part of a sum is changed by
 * one instruction, so that a signal handler may change the sum, too. The subtraction
 * returns 1 if the sum is then greater than 0, and the addition returns 1 if it is less
 * than 0. Otherwise they return 0.
 */
#if defined(__x86_64__)
#define VPMC_REGION_OPERATE(low, high, jump)                   \
	__asm__ goto("{" low "q %[count], (%[sum])|" low       \
		     " QWORD PTR [%[sum]], %[count]}\n\t" jump \
		     :                                         \
		     : [sum] "r"(sum), [count] "r"(count)      \
		     : "cc", "memory"                          \
		     : yes)
#elif defined(__i386__)
#define VPMC_REGION_OPERATE(low, high, jump)                 \
	__asm__ goto("{" low "l %%eax, (%[sum])|" low        \
		     " DWORD PTR [%[sum]], eax}\n\t"         \
		     "{" high "l %%edx, 4(%[sum])|" high     \
		     " DWORD PTR [%[sum]+4], edx}\n\t" jump  \
		     :                                       \
		     : [sum] "r"(sum), "a"((uint32_t)count), \
		       "d"((uint32_t)(count >> 32))          \
		     : "cc", "memory"                        \
		     : yes)
#endif

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written to */
static inline int vpmc_region_subtract(uint64_t *sum, uint64_t count)
{
#ifdef VPMC_REGION_OPERATE
	VPMC_REGION_OPERATE("sub", "sbb", "jg %l[yes]");
	return 0;
yes:
	return 1;
#else
	*sum -= count;
	return (int64_t)*sum > 0;
#endif
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written to */
static inline int vpmc_region_add(uint64_t *sum, uint64_t count)
{
#ifdef VPMC_REGION_OPERATE
	VPMC_REGION_OPERATE("add", "adc", "jl %l[yes]");
	return 0;
yes:
	return 1;
#else
	*sum += count;
	return (int64_t)*sum < 0;
#endif
}

#ifdef VPMC_REGION_ASM

/*
 * Most of the assembly text goes to another subsection. Mark the text as small, so that
 * compilers that estimate size by lines still inline functions with regions.
 */
#if defined(__clang__) || __GNUC__ >= 9
#define VPMC_REGION_SMALL __inline
#else
#define VPMC_REGION_SMALL
#endif

#define VPMC_REGION_OPERANDS                                               \
	[name] VPMC_REGION_NAME,                                           \
		[region] "i"(offsetof(struct vpmc_region_thread, region)), \
		[page] "i"(offsetof(struct vpmc_region_thread, page)),     \
		[count] "i"(offsetof(struct vpmc_own_page, count)),        \
		[count_two] "i"(offsetof(struct vpmc_own_page, count[1])), \
		[parent] "i"(offsetof(struct vpmc_region, parent)),        \
		[recent] "i"(offsetof(struct vpmc_region, recent)),        \
		[site] "i"(VPMC_REGION_MATCH(site)),                       \
		[two] "i"(VPMC_REGION_MATCH(two)),                         \
		[calls] "i"(VPMC_REGION_SUMS(calls)),                      \
		[sum] "i"(VPMC_REGION_SUMS(sum)),                          \
		[sum_two] "i"(VPMC_REGION_SUMS(sum[1]))

#define VPMC_REGION_TIMED_OPERANDS                                             \
	[timed] "i"(VPMC_REGION_MATCH(timed)),                                 \
		[begins] "i"(offsetof(struct vpmc_region, begins)),            \
		[ends] "i"(offsetof(struct vpmc_region, ends)),                \
		[timeline] "i"(offsetof(struct vpmc_region_thread, timeline)), \
		[next] "i"(offsetof(struct vpmc_region_timeline, next)),       \
		[begin_limit] "i"(                                             \
			offsetof(struct vpmc_region_timeline, begins)),        \
		[end_limit] "i"(offsetof(struct vpmc_region_timeline, ends)),  \
		[done] "i"(offsetof(struct vpmc_region_timeline, done)),       \
		[entry] "i"(VPMC_REGION_ENTRY)

/**
 * vpmc_region_begin() - begin a region
 * @name: its name. The name is copied, so the string may be freed. But as long as the thread has
 *	regions, another text must not be stored at this address. Regions with the same text are the
 *	same region.
 *
 * Async-signal-safe in a thread that has already begun a region in this process, or has called
 * vpmc_regions_open(). Like vpmc_region_end(), it does not change errno.
 */
static inline __attribute__((always_inline)) void
vpmc_region_begin(const char *name)
{
again:
	/* clang-format off */
	__asm__ VPMC_REGION_SMALL goto(VPMC_REGION_BEGIN
				       :
				       : VPMC_REGION_OPERANDS,
					 VPMC_REGION_TIMED_OPERANDS
				       : VPMC_REGION_CLOBBERS
				       : slow);
	/* clang-format on */
	return;
slow:
	if (vpmc_region_enter(name))
		goto again;
}

/**
 * vpmc_region_end() - end the region that was begun last
 * @name: its name. If another region was begun last, the mismatch is counted. If a region
 *	with this name is open, the regions within it also end; otherwise no region ends.
 */
static inline __attribute__((always_inline)) void
vpmc_region_end(const char *name)
{
again:
	/* clang-format off */
	__asm__ VPMC_REGION_SMALL goto(VPMC_REGION_END
				       :
				       : VPMC_REGION_OPERANDS,
					 VPMC_REGION_TIMED_OPERANDS
				       : VPMC_REGION_CLOBBERS
				       : slow);
	/* clang-format on */
	return;
slow:
	if (vpmc_region_leave(name))
		goto again;
}

#else

#if !defined(__i386__) && !defined(__x86_64__)
/* This is never called, because regions do not have a @site without RDPMC. */
static inline int64_t vpmc_count(unsigned int i)
{
	(void)i;
	return -1;
}
#endif

#if defined(__i386__) || defined(__x86_64__)
#define VPMC_REGION_STAMP() __builtin_ia32_rdtsc()
#else
#define VPMC_REGION_STAMP() UINT64_C(0)
#endif

/* Take an entry. Returns its address, or 0 if it is after the limit. */
static inline uintptr_t vpmc_region_take(struct vpmc_region_timeline *timeline,
					 uintptr_t limit)
{
	const uintptr_t entry = __atomic_fetch_add(
		&timeline->next, VPMC_REGION_ENTRY, __ATOMIC_RELAXED);

	if (entry < limit)
		return entry;
	__atomic_fetch_sub(&timeline->next, VPMC_REGION_ENTRY,
			   __ATOMIC_RELAXED);
	return 0;
}

static inline void vpmc_region_note(struct vpmc_region_timeline *timeline,
				    uintptr_t entry, uint32_t what,
				    uint64_t count)
{
	const uint64_t stamp = VPMC_REGION_STAMP();
	/* NOLINTNEXTLINE(performance-no-int-to-ptr): one instruction adds to it */
	char *to = (char *)entry;

	__builtin_memcpy(to, &count, sizeof(count));
	VPMC_REGION_BARRIER();
	__builtin_memcpy(to + 7, &stamp, sizeof(stamp));
	VPMC_REGION_BARRIER();
	__builtin_memcpy(to + 14, &what, sizeof(what));
	VPMC_REGION_BARRIER();
	__atomic_fetch_add(&timeline->done, VPMC_REGION_ENTRY,
			   __ATOMIC_RELAXED);
}

/* Begin a region and record it in the timeline. Returns 0 if this needs the library. */
static inline int vpmc_region_begin_timed(struct vpmc_region *region)
{
	struct vpmc_region_timeline *timeline = vpmc_region_thread.timeline;
	const uint64_t count = (uint64_t)vpmc_count(0);
	uintptr_t entry;

	if (!vpmc_region_subtract(vpmc_region_sums_of(region)->sum, count)) {
		entry = vpmc_region_take(timeline, timeline->begins);
		if (entry) {
			vpmc_region_thread.region = region;
			vpmc_region_sums_of(region)->calls++;
			vpmc_region_note(timeline, entry, region->begins,
					 count);
			return 1;
		}
	}
	vpmc_region_add(vpmc_region_sums_of(region)->sum, count);
	return 0;
}

static inline int vpmc_region_end_timed(struct vpmc_region *region)
{
	struct vpmc_region_timeline *timeline = vpmc_region_thread.timeline;
	uintptr_t entry;
	uint64_t count;

	vpmc_region_thread.region = region->parent;
	VPMC_REGION_BARRIER();
	count = (uint64_t)vpmc_count(0);
	if (!vpmc_region_add(vpmc_region_sums_of(region)->sum, count)) {
		entry = vpmc_region_take(timeline, timeline->ends);
		if (entry) {
			vpmc_region_note(timeline, entry, region->ends, count);
			return 1;
		}
	}
	vpmc_region_subtract(vpmc_region_sums_of(region)->sum, count);
	vpmc_region_thread.region = region;
	return 0;
}

static inline void vpmc_region_begin(const char *name)
{
	struct vpmc_region *region;
	uint64_t count;

	VPMC_REGION_BARRIER();
	do {
		region = vpmc_region_thread.region->recent;
		if (vpmc_region_match_of(region)->timed == name &&
		    vpmc_region_begin_timed(region))
			break;
		if (vpmc_region_match_of(region)->site != name)
			continue;
		count = (uint64_t)vpmc_count(0);
		if (!vpmc_region_subtract(vpmc_region_sums_of(region)->sum,
					  count)) {
			vpmc_region_thread.region = region;
			vpmc_region_sums_of(region)->calls++;
			break;
		}
		vpmc_region_add(vpmc_region_sums_of(region)->sum, count);
	} while (vpmc_region_enter(name));
	VPMC_REGION_BARRIER();
}

static inline void vpmc_region_end(const char *name)
{
	struct vpmc_region *region;
	uint64_t count;

	VPMC_REGION_BARRIER();
	do {
		region = vpmc_region_thread.region;
		if (vpmc_region_match_of(region)->timed == name &&
		    vpmc_region_end_timed(region))
			break;
		if (vpmc_region_match_of(region)->site != name)
			continue;
		vpmc_region_thread.region = region->parent;
		VPMC_REGION_BARRIER();
		count = (uint64_t)vpmc_count(0);
		if (!vpmc_region_add(vpmc_region_sums_of(region)->sum, count))
			break;
		vpmc_region_subtract(vpmc_region_sums_of(region)->sum, count);
		vpmc_region_thread.region = region;
	} while (vpmc_region_leave(name));
	VPMC_REGION_BARRIER();
}

#endif

/**
 * vpmc_region_here() - get the region that the calling thread is in
 *
 * Return: a value for vpmc_region_unwind(), until the region ends.
 */
const struct vpmc_region *vpmc_region_here(void);

/**
 * vpmc_region_unwind() - end all regions that were begun within a region
 * @here: the value that vpmc_region_here() returned in the outer region, which does not end
 *
 * Use it in code that continues after longjmp(3) or another jump, which has left regions
 * without their ends:
 *
 *	here = vpmc_region_here();
 *	if (setjmp(env))
 *		vpmc_region_unwind(here);
 *
 * Does nothing if the region of @here has ended.
 */
void vpmc_region_unwind(const struct vpmc_region *here);

#define VPMC_REGION_PROBE_ONE	"vpmc_region_probe: one"
#define VPMC_REGION_PROBE_OUTER "vpmc_region_probe: one within another"

/* The library calls this function to measure the cost of a region. */
void vpmc_region_probe(void) VPMC_REGION_VISIBLE;

static inline void vpmc_region_probe_here(void)
{
	vpmc_region_begin(VPMC_REGION_PROBE_ONE);
	vpmc_region_end(VPMC_REGION_PROBE_ONE);
	vpmc_region_begin(VPMC_REGION_PROBE_OUTER);
	vpmc_region_begin(VPMC_REGION_PROBE_ONE);
	vpmc_region_end(VPMC_REGION_PROBE_ONE);
	vpmc_region_end(VPMC_REGION_PROBE_OUTER);
}

#ifdef VPMC_REGION_ONE
VPMC_REGION_ONE void vpmc_region_probe(void)
{
	vpmc_region_probe_here();
}
#endif

/**
 * vpmc_regions_open() - prepare the calling thread for regions
 * @err: receives the error, or NULL
 *
 * The first region of a thread also prepares the thread, but cannot report errors. If this fails,
 * for example because there is no driver, no region of the process tries again until this function
 * has succeeded.
 *
 * When the program starts, the library reads the environment variables VPMC_REGIONS_FILE and
 * VPMC_REGIONS_SUMS, which "perfex --regions" sets. If VPMC_REGIONS_FILE names a file, the library
 * appends the process's regions to it when the process exits by exit(3). If the process ends
 * otherwise, its counts are in the file that VPMC_REGIONS_SUMS names.
 *
 * Return: 0, the errors of vpmc_open(), VPMC_E_ABI (the program was compiled with
 * another version of this header's structures), VPMC_E_MEMORY.
 */
int vpmc_regions_open(struct vpmc_error *err);

/* These bits are the defects that the counts of a region can have. */
enum vpmc_region_flags {
	VPMC_REGION_NO_INCLUSIVE = 0x1, /* inclusive counts are incomplete */
	VPMC_REGION_NO_EXCLUSIVE = 0x2, /* exclusive counts are incomplete */
	VPMC_REGION_OPEN = 0x4,		/* the region has not ended yet */
};

/**
 * struct vpmc_region_counts - the counts of a region
 * @name: its name, whose memory belongs to the table
 * @flags: enum vpmc_region_flags bits
 * @calls: number of its calls
 * @inclusive: events from the beginning to the end; for a region that calls itself, only the
 *	outermost calls are counted
 * @exclusive: events that were not in a region within it; for a region that calls itself, the own
 *	events of all its calls
 */
struct vpmc_region_counts {
	const char *name;
	unsigned int flags;
	uint64_t calls;
	uint64_t inclusive[VPMC_REGION_EVENTS];
	uint64_t exclusive[VPMC_REGION_EVENTS];
};

/**
 * struct vpmc_regions - a table of regions
 * @generation: generation of the counts
 * @events: number of counts of each region, in the order of vpmc_start(); 0 if no event was counted
 * @threads: number of threads whose regions are in the table
 * @running: number of other threads that have regions and have not exited. Their regions are not in
 *	the table.
 * @other_events: number of threads that exited with counts of another generation or of other
 *	events. Their regions are not in the table.
 * @mismatches: number of calls of vpmc_region_end() that did not match the region begun last
 * @restarts: number of restarts of a thread from zero; its regions before the restart are not in
 *	the table
 * @lost: number of regions for which there was no memory, or that a thread began after its regions
 *	were collected at its exit
 * @stopped: number of gaps in the counts of these threads since their first regions, as in struct
 *	vpmc_counts. A region that was open during a gap lacks the events of the gap.
 * @nr: number of regions
 * @region: the regions, in the order in which they were first begun
 */
struct vpmc_regions {
	uint64_t generation;
	unsigned int events;
	unsigned int threads;
	unsigned int running;
	unsigned int other_events;
	unsigned int mismatches;
	unsigned int restarts;
	unsigned int lost;
	unsigned int stopped;
	size_t nr;
	struct vpmc_region_counts *region;
};

/* These bits are the flags of vpmc_regions_read(). */
enum vpmc_regions_flags {
	VPMC_REGIONS_NET =
		0x1, /* subtract the cost of the regions themselves */
};

/**
 * vpmc_regions_read() - get a table of the regions' counts
 * @regions: receives the table, which the caller passes to vpmc_regions_free()
 * @whose: VPMC_THREAD for the regions of the calling thread; VPMC_SELF for these and the regions of
 *	threads that have exited
 * @flags: enum vpmc_regions_flags bits
 * @err: receives the error, or NULL
 *
 * With VPMC_REGIONS_NET the cost of vpmc_region_begin() and vpmc_region_end() is subtracted, so an
 * empty region has 0. This cost was measured in the thread before its first region. The cost of a
 * change from one region to another within the same outer region is not subtracted. It remains in
 * the exclusive counts of the outer region.
 *
 * Return: 0, VPMC_E_ARGUMENT, VPMC_E_NOT_STARTED (no region was begun), VPMC_E_MEMORY, and
 * the errors of vpmc_regions_open(), if it failed.
 */
int vpmc_regions_read(struct vpmc_regions **regions, enum vpmc_whose whose,
		      unsigned int flags, struct vpmc_error *err);

/**
 * vpmc_regions_free() - free a table
 * @regions: from vpmc_regions_read(), or NULL
 */
void vpmc_regions_free(struct vpmc_regions *regions);

#ifdef __cplusplus
}

/*
 * vpmc_region_guard - a region from here to the end of the block, even if the block is
 * left by an exception:
 *
 *	vpmc_region_guard guard("sort");
 */
class vpmc_region_guard
{
      public:
	explicit vpmc_region_guard(const char *name) : text(name)
	{
		vpmc_region_begin(text);
	}
	~vpmc_region_guard()
	{
		vpmc_region_end(text);
	}

      private:
	const char *text;
	vpmc_region_guard(const vpmc_region_guard &);
	vpmc_region_guard &operator=(const vpmc_region_guard &);
};
#endif

#endif /* VPMC_REGION_H */
