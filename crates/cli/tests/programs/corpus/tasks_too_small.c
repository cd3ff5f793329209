#define NOMPI
#include "k.h"
int main(){ double s=0;
  #pragma omp parallel num_threads(4)
  {
    #pragma omp single
    FOR(i,5000) {
      #pragma omp task firstprivate(i)
      { volatile double x=i; x=x*1.5; }
    }
  }
  printf("%g\n",s); }
