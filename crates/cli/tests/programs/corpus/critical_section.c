#define NOMPI
#include "k.h"
int main(){ double s=0;
  #pragma omp parallel for num_threads(4)
  FOR(i,40){
    work(10);
    #pragma omp critical(sum)
    { work(10); s+=i; }
  }
  printf("%g\n",s); }
