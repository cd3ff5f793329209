// Regions and functions with known numbers, for valgrind. Freestanding, so that its reports are short:
// gcc -O1 -g -nostdlib -static -fno-stack-protector -fno-builtin -ffile-prefix-map=$PWD=. counts.c -o counts
#include <valgrind/callgrind.h>

// Initialised, as valgrind reads no names of a program without such data.
static unsigned long words[1024 * 8] = {1};

// Sums a word of each line.
__attribute__((noinline)) static unsigned long sum(unsigned long lines) {
    unsigned long sum = 0;
    for (unsigned long line = 0; line < lines; line++) sum += ((volatile unsigned long *)words)[8 * line];
    return sum;
}

__attribute__((noinline)) static unsigned long rounds(unsigned long rounds, unsigned long lines) {
    unsigned long result = 0;
    for (unsigned long round = 0; round < rounds; round++) result += sum(lines);
    return result;
}

__attribute__((noinline)) static unsigned long fib(unsigned long n) {
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}

__attribute__((noreturn, used)) static void run(void) {
    CALLGRIND_DUMP_STATS_AT("ats enter outer");
    unsigned long result = rounds(3, 1024);
    for (int visit = 0; visit < 2; visit++) {
        CALLGRIND_DUMP_STATS_AT("ats enter inner");
        result += rounds(100, 256);
        CALLGRIND_DUMP_STATS_AT("ats leave inner");
    }
    result += fib(8);
    CALLGRIND_DUMP_STATS_AT("ats leave outer");
    __asm__ volatile("syscall" ::"a"(60L), "D"(result & 0) : "rcx", "r11", "memory");
    __builtin_unreachable();
}

__asm__(".globl _start\n_start: xor %ebp, %ebp\n call run\n");
