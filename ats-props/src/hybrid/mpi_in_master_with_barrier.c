#include <ats.h>

static void send_up(distr_func_t df, distr_t* dd, int r, MPI_Comm c) {
    mpi_buf_t* buf = alloc_mpi_buf(base_type, base_cnt);
    const double of_rank = mpi_distr_share(df, dd, c);
    #pragma omp parallel
    for (int i = 0; i < r; ++i) {
        do_work(of_rank);
        #pragma omp master
        mpi_commpattern_sendrecv(buf, DIR_UP, 0, 0, c);
        #pragma omp barrier
    }
    free_mpi_buf(buf);
}

void mpi_in_master_with_barrier(double basework, double extrawork, int r, MPI_Comm c) {
    ats_enter(__func__);
    /* Even ranks send, and have more to do. */
    val2_distr_t work = {basework + extrawork, basework};
    send_up(df_cyclic2, &work, r, c);
    ats_leave(__func__);
}

void mpi_in_master_with_barrier_balanced(double basework, double extrawork, int r, MPI_Comm c) {
    ats_enter(__func__);
    val2_distr_t work = {basework + extrawork, basework};
    val1_distr_t mean = {mpi_distr_mean(df_cyclic2, &work, c)};
    send_up(df_same, &mean, r, c);
    ats_leave(__func__);
}
