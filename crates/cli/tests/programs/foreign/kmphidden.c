/* Two parallel regions of two balanced threads, and between them a target task without a device: the OpenMP runtime executes
   it on a hidden team of its own. Right: the trace has two threads, and next to no waiting at their
   ends. */
#include <stdio.h>
#include "work.h"
int main(void) {
  int x = 0;
#pragma omp parallel num_threads(2)
  spin_ms(50);
#pragma omp target nowait map(tofrom : x)
  x++;
#pragma omp taskwait
#pragma omp parallel num_threads(2)
  spin_ms(50);
  printf("%d\n", x);
  return 0;
}
