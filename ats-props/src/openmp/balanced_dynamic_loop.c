#include <ats.h>
#include <omp.h>

void balanced_dynamic_loop(int n, double iterationwork, int r) {
    ats_enter(__func__);
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        #pragma omp for schedule(monotonic: dynamic, 1)
        for (int iteration = 0; iteration < n * omp_get_num_threads(); ++iteration) {
            do_work(iterationwork);
        }
    }
    ats_leave(__func__);
}
