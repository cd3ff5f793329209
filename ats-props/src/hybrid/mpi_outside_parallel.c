#include <ats.h>
#include <omp.h>

/* Ranks in pairs work for `in_pairs` in the region besides. */
static void alternate(double parallel, double in_pairs, double serial, int r, MPI_Comm c) {
    mpi_buf_t* buf = alloc_mpi_buf(base_type, base_cnt);
    int me, size;
    MPI_Comm_rank(c, &me);
    MPI_Comm_size(c, &size);
    const int is_in_a_pair = (me ^ 1) < size;
    parallel += is_in_a_pair ? in_pairs : 0.0;
    serial = is_in_a_pair && me % 2 == 0 ? serial : 0.0;
    for (int i = 0; i < r; ++i) {
        #pragma omp parallel
        do_work(parallel);
        do_work(serial);
        mpi_commpattern_sendrecv(buf, DIR_UP, 0, 0, c);
    }
    free_mpi_buf(buf);
}

void mpi_outside_parallel(double parallelwork, double serialwork, int r, MPI_Comm c) {
    ats_enter(__func__);
    alternate(parallelwork, 0.0, serialwork, r, c);
    ats_leave(__func__);
}

void mpi_outside_parallel_balanced(double parallelwork, double serialwork, int r, MPI_Comm c) {
    ats_enter(__func__);
    alternate(parallelwork, serialwork / (2 * omp_get_max_threads()), 0.0, r, c);
    ats_leave(__func__);
}
