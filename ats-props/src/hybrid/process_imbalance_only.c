#include <ats.h>

static void work_and_meet(double of_rank, int r, MPI_Comm c) {
    for (int i = 0; i < r; ++i) {
        #pragma omp parallel
        do_work(of_rank);
        MPI_Barrier(c);
    }
}

void process_imbalance_only(distr_func_t df, distr_t* dd, int r, MPI_Comm c) {
    ats_enter(__func__);
    work_and_meet(mpi_distr_share(df, dd, c), r, c);
    ats_leave(__func__);
}

void process_imbalance_only_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c) {
    ats_enter(__func__);
    work_and_meet(mpi_distr_mean(df, dd, c), r, c);
    ats_leave(__func__);
}
