#include <ats.h>
#include <omp.h>

static void loops_nowait(distr_func_t df, distr_t* dd, int r) {
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        const int threads = omp_get_num_threads();
        #pragma omp for schedule(static, 1) nowait
        for (int iteration = 0; iteration < threads; ++iteration) {
            do_work(df(iteration, threads, 1.0, dd));
        }
    }
}

void imbalance_in_omp_loop_nowait(distr_func_t df, distr_t* dd, int r) {
    ats_enter(__func__);
    loops_nowait(df, dd, r);
    ats_leave(__func__);
}

void imbalance_in_omp_loop_nowait_balanced(distr_func_t df, distr_t* dd, int r) {
    ats_enter(__func__);
    val1_distr_t mean = {distr_mean(df, dd, omp_get_max_threads())};
    loops_nowait(df_same, &mean, r);
    ats_leave(__func__);
}
