#define NOMPI
#define THREADS_ALONE
#include "variant.h"
STEP {
  #pragma omp parallel for num_threads(THREADS) /* waits */
  FOR(i,THREADS/2) work(MORE);
}
