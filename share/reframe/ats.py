"""Programs of ATS as tests of ReFrame: one test for each property and number of ranks.

Run them with `reframe -c share/reframe/ats.py -r`; the partition's environment has to have `ats`, Rust and MPI. Which
properties, how many ranks and which tool are variables:

    reframe -c ats.py -r -S ats_validate.tool=scalasca -n 'ats_validate.*ranks=8'
"""

import json
import os

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class ats_validate(rfm.RunOnlyRegressionTest):
    property_ = parameter(
        [
            "late_sender",
            "late_receiver",
            "imbalance_at_mpi_barrier",
            "imbalance_at_mpi_alltoall",
            "late_broadcast",
            "early_reduce",
            "wrong_order",
        ]
    )
    ranks = parameter([4, 8])
    tool = variable(str, value="ats")
    # How far the found severity may be from the observed one, as a share of it.
    tolerance = variable(float, value=0.01)

    descr = "A program with a known performance property, and whether a tool finds it"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    tags = {"ats", "performance"}
    # ats starts the ranks itself.
    local = True
    executable = "ats"
    time_limit = "15m"

    @run_after("init")
    def command_line(self):
        self.executable_opts = [
            "validate",
            self.property_,
            f"--np={self.ranks}",
            "--format=json",
            "--skip-missing",
            "-o",
            "runs",
        ]
        if self.tool != "ats":
            self.executable_opts.append(f"--tool={self.tool}")

    @run_before("sanity")
    def read(self):
        with open(os.path.join(self.stagedir, str(self.stdout))) as output:
            text = output.read()
        self.skip_if(not text.strip(), "something is missing on this machine")
        self.result = json.loads(text)

    @sanity_function
    def found_and_nothing_else(self):
        totals = self.result["totals"]
        return sn.all(
            [
                sn.assert_gt(totals["found"], 0, "nothing is found"),
                sn.assert_eq(totals["wrong"] + totals["missed"] + totals["failed"], 0),
                sn.assert_eq(totals["false_alarms"], 0),
            ]
        )

    @run_before("performance")
    def severity_is_as_known(self):
        for program in self.result["programs"]:
            for expected in program["expectations"]:
                name = f"{program['program']}:{expected['wait_state']}"
                known = expected["severity"].get("observed")
                if known:
                    found = expected["severity"]["found"]
                    self.perf_variables[name] = sn.make_performance_function(
                        lambda found=found: found, "1"
                    )
                    self.reference.setdefault("*", {})[name] = (
                        known,
                        -self.tolerance,
                        self.tolerance,
                        "1",
                    )
