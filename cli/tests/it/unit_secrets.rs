//! Values that units pass to secret variables of their modules are hidden, on whatever way they get there.

use crate::tool::{commit, git, run, stderr, stdout, tree};

/// In every secret of the files below.
const SECRET: &str = "Tr0ub4dor";

/// A module with two secret variables.
const MODULE: (&str, &str) = (
    "modules/app/main.tf",
    "variable \"password\" {\n  sensitive = true\n}\nvariable \"token\" {\n  ephemeral = true\n  default = null\n}\n\
     variable \"size\" {\n  default = null\n}\n",
);

const SOURCE: &str = "terraform {\n  source = \"${get_repo_root()}/modules/app\"\n}\n";

/// A unit in `live/app`, and files around it.
struct Case {
    name: &'static str,
    unit: &'static str,
    files: &'static [(&'static str, &'static str)],
}

const fn case(
    name: &'static str,
    unit: &'static str,
    files: &'static [(&'static str, &'static str)],
) -> Case {
    Case { name, unit, files }
}

/// In each, texts with `public-` are shown by `query`.
const CASES: &[Case] = &[
    case(
        "merge of the local values of another file",
        "locals {\n  x = read_terragrunt_config(\"../o.hcl\")\n}\ninputs = merge(local.x.locals, {})\n",
        &[("live/o.hcl", "locals {\n  password = \"Tr0ub4dor\"\n  size = \"public-1\"\n}\n")],
    ),
    case(
        "a local value with the name of inputs",
        "locals {\n  inputs = { password = \"Tr0ub4dor\", size = \"public-1\" }\n}\ninputs = local.inputs\n",
        &[],
    ),
    case(
        "a part of a local value with the name of inputs",
        "locals {\n  inputs = { a = { password = \"Tr0ub4dor\", size = \"public-1\" } }\n}\ninputs = local.inputs.a\n",
        &[],
    ),
    case(
        "a local value with the name of local values",
        "locals {\n  locals = { p = \"Tr0ub4dor\", size = \"public-1\" }\n}\ninputs = { password = local.locals.p }\n",
        &[],
    ),
    case(
        "objects that are merged as a whole",
        "locals {\n  a = { password = \"Tr0ub4dor-1\", size = \"public-1\" }\n  b = local.a\n  c = { token = \"Tr0ub4dor-2\" }\n}\n\
         inputs = merge(local.b, try(local.c, {}), true ? { size = 1 } : {})\n",
        &[],
    ),
    case(
        "a file that is read in place",
        "inputs = { password = read_terragrunt_config(\"../o.hcl\").locals.a[\"p\"] }\n",
        &[(
            "live/o.hcl",
            "locals {\n  a = { p = \"Tr0ub4dor\", q = \"public-1\" }\n  size = \"public-2\"\n}\n",
        )],
    ),
    case(
        "inputs of a file that is read in place",
        "inputs = merge(read_terragrunt_config(find_in_parent_folders(\"o.hcl\")).inputs, { size = \"public-1\" })\n",
        &[("live/o.hcl", "inputs = { password = \"Tr0ub4dor\", size = \"public-2\" }\n")],
    ),
    case(
        "inputs of an included file that computes them",
        "include {\n  path = \"../o.hcl\"\n  expose = true\n}\ninputs = { password = include.locals.p }\n",
        &[(
            "live/o.hcl",
            "locals {\n  p = \"Tr0ub4dor-1\"\n  open = \"public-1\"\n  more = { token = \"Tr0ub4dor-2\", size = \"public-2\" }\n}\n\
             inputs = merge(local.more, { size = 3 })\n",
        )],
    ),
    case(
        "a key that is computed, an element of a list, and a splat",
        "locals {\n  env = \"dev\"\n  all = { dev = { p = \"Tr0ub4dor-1\", q = \"public-1\" } }\n\
         \x20 list = [{ p = \"Tr0ub4dor-2\", q = \"public-2\" }]\n}\n\
         inputs = { password = local.all[local.env].p, token = join(\"\", local.list[*].p) }\n",
        &[],
    ),
    case(
        "names that are computed",
        "locals {\n  name = \"password\"\n}\ninputs = { (local.name) = \"Tr0ub4dor\", size = \"public-1\" }\n",
        &[],
    ),
    case(
        "a default of lookup",
        "locals {\n  m = { q = \"public-1\" }\n  d = \"Tr0ub4dor\"\n}\ninputs = { password = lookup(local.m, \"p\", local.d) }\n",
        &[],
    ),
    case(
        "environment variables",
        "terraform {\n  extra_arguments \"e\" {\n    commands = [\"plan\"]\n    env_vars = {\n      TF_VAR_password = local.s\n\
         \x20     TF_VAR_token = \"Tr0ub4dor-2\"\n      TF_VAR_size = \"public-1\"\n    }\n  }\n}\nlocals {\n  s = \"Tr0ub4dor-1\"\n}\n",
        &[],
    ),
    case(
        "environment variables of an included file that are merged",
        "include \"o\" {\n  path = \"../o.hcl\"\n}\n",
        &[(
            "live/o.hcl",
            "locals {\n  e = { TF_VAR_password = \"Tr0ub4dor\", OTHER = \"public-1\" }\n}\nterraform {\n  extra_arguments \"e\" {\n\
             \x20   commands = [\"plan\"]\n    env_vars = merge(local.e, {})\n  }\n}\n",
        )],
    ),
    case(
        "arguments",
        "terraform {\n  extra_arguments \"e\" {\n    commands = [\"plan\"]\n    arguments = [\"-var\", \"password=Tr0ub4dor-1\"]\n  }\n\
         \x20 extra_arguments \"f\" {\n    commands = [\"plan\"]\n    arguments = [\"-lock=${local.lock}\", \"-var=token=${local.s}\"]\n  }\n\
         \x20 extra_arguments \"g\" {\n    commands = [\"plan\"]\n    arguments = [\"-var\", \"size=public-1\"]\n  }\n}\n\
         locals {\n  s = \"Tr0ub4dor-2\"\n  lock = \"public-2\"\n}\n",
        &[],
    ),
    case(
        "arguments that are computed",
        "terraform {\n  extra_arguments \"e\" {\n    commands = [\"plan\"]\n    arguments = local.args\n  }\n}\n\
         locals {\n  args = [\"-var\", \"password=Tr0ub4dor\"]\n  open = \"public-1\"\n}\n",
        &[],
    ),
    case(
        "a file whose name ends like that of values",
        "inputs = { password = read_terragrunt_config(\"../my.terragrunt.values.hcl\").locals.p }\n",
        &[(
            "live/my.terragrunt.values.hcl",
            "locals {\n  p = \"Tr0ub4dor\"\n  q = \"public-1\"\n}\n",
        )],
    ),
    case(
        "files of variables",
        "terraform {\n  extra_arguments \"e\" {\n    commands = [\"plan\"]\n\
         \x20   required_var_files = [\"${get_terragrunt_dir()}/../vars/a.tfvars\"]\n\
         \x20   optional_var_files = [\"../more/b.tfvars.json\"]\n    arguments = [\"-var-file=../third/c.tfvars\"]\n  }\n}\n\
         locals {\n  open = \"public-0\"\n}\n",
        &[
            ("live/vars/a.tfvars", "password = \"Tr0ub4dor-1\"\nsize = \"public-1\"\n"),
            ("live/more/b.tfvars.json", r#"{"token": "Tr0ub4dor-2", "size": "public-2"}"#),
            ("live/third/c.tfvars", "token = \"Tr0ub4dor-3\"\nsize = \"public-3\"\n"),
            ("live/app/terraform.tfvars", "password = \"Tr0ub4dor-4\"\nsize = \"public-4\"\n"),
        ],
    ),
    case(
        "a file of variables that a function reads",
        "locals {\n  v = jsondecode(read_tfvars_file(\"../vars/a.tfvars\"))\n}\n\
         inputs = merge({ password = local.v.key }, jsondecode(read_tfvars_file(\"../vars/b.tfvars\")))\n",
        &[
            ("live/vars/a.tfvars", "key = \"Tr0ub4dor-1\"\nopen = \"public-1\"\n"),
            ("live/vars/b.tfvars", "token = \"Tr0ub4dor-2\"\nsize = \"public-2\"\n"),
        ],
    ),
    case(
        "variables that a generated file declares",
        "generate \"v\" {\n  path = \"v.tf\"\n  if_exists = \"overwrite\"\n\
         \x20 contents = \"variable \\\"made\\\" {\\n  sensitive = true\\n}\\n\"\n}\n\
         inputs = { made = \"Tr0ub4dor-1\", beside = \"Tr0ub4dor-2\", password = 1, size = \"public-1\" }\n",
        &[("live/app/more.tf", "variable \"beside\" {\n  sensitive = true\n}\n")],
    ),
    case(
        "variables that are passed on to a module",
        "inputs = { through = \"Tr0ub4dor\", password = 1, size = \"public-1\" }\n",
        &[
            (
                "modules/app/more.tf",
                "variable \"through\" {}\nmodule \"c\" {\n  source = \"./c\"\n  inner = var.through\n}\n",
            ),
            ("modules/app/c/c.tf", "variable \"inner\" {\n  sensitive = true\n}\n"),
        ],
    ),
    case(
        "a stack, a file that it includes, and what it merges over a unit",
        "inputs = { password = values.p, size = values.q }\n",
        &[
            (
                "live/s/terragrunt.stack.hcl",
                "locals {\n  t = \"Tr0ub4dor-3\"\n  open = \"public-3\"\n}\n\
                 include \"more\" {\n  path = \"./more.hcl\"\n}\n\
                 unit \"a\" {\n  source = \"../app\"\n  path = \"a\"\n  values = merge({ p = \"Tr0ub4dor-1\" }, { q = 1 })\n\
                 \x20 autoinclude {\n    inputs = {\n      token = local.t\n      size = \"public-4\"\n    }\n  }\n}\n",
            ),
            (
                "live/s/more.hcl",
                "unit \"b\" {\n  source = \"../app\"\n  path = \"b\"\n  values = { p = \"Tr0ub4dor-2\", q = \"public-2\" }\n}\n",
            ),
        ],
    ),
    case(
        "the state",
        "locals {\n  open = \"public-1\"\n}\nremote_state {\n  backend = \"s3\"\n  config = {\n    bucket = \"public-2\"\n\
         \x20   key = \"public-3\"\n    secret_key = \"Tr0ub4dor\"\n  }\n}\n",
        &[(
            "live/o.hcl",
            "remote_state = {\n  backend = \"s3\"\n  config = { access_key = \"Tr0ub4dor-4\", region = \"public-4\" }\n}\n",
        )],
    ),
];

/// Units whose text is a secret as configuration of a module: in each, texts with `public-` are shown by `query`.
const CONSTANTS: &[Case] = &[
    case(
        "a provider that is generated",
        "locals {\n  open = \"public-1\"\n  own = \"Tr0ub4dor-2\"\n  region = \"public-2\"\n  copy = local.own\n}\n\
         generate \"p\" {\n  path = \"p.tf\"\n  if_exists = \"overwrite\"\n  contents = <<-EOT\n    provider \"aws\" {\n\
         \x20     region = \"${local.region}\"\n      secret_key = \"Tr0ub4dor-1\"\n      token = \"a-${local.own}\"\n    }\n  EOT\n}\n",
        &[],
    ),
    case(
        "a text that is made elsewhere",
        "locals {\n  open = \"public-1\"\n  text = \"provider \\\"aws\\\" {\\n  secret_key = \\\"Tr0ub4dor-1\\\"\\n}\\n\"\n}\n\
         generate \"p\" {\n  path = \"p.tf\"\n  if_exists = \"overwrite\"\n  contents = local.text\n}\n\
         generate \"q\" {\n  path = \"q.tf\"\n  if_exists = \"overwrite\"\n  contents = \"provider \\\"aws\\\" {\\n  region = \\\"public-2\\\"\\n}\\n\"\n}\n",
        &[],
    ),
    case(
        "a backend, values of variables, and defaults that are generated",
        "locals {\n  open = \"public-1\"\n}\n\
         generate \"b\" {\n  path = \"b.tf\"\n  if_exists = \"overwrite\"\n\
         \x20 contents = \"terraform  {\\n  backend \\\"s3\\\" {\\n    secret_key = \\\"Tr0ub4dor-1\\\"\\n  }\\n}\\n\"\n}\n\
         generate \"v\" {\n  path = \"v.auto.tfvars\"\n  if_exists = \"overwrite\"\n  contents = \"password = \\\"Tr0ub4dor-2\\\"\\n\"\n}\n",
        &[],
    ),
    case(
        "a state of a file that is read",
        "locals {\n  o = read_terragrunt_config(\"../o.hcl\")\n  copy = local.o.remote_state.config\n  open = \"public-1\"\n}\n\
         remote_state {\n  backend = local.o.remote_state.backend\n  config = local.o.remote_state.config\n}\n",
        &[(
            "live/o.hcl",
            "remote_state {\n  backend = \"s3\"\n  config = {\n    bucket = \"public-2\"\n    secret_key = \"Tr0ub4dor-1\"\n  }\n}\n\
             generate \"p\" {\n  path = \"p.tf\"\n  if_exists = \"overwrite\"\n\
             \x20 contents = \"provider \\\"aws\\\" {\\n  token = \\\"Tr0ub4dor-2\\\"\\n}\\n\"\n}\n",
        )],
    ),
];

/// The commands that print values of configuration.
fn commands() -> Vec<Vec<&'static str>> {
    let mut commands: Vec<Vec<&str>> = Vec::new();
    for pattern in ["**", "*", "inputs", "locals.*", "unit.**", "terraform", "**.arguments"] {
        commands.push(vec!["query", pattern, ".", "--format", "json"]);
    }
    let places = [
        "live/app",
        "live/o.hcl",
        "live/s",
        "live/vars/a.tfvars",
        "live/vars/b.tfvars",
        "live/more/b.tfvars.json",
        "live/third/c.tfvars",
    ];
    for place in places {
        commands.push(vec!["query", "**", place, "--format", "json"]);
    }
    commands.push(vec!["query", "**", ".", "--format", "human"]);
    commands.push(vec!["templates", ".", "--format", "json"]);
    commands.push(vec!["inspect", ".", "--format", "json"]);
    commands.push(vec!["diff", "empty", "live", "--format", "json"]);
    commands.push(vec!["diff", "live", "empty", "--format", "json"]);
    commands.push(vec!["units", ".", "--stacks", "--render", "--format", "json"]);
    commands.push(vec!["expand", "live/app", "--format", "json"]);
    commands.push(vec!["why", "var.password", "live/app", "--format", "json"]);
    commands
}

#[test]
fn what_is_passed_to_secret_variables_is_hidden() {
    let mut wrong = Vec::new();
    for Case { name, unit, files } in CASES.iter().chain(CONSTANTS) {
        let unit = match unit.contains("terraform {") {
            true => unit.replace("terraform {", &SOURCE[..SOURCE.len() - 2]),
            false => format!("{SOURCE}{unit}"),
        };
        let mut all = vec![
            (".git/HEAD", ""),
            ("empty/main.tf", ""),
            ("live/app/terragrunt.hcl", unit.as_str()),
            MODULE,
        ];
        all.extend(*files);
        let tree = tree(&all);
        let (mut all, mut shown) = (String::new(), String::new());
        for command in commands() {
            let output = run(tree.path(), &command);
            let text = stdout(&output) + &stderr(&output);
            if text.contains(SECRET) {
                wrong.push(format!("{name}: {command:?}: {text}"));
            }
            if command[0] == "query" {
                all += &text;
            }
            if command[..2] == ["query", "**"] {
                let command = [&command[..], &["--show-sensitive"]].concat();
                shown += &stdout(&run(tree.path(), &command));
            }
        }
        let texts = std::iter::once(unit.as_str()).chain(files.iter().map(|(_, text)| *text));
        for text in texts {
            for (at, _) in text.match_indices("public-") {
                let public = &text[at..at + "public-".len() + 1];
                if !all.contains(public) {
                    wrong.push(format!("{name}: {public} is hidden: {all}"));
                }
            }
            for (at, _) in text.match_indices(SECRET) {
                let secret: String = text[at..]
                    .chars()
                    .take_while(|it| it.is_alphanumeric() || *it == '-')
                    .collect();
                if !shown.contains(&secret) {
                    wrong.push(format!("{name}: {secret} is never shown"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Values that are made of what is hidden are hidden where they are listed, and others are not.
#[test]
fn what_is_made_of_secrets_is_hidden() {
    let unit = format!(
        "{SOURCE}{}",
        r#"
locals {
  s     = "Tr0ub4dor-1"
  t     = local.s
  u     = upper(local.t)
  list  = [local.s, "x"]
  text  = "a ${local.s} b"
  inner = { a = { b = local.t }, open = "public-1" }
  copy  = local.inner
  part  = local.inner.open
  other = read_terragrunt_config("../o.hcl")
  again = local.other.locals
  both  = merge(local.inner, { more = "public-2" })
  count = length("public")
}
inputs = {
  password = local.s
  token    = local.other.locals.secret
  size     = local.t
  beside   = { secret = local.again.secret, open = local.part }
}
"#
    );
    let tree = tree(&[
        (".git/HEAD", ""),
        ("live/app/terragrunt.hcl", &unit),
        (
            "live/o.hcl",
            "locals {\n  secret = \"Tr0ub4dor-2\"\n  copy = local.secret\n  open = \"public-3\"\n}\n",
        ),
        MODULE,
    ]);
    for format in ["json", "human", "ndjson"] {
        let rendered = ["units", ".", "--render", "--format", format];
        let output = run(tree.path(), &rendered);
        let text = stdout(&output) + &stderr(&output);
        assert!(!text.to_lowercase().contains(&SECRET.to_lowercase()), "{format}: {text}");
    }
    let rendered = run(tree.path(), &["units", ".", "--render", "--format", "json"]);
    let unit = &crate::tool::json(&rendered)["units"][0];
    let (inputs, locals) = (&unit["inputs"], &unit["locals"]);
    let hidden = serde_json::json!("(sensitive)");
    assert_eq!(inputs["size"], hidden);
    assert_eq!(inputs["beside"]["open"], "public-1");
    for name in ["s", "t", "u", "text"] {
        assert_eq!(locals[name], hidden, "{name}: {locals:#}");
    }
    assert_eq!(locals["inner"], locals["copy"]);
    assert_eq!(locals["copy"]["a"]["b"], hidden);
    assert_eq!(locals["copy"]["open"], "public-1");
    assert_eq!(locals["both"]["more"], "public-2");
    assert_eq!(locals["other"]["locals"]["open"], "public-3");
    assert_eq!(locals["again"]["open"], "public-3");
    assert_eq!(locals["again"]["secret"], hidden);
    assert_eq!(locals["count"], 6);
    assert_eq!(locals["part"], "public-1");
}

/// Values that the module of a unit hides are hidden wherever the unit passes them.
#[test]
fn evaluated_modules_hide_the_secrets_of_their_unit() {
    let module = "variable \"password\" {\n  sensitive = true\n}\nvariable \"size\" {}\n\
         variable \"beside\" {\n  type = object({ secret = string, open = string })\n}\n\
         variable \"keys\" {\n  type = list(string)\n}\nvariable \"given\" {\n  default = null\n}\nvariable \"other\" {\n  default = null\n}\n\
         locals {\n  upper = upper(var.size)\n}\n\
         resource \"x_y\" \"z\" {\n  for_each = toset(var.keys)\n  name = each.key\n}\n\
         resource \"x_y\" \"w\" {\n  a = var.size\n  b = var.beside.open\n  c = local.upper\n  d = var.given\n  e = var.other\n  f = \"public-4\"\n}\n\
         output \"o\" {\n  value = var.beside\n}\noutput \"p\" {\n  value = local.upper\n}\n";
    let unit = "terraform {\n  source = \"${get_repo_root()}/modules/app\"\n  extra_arguments \"e\" {\n    commands = [\"plan\"]\n\
         \x20   env_vars = { TF_VAR_given = local.s }\n    arguments = [\"-var\", \"other=x-${local.s}\"]\n  }\n}\n\
         locals {\n  s = \"Tr0ub4dor-1\"\n  fails = parseint(local.s, 10)\n  open = parseint(\"public-5\", 10)\n}\n\
         generate \"more\" {\n  path = \"more.tf\"\n  if_exists = \"overwrite\"\n\
         \x20 contents = \"resource \\\"x_y\\\" \\\"made\\\" {\\n  a = \\\"${local.s}\\\"\\n}\\n\"\n}\n\
         inputs = {\n  password = local.s\n  size = local.s\n  beside = { secret = \"x ${local.s} y\", open = \"public-1\" }\n  keys = [\"public-2\", local.s]\n}\n";
    let files =
        [(".git/HEAD", ""), ("modules/app/main.tf", module), ("live/app/terragrunt.hcl", unit)];
    let tree = tree(&files);
    let mut commands: Vec<Vec<&str>> = Vec::new();
    for format in ["json", "ndjson", "human"] {
        commands.push(vec!["expand", "live/app", "--format", format]);
        commands.push(vec!["units", ".", "--render", "--format", format]);
        commands.push(vec!["units", ".", "--dependencies", "--format", format]);
        for address in [
            "var.size",
            "var.beside",
            "output.o",
            "output.p",
            "local.upper",
            "x_y.w.a",
            "x_y.w.d",
            "x_y.w.e",
            "x_y.made.a",
        ] {
            commands.push(vec!["why", address, "live/app", "--format", format]);
        }
    }
    for command in &commands {
        let output = run(tree.path(), command);
        let text = stdout(&output) + &stderr(&output);
        let is_told = text.to_lowercase().contains(&SECRET.to_lowercase());
        assert!(!is_told, "{command:?}: {text}");
        if matches!(command[0], "expand" | "why") {
            let shown = run(tree.path(), &[&command[..], &["--show-sensitive"]].concat());
            assert!(stdout(&shown).to_lowercase().contains("tr0ub4dor"), "{command:?}");
        }
    }
    let expanded = stdout(&run(tree.path(), &["expand", "live/app", "--format", "json"]));
    for public in ["public-1", "public-4"] {
        assert!(expanded.contains(public), "{public}: {expanded}");
    }
    assert!(!expanded.contains("secret-instances"), "{expanded}");
    let listed = stdout(&run(tree.path(), &["units", ".", "--render", "--format", "json"]));
    assert!(listed.contains("public-5"), "{listed}");
}

/// Functions of the module tell no secret of files that its unit generates.
#[test]
fn generated_files_tell_no_secret() {
    let module = "variable \"password\" {\n  sensitive = true\n}\n\
         resource \"x_y\" \"z\" {\n  a = file(\"made.txt\")\n  b = file(\"open.txt\")\n  c = filebase64(\"./made.txt\")\n\
         \x20 d = fileexists(\"made.txt\")\n  e = templatefile(\"${path.module}/made.txt\", {})\n  f = file(\"kept.txt\")\n}\n\
         output \"o\" {\n  value = x_y.z.a\n}\n";
    let with = |number: usize| {
        format!(
            "terraform {{\n  source = \"${{get_repo_root()}}/modules/app\"\n}}\n\
             locals {{\n  s = \"Tr0ub4dor-{number}\"\n}}\n\
             generate \"made\" {{\n  path = \"made.txt\"\n  if_exists = \"overwrite\"\n  contents = \"x ${{local.s}}\"\n}}\n\
             generate \"open\" {{\n  path = \"open.txt\"\n  if_exists = \"overwrite\"\n  contents = \"public-1\"\n}}\n\
             generate \"kept\" {{\n  path = \"kept.txt\"\n  if_exists = \"skip\"\n  contents = \"public-2\"\n}}\n\
             inputs = {{\n  password = local.s\n}}\n"
        )
    };
    let files = [("live/app/terragrunt.hcl", &*with(1)), ("modules/app/main.tf", module)];
    let tree = tree(&files);
    let path = tree.path();
    git(path, &["init", "-q"]);
    commit(path);
    std::fs::write(path.join("live/app/terragrunt.hcl"), with(2)).unwrap();
    for format in ["json", "ndjson", "human"] {
        for command in [
            &["expand", "live/app"][..],
            &["why", "x_y.z.a", "live/app"],
            &["why", "x_y.z.c", "live/app"],
            &["why", "output.o", "live/app"],
            &["review", "--since", "HEAD"],
            &["affected", "--since", "HEAD"],
        ] {
            let command = [command, &["--format", format]].concat();
            let output = run(path, &command);
            let text = stdout(&output) + &stderr(&output);
            assert!(!text.contains(SECRET), "{command:?}: {text}");
            assert!(!text.contains("VHIwdWI0ZG9y"), "{command:?}: {text}");
            assert!(!text.contains("error"), "{command:?}: {text}");
        }
    }
    let expanded = stdout(&run(path, &["expand", "live/app"]));
    assert!(expanded.contains("public-1") && expanded.contains("public-2"), "{expanded}");
    let shown = run(path, &["expand", "live/app", "--show-sensitive"]);
    assert!(stdout(&shown).contains("x Tr0ub4dor-2"), "{}", stdout(&shown));
    let shown = run(path, &["review", "--since", "HEAD", "--show-sensitive"]);
    assert!(stdout(&shown).contains("x Tr0ub4dor-1"), "{}", stdout(&shown));
}

/// Errors of expressions tell no value that a unit hides, whether they are findings or gaps; others tell
/// theirs.
#[test]
fn errors_of_expressions_tell_no_secret() {
    let unit = format!(
        "{SOURCE}locals {{\n  s = \"Tr0ub4dor-1\"\n  fails = parseint(local.s, 10)\n  key = lookup({{}}, local.s)\n  map = lookup(tomap({{}}), upper(local.s))\n  open = parseint(\"public-1\", 10)\n}}\n\
         inputs = {{\n  password = local.s\n  token = parseint(\"Tr0ub4dor-2\", 10)\n  size = timeadd(local.s, \"1h\")\n}}\n"
    );
    let stack = "locals {\n  t = \"Tr0ub4dor-3\"\n}\nunit \"a\" {\n  source = \"../taken\"\n  path = \"a\"\n\
                 \x20 values = { p = parseint(local.t, 10), q = parseint(\"public-2\", 10) }\n}\n";
    let taken = format!("{SOURCE}inputs = {{ password = values.p, size = values.q }}\n");
    let tree = tree(&[
        (".git/HEAD", ""),
        ("live/app/terragrunt.hcl", &unit),
        ("live/taken/terragrunt.hcl", &taken),
        ("live/s/terragrunt.stack.hcl", stack),
        MODULE,
    ]);
    let details = |text: &str| {
        let lines = text.lines().filter(|line| line.contains("\"detail\""));
        lines.map(str::to_owned).collect::<String>()
    };
    for format in ["json", "human", "csv", "ndjson"] {
        let output = run(tree.path(), &["units", ".", "--stacks", "--render", "--format", format]);
        let text = stdout(&output) + &stderr(&output);
        assert!(!text.contains(SECRET), "{format}: {text}");
        assert!(text.contains("public-1") && text.contains("public-2"), "{format}: {text}");
    }
    for command in [&["expand", "live/app"][..], &["why", "var.size", "live/app"]] {
        let output = run(tree.path(), command);
        let text = stdout(&output) + &stderr(&output);
        assert!(!text.contains(SECRET), "{command:?}: {text}");
        assert!(text.contains("public-1"), "{command:?}: {text}");
    }
    // Excerpts have source text.
    let checked = details(&stdout(&run(tree.path(), &["check", ".", "--format", "json"])));
    assert!(!checked.contains(SECRET), "{checked}");
    assert!(checked.contains("public-1"), "{checked}");
    let shown = run(tree.path(), &["units", ".", "--render", "--show-sensitive"]);
    assert!((stdout(&shown) + &stderr(&shown)).contains(SECRET));
}

/// Both sides of a comparison hide what units of their revision hide.
#[test]
fn revisions_hide_the_secrets_of_units() {
    let with = |number: usize| {
        format!(
            "{SOURCE}locals {{\n  s = \"Tr0ub4dor-{number}\"\n  open = \"public-{number}\"\n}}\n\
             inputs = {{\n  password = local.s\n  size = local.s\n}}\n"
        )
    };
    let module = "variable \"password\" {\n  sensitive = true\n}\nvariable \"size\" {}\nresource \"x_y\" \"z\" {\n  a = var.size\n}\n";
    let given =
        |number: usize| format!("password = \"Tr0ub4dor-{number}\"\nopen = \"public-{number}\"\n");
    let tree = tree(&[
        ("live/app/terragrunt.hcl", &with(1)),
        ("live/app/terraform.tfvars", &given(1)),
        ("modules/app/main.tf", module),
    ]);
    let path = tree.path();
    let commit = |message: &str| {
        git(path, &["add", "."]);
        git(path, &["commit", "-qm", message]);
    };
    git(path, &["init", "-q"]);
    commit("one");
    std::fs::write(path.join("live/app/terragrunt.hcl"), with(2)).unwrap();
    std::fs::write(path.join("live/app/terraform.tfvars"), given(2)).unwrap();
    commit("two");
    for format in ["json", "human", "ndjson"] {
        for command in [
            &["diff", "HEAD~1", "."][..],
            &["diff", "HEAD~1", "HEAD"],
            &["diff", "HEAD~1:live", "HEAD:live"],
            &["diff", "HEAD~1", "live"],
            &["review", "--since", "HEAD~1"],
            &["review", "--since", "HEAD~1..HEAD"],
        ] {
            let command = [command, &["--format", format]].concat();
            let output = run(path, &command);
            let text = stdout(&output) + &stderr(&output);
            assert!(!text.contains(SECRET), "{command:?}: {text}");
            let shown = stdout(&run(path, &[&command[..], &["--show-sensitive"]].concat()));
            assert!(
                shown.contains("Tr0ub4dor-1") && shown.contains("Tr0ub4dor-2"),
                "{command:?}: {shown}"
            );
            assert!(command[0] == "review" || text.contains("public-2"), "{command:?}: {text}");
        }
    }
}

/// Names that are computed of what is hidden are hidden with the whole object, in values and in what is made of them.
#[test]
fn computed_names_are_hidden() {
    let unit = format!(
        "{SOURCE}{}",
        r#"
locals {
  secret = "Tr0ub4dor-1"
  named  = { (local.secret) = 1 }
  text   = { "a-${local.secret}-b" = "x", open = "hidden-with-it" }
  inner  = { a = { "${upper(local.secret)}" = {} }, open = "public-1" }
  list   = [{ (local.secret) = 1 }]
  merged = merge({ (local.secret) = 1 }, { b = 2 })
  each   = { for key in [local.secret] : key => 1 }
  copy   = local.named
  deep   = local.inner.a
  open   = { (local.plain) = "public-2" }
  plain  = "public-name"
}
inputs = {
  password = local.secret
  size     = local.named
  (local.secret) = 2
}
"#
    );
    let tree = tree(&[
        (".git/HEAD", ""),
        ("live/app/terragrunt.hcl", &unit),
        MODULE,
        ("empty/main.tf", ""),
    ]);
    for format in ["json", "ndjson", "human"] {
        let command = ["units", ".", "--render", "--format", format];
        let output = run(tree.path(), &command);
        let text = stdout(&output) + &stderr(&output);
        let upper = text.contains("TR0UB4DOR");
        assert!(!text.contains(SECRET) && !upper, "{command:?}: {text}");
        if format != "human" {
            for public in ["public-1", "public-2", "public-name"] {
                assert!(text.contains(public), "{public}: {text}");
            }
        }
        let shown = stdout(&run(tree.path(), &[&command[..], &["--show-sensitive"]].concat()));
        assert!(format == "human" || shown.contains("TR0UB4DOR-1"), "{shown}");
    }
}

/// Paths that are made of what is hidden, in lists of files and units, and in messages about them.
#[test]
fn paths_that_are_made_of_secrets_are_hidden() {
    let unit = format!(
        "{SOURCE}{}",
        r#"
locals {
  secret = "Tr0ub4dor-1"
  read   = read_terragrunt_config("../${local.secret}/o.hcl")
  text   = file("../${local.secret}/t.txt")
}
dependency "d" {
  config_path = "../${local.secret}"
}
dependencies {
  paths = ["../missing-${local.secret}", "../public-unit"]
}
exclude {
  if      = false
  actions = [local.secret, "plan"]
}
inputs = {
  password = local.secret
}
"#
    );
    let tree = tree(&[
        (".git/HEAD", ""),
        ("live/app/terragrunt.hcl", &unit),
        ("live/Tr0ub4dor-1/o.hcl", "locals {\n  a = 1\n}\n"),
        ("live/Tr0ub4dor-1/t.txt", "text"),
        ("live/public-unit/terragrunt.hcl", ""),
        MODULE,
    ]);
    for format in ["json", "ndjson", "human"] {
        for flags in [
            &["--dependencies"][..],
            &["--reading"],
            &["--exclude"],
            &["--dag", "--include"],
            &["--dependencies", "--reading", "--exclude", "--include", "--dag"],
        ] {
            let command = [&["units", "live/app", "--format", format], flags].concat();
            let output = run(tree.path(), &command);
            let text = stdout(&output) + &stderr(&output);
            assert!(!text.contains(SECRET), "{command:?}: {text}");
            let asks = flags.contains(&"--dependencies") && format != "human";
            assert!(!asks || text.contains("public-unit"), "{command:?}: {text}");
        }
    }
}
