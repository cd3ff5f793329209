// What clang makes of a region that reads a variable of the function around it, and of a barrier.

void regions(int threads, long count) {
    for (long i = 0; i < count; i++) {
        #pragma omp parallel num_threads(threads)
        { __asm__ volatile("" :: "r"(i) : "memory"); }
    }
}

void barriers(int threads, long count) {
    #pragma omp parallel num_threads(threads)
    for (long i = 0; i < count; i++) {
        #pragma omp barrier
    }
}
