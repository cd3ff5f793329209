#include <ats.h>
#include <omp.h>

static void add(double work, int atomics, unsigned long number, int r) {
    unsigned long sum = 0;
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        do_work(work);
        for (int atomic = 0; atomic < atomics; ++atomic) {
            #pragma omp atomic
            sum += number;
        }
    }
    if (sum != number * atomics * r * omp_get_max_threads()) {
        ats_fail("an atomic was lost");
    }
}

void frequent_atomic(double work, int k, int r) {
    ats_enter(__func__);
    add(work, k, 1, r);
    ats_leave(__func__);
}

void frequent_atomic_balanced(double work, int k, int r) {
    ats_enter(__func__);
    add(work, k < 1 ? k : 1, k, r);
    ats_leave(__func__);
}
