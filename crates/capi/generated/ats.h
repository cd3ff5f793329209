/*
 * ATS: performance properties with known severities, for C programs.
 *
 * Functions and names are those of the APART Technical Report "Initial Design of a Test Suite for Automatic
 * Performance Analysis Tools" (Mohr, Traeff; FZJ-ZAM-IB-2002-13), chapter 3. All durations are in seconds. Property
 * functions and patterns are called by all members of a communicator, between MPI_Init and MPI_Finalize. A wrong
 * argument ends all ranks with a message.
 *
 * A program that calls ats_begin has the command line and the phases of the suite's own programs; MPI is initialised
 * there and finalized by ats_end. In others the kind of work comes from the environment: the variable
 * ATS_WORK is one of spin, hybrid, yield, sleep, cpu, counted and none; without it spin where every rank has a
 * core, and hybrid where not.
 *
 * With ATS_WITHOUT_MPI defined it is the interface of the libats for programs of threads alone or of one process, which
 * needs no MPI library and has nothing with a communicator; pkg-config and CMake define it for that one.
 *
 * This file is generated from the suite's catalogue.
 */
#ifndef ATS_H
#define ATS_H

#include <stdint.h>

#ifndef ATS_WITHOUT_MPI
#include <mpi.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* A distribution's descriptor: one of the structures below, or one of your own. */
typedef void distr_t;

/* A distribution function: what participant `me` (from 0) of `sz` gets, times `sf`. */
typedef double (*distr_func_t)(int me, int sz, double sf, distr_t* dd);

/* As an amount of bytes: the largest message that is sent eagerly, as probed; ATS_LIMIT + 1 is a byte more. */
#define ATS_LIMIT INT64_C(-4611686018427387904)

/* What a program is written with: MPI processes, OpenMP threads, both or neither. */
typedef enum ATS_PARADIGM { ATS_MPI = 1, ATS_OPENMP = 2, ATS_HYBRID = 3, ATS_SEQUENTIAL = 0 } ats_paradigm_t;

/*
 * The descriptor of `df_same`.
 */
typedef struct {
    double val;
} val1_distr_t;

/*
 * The descriptor of `df_cyclic2`, `df_block2` and `df_linear`.
 */
typedef struct {
    double low;
    double high;
} val2_distr_t;

/*
 * The descriptor of `df_peak`.
 */
typedef struct {
    double low;
    double high;
    int n;
} val2_n_distr_t;

/*
 * The descriptor of `df_cyclic3` and `df_block3`. Mind the order: `high` comes before `med`.
 */
typedef struct {
    double low;
    double high;
    double med;
} val3_distr_t;

/*
 * The descriptor of `df_given`: the number of a distribution from the command line.
 */
typedef struct {
    int number;
} given_distr_t;

/*
 * Works for `secs` seconds; not at all where that is not positive.
 */
void do_work(double secs);

/*
 * Every thread of the OpenMP team that calls it works for its share of a distribution, times `sf`. Outside teams, and
 * without OpenMP, there is one participant.
 */
void par_do_omp_work(distr_func_t df, distr_t* dd, double sf);

/*
 * Adds so many floating-point numbers to a sum of the thread, one after the other.
 */
void do_additions(int64_t number);

/*
 * Adds 1 to the word number `place` of `places` so many times, atomically if `atomic` is not 0. All threads of the process
 * can reach the words: each has a line of the cache for itself if `padded` is not 0, else up to eight are in one.
 */
void do_updates(int64_t number, int64_t place, int64_t places, int padded, int atomic);

/*
 * Reads an array of so many bytes that all threads of the process share; if `copied` is not 0, a copy of it that the
 * thread makes before.
 */
void do_readings(int64_t bytes, int copied);

/*
 * Computes an array of so many numbers from two others, each element the sum of one and half of the other, `rounds` times.
 * `streams` is the number of threads that do so at the same time, each with arrays of its own.
 */
void do_triad(int64_t elements, int64_t rounds, int64_t streams);

/*
 * Stores into each of so many small pages: pages that the process has not touched before if `fresh` is not 0, else those
 * that the thread has touched last.
 */
void do_pages(int64_t number, int fresh);

/*
 * Writes so many bytes to the beginning of a temporary file of the thread, `calls` times.
 */
void do_writes(int64_t calls, int64_t bytes);

/*
 * Does so many integer operations while the thread is bound to a core: one of `places` that do so at the same time, from 0 on,
 * spread over `cores` cores in turn.
 */
void do_bound(int64_t operations, int64_t place, int64_t places, int64_t cores);

/*
 * Maps so many small pages anew and touches them on the node of memory number `home`, if there are no rounds; else loads from
 * each of their lines in so many rounds on the node `node`. `place` is their number among the pages that the process has.
 */
void do_placed(int64_t pages, int64_t rounds, int64_t place, int64_t home, int64_t node);

/*
 * Everyone gets the same: `val`.
 */
double df_same(int me, int sz, double scale, distr_t* dd);

/*
 * Even participants get `low`, odd ones `high`.
 */
double df_cyclic2(int me, int sz, double scale, distr_t* dd);

/*
 * The first half gets `low`, the rest `high`.
 */
double df_block2(int me, int sz, double scale, distr_t* dd);

/*
 * From `low` for the first to `high` for the last participant, in even steps.
 */
double df_linear(int me, int sz, double scale, distr_t* dd);

/*
 * Participant `n` gets `high`, all others `low`.
 */
double df_peak(int me, int sz, double scale, distr_t* dd);

/*
 * `low`, `med` and `high` in turn.
 */
double df_cyclic3(int me, int sz, double scale, distr_t* dd);

/*
 * The first third gets `low`, the second `med`, the rest `high`.
 */
double df_block3(int me, int sz, double scale, distr_t* dd);

/*
 * The mean share of `sz` participants: the share of each in a balanced twin.
 */
double distr_mean(distr_func_t df, distr_t* dd, int sz);

/*
 * Begins the program of a property: reads the command line, initialises MPI if the property is one of MPI or hybrid,
 * configures work, and sets OpenMP's number of threads. Options and parameters are as in the suite's own programs;
 * `--help` lists them. If there is nothing to run, it ends the process. Without `argv`, the process' own arguments
 * are taken.
 */
void ats_begin(int argc, char** argv, const char* property);

/*
 * As `ats_begin`, for a program of several properties, with this many ranks of this many threads. `sends_eagerly`
 * tells whether it needs standard sends that do not wait for their receives, `needs_limit` whether properties are
 * called with `ATS_LIMIT`.
 */
void ats_begin_composition(int argc, char** argv, const char* name, const char* description, ats_paradigm_t paradigm, int ranks, int threads, int sends_eagerly, int needs_limit);

/*
 * The number of the distribution that a parameter is, for the descriptor of `df_given`.
 */
int ats_distribution(const char* name);

/*
 * The share by a distribution from the command line.
 */
double df_given(int me, int sz, double scale, distr_t* dd);

/*
 * Whether the balanced twin is to be measured in place of the property (`--balanced`).
 */
int ats_balanced(void);

/*
 * The number of times that the balanced twin is to be repeated before the measured part (`--warmup`).
 */
int ats_warm_ups(void);

/*
 * All ranks wait for each other, by calls that tools do not see unless `--harness=mpi` is given.
 */
void ats_align(void);

/*
 * The measured part begins: from here on there is something to find.
 */
void ats_begin_measured(void);

/*
 * The measured part ends.
 */
void ats_end_measured(void);

/*
 * Ends the program: writes the witness if asked for, prints a summary, finalizes MPI. Returns the exit code for main.
 */
int ats_end(void);

/*
 * Enters a region of the program, which is announced to the tool that watches.
 */
void ats_enter(const char* region);

/*
 * Leaves the region that was entered last.
 */
void ats_leave(const char* region);

/*
 * Counts `number` more of what `counter` counts, such as "evaluations", in the region that the program is in. The witness
 * of a run adds it up, and the recorder writes the sums into its trace.
 */
void ats_add(const char* counter, int64_t number);

/*
 * Says how much of what the kernel or the hardware counts, such as "syscw", the program causes in the region that it is in.
 * The witness of a run adds it up; recorders have to count it themselves.
 */
void ats_cause(const char* counter, int64_t number);

/*
 * Ends all ranks with a message.
 */
void ats_fail(const char* message);

/*
 * A team is about to be started. Returns its number, which its members pass to `ats_begin_member`.
 */
int ats_fork(void);

/*
 * The team that this thread has started is gone.
 */
void ats_join(void);

/*
 * This thread begins its part of a parallel region.
 */
void ats_begin_member(int team);

/*
 * This thread ends its part of a parallel region.
 */
void ats_end_member(void);

/*
 * This thread begins an iteration of a `parallel for`.
 */
void ats_begin_combined(int team, int64_t iteration);

/*
 * This thread ends an iteration of a `parallel for`.
 */
void ats_end_combined(void);

/*
 * A construct or a call of MPI comes next; `name` is that of its region, such as `!$omp barrier`.
 */
void ats_enter_construct(const char* name);

/*
 * A worksharing construct with an implicit barrier at its end comes next.
 */
void ats_enter_worksharing(const char* name);

/*
 * The construct or call that was entered last is over.
 */
void ats_leave_construct(void);

/*
 * This thread begins to execute something of the construct that it entered last: an iteration or a section of this
 * number, or the body.
 */
void ats_begin_part(int64_t number);

/*
 * This thread begins the body of the critical of this name; the one without a name has an empty one.
 */
void ats_begin_critical(const char* name);

/*
 * This thread has executed what it began.
 */
void ats_end_part(void);

/*
 * A lock was made.
 */
void ats_init_lock(void* lock);

/*
 * This thread has acquired a lock, in the call that it entered last.
 */
void ats_acquired(void* lock);

/*
 * A task is about to be created. Returns its number, which `ats_begin_task` takes; `ats_leave_construct` follows the task.
 */
int ats_create_task(void);

/*
 * This thread begins to execute a task.
 */
void ats_begin_task(int number);

/*
 * This thread has executed the task that it began last.
 */
void ats_end_task(void);

/*
 * The value of a parameter that is a duration in seconds.
 */
double ats_seconds(const char* name);

/*
 * The value of a parameter that is a whole number.
 */
int ats_count(const char* name);

/*
 * The value of a parameter that is an amount of data in bytes, or `ATS_LIMIT` and so many bytes more.
 */
int64_t ats_bytes(const char* name);

/*
 * The value of a parameter that is a share from 0 to 1.
 */
double ats_share(const char* name);

/*
 * The value of a parameter that is a flag: 1 where it is true, else 0.
 */
int ats_flag(const char* name);

/*
 * The value of a parameter that is a seed of random numbers.
 */
int64_t ats_seed(const char* name);

/*
 * The value of a parameter that is a schedule: its `omp_sched_t`.
 */
int ats_schedule(const char* name);

/*
 * The value of a parameter that is a schedule: the length of its chunks, 0 where none is given.
 */
int ats_schedule_chunk(const char* name);

/* -- Performance properties of one process, and the balanced twin of each -- */

/*
 * A branch goes one way or the other by random bits, which no processor can predict.
 *
 * In each repetition the region `random` takes `n` branches, each by a new bit that is set with the probability `share`;
 * then the region `certain` takes as many by bits that are never set. The twin does so in both.
 *
 * ├─ random ─────────────────┬─ certain ─┤
 *
 * A processor that always predicts the more probable way is wrong once in 1/min(`share`, 1 - `share`) branches, and none
 * can do better. The findings are the number of wrong predictions, and the time of one region over that of the other.
 *
 * Shows random: T(random)/T(certain) ≥ 1.5; 1 in the twin.
 * Shows random: N = round(n·r·min(share, 1 − share)); 0 in the twin.
 *
 * n: Branches in a repetition.
 * share: The probability of a set bit.
 * seed: The seed of the bits.
 * r: Number of repetitions.
 */
void branch_misprediction(int n, double share, int64_t seed, int r);

/*
 * The balanced twin of `branch_misprediction`, which shows nothing of it.
 */
void branch_misprediction_balanced(int n, double share, int64_t seed, int r);

/*
 * Numbers are so small that the processor computes them in a slow way.
 *
 * The region `subnormal` does `r` times `n` multiplications of a number below 2.2e-308; the region `normal` as many of a
 * usual one. A processor that takes such numbers for 0 is as fast in both, and does not show the property. The twin does
 * these in both.
 *
 * ├─ subnormal ──────────────┬─ normal ─┤
 *
 * The finding is the time of one region over that of the other. Some processors take a hundred steps more for each, others
 * two: an AMD processor of 2024 takes five in place of three, 1.57 times as long.
 *
 * Shows subnormal: T(subnormal)/T(normal) ≥ 1.2; 1 in the twin.
 *
 * n: Multiplications in a repetition.
 * r: Number of repetitions.
 */
void denormal_arithmetic(int n, int r);

/*
 * The balanced twin of `denormal_arithmetic`, which shows nothing of it.
 */
void denormal_arithmetic_balanced(int n, int r);

/*
 * A process allocates, touches and frees memory again and again.
 *
 * In each repetition the region `allocate` does so `k` times with `bytes`. The twin allocates once in a repetition.
 *
 * ├┬┬┬┬┬┬┬┬┬┤   k pieces
 *
 * The finding is the number of allocations, as an allocator that is put between counts them.
 *
 * Shows allocate: N = k·r; r in the twin.
 *
 * k: Allocations in a repetition.
 * bytes: Bytes of each, at least one.
 * r: Number of repetitions.
 */
void frequent_allocation(int k, int bytes, int r);

/*
 * The balanced twin of `frequent_allocation`, which shows nothing of it.
 */
void frequent_allocation_balanced(int k, int bytes, int r);

/*
 * One procedure takes nearly all of the time, among several that matter little.
 *
 * In each repetition the region `hot` works `hotwork`, and `others` regions `other` work `otherwork` each.
 *
 * ├─ hot ────────────────────┬─ other ─┬─ other ─┬ …
 *
 * The finding is the time of `hot`, as a profile shows it. In the twin all regions take the same time.
 *
 * Shows hot: T = r·hotwork; r·(hotwork + others·otherwork)/(others + 1) in the twin.
 * Shows other: T = r·others·otherwork; r·others·(hotwork + others·otherwork)/(others + 1) in the twin.
 *
 * hotwork [s]: Work of the hot procedure in a repetition.
 * others: The number of other procedures.
 * otherwork [s]: Work of each of them in a repetition.
 * r: Number of repetitions.
 */
void hot_procedure(double hotwork, int others, double otherwork, int r);

/*
 * The balanced twin of `hot_procedure`, which shows nothing of it.
 */
void hot_procedure_balanced(double hotwork, int others, double otherwork, int r);

/*
 * A process converts integers to floating-point numbers all the time.
 *
 * The region `convert` does `r` times `n` conversions; the region `add` as many additions. The twin adds in both.
 *
 * ├─ convert ────────────────┬─ add ─┤
 *
 * The finding is the time of one region over that of the other. It was large on processors without such an instruction;
 * on those of today any ratio is right.
 *
 * Shows convert: T(convert)/T(add) ≥ 0.0; 1 in the twin.
 *
 * n: Conversions in a repetition.
 * r: Number of repetitions.
 */
void int_float_conversion(int n, int r);

/*
 * The balanced twin of `int_float_conversion`, which shows nothing of it.
 */
void int_float_conversion_balanced(int n, int r);

/*
 * A process evaluates sines and cosines where cheaper operations would do.
 *
 * In each repetition the region `evaluate` evaluates `k` sines and `k` cosines; then the region `multiply` does as many
 * multiplications. The twin multiplies in both.
 *
 * ├─ evaluate ───────────────┬─ multiply ─┤
 *
 * The findings are the number of evaluations, which the program counts itself, and the time of one region over that of
 * the other.
 *
 * Shows evaluate: N = 2·k·r; 0 in the twin.
 * Shows evaluate: T(evaluate)/T(multiply) ≥ 2.0; 1 in the twin.
 *
 * k: Sines, and as many cosines, in a repetition.
 * r: Number of repetitions.
 */
void intrinsic_function_call(int k, int r);

/*
 * The balanced twin of `intrinsic_function_call`, which shows nothing of it.
 */
void intrinsic_function_call_balanced(int k, int r);

/*
 * Each load misses the first cache.
 *
 * The region `chase` goes `r` times through `lines` lines of 64 bytes in one random order, each load from the place that the
 * last one gave: 256 KiB by default. The region `chase_of_fewer` makes as many loads from an eighth of the lines. The twin
 * does so in both.
 *
 * ├─ chase ──────────────────┬─ chase_of_fewer ─┤
 *
 * A cache that replaces the line that was used least recently, and holds fewer than all, misses at each load. The findings
 * are the number of misses, and the time of one region over that of the other. Give the lines of your machine's cache:
 * `ats doctor` names its size.
 *
 * Shows chase: T(chase)/T(chase_of_fewer) ≥ 1.5; 1 in the twin.
 * Shows chase: N = lines·r if lines > cache, else 0; lines·r if max(1, floor(lines/8)) > cache, else 0 in the twin.
 *
 * lines: Lines of the chase.
 * cache: Lines that the first cache holds.
 * r: Times that it goes through all lines.
 */
void l1_cache_misses(int lines, int cache, int r);

/*
 * The balanced twin of `l1_cache_misses`, which shows nothing of it.
 */
void l1_cache_misses_balanced(int lines, int cache, int r);

/*
 * Each load misses the second cache.
 *
 * The region `chase` goes `r` times through `lines` lines of 64 bytes in one random order, each load from the place that the
 * last one gave: 8 MiB by default. The region `chase_of_fewer` makes as many loads from an eighth of the lines. The twin
 * does so in both.
 *
 * ├─ chase ──────────────────┬─ chase_of_fewer ─┤
 *
 * A cache that replaces the line that was used least recently, and holds fewer than all, misses at each load. The findings
 * are the number of misses, and the time of one region over that of the other. Give the lines of your machine's cache:
 * `ats doctor` names its size.
 *
 * Shows chase: T(chase)/T(chase_of_fewer) ≥ 1.5; 1 in the twin.
 * Shows chase: N = lines·r if lines > cache, else 0; lines·r if max(1, floor(lines/8)) > cache, else 0 in the twin.
 *
 * lines: Lines of the chase.
 * cache: Lines that the second cache holds.
 * r: Times that it goes through all lines.
 */
void l2_cache_misses(int lines, int cache, int r);

/*
 * The balanced twin of `l2_cache_misses`, which shows nothing of it.
 */
void l2_cache_misses_balanced(int lines, int cache, int r);

/*
 * Each load misses the third cache.
 *
 * The region `chase` goes `r` times through `lines` lines of 64 bytes in one random order, each load from the place that the
 * last one gave: 64 MiB by default. The region `chase_of_fewer` makes as many loads from a 64th of the lines, since a
 * machine may share its cache with others. The twin does so in both.
 *
 * ├─ chase ──────────────────┬─ chase_of_fewer ─┤
 *
 * A cache that replaces the line that was used least recently, and holds fewer than all, misses at each load. The findings
 * are the number of misses, and the time of one region over that of the other. Give the lines of your machine's cache:
 * `ats doctor` names its size.
 *
 * Shows chase: T(chase)/T(chase_of_fewer) ≥ 1.5; 1 in the twin.
 * Shows chase: N = lines·r if lines > cache, else 0; lines·r if max(1, floor(lines/64)) > cache, else 0 in the twin.
 *
 * lines: Lines of the chase.
 * cache: Lines that the third cache holds.
 * r: Times that it goes through all lines.
 */
void l3_cache_misses(int lines, int cache, int r);

/*
 * The balanced twin of `l3_cache_misses`, which shows nothing of it.
 */
void l3_cache_misses_balanced(int lines, int cache, int r);

/*
 * Each multiplication waits for the product of the last one.
 *
 * The region `dependent` does `r` times `n` multiplications of one number; the region `independent` as many of eight
 * numbers in turn, so that a processor can begin one before the last one has ended. The twin does these in both.
 *
 * ├─ dependent ──────────────┬─ independent ─┤
 *
 * The finding is the time of one region over that of the other.
 *
 * Shows dependent: T(dependent)/T(independent) ≥ 2.0; 1 in the twin.
 *
 * n: Multiplications in a repetition.
 * r: Number of repetitions.
 */
void low_instruction_throughput(int n, int r);

/*
 * The balanced twin of `low_instruction_throughput`, which shows nothing of it.
 */
void low_instruction_throughput_balanced(int n, int r);

/*
 * A process waits for memory, which gives no more bytes in a second.
 *
 * The region `stream` computes `r` times each of `elements` elements of an array from two others: two operations, two loads
 * and a store of 8 bytes. The region `stream_in_cache` computes as many, of arrays of 1,024 elements. The twin does so in
 * both.
 *
 * ├─ stream ─────────────────┬─ stream_in_cache ─┤
 *
 * The findings are the number of floating-point operations, and the time of one region over that of the other.
 *
 * Shows stream: T(stream)/T(stream_in_cache) ≥ 1.5; 1 in the twin.
 * Shows stream: N = 2·elements·r.
 *
 * elements: Elements of each array.
 * r: Times that all are computed.
 */
void memory_bandwidth_bound(int elements, int r);

/*
 * The balanced twin of `memory_bandwidth_bound`, which shows nothing of it.
 */
void memory_bandwidth_bound_balanced(int elements, int r);

/*
 * Each store goes into a page that the process has not touched before.
 *
 * In each repetition the region `touch` stores into each of `pages` small pages, which were mapped anew. The twin stores
 * into pages that it has touched before.
 *
 * ├┬┬┬┬┬┬┬┬┬┤   a fault each
 *
 * The finding is the number of faults, as the kernel counts them for the thread.
 *
 * Shows touch: N = pages·r; 0 in the twin.
 *
 * pages: Pages that are touched in a repetition.
 * r: Number of repetitions.
 */
void page_faults(int pages, int r);

/*
 * The balanced twin of `page_faults`, which shows nothing of it.
 */
void page_faults_balanced(int pages, int r);

/*
 * A process writes large blocks one after the other.
 *
 * In each repetition the region `writes` writes `k` times `bytes` to a temporary file, always to its beginning. The twin writes as many bytes in one call.
 *
 * ├┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┤   k calls
 *
 * The findings are the calls and their bytes, as the kernel counts them for the process: `syscw` and `wchar` in
 * `/proc/self/io`.
 *
 * Shows writes: N = k·r; r in the twin.
 * Shows writes: N = k·bytes·r; k·bytes·r in the twin.
 *
 * k: Writes in a repetition.
 * bytes: Bytes of each.
 * r: Number of repetitions.
 */
void sequential_io(int k, int bytes, int r);

/*
 * The balanced twin of `sequential_io`, which shows nothing of it.
 */
void sequential_io_balanced(int k, int bytes, int r);

/*
 * A process writes a few bytes at a time.
 *
 * In each repetition the region `writes` writes `k` times `bytes` to a temporary file, always to its beginning. The twin writes as many bytes in one call.
 *
 * ├┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┤   k calls
 *
 * The findings are the calls and their bytes, as the kernel counts them for the process: `syscw` and `wchar` in
 * `/proc/self/io`.
 *
 * Shows writes: N = k·r; r in the twin.
 * Shows writes: N = k·bytes·r; k·bytes·r in the twin.
 *
 * k: Writes in a repetition.
 * bytes: Bytes of each.
 * r: Number of repetitions.
 */
void small_writes(int k, int bytes, int r);

/*
 * The balanced twin of `small_writes`, which shows nothing of it.
 */
void small_writes_balanced(int k, int bytes, int r);

/*
 * A process spends its time in calls of the system.
 *
 * In each repetition the region `writes` writes `k` times `bytes` to the null device: the kernel has nothing to do but the
 * call itself. The twin writes as many bytes in one call.
 *
 * ├┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┬┤   k calls
 *
 * The findings are the calls and their bytes, as the kernel counts them for the process: `syscw` and `wchar` in
 * `/proc/self/io`.
 *
 * Shows writes: N = k·r; r in the twin.
 * Shows writes: N = k·bytes·r; k·bytes·r in the twin.
 *
 * k: Writes in a repetition.
 * bytes: Bytes of each.
 * r: Number of repetitions.
 */
void system_time(int k, int bytes, int r);

/*
 * The balanced twin of `system_time`, which shows nothing of it.
 */
void system_time_balanced(int k, int bytes, int r);

/*
 * Each load is from another page, and no translation of its address is at hand.
 *
 * The region `chase` goes `r` times through one line of each of `pages` small pages in one random order, each load from
 * the place that the last one gave. The region `chase_of_fewer` makes as many loads from a 64th of the pages. The twin does
 * so in both.
 *
 * ├─ chase ──────────────────┬─ chase_of_fewer ─┤
 *
 * The findings are the number of misses, and the time of one region over that of the other.
 *
 * Shows chase: T(chase)/T(chase_of_fewer) ≥ 1.2; 1 in the twin.
 * Shows chase: N = pages·r if pages > buffer, else 0; pages·r if max(1, floor(pages/64)) > buffer, else 0 in the twin.
 *
 * pages: Pages of the chase.
 * buffer: Translations that the buffers of the machine hold.
 * r: Times that it goes through all pages.
 */
void tlb_misses(int pages, int buffer, int r);

/*
 * The balanced twin of `tlb_misses`, which shows nothing of it.
 */
void tlb_misses_balanced(int pages, int buffer, int r);

#ifndef ATS_WITHOUT_MPI

/* Which way messages go: to the next higher or the next lower rank. */
typedef enum MPI_DIR { DIR_UP, DIR_DOWN } mpi_dir_t;

/*
 * A buffer of `cnt` elements.
 */
typedef struct {
    void* buf;
    MPI_Datatype type;
    int cnt;
} mpi_buf_t;

/*
 * A buffer for the irregular collectives: a part of its own size for every rank; all of them, with their sizes and
 * where they begin, at the root.
 */
typedef struct {
    void* buf;
    void* rootbuf;
    MPI_Datatype type;
    int cnt;
    int* rootcnt;
    int* rootdispl;
    int isroot;
} mpi_vbuf_t;

/*
 * Every member of the communicator works for its share of a distribution, times `sf`.
 */
void par_do_mpi_work(distr_func_t df, distr_t* dd, double sf, MPI_Comm c);

/*
 * The share of the calling member of a communicator.
 */
double mpi_distr_share(distr_func_t df, distr_t* dd, MPI_Comm c);

/*
 * The mean share of the members of a communicator.
 */
double mpi_distr_mean(distr_func_t df, distr_t* dd, MPI_Comm c);

/*
 * Makes a buffer of `cnt` elements. In the measured part of a program that begins with `ats_begin`, the patterns fill
 * the messages that they send from it with contents of their own, which the program's checksum is made of.
 */
mpi_buf_t* alloc_mpi_buf(MPI_Datatype type, int cnt);

/*
 * Frees a buffer that `alloc_mpi_buf` has made.
 */
void free_mpi_buf(mpi_buf_t* buf);

/*
 * Makes a buffer for the irregular collectives. How many elements a rank has is the whole part of its share of the
 * distribution; `root` counts modulo the number of ranks.
 */
mpi_vbuf_t* alloc_mpi_vbuf(MPI_Datatype type, distr_func_t df, distr_t* dd, int root, MPI_Comm c);

/*
 * Frees a buffer that `alloc_mpi_vbuf` has made.
 */
void free_mpi_vbuf(mpi_vbuf_t* buf);

/*
 * Sets the type and the number of elements that the messages of the property functions have; one `MPI_INT` until
 * then. Types other than `MPI_INT` and `MPI_DOUBLE` are sent as the bytes that they have, which must be without gaps.
 */
void set_base_comm(MPI_Datatype type, int cnt);

/*
 * The type that `set_base_comm` has set.
 */
MPI_Datatype get_base_type(void);

/*
 * The number of elements that `set_base_comm` has set.
 */
int get_base_cnt(void);

/*
 * Even ranks send to the odd rank above (`DIR_UP`) or odd ranks to the even rank below (`DIR_DOWN`). With an odd number
 * of ranks the last one takes no part. Sends are synchronous. With `use_isend` or `use_irecv` set, the send or the
 * receive is the non-blocking call and `MPI_Wait`.
 */
void mpi_commpattern_sendrecv(mpi_buf_t* buf, mpi_dir_t dir, int use_isend, int use_irecv, MPI_Comm c);

/*
 * Every rank sends `sbuf` to one neighbour and receives `rbuf` from the other, around the ring. With neither
 * `use_isend` nor `use_irecv` set, that is one `MPI_Sendrecv`.
 */
void mpi_commpattern_shift(mpi_buf_t* sbuf, mpi_buf_t* rbuf, mpi_dir_t dir, int use_isend, int use_irecv, MPI_Comm c);

/*
 * Every rank receives from the rank below, works for `work` seconds, and sends to the rank above. The first does not
 * receive, the last does not send. Sends are synchronous.
 */
void mpi_commpattern_chain(mpi_buf_t* buf, double work, MPI_Comm c);

/*
 * Rank 0 sends to each of the others in turn, the lowest first, and works for `work` seconds before each message. Sends
 * are synchronous.
 */
void mpi_commpattern_one_to_all(mpi_buf_t* buf, double work, MPI_Comm c);

/*
 * Rank 0 receives from each of the others in turn, the lowest first. Sends are synchronous.
 */
void mpi_commpattern_all_to_one(mpi_buf_t* buf, MPI_Comm c);

/*
 * The root broadcasts `buf`, and the others receive into theirs: `MPI_Bcast`, with the data in the checksum. `root`
 * counts modulo the number of ranks.
 */
void ats_bcast(mpi_buf_t* buf, int root, MPI_Comm c);

/* The default type and count of messages, as the report's property functions call them. */
#define base_type get_base_type()
#define base_cnt get_base_cnt()

/* -- Performance properties, and the balanced twin of each -- */

/*
 * All wait while one rank does what is not parallel: the more ranks, the more is lost.
 *
 * In each repetition rank 0 works `serial`, and all meet at a barrier; then every rank works its share of `parallel`,
 * and they meet again.
 *
 * rank 0  ├─ serial ─┬ MPI_Barrier ┬─ parallel/P ─┬ MPI_Barrier ┤
 * others  ├─ MPI_Barrier ··········┬─ parallel/P ─┬ MPI_Barrier ┤
 *         └─ waits ──┘
 *
 * A run with P ranks takes r·(`serial` + `parallel`/P): its efficiency is (`serial` + `parallel`)/(P·`serial` +
 * `parallel`), and no speed-up gets beyond 1 + `parallel`/`serial` (G. Amdahl, 1967). No rank waits at the second
 * barrier, no skew is left, and no other wait state shows.
 *
 * Shows wait_at_barrier: W = r·(P − 1)·serial; Wᵢ = r·serial if i > 0.
 *
 * serial [s]: Work of rank 0 alone in a repetition.
 * parallel [s]: Work that all ranks share in a repetition.
 * r: Number of repetitions.
 */
void amdahl(double serial, double parallel, int r, MPI_Comm c);

/*
 * The balanced twin of `amdahl`: the same calls and the same work in total, but no waiting.
 */
void amdahl_balanced(double serial, double parallel, int r, MPI_Comm c);

/*
 * Pairs of ranks bounce a big message.
 *
 * In each repetition every rank works `work`; then an even rank sends `bytes` to the odd rank above it, which sends
 * as much back. With an odd number of ranks the last one only works. The twin moves the same bytes in 64 messages
 * each way.
 *
 * even  ├─ work ─┬─ MPI_Send ─┬─ MPI_Recv ─┤
 * odd   ├─ work ─┼─ MPI_Recv ─┼─ MPI_Send ─┤
 *
 * No rank is late, so no wait state shows: the finding is the number of bytes moved, and the small number of
 * messages. Their cost depends on the machine. If the transfer itself takes more than the threshold of a report, a
 * tool rightly reports waiting for it.
 *
 * Shows MPI_Send: N = 2·r·floor(P/2)·bytes.
 * Shows MPI_Recv: N = 2·r·floor(P/2)·bytes.
 * Shows MPI_Send: N = 2·r·floor(P/2) if bytes > 0; 2·r·floor(P/2)·min(bytes, 64) in the twin.
 *
 * work [s]: Work of every rank in a repetition.
 * bytes [B]: Size of the message.
 * r: Number of repetitions.
 */
void big_message(double work, int64_t bytes, int r, MPI_Comm c);

/*
 * The balanced twin of `big_message`: the same calls and the same work in total, but no waiting.
 */
void big_message_balanced(double work, int64_t bytes, int r, MPI_Comm c);

/*
 * Each rank waits for the one below, which has waited for the one below it.
 *
 * Rank 0 works `firstwork` and sends to rank 1; each of the others receives from the rank below, works `basework` and
 * sends to the rank above.
 *
 * rank 0  ├─ firstwork ─┬ MPI_Send ┤
 * rank 1  ├─ MPI_Recv ··┬─ base ─┬ MPI_Send ┤
 * rank 2  ├─ MPI_Recv ···········┬─ base ─┬ MPI_Send ┤
 *         └─ waits ──────────────┘
 *
 * Rank i is left i·`basework` behind rank 0, and (r−1)·(`basework` − `firstwork`) more where `basework` is longer. If
 * rank 0 has more work than the others, and that is at least half of what they wait, they wait for its work, and not for
 * the chain. No other wait state shows. Needs eager sends, which is probed at run time.
 *
 * Shows late_sender: W = Σ Wᵢ; Wᵢ = firstwork + (i − 1)·basework + (r − 1)·max(0, firstwork − basework) if i > 0.
 *
 * firstwork [s]: Work of rank 0 in a repetition.
 * basework [s]: Work of each of the others in a repetition, between receiving and sending.
 * r: Number of repetitions.
 */
void blocked_sender(double firstwork, double basework, int r, MPI_Comm c);

/*
 * The balanced twin of `blocked_sender`: the same calls and the same work in total, but no waiting.
 */
void blocked_sender_balanced(double firstwork, double basework, int r, MPI_Comm c);

/*
 * Each of two functions has uneven work, but no rank waits, since a rank with more to do in one has less in the
 * other.
 *
 * The lower half of the ranks works `low` in the region `rising`, the upper half `high`; in the region `falling` it is the
 * other way round. A barrier ends the repetition.
 *
 * lower half  ├─ rising ─┬─ falling ──────────┬ MPI_Barrier ┤
 * upper half  ├─ rising ──────────┬─ falling ─┬ MPI_Barrier ┤
 *
 * A tool that concludes waits from the imbalance of functions is wrong. No skew is left.
 *
 * Shows nothing.
 *
 * low [s]: Work of the half that has less.
 * high [s]: Work of the half that has more.
 * r: Number of repetitions.
 */
void compensated_imbalance(double low, double high, int r, MPI_Comm c);

/*
 * Pairs of ranks send a column of a matrix, which has to be packed and unpacked.
 *
 * In each repetition every rank works `basework`. Then an even rank sends `blocks` numbers of 8 bytes synchronously to the odd
 * rank above it, in the region `strided`: they lie `stride` numbers apart, which a derived type of `MPI_Type_vector`
 * describes. In the region `contiguous` it sends as many bytes that lie side by side, by a type of the same kind. With an odd
 * number of ranks the last one only works. The twin sends the latter in both.
 *
 * even  ├─ base ─┬─ strided: pack, MPI_Ssend ───────────┬─ contiguous ─┤
 * odd   ├─ base ─┼─ strided: MPI_Recv, unpack ──────────┼─ contiguous ─┤
 *
 * No rank is late, so no wait state shows. The findings are the time of one region over that of the other, and the bytes
 * sent, half of them in each.
 *
 * Shows strided: T(strided)/T(contiguous) ≥ 1.2; 1 in the twin.
 * Shows MPI_Ssend: N = 2·r·floor(P/2)·blocks·8.
 *
 * basework [s]: Work of every rank in a repetition.
 * blocks: Numbers of a message.
 * stride: Numbers from the begin of one to that of the next.
 * r: Number of repetitions.
 */
void derived_datatype_packing(double basework, int blocks, int stride, int r, MPI_Comm c);

/*
 * The balanced twin of `derived_datatype_packing`: the same calls and the same work in total, but no waiting.
 */
void derived_datatype_packing_balanced(double basework, int blocks, int stride, int r, MPI_Comm c);

/*
 * All ranks wait at a barrier while one executes a procedure, each time another one.
 *
 * In repetition k rank k modulo P works `work` in the region `procedure`, and every rank goes to a barrier.
 *
 * rank 0  ├─ procedure ─┬─ MPI_Barrier ─┬─ MPI_Barrier ············┤
 * rank 1  ├─ MPI_Barrier ···············┬─ procedure ─┬ MPI_Barrier┤
 *         └─ waits ─────┘               └─ waits ─────┘
 *
 * Each rank spends only one P-th of the time in the procedure, so its profile shows nothing odd, while the critical path is
 * nothing but the procedure. No skew is left, and no other wait state shows.
 *
 * Shows wait_at_barrier: W = r·(P − 1)·work; Wᵢ = work·(r − floor((r + P − 1 − i)/P)).
 *
 * work [s]: Work in the procedure.
 * r: Number of repetitions.
 */
void diffuse_procedure(double work, int r, MPI_Comm c);

/*
 * The balanced twin of `diffuse_procedure`: the same calls and the same work in total, but no waiting.
 */
void diffuse_procedure_balanced(double work, int r, MPI_Comm c);

/*
 * Ranks wait in an exclusive prefix reduction for those lower ranks that have more to do.
 *
 * As `early_scan`, but every rank gets the least of all lower ranks' values without its own; rank 0 gets
 * nothing.
 *
 * rank 0  ├─ high ────────┬─ MPI_Exscan ─┤
 * rank 1  ├─ low ─┬─ MPI_Exscan ·········┤
 *                 └─waits─┘
 *
 * Waits are those of `MPI_Scan`. Rank i is left `r`·(max w − max w up to rank
 * i) ahead of the last. No other wait state shows. A library may have all ranks wait for each other here; that time is in the
 * call, but not in the wait state.
 *
 * Shows early_scan: W = Σ Wᵢ; Wᵢ = r·(max(distribution[j], 0 ≤ j ≤ i) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void early_exscan(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `early_exscan`: the same calls and the same work in total, but no waiting.
 */
void early_exscan_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * A root waits for the data of ranks that have more to do.
 *
 * The root works `rootwork`, the others `rootwork` + `baseextrawork`; then it gathers a block of each, and the root has to wait for them.
 * The others leave their data and go on.
 *
 * root    ├─ work ─┬─ MPI_Gather ············┤
 * others  ├─ work ─┼─ extra ─┬─ MPI_Gather ──┤
 *                  └─ waits ─┘
 *
 * One rank waits, so with the same numbers the severity is P−1 times smaller than that of a late broadcast. Keep the
 * blocks small: large ones are not sent before the root has come.
 *
 * Shows early_reduce: W = Σ Wᵢ; Wᵢ = r·baseextrawork if i = root mod P.
 *
 * rootwork [s]: Work of the root in a repetition.
 * baseextrawork [s]: Extra work of the others: how early the root comes.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void early_gather(double rootwork, double baseextrawork, int root, int r, MPI_Comm c);

/*
 * The balanced twin of `early_gather`: the same calls and the same work in total, but no waiting.
 */
void early_gather_balanced(double rootwork, double baseextrawork, int root, int r, MPI_Comm c);

/*
 * A root waits for the data of ranks that have more to do.
 *
 * The root works `rootwork`, the others `rootwork` + `baseextrawork`; then it gathers a part of each, and the root has to wait for them.
 * The others leave their data and go on.
 *
 * root    ├─ work ─┬─ MPI_Gatherv ············┤
 * others  ├─ work ─┼─ extra ─┬─ MPI_Gatherv ──┤
 *                  └─ waits ─┘
 *
 * One rank waits, so with the same numbers the severity is P−1 times smaller than that of a late broadcast. Keep the
 * parts small: large ones are not sent before the root has come.
 *
 * Shows early_reduce: W = Σ Wᵢ; Wᵢ = r·baseextrawork if i = root mod P.
 *
 * rootwork [s]: Work of the root in a repetition.
 * baseextrawork [s]: Extra work of the others: how early the root comes.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void early_gatherv(double rootwork, double baseextrawork, int root, int r, MPI_Comm c);

/*
 * The balanced twin of `early_gatherv`: the same calls and the same work in total, but no waiting.
 */
void early_gatherv_balanced(double rootwork, double baseextrawork, int root, int r, MPI_Comm c);

/*
 * A root starts a gather and works on, but not for so long as the other ranks are late.
 *
 * The root works `rootwork`, the others `rootwork` + `baseextrawork`; then each rank starts a gather, works `overlap` and
 * waits. The root has to wait for the others. They leave their data and go on.
 *
 * root    ├─ work ┬─ overlap ─┬─ MPI_Wait ┤
 * others  ├─ work ┬─ extra ───┼───────────┬─ overlap ─┬─ MPI_Wait ┤
 *           MPI_Igather       └─── waits ─┘
 *
 * The root gains on the others by the overlap, once. No other wait state shows. Keep the blocks small: large ones are
 * not sent before the root has come.
 *
 * A library that makes progress only inside of calls may let ranks go later. Then each repetition hides the overlap
 * anew, and ranks wait less.
 *
 * Shows early_nonblocking_reduce: W = Σ Wᵢ; Wᵢ = max(0, r·baseextrawork − overlap) if i = root mod P.
 *
 * rootwork [s]: Work of the root in a repetition, before it starts the operation.
 * baseextrawork [s]: Extra work of the others: how early the root comes.
 * overlap [s]: Work of every rank between the start and `MPI_Wait`.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void early_igather(double rootwork, double baseextrawork, double overlap, int root, int r, MPI_Comm c);

/*
 * The balanced twin of `early_igather`: the same calls and the same work in total, but no waiting.
 */
void early_igather_balanced(double rootwork, double baseextrawork, double overlap, int root, int r, MPI_Comm c);

/*
 * A root starts a reduction and works on, but not for so long as the other ranks are late.
 *
 * The root works `rootwork`, the others `rootwork` + `baseextrawork`; then each rank starts a reduction, works `overlap` and
 * waits. The root has to wait for the others. They leave their data and go on.
 *
 * root    ├─ work ┬─ overlap ─┬─ MPI_Wait ┤
 * others  ├─ work ┬─ extra ───┼───────────┬─ overlap ─┬─ MPI_Wait ┤
 *           MPI_Ireduce       └─── waits ─┘
 *
 * The root gains on the others by the overlap, once. No other wait state shows.
 *
 * A library that makes progress only inside of calls may let ranks go later. Then each repetition hides the overlap
 * anew, and ranks wait less.
 *
 * Shows early_nonblocking_reduce: W = Σ Wᵢ; Wᵢ = max(0, r·baseextrawork − overlap) if i = root mod P.
 *
 * rootwork [s]: Work of the root in a repetition, before it starts the operation.
 * baseextrawork [s]: Extra work of the others: how early the root comes.
 * overlap [s]: Work of every rank between the start and `MPI_Wait`.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void early_ireduce(double rootwork, double baseextrawork, double overlap, int root, int r, MPI_Comm c);

/*
 * The balanced twin of `early_ireduce`: the same calls and the same work in total, but no waiting.
 */
void early_ireduce_balanced(double rootwork, double baseextrawork, double overlap, int root, int r, MPI_Comm c);

/*
 * Ranks start a prefix reduction and work on, but not for so long as lower ranks are late to start it.
 *
 * Every rank works for its share of `distribution`, starts a prefix reduction, works `overlap` and waits for the least of
 * its own and all lower ranks' values.
 *
 * rank 0  ├─ high ┼───────────┼───────────┬─ overlap ─┬─ MPI_Wait ┤
 * rank 1  ├─ low ─┬─ overlap ─┬─ MPI_Wait ┤
 *             MPI_Iscan       └─── waits ─┘
 *
 * Rank 0 never waits, and ranks that have more to do than all lower ones do not either. A rank gains on the lower ones by
 * the overlap, once: from then on it waits in each repetition for the whole difference. No other wait state shows.
 *
 * A library that makes progress only inside of calls may let ranks go later. Then each repetition hides the overlap
 * anew, and ranks wait less.
 *
 * Shows early_nonblocking_scan: W = Σ Wᵢ; Wᵢ = max(0, r·(max(distribution[j], 0 ≤ j ≤ i) − distribution[i]) − overlap).
 *
 * df, dd [s]: Work of each rank in a repetition, before it starts the operation.
 * overlap [s]: Work of every rank between the start and `MPI_Wait`.
 * r: Number of repetitions.
 */
void early_iscan(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Comm c);

/*
 * The balanced twin of `early_iscan`: the same calls and the same work in total, but no waiting.
 */
void early_iscan_balanced(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Comm c);

/*
 * A root comes late to a reduction, but no rank waits, since the others leave their data and go on.
 *
 * The root works `basework` + `rootextrawork`, the others `basework`; then it reduces a value of each.
 *
 * root    ├─ work ─┬─ extra ─────┬ MPI_Reduce ┬─ work ─┬─ extra …
 * others  ├─ work ─┬ MPI_Reduce ┬─ work ─┬ MPI_Reduce ┤
 *
 * A tool that has all wait for the last in any collective operation is wrong. The others are left `r`·`rootextrawork` ahead. A library
 * may hold them back; keep the message small and repetitions few.
 *
 * Shows nothing.
 *
 * basework [s]: Work of every rank in a repetition.
 * rootextrawork [s]: Extra work of the root: its delay.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void early_nonroot_reduce(double basework, double rootextrawork, int root, int r, MPI_Comm c);

/*
 * Messages come after their receives were posted, but no rank waits, since the receivers have more to do.
 *
 * Odd ranks start to receive, work `basework` + `extrawork` and wait; even ranks work `basework` and send to the odd rank
 * above them. With an odd number of ranks the last one only works.
 *
 * even  ├─ base ─┬ MPI_Send ┬─ base ─┬ MPI_Send ┤
 * odd   ┬─ base ─┬─ extra ─────┬ MPI_Wait ┬─ base ─┬─ extra …
 *   MPI_Irecv
 *
 * A tool that counts a late sender from the start of the receive is wrong: the wait begins in `MPI_Wait`. Even ranks are left
 * `r`·`extrawork` ahead. Eager sends are probed at run time.
 *
 * Shows nothing.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of the receivers.
 * r: Number of repetitions.
 */
void early_receive_preposted(double basework, double extrawork, int r, MPI_Comm c);

/*
 * A root waits for the data of ranks that have more to do.
 *
 * The root works `rootwork`, the others `rootwork` + `baseextrawork`; then it reduces a value of each, and the root has to wait for them.
 * The others leave their data and go on.
 *
 * root    ├─ work ─┬─ MPI_Reduce ············┤
 * others  ├─ work ─┼─ extra ─┬─ MPI_Reduce ──┤
 *                  └─ waits ─┘
 *
 * One rank waits, so with the same numbers the severity is P−1 times smaller than that of a late broadcast. A library
 * that reduces by an allreduce makes all ranks wait.
 *
 * Shows early_reduce: W = Σ Wᵢ; Wᵢ = r·baseextrawork if i = root mod P.
 *
 * rootwork [s]: Work of the root in a repetition.
 * baseextrawork [s]: Extra work of the others: how early the root comes.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void early_reduce(double rootwork, double baseextrawork, int root, int r, MPI_Comm c);

/*
 * The balanced twin of `early_reduce`: the same calls and the same work in total, but no waiting.
 */
void early_reduce_balanced(double rootwork, double baseextrawork, int root, int r, MPI_Comm c);

/*
 * Ranks wait in a prefix reduction for those lower ranks that have more to do.
 *
 * Every rank works for its share of `distribution`, and then gets the least of its own and all lower ranks' values.
 *
 * rank 0  ├─ high ────────┬─ MPI_Scan ─┤
 * rank 1  ├─ low ─┬─ MPI_Scan ·········┤
 *                 └─waits─┘
 *
 * A rank never waits for a higher one: if work rises with the rank, none waits at all. Rank i is left `r`·(max w −
 * max w up to rank i) ahead of the last. No other wait state shows. A library may have all ranks wait for each other
 * here; that time is in the call, but not in the wait state.
 *
 * Shows early_scan: W = Σ Wᵢ; Wᵢ = r·(max(distribution[j], 0 ≤ j ≤ i) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void early_scan(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `early_scan`: the same calls and the same work in total, but no waiting.
 */
void early_scan_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * Ranks enter barriers again and again without anything in between.
 *
 * In each repetition every rank works `work` and then passes `k` barriers in a row, where one would do.
 *
 *       │ a repetition │
 * each  ├─ work ─┬┬┬┬┬┬┤   k times MPI_Barrier
 *
 * All ranks come at the same time, so none waits, and no wait state shows: the finding is the number of entries into
 * the barrier. On a real machine each one has a price all the same; if all of them together cost more than the
 * threshold of a report, a tool rightly reports that as waiting at barriers, too.
 *
 * Shows MPI_Barrier: N = P·r·k; P·r·min(k, 1) in the twin.
 * Shows MPI_Barrier: N = P·r·k; P·r·min(k, 1) in the twin.
 *
 * work [s]: Work of every rank in a repetition.
 * k: Barriers in a row.
 * r: Number of repetitions.
 */
void frequent_barrier(double work, int k, int r, MPI_Comm c);

/*
 * The balanced twin of `frequent_barrier`: the same calls and the same work in total, but no waiting.
 */
void frequent_barrier_balanced(double work, int k, int r, MPI_Comm c);

/*
 * Ranks combine single values one by one, where one call could combine them all.
 *
 * In each repetition every rank works `work` and then makes `k` calls of MPI_Allreduce in a row, with one default
 * block each.
 *
 *       │ a repetition │
 * each  ├─ work ─┬┬┬┬┬┬┤   k times MPI_Allreduce
 *
 * All ranks come at the same time, so none waits, and no wait state shows: the finding is the number of calls of the
 * operation. On a real machine each call has a price all the same; if all of them together cost more than the
 * threshold of a report, a tool rightly reports that as waiting in them, too.
 *
 * Shows MPI_Allreduce: N = P·r·k; P·r·min(k, 1) in the twin.
 * Shows MPI_Allreduce: N = P·r·k; P·r·min(k, 1) in the twin.
 *
 * work [s]: Work of every rank in a repetition.
 * k: Calls in a row.
 * r: Number of repetitions.
 */
void frequent_small_collectives(double work, int k, int r, MPI_Comm c);

/*
 * The balanced twin of `frequent_small_collectives`: the same calls and the same work in total, but no waiting.
 */
void frequent_small_collectives_balanced(double work, int k, int r, MPI_Comm c);

/*
 * A solver of the heat equation on a grid of ranks exchanges halos while it works, and no rank waits.
 *
 * Every rank has as many points; the ranks are a grid as square as their number allows. In each step a rank starts
 * to receive from its two to four neighbours (in one row, one or two), works `border` on the points at its border,
 * starts to send them, works `interior`, and completes all in one `MPI_Waitall`. After every ten steps the residual is
 * combined for all.
 *
 * all  ┬─ border ─┬─ interior ─────┬ MPI_Waitall ┬ … ┬ MPI_Allreduce ┤
 *  MPI_Irecv  MPI_Isend
 *
 * A tool that counts a late sender from the start of the receive is wrong, and so is one that takes each collective
 * operation for a wait. The properties `heat_solver_…` have one defect each. Eager sends are probed at run time. The
 * work has the time of the parameters; values are not computed. The checksum is that of every program: of the work and
 * of all delivered halos.
 *
 * Shows nothing.
 *
 * border [s]: Work of every rank at its border in a step.
 * interior [s]: Work of every rank inside in a step.
 * r: Number of repetitions, of ten steps each.
 */
void heat_solver(double border, double interior, int r, MPI_Comm c);

/*
 * A heat solver has a barrier before each allreduce, which waits for all itself.
 *
 * As `heat_solver`(super::heat_solver), but all ranks meet at a barrier before the residual is combined.
 *
 * all  ┬ ten steps ┬ MPI_Barrier ┬ MPI_Allreduce ┤
 *
 * All ranks come at the same time, so none waits, and no wait state shows: the finding is the number of barriers. The
 * twin has none. Eager sends are probed at run time.
 *
 * Shows MPI_Barrier: N = P·r; 0 in the twin.
 * Shows MPI_Barrier: N = P·r; 0 in the twin.
 *
 * border [s]: Work of every rank at its border in a step.
 * interior [s]: Work of every rank inside in a step.
 * r: Number of repetitions, of ten steps each.
 */
void heat_solver_barrier(double border, double interior, int r, MPI_Comm c);

/*
 * The balanced twin of `heat_solver_barrier`: the same calls and the same work in total, but no waiting.
 */
void heat_solver_barrier_balanced(double border, double interior, int r, MPI_Comm c);

/*
 * A heat solver asks for its halos before it works inside, though its work would hide that neighbours send later.
 *
 * As `heat_solver`(super::heat_solver), but `moving` of every rank's work is at the border or inside: at the border
 * on every other rank of the grid, as on the black fields of a chessboard, and in the next step on the white ones. All
 * ranks have the same work in each step. `MPI_Waitall` is before the work inside.
 *
 * black  ┬ border ┬─ moving ─┬ MPI_Waitall ┬ interior ┬ border ┬ MPI_Waitall ···········
 * white  ┬ border ┬ MPI_Waitall ┬ interior ┬─ moving ─┬ border ┬─ moving ─┬ MPI_Waitall ┬
 *                 └── waits ─┘
 *
 * Half of the ranks wait for `moving` in the first step, and for twice that in all others: they have come earlier,
 * too. The twin waits at the end of a step, where `heat_solver` does, and shows nothing. Black ranks, which are an
 * even number of steps from rank 0 (`diagonal`), wait 10·`moving` in a repetition; white ones 9·`moving`, and `moving` at `MPI_Allreduce`. No skew is left, and no other wait state
 * shows. Eager sends are probed at run time.
 *
 * Shows late_sender: W = r·moving·(10·ceil(P/2) + 9·floor(P/2)); Wᵢ = 10·r·moving if diagonal(P, i) even, else 9·r·moving.
 *
 * border [s]: Work of every rank at its border in a step.
 * interior [s]: Work of every rank inside in a step.
 * moving [s]: Work of every rank in a step that is at the border in one step and inside in the next.
 * r: Number of repetitions, of ten steps each.
 */
void heat_solver_no_overlap(double border, double interior, double moving, int r, MPI_Comm c);

/*
 * The balanced twin of `heat_solver_no_overlap`: the same calls and the same work in total, but no waiting.
 */
void heat_solver_no_overlap_balanced(double border, double interior, double moving, int r, MPI_Comm c);

/*
 * One rank of a heat solver writes for all, and comes late to its next step; its neighbours wait for it, and then
 * theirs.
 *
 * As `heat_solver`(super::heat_solver), but before each ten steps a line of every rank's points is gathered at rank
 * 0, which writes them; that takes `output` in the region `write`.
 *
 * rank 0     ┬ MPI_Gather ┬─ write ──────────────┬ border ┬ interior ┬
 * neighbour  ┬ MPI_Gather ┬ border ┬ interior ┬ MPI_Waitall ·┬
 *                                             └── waits ─────┘
 *
 * No rank waits in the gather, behind which the cause is: each d <= 10 steps from rank 0 waits max(0, `output` −
 * d·`interior`) for messages in step d of a repetition, and at `MPI_Allreduce`, after ten steps, for the rest of
 * `output`. The wait in step d < 10 is one for the wrong order if a neighbour further away is in its next step by
 * then, and has sent (`in_wrong_order`, the others are `in_order`): if `output` − (d−1)·`interior` > `border` + `interior`. A neighbour that has waited for rank 0 waits there for the
 * work inside that rank 0 had left then. No skew is left, and no other wait state shows. Eager sends are probed at run time.
 *
 * Shows late_sender: W = Σ Wᵢ; Wᵢ = r·in_order(delay(border, interior, output, P), i).
 * Shows late_sender_wrong_order_different_sources: W = Σ Wᵢ; Wᵢ = r·in_wrong_order(delay(border, interior, output, P), i).
 * Shows wait_at_nxn: W = Σ Wᵢ; Wᵢ = r·at_last(delay(border, interior, output, P), i).
 *
 * border [s]: Work of every rank at its border in a step.
 * interior [s]: Work of every rank inside in a step.
 * output [s]: Time that the output takes.
 * r: Number of repetitions, of ten steps each.
 */
void heat_solver_serial_output(double border, double interior, double output, int r, MPI_Comm c);

/*
 * The balanced twin of `heat_solver_serial_output`: the same calls and the same work in total, but no waiting.
 */
void heat_solver_serial_output_balanced(double border, double interior, double output, int r, MPI_Comm c);

/*
 * One rank of a heat solver has more to do in each step; its neighbours wait for it, and then theirs.
 *
 * As `heat_solver`(super::heat_solver), but rank `slow` (modulo the number of ranks) works `extrawork` longer
 * inside.
 *
 * slow       ┬ border ┬ interior ┬─ extra ─┬ border ┬ interior ┬─ extra ─┬
 * neighbour  ┬ border ┬ interior ┬ border ┬ interior ┬ MPI_Waitall ·┬
 *                                                    └── waits ─────┘
 *
 * The delay travels one neighbour a step, and each rank on its way hides `interior` of it behind its own work: after k
 * steps, a rank d steps from the slow one in the grid is D(d, k) = max(0, (k−d)·`extrawork` − d·`interior`) late. It
 * waits D(d, 10) for messages in a repetition, and at `MPI_Allreduce` for the rest of 10·`extrawork`: distant ranks
 * show no late sender, and the same loss. A wait in step k < 10 is one for the wrong order if a neighbour further away
 * is in its next step by then, and has sent (`in_wrong_order`, the others are `in_order`): if D(d−1, k−1) > `border` + `interior` + D(d+1, k). No skew is left, and
 * no other wait state shows. Eager sends are probed at run time.
 *
 * Shows late_sender: W = Σ Wᵢ; Wᵢ = r·in_order(delay(border, interior, extrawork, slow, P), i).
 * Shows late_sender_wrong_order_different_sources: W = Σ Wᵢ; Wᵢ = r·in_wrong_order(delay(border, interior, extrawork, slow, P), i).
 * Shows wait_at_nxn: W = Σ Wᵢ; Wᵢ = r·at_last(delay(border, interior, extrawork, slow, P), i).
 *
 * border [s]: Work of every rank at its border in a step.
 * interior [s]: Work of every rank inside in a step.
 * extrawork [s]: Extra work of the slow rank inside in a step.
 * slow: The slow rank.
 * r: Number of repetitions, of ten steps each.
 */
void heat_solver_slow_rank(double border, double interior, double extrawork, int slow, int r, MPI_Comm c);

/*
 * The balanced twin of `heat_solver_slow_rank`: the same calls and the same work in total, but no waiting.
 */
void heat_solver_slow_rank_balanced(double border, double interior, double extrawork, int slow, int r, MPI_Comm c);

/*
 * Ranks of a heat solver receive first from the side that sends last, while the halo of the other side lies ready.
 *
 * As `heat_solver`(super::heat_solver), but the ranks are one row, and the borders are a front that goes along it, up
 * in one step and down in the next: `stagger` times the number of ranks before a rank is its additional work at the
 * border, and `stagger` times the number of those behind it inside. All ranks have the same work in each step. Halos
 * are received one after the other before the work inside: from the upper neighbour first, and in the next step from
 * the lower.
 *
 * lower  ┬ border ┬ MPI_Isend …
 * rank   ┬ border ── stagger ─┬ MPI_Recv (of upper) ··┬ MPI_Recv (of lower) ┬ interior ┬
 * upper  ┬ border ──── 2 stagger ─────────┬ MPI_Isend …
 *                             └── waits ──┘
 *
 * Every rank loses 10·`stagger` in a repetition. Rank 0 and the last rank, which have one neighbour, wait for twice
 * `stagger` in every other step, in the right order: their neighbours are late senders. Rank 0 waits for `stagger` in
 * the first step, and at `MPI_Allreduce`. In a grid the halos of two neighbours would be sent at the same time, and
 * chance would order them. The twin has half of the staggered work at the border. No skew is left, and no other wait
 * state shows. Eager sends are probed at run time.
 *
 * Shows late_sender_wrong_order_different_sources: W = 10·r·(P − 2)·stagger; Wᵢ = 10·r·stagger if i > 0 and i + 1 < P.
 * Shows late_sender: W = 19·r·stagger; Wᵢ = 9·r·stagger if i = 0, else 10·r·stagger if i + 1 = P.
 *
 * border [s]: Work of every rank at its border in a step.
 * interior [s]: Work of every rank inside in a step.
 * stagger [s]: Work that a rank has more at the border, and less inside, than the one before it.
 * r: Number of repetitions, of ten steps each.
 */
void heat_solver_wrong_order(double border, double interior, double stagger, int r, MPI_Comm c);

/*
 * The balanced twin of `heat_solver_wrong_order`: the same calls and the same work in total, but no waiting.
 */
void heat_solver_wrong_order_balanced(double border, double interior, double stagger, int r, MPI_Comm c);

/*
 * Ranks wait where they make a communicator of a group because their work is distributed unevenly.
 *
 * Every rank works for its share of `distribution`, then all make a communicator of
 * the group of all, and free it.
 *
 * low   ├─ low ──┬─ MPI_Comm_create ·········┤ MPI_Comm_free ┤
 * high  ├─ high ─┼─────────┬─ MPI_Comm_create┤ MPI_Comm_free ┤
 *                └─ waits ─┘
 *
 * The call is one of all ranks of the communicator, and none has the new one before the last has come. No skew is
 * left, and no other wait state shows.
 *
 * Shows wait_at_communicator_management: W = Σ Wᵢ; Wᵢ = r·(max(distribution) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void imbalance_at_comm_create(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_comm_create`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_comm_create_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * Ranks wait where they duplicate a communicator because their work is distributed unevenly.
 *
 * Every rank works for its share of `distribution`, then all duplicate the
 * communicator, and free the duplicate.
 *
 * low   ├─ low ──┬─ MPI_Comm_dup ·········┤ MPI_Comm_free ┤
 * high  ├─ high ─┼─────────┬─ MPI_Comm_dup┤ MPI_Comm_free ┤
 *                └─ waits ─┘
 *
 * A duplicate needs a number that is free on every rank, so none has it before the last has come. It is freed by every
 * rank for itself: an application that does without that runs out of communicators. No skew is left, and no other wait
 * state shows.
 *
 * Shows wait_at_communicator_management: W = Σ Wᵢ; Wᵢ = r·(max(distribution) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void imbalance_at_comm_dup(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_comm_dup`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_comm_dup_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * Ranks wait where they split a communicator because their work is distributed unevenly.
 *
 * Every rank works for its share of `distribution`, then all split the communicator
 * into even and odd ranks, and free their part.
 *
 * low   ├─ low ──┬─ MPI_Comm_split ·········┤ MPI_Comm_free ┤
 * high  ├─ high ─┼─────────┬─ MPI_Comm_split┤ MPI_Comm_free ┤
 *                └─ waits ─┘
 *
 * A rank learns from the colours of all who is in its part, so none has it before the last has come, in whichever part
 * that is. No skew is left, and no other wait state shows.
 *
 * Shows wait_at_communicator_management: W = Σ Wᵢ; Wᵢ = r·(max(distribution) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void imbalance_at_comm_split(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_comm_split`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_comm_split_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * Ranks start an allreduce and work on, but not for so long as the last to start it is late.
 *
 * Every rank works for its share of `distribution`, starts an allreduce, works `overlap` and waits for the result, which
 * needs the value of the last to start.
 *
 * low   ├─ low ─┬─ overlap ─┬─ MPI_Wait ┤
 * high  ├─ high ┼───────────┼───────────┬─ overlap ─┬─ MPI_Wait ┤
 *        MPI_Iallreduce     └─── waits ─┘
 *
 * A rank with less work gains on the last one by the overlap, once: from then on it waits in each repetition for the
 * whole difference. No other wait state shows.
 *
 * A library that makes progress only inside of calls may let ranks go later. Then each repetition hides the overlap
 * anew, and ranks wait less.
 *
 * Shows wait_at_nonblocking_nxn: W = Σ Wᵢ; Wᵢ = max(0, r·(max(distribution) − distribution[i]) − overlap).
 *
 * df, dd [s]: Work of each rank in a repetition, before it starts the operation.
 * overlap [s]: Work of every rank between the start and `MPI_Wait`.
 * r: Number of repetitions.
 */
void imbalance_at_iallreduce(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_iallreduce`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_iallreduce_balanced(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Comm c);

/*
 * Ranks start to exchange blocks with all others and work on, but not for so long as the last to start is late.
 *
 * Every rank works for its share of `distribution`, starts an exchange of a block with every other rank, works `overlap`
 * and waits for the blocks, one of them from the last to start.
 *
 * low   ├─ low ─┬─ overlap ─┬─ MPI_Wait ┤
 * high  ├─ high ┼───────────┼───────────┬─ overlap ─┬─ MPI_Wait ┤
 *        MPI_Ialltoall      └─── waits ─┘
 *
 * A rank with less work gains on the last one by the overlap, once: from then on it waits in each repetition for the
 * whole difference. No other wait state shows.
 *
 * A library that makes progress only inside of calls may let ranks go later. Then each repetition hides the overlap
 * anew, and ranks wait less.
 *
 * Shows wait_at_nonblocking_nxn: W = Σ Wᵢ; Wᵢ = max(0, r·(max(distribution) − distribution[i]) − overlap).
 *
 * df, dd [s]: Work of each rank in a repetition, before it starts the operation.
 * overlap [s]: Work of every rank between the start and `MPI_Wait`.
 * r: Number of repetitions.
 */
void imbalance_at_ialltoall(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_ialltoall`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_ialltoall_balanced(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Comm c);

/*
 * Ranks start a barrier and work on, but not for so long as the last to start it is late.
 *
 * Every rank works for its share of `distribution`, starts a barrier, works `overlap` and waits for the barrier to end.
 *
 * low   ├─ low ─┬─ overlap ─┬─ MPI_Wait ┤
 * high  ├─ high ┼───────────┼───────────┬─ overlap ─┬─ MPI_Wait ┤
 *          MPI_Ibarrier     └─── waits ─┘
 *
 * A rank with less work gains on the last one by the overlap, once: from then on it waits in each repetition for the
 * whole difference. No other wait state shows.
 *
 * A library that makes progress only inside of calls may let ranks go later. Then each repetition hides the overlap
 * anew, and ranks wait less.
 *
 * Shows wait_at_nonblocking_barrier: W = Σ Wᵢ; Wᵢ = max(0, r·(max(distribution) − distribution[i]) − overlap).
 *
 * df, dd [s]: Work of each rank in a repetition, before it starts the operation.
 * overlap [s]: Work of every rank between the start and `MPI_Wait`.
 * r: Number of repetitions.
 */
void imbalance_at_ibarrier_wait(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_ibarrier_wait`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_ibarrier_wait_balanced(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Comm c);

/*
 * Ranks wait in an allgather because their work is distributed unevenly.
 *
 * Every rank works for its share of `distribution`, and then collects a block of every rank, which needs that of the
 * last to come.
 *
 * low   ├─ low ──┬─ MPI_Allgather ·········┤
 * high  ├─ high ─┼─────────┬─ MPI_Allgather┤
 *                └─ waits ─┘
 *
 * No skew is left, and no other wait state shows.
 *
 * Shows wait_at_nxn: W = Σ Wᵢ; Wᵢ = r·(max(distribution) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void imbalance_at_mpi_allgather(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_mpi_allgather`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_mpi_allgather_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * Ranks wait in an allgatherv because their work is distributed unevenly.
 *
 * Every rank works for its share of `distribution`, and then collects a part of every rank: one default block of even
 * ranks, two of odd ones.
 *
 * low   ├─ low ──┬─ MPI_Allgatherv ·········┤
 * high  ├─ high ─┼─────────┬─ MPI_Allgatherv┤
 *                └─ waits ─┘
 *
 * Every rank needs the part of the last to come, so none leaves before it. No skew is left, and no other wait state
 * shows.
 *
 * Shows wait_at_nxn: W = Σ Wᵢ; Wᵢ = r·(max(distribution) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void imbalance_at_mpi_allgatherv(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_mpi_allgatherv`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_mpi_allgatherv_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * Ranks wait in an allreduce because their work is distributed unevenly.
 *
 * Every rank works for its share of `distribution`, and then the values of all are combined for all, which needs that
 * of the last to come.
 *
 * low   ├─ low ──┬─ MPI_Allreduce ·········┤
 * high  ├─ high ─┼─────────┬─ MPI_Allreduce┤
 *                └─ waits ─┘
 *
 * No skew is left, and no other wait state shows.
 *
 * Shows wait_at_nxn: W = Σ Wᵢ; Wᵢ = r·(max(distribution) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void imbalance_at_mpi_allreduce(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_mpi_allreduce`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_mpi_allreduce_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * Ranks wait in an all-to-all because their work is distributed unevenly.
 *
 * Every rank works for its share of `distribution` and exchanges a block with every other, which needs data of the
 * last to come.
 *
 * low   ├─ low ──┬─ MPI_Alltoall ·········┤
 * high  ├─ high ─┼─────────┬─ MPI_Alltoall┤
 *                └─ waits ─┘
 *
 * Keep the blocks small: a transfer that takes long by itself adds time that grows with the number of ranks. No skew
 * is left, and no other wait state shows.
 *
 * Shows wait_at_nxn: W = Σ Wᵢ; Wᵢ = r·(max(distribution) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void imbalance_at_mpi_alltoall(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_mpi_alltoall`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_mpi_alltoall_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * Ranks wait in an exchange of unequal parts because their work is distributed unevenly.
 *
 * Every rank works for its share of `distribution` and exchanges parts of unequal size with every other: one default
 * block for even ranks, two for odd ones.
 *
 * low   ├─ low ──┬─ MPI_Alltoallv ·········┤
 * high  ├─ high ─┼─────────┬─ MPI_Alltoallv┤
 *                └─ waits ─┘
 *
 * Every rank sends to all, so none can leave before the last has come. No tool of the field has a wait state for it:
 * the time is in the call. No skew is left, and no other wait state shows.
 *
 * Shows wait_at_irregular_nxn: W = Σ Wᵢ; Wᵢ = r·(max(distribution) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void imbalance_at_mpi_alltoallv(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_mpi_alltoallv`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_mpi_alltoallv_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * Ranks wait in an exchange of unequal parts because their work is distributed unevenly.
 *
 * Every rank works for its share of `distribution` and exchanges parts of unequal size with every other: one default
 * block for even ranks, two for odd ones.
 *
 * low   ├─ low ──┬─ MPI_Alltoallw ·········┤
 * high  ├─ high ─┼─────────┬─ MPI_Alltoallw┤
 *                └─ waits ─┘
 *
 * Every rank sends to all, so none can leave before the last has come. No tool of the field has a wait state for it:
 * the time is in the call. No skew is left, and no other wait state shows.
 *
 * Shows wait_at_irregular_nxn: W = Σ Wᵢ; Wᵢ = r·(max(distribution) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void imbalance_at_mpi_alltoallw(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_mpi_alltoallw`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_mpi_alltoallw_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * Ranks wait at a barrier because their work is distributed unevenly.
 *
 * Every rank works for its share of `distribution` and enters the barrier, which none leaves before the last has
 * come.
 *
 * low   ├─ low ──┬─ MPI_Barrier ·········┤
 * high  ├─ high ─┼─────────┬─ MPI_Barrier┤
 *                └─ waits ─┘
 *
 * The barrier evens everything out: no skew is left, and no other wait state shows.
 *
 * Shows wait_at_barrier: W = Σ Wᵢ; Wᵢ = r·(max(distribution) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void imbalance_at_mpi_barrier(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_mpi_barrier`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_mpi_barrier_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * Ranks wait in a reduce-scatter because their work is distributed unevenly.
 *
 * Every rank works for its share of `distribution`, and then the values of all are combined, and every rank gets a
 * part of the result: even ranks one default block, odd ones two.
 *
 * low   ├─ low ──┬─ MPI_Reduce_scatter ·········┤
 * high  ├─ high ─┼─────────┬─ MPI_Reduce_scatter┤
 *                └─ waits ─┘
 *
 * Every part of the result needs the values of the last to come. No skew is left, and no other wait state shows.
 *
 * Shows wait_at_nxn: W = Σ Wᵢ; Wᵢ = r·(max(distribution) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void imbalance_at_mpi_reduce_scatter(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_mpi_reduce_scatter`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_mpi_reduce_scatter_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * Ranks wait in a reduce-scatter of equal blocks because their work is distributed unevenly.
 *
 * Every rank works for its share of `distribution`, and then the values of all are combined, and every rank gets a
 * default block of the result.
 *
 * low   ├─ low ──┬─ MPI_Reduce_scatter_block ·········┤
 * high  ├─ high ─┼─────────┬─ MPI_Reduce_scatter_block┤
 *                └─ waits ─┘
 *
 * Every block of the result needs the values of the last to come. No skew is left, and no other wait state shows.
 *
 * Shows wait_at_nxn: W = Σ Wᵢ; Wᵢ = r·(max(distribution) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void imbalance_at_mpi_reduce_scatter_block(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_mpi_reduce_scatter_block`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_mpi_reduce_scatter_block_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * Ranks wait for their neighbours on a ring or a torus because their work is distributed unevenly.
 *
 * All make a communicator whose ranks are a ring, or a torus of two dimensions. In each repetition every rank works for
 * its share of `distribution`, exchanges messages with its neighbours, and needs those of all of them.
 *
 * low   ├─ low ──┬─ MPI_Neighbor_alltoall ·········┤
 * high  ├─ high ─┼─────────┬─ MPI_Neighbor_alltoall┤
 *                └─ waits ─┘
 *
 * The wait travels: a rank that has waited is late for its other neighbours in the next repetition. A rank is done at
 * D(k) = max over itself and its neighbours of D(k−1) + w, and `travelled` sums what that is later than its own work. On a
 * ring of P >= 3 ranks, of which one has δ more than the others, W = δ·Σ min(2k, P−1) over the repetitions k. Ranks
 * are left as far apart as D(r) are. No other wait state shows.
 *
 * The calls of a recording have no records of their own. They are analyzed if it has noted neighbours, as `ats record`
 * does.
 *
 * Shows wait_at_neighbors: W = Σ Wᵢ; Wᵢ at MPI_Neighbor_alltoall = travelled(distribution, torus, r, P, i) if not nonblocking; Wᵢ at MPI_Wait = travelled(distribution, torus, r, P, i) if nonblocking.
 *
 * df, dd [s]: Work of each rank in a repetition.
 * torus: A torus of two dimensions, as square as it can be; otherwise a ring.
 * graph: Made of lists of neighbours (`MPI_Dist_graph_create_adjacent`); otherwise as a grid (`MPI_Cart_create`).
 * nonblocking: `MPI_Ineighbor_alltoall` and `MPI_Wait`, otherwise the blocking call.
 * r: Number of repetitions.
 */
void imbalance_at_neighbor_alltoall(distr_func_t df, distr_t* dd, int torus, int graph, int nonblocking, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_neighbor_alltoall`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_neighbor_alltoall_balanced(distr_func_t df, distr_t* dd, int torus, int graph, int nonblocking, int r, MPI_Comm c);

/*
 * Ranks wait for their neighbours in a cyclic shift because their work is distributed unevenly.
 *
 * Every rank works for its share of `distribution`, and then sends to one neighbour and receives from the other,
 * around the ring.
 *
 * low   ├─ low ──┬─ MPI_Sendrecv ·········┤
 * high  ├─ high ─┼─────────┬─ MPI_Sendrecv┤
 *                └─ waits ─┘
 *
 * The wait travels: in the next repetition a rank that has waited is late for the next neighbour. Sent at times A(k)
 * = D(k−1) + w, the messages are there at D(k) = max(A(k), A(k) of the neighbour), and `travelled` sums D − A: for a
 * rank with δ more than the others δ·r(r+1)/2, up to `r` = P−1, and δ·(P−1) in each further repetition; for `cyclic2` and an
 * even number of ranks r·(P/2)·δ. Ranks are left as far apart as D(r) are. No other wait state shows. Needs eager
 * sends, which is probed at run time: with large messages a rank would have to wait for both neighbours.
 *
 * Shows late_sender: W = Σ Wᵢ; Wᵢ = travelled(distribution, up, r, P, i).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * up: Send to the next higher rank, not to the next lower one.
 * r: Number of repetitions.
 */
void imbalance_at_shift(distr_func_t df, distr_t* dd, int up, int r, MPI_Comm c);

/*
 * The balanced twin of `imbalance_at_shift`: the same calls and the same work in total, but no waiting.
 */
void imbalance_at_shift_balanced(distr_func_t df, distr_t* dd, int up, int r, MPI_Comm c);

/*
 * Clients wait for the answers of a server that has too much to do.
 *
 * Each of N = P−1 clients sends a request to rank 0, waits for the answer and thinks; rank 0 receives from the client
 * that comes first, works `service` and answers with an empty message. A barrier first keeps the requests apart from
 * those of an earlier run.
 *
 * rank 0    ┬ MPI_Recv ┬─ service ──┬ MPI_Send ┬ MPI_Recv ┬─ service ──┬ MPI_Send
 * client 1  ┬ MPI_Send ┬─ MPI_Recv ·┬─ think ──┬ MPI_Send ┬─ MPI_Recv ···········
 * client 2  ┬ MPI_Send ┬─ MPI_Recv ····························┬─ think ─────────┬
 *                      └─ waits ───────────────────────────────┘
 *
 * A client waits for its own service too. With less to do the server waits itself, for (r−1)·max(0, `think` −
 * (N−1)·`service`) in total. The wait of each client depends on the order of arrival: only the total is known, and
 * only if all begin together. Clients are left a `think` and services apart. No other wait state shows. Needs eager
 * sends, which is probed at run time.
 *
 * Shows late_sender: W = queue + (r − 1)·max(0, think − (n − 1)·service) with n = P − 1, queue = service·n·(n + 1)/2 + (r − 1)·n·(service + max(0, (n − 1)·service − think)).
 *
 * service [s]: Work of the server for a request.
 * think [s]: Work of a client between an answer and its next request.
 * r: Requests of each client.
 */
void intensive_server(double service, double think, int r, MPI_Comm c);

/*
 * The balanced twin of `intensive_server`: the same calls and the same work in total, but no waiting.
 */
void intensive_server_balanced(double service, double think, int r, MPI_Comm c);

/*
 * All ranks wait for what one rank produces alone, and have less to do with it than that one.
 *
 * Rank 0 works `production` and then sends to each of the others, which receive and work `consumption`.
 *
 * rank 0  ├─ production ──────┬ MPI_Send ┬─ production ──────┬ MPI_Send
 * others  ├─ MPI_Recv ········┬─ consumption ─┬─ MPI_Recv ···┬─ consumption
 *         └─ waits ───────────┘               └─ waits ──────┘
 *
 * As a late broadcast, but for the calls. The others are left `consumption` behind rank 0; where that is longer, messages lie
 * ready after the first, and they are left r·`consumption` − (r−1)·`production` behind. No other wait state shows. Needs
 * eager sends, which is probed at run time.
 *
 * Shows late_sender: W = (P − 1)·(production + (r − 1)·max(0, production − consumption)); Wᵢ = production + (r − 1)·max(0, production − consumption) if i > 0.
 *
 * production [s]: Work of rank 0 in a repetition.
 * consumption [s]: Work of each of the others in a repetition.
 * r: Number of repetitions.
 */
void lack_of_parallelism_p2p(double production, double consumption, int r, MPI_Comm c);

/*
 * The balanced twin of `lack_of_parallelism_p2p`: the same calls and the same work in total, but no waiting.
 */
void lack_of_parallelism_p2p_balanced(double production, double consumption, int r, MPI_Comm c);

/*
 * Ranks wait for the data of a root that has more to do.
 *
 * The root works `basework` + `rootextrawork`, the others `basework`; then it broadcasts a message, and the others
 * have to wait for the root. The root does not wait.
 *
 * root    ├─ base ─┬─ extra ─┬─ MPI_Bcast ─┤
 * others  ├─ base ─┼─ MPI_Bcast ···········┤
 *                  └─ waits ─┘
 *
 * The root counts in the communicator, not in the job. No other wait state shows.
 *
 * Shows late_broadcast: W = (P − 1)·r·rootextrawork; Wᵢ = r·rootextrawork if i ≠ root mod P.
 *
 * basework [s]: Work of every rank in a repetition.
 * rootextrawork [s]: Extra work of the root: its delay.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void late_broadcast(double basework, double rootextrawork, int root, int r, MPI_Comm c);

/*
 * The balanced twin of `late_broadcast`: the same calls and the same work in total, but no waiting.
 */
void late_broadcast_balanced(double basework, double rootextrawork, int root, int r, MPI_Comm c);

/*
 * Ranks start to receive a broadcast and work on, but not for so long as its root is late.
 *
 * The root works `basework` + `rootextrawork`, the others `basework`; then each rank starts the broadcast, works `overlap` and
 * waits. The others have to wait for the root. The root does not wait.
 *
 * root    ├─ base ┬─ extra ───────────────┬─ overlap ─┬─ MPI_Wait ┤
 * others  ├─ base ┬─ overlap ─┬─ MPI_Wait ┤
 *           MPI_Ibcast        ├── waits ──┘
 *
 * The others gain on the root by the overlap, once. No other wait state shows.
 *
 * A library that makes progress only inside of calls may let ranks go later. Then each repetition hides the overlap
 * anew, and ranks wait less.
 *
 * Shows late_nonblocking_broadcast: W = (P − 1)·max(0, r·rootextrawork − overlap); Wᵢ = max(0, r·rootextrawork − overlap) if i ≠ root mod P.
 *
 * basework [s]: Work of every rank in a repetition, before it starts the operation.
 * rootextrawork [s]: Extra work of the root: its delay.
 * overlap [s]: Work of every rank between the start and `MPI_Wait`.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void late_ibcast(double basework, double rootextrawork, double overlap, int root, int r, MPI_Comm c);

/*
 * The balanced twin of `late_ibcast`: the same calls and the same work in total, but no waiting.
 */
void late_ibcast_balanced(double basework, double rootextrawork, double overlap, int root, int r, MPI_Comm c);

/*
 * Ranks start to receive their block and work on, but not for so long as its root is late.
 *
 * The root works `basework` + `rootextrawork`, the others `basework`; then each rank starts the scatter, works `overlap` and
 * waits. The others have to wait for the root. The root does not wait.
 *
 * root    ├─ base ┬─ extra ───────────────┬─ overlap ─┬─ MPI_Wait ┤
 * others  ├─ base ┬─ overlap ─┬─ MPI_Wait ┤
 *           MPI_Iscatter      ├── waits ──┘
 *
 * Only the root has the send buffer. The others gain on the root by the overlap, once. No other wait state shows.
 *
 * A library that makes progress only inside of calls may let ranks go later. Then each repetition hides the overlap
 * anew, and ranks wait less.
 *
 * Shows late_nonblocking_broadcast: W = (P − 1)·max(0, r·rootextrawork − overlap); Wᵢ = max(0, r·rootextrawork − overlap) if i ≠ root mod P.
 *
 * basework [s]: Work of every rank in a repetition, before it starts the operation.
 * rootextrawork [s]: Extra work of the root: its delay.
 * overlap [s]: Work of every rank between the start and `MPI_Wait`.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void late_iscatter(double basework, double rootextrawork, double overlap, int root, int r, MPI_Comm c);

/*
 * The balanced twin of `late_iscatter`: the same calls and the same work in total, but no waiting.
 */
void late_iscatter_balanced(double basework, double rootextrawork, double overlap, int root, int r, MPI_Comm c);

/*
 * Ranks come late to a broadcast, but no rank waits, since the root leaves its message and goes on.
 *
 * The root works `basework`, the others `basework` + `extrawork`; then it broadcasts a message.
 *
 * root    ├─ base ─┬ MPI_Bcast ┬─ base ─┬ MPI_Bcast ┤
 * others  ├─ base ─┬─ extra ─────┬ MPI_Bcast ┬─ base ─┬─ extra …
 *
 * A tool that has all wait for the last in any collective operation is wrong. The root is left `r`·`extrawork` ahead. A library
 * may hold it back; keep the message small and repetitions few.
 *
 * Shows nothing.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of all but the root: their delay.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void late_nonroot_broadcast(double basework, double extrawork, int root, int r, MPI_Comm c);

/*
 * Senders wait because their receivers have more to do.
 *
 * Even ranks work `basework` and send to the odd rank above them; odd ranks work `basework` + `extrawork` before they
 * receive. With an odd number of ranks the last one only works, and ends `r`·`extrawork` before the others.
 *
 * even  ├─ base ─┬─ MPI_Ssend ···········┤
 * odd   ├─ base ─┼─ extra ─┬─ MPI_Recv ──┤
 *                └─ waits ─┘
 *
 * Sends are synchronous: an eager send would return at once, the sender would run ahead, and its wait would show at
 * the next synchronisation instead.
 *
 * Shows late_receiver: W = floor(P/2)·r·extrawork; Wᵢ = r·extrawork if i even and i + 1 < P.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of the receivers: their delay.
 * r: Number of repetitions.
 */
void late_receiver(double basework, double extrawork, int r, MPI_Comm c);

/*
 * The balanced twin of `late_receiver`: the same calls and the same work in total, but no waiting.
 */
void late_receiver_balanced(double basework, double extrawork, int r, MPI_Comm c);

/*
 * Receivers have more to do than their senders, but no rank waits, since messages are eager.
 *
 * As `late_receiver`, but for the mode: even ranks work `basework` and send to the odd rank above them; odd ranks work
 * `basework` + `extrawork` before they receive. With an odd number of ranks the last one only works.
 *
 * even  ├─ base ─┬ MPI_Send ┬─ base ─┬ MPI_Send ┤
 * odd   ├─ base ─┬─ extra ─────┬ MPI_Recv ┬─ base ─┬─ extra …
 *
 * A tool that takes receives posted later than their sends for late receivers is wrong. Even ranks are left
 * `r`·`extrawork` ahead, and wait that long when they have to wait for all. Eager sends are probed at run time.
 *
 * Shows nothing.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of the receivers: their delay.
 * r: Number of repetitions.
 */
void late_receiver_eager(double basework, double extrawork, int r, MPI_Comm c);

/*
 * Senders have started to send and work on, but not for so long as their receivers are late.
 *
 * Even ranks work `basework`, start to send synchronously to the odd rank above them, work `overlap` and wait; odd ranks
 * work `basework` + `extrawork` and receive. With an odd number of ranks the last one only works, and ends
 * `r`·(`extrawork` − `overlap`) before the others.
 *
 * even  ├─ base ─┬─ overlap ┬─ MPI_Wait ···········┤
 * odd   ├─ base ─┼─ extra ─────────────┬─ MPI_Recv ─┤
 *           MPI_Issend        └─ waits ─┘
 *
 * The wait begins in `MPI_Wait`, not at `MPI_Issend`. No other wait state shows. With more overlap than extra work no
 * sender waits for a receiver; the senders fall behind then, and receivers wait for them from the second repetition
 * on, floor(P/2)·max(0, (r−1)·overlap − r·extrawork) in total.
 *
 * Shows late_receiver: W = floor(P/2)·r·max(0, extrawork − overlap); Wᵢ = r·max(0, extrawork − overlap) if i even and i + 1 < P.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of the receivers: their delay.
 * overlap [s]: Work of the senders between `MPI_Issend` and `MPI_Wait`.
 * r: Number of repetitions.
 */
void late_receiver_isend_wait(double basework, double extrawork, double overlap, int r, MPI_Comm c);

/*
 * The balanced twin of `late_receiver_isend_wait`: the same calls and the same work in total, but no waiting.
 */
void late_receiver_isend_wait_balanced(double basework, double extrawork, double overlap, int r, MPI_Comm c);

/*
 * Senders of a prepared message wait because their receivers have more to do.
 *
 * Even ranks prepare a synchronous send to the odd rank above them, odd ranks the receive. In each repetition even
 * ranks work `basework` and odd ranks `basework` + `extrawork`; then both start their request and wait for it. With an
 * odd number of ranks the last one only works, and ends `r`·`extrawork` before the others.
 *
 * even  ├─ base ─┬ MPI_Start ┬─ MPI_Wait ··········┤
 * odd   ├─ base ─┬─ extra ─┬ MPI_Start ┬ MPI_Wait ┤
 *                             └─ waits ─┘
 *
 * The wait is in `MPI_Wait`, for the `MPI_Start` of the receiver: `MPI_Recv_init` only prepares the receive. Sends are
 * synchronous (`MPI_Ssend_init`): an eager one would be complete at once. Shows no other wait state.
 *
 * Shows late_receiver: W = floor(P/2)·r·extrawork; Wᵢ = r·extrawork if i even and i + 1 < P.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of the receivers: their delay.
 * r: Number of repetitions.
 */
void late_receiver_persistent(double basework, double extrawork, int r, MPI_Comm c);

/*
 * The balanced twin of `late_receiver_persistent`: the same calls and the same work in total, but no waiting.
 */
void late_receiver_persistent_balanced(double basework, double extrawork, int r, MPI_Comm c);

/*
 * A rank waits in one call for the receives of all others; the last one decides.
 *
 * Rank 0 works `basework`, starts a synchronous send to each of the others, and waits for all in one `MPI_Waitall`; the
 * others work for their shares of `distribution` and receive. A barrier ends the repetition.
 *
 * rank 0  ├─ base ─┬─ MPI_Waitall ···············┬─ MPI_Barrier ─┤
 * rank 1  ├─ low ────┬ MPI_Recv ┬─ MPI_Barrier ··················┤
 * rank 2  ├─ high ──────────────────┬ MPI_Recv ──┬─ MPI_Barrier ─┤
 *                  └─── waits ──────┘
 *
 * The wait is one, for the last receive. With w of work of a rank and M the most of all but rank 0, the barrier shows
 * r·(max(`basework`, M) − max(`basework`, w)) there, and rank j a late sender of r·max(0, `basework` − w): none if no
 * rank works less than rank 0. No skew is left.
 *
 * Shows late_receiver: W = Σ Wᵢ; Wᵢ = r·max(0, max(distribution[j], 1 ≤ j < P) − basework) if i = 0.
 *
 * df, dd [s]: Work of each rank but 0 in a repetition.
 * basework [s]: Work of rank 0 in a repetition.
 * r: Number of repetitions.
 */
void late_receiver_waitall(distr_func_t df, distr_t* dd, double basework, int r, MPI_Comm c);

/*
 * The balanced twin of `late_receiver_waitall`: the same calls and the same work in total, but no waiting.
 */
void late_receiver_waitall_balanced(distr_func_t df, distr_t* dd, double basework, int r, MPI_Comm c);

/*
 * Ranks wait for a root that has more to do before it can take their data.
 *
 * The root works `basework` + `rootextrawork`, the others `basework`; then it gathers `bytes` from each.
 *
 * others  ├─ base ─┬─ MPI_Gatherv ··········┤
 * root    ├─ base ─┼─ extra ─┬─ MPI_Gatherv ┤
 *                  └─ waits ─┘
 *
 * That holds for more bytes than are sent eagerly; else no rank waits, and the others are left `r`·`rootextrawork`
 * ahead. Scalasca does not have this wait state: its reports have the time in `mpi_collective`. No other wait state
 * shows.
 *
 * In `MPI_Gatherv` each rank sends to the root itself, since no other rank knows the amounts. Libraries make a tree
 * of an `MPI_Gather`, in which a rank with a free parent leaves its data there and goes on: Open MPI at 8 ranks and
 * 256 KiB, MPICH always.
 *
 * Shows wait_for_root: W = (P − 1)·r·rootextrawork if bytes > eager_limit; Wᵢ = r·rootextrawork if bytes > eager_limit and i ≠ root mod P.
 *
 * basework [s]: Work of every rank in a repetition.
 * rootextrawork [s]: Extra work of the root: its delay.
 * bytes [B]: Data that each rank sends.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void late_reduce_root(double basework, double rootextrawork, int64_t bytes, int root, int r, MPI_Comm c);

/*
 * The balanced twin of `late_reduce_root`: the same calls and the same work in total, but no waiting.
 */
void late_reduce_root_balanced(double basework, double rootextrawork, int64_t bytes, int root, int r, MPI_Comm c);

/*
 * Ranks wait for the data of a root that has more to do.
 *
 * The root works `basework` + `rootextrawork`, the others `basework`; then it scatters a block to each, and the
 * others have to wait for the root. The root does not wait.
 *
 * root    ├─ base ─┬─ extra ─┬─ MPI_Scatter ─┤
 * others  ├─ base ─┼─ MPI_Scatter ···········┤
 *                  └─ waits ─┘
 *
 * Only the root has the send buffer. No other wait state shows.
 *
 * Shows late_broadcast: W = (P − 1)·r·rootextrawork; Wᵢ = r·rootextrawork if i ≠ root mod P.
 *
 * basework [s]: Work of every rank in a repetition.
 * rootextrawork [s]: Extra work of the root: its delay.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void late_scatter(double basework, double rootextrawork, int root, int r, MPI_Comm c);

/*
 * The balanced twin of `late_scatter`: the same calls and the same work in total, but no waiting.
 */
void late_scatter_balanced(double basework, double rootextrawork, int root, int r, MPI_Comm c);

/*
 * Ranks wait for the data of a root that has more to do.
 *
 * The root works `basework` + `rootextrawork`, the others `basework`; then it scatters a part to each, and the others
 * have to wait for the root. The root does not wait.
 *
 * root    ├─ base ─┬─ extra ─┬─ MPI_Scatterv ─┤
 * others  ├─ base ─┼─ MPI_Scatterv ···········┤
 *                  └─ waits ─┘
 *
 * All parts have the default size; a rank whose part were empty would show no wait state in Scalasca. No other wait
 * state shows.
 *
 * Shows late_broadcast: W = (P − 1)·r·rootextrawork; Wᵢ = r·rootextrawork if i ≠ root mod P.
 *
 * basework [s]: Work of every rank in a repetition.
 * rootextrawork [s]: Extra work of the root: its delay.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void late_scatterv(double basework, double rootextrawork, int root, int r, MPI_Comm c);

/*
 * The balanced twin of `late_scatterv`: the same calls and the same work in total, but no waiting.
 */
void late_scatterv_balanced(double basework, double rootextrawork, int root, int r, MPI_Comm c);

/*
 * Receivers wait because their senders have more to do.
 *
 * Even ranks work `basework` + `extrawork` and send to the odd rank above them; odd ranks work `basework`, post their
 * receive and wait in it. With an odd number of ranks the last one only works.
 *
 * even  ├─ base ─┬─ extra ─┬─ MPI_Ssend ─┤
 * odd   ├─ base ─┼─ MPI_Recv ············┤
 *                └─ waits ─┘
 *
 * Sends are synchronous: the sender never runs ahead, and every repetition starts even. Shows no other wait state.
 * POP's metrics class it as load imbalance, not as serialisation.
 *
 * Shows late_sender: W = floor(P/2)·r·extrawork; Wᵢ = r·extrawork if i odd.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of the senders: their delay.
 * r: Number of repetitions.
 */
void late_sender(double basework, double extrawork, int r, MPI_Comm c);

/*
 * The balanced twin of `late_sender`: the same calls and the same work in total, but no waiting.
 */
void late_sender_balanced(double basework, double extrawork, int r, MPI_Comm c);

/*
 * Receivers have started to receive and work on, but not for so long as their senders are late.
 *
 * Even ranks work `basework` + `extrawork` and send synchronously to the odd rank above them; odd ranks work `basework`,
 * start to receive, work `overlap` and wait. With an odd number of ranks the last one only works.
 *
 * even  ├─ base ─┬─ extra ─────────────┬─ MPI_Ssend ─┤
 * odd   ├─ base ─┼─ overlap ┬─ MPI_Wait ············┤
 *             MPI_Irecv       └─ waits ─┘
 *
 * The wait begins in `MPI_Wait`, not at `MPI_Irecv`. Every repetition starts even, and no other wait state shows.
 * With more overlap than extra work no receiver waits for a sender; the receivers fall behind then, and senders wait
 * for them from the second repetition on, floor(P/2)·max(0, (r−1)·overlap − r·extrawork) in total. Without
 * asynchronous progress a library may hold the synchronous send until the receiver enters `MPI_Wait`.
 *
 * Shows late_sender: W = floor(P/2)·r·max(0, extrawork − overlap); Wᵢ = r·max(0, extrawork − overlap) if i odd.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of the senders: their delay.
 * overlap [s]: Work of the receivers between `MPI_Irecv` and `MPI_Wait`.
 * use_isend: Send with `MPI_Issend` and `MPI_Wait`, not with `MPI_Ssend`.
 * r: Number of repetitions.
 */
void late_sender_nonblocking(double basework, double extrawork, double overlap, int use_isend, int r, MPI_Comm c);

/*
 * The balanced twin of `late_sender_nonblocking`: the same calls and the same work in total, but no waiting.
 */
void late_sender_nonblocking_balanced(double basework, double extrawork, double overlap, int use_isend, int r, MPI_Comm c);

/*
 * Receivers wait for a prepared message because their senders have more to do.
 *
 * Even ranks prepare a synchronous send to the odd rank above them, odd ranks the receive. In each repetition even
 * ranks work `basework` + `extrawork` and odd ranks `basework`; then both start their request and wait for it. With an
 * odd number of ranks the last one only works.
 *
 * even  ├─ base ─┬─ extra ─┬ MPI_Start ┬ MPI_Wait ┤
 * odd   ├─ base ─┬ MPI_Start ┬─ MPI_Wait ··········┤
 *                             └─ waits ─┘
 *
 * The wait is in `MPI_Wait`, and the receive was posted by `MPI_Start`: `MPI_Recv_init` only prepares it. Every
 * repetition starts even. Shows no other wait state.
 *
 * Shows late_sender: W = floor(P/2)·r·extrawork; Wᵢ = r·extrawork if i odd.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of the senders: their delay.
 * r: Number of repetitions.
 */
void late_sender_persistent(double basework, double extrawork, int r, MPI_Comm c);

/*
 * The balanced twin of `late_sender_persistent`: the same calls and the same work in total, but no waiting.
 */
void late_sender_persistent_balanced(double basework, double extrawork, int r, MPI_Comm c);

/*
 * Receivers probe for the message of a sender that has more to do.
 *
 * Even ranks work `basework` + `extrawork` and send synchronously to the odd rank above them; odd ranks work `basework`,
 * wait in a probe, and receive the message that it has found. With an odd number of ranks the last one only works.
 *
 * even  ├─ base ─┬─ extra ─┬─ MPI_Ssend ────────┤
 * odd   ├─ base ─┼─ MPI_Probe ······┬─ MPI_Recv ┤
 *                └─ waits ─┘
 *
 * The wait is in the probe; the receive finds its message there. A tool that knows waits in receives alone finds none. Every
 * repetition starts even, and no other wait state shows.
 *
 * Shows late_sender_in_probe: W = floor(P/2)·r·extrawork; Wᵢ at MPI_Probe = r·extrawork if i odd and not matched; Wᵢ at MPI_Mprobe = r·extrawork if i odd and matched.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of the senders: their delay.
 * matched: Receive with `MPI_Mprobe` and `MPI_Mrecv`, not with `MPI_Probe` and `MPI_Recv`.
 * r: Number of repetitions.
 */
void late_sender_probe(double basework, double extrawork, int matched, int r, MPI_Comm c);

/*
 * The balanced twin of `late_sender_probe`: the same calls and the same work in total, but no waiting.
 */
void late_sender_probe_balanced(double basework, double extrawork, int matched, int r, MPI_Comm c);

/*
 * All ranks wait because one is late, though each waits for another.
 *
 * Every rank works `basework`, rank 0 `extrawork` longer; then each receives from the rank below and sends to the
 * rank above.
 *
 * rank 0  ├─ base ─┬─ extra ─┬─ MPI_Ssend ─┤
 * rank 1  ├─ base ─┬─ MPI_Recv ············┬─ MPI_Ssend ─┤
 * rank 2  ├─ base ─┬─ MPI_Recv ··························┤
 *                  └─ waits ─┘
 *
 * All blame belongs to rank 0: rank 1 waits for it directly, the others for ranks that have no more to do than they. Passing
 * on takes no time, so all wait alike, every repetition starts even, and no other wait state shows.
 *
 * Shows late_sender: W = r·(P − 1)·extrawork; Wᵢ = r·extrawork if i > 0.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of rank 0: its delay.
 * r: Number of repetitions.
 */
void late_sender_propagation(double basework, double extrawork, int r, MPI_Comm c);

/*
 * The balanced twin of `late_sender_propagation`: the same calls and the same work in total, but no waiting.
 */
void late_sender_propagation_balanced(double basework, double extrawork, int r, MPI_Comm c);

/*
 * Receivers test for the message of a sender that has more to do.
 *
 * Even ranks work `basework` + `extrawork` and send synchronously to the odd rank above them; odd ranks work `basework`,
 * start to receive, and call `MPI_Test` until the message is there. With an odd number of ranks the last one only works.
 *
 * even  ├─ base ─┬─ extra ──┬─ MPI_Ssend ─┤
 * odd   ├─ base ─┼ Test Test ··· Test ────┤
 *       MPI_Irecv└─ waits ──┘
 *
 * The wait is spread over all tests, and the number of tests depends on their speed. It begins with the first of them. A
 * tool that knows waits in receives alone finds none. Every repetition starts even, to one test, and no other wait state
 * shows.
 *
 * Shows late_sender_in_test: W = floor(P/2)·r·extrawork; Wᵢ = r·extrawork if i odd.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of the senders: their delay.
 * r: Number of repetitions.
 */
void late_sender_test_polling(double basework, double extrawork, int r, MPI_Comm c);

/*
 * The balanced twin of `late_sender_test_polling`: the same calls and the same work in total, but no waiting.
 */
void late_sender_test_polling_balanced(double basework, double extrawork, int r, MPI_Comm c);

/*
 * A rank waits in one call for the messages of all others; the last one decides.
 *
 * The others work for their shares of `distribution` and send to rank 0; rank 0 works `basework`, starts a receive for
 * each of them, and waits for all in one `MPI_Waitall`. A barrier ends the repetition.
 *
 * rank 0  ├─ base ─┬─ MPI_Waitall ··············┬─ MPI_Barrier ┤
 * rank 1  ├─ low ────┬ MPI_Send ┬─ MPI_Barrier ················┤
 * rank 2  ├─ high ──────────────────┬ MPI_Send ┬─ MPI_Barrier ─┤
 *                  └─── waits ──────┘
 *
 * The wait is one, for the last message; a tool that adds up the messages reports up to P−1 times as much. With w of work of
 * a rank and M the most of all but rank 0, the barrier shows r·(max(M, `basework`) − w) there. Without it fast senders would
 * run ahead, and the waits for the slow ones were soon in the wrong order. No other wait state shows, and no skew is left.
 * Needs eager sends, which is probed at run time: synchronous ones would wait for a rank 0 that works longer.
 *
 * Shows late_sender: W = Σ Wᵢ; Wᵢ = r·max(0, max(distribution[j], 1 ≤ j < P) − basework) if i = 0.
 *
 * df, dd [s]: Work of each rank but 0 in a repetition.
 * basework [s]: Work of rank 0 in a repetition.
 * r: Number of repetitions.
 */
void late_sender_waitall(distr_func_t df, distr_t* dd, double basework, int r, MPI_Comm c);

/*
 * The balanced twin of `late_sender_waitall`: the same calls and the same work in total, but no waiting.
 */
void late_sender_waitall_balanced(distr_func_t df, distr_t* dd, double basework, int r, MPI_Comm c);

/*
 * All ranks of a machine are bound to one of its cores, while the others idle.
 *
 * In each repetition all ranks meet at a barrier. Then each does `n` integer operations in the region `compute`, bound to
 * the first core that it may use. In the twin each is bound to a core of its own, as far as there are cores.
 *
 * first core    ├─ compute, by turns of all ranks ─────────────┤
 * second core   ├─ idle ───────────────────────────────────────┤
 *
 * The finding is the time in the region over the processor's time there, as the kernel has it for each thread. It is the number
 * of ranks: each gets the core for so small a part of the time. A machine shows it if it has two cores or more, and is
 * unsupported if it has one.
 *
 * Shows compute: T(compute)/T(task_clock) = P; 1 in the twin.
 *
 * n: Operations of a rank in a repetition.
 * r: Number of repetitions.
 */
void mapping_problem(int n, int r, MPI_Comm c);

/*
 * The balanced twin of `mapping_problem`: the same calls and the same work in total, but no waiting.
 */
void mapping_problem_balanced(int n, int r, MPI_Comm c);

/*
 * Ranks wait in an allreduce because their work is distributed unevenly, each time otherwise.
 *
 * In repetition k rank i works for the share of `distribution` that rank (i + k·`speed`) modulo P has, and then the values of
 * all are combined for all.
 *
 * rank 0  ├─ high ─────────┬ MPI_Allreduce┬─ low ──┬─ MPI_Allreduce ·········┤
 * rank 1  ├─ low ──┬─ MPI_Allreduce ······┬─ high ──────────┬─ MPI_Allreduce ┤
 *                  └─ waits ─┘                     └─ waits ─┘
 *
 * Over P repetitions all work alike, so that sums over time look balanced, however long they wait. No skew is left, and no
 * other wait state shows.
 *
 * Shows wait_at_nxn: W = Σ Wᵢ; Wᵢ = Σ(max(distribution) − distribution[(i + k·speed) mod P], 0 ≤ k < r).
 *
 * df, dd [s]: Work of each rank in the first repetition.
 * speed: By how many ranks the imbalance moves from one repetition to the next.
 * r: Number of repetitions.
 */
void moving_imbalance(distr_func_t df, distr_t* dd, int speed, int r, MPI_Comm c);

/*
 * The balanced twin of `moving_imbalance`: the same calls and the same work in total, but no waiting.
 */
void moving_imbalance_balanced(distr_func_t df, distr_t* dd, int speed, int r, MPI_Comm c);

/*
 * All ranks wait for messages that one rank makes and sends one after the other.
 *
 * Rank 0 sends to each of the others in turn, with `work` before each message; the others only receive.
 *
 * rank 0  ├─ work ──────┬ MPI_Ssend ┬─ work ──────┬ MPI_Ssend ┤
 * rank 1  ├─ MPI_Recv ··┤
 * rank 2  ├─ MPI_Recv ····························┤
 *         └─ waits ───────────────────────────────┘
 *
 * The cause is at rank 0, which does not wait. Rank j is left (P−1−j)·`work` ahead of the last. No other wait state
 * shows.
 *
 * Shows late_sender: W = work·(P·(P − 1)/2 + (r − 1)·(P − 1)·(P − 1)); Wᵢ = work·(i + (r − 1)·(P − 1)) if i > 0.
 *
 * work [s]: Work of rank 0 before each message.
 * r: Number of repetitions.
 */
void multiple_output(double work, int r, MPI_Comm c);

/*
 * The balanced twin of `multiple_output`: the same calls and the same work in total, but no waiting.
 */
void multiple_output_balanced(double work, int r, MPI_Comm c);

/*
 * Senders wait because their messages are a byte too large to be sent eagerly.
 *
 * Even ranks work `basework` and send `bytes` to the odd rank above them; odd ranks work `basework` + `extrawork` before they
 * receive. With an odd number of ranks the last one only works, and ends `r`·`extrawork` before the others. The twin does
 * the same with as many bytes as are eager, so that no sender waits: senders end `r`·`extrawork` before their receivers.
 *
 * even  ├─ base ─┬─ MPI_Send ···········┤   twin  ├─ base ─┬ MPI_Send ┬─ base ─┬ MPI_Send ┤
 * odd   ├─ base ─┼─ extra ─┬─ MPI_Recv ─┤         ├─ base ─┬─ extra ─┬─ MPI_Recv ─┬─ base …
 *                └─ waits ─┘
 *
 * The limit is the model's in virtual time, and the library's as the ranks of a real run probe it before they are
 * measured: the largest message whose send returns while its receiver works. It depends on the library, and on what connects
 * its processes, and may be below what the library calls eager: Open MPI needs the receiver's help within a node from 257
 * bytes on. As counted, the messages of both differ by a byte each.
 *
 * Shows late_receiver: W = floor(P/2)·r·extrawork if bytes > eager_limit; Wᵢ = r·extrawork if bytes > eager_limit and i even and i + 1 < P.
 * Shows MPI_Send: N = floor(P/2)·r·bytes; floor(P/2)·r·min(bytes, eager_limit) in the twin.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of the receivers: their delay.
 * bytes [B]: Size of a message.
 * r: Number of repetitions.
 */
void near_eager_threshold_traffic(double basework, double extrawork, int64_t bytes, int r, MPI_Comm c);

/*
 * The balanced twin of `near_eager_threshold_traffic`: the same calls and the same work in total, but no waiting.
 */
void near_eager_threshold_traffic_balanced(double basework, double extrawork, int64_t bytes, int r, MPI_Comm c);

/*
 * Ranks start an allreduce and work on, but its data is transferred only when they wait for it.
 *
 * In the region `apart`, every rank works `overlap` and reduces `bytes` in a blocking call. In the region `overlapped`
 * it starts to reduce as much, works `overlap` and waits for the result. `bytes` are rounded down to a multiple of 8.
 *
 * all  ├─ overlap ─┼─ MPI_Allreduce ─┼─ overlap ─┬─ MPI_Wait ─┤
 *      └────────── apart ────────────┴─────── overlapped ─────┘
 *                              MPI_Iallreduce
 *
 * All ranks come at the same time, so none waits for another, and no wait state shows: the finding is the time of one
 * region over that of the other. It is 1 if a library makes progress only inside of calls, as in virtual time here,
 * unless `--network progress=always` is given; if it makes progress by itself, the longer one of work and operation
 * hides the shorter one. A real run measures its library, and any ratio is right: it is above 1 if the library is
 * faster in the blocking operation.
 *
 * In virtual time an operation takes t = ceil(log2 P)·`bytes` at 100 MB/s, unless `--network` has another bandwidth.
 * The twin works before it starts the operation, in both regions.
 *
 * Shows overlapped: T(overlapped)/T(apart) = 1.
 *
 * overlap [s]: Work of every rank before the blocking operation, and again between start and `MPI_Wait` of the other.
 * bytes [B]: Size of the data of a rank.
 * r: Number of repetitions.
 */
void no_overlap_nonblocking_collective(double overlap, int64_t bytes, int r, MPI_Comm c);

/*
 * The balanced twin of `no_overlap_nonblocking_collective`: the same calls and the same work in total, but no waiting.
 */
void no_overlap_nonblocking_collective_balanced(double overlap, int64_t bytes, int r, MPI_Comm c);

/*
 * Each rank is disturbed now and then, and in every allreduce all wait for the disturbed ones.
 *
 * In each repetition every rank works `work`, and `noise` more with a probability of `share`; then the values of all
 * are combined for all. Rank i is hit in repetition k if the k-th number of Xoshiro256++ from `seed` + i, as a share
 * of all there are, is less.
 *
 * hit     ├─ work ─┬─ noise ─┬ MPI_Allreduce ┤
 * others  ├─ work ─┬─ MPI_Allreduce ·········┤
 *                  └─ waits ─┘
 *
 * The noise is the same share of the work however many ranks there are; but the more there are, the more often is one of
 * them hit: noise is amplified P·R/Σ nᵢ times, where rank i is hit nᵢ times and R repetitions have a hit. Rank i has `missed` R − nᵢ of
 * them. No skew is left, and no
 * other wait state shows.
 *
 * Shows wait_at_nxn: W = Σ Wᵢ; Wᵢ = noise·missed(share, seed, r, P, i).
 *
 * work [s]: Work of every rank in a repetition.
 * noise [s]: Extra work of a rank that is hit.
 * share: Probability of a hit.
 * seed: Seed of the random numbers; each rank adds its number.
 * r: Number of repetitions.
 */
void noise_amplification(double work, double noise, double share, int64_t seed, int r, MPI_Comm c);

/*
 * The balanced twin of `noise_amplification`: the same calls and the same work in total, but no waiting.
 */
void noise_amplification_balanced(double work, double noise, double share, int64_t seed, int r, MPI_Comm c);

/*
 * Only some of the ranks share the work, and the others wait: more ranks make it no faster.
 *
 * In each repetition the first `k` ranks, or all if they are fewer, share `parallel`; a barrier ends it.
 *
 * k ranks  ├─ parallel/k ─┬ MPI_Barrier ┤
 * others   ├─ MPI_Barrier ··············┤
 *          └─ waits ──────┘
 *
 * Up to `k` ranks the speed-up is that of a perfect program, and stays there. No skew is left, and no other wait state
 * shows.
 *
 * Shows wait_at_barrier: W = r·max(0, P − max(1, k))·parallel/max(1, k); Wᵢ = r·parallel/max(1, k) if i ≥ max(1, k).
 *
 * parallel [s]: Work that the ranks share in a repetition.
 * k: The number of ranks that share it, at least one.
 * r: Number of repetitions.
 */
void partial(double parallel, int k, int r, MPI_Comm c);

/*
 * The balanced twin of `partial`: the same calls and the same work in total, but no waiting.
 */
void partial_balanced(double parallel, int k, int r, MPI_Comm c);

/*
 * Receivers wait for messages in partitions, of which the last is ready late.
 *
 * Even ranks prepare a send of `k` partitions to the odd rank above them, odd ranks the receive. In each repetition even
 * ranks start the send, work for each partition its share of `distribution` and then say that it is ready; odd ranks
 * work `basework` and start to receive. Then both wait for the message. With an odd number of ranks the last one only
 * works.
 *
 * even  ├┬─ w 0 ─┬─ w 1 ─┬── w 2 ──┬┬ MPI_Wait ┤
 *        MPI_Start    MPI_Pready 0, 1, 2
 * odd   ├─ base ─┬─────── MPI_Wait ·┤
 *            MPI_Start └─── waits ──┘
 *
 * The message counts as sent when its last partition is ready: by the last `MPI_Pready`, neither by `MPI_Start` nor by an
 * earlier partition. No other wait state shows, unless a library lets a sender wait for a receiver that comes later than
 * all partitions. Each partition has as many elements as a message of other properties. A library before MPI 4 lacks the
 * functions, so it cannot show the property.
 *
 * Shows late_sender: W = Σ Wᵢ; Wᵢ = r·max(0, Σ(w[p], 0 ≤ p < partitions) − basework) if i odd with partitions = max(1, k), w = distribution over partitions.
 *
 * df, dd [s]: Work of a sender before each partition is ready.
 * k: Number of partitions of a message; at least one.
 * basework [s]: Work of a receiver in a repetition.
 * r: Number of repetitions.
 */
void partitioned_late_ready(distr_func_t df, distr_t* dd, int k, double basework, int r, MPI_Comm c);

/*
 * The balanced twin of `partitioned_late_ready`: the same calls and the same work in total, but no waiting.
 */
void partitioned_late_ready_balanced(distr_func_t df, distr_t* dd, int k, double basework, int r, MPI_Comm c);

/*
 * All ranks exchange messages with a neighbour while they work, and no rank waits.
 *
 * Every rank starts to receive from the rank below, works `basework`, starts to send to the rank above, around the
 * ring, works `overlap`, and completes both in one `MPI_Waitall`.
 *
 * all  ┬─ base ─┬─ overlap ───────┬ MPI_Waitall ┬
 *  MPI_Irecv MPI_Isend
 *
 * A tool that counts a late sender from the start of the receive is wrong: messages are sent `basework` after it, but
 * `overlap` before any rank waits. Every repetition starts even. Eager sends are probed at run time.
 *
 * Shows nothing.
 *
 * basework [s]: Work of every rank between the start of its receive and that of its send.
 * overlap [s]: Work of every rank between the start of its send and `MPI_Waitall`.
 * r: Number of repetitions.
 */
void perfect_overlap(double basework, double overlap, int r, MPI_Comm c);

/*
 * Every so often one rank has much more to do, and all wait for it in an allreduce.
 *
 * In each repetition every rank works `basework`, and the values of all are combined for all. In every `period`-th
 * repetition rank `outlier` works `extrawork` before that, too.
 *
 * outlier  ├─ base ─┬─ MPI_Allreduce ┬─ base ─┬─ extra ─┬ MPI_Allreduce ┤
 * others   ├─ base ─┬─ MPI_Allreduce ┬─ base ─┬─ MPI_Allreduce ·········┤
 *                                             └─ waits ─┘
 *
 * An average over the repetitions hides it, a view of single ones shows it. No skew is left, and no other wait state shows.
 *
 * Shows wait_at_nxn: W = (P − 1)·extrawork·floor(r/period) if period > 0; Wᵢ = extrawork·floor(r/period) if period > 0 and i ≠ outlier mod P.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of the outlier, when it has some.
 * outlier: Rank of the outlier, modulo the number of ranks.
 * period: Period of the extra work: it is in the repetitions that this divides; 0 for none.
 * r: Number of repetitions.
 */
void periodic_outlier(double basework, double extrawork, int outlier, int period, int r, MPI_Comm c);

/*
 * The balanced twin of `periodic_outlier`: the same calls and the same work in total, but no waiting.
 */
void periodic_outlier_balanced(double basework, double extrawork, int outlier, int period, int r, MPI_Comm c);

/*
 * Ranks start a prepared allreduce and work on, but not for so long as the last to start it is late.
 *
 * Every rank prepares an allreduce. In each repetition it works for its share of `distribution`, starts the operation,
 * works `overlap` and waits for the result, which needs the value of the last to start.
 *
 * low   ├─ low ─┬─ overlap ─┬─ MPI_Wait ┤
 * high  ├─ high ┼───────────┼───────────┬─ overlap ─┬─ MPI_Wait ┤
 *            MPI_Start      └─── waits ─┘
 *
 * A rank with less work gains on the last one by the overlap, once: from then on it waits in each repetition for the
 * whole difference. No other wait state shows.
 *
 * A library that makes progress only inside of calls may let ranks go later. Then each repetition hides the overlap
 * anew, and ranks wait less. A library without `MPI_Allreduce_init`, which came with MPI 4, cannot show it.
 *
 * Shows wait_at_nonblocking_nxn: W = Σ Wᵢ; Wᵢ = max(0, r·(max(distribution) − distribution[i]) − overlap).
 *
 * df, dd [s]: Work of each rank in a repetition, before it starts the operation.
 * overlap [s]: Work of every rank between the start and `MPI_Wait`.
 * r: Number of repetitions.
 */
void persistent_collective_wait(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Comm c);

/*
 * The balanced twin of `persistent_collective_wait`: the same calls and the same work in total, but no waiting.
 */
void persistent_collective_wait_balanced(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Comm c);

/*
 * Each of two ranks works while the other waits for its message.
 *
 * Even ranks work `work`, send to the odd rank above them and receive from it; odd ranks receive, work as long and send. With an
 * odd number of ranks the last one only works, and ends `r`·`work` before the others.
 *
 * even  ├─ work ─────┬ MPI_Ssend ┬─ MPI_Recv ·┬─ work ─────┬ MPI_Ssend …
 * odd   ├─ MPI_Recv ·┬─ work ─────────────────┬ MPI_Ssend ┬─ MPI_Recv ·┬ …
 *       └─ waits ────┘
 *
 * All have the same work, so the load is balanced; POP's serialisation efficiency is one half. Every repetition
 * starts even, and no other wait state shows. Without work there are no waits, except for the messages to travel.
 *
 * Shows late_sender: W = 2·floor(P/2)·r·work; Wᵢ = r·work if i odd or i + 1 < P.
 *
 * work [s]: Work before each message.
 * r: Number of repetitions.
 */
void ping_pong(double work, int r, MPI_Comm c);

/*
 * The balanced twin of `ping_pong`: the same calls and the same work in total, but no waiting.
 */
void ping_pong_balanced(double work, int r, MPI_Comm c);

/*
 * All ranks wait at a barrier for one that is drawn by lot, each time anew.
 *
 * In each repetition one rank works `work`, and all go to a barrier. The next number of Xoshiro256++ from `seed`,
 * modulo P, decides which rank works: rank i is `drawn` so often.
 *
 * one     ├─ work ──────┬─ MPI_Barrier ┤
 * others  ├─ MPI_Barrier ··············┤
 *         └─ waits ─────┘
 *
 * In the long run all work and wait alike, so that sums over time look balanced. No skew is left, and no other wait
 * state shows.
 *
 * Shows wait_at_barrier: W = r·(P − 1)·work; Wᵢ = work·(r − drawn(seed, r, P, i)).
 *
 * work [s]: Work of the rank that is drawn.
 * seed: Seed of the random numbers.
 * r: Number of repetitions.
 */
void random_barrier(double work, int64_t seed, int r, MPI_Comm c);

/*
 * The balanced twin of `random_barrier`: the same calls and the same work in total, but no waiting.
 */
void random_barrier_balanced(double work, int64_t seed, int r, MPI_Comm c);

/*
 * Ranks wait at a barrier for nothing: the allreduce behind it waits for all itself.
 *
 * Every rank works for its share of `distribution`, goes to a barrier, and then the values of all are combined for
 * all.
 *
 * low   ├─ low ──┬─ MPI_Barrier ········┬─ MPI_Allreduce ─┤
 * high  ├─ high ─┼─────────┬ MPI_Barrier┬─ MPI_Allreduce ─┤
 *                └─ waits ─┘
 *
 * The wait moves from the allreduce to the barrier, and does not get less: without the barrier the program is
 * `imbalance_at_mpi_allreduce`, which waits as long. No rank waits in the allreduce, no skew is left, and no other
 * wait state shows.
 *
 * Shows wait_at_barrier: W = Σ Wᵢ; Wᵢ = r·(max(distribution) − distribution[i]).
 *
 * df, dd [s]: Work of each rank in a repetition.
 * r: Number of repetitions.
 */
void redundant_barrier(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `redundant_barrier`: the same calls and the same work in total, but no waiting.
 */
void redundant_barrier_balanced(distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * Receivers wait for data that their senders have started to send, since those work on and make no call.
 *
 * Even ranks start to send `bytes` to the odd rank above them, work `work` and wait for the send; odd ranks receive at once.
 * With an odd number of ranks the last one only works.
 *
 * even  ├─ work ─────────────┬─ MPI_Wait ┤
 * odd   ├─ MPI_Recv ·········┬───────────┤
 *   MPI_Isend    └── waits ──┘
 *
 * A message larger than the eager limit is announced first; its data follows once the receiver has answered. A library that
 * acts on the answer only inside of calls does so in `MPI_Wait`. One that makes progress by itself, or whose receiver copies
 * the data out of the sender's memory, does not show it. In virtual time progress is made in calls here, unless `--network
 * progress=always` is given. No other wait state shows: the send is early. If the message is eager, or there is
 * progress, receivers wait for late senders instead from the second repetition on.
 *
 * Shows late_progress: W = floor(P/2)·r·work if bytes > eager_limit; Wᵢ = r·work if i odd and bytes > eager_limit.
 *
 * work [s]: Work of the senders in a repetition, after they have started to send.
 * bytes [B]: Size of a message: more than is sent eagerly.
 * r: Number of repetitions.
 */
void rendezvous_without_progress(double work, int64_t bytes, int r, MPI_Comm c);

/*
 * The balanced twin of `rendezvous_without_progress`: the same calls and the same work in total, but no waiting.
 */
void rendezvous_without_progress_balanced(double work, int64_t bytes, int r, MPI_Comm c);

/*
 * Every rank does the same work instead of a share of it, and more than one process would: no rank waits.
 *
 * In each repetition every rank works `common` in the region `replicated_work`, and `additional` if there are
 * other ranks: work that only a parallel program has. Then it works its share of `parallel`, and a barrier ends the
 * repetition.
 *
 * all  ├─ replicated_work ─┬─ parallel/P ─┬ MPI_Barrier ┤
 *
 * A run with P ranks takes r·(`common` + `additional` + `parallel`/P), without `additional` for P = 1: all of it
 * looks well in a single run, and only the comparison with one rank shows the loss. The twin takes r·(`common` +
 * `parallel`)/P, as it does no work again, and none in the region. No wait state shows, and no skew is left.
 *
 * Shows replicated_work: T = P·r·(common + additional) if P > 1, else r·common; 0 in the twin.
 *
 * common [s]: Work that every rank does in a repetition.
 * additional [s]: Work that every rank does in a repetition if there are several.
 * parallel [s]: Work that all ranks share in a repetition.
 * r: Number of repetitions.
 */
void replicated(double common, double additional, double parallel, int r, MPI_Comm c);

/*
 * The balanced twin of `replicated`: the same calls and the same work in total, but no waiting.
 */
void replicated_balanced(double common, double additional, double parallel, int r, MPI_Comm c);

/*
 * A rank waits for every message in turn, in the order in which they are sent.
 *
 * As `wrong_order`, but rank 0 receives the reports from rank 1 up: it waits `basework` for each. Rank 0 waits
 * exactly as long in total; only the order differs, so a tool that finds wrong order here is wrong.
 *
 * rank 0  ├─ MPI_Recv (from 1) ─┬─ MPI_Recv (from 2) ─┤
 * rank 1  ├─ work ──┬ MPI_Send ─┤                     │
 * rank 2  ├─ MPI_Recv ──────────┬─ work ──┬ MPI_Send ─┤
 *
 * Rank i is left (P−1−i)·`basework` ahead of the last. Needs eager sends, which is probed at run time.
 *
 * Shows late_sender: W = r·(P − 1)·basework + (P − 1)·(P − 2)·(r − 1/2)·basework; Wᵢ at MPI_Recv = r·(P − 1)·basework if i = 0; Wᵢ at mpi_commpattern_chain/MPI_Recv = (i − 1)·basework + (r − 1)·(P − 2)·basework if i > 0.
 *
 * basework [s]: Work of every rank but the first between receiving the token and passing it on.
 * r: Number of repetitions.
 */
void right_order(double basework, int r, MPI_Comm c);

/*
 * The balanced twin of `right_order`: the same calls and the same work in total, but no waiting.
 */
void right_order_balanced(double basework, int r, MPI_Comm c);

/*
 * Ranks come to a prefix reduction one after the other, but none waits, since none needs the values of higher ranks.
 *
 * Rank 0 works `basework`, the last rank `extrawork` longer, those between them in proportion; then every rank gets
 * the least of its own and all lower ranks' values.
 *
 * rank 0  ├─ base ─┬ MPI_Scan ┬─ base ─┬ MPI_Scan ┤
 * rank 1  ├─ base ─┬─ extra ─────┬ MPI_Scan ┬─ base ─┬─ extra …
 *
 * A tool that has all wait for the last in any collective operation is wrong. Rank i is left `r`·`extrawork`·(1 − i/(P−1))
 * ahead of the last. A library may have all ranks wait for each other here.
 *
 * Shows nothing.
 *
 * basework [s]: Work of rank 0 in a repetition.
 * extrawork [s]: Extra work of the last rank.
 * r: Number of repetitions.
 */
void scan_rising(double basework, double extrawork, int r, MPI_Comm c);

/*
 * The others wait for the broadcast of a root, and then the root for them.
 *
 * Rank 0 works `work` and broadcasts; the others work as long when they have its message. A barrier ends the repetition.
 *
 * rank 0  ├─ work ──────┬ MPI_Bcast ┬─ MPI_Barrier ···┤
 * others  ├─ MPI_Bcast ·┬─ work ──────┬ MPI_Barrier ──┤
 *         └─ wait ──────┘
 *
 * All have the same work, so the load is balanced; POP's serialisation efficiency is one half. No skew is left, and no other
 * wait state shows.
 *
 * Shows late_broadcast: W = r·(P − 1)·work; Wᵢ = r·work if i > 0.
 * Shows wait_at_barrier: W = Σ Wᵢ; Wᵢ = r·work if i = 0.
 *
 * work [s]: Work of every rank in a repetition.
 * r: Number of repetitions.
 */
void serialized_broadcast(double work, int r, MPI_Comm c);

/*
 * The balanced twin of `serialized_broadcast`: the same calls and the same work in total, but no waiting.
 */
void serialized_broadcast_balanced(double work, int r, MPI_Comm c);

/*
 * Only one rank works at a time, since each needs the result of the one below.
 *
 * Each rank receives from the rank below, works `work` and sends to the rank above, once.
 *
 * rank 0  ├─ work ─────┬─ MPI_Ssend ┤
 * rank 1  ├─ MPI_Recv ·┬─ work ─────┬─ MPI_Ssend ┤
 * rank 2  ├─ MPI_Recv ··············┬─ work ─────┤
 *         └─ waits ─────────────────┘
 *
 * All have the same work, so the load is balanced; POP's serialisation efficiency is 1/P. Rank i is left (P−1−i)·`work` ahead of
 * the last, and waits as long again where it has to wait for all. No other wait state shows.
 *
 * Shows late_sender: W = work·P·(P − 1)/2; Wᵢ = i·work.
 *
 * work [s]: Work of every rank.
 */
void serialized_chain(double work, MPI_Comm c);

/*
 * The balanced twin of `serialized_chain`: the same calls and the same work in total, but no waiting.
 */
void serialized_chain_balanced(double work, MPI_Comm c);

/*
 * All wait while one rank writes what it has collected from them.
 *
 * In each repetition every rank works `work`, and the results are gathered at rank 0. It writes them, which takes
 * `output` in the region `write`, and then all meet at a barrier.
 *
 * rank 0  ├─ work ─┬ MPI_Gather ┬─ write ─────┬ MPI_Barrier ┤
 * others  ├─ work ─┬ MPI_Gather ┬─ MPI_Barrier ·············┤
 *                               └─ waits ─────┘
 *
 * The output is the cause, and it is on the rank that does not wait. No rank waits in the gather, no skew is left,
 * and no other wait state shows.
 *
 * Shows wait_at_barrier: W = r·(P − 1)·output; Wᵢ = r·output if i > 0.
 *
 * work [s]: Work of every rank in a repetition.
 * output [s]: Time that the output takes.
 * r: Number of repetitions.
 */
void serialized_output(double work, double output, int r, MPI_Comm c);

/*
 * The balanced twin of `serialized_output`: the same calls and the same work in total, but no waiting.
 */
void serialized_output_balanced(double work, double output, int r, MPI_Comm c);

/*
 * Ranks wait in an allreduce for those that have more to do, in each repetition longer.
 *
 * In repetition k, counted from 1, every rank works `basework` and its share of `distribution` times 2·k/(r+1); then
 * the values of all are combined for all. The scale factor of the work is a function of the repetition (report,
 * section 3.1.5), and 1 on average.
 *
 * low   ├─ base ─┬ MPI_Allreduce ··┬─ base ─┬ MPI_Allreduce ········┤
 * high  ├─ base ─┬─ share ─┬ MPI_A.┬─ base ─┬─ share ───────┬ MPI_A.┤
 *                └─ waits ─┘                └─ waits ───────┘
 *
 * The first repetitions look well, the last ones do not; the sum does not show that. No skew is left, and no other wait state
 * shows.
 *
 * Shows wait_at_nxn: W = Σ Wᵢ; Wᵢ = r·(max(distribution) − distribution[i]).
 *
 * basework [s]: Work of every rank in a repetition.
 * df, dd [s]: Extra work of each rank, on average over the repetitions.
 * r: Number of repetitions.
 */
void severity_growing_over_time(double basework, distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * The balanced twin of `severity_growing_over_time`: the same calls and the same work in total, but no waiting.
 */
void severity_growing_over_time_balanced(double basework, distr_func_t df, distr_t* dd, int r, MPI_Comm c);

/*
 * A master waits for the results of the slowest of its slaves, and the others for the master.
 *
 * Rank 0 sends a task to each of the others, works `masterwork` and collects the results, the lowest rank's first; the others work
 * for their shares of `distribution` on theirs.
 *
 * rank 0  ┬ MPI_Send ┬─ masterwork ─┬─ MPI_Recv ·········┬ MPI_Send
 * fast    ┬ MPI_Recv ┬─ low ──────┬ MPI_Send ┬─ MPI_Recv ···┬ …
 * slow    ┬ MPI_Recv ┬─ high ──────────────────┬ MPI_Send ┬ …
 *                    master waits   └──────────┘
 *
 * With w of work of a slave and M the most of all, a slave waits (r−1)·(max(M, `masterwork`) − w) for its further tasks, and is
 * left max(M, `masterwork`) − w ahead. Where a slower slave comes first, the master's wait for it is one in the wrong order;
 * `in_order` is its other wait in a repetition. No other wait state shows. Needs eager sends, which is probed at run time.
 *
 * Shows late_sender: W = Σ Wᵢ; Wᵢ at mpi_commpattern_one_to_all/MPI_Recv = (r − 1)·(max(masterwork, max(distribution[j], 1 ≤ j < P)) − distribution[i]) if i > 0; Wᵢ at mpi_commpattern_all_to_one/MPI_Recv = r·in_order(distribution, masterwork, P) if i = 0.
 *
 * df, dd [s]: Work of each rank but 0 in a repetition.
 * masterwork [s]: Work of rank 0 in a repetition.
 * r: Number of repetitions.
 */
void slow_slaves(distr_func_t df, distr_t* dd, double masterwork, int r, MPI_Comm c);

/*
 * The balanced twin of `slow_slaves`: the same calls and the same work in total, but no waiting.
 */
void slow_slaves_balanced(distr_func_t df, distr_t* dd, double masterwork, int r, MPI_Comm c);

/*
 * Clients send one tiny message after the other to a server.
 *
 * In each repetition every rank works `work`; then each of the others sends `k` messages of one element to rank 0,
 * which receives them, the lowest rank's first. The twin sends the same elements in one message.
 *
 * rank 0  ├─ work ─┬┬┬┬┬┬┬┬┬┬┬┬┤   k times MPI_Recv from each
 * others  ├─ work ─┬┬┬┬┤           k times MPI_Send
 *
 * No rank is late, so no wait state shows: the finding is the number of messages. On a real machine each has a price
 * all the same, also because many are waiting to be received; if all of them together cost more than the threshold of
 * a report, a tool rightly reports waiting in them.
 *
 * Shows MPI_Send: N = (P − 1)·r·k; (P − 1)·r·min(k, 1) in the twin.
 * Shows MPI_Recv: N = (P − 1)·r·k; (P − 1)·r·min(k, 1) in the twin.
 *
 * work [s]: Work of every rank in a repetition.
 * k: Messages of each client in a repetition.
 * r: Number of repetitions.
 */
void small_messages(double work, int k, int r, MPI_Comm c);

/*
 * The balanced twin of `small_messages`: the same calls and the same work in total, but no waiting.
 */
void small_messages_balanced(double work, int k, int r, MPI_Comm c);

/*
 * Senders wait for receivers that have posted the receive, since those work on and make no call.
 *
 * Odd ranks start to receive from the even rank below them, work `work` and wait for the message; even ranks work `basework`
 * and send synchronously. With an odd number of ranks the last one only works, and ends
 * `r`·(`work` − `basework`) before the others.
 *
 * even  ├─ base ─┬─ MPI_Ssend ···┬────────────┤
 * odd   ├─ work ─────────────────┬─ MPI_Wait ─┤
 *   MPI_Irecv    └──── waits ────┘
 *
 * A synchronous send is over when its receiver has answered. A library that answers only inside of calls does so in
 * `MPI_Wait`; one that makes progress by itself does not show it. In virtual time progress is made in calls here, unless
 * `--network progress=always` is given. The receiver is not late: it has posted its receive. With more basework than
 * work receivers wait for late senders instead. Of three ranks, one works longer than most: then it does not matter when
 * its messages move.
 *
 * Shows late_progress: W = floor(P/2)·r·max(0, work − basework) if basework > 0; Wᵢ = r·max(0, work − basework) if i even and i + 1 < P and basework > 0.
 *
 * basework [s]: Work of the senders in a repetition.
 * work [s]: Work of the receivers in a repetition, after they have started to receive.
 * r: Number of repetitions.
 */
void synchronous_send_without_progress(double basework, double work, int r, MPI_Comm c);

/*
 * The balanced twin of `synchronous_send_without_progress`: the same calls and the same work in total, but no waiting.
 */
void synchronous_send_without_progress_balanced(double basework, double work, int r, MPI_Comm c);

/*
 * Ranks write one after the other, since each waits for a token from the one below.
 *
 * In each repetition each rank receives the token from the rank below, works `work` in the region `write` and passes
 * the token on to the rank above; then every rank meets at a barrier.
 *
 * rank 0  ├─ write ──┬ MPI_Ssend ┬─ MPI_Barrier ···························┤
 * rank 1  ├─ MPI_Recv ··········┬─ write ──┬ MPI_Ssend ┬─ MPI_Barrier ·····┤
 * rank 2  ├─ MPI_Recv ·····························┬─ write ──┬ MPI_Barrier ┤
 *
 * All have the same work, so the load is balanced; POP's serialisation efficiency is 1/P. Rank i waits r·i·`work` for
 * the token, and r·(P−1−i)·`work` at the barrier: (P−1)·`work` in each repetition, for every rank. No skew is left,
 * and no other wait state shows.
 *
 * Shows late_sender: W = r·work·P·(P − 1)/2; Wᵢ = r·i·work.
 * Shows wait_at_barrier: W = r·work·P·(P − 1)/2; Wᵢ = r·(P − 1 − i)·work.
 *
 * work [s]: Work of every rank while it has the token.
 * r: Number of repetitions.
 */
void token_serialized_access(double work, int r, MPI_Comm c);

/*
 * The balanced twin of `token_serialized_access`: the same calls and the same work in total, but no waiting.
 */
void token_serialized_access_balanced(double work, int r, MPI_Comm c);

/*
 * Ranks send messages of different sizes to their neighbours.
 *
 * In each repetition every rank works `work`, and sends as many elements as `elements` says to the rank above, the
 * last one to the first. The twin shares the same elements evenly.
 *
 * few   ├─ work ─┬ MPI_Irecv ┬ MPI_Send ┬ MPI_Wait ┤
 * many  ├─ work ─┬ MPI_Irecv ┬ MPI_Send ┬ MPI_Wait ┤
 *
 * No rank is late, so no wait state shows: the finding is the number of bytes moved. A document has their sum over
 * all ranks, which is the twin's, too; `ats trace` writes the amount that each rank sends. Amounts of `elements` are
 * not seconds here, and the nearest whole number counts. An element is
 * an `MPI_INT`, of 4 bytes, unless the program sets another base message.
 *
 * Shows MPI_Send: N = 4·r·Σ(round(elements[j]), 0 ≤ j < P).
 * Shows MPI_Wait: N = 4·r·Σ(round(elements[j]), 0 ≤ j < P).
 * Shows MPI_Send: N = r·P.
 *
 * work [s]: Work of every rank in a repetition.
 * elements_df, elements_dd [s]: Number of elements that each rank sends.
 * r: Number of repetitions.
 */
void uneven_message_distribution(double work, distr_func_t elements_df, distr_t* elements_dd, int r, MPI_Comm c);

/*
 * The balanced twin of `uneven_message_distribution`: the same calls and the same work in total, but no waiting.
 */
void uneven_message_distribution_balanced(double work, distr_func_t elements_df, distr_t* elements_dd, int r, MPI_Comm c);

/*
 * A root hands out and collects parts of different sizes.
 *
 * In each repetition every rank works `work`; then the root scatters to each rank as many elements as `elements`
 * says, and gathers as many. The twin shares the same elements evenly.
 *
 * root    ├─ work ─┬─ MPI_Scatterv ─┬─ MPI_Gatherv ─┤
 * others  ├─ work ─┬─ MPI_Scatterv ─┬─ MPI_Gatherv ─┤
 *
 * No rank is late, so no wait state shows: the finding is the number of bytes moved, including those of the root to
 * and from itself. A document has their sum over all ranks, which is the twin's, too; `ats trace` writes the amount
 * of each rank. Amounts of `elements` are not seconds here, and the nearest whole number counts. An element is
 * an `MPI_INT`, of 4 bytes, unless the program sets another base message.
 *
 * Shows MPI_Scatterv: N = 4·r·Σ(round(elements[j]), 0 ≤ j < P).
 * Shows MPI_Gatherv: N = 4·r·Σ(round(elements[j]), 0 ≤ j < P).
 *
 * work [s]: Work of every rank in a repetition.
 * elements_df, elements_dd [s]: Number of elements in each rank's part.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void uneven_vector_collective(double work, distr_func_t elements_df, distr_t* elements_dd, int root, int r, MPI_Comm c);

/*
 * The balanced twin of `uneven_vector_collective`: the same calls and the same work in total, but no waiting.
 */
void uneven_vector_collective_balanced(double work, distr_func_t elements_df, distr_t* elements_dd, int root, int r, MPI_Comm c);

/*
 * A rank waits for the message that comes last while others lie ready.
 *
 * A token goes from rank 0 up the ranks; each works `basework` before it passes it on, and reports to rank 0. Rank 0
 * receives the reports from the last rank down: it waits for the whole chain in its first receive, and everything
 * that it receives then was sent earlier.
 *
 * rank 0  ├─ MPI_Recv (from 2) ·············┬ MPI_Recv (from 1) ┤
 * rank 1  ├─ work ──┬ MPI_Send ┤            │
 * rank 2  ├─ MPI_Recv ─┬─ work ─┬ MPI_Send ─┤
 *
 * The token itself shows late senders on the other ranks, in the right order; rank i is left (P−1−i)·`basework` ahead
 * of the last. Needs eager sends, which is probed at run time: with large messages the senders would wait instead. See
 * `right_order` for the twin that differs in the order alone.
 *
 * Shows late_sender_wrong_order_different_sources: W = Σ Wᵢ; Wᵢ = r·(P − 1)·basework if i = 0.
 *
 * basework [s]: Work of every rank but the first between receiving the token and passing it on.
 * r: Number of repetitions.
 */
void wrong_order(double basework, int r, MPI_Comm c);

/*
 * The balanced twin of `wrong_order`: the same calls and the same work in total, but no waiting.
 */
void wrong_order_balanced(double basework, int r, MPI_Comm c);

/*
 * A rank waits for the message that its partner sends last, while others from there lie ready.
 *
 * Even ranks work `work` before each of some messages with tags 1, 2 … to the odd rank above them; odd ranks receive the
 * last tag first. With an odd number of ranks the last one only works.
 *
 * even  ├─ work ─┬ MPI_Send 1 ┬─ work ─┬ MPI_Send 2 ┤
 * odd   ├─ MPI_Recv 2 ·················┬ MPI_Recv 1 ┤
 *       └─ waits ──────────────────────┘
 *
 * Every repetition starts even. No other wait state shows; a single message is late, but not in the wrong order.
 * Needs eager sends, which is probed at run time: otherwise no rank gets on.
 *
 * Shows late_sender_wrong_order_same_source: W = floor(P/2)·r·messages·work if messages > 1; Wᵢ = r·messages·work if i odd and messages > 1.
 *
 * work [s]: Work of the senders before each message.
 * messages: Messages in a repetition.
 * r: Number of repetitions.
 */
void wrong_order_same_source(double work, int messages, int r, MPI_Comm c);

/*
 * The balanced twin of `wrong_order_same_source`: the same calls and the same work in total, but no waiting.
 */
void wrong_order_same_source_balanced(double work, int messages, int r, MPI_Comm c);

/*
 * Receivers wait for messages that carry nothing, because their senders have more to do.
 *
 * As `late_sender`, but with messages of no elements: even ranks work `basework` + `extrawork` and send to the odd
 * rank above them; odd ranks work `basework` and receive. With an odd number of ranks the last one only works.
 *
 * even  ├─ base ─┬─ extra ─┬─ MPI_Ssend ─┤
 * odd   ├─ base ─┼─ MPI_Recv ············┤
 *                └─ waits ─┘
 *
 * A message is waited for whatever it carries, other than a collective operation: it synchronizes. Every repetition starts
 * even, and no other wait state shows.
 *
 * Shows late_sender: W = floor(P/2)·r·extrawork; Wᵢ = r·extrawork if i odd.
 * Shows MPI_Ssend: N = floor(P/2)·r.
 * Shows MPI_Recv: N = floor(P/2)·r.
 *
 * basework [s]: Work of every rank in a repetition.
 * extrawork [s]: Extra work of the senders: their delay.
 * r: Number of repetitions.
 */
void zero_byte_synchronization(double basework, double extrawork, int r, MPI_Comm c);

/*
 * The balanced twin of `zero_byte_synchronization`: the same calls and the same work in total, but no waiting.
 */
void zero_byte_synchronization_balanced(double basework, double extrawork, int r, MPI_Comm c);

/*
 * A root that has more to do broadcasts nothing, and no rank waits for it.
 *
 * As `late_broadcast`, but with messages of no elements: the root works `basework` + `rootextrawork`, the others
 * `basework`, and then the root broadcasts.
 *
 * others  ├─ base ─┬ MPI_Bcast ┬─ base ─┬ MPI_Bcast ┤
 * root    ├─ base ─┬─ extra ─┬ MPI_Bcast ┬─ base ─┬─ extra ─┬ …
 *
 * Collective operations without payload do not wait, in the model as in the libraries, and Scalasca counts no wait in
 * them. A tool that takes a broadcast after which its root comes for a late one is wrong. The others are left
 * `r`·`rootextrawork` ahead, and wait that long when they have to wait for all.
 *
 * Shows nothing.
 *
 * basework [s]: Work of every rank in a repetition.
 * rootextrawork [s]: Extra work of the root: its delay.
 * root: The root's rank; counted modulo the number of ranks.
 * r: Number of repetitions.
 */
void zero_payload_collective(double basework, double rootextrawork, int root, int r, MPI_Comm c);

/* -- What the Fortran module calls: the same with integers for handles -- */

void ats_f_par_do_mpi_work(distr_func_t df, distr_t* dd, double sf, MPI_Fint c);
double ats_f_mpi_distr_share(distr_func_t df, distr_t* dd, MPI_Fint c);
double ats_f_mpi_distr_mean(distr_func_t df, distr_t* dd, MPI_Fint c);
mpi_buf_t* ats_f_alloc_mpi_buf(MPI_Fint type, int cnt);
mpi_vbuf_t* ats_f_alloc_mpi_vbuf(MPI_Fint type, distr_func_t df, distr_t* dd, int root, MPI_Fint c);
void ats_f_set_base_comm(MPI_Fint type, int cnt);
MPI_Fint ats_f_get_base_type(void);
void ats_f_mpi_commpattern_sendrecv(mpi_buf_t* buf, mpi_dir_t dir, int use_isend, int use_irecv, MPI_Fint c);
void ats_f_mpi_commpattern_shift(mpi_buf_t* sbuf, mpi_buf_t* rbuf, mpi_dir_t dir, int use_isend, int use_irecv, MPI_Fint c);
void ats_f_mpi_commpattern_chain(mpi_buf_t* buf, double work, MPI_Fint c);
void ats_f_mpi_commpattern_one_to_all(mpi_buf_t* buf, double work, MPI_Fint c);
void ats_f_mpi_commpattern_all_to_one(mpi_buf_t* buf, MPI_Fint c);
void ats_f_ats_bcast(mpi_buf_t* buf, int root, MPI_Fint c);
void ats_f_amdahl(double serial, double parallel, int r, MPI_Fint c);
void ats_f_amdahl_balanced(double serial, double parallel, int r, MPI_Fint c);
void ats_f_big_message(double work, int64_t bytes, int r, MPI_Fint c);
void ats_f_big_message_balanced(double work, int64_t bytes, int r, MPI_Fint c);
void ats_f_blocked_sender(double firstwork, double basework, int r, MPI_Fint c);
void ats_f_blocked_sender_balanced(double firstwork, double basework, int r, MPI_Fint c);
void ats_f_compensated_imbalance(double low, double high, int r, MPI_Fint c);
void ats_f_derived_datatype_packing(double basework, int blocks, int stride, int r, MPI_Fint c);
void ats_f_derived_datatype_packing_balanced(double basework, int blocks, int stride, int r, MPI_Fint c);
void ats_f_diffuse_procedure(double work, int r, MPI_Fint c);
void ats_f_diffuse_procedure_balanced(double work, int r, MPI_Fint c);
void ats_f_early_exscan(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_early_exscan_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_early_gather(double rootwork, double baseextrawork, int root, int r, MPI_Fint c);
void ats_f_early_gather_balanced(double rootwork, double baseextrawork, int root, int r, MPI_Fint c);
void ats_f_early_gatherv(double rootwork, double baseextrawork, int root, int r, MPI_Fint c);
void ats_f_early_gatherv_balanced(double rootwork, double baseextrawork, int root, int r, MPI_Fint c);
void ats_f_early_igather(double rootwork, double baseextrawork, double overlap, int root, int r, MPI_Fint c);
void ats_f_early_igather_balanced(double rootwork, double baseextrawork, double overlap, int root, int r, MPI_Fint c);
void ats_f_early_ireduce(double rootwork, double baseextrawork, double overlap, int root, int r, MPI_Fint c);
void ats_f_early_ireduce_balanced(double rootwork, double baseextrawork, double overlap, int root, int r, MPI_Fint c);
void ats_f_early_iscan(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Fint c);
void ats_f_early_iscan_balanced(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Fint c);
void ats_f_early_nonroot_reduce(double basework, double rootextrawork, int root, int r, MPI_Fint c);
void ats_f_early_receive_preposted(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_early_reduce(double rootwork, double baseextrawork, int root, int r, MPI_Fint c);
void ats_f_early_reduce_balanced(double rootwork, double baseextrawork, int root, int r, MPI_Fint c);
void ats_f_early_scan(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_early_scan_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_frequent_barrier(double work, int k, int r, MPI_Fint c);
void ats_f_frequent_barrier_balanced(double work, int k, int r, MPI_Fint c);
void ats_f_frequent_small_collectives(double work, int k, int r, MPI_Fint c);
void ats_f_frequent_small_collectives_balanced(double work, int k, int r, MPI_Fint c);
void ats_f_heat_solver(double border, double interior, int r, MPI_Fint c);
void ats_f_heat_solver_barrier(double border, double interior, int r, MPI_Fint c);
void ats_f_heat_solver_barrier_balanced(double border, double interior, int r, MPI_Fint c);
void ats_f_heat_solver_no_overlap(double border, double interior, double moving, int r, MPI_Fint c);
void ats_f_heat_solver_no_overlap_balanced(double border, double interior, double moving, int r, MPI_Fint c);
void ats_f_heat_solver_serial_output(double border, double interior, double output, int r, MPI_Fint c);
void ats_f_heat_solver_serial_output_balanced(double border, double interior, double output, int r, MPI_Fint c);
void ats_f_heat_solver_slow_rank(double border, double interior, double extrawork, int slow, int r, MPI_Fint c);
void ats_f_heat_solver_slow_rank_balanced(double border, double interior, double extrawork, int slow, int r, MPI_Fint c);
void ats_f_heat_solver_wrong_order(double border, double interior, double stagger, int r, MPI_Fint c);
void ats_f_heat_solver_wrong_order_balanced(double border, double interior, double stagger, int r, MPI_Fint c);
void ats_f_imbalance_at_comm_create(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_comm_create_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_comm_dup(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_comm_dup_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_comm_split(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_comm_split_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_iallreduce(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Fint c);
void ats_f_imbalance_at_iallreduce_balanced(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Fint c);
void ats_f_imbalance_at_ialltoall(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Fint c);
void ats_f_imbalance_at_ialltoall_balanced(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Fint c);
void ats_f_imbalance_at_ibarrier_wait(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Fint c);
void ats_f_imbalance_at_ibarrier_wait_balanced(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_allgather(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_allgather_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_allgatherv(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_allgatherv_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_allreduce(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_allreduce_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_alltoall(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_alltoall_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_alltoallv(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_alltoallv_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_alltoallw(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_alltoallw_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_barrier(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_barrier_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_reduce_scatter(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_reduce_scatter_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_reduce_scatter_block(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_mpi_reduce_scatter_block_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_imbalance_at_neighbor_alltoall(distr_func_t df, distr_t* dd, int torus, int graph, int nonblocking, int r, MPI_Fint c);
void ats_f_imbalance_at_neighbor_alltoall_balanced(distr_func_t df, distr_t* dd, int torus, int graph, int nonblocking, int r, MPI_Fint c);
void ats_f_imbalance_at_shift(distr_func_t df, distr_t* dd, int up, int r, MPI_Fint c);
void ats_f_imbalance_at_shift_balanced(distr_func_t df, distr_t* dd, int up, int r, MPI_Fint c);
void ats_f_intensive_server(double service, double think, int r, MPI_Fint c);
void ats_f_intensive_server_balanced(double service, double think, int r, MPI_Fint c);
void ats_f_lack_of_parallelism_p2p(double production, double consumption, int r, MPI_Fint c);
void ats_f_lack_of_parallelism_p2p_balanced(double production, double consumption, int r, MPI_Fint c);
void ats_f_late_broadcast(double basework, double rootextrawork, int root, int r, MPI_Fint c);
void ats_f_late_broadcast_balanced(double basework, double rootextrawork, int root, int r, MPI_Fint c);
void ats_f_late_ibcast(double basework, double rootextrawork, double overlap, int root, int r, MPI_Fint c);
void ats_f_late_ibcast_balanced(double basework, double rootextrawork, double overlap, int root, int r, MPI_Fint c);
void ats_f_late_iscatter(double basework, double rootextrawork, double overlap, int root, int r, MPI_Fint c);
void ats_f_late_iscatter_balanced(double basework, double rootextrawork, double overlap, int root, int r, MPI_Fint c);
void ats_f_late_nonroot_broadcast(double basework, double extrawork, int root, int r, MPI_Fint c);
void ats_f_late_receiver(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_late_receiver_balanced(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_late_receiver_eager(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_late_receiver_isend_wait(double basework, double extrawork, double overlap, int r, MPI_Fint c);
void ats_f_late_receiver_isend_wait_balanced(double basework, double extrawork, double overlap, int r, MPI_Fint c);
void ats_f_late_receiver_persistent(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_late_receiver_persistent_balanced(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_late_receiver_waitall(distr_func_t df, distr_t* dd, double basework, int r, MPI_Fint c);
void ats_f_late_receiver_waitall_balanced(distr_func_t df, distr_t* dd, double basework, int r, MPI_Fint c);
void ats_f_late_reduce_root(double basework, double rootextrawork, int64_t bytes, int root, int r, MPI_Fint c);
void ats_f_late_reduce_root_balanced(double basework, double rootextrawork, int64_t bytes, int root, int r, MPI_Fint c);
void ats_f_late_scatter(double basework, double rootextrawork, int root, int r, MPI_Fint c);
void ats_f_late_scatter_balanced(double basework, double rootextrawork, int root, int r, MPI_Fint c);
void ats_f_late_scatterv(double basework, double rootextrawork, int root, int r, MPI_Fint c);
void ats_f_late_scatterv_balanced(double basework, double rootextrawork, int root, int r, MPI_Fint c);
void ats_f_late_sender(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_late_sender_balanced(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_late_sender_nonblocking(double basework, double extrawork, double overlap, int use_isend, int r, MPI_Fint c);
void ats_f_late_sender_nonblocking_balanced(double basework, double extrawork, double overlap, int use_isend, int r, MPI_Fint c);
void ats_f_late_sender_persistent(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_late_sender_persistent_balanced(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_late_sender_probe(double basework, double extrawork, int matched, int r, MPI_Fint c);
void ats_f_late_sender_probe_balanced(double basework, double extrawork, int matched, int r, MPI_Fint c);
void ats_f_late_sender_propagation(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_late_sender_propagation_balanced(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_late_sender_test_polling(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_late_sender_test_polling_balanced(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_late_sender_waitall(distr_func_t df, distr_t* dd, double basework, int r, MPI_Fint c);
void ats_f_late_sender_waitall_balanced(distr_func_t df, distr_t* dd, double basework, int r, MPI_Fint c);
void ats_f_mapping_problem(int n, int r, MPI_Fint c);
void ats_f_mapping_problem_balanced(int n, int r, MPI_Fint c);
void ats_f_moving_imbalance(distr_func_t df, distr_t* dd, int speed, int r, MPI_Fint c);
void ats_f_moving_imbalance_balanced(distr_func_t df, distr_t* dd, int speed, int r, MPI_Fint c);
void ats_f_multiple_output(double work, int r, MPI_Fint c);
void ats_f_multiple_output_balanced(double work, int r, MPI_Fint c);
void ats_f_near_eager_threshold_traffic(double basework, double extrawork, int64_t bytes, int r, MPI_Fint c);
void ats_f_near_eager_threshold_traffic_balanced(double basework, double extrawork, int64_t bytes, int r, MPI_Fint c);
void ats_f_no_overlap_nonblocking_collective(double overlap, int64_t bytes, int r, MPI_Fint c);
void ats_f_no_overlap_nonblocking_collective_balanced(double overlap, int64_t bytes, int r, MPI_Fint c);
void ats_f_noise_amplification(double work, double noise, double share, int64_t seed, int r, MPI_Fint c);
void ats_f_noise_amplification_balanced(double work, double noise, double share, int64_t seed, int r, MPI_Fint c);
void ats_f_partial(double parallel, int k, int r, MPI_Fint c);
void ats_f_partial_balanced(double parallel, int k, int r, MPI_Fint c);
void ats_f_partitioned_late_ready(distr_func_t df, distr_t* dd, int k, double basework, int r, MPI_Fint c);
void ats_f_partitioned_late_ready_balanced(distr_func_t df, distr_t* dd, int k, double basework, int r, MPI_Fint c);
void ats_f_perfect_overlap(double basework, double overlap, int r, MPI_Fint c);
void ats_f_periodic_outlier(double basework, double extrawork, int outlier, int period, int r, MPI_Fint c);
void ats_f_periodic_outlier_balanced(double basework, double extrawork, int outlier, int period, int r, MPI_Fint c);
void ats_f_persistent_collective_wait(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Fint c);
void ats_f_persistent_collective_wait_balanced(distr_func_t df, distr_t* dd, double overlap, int r, MPI_Fint c);
void ats_f_ping_pong(double work, int r, MPI_Fint c);
void ats_f_ping_pong_balanced(double work, int r, MPI_Fint c);
void ats_f_random_barrier(double work, int64_t seed, int r, MPI_Fint c);
void ats_f_random_barrier_balanced(double work, int64_t seed, int r, MPI_Fint c);
void ats_f_redundant_barrier(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_redundant_barrier_balanced(distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_rendezvous_without_progress(double work, int64_t bytes, int r, MPI_Fint c);
void ats_f_rendezvous_without_progress_balanced(double work, int64_t bytes, int r, MPI_Fint c);
void ats_f_replicated(double common, double additional, double parallel, int r, MPI_Fint c);
void ats_f_replicated_balanced(double common, double additional, double parallel, int r, MPI_Fint c);
void ats_f_right_order(double basework, int r, MPI_Fint c);
void ats_f_right_order_balanced(double basework, int r, MPI_Fint c);
void ats_f_scan_rising(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_serialized_broadcast(double work, int r, MPI_Fint c);
void ats_f_serialized_broadcast_balanced(double work, int r, MPI_Fint c);
void ats_f_serialized_chain(double work, MPI_Fint c);
void ats_f_serialized_chain_balanced(double work, MPI_Fint c);
void ats_f_serialized_output(double work, double output, int r, MPI_Fint c);
void ats_f_serialized_output_balanced(double work, double output, int r, MPI_Fint c);
void ats_f_severity_growing_over_time(double basework, distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_severity_growing_over_time_balanced(double basework, distr_func_t df, distr_t* dd, int r, MPI_Fint c);
void ats_f_slow_slaves(distr_func_t df, distr_t* dd, double masterwork, int r, MPI_Fint c);
void ats_f_slow_slaves_balanced(distr_func_t df, distr_t* dd, double masterwork, int r, MPI_Fint c);
void ats_f_small_messages(double work, int k, int r, MPI_Fint c);
void ats_f_small_messages_balanced(double work, int k, int r, MPI_Fint c);
void ats_f_synchronous_send_without_progress(double basework, double work, int r, MPI_Fint c);
void ats_f_synchronous_send_without_progress_balanced(double basework, double work, int r, MPI_Fint c);
void ats_f_token_serialized_access(double work, int r, MPI_Fint c);
void ats_f_token_serialized_access_balanced(double work, int r, MPI_Fint c);
void ats_f_uneven_message_distribution(double work, distr_func_t elements_df, distr_t* elements_dd, int r, MPI_Fint c);
void ats_f_uneven_message_distribution_balanced(double work, distr_func_t elements_df, distr_t* elements_dd, int r, MPI_Fint c);
void ats_f_uneven_vector_collective(double work, distr_func_t elements_df, distr_t* elements_dd, int root, int r, MPI_Fint c);
void ats_f_uneven_vector_collective_balanced(double work, distr_func_t elements_df, distr_t* elements_dd, int root, int r, MPI_Fint c);
void ats_f_wrong_order(double basework, int r, MPI_Fint c);
void ats_f_wrong_order_balanced(double basework, int r, MPI_Fint c);
void ats_f_wrong_order_same_source(double work, int messages, int r, MPI_Fint c);
void ats_f_wrong_order_same_source_balanced(double work, int messages, int r, MPI_Fint c);
void ats_f_zero_byte_synchronization(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_zero_byte_synchronization_balanced(double basework, double extrawork, int r, MPI_Fint c);
void ats_f_zero_payload_collective(double basework, double rootextrawork, int root, int r, MPI_Fint c);

#endif

#ifdef SCOREP_USER_ENABLE
/* libats finds Score-P's user regions when it runs. The linker would leave their library out as needed by nobody. */
extern char ats_needs_scorep_user __asm__("SCOREP_User_RegionBegin");
static const char* const ats_scorep_user __attribute__((used)) = &ats_needs_scorep_user;
#endif

#ifdef __cplusplus
}
#endif

#endif
