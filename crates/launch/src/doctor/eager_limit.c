/*
 * Prints the eager limit between two ranks, to the byte: the largest message of MPI_Send that returns before its receive is
 * posted, while the receiver works. No clocks are compared: the receiver hears of the message after the sender's start, and
 * then holds its receive back, so a send that returns within that time has not waited for it. One that does not may only
 * have been slow, so the smallest that is found waiting is asked again before it is believed.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { MOST = 64 << 20, ABOUT_TO_SEND = 1, WILL_WORK, MESSAGE };

static int rank;
static char *message;

/* Whether rank 0's send of so many bytes returns before rank 1 receives, which is at least so many seconds later. */
static int is_eager(int bytes, double seconds) {
    int mine = 1, eager;
    if (rank == 0) {
        double start = MPI_Wtime();
        MPI_Send(NULL, 0, MPI_BYTE, 1, ABOUT_TO_SEND, MPI_COMM_WORLD);
        MPI_Recv(NULL, 0, MPI_BYTE, 1, WILL_WORK, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(message, bytes, MPI_BYTE, 1, MESSAGE, MPI_COMM_WORLD);
        mine = MPI_Wtime() - start < seconds;
    } else {
        struct timespec delay = {(time_t)seconds, (long)((seconds - (time_t)seconds) * 1e9)};
        MPI_Recv(NULL, 0, MPI_BYTE, 0, ABOUT_TO_SEND, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        /* What comes while it is in a call of MPI may be taken there. */
        MPI_Send(NULL, 0, MPI_BYTE, 0, WILL_WORK, MPI_COMM_WORLD);
        nanosleep(&delay, NULL);
        MPI_Recv(message, bytes, MPI_BYTE, 0, MESSAGE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    /* Neither goes on before the other has come. */
    MPI_Allreduce(&mine, &eager, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return eager;
}

/* The limit; -1 where there is none up to MOST bytes. */
static int limit(void) {
    int eager = 0;
    /* Longer on a machine that turns out to be slow. */
    for (double seconds = 0.02;; seconds *= 2) {
        int waits = eager + 1, doubts = 1;
        while (waits <= MOST && is_eager(waits, seconds)) {
            eager = waits;
            waits *= 2;
        }
        if (waits > MOST) {
            return -1;
        }
        while (waits - eager > 1) {
            int between = eager + (waits - eager) / 2;
            if (is_eager(between, seconds)) {
                eager = between;
            } else {
                waits = between;
            }
        }
        while (doubts <= 3 && !is_eager(waits, seconds * (1 << doubts))) {
            doubts++;
        }
        if (doubts > 3) {
            return eager;
        }
        eager = waits;
    }
}

int main(int argc, char **argv) {
    int ranks, found;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    message = calloc(MOST, 1);
    if (ranks != 2 || message == NULL) {
        fprintf(stderr, "it needs 2 ranks of 64 MiB, and there are %d\n", ranks);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    found = limit();
    if (rank == 0) {
        printf("%d\n", found);
    }
    free(message);
    MPI_Finalize();
    return 0;
}
