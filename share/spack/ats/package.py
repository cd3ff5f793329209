# SPDX-License-Identifier: (Apache-2.0 OR MIT)

from spack.package import *
from spack_repo.builtin.build_systems.cargo import CargoPackage


class Ats(CargoPackage):
    """Small parallel programs that show known performance properties, and the analyzer that is validated with them."""

    homepage = "https://github.com/ats-suite/ats"
    git = "https://github.com/ats-suite/ats.git"

    license("MIT OR Apache-2.0", checked_by="ats-suite")

    version("main", branch="main")

    variant("mpi", default=True, description="Recorder and programs for MPI")
    variant("openmp", default=True, description="Programs of threads, with LLVM's OpenMP runtime")
    variant("fortran", default=False, description="The module for Fortran programs")

    depends_on("c", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("rust@1.90:", type=("build", "run"))
    depends_on("mpi", type=("build", "link", "run"), when="+mpi")
    # bindgen reads mpi.h with libclang; OpenMP's runtime comes with it.
    depends_on("llvm@14:+clang", type=("build", "run"), when="+mpi")
    depends_on("llvm-openmp@14:19", type=("link", "run"), when="+openmp")

    build_directory = "cli"

    def setup_run_environment(self, env):
        # Programs are generated against the suite's own sources.
        env.set("ATS_SUITE", join_path(self.prefix.share, "ats", "suite"))
        if self.spec.satisfies("+mpi"):
            env.set("MPICC", self.spec["mpi"].mpicc)
        if self.spec.satisfies("+openmp"):
            env.set("LIBOMP_DIR", self.spec["llvm-openmp"].prefix.lib)

    @run_after("install")
    def install_suite(self):
        install_tree(
            self.stage.source_path,
            join_path(self.prefix.share, "ats", "suite"),
            ignore=lambda path: path.startswith(("target", ".git")),
        )

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def virtual_engine(self):
        Executable(self.prefix.bin.ats)("validate", "--engine", "virtual", "--all")

    def test_virtual_engine(self):
        """the whole circle in virtual time, which needs no launcher"""
        ats = which(self.prefix.bin.ats)
        out = ats("validate", "--engine", "virtual", "late_sender", output=str.split, error=str.split)
        assert "precision 1.000, recall 1.000" in out
