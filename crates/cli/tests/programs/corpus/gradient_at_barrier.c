#include "k.h"
int main(int c,char**v){ start(&c,&v);
  FOR(i,8){
    IN("stencil", work(25*(me+1)));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize(); }
