#include "k.h"
static double s[2][1000],r[2][1000];
int main(int c,char**v){ start(&c,&v); int l=(me+np-1)%np,g=(me+1)%np; MPI_Request q[4]; int test=c>1&&v[1][0]=='t', even=c>1&&v[1][0]=='e'; MPI_Barrier(MPI_COMM_WORLD); double t0=MPI_Wtime();
  FOR(i,12){
    MPI_Irecv(r[0],1000,MPI_DOUBLE,l,1,MPI_COMM_WORLD,q); MPI_Irecv(r[1],1000,MPI_DOUBLE,g,2,MPI_COMM_WORLD,q+1);
    MPI_Isend(s[0],1000,MPI_DOUBLE,g,1,MPI_COMM_WORLD,q+2); MPI_Isend(s[1],1000,MPI_DOUBLE,l,2,MPI_COMM_WORLD,q+3);
    double ms=even?27.5:me==1?50:20;
    int chop=c>1&&v[1][0]=='c'; if(chop) FOR(k,(int)(ms/2.5)) work(2.5); else if(test){ int f; FOR(k,(int)(ms/2.5)){ work(2.5); MPI_Testall(4,q,&f,MPI_STATUSES_IGNORE);} } else work(ms);
    MPI_Waitall(4,q,MPI_STATUSES_IGNORE);
  }
  MPI_Barrier(MPI_COMM_WORLD); if(!me) printf("%s %.3f s\n",test?"with MPI_Testall":even?"even":"as it is",MPI_Wtime()-t0);
  MPI_Finalize(); }
