/* 500 short-lived threads, one after the other, each with one MPI call. On 2 ranks.
   Right: a thread counts from its first to its last event, so that shares are of what the run has: at most 4 threads at a
   time; and a table that names the threads briefly. */
#include <mpi.h>
#include <pthread.h>

static void *run(void *unused) {
  MPI_Barrier(MPI_COMM_WORLD);
  return 0;
}

int main(int argc, char **argv) {
  int provided;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
  for (int i = 0; i < 500; i++) {
    pthread_t thread;
    pthread_create(&thread, 0, run, 0);
    pthread_join(thread, 0);
  }
  MPI_Finalize();
  return 0;
}
