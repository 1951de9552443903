//! Configuration in native syntax: the same resources and references as [`config`](crate::config()),
//! written as people write them, with comments, heredocs, nested blocks and `for` expressions.

use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::module::{Kind, Module, Name, Repetition};
use crate::rng::Rng;
use crate::words::{
    ACTIONS, COLOURS, DB_CLASSES, ENGINES, INSTANCE_TYPES, PORTS, SERVICES, SIZES, STORAGE_CLASSES,
    TIERS,
};
use crate::{Stats, TreeStats};

/// How much is collected before it goes to the output.
const PIECE: usize = 256 * 1024;

/// The options of [`native`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NativeOptions {
    /// Resources; about 450 bytes each.
    pub resources: u64,
    /// The same seed gives the same bytes, on every platform.
    pub seed: u64,
}

impl Default for NativeOptions {
    /// A thousand resources: about 0.45 MB.
    fn default() -> Self {
        Self { resources: 1000, seed: 1 }
    }
}

/// Writes a line of formatted text.
macro_rules! line {
    ($out:expr, $($argument:tt)*) => {
        // Writing to a string does not fail.
        let _ = writeln!($out, $($argument)*);
    };
}

/// Writes one configuration as a single file. Every reference in it is declared in it.
///
/// `out` gets pieces of a quarter of a megabyte and does not need a buffer. [`Stats::values`]
/// counts blocks.
///
/// # Errors
///
/// The first error of `out`.
pub fn native(options: &NativeOptions, out: &mut (impl Write + ?Sized)) -> io::Result<Stats> {
    let module = Module::new(options.seed, "prod", options.resources);
    let mut text = String::with_capacity(PIECE + PIECE / 4);
    let mut stats = Stats::default();
    settings(&module, &mut text);
    variables(&module, &mut text);
    locals(&module, &mut text);
    data(&module, &mut text);
    for kind in Kind::WRITTEN {
        for index in 0..module.count(kind) {
            resource(&module, kind, index, &mut text);
            if text.len() >= PIECE {
                hand_on(&mut text, &mut stats, out)?;
            }
        }
    }
    outputs(&module, &mut text);
    hand_on(&mut text, &mut stats, out)?;
    Ok(stats)
}

fn hand_on(
    text: &mut String,
    stats: &mut Stats,
    out: &mut (impl Write + ?Sized),
) -> io::Result<()> {
    out.write_all(text.as_bytes())?;
    stats.bytes += text.len() as u64;
    stats.values += text.lines().filter(|line| is_block(line)).count() as u64;
    text.clear();
    Ok(())
}

fn is_block(line: &str) -> bool {
    line.ends_with(" {") && !line.contains(" = ")
}

/// As [`native`], into memory.
#[must_use]
pub fn native_bytes(options: &NativeOptions) -> Vec<u8> {
    let mut out = Vec::with_capacity(options.resources as usize * 480);
    // Writing to memory does not fail.
    drop(native(options, &mut out));
    out
}

/// The name of a file, and what writes its text.
type Part<'p> = (&'p str, &'p dyn Fn(&mut String));

/// Writes modules of six native files each, one in each of `dirs` directories below `root`, which
/// is made where it is missing.
///
/// # Errors
///
/// The first directory or file that cannot be written.
pub fn native_tree(dirs: u64, seed: u64, root: &Path) -> io::Result<TreeStats> {
    let mut stats = TreeStats::default();
    for index in 0..dirs {
        let mut rng = Rng::of(seed, 301, index);
        // Few directories are large: a fifth holds most of the resources.
        let resources = match index % 23 {
            0 => 200 + rng.below(400),
            1..=5 => 60 + rng.below(110),
            _ => 6 + rng.below(36),
        };
        let service = SERVICES[index as usize % SERVICES.len()];
        let module = Module::new(rng.next(), format!("{service}-{index}"), resources);
        let path = root.join(format!("teams/{service}/{service}-{index:04}"));
        fs::create_dir_all(&path)?;
        let main = |text: &mut String| {
            for kind in Kind::WRITTEN {
                (0..module.count(kind)).for_each(|index| resource(&module, kind, index, text));
            }
        };
        let values = |text: &mut String| {
            line!(text, "environment = \"dev\"\nprefix      = \"{}\"", module.stack);
            line!(text, "cidrs       = [\"10.0.0.0/8\", \"172.16.0.0/12\"]");
        };
        let around = |text: &mut String| {
            locals(&module, text);
            data(&module, text);
        };
        let parts: [Part<'_>; 6] = [
            ("main.tf", &main),
            ("context.tf", &around),
            ("variables.tf", &|text| variables(&module, text)),
            ("outputs.tf", &|text| outputs(&module, text)),
            ("versions.tf", &|text| settings(&module, text)),
            ("terraform.tfvars", &values),
        ];
        for (name, part) in parts {
            let mut text = String::new();
            part(&mut text);
            fs::write(path.join(name), &text)?;
            stats.files += 1;
            stats.bytes += text.len() as u64;
        }
        stats.dirs += 1;
    }
    Ok(stats)
}

fn settings(module: &Module, out: &mut String) {
    let stack = &module.stack;
    out.push_str(
        "terraform {\n  required_version = \">= 1.6.0\"\n\n  required_providers {\n    aws = {\n      \
         source  = \"hashicorp/aws\"\n      version = \"~> 5.60\"\n    }\n  }\n\n",
    );
    line!(out, "  backend \"s3\" {{\n    bucket  = \"acme-state\"\n    encrypt = true");
    line!(out, "    key     = \"{stack}.tfstate\"\n    region  = \"eu-central-1\"\n  }}\n}}\n");
    out.push_str(
        "provider \"aws\" {\n  region = var.region\n\n  default_tags {\n    tags = local.common_tags\n  }\n}\n\n\
         provider \"aws\" {\n  alias  = \"replica\"\n  region = \"eu-west-1\"\n}\n\n",
    );
}

fn variables(module: &Module, out: &mut String) {
    let texts = [
        ("db_password", "null", "Master password of the databases"),
        ("prefix", "\"acme\"", "Put before every name"),
        ("region", "\"eu-central-1\"", "Where everything runs"),
        ("vpc", "\"vpc-0a1b2c3d\"", "The network"),
    ];
    for (name, preset, description) in texts {
        line!(out, "variable \"{name}\" {{\n  description = \"{description}\"");
        line!(out, "  type        = string\n  default     = {preset}\n}}\n");
    }
    for (name, preset) in [("cidrs", "\"10.0.0.0/8\""), ("subnets", "\"subnet-0a\", \"subnet-0b\"")]
    {
        line!(
            out,
            "variable \"{name}\" {{\n  type    = list(string)\n  default = [{preset}]\n}}\n"
        );
    }
    out.push_str(
        "variable \"environment\" {\n  description = \"Stage: dev, staging or prod\"\n  type        = string\n  \
         default     = \"dev\"\n\n  validation {\n    condition     = contains([\"dev\", \"staging\", \"prod\"], \
         var.environment)\n    error_message = \"One of dev, staging and prod.\"\n  }\n}\n\n",
    );
    for index in 0..module.variables {
        let mut rng = Rng::of(module.seed, 101, index);
        line!(out, "variable \"limit_{index:05}\" {{\n  type    = number");
        line!(out, "  default = {} # of {}\n}}\n", 1 + rng.below(500), rng.pick(&SERVICES));
    }
}

fn locals(module: &Module, out: &mut String) {
    out.push_str("locals {\n  common_tags = {\n    Environment = var.environment\n");
    line!(out, "    Stack       = \"{}\"\n  }}\n", module.stack);
    out.push_str("  production = var.environment == \"prod\"\n");
    for index in 0..module.locals {
        let mut rng = Rng::of(module.seed, 102, index);
        match rng.below(3) {
            _ if index < module.variables => {
                line!(out, "  setting_{index:05} = var.limit_{index:05} * 2");
            }
            0 => {
                let count = 2 + rng.below(8);
                line!(out, "  setting_{index:05} = local.production ? {count} : 1");
            }
            _ => {
                let service = rng.pick(&SERVICES);
                line!(out, "  setting_{index:05} = {{");
                line!(
                    out,
                    "    for name in var.subnets : name => \"${{name}}-{service}\" if name != \"\""
                );
                line!(out, "  }}");
            }
        }
    }
    out.push_str("}\n\n");
}

fn data(module: &Module, out: &mut String) {
    for index in 0..module.images {
        let release = 20 + 2 * Rng::of(module.seed, 103, index).below(3);
        line!(out, "data \"aws_ami\" \"image_{index}\" {{\n  most_recent = true");
        line!(out, "  owners      = [\"099720109477\"]\n\n  filter {{\n    name   = \"name\"");
        line!(out, "    values = [\"ubuntu/images/*-{release}.04-*\"]\n  }}\n}}\n");
    }
}

fn outputs(module: &Module, out: &mut String) {
    line!(out, "output \"stack\" {{\n  description = \"Name of the stack\"");
    line!(out, "  value       = \"${{var.prefix}}-{}\"\n}}", module.stack);
    for index in 0..module.outputs {
        let kind = Kind::WRITTEN[index as usize % 5];
        let of_kind = index / 5;
        if of_kind < module.count(kind) {
            let name = module.name(kind, of_kind);
            line!(out, "\noutput \"{name}_id\" {{\n  description = \"Identifier of {name}\"");
            line!(out, "  value       = {}.id\n}}", module.address(kind, of_kind));
        }
    }
}

fn resource(module: &Module, kind: Kind, index: u64, out: &mut String) {
    let name = module.name(kind, index);
    let rng = &mut module.rng(kind, index);
    if rng.one_in(4) {
        line!(out, "# {} of {}, see docs/{}.md", name.role, name.service, name.service);
    }
    line!(out, "resource \"{}\" \"{name}\" {{", kind.resource_type());
    match kind {
        Kind::Bucket => bucket(module, index, name, rng, out),
        Kind::Policy => policy(module, name, rng, out),
        Kind::SecurityGroup => security_group(name, rng, out),
        Kind::Database => database(module, name, rng, out),
        Kind::Instance => instance(module, index, name, rng, out),
    }
    tags(module, name, rng, out);
    out.push_str("}\n\n");
}

fn tags(module: &Module, name: Name, rng: &mut Rng, out: &mut String) {
    let Name { service, role, .. } = name;
    if rng.one_in(2) {
        line!(out, "\n  tags = {{\n    Name = \"${{var.prefix}}-{role}\"");
    } else {
        line!(out, "\n  tags = {{\n    Name = \"{service}-{role}\"");
    }
    line!(out, "    Team = \"{}\"\n    Tier = \"{}\"\n  }}", module.owner(name), rng.pick(&TIERS));
}

fn bucket(module: &Module, index: u64, name: Name, rng: &mut Rng, out: &mut String) {
    if module.repetition(Kind::Bucket, index) == Repetition::ForEach {
        let [blue, green] = COLOURS;
        line!(out, "  for_each = toset([\"{blue}\", \"{green}\"])");
        line!(out, "  bucket   = \"{}-{:05x}-${{each.key}}\"", name.service, name.id);
    } else {
        line!(out, "  bucket = \"${{var.prefix}}-{:05x}\"", name.id);
    }
    if rng.one_in(8) {
        line!(out, "  provider = aws.replica // until the move");
    }
    line!(out, "\n  lifecycle_rule {{\n    enabled = true\n    id      = \"old\"\n");
    for (at, class) in STORAGE_CLASSES.into_iter().enumerate() {
        line!(out, "    transition {{\n      days          = {}", 30 + 60 * at);
        line!(out, "      storage_class = \"{class}\"\n    }}\n");
    }
    line!(out, "    expiration {{\n      days = {}\n    }}\n  }}", 30 * (13 + rng.below(24)));
}

fn policy(module: &Module, name: Name, rng: &mut Rng, out: &mut String) {
    line!(out, "  name = \"{}-{:05x}\"", name.role, name.id);
    line!(out, "  policy = jsonencode({{\n    Version = \"2012-10-17\"\n    Statement = [");
    line!(out, "      {{\n        Effect   = \"Allow\"");
    line!(out, "        Action   = [\"{}\", \"{}\"]", rng.pick(&ACTIONS), rng.pick(&ACTIONS));
    if let Some(bucket) = module.some(Kind::Bucket, rng) {
        line!(out, "        Resource = \"${{{bucket}.arn}}/*\"");
    }
    line!(out, "      }},");
    line!(out, "    ]\n  }})");
}

fn security_group(name: Name, rng: &mut Rng, out: &mut String) {
    let port = rng.pick(&PORTS);
    line!(out, "  name   = \"{}-{:05x}\"\n  vpc_id = var.vpc\n", name.service, name.id);
    if rng.one_in(4) {
        line!(out, "  dynamic \"ingress\" {{\n    for_each = var.cidrs\n    content {{");
        line!(out, "      from_port   = {port}\n      to_port     = {port}");
        line!(
            out,
            "      protocol    = \"tcp\"\n      cidr_blocks = [ingress.value]\n    }}\n  }}"
        );
    } else {
        line!(out, "  ingress {{\n    from_port   = {port}\n    to_port     = {port}");
        line!(out, "    protocol    = \"tcp\"\n    cidr_blocks = var.cidrs\n  }}");
    }
    line!(out, "\n  lifecycle {{\n    create_before_destroy = true\n  }}");
}

fn database(module: &Module, name: Name, rng: &mut Rng, out: &mut String) {
    line!(out, "  allocated_storage = {}\n  engine            = \"{}\"", rng.pick(&SIZES), {
        rng.pick(&ENGINES)
    });
    line!(out, "  instance_class    = \"{}\"\n  iops              = 3000", rng.pick(&DB_CLASSES));
    line!(
        out,
        "  multi_az          = local.production || {}",
        if rng.one_in(2) { "true" } else { "false" }
    );
    line!(out, "  password          = var.db_password\n  port              = 5432");
    line!(out, "  username          = \"{}\"", name.service);
    groups(module, rng, out);
    if rng.one_in(4)
        && let Some(policy) = module.some(Kind::Policy, rng)
    {
        // An address without the key of an instance, as `depends_on` takes it.
        let policy = policy.to_string();
        line!(out, "  depends_on = [{}]", policy.split('[').next().unwrap_or_default());
    }
    line!(out, "\n  lifecycle {{\n    ignore_changes = [password]\n  }}");
}

fn instance(module: &Module, index: u64, name: Name, rng: &mut Rng, out: &mut String) {
    let Name { service, role, .. } = name;
    if let Repetition::Count(count) = module.repetition(Kind::Instance, index) {
        line!(out, "  count = {count}\n");
    }
    line!(out, "  ami           = data.aws_ami.image_{}.id", rng.below(module.images));
    line!(out, "  instance_type = \"{}\"", rng.pick(&INSTANCE_TYPES));
    line!(out, "  subnet_id     = var.subnets[{}]", rng.below(2));
    groups(module, rng, out);
    line!(
        out,
        "\n  user_data = <<-EOT\n    #!/bin/bash\n    set -euo pipefail\n    cat > /etc/{service}.env <<'EOF'"
    );
    line!(out, "    STAGE=${{var.environment}}\n    ROLE={role}");
    if let Some(bucket) = module.some(Kind::Bucket, rng) {
        line!(out, "    BUCKET=${{{bucket}.id}}");
    }
    line!(
        out,
        "    EOF\n    systemctl enable --now {service}-{role}@{}.service\n  EOT\n",
        rng.below(4)
    );
    line!(out, "  root_block_device {{\n    encrypted   = true");
    line!(out, "    volume_size = {}\n  }}", rng.pick(&SIZES));
    if rng.one_in(4) {
        line!(out, "\n  lifecycle {{\n    ignore_changes = [ami, tags[\"Tier\"]]\n  }}");
    }
}

/// The security group of half of the machines.
fn groups(module: &Module, rng: &mut Rng, out: &mut String) {
    let used = rng.one_in(2);
    if let Some(group) = module.some(Kind::SecurityGroup, rng).filter(|_| used) {
        line!(out, "  vpc_security_group_ids = [{group}.id]");
    }
}
