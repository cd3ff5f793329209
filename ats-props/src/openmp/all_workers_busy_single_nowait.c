#include <ats.h>

void all_workers_busy_single_nowait(double work, int r) {
    ats_enter(__func__);
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        int is_busy = 0;
        #pragma omp single nowait
        {
            is_busy = 1;
            do_work(work);
        }
        if (!is_busy) {
            do_work(work);
        }
        #pragma omp barrier
    }
    ats_leave(__func__);
}
