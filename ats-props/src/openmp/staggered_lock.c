#include <ats.h>
#include <omp.h>

void staggered_lock(double criticalwork, double slack, int r) {
    ats_enter(__func__);
    #pragma omp parallel
    {
        const int before = omp_get_thread_num();
        const int behind = omp_get_num_threads() - 1 - before;
        do_work(before * criticalwork);
        for (int i = 0; i < r; ++i) {
            #pragma omp critical(staggered_lock)
            do_work(criticalwork);
            do_work((before + behind) * criticalwork + slack);
        }
        do_work(behind * criticalwork);
    }
    ats_leave(__func__);
}
