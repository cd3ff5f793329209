/* A second thread makes all calls of MPI; the first waits for it. Rank 1 waits 50 ms at the barrier. Right: 0.05 s of wait
   at barrier; the first thread of each process has its program, from its begin to its end. */
#include <mpi.h>
#include <pthread.h>
#include "work.h"
static void *communicate(void *none) {
  int provided, rank;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    spin_ms(50);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return none;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, communicate, NULL);
  pthread_join(thread, NULL);
  spin_ms(20);
  return 0;
}
