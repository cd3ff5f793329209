#include <ats.h>
#include <omp.h>

void coarse_dynamic_chunk(int n, int chunk, double iterationwork, int r) {
    ats_enter(__func__);
    const int iterations = chunk < 1 ? 1 : chunk;
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        #pragma omp for schedule(monotonic: dynamic, iterations)
        for (int iteration = 0; iteration < n; ++iteration) {
            do_work(iterationwork);
        }
    }
    ats_leave(__func__);
}

void coarse_dynamic_chunk_balanced(int n, int chunk, double iterationwork, int r) {
    ats_enter(__func__);
    (void)chunk;
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        const int threads = omp_get_num_threads();
        #pragma omp for schedule(static, 1)
        for (int iteration = 0; iteration < threads; ++iteration) {
            do_work(n * iterationwork / threads);
        }
    }
    ats_leave(__func__);
}
