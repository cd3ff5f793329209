#include <ats.h>
#include <omp.h>

static void work_and_meet(double of_rank, distr_func_t df, distr_t* dd, int r, MPI_Comm c) {
    for (int i = 0; i < r; ++i) {
        #pragma omp parallel
        do_work(of_rank + df(omp_get_thread_num(), omp_get_num_threads(), 1.0, dd));
        MPI_Barrier(c);
    }
}

void omp_imbalance_at_mpi_barrier(distr_func_t processwork_df, distr_t* processwork_dd, distr_func_t threadwork_df,
                                  distr_t* threadwork_dd, int r, MPI_Comm c) {
    ats_enter(__func__);
    work_and_meet(mpi_distr_share(processwork_df, processwork_dd, c), threadwork_df, threadwork_dd, r, c);
    ats_leave(__func__);
}

void omp_imbalance_at_mpi_barrier_balanced(distr_func_t processwork_df, distr_t* processwork_dd,
                                           distr_func_t threadwork_df, distr_t* threadwork_dd, int r, MPI_Comm c) {
    ats_enter(__func__);
    val1_distr_t mean = {distr_mean(threadwork_df, threadwork_dd, omp_get_max_threads())};
    work_and_meet(mpi_distr_mean(processwork_df, processwork_dd, c), df_same, &mean, r, c);
    ats_leave(__func__);
}
