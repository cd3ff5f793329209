# Targets ats::ats (shared) and ats::static; ats_FORTRAN_MODULE is the source of the Fortran module, to compile with
# the program. The project has the language C, for which MPI is looked up; ats_MPI says whose libats it takes, openmpi's
# or mpich's, where both are installed, or without-mpi's, for programs of threads alone.
get_filename_component(ats_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)
if(NOT ats_MPI)
  set(ats_MPI "@MPI@")
endif()
if(ats_MPI STREQUAL "without-mpi")
  set(ats_MPI_TARGET "")
  set(ats_MPI_DEFINITION ATS_WITHOUT_MPI)
else()
  include(CMakeFindDependencyMacro)
  find_dependency(MPI COMPONENTS C)
  set(ats_MPI_TARGET MPI::MPI_C)
  set(ats_MPI_DEFINITION "")
endif()
set(ats_LIBRARIES_FOLDER "${ats_PREFIX}/lib/${ats_MPI}")
set(ats_FORTRAN_MODULE "${ats_PREFIX}/include/ats.f90")

if(NOT TARGET ats::ats)
  add_library(ats::ats SHARED IMPORTED)
  set_target_properties(ats::ats PROPERTIES
    IMPORTED_LOCATION "${ats_LIBRARIES_FOLDER}/libats.so"
    IMPORTED_SONAME "@SONAME@"
    INTERFACE_INCLUDE_DIRECTORIES "${ats_PREFIX}/include"
    INTERFACE_COMPILE_DEFINITIONS "${ats_MPI_DEFINITION}"
    INTERFACE_LINK_LIBRARIES "${ats_MPI_TARGET}")
  add_library(ats::static STATIC IMPORTED)
  set_target_properties(ats::static PROPERTIES
    IMPORTED_LOCATION "${ats_LIBRARIES_FOLDER}/libats.a"
    INTERFACE_INCLUDE_DIRECTORIES "${ats_PREFIX}/include"
    INTERFACE_COMPILE_DEFINITIONS "${ats_MPI_DEFINITION}"
    INTERFACE_LINK_LIBRARIES "${ats_MPI_TARGET};gcc_s;pthread;dl;m")
endif()
