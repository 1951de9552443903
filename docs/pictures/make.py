#!/usr/bin/env python3
"""Takes the pictures of the README: `docs/pictures/make.py target/debug/simd-hcl`. Needs git and Chromium.

A small repository is made and changed; `review` writes the page, and the commands of the terminal are run in it.
"""

import html
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))

SERVICE = """\
variable "name" {}

variable "size" {
  default = 2
}

resource "aws_ecs_service" "this" {
  name          = var.name
  desired_count = var.size
  launch_type   = "EC2"
}

resource "aws_cloudwatch_log_group" "this" {
  name              = "/ecs/${var.name}"
  retention_in_days = 30
}
"""

LIVE = """\
terraform {
  backend "local" {}
  required_providers {
    aws = { source = "hashicorp/aws", version = "~> 5.60" }
  }
}

module "checkout" {
  source = "../../modules/service"
  name   = "checkout-STAGE"
  size   = SIZE
}

resource "aws_s3_bucket" "receipts" {
  bucket = "receipts-STAGE"
}
"""

#: What the change replaces.
CHANGES = [
    ("modules/service/main.tf", '"EC2"', '"FARGATE"'),
    ("modules/service/main.tf", "= 30", "= 90"),
    ("live/prod/main.tf", "= 4", "= 6"),
    ("live/prod/main.tf", "~> 5.60", "~> 6.0"),
    ("live/prod/main.tf", LIVE.replace("STAGE", "prod")[LIVE.replace("STAGE", "prod").index("\nresource"):], ""),
]

#: The commands of the terminal, and an edit before one.
SESSION = [
    (None, "affected --since main --roots"),
    (None, "review --since main live/prod"),
    (("modules/service/main.tf", "= var.size", "= var.sise"), "check --quiet"),
]

#: Colours of the terminal, by the number of the escape sequence.
COLOURS = {"31": "#ff7b72", "32": "#7ee787", "33": "#e3b341", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea"}


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def replace(path, old, new):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert old in text, (path, old)
    write(path, text.replace(old, new))


def coloured(text):
    """Returns text with escape sequences as HTML."""
    parts = re.split(r"\x1b\[([\d;]*)m", text)
    out = [html.escape(parts[0])]
    style = {}
    for codes, part in zip(parts[1::2], parts[2::2]):
        for code in codes.split(";"):
            if code in ("", "0"):
                style = {}
            elif code == "1":
                style["font-weight"] = "bold"
            elif code == "2":
                style["opacity"] = ".7"
            elif code in COLOURS or str(int(code) - 60) in COLOURS:
                style["color"] = COLOURS.get(code) or COLOURS[str(int(code) - 60)]
        css = ";".join(f"{name}:{value}" for name, value in style.items())
        out.append(f'<span style="{css}">{html.escape(part)}</span>' if css else html.escape(part))
    return "".join(out)


def shot(page, picture, width, height):
    subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         f"--window-size={width},{height}", f"--screenshot={os.path.join(HERE, picture)}", f"file://{page}"],
        check=True, stderr=subprocess.DEVNULL, timeout=300)


def main():
    program = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as directory:
        os.chdir(directory)
        write("modules/service/main.tf", SERVICE)
        for stage, size in (("prod", "4"), ("staging", "1")):
            write(f"live/{stage}/main.tf", LIVE.replace("STAGE", stage).replace("SIZE", size))
        write("./simd-hcl.toml", '[replace]\naws_ecs_service = ["launch_type"]\n')
        git = ["git", "-c", "user.name=reader", "-c", "user.email=reader@example.com"]
        for command in (["init", "--quiet", "--initial-branch", "main"], ["add", "."], ["commit", "--quiet", "--message", "base"]):
            subprocess.run(git + command, check=True)
        for change in CHANGES:
            replace(*change)
        page = subprocess.run([program, "review", "--since", "main", "--format", "html"], check=True, capture_output=True, text=True)
        write("./review.html", page.stdout)
        shot(os.path.abspath("review.html"), "review.png", 900, 600)
        lines = []
        for edit, command in SESSION:
            if edit:
                replace(*edit)
            ran = subprocess.run([program, "--color", "always", *command.split()], stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True)
            lines.append(f'<b>$ simd-hcl {html.escape(command)}</b>\n{coloured(ran.stdout.rstrip())}\n')
        write("./terminal.html", '<meta charset="utf-8"><body style="margin:0;background:#0d1117;color:#e6edf3">'
              '<pre style="margin:20px;font:14px/1.45 monospace">' + "\n".join(lines) + "</pre>")
        shot(os.path.abspath("terminal.html"), "terminal.png", 900, 620)


main()
