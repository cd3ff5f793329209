/* Ranks compute, sleep, or touch memory for the first time, and count for themselves what the machine does meanwhile. Rank 0
   prints of each rank: seconds, seconds with a processor, involuntary switches, page faults.
     busy MS       all compute for MS ms
     alone MS      all compute for MS ms of processor time, each on a processor of its own: rank R on the R-th that it may use
     sleep MS      all sleep for MS ms
     touch MIB     the last rank touches MIB MiB in pages of the usual size, the others compute for 50 ms
   Right: what is printed. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include "work.h"

static void counted(double of[4]) {
  struct timespec t;
  struct rusage used;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  getrusage(RUSAGE_THREAD, &used);
  of[0] = now();
  of[1] = t.tv_sec + 1e-9 * t.tv_nsec;
  of[2] = used.ru_nivcsw;
  of[3] = used.ru_minflt + used.ru_majflt;
}

static void compute_ms(double ms) {
  for (double end = now() + ms / 1000; now() < end;);
}

static void use_ms(double ms) {
  struct timespec t;
  double end = 0, used;
  do {
    compute_ms(0.01);
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    used = t.tv_sec + 1e-9 * t.tv_nsec;
    if (end == 0) end = used + ms / 1000;
  } while (used < end);
}

static void touch(size_t bytes) {
  char *memory = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(memory, bytes, MADV_NOHUGEPAGE);
  memset(memory, 1, bytes);
}

static void move_to(int number) {
  cpu_set_t may, one;
  sched_getaffinity(0, sizeof may, &may);
  CPU_ZERO(&one);
  for (int processor = 0; processor < CPU_SETSIZE; processor++)
    if (CPU_ISSET(processor, &may) && number-- == 0) CPU_SET(processor, &one);
  sched_setaffinity(0, sizeof one, &one);
}

int main(int argc, char **argv) {
  int rank, size;
  double before[4], own[4];
  const char *mode = argv[1];
  double amount = atof(argv[2]);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!strcmp(mode, "alone")) move_to(rank);
  double *all = malloc(size * sizeof own);
  /* A recorder that samples once a millisecond has a sample where the barrier ends. */
  spin_ms(2);
  MPI_Barrier(MPI_COMM_WORLD);
  counted(before);
  if (!strcmp(mode, "sleep")) spin_ms(amount);
  else if (!strcmp(mode, "alone")) use_ms(amount);
  else if (strcmp(mode, "touch")) compute_ms(amount);
  else if (rank == size - 1) touch((size_t)amount << 20);
  else compute_ms(50);
  counted(own);
  for (int i = 0; i < 4; i++) own[i] -= before[i];
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Gather(own, 4, MPI_DOUBLE, all, 4, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < 4 * size; i++) printf("%f\n", all[i]);
  MPI_Finalize();
  return 0;
}
