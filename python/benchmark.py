"""Measures simd_hcl.loads beside python-hcl2, in one process: the best of several runs each. Files in JSON
syntax are measured beside json.loads, as time of the process, with the pass of Python's collector that follows.

    python3 python/benchmark.py [--resources 300] [FILE...]
"""

from __future__ import annotations

import argparse
import gc
import json
import pathlib
import time
from typing import Callable

import hcl2

import simd_hcl

ROOT = pathlib.Path(__file__).resolve().parents[1]

BLOCK = """\
resource "aws_instance" "web_{0}" {{
  ami           = data.aws_ami.ubuntu[{0}].id
  instance_type = var.instance_type
  count         = var.enabled ? {0} : 0
  user_data     = "#!/bin/bash\\necho ${{var.name}}-{0}"
  subnet_ids    = [for subnet in var.subnets : subnet.id if subnet.public]

  tags = {{
    Name  = "web-{0}"
    Owner = local.owner
  }}

  ebs_block_device {{
    device_name = "/dev/sdf"
    volume_size = {0}
  }}
}}
"""


def best(runs: int, work: Callable[[], object]) -> float:
    times = []
    for _ in range(runs):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def kept(work: Callable[[], object]) -> float:
    """The time until the result is there, and the collector has seen it."""
    gc.collect()
    start = time.process_time()
    result = work()
    young = [[] for _ in range(1000)]  # type: list[list[None]]
    taken = time.process_time() - start
    del result, young
    return taken


def beside_json(name: str, text: str) -> None:
    theirs, ours = [], []
    for _ in range(7):
        theirs.append(kept(lambda: json.loads(text)))
        ours.append(kept(lambda: simd_hcl.loads(text, name=name)))
    print(
        f"{name}: {len(text) / 1e6:.1f} MB; json.loads {min(theirs) * 1e3:.0f} ms, "
        f"simd_hcl.loads {min(ours) * 1e3:.0f} ms ({min(ours) / min(theirs):.2f} times as long)"
    )


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--resources", type=int, default=300)
    arguments.add_argument("files", nargs="*", type=pathlib.Path)
    given = arguments.parse_args()
    texts = {str(path): path.read_text() for path in given.files} or {
        f"{given.resources} resources": "\n".join(map(BLOCK.format, range(given.resources)))
    }
    for name, text in texts.items():
        if name.endswith(".json"):
            beside_json(name, text)
            continue
        if simd_hcl.loads(text) != hcl2.loads(text):
            print(f"{name}: the results differ")
        theirs = best(3, lambda: hcl2.loads(text))
        ours = best(30, lambda: simd_hcl.loads(text))
        views = best(30, lambda: simd_hcl.Document.parse(text))
        print(
            f"{name}: {len(text) / 1e3:.0f} kB; python-hcl2 {theirs * 1e3:.1f} ms, "
            f"simd_hcl.loads {ours * 1e3:.2f} ms ({theirs / ours:.0f} times as fast), "
            f"Document.parse {views * 1e3:.2f} ms ({theirs / views:.0f} times as fast)"
        )


if __name__ == "__main__":
    main()
