#include "k.h"
int main(int c,char**v){ start(&c,&v); srand(5);
  FOR(i,16){
    int late=rand()%np;
    IN("step", work(me==late?40:10));
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize(); }
