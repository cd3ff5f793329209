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
#define ATS_LIMIT INT64_C(@limit@)

/* What a program is written with: MPI processes, OpenMP threads, both or neither. */
typedef enum ATS_PARADIGM { @paradigms@ } ats_paradigm_t;
@structures@
@functions@

/* -- Performance properties of one process, and the balanced twin of each -- */
@sequential@

#ifndef ATS_WITHOUT_MPI

/* Which way messages go: to the next higher or the next lower rank. */
typedef enum MPI_DIR { DIR_UP, DIR_DOWN } mpi_dir_t;
@structures_of_mpi@
@functions_of_mpi@

/* The default type and count of messages, as the report's property functions call them. */
#define base_type get_base_type()
#define base_cnt get_base_cnt()

/* -- Performance properties, and the balanced twin of each -- */
@properties@

/* -- What the Fortran module calls: the same with integers for handles -- */

@fortran@

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
