#include <ats.h>
#include <omp.h>

static void loops(double parallelwork, double orderedwork, int rounds, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        const int iterations = rounds * omp_get_num_threads();
        #pragma omp for schedule(static, 1) ordered
        for (int iteration = 0; iteration < iterations; ++iteration) {
            do_work(parallelwork);
            #pragma omp ordered
            do_work(orderedwork);
        }
    }
}

void unparallelized_in_ordered_loop(double parallelwork, double orderedwork, int rounds, int r) {
    ats_enter(__func__);
    loops(parallelwork, orderedwork, rounds, r);
    ats_leave(__func__);
}

void unparallelized_in_ordered_loop_balanced(double parallelwork, double orderedwork, int rounds, int r) {
    ats_enter(__func__);
    loops(parallelwork + orderedwork, 0.0, rounds, r);
    ats_leave(__func__);
}
