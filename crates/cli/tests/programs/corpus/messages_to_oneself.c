/* Each rank sends to itself on MPI_COMM_SELF and on a duplicate of it (same tag, same ranks in every process), and takes part in a split with MPI_UNDEFINED.
   Rank 1 receives its message of MPI_COMM_SELF 50 ms after rank 0 has sent its own. Right: no late sender at all on these; the barrier of the split (ranks 0 and 2 of 3; rank 0 250 ms late): wait_at_barrier 0.25 s on rank 2. */
#include <mpi.h>
#include "work.h"
int main(int c,char**v){ int me,x=1,y; MPI_Comm d,s; MPI_Request q; MPI_Init(&c,&v); MPI_Comm_rank(MPI_COMM_WORLD,&me); MPI_Comm_dup(MPI_COMM_SELF,&d);
 MPI_Comm_split(MPI_COMM_WORLD,me==1?MPI_UNDEFINED:5,0,&s); MPI_Barrier(MPI_COMM_WORLD);
 for(int i=0;i<2;i++){ MPI_Comm k=i?d:MPI_COMM_SELF; if(me==1) MPI_Irecv(&y,1,MPI_INT,0,4,k,&q); if(me==1) spin_ms(50); if(me!=1) MPI_Isend(&x,1,MPI_INT,0,4,k,&q); else MPI_Send(&x,1,MPI_INT,0,4,k); if(me!=1) MPI_Recv(&y,1,MPI_INT,0,4,k,MPI_STATUS_IGNORE); MPI_Wait(&q,MPI_STATUS_IGNORE); MPI_Barrier(k); }
 if(me!=1){ if(me==0) spin_ms(250); MPI_Barrier(s); MPI_Comm_free(&s);} MPI_Comm_free(&d); MPI_Finalize(); return 0; }
