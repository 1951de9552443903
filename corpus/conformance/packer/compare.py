#!/usr/bin/env python3
"""Asks Packer about the templates here, and about generated ones, and compares verdicts with `simd-hcl check`.

    apt-get install packer                  (Debian has 1.6.6)
    python3 corpus/conformance/packer/compare.py target/debug/simd-hcl --generated 200 --seed 1

A generated template is one of the cases that Packer accepts, with one change to one file. What differs because of
Packer's age, or on purpose, is in `EXPLAINED`; any other difference is printed, and the exit status is 1.
"""

import argparse
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path += [os.path.join(HERE, ".."), os.path.join(HERE, "../../../fuzz/differential/modules")]
import archive
import mutate

# What plugins say of their own bodies, which only they know.
PLUGIN = r"^\d+ error\(s\) occurred|^(Unknown (build|provisioner|post-processor|type)|Failed preparing|Failed to create|Failed getting)|^Error when preparing|must be (set|specified)"
# Who is laxer, what the other one says, and why.
EXPLAINED = [
    ("laxer", r'named "(required_plugins|data|local|hcp_packer_registry|error-cleanup-provisioner|sensitive|expression|env|max_retries|validation)"', "1.6.6 does not know it yet"),
    ("laxer", r'attribute named "name"', "1.6.6 has no source.name yet"),
    ("laxer", r"Unsuitable value: list of string required", "1.6.6 reads the list of sources literally"),
    ("laxer", r"PACKER CRASH", "1.6.6 crashes"),
    ("laxer", r"Unsupported Packer Core version", "the version that runs is not known"),
    ("laxer", r"Unset variable|used but not set|A used variable must be set", "values of variables are not known"),
    ("laxer", r"Extraneous JSON object property|Missing required argument|Incorrect attribute value type|Missing block label", "the body of a plugin, whose schema is not known"),
    ("laxer", r"Invalid dynamic|(Extraneous|Insufficient) dynamic block label|named \"val[uU][eE]\"|^Unknown source .* on line 0|define arguments and child blocks", "what dynamic blocks make is not evaluated"),
    ("laxer", r"Call to unknown function", "functions of Packer are not checked"),
    ("stricter", r"^duplicate-declaration: This local value", "1.6.6 takes the last of two local values"),
    ("laxer", r"^Unknown source type", "which plugins there are is not known"),
    ("laxer", r"checked by the validation rule|lid<sensitive>tion rule", "validations are not evaluated with defaults"),
    ("stricter", r"^(unknown-variable|undeclared-reference|unknown-attribute|out-of-scope|source-name|invalid-reference|invalid-expression|extra-in-interpolation|missing-item-separator|invalid-attribute-name)", "Packer looks at what a build evaluates only: sources that one uses, provisioners of a source that is right"),
    ("stricter", r"missing-sources", "1.6.6 accepts a build without sources"),
]


def packer(directory, name):
    """What Packer says against a template, plugins apart."""
    environment = {**os.environ, "CHECKPOINT_DISABLE": "1", "PACKER_NO_COLOR": "1", "NO_COLOR": "1"}
    command = ["packer", "validate", name]
    with tempfile.TemporaryDirectory() as work:
        # A crash leaves a file behind.
        copy = shutil.copytree(directory, os.path.join(work, "dir"))
        done = subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, timeout=60)
    if done.returncode == 0:
        return []
    return [each for each in errors(done.stdout + done.stderr) if not re.search(PLUGIN, each)]


def errors(text):
    """The summaries and details of Packer's errors."""
    return [" ".join(part.split()) for part in re.split(r"(?m)^Error: ", text)[1:]] or [" ".join(text.split())]


def ours(binary, directory, name):
    alone = [] if name == "." else ["--alone"]
    command = [binary, "check", "--format", "json", "--quiet", "--dialect", "packer", *alone, name]
    done = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=60)
    return [it for it in json.loads(done.stdout)["diagnostics"] if it["severity"] == "error"]


def cases(unpacked):
    for case in sorted(os.listdir(unpacked)):
        with open(os.path.join(unpacked, case, "expected.json"), encoding="utf-8") as file:
            yield case, os.path.join(unpacked, case, "dir"), json.load(file).get("file", ".")


def generated(unpacked, count, seed, binary):
    """Changed copies of the cases that Packer accepts."""
    accepted = []
    for case, directory, name in cases(unpacked):
        if not packer(directory, name) and not ours(binary, directory, name):
            texts = {}
            for each in sorted(os.listdir(directory)):
                if each.endswith(".pkr.json"):
                    with open(os.path.join(directory, each), encoding="utf-8") as file:
                        texts[each] = file.read()
            accepted.append((case, directory, name, texts))
    print(f"{len(accepted)} cases are accepted by Packer", file=sys.stderr)
    pool = [place for *_, texts in accepted for text in texts.values() for place in mutate.places(mutate.read(text))]
    for number in range(count):
        chance = random.Random(f"{seed}.{number}")
        while True:
            case, directory, name, texts = chance.choice(accepted)
            changed = chance.choice(sorted(texts)) if texts else None
            mutant = changed and mutate.mutate(texts[changed], [chance.choice(pool) for _ in range(4)], chance)
            if mutant:
                break
        with tempfile.TemporaryDirectory() as work:
            copy = os.path.join(work, "dir")
            shutil.copytree(directory, copy)
            with open(os.path.join(copy, changed), "w", encoding="utf-8") as file:
                file.write(mutant[0])
            yield f"{number} {case} {changed} [{mutant[1]} at {mutant[2]}]", copy, name


def compare(binary, title, templates):
    """Whether a difference is not explained."""
    failed = False
    counts, reasons = Counter(), Counter()
    for name, directory, file in templates:
        theirs, mine = packer(directory, file), ours(binary, directory, file)
        side = "same" if bool(theirs) == bool(mine) else "laxer" if theirs else "stricter"
        counts[side] += 1
        if side == "same":
            continue
        told = " | ".join(theirs) if side == "laxer" else " | ".join(f'{it["code"]}: {it["detail"]}' for it in mine)
        reason = next((why for who, pattern, why in EXPLAINED if who == side and re.search(pattern, told)), None)
        if reason:
            reasons[f"{side}: {reason}"] += 1
        else:
            failed = True
            print(f"UNEXPLAINED {side} {title} {name}: {told[:420]}")
    print(title, dict(counts), dict(reasons))
    return failed


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("binary")
    parser.add_argument("--generated", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    binary = os.path.abspath(options.binary)
    with archive.opened(os.path.join(HERE, "cases.txt"), is_kept=True) as unpacked:
        mutants = generated(unpacked, options.generated, options.seed, binary)
        failed = [compare(binary, *templates) for templates in (("cases", cases(unpacked)), ("generated", mutants))]
    sys.exit(any(failed))


if __name__ == "__main__":
    main()
