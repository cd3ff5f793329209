#include <ats.h>
#include <omp.h>

static void work_and_meet(distr_func_t df, distr_t* dd, int r, MPI_Comm c) {
    for (int i = 0; i < r; ++i) {
        #pragma omp parallel
        par_do_omp_work(df, dd, 1.0);
        MPI_Barrier(c);
    }
}

void thread_imbalance_only(distr_func_t df, distr_t* dd, int r, MPI_Comm c) {
    ats_enter(__func__);
    work_and_meet(df, dd, r, c);
    ats_leave(__func__);
}

void thread_imbalance_only_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c) {
    ats_enter(__func__);
    val1_distr_t mean = {distr_mean(df, dd, omp_get_max_threads())};
    work_and_meet(df_same, &mean, r, c);
    ats_leave(__func__);
}
