/* A generalized request (MPI_Grequest_start) that a helper thread completes after 400 ms, waited for together with a receive
   whose message is 250 ms late. Right: late_sender 0.25 s on rank 1; the other 0.15 s in MPI_Waitall are nobody's message. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include "work.h"
static MPI_Request g;
static int query(void*e,MPI_Status*s){ MPI_Status_set_elements(s,MPI_INT,0); MPI_Status_set_cancelled(s,0); s->MPI_SOURCE=MPI_UNDEFINED; s->MPI_TAG=MPI_UNDEFINED; return MPI_SUCCESS; }
static int gfree(void*e){ return MPI_SUCCESS; } static int gcancel(void*e,int d){ return MPI_SUCCESS; }
static void*help(void*p){ spin_ms(400); MPI_Grequest_complete(g); return 0; }
int main(int c,char**v){ int me,x=0,prov; MPI_Request q[2]; pthread_t t; MPI_Init_thread(&c,&v,MPI_THREAD_MULTIPLE,&prov); MPI_Comm_rank(MPI_COMM_WORLD,&me);
 MPI_Barrier(MPI_COMM_WORLD);
 if(me==1){ MPI_Grequest_start(query,gfree,gcancel,0,&g); q[0]=g; MPI_Irecv(&x,1,MPI_INT,0,5,MPI_COMM_WORLD,&q[1]); pthread_create(&t,0,help,0); MPI_Waitall(2,q,MPI_STATUSES_IGNORE); pthread_join(t,0);} 
 else { spin_ms(250); MPI_Send(&x,1,MPI_INT,1,5,MPI_COMM_WORLD);} 
 MPI_Barrier(MPI_COMM_WORLD); MPI_Finalize(); return 0; }
