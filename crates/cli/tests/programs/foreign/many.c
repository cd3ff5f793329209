/* Much of everything, on 2 ranks: 3,000 communicators at once, with a broadcast in the last; 20,000 regions on rank 0, whose
   names have quotes, line breaks, ends of scripts and a byte that is no UTF-8; and 2,000 messages of each of two threads.
   Right: each is in the trace once, and the files for viewers and Cube have all names. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { COMMUNICATORS = 3000, REGIONS = 20000, MESSAGES = 2000 };

static int rank;
static MPI_Comm comm[COMMUNICATORS];

static void regions(void) {
  void (*enter)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_enter");
  void (*leave)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_leave");
  char name[64];
  if (!enter || !leave) MPI_Abort(MPI_COMM_WORLD, 2);
  for (int i = 0; i < REGIONS; i++) {
    snprintf(name, sizeof name, "region %d \"quoted\"\n\t'<&\\ \xff</script>", i);
    enter(name);
    leave(name);
  }
}

static void *messages(void *number) {
  int tag = (int)(long)number, value = 0;
  for (int i = 0; i < MESSAGES; i++) {
    if (rank == 0)
      MPI_Send(&value, 1, MPI_INT, 1, tag, comm[tag]);
    else
      MPI_Recv(&value, 1, MPI_INT, 0, tag, comm[tag], MPI_STATUS_IGNORE);
  }
  return NULL;
}

int main(int argc, char **argv) {
  int level, value = 0;
  pthread_t thread;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (level < MPI_THREAD_MULTIPLE) MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < COMMUNICATORS; i++) MPI_Comm_dup(MPI_COMM_WORLD, &comm[i]);
  MPI_Bcast(&value, 1, MPI_INT, 0, comm[COMMUNICATORS - 1]);
  if (rank == 0) regions();
  pthread_create(&thread, NULL, messages, (void *)1);
  messages((void *)0);
  pthread_join(thread, NULL);
  for (int i = 0; i < COMMUNICATORS; i++) MPI_Comm_free(&comm[i]);
  MPI_Finalize();
  return 0;
}
