#include "k.h"
int main(int c,char**v){ int p; MPI_Init_thread(&c,&v,MPI_THREAD_FUNNELED,&p); MPI_Comm_rank(MPI_COMM_WORLD,&me); double a=1,b;
  FOR(i,6){
    work(30);
    #pragma omp parallel num_threads(4)
    work(10);
    MPI_Allreduce(&a,&b,1,MPI_DOUBLE,MPI_SUM,MPI_COMM_WORLD);
  }
  MPI_Finalize(); }
