/* Writes files and touches fresh pages in regions, in a team, and between calls of MPI. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGES = 300, PAGE = 4096 };

static void touch(int pages) {
    char *fresh = mmap(NULL, (size_t)pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    madvise(fresh, (size_t)pages * PAGE, MADV_NOHUGEPAGE);
    for (int page = 0; page < pages; page++)
        ((volatile char *)fresh)[(size_t)page * PAGE] = 1;
    munmap(fresh, (size_t)pages * PAGE);
}

int main(int argc, char **argv) {
    void (*enter)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_enter");
    void (*leave)(const char *) = dlsym(RTLD_DEFAULT, "ats_region_leave");
    char bytes[100];
    int file = open("/dev/null", O_WRONLY);
    memset(bytes, 0, sizeof bytes);
    MPI_Init(&argc, &argv);
    enter("outer");
    enter("writes");
    for (int i = 0; i < 70; i++)
        if (write(file, bytes, sizeof bytes) < 0)
            return 1;
    leave("writes");
    enter("pages");
    touch(PAGES);
    leave("pages");
    enter("nothing");
    leave("nothing");
    MPI_Barrier(MPI_COMM_WORLD);
    leave("outer");
#pragma omp parallel num_threads(2)
    touch(PAGES);
    MPI_Finalize();
    return 0;
}
