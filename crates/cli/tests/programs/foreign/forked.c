/* A parallel region of two threads, then a child is forked that has parallel regions of its own, and ends before its parent.
   Right: the trace is the parent's, whole, with its two parallel regions on two threads. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "work.h"
static void region(void) {
#pragma omp parallel num_threads(2)
  spin_ms(1);
}
int main(void) {
  region();
  if (fork() == 0) {
    for (int i = 0; i < 2000; i++) {
#pragma omp parallel num_threads(2)
      ;
    }
    exit(0);
  }
  wait(NULL);
  region();
  return 0;
}
