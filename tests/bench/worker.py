"""A process of its own for each side of a comparison, so that neither pays for the other.

It takes one job per line on its standard input and answers with what the job gave and cost.
Imports count for nobody: they are done before the first job.
"""

from __future__ import annotations

import importlib
import json
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))

from tests.bench.measuring import Memory, Spent, memory, timed


class JobFailed(Exception):
    """The other process could not do its job; the text says why."""


class Outcome(NamedTuple):
    """What a job gave and cost; `before` and `after` it the memory of its process."""

    answer: Any
    spent: Spent
    before: Memory
    after: Memory


class Worker:
    """Has the jobs of a module done, one after the other, in a process of their own."""

    def __init__(self, module: str, env: Mapping[str, str] | None = None) -> None:
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            [sys.executable, __file__, module],
            stdin=pipe,
            stdout=pipe,
            env={**os.environ, **(env or {})},
            text=True,
        )

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def run(self, job: str, **given: Any) -> Outcome:
        """Do a job; raises `JobFailed`."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(json.dumps([job, given]), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            raise JobFailed(f"{job}: the process ended")
        answer, failure, spent, before, after = json.loads(line)
        if failure is not None:
            raise JobFailed(f"{job}: {failure}")
        return Outcome(answer, Spent(*spent), Memory(*before), Memory(*after))

    def cpu(self, job: str, **given: Any) -> float:
        """Do a job; only its CPU seconds are of interest."""
        return self.run(job, **given).spent.cpu

    def end(self) -> None:
        if self._process.stdin is not None:
            self._process.stdin.close()
        self._process.wait()
        if self._process.stdout is not None:
            self._process.stdout.close()


def serve(module: str) -> None:
    """Be the other process."""
    answers, sys.stdout = sys.stdout, sys.stderr
    jobs = importlib.import_module(module).JOBS
    for line in sys.stdin:
        job, given = json.loads(line)
        before, spent, answer, failure = memory(), Spent(0, 0), None, None
        try:
            # The default holds the job: the function is called before the next line comes.
            answer, spent = timed(lambda job=job, given=given: jobs[job](**given))
        except Exception as error:
            failure = f"{type(error).__name__}: {error}"
        print(json.dumps([answer, failure, spent, before, memory()]), file=answers, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
