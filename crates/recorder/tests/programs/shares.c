/* Teams of 1, 2 and 8 threads, which share their processor time over functions: 50, 30 and 20 % by plan. Prints the team's
   size, the seconds in all, and the shares as they were, of each team. */
#include <omp.h>
#include <stdio.h>
#include <time.h>

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

#define PRAGMA(text) _Pragma(#text)

#define WORK(name, seconds)                                                                                            \
    static double name##_spent;                                                                                        \
    __attribute__((noinline)) void name(void) {                                                                        \
        double begin = now(), time = begin;                                                                            \
        volatile double x = 1;                                                                                         \
        while (time < begin + seconds) {                                                                               \
            for (int i = 0; i < 2000; i++)                                                                             \
                x = x * 1.0000001 + 1e-9;                                                                              \
            time = now();                                                                                              \
        }                                                                                                              \
        _Pragma("omp atomic") name##_spent += time - begin;                                                            \
    }

#define TEAM(size, rounds)                                                                                             \
    WORK(relax_##size, 0.025)                                                                                          \
    WORK(norm_##size, 0.015)                                                                                           \
    WORK(swap_##size, 0.010)                                                                                           \
    static void team_##size(void) {                                                                                    \
        PRAGMA(omp parallel num_threads(size))                                                                         \
        for (int i = 0; i < rounds; i++) {                                                                             \
            relax_##size();                                                                                            \
            norm_##size();                                                                                             \
            swap_##size();                                                                                             \
        }                                                                                                              \
        double all = relax_##size##_spent + norm_##size##_spent + swap_##size##_spent;                                 \
        printf("%d %f %f %f %f\n", size, all, relax_##size##_spent / all, norm_##size##_spent / all,                   \
               swap_##size##_spent / all);                                                                             \
    }

TEAM(1, 10)
TEAM(2, 6)
TEAM(8, 3)

int main(void) {
    team_1();
    team_2();
    team_8();
}
