/* Two threads, of which one works 0.3 s longer than the other before a barrier; then an endless loop. Right: 0.3 s of waiting
   at that barrier, also if a signal ends the program; on a busy machine, as long as it writes into the file `measured`. */
#include <stdio.h>
#include <omp.h>
#include "work.h"
int main(void) {
#pragma omp parallel num_threads(2)
  {
    if (omp_get_thread_num() == 0) spin_ms(300);
    double begin = now();
#pragma omp barrier
    if (omp_get_thread_num() == 1) measured(now() - begin);
  }
  printf("endless\n"), fflush(stdout);
#pragma omp parallel num_threads(2)
  for (;;) {
    spin_ms(1);
#pragma omp barrier
  }
}
