/* 200 ms alone, a region of two threads of 50 ms, 200 ms alone. Right: 0.45 s of wall time; the second thread has nothing
   to do for 0.2 s at least (after the region), 0.4 s if the time before counts. */
#include <stdio.h>
#include "work.h"
int main(void) {
  double start = now();
  spin_ms(200);
#pragma omp parallel num_threads(2)
  spin_ms(50);
  spin_ms(200);
  printf("%.3f\n", now() - start);
  return 0;
}
