#!/usr/bin/env python3
"""Compares the findings of simd-hcl with those of tflint: compare.py BINARY CASES.json [TEXT]

CASES.json is the output of convert.py. Compared are the rule, the file and the line of each finding, and the files
after `check --fix --unsafe-fixes` where the tables have them."""
import json
import pathlib
import subprocess
import sys
import tempfile


def run(binary, arguments, folder):
    return subprocess.run([binary, *arguments], cwd=folder, capture_output=True, text=True)


def main():
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    binary, wanted = str(pathlib.Path(sys.argv[1]).resolve()), (sys.argv[3:] or [""])[0]
    rules = json.loads(run(binary, ["rules", "--format", "json"], "/").stdout)["rules"]
    names = {rule["code"]: [rule["tflint"]] if isinstance(rule["tflint"], str) else rule["tflint"] or [] for rule in rules}
    same = differing = fixed = fixes = 0
    for case in json.loads(pathlib.Path(sys.argv[2]).read_text()):
        if wanted not in case["name"]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, text in case["files"].items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(text)
            migrated = run(binary, ["migrate"], root)
            (root / "simd-hcl.toml").write_text(migrated.stdout)
            checked = run(binary, ["check", "--format", "json"], root)
            found = set()
            for it in json.loads(checked.stdout or '{"diagnostics": []}')["diagnostics"]:
                place = (it["range"]["filename"], it["range"]["start"]["line"])
                found |= {(name, *place) for name in names.get(it["code"], [])}
            expected = {(issue["rule"], issue["file"], issue["line"]) for issue in case["issues"]}
            if found == expected:
                same += 1
            else:
                differing += 1
                print(case["name"])
                for what, places in (("  missing", expected - found), ("  extra", found - expected)):
                    for place in sorted(places):
                        print(what, *place)
            if "fixed" in case:
                run(binary, ["check", "--fix", "--unsafe-fixes"], root)
                fixes += 1
                fixed += all((root / path).read_text() == text for path, text in case["fixed"].items())
    print(f"{same} of {same + differing} modules have the same findings; {fixed} of {fixes} the same text after edits")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
