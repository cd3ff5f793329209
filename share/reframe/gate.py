"""A gate by cause as a test of ReFrame: a program of yours beside kept runs of it.

    reframe -c share/reframe/gate.py -r -S ats_gate.program='mpirun -np 4 ./heat' -S ats_gate.kept=/path/to/performance

It fails if a cause is new, a delay has moved, a share has grown, or functions are called more often than in the kept runs, each
the answer of `ats explain TRACE --format json`.
"""

import glob
import json
import os

import reframe as rfm
import reframe.utility.sanity as sn


@rfm.simple_test
class ats_gate(rfm.RunOnlyRegressionTest):
    program = variable(str, value="mpirun -np 4 ./program")
    record = variable(str, value="ats record -o trace --")
    kept = variable(str, value="performance")

    descr = "Whether a program waits for other causes than in kept runs"
    valid_systems = ["*"]
    valid_prog_environs = ["*"]
    tags = {"ats", "performance"}
    # ats starts the ranks itself.
    local = True
    time_limit = "15m"

    @run_after("init")
    def command_line(self):
        self.executable = self.record
        self.executable_opts = [self.program]

    @run_before("run")
    def gate(self):
        kept = sorted(glob.glob(os.path.join(os.path.abspath(self.kept), "*.json")))
        self.skip_if(not kept, f"{self.kept} has no kept runs")
        baselines = " ".join(f"--baseline {file}" for file in kept)
        # What is wrong is in gate.json; a gate that fails is told from a command that does not work by it.
        self.postrun_cmds = [
            f"ats explain trace {baselines} --format json > gate.json || true"
        ]

    @sanity_function
    def nothing_is_worse(self):
        with open(os.path.join(self.stagedir, "gate.json")) as answer:
            gate = json.load(answer)["gate"]
        return sn.all(
            [
                sn.assert_eq(gate["numbers"][state], 0, f"{state}: {gate['problems']}")
                for state in ["new", "moved", "grown", "more_calls"]
            ]
        )
