#include <ats.h>
#include <omp.h>

static void loops(distr_func_t df, distr_t* dd, int r) {
    const int threads = omp_get_max_threads();
    for (int i = 0; i < r; ++i) {
        #pragma omp parallel for schedule(static, 1)
        for (int iteration = 0; iteration < threads; ++iteration) {
            do_work(df(iteration, threads, 1.0, dd));
        }
    }
}

void imbalance_in_parallel_loop(distr_func_t df, distr_t* dd, int r) {
    ats_enter(__func__);
    loops(df, dd, r);
    ats_leave(__func__);
}

void imbalance_in_parallel_loop_balanced(distr_func_t df, distr_t* dd, int r) {
    ats_enter(__func__);
    val1_distr_t mean = {distr_mean(df, dd, omp_get_max_threads())};
    loops(df_same, &mean, r);
    ats_leave(__func__);
}
