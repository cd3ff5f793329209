/* Goes on for 20 ms (rank 1: 1200 ms where the argument is "late") after MPI_Finalize, in a region that it has entered
   before, and ends as its argument says. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void finalize(void) { MPI_Finalize(); }

/* Waits until both ranks have written their events. */
static void await_written(void) {
    for (int rank = 0; rank < 2; ++rank) {
        char marker[4096];
        snprintf(marker, sizeof marker, "%s/incomplete.%d", getenv("ATS_RECORDER_DIR"), rank);
        while (!access(marker, F_OK))
            usleep(1000);
    }
}

int main(int argc, char **argv) {
    void (*enter)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_enter");
    void (*leave)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_leave");
    const char *ending = argv[1];
    int rank, finalized;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (!strcmp(ending, "atexit")) {
        atexit(finalize);
        exit(0);
    }
    enter("solve");
    MPI_Finalized(&finalized);
    MPI_Finalize();
    MPI_Finalized(&finalized);
    enter("solve");
    enter("new");
    leave("new");
    leave("solve");
    usleep(rank == 1 && !strcmp(ending, "late") ? 1200000 : 20000);
    if (!strcmp(ending, "_exit"))
        _exit(0);
    if (!strcmp(ending, "quick_exit"))
        quick_exit(0);
    if (!strcmp(ending, "exec"))
        execlp("true", "true", NULL);
    if (!strcmp(ending, "kill")) {
        /* The launcher kills the other rank, too. */
        await_written();
        raise(SIGKILL);
    }
    if (!strcmp(ending, "fork")) {
        if (fork() == 0)
            exit(0);
        wait(NULL);
    }
    leave("solve");
    return 0;
}
