#define NOMPI
#include "k.h"
static void allocate(char**p){ *p=malloc(8<<20); memset(*p,1,8<<20); work(60); }
int main(){
  FOR(it,5){
    char*p; allocate(&p);
    #pragma omp parallel num_threads(4)
    work(30);
    free(p);
  }
}
