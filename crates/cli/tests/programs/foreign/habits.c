/* What programs do to their own process, each before a barrier: a timer of 1 kHz all the time, a child that exits, a shell,
   another folder, no environment, no open files before MPI_Init and after MPI_Finalize. Rank 0 comes to the last barrier
   50 ms late. Right, on 2 ranks: both have a trace with all 5 barriers, and rank 1 waits 0.05 s at the last; on a busy
   machine, they wait as long at all barriers as rank 0 prints.
   With the argument "after", the program then calls a function that MPI_Finalize has ended, which is its end. */
#define _GNU_SOURCE
#include <errno.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "work.h"

enum { BARRIERS = 5, RANKS = 2 };

static volatile sig_atomic_t ticks;

static void tick(int signal) { ticks++; }

static void sleep_ms(long ms) {
  struct timespec left = {ms / 1000, ms % 1000 * 1000000};
  while (nanosleep(&left, &left) && errno == EINTR)
    ;
}

static void close_files(int from) {
  for (int file = from; file < 1024; file++) close(file);
}

static void check(int right, const char *what) {
  if (!right) {
    fprintf(stderr, "habits: %s\n", what);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
}

/* When this rank came to each barrier. */
static double came[BARRIERS];

static void meet(int barrier) {
  came[barrier] = now();
  MPI_Barrier(MPI_COMM_WORLD);
}

/* Lets rank 0 print how long the ranks waited for each other. */
static void print_waits(int rank) {
  double all[RANKS][BARRIERS], waits = 0;
  MPI_Gather(came, BARRIERS, MPI_DOUBLE, all, BARRIERS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  if (rank > 0) return;
  for (int barrier = 0; barrier < BARRIERS; barrier++)
    waits += after(all[0][barrier], all[1][barrier]) + after(all[1][barrier], all[0][barrier]);
  printf("%f\n", waits);
  fflush(stdout);
}

int main(int argc, char **argv) {
  int rank, goes_on = argc > 1, status = -1;
  struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
  struct itimerval timer = {{0, 1000}, {0, 1000}};
  close_files(3);
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &timer, NULL);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  pid_t child = fork();
  if (child == 0) exit(7);
  waitpid(child, &status, 0);
  check(WIFEXITED(status) && WEXITSTATUS(status) == 7, "the child ended otherwise");
  meet(0);

  check(system("true") == 0, "the shell failed");
  meet(1);

  check(chdir("/") == 0, "there is no other folder");
  meet(2);

  clearenv();
  meet(3);

  if (rank == 0) sleep_ms(50);
  meet(4);
  print_waits(rank);
  check(ticks > 10, "the timer does not tick");
  MPI_Finalize();
  if (goes_on) MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  close_files(0);
  return 0;
}
