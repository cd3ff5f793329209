# Programs of ATS as tests of CTest.
#
#   include(/path/to/ats/share/cmake/Ats.cmake)
#   ats_add_test(late_sender RANKS 8 ARGUMENTS r=3)
#   ats_add_test(imbalance_at_omp_barrier THREADS 4 TOOL my-tool.toml)
#   ats_add_test(two_halves FILE two_halves.toml RANKS 8)
#
# Each test is `ats validate` of one property with its balanced twin, or of one composition: the program is generated, built,
# run and judged. It takes the cores of its ranks and threads, runs alone, and is skipped (code 77) where the machine lacks
# what it needs.

include_guard(GLOBAL)
find_program(ATS_COMMAND ats DOC "The command of ATS")

function(ats_add_test name)
    cmake_parse_arguments(PARSE_ARGV 1 TEST "" "RANKS;THREADS;TOOL;FILE;TIMEOUT" "ARGUMENTS")
    if(TEST_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "ats_add_test(${name}): what is ${TEST_UNPARSED_ARGUMENTS}?")
    endif()
    if(NOT ATS_COMMAND)
        message(FATAL_ERROR "There is no ats; set ATS_COMMAND to where it is")
    endif()
    set(subject ${name} ${TEST_ARGUMENTS})
    if(TEST_FILE)
        get_filename_component(subject "${TEST_FILE}" ABSOLUTE)
    endif()
    set(options --skip-missing -o "${CMAKE_CURRENT_BINARY_DIR}/ats/${name}")
    set(processors 1)
    set(labels ats)
    if(TEST_RANKS)
        list(APPEND options --np ${TEST_RANKS})
        math(EXPR processors "${processors} * ${TEST_RANKS}")
        list(APPEND labels mpi)
    endif()
    if(TEST_THREADS)
        list(APPEND options --threads ${TEST_THREADS})
        math(EXPR processors "${processors} * ${TEST_THREADS}")
        list(APPEND labels openmp)
    endif()
    if(TEST_TOOL)
        list(APPEND options --tool "${TEST_TOOL}")
    endif()
    if(NOT TEST_TIMEOUT)
        # The first one builds what all need.
        set(TEST_TIMEOUT 900)
    endif()
    if(MPIEXEC_EXECUTABLE AND TEST_RANKS)
        list(APPEND options --launcher "${MPIEXEC_EXECUTABLE}")
    endif()
    add_test(NAME ats.${name} COMMAND ${ATS_COMMAND} validate ${subject} ${options})
    set_tests_properties(ats.${name} PROPERTIES
        PROCESSORS ${processors}
        RUN_SERIAL TRUE
        SKIP_RETURN_CODE 77
        TIMEOUT ${TEST_TIMEOUT}
        LABELS "${labels}")
endfunction()
