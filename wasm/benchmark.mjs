// Measures converters of HCL to JSON: node benchmark.mjs [PACKAGE...]. Each package has the functions of @cdktf/hcl2json; the built
// `pkg-hcl2json` is always measured. Prints the time from the import to the first answer, in a process of its own, and the
// speed for a file of 1 MB.

import { spawnSync } from "node:child_process";
import { fileURLToPath, pathToFileURL } from "node:url";

const BLOCK = `resource "aws_instance" "web" {
  ami           = data.aws_ami.ubuntu.id
  instance_type = "t3.\${var.size}"
  tags          = merge(local.tags, { Name = "web-\${count.index}", Cost = 1.5 })
  user_data     = <<-EOT
    #!/bin/sh
    echo "%{ if var.debug }\${local.greeting}%{ endif }"
  EOT
  dynamic "ebs_block_device" {
    for_each = [for disk in var.disks : disk if disk.size > 10]
    content {
      size = ebs_block_device.value
    }
  }
}
`;

async function measure(specifier) {
  const start = performance.now();
  const { default: all, parse = all.parse } = await import(specifier);
  await parse("main.tf", "a = 1");
  const first = performance.now() - start;
  const text = BLOCK.repeat(Math.ceil(1e6 / BLOCK.length));
  const times = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const before = performance.now();
    await parse("main.tf", text);
    times.push(performance.now() - before);
  }
  const memory = process.memoryUsage.rss() / 1e6;
  const speed = text.length / 1e3 / Math.min(...times);
  console.log(`first answer ${first.toFixed(1)} ms, ${speed.toFixed(2)} MB/s, ${memory.toFixed(0)} MB resident`);
}

if (process.env.HCL2JSON_MEASURED) {
  await measure(process.env.HCL2JSON_MEASURED);
  process.exit(0);
}
const ours = fileURLToPath(new URL("./pkg-hcl2json/hcl2json.js", import.meta.url));
for (const name of [pathToFileURL(ours).href, ...process.argv.slice(2)]) {
  const env = { ...process.env, HCL2JSON_MEASURED: name };
  const { stdout, stderr } = spawnSync(process.execPath, [fileURLToPath(import.meta.url)], { env, encoding: "utf-8" });
  console.log(`${name.split("/").slice(-2).join("/")}: ${stdout.trim() || stderr.trim().split("\n").at(-1)}`);
}
