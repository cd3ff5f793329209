#define NOMPI
#define THREADS_ALONE
#include "variant.h"
STEP {
  #pragma omp parallel num_threads(THREADS)
  #pragma omp single
  FOR(i,THREADS+1) {
    #pragma omp task
    work(MORE);
  }
}
