//! `docs`: pages are those of terraform-docs, and files get them only where they belong.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use simd_hcl_corpus::cases;

use crate::tool::{git, run, simd_hcl, status, stderr, stdout, tree};

const MODULE: &str = "# The size.\nvariable \"size\" {\n  type    = number\n  default = 1\n}\n";
const MARKERS: &str = "before\n<!-- BEGIN_TF_DOCS -->\nold\n<!-- END_TF_DOCS -->\nafter\n";
const TO_README: &str = "output:\n  file: README.md\n";

/// Every case of the corpus, whose answers are those of terraform-docs.
#[test]
fn pages_are_those_of_terraform_docs() {
    for case in cases("docs") {
        let output = run(&case, &["docs", "module"]);
        let expected = fs::read_to_string(case.join("expected")).unwrap();
        assert_eq!(stderr(&output), "", "{}", case.display());
        assert_eq!(stdout(&output), expected, "{}", case.display());
    }
}

/// The 150 runs of the shared data: pages, written files, and what is refused.
#[test]
fn runs_are_those_of_terraform_docs() {
    let data = std::env::var_os("SIMD_HCL_DATA").map(PathBuf::from).unwrap_or_default();
    let Ok(text) = fs::read_to_string(data.join("terraform-docs/cases.json")) else {
        println!("skipped: runs of terraform-docs (SIMD_HCL_DATA has none)");
        return;
    };
    let cases: Value = serde_json::from_str(&text).unwrap();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    for case in cases.as_array().unwrap() {
        let name = text(&case["name"]);
        let files: Vec<(String, String)> = case["files"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(it, of)| (format!("module/{it}"), text(of)))
            .collect();
        let files: Vec<(&str, &str)> = files.iter().map(|(it, of)| (&**it, &**of)).collect();
        let directory = tree(&files);
        fs::create_dir_all(directory.path().join("module")).unwrap();
        let mut arguments = vec!["docs"];
        for flag in ["format", "config"] {
            if let Some(value) = case[flag].as_str() {
                arguments.extend([if flag == "format" { "--format" } else { "--config" }, value]);
            }
        }
        arguments.push("module");
        let output = run(directory.path(), &arguments);
        assert_eq!(status(&output) != 0, case["exit"] != 0, "{name}: {}", stderr(&output));
        if let Some(expected) = case["stdout"].as_str() {
            match expected.starts_with('{') {
                true => assert_eq!(
                    serde_json::from_str::<Value>(&stdout(&output)).unwrap(),
                    serde_json::from_str::<Value>(expected).unwrap(),
                    "{name}"
                ),
                false => assert_eq!(stdout(&output), expected, "{name}"),
            }
        }
        let mut expected: Vec<(String, String)> =
            files.iter().map(|(it, of)| ((*it).to_owned(), (*of).to_owned())).collect();
        for (file, content) in case["writes"].as_object().into_iter().flatten() {
            let file = format!("module/{file}");
            expected.retain(|(known, _)| *known != file);
            expected.push((file, text(content)));
        }
        expected.sort();
        assert_eq!(all_files(directory.path()), expected, "{name}");
    }
}

/// The files below a directory, with their texts.
fn all_files(directory: &Path) -> Vec<(String, String)> {
    let (mut found, mut open) = (Vec::new(), vec![directory.to_owned()]);
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
                continue;
            }
            let name = path.strip_prefix(directory).unwrap().to_str().unwrap().replace('\\', "/");
            found.push((name, fs::read_to_string(path).unwrap()));
        }
    }
    found.sort();
    found
}

fn read(directory: &Path, name: &str) -> String {
    fs::read_to_string(directory.join(name)).unwrap()
}

#[test]
fn check_and_diff() {
    let directory = tree(&[
        ("m/main.tf", MODULE),
        ("m/.terraform-docs.yml", TO_README),
        ("m/README.md", MARKERS),
    ]);
    let check = run(directory.path(), &["docs", "--check", "m"]);
    assert_eq!((status(&check), &*stdout(&check)), (1, "m/README.md\n"));
    assert_eq!(read(directory.path(), "m/README.md"), MARKERS);
    let diff = run(directory.path(), &["docs", "--check", "--diff", "m"]);
    assert_eq!(status(&diff), 1);
    assert!(stdout(&diff).starts_with("--- a/m/README.md\n+++ b/m/README.md\n@@ "));
    assert!(stdout(&diff).contains("\n-old\n"));
    assert_eq!(read(directory.path(), "m/README.md"), MARKERS);
    let write = run(directory.path(), &["docs", "m"]);
    assert_eq!((status(&write), &*stdout(&write)), (0, "m/README.md\n"));
    let text = read(directory.path(), "m/README.md");
    assert!(text.starts_with("before\n<!-- BEGIN_TF_DOCS -->\n## Requirements"));
    assert!(text.ends_with("<!-- END_TF_DOCS -->\nafter\n"));
    for arguments in [&["docs", "m"][..], &["docs", "--check", "m"]] {
        let again = run(directory.path(), arguments);
        assert_eq!((status(&again), &*stdout(&again)), (0, ""));
    }
}

#[test]
fn a_module_with_a_syntax_error_stops_no_other() {
    let directory = tree(&[
        (".terraform-docs.yml", TO_README),
        ("a/main.tf", MODULE),
        ("b/main.tf", "variable \"x\" {\n"),
        ("b/README.md", MARKERS),
        ("c/main.tf", MODULE),
    ]);
    git(directory.path(), &["init", "-q"]);
    let output = run(directory.path(), &["docs", "--recursive"]);
    assert_eq!(status(&output), 1, "{}", stderr(&output));
    assert_eq!(stdout(&output), "a/README.md\nc/README.md\n");
    assert!(stderr(&output).contains("b/main.tf:1"), "{}", stderr(&output));
    assert_eq!(read(directory.path(), "b/README.md"), MARKERS);
}

/// The tools refuse it. terraform-docs reads such a file with the parser of Terraform 0.11.
#[test]
fn a_lone_carriage_return_is_an_error() {
    for (end, expected) in [("\r\n", 0), ("\r\n\r", 1), ("\r", 1), ("\r\n# end\r", 0)] {
        let text = format!("variable \"size\" {{\r\n  default = 1\r\n}}{end}");
        let directory = tree(&[("m/main.tf", &text)]);
        let output = run(directory.path(), &["docs", "m"]);
        assert_eq!(status(&output), expected, "{end:?}: {}", stderr(&output));
        assert_eq!(stderr(&output).contains("invalid-character"), expected == 1, "{end:?}");
    }
}

#[test]
fn a_template_ends_by_its_budget() {
    let loop_of = |count: u32| {
        let call = "{{ regexReplaceAll \"a+\" \"ab\" \"c\" }}";
        format!("content: |-\n  {{{{ range until {count} }}}}{call}{{{{ end }}}}\n")
    };
    for (count, expected) in [(2_000, 0), (100_000, 2)] {
        let settings = loop_of(count);
        let directory = tree(&[("m/main.tf", MODULE), ("m/.terraform-docs.yml", &settings)]);
        let output = run(directory.path(), &["docs", "m"]);
        assert_eq!(status(&output), expected, "{}", stderr(&output));
        let message =
            "m/.terraform-docs.yml:2:1: regexReplaceAll: the template takes too much time";
        assert_eq!(stderr(&output).contains(message), expected == 2, "{}", stderr(&output));
    }
}

#[test]
fn errors_in_settings_have_their_line() {
    for (settings, error) in [
        (
            "settings:\n  anchr: true\n",
            "m/.terraform-docs.yml:2:3: unknown member \"anchr\"; did you mean \"anchor\"?",
        ),
        (
            "sort:\n  by: nme\n",
            "m/.terraform-docs.yml:2:7: unknown order \"nme\"; did you mean \"name\"?",
        ),
        (
            "formatter: markdwon\n",
            "m/.terraform-docs.yml:1:12: unknown formatter \"markdwon\"; did you mean \"markdown\"?",
        ),
        (
            "content: |-\n  a\n  {{ .Nothing }}\n",
            "m/.terraform-docs.yml:3:1: there is no field \"Nothing\"",
        ),
        ("settings:\n  indent: [1]\n", "m/.terraform-docs.yml:2:11: expected a text"),
        ("a: [\n", "m/.terraform-docs.yml:2:1: "),
        (
            "version: \"< 0.10\"\n",
            "m/.terraform-docs.yml:1:10: the settings ask for version < 0.10",
        ),
        ("header-from: no.md\n", "m/.terraform-docs.yml:1:14: there is no file \"no.md\""),
        (
            "output:\n  file: x.md\n  template: x\n",
            "m/.terraform-docs.yml:3:13: the template does not have",
        ),
    ] {
        let directory = tree(&[("m/main.tf", MODULE), ("m/.terraform-docs.yml", settings)]);
        let output = run(directory.path(), &["docs", "m"]);
        assert_eq!(status(&output), 2, "{settings}");
        assert!(stderr(&output).starts_with(&format!("simd-hcl: {error}")), "{}", stderr(&output));
        assert_eq!(stdout(&output), "");
    }
    let directory = tree(&[("m/main.tf", MODULE)]);
    let output = run(directory.path(), &["docs", "--config", "no.yml", "m"]);
    assert_eq!(status(&output), 2);
}

#[test]
fn settings_of_directories_are_merged() {
    let directory = tree(&[
        (
            ".terraform-docs.yml",
            "output:\n  file: README.md\nsettings:\n  anchor: false\n  type: false\n",
        ),
        ("a/main.tf", MODULE),
        ("a/b/.config/.terraform-docs.yml", "settings:\n  type: true\n"),
        ("a/b/main.tofu", MODULE),
        ("a/b/c/main.tf", MODULE),
        ("a/left/main.tf", MODULE),
    ]);
    git(directory.path(), &["init", "-q"]);
    let output = run(&directory.path().join("a"), &["docs", "--recursive", "."]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output), "README.md\nb/README.md\nb/c/README.md\nleft/README.md\n");
    let row = |name: &str| {
        let text = read(directory.path(), name);
        text.lines().find(|line| line.starts_with("| size")).unwrap().to_owned()
    };
    assert_eq!(row("a/README.md"), "| size | The size. | `1` | no |");
    assert_eq!(row("a/b/README.md"), "| size | The size. | `number` | `1` | no |");
    assert_eq!(row("a/b/c/README.md"), "| size | The size. | `number` | `1` | no |");
}

#[test]
fn only_files_with_markers_are_written() {
    let directory = tree(&[
        (".terraform-docs.yml", TO_README),
        ("a/main.tf", MODULE),
        ("b/main.tf", MODULE),
        ("b/README.md", MARKERS),
        ("c/main.tf", MODULE),
        ("c/README.md", "text\n"),
    ]);
    git(directory.path(), &["init", "-q"]);
    let output = run(directory.path(), &["docs", "--recursive", "--marked", "."]);
    assert_eq!((status(&output), &*stdout(&output)), (0, "b/README.md\n"));
    assert!(!directory.path().join("a/README.md").exists());
    assert_eq!(read(directory.path(), "c/README.md"), "text\n");
}

#[test]
fn sensitive_defaults_are_hidden() {
    let module = "variable \"key\" {\n  sensitive = true\n  default = \"hunter2\"\n}\n\
                  variable \"none\" {\n  sensitive = true\n  default = null\n}\n";
    let directory = tree(&[("m/main.tf", module)]);
    for format in ["markdown-table", "markdown-document", "json", "asciidoc-table"] {
        let hidden = stdout(&run(directory.path(), &["docs", "--format", format, "m"]));
        assert!(hidden.contains("(sensitive)") && !hidden.contains("hunter2"), "{hidden}");
        assert!(hidden.contains("null"), "{hidden}");
        let arguments = ["docs", "--format", format, "--show-sensitive", "m"];
        assert!(stdout(&run(directory.path(), &arguments)).contains("hunter2"));
    }
}

#[test]
fn the_thread_count_does_not_matter() {
    let mut files = vec![(".terraform-docs.yml".to_owned(), TO_README.to_owned())];
    for number in 0..300 {
        files.push((format!("m{number}/main.tf"), MODULE.replace("size", &format!("v{number}"))));
    }
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (&**name, &**text)).collect();
    let directory = tree(&files);
    git(directory.path(), &["init", "-q"]);
    let of = |threads| {
        stdout(&run(
            directory.path(),
            &["docs", "--recursive", "--check", "--diff", "--threads", threads],
        ))
    };
    let one = of("1");
    assert!(one.contains("+++ b/m299/README.md"));
    assert_eq!(of("3"), one);
}

/// Templates get defaults as values, and places as they are named. The answer is that of terraform-docs.
#[test]
fn templates_get_values_and_places() {
    let module = "variable \"text\" {\n  default = \"a<b\"\n}\nvariable \"none\" {\n  default = null\n}\n\
        variable \"big\" {\n  default = 100000000\n}\nvariable \"empty\" {\n  default = \"\"\n}\n\
        variable \"map\" {\n  default = { b = [1, null], a = true }\n}\noutput \"o\" {\n  value = 1\n}\n";
    let content = "{{ range .Module.Inputs }}{{ .Name }}={{ .Default }}:{{ if .Default }}y{{ end }} {{ end }}\
        {{ range .Module.Outputs }}{{ .Value }}{{ .HasDefault }}{{ .Position.Filename }}:{{ .Position.Line }}{{ end }} \
        {{ .Config.Formatter }} {{ .Config.ModuleRoot }} {{ .Config.Settings.Color }}{{ .Config.Output.Mode }}";
    let directory = tree(&[
        ("m/main.tf", module),
        ("m/.terraform-docs.yml", &format!("formatter: md tbl\ncontent: '{content}'\n")),
    ]);
    let page = stdout(&run(directory.path(), &["docs", "m"]));
    assert_eq!(
        page,
        "big=1e+08:y empty=: map=map[a:true b:[1 <nil>]]:y none=&{}:y text=a<b:y \
         <nil>falsem/main.tf:16 md tbl m trueinject\n"
    );
}

/// As in terraform-docs, the section has its heading and no entries.
#[test]
fn hidden_resources_leave_a_heading() {
    let section = "sections:\n  show: [data-sources]\n";
    let directory = tree(&[("m/main.tf", "resource \"a_b\" \"c\" {\n}\n")]);
    for (formatter, expected) in [
        ("markdown table", "## Resources\n\n| Name | Type |\n| ---- | ---- |\n"),
        ("markdown document", "## Resources\n\nThe following resources are used by this module:\n"),
        (
            "asciidoc table",
            "== Resources\n\n[cols=\"a,a\",options=\"header,autowidth\"]\n|===\n|Name |Type\n|===\n",
        ),
    ] {
        let settings = format!("formatter: {formatter}\n{section}");
        fs::write(directory.path().join("m/.terraform-docs.yml"), settings).unwrap();
        assert_eq!(stdout(&run(directory.path(), &["docs", "m"])), expected, "{formatter}");
    }
}

#[test]
fn several_modules_need_files() {
    let directory = tree(&[("a/main.tf", MODULE), ("b/main.tf", MODULE)]);
    let output = run(directory.path(), &["docs", "a", "b"]);
    assert_eq!((status(&output), &*stdout(&output)), (2, ""));
    assert!(stderr(&output).contains("`output.file`"), "{}", stderr(&output));
    let output = run(directory.path(), &["docs", "--check", "a"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("nothing to check"), "{}", stderr(&output));
    // Settings for several modules, of which there is one.
    let settings = "formatter: markdown\nrecursive:\n  enabled: true\n  path: .\n";
    fs::write(directory.path().join("a/.terraform-docs.yml"), settings).unwrap();
    let output = run(directory.path(), &["docs", "a"]);
    assert_eq!((status(&output), &*stdout(&output)), (2, ""));
}

/// Settings of a pull request get at nothing outside of the repository.
#[test]
fn nothing_outside_is_read_or_written() {
    let directory = tree(&[("outside/secret.md", "SECRET\n"), ("repo/m/main.tf", MODULE)]);
    let repo = directory.path().join("repo");
    git(&repo, &["init", "-q"]);
    let outside = directory.path().join("outside/secret.md");
    let absolute = format!("output:\n  file: {:?}\n", outside.to_str().unwrap());
    for settings in [
        "header-from: ../../outside/secret.md\n",
        "footer-from: ../../outside/secret.md\n",
        "content: '{{ include \"../../outside/secret.md\" }}'\n",
        "output-values:\n  enabled: true\n  from: ../outside/secret.md\n",
        "output:\n  file: ../../outside/secret.md\n",
        "output:\n  file: ../../outside/new.md\n",
        &absolute,
    ] {
        fs::write(repo.join("m/.terraform-docs.yml"), settings).unwrap();
        let output = run(&repo, &["docs", "m"]);
        let all = stdout(&output) + &stderr(&output);
        assert_eq!(status(&output), 2, "{settings}: {all}");
        assert!(!all.contains("SECRET"), "{settings}: {all}");
        assert_eq!(all_files(&directory.path().join("outside")).len(), 1);
        assert_eq!(fs::read_to_string(&outside).unwrap(), "SECRET\n");
    }
}

#[cfg(unix)]
#[test]
fn links_that_lead_outside_are_not_written_through() {
    use std::os::unix::fs::symlink;
    let directory = tree(&[
        ("outside/target.md", MARKERS),
        ("outside/vars.tf", "variable \"SECRET\" {}\n"),
        ("repo/m/main.tf", MODULE),
        ("repo/m/.terraform-docs.yml", TO_README),
        ("repo/m/inside.md", MARKERS),
        ("repo/l/main.tf", MODULE),
    ]);
    let repo = directory.path().join("repo");
    git(&repo, &["init", "-q"]);
    symlink("../../outside/target.md", repo.join("m/README.md")).unwrap();
    let output = run(&repo, &["docs", "m"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("outside of the given paths"), "{}", stderr(&output));
    assert_eq!(read(directory.path(), "outside/target.md"), MARKERS);
    // A link that stays inside is written through, and stays a link.
    fs::remove_file(repo.join("m/README.md")).unwrap();
    symlink("inside.md", repo.join("m/README.md")).unwrap();
    assert_eq!(status(&run(&repo, &["docs", "m"])), 0);
    assert!(repo.join("m/README.md").is_symlink());
    assert!(read(&repo, "m/inside.md").contains("## Inputs"));
    // A file of the module that leads outside is not read, and no page is made without it.
    symlink("../../outside/vars.tf", repo.join("l/vars.tf")).unwrap();
    let output = run(&repo, &["docs", "l"]);
    assert_eq!((status(&output), &*stdout(&output)), (1, ""));
    let output = run(&repo, &["docs", "--follow-links", "l"]);
    assert!(stdout(&output).contains("SECRET"));
}

#[test]
fn a_page_needs_little_time_whatever_it_has() {
    let long = "a_b http://x/a_b ".repeat(20_000);
    let nested = "[".repeat(3000) + &"]".repeat(3000);
    let module = format!(
        "variable \"long\" {{\n  description = \"{long}\"\n}}\nvariable \"deep\" {{\n  default = {nested}\n}}\n"
    );
    let bomb = "content: '{{ $a := list 1 2 3 4 5 6 7 8 }}{{ range until 1000000 }}{{ $a = list $a $a $a $a }}{{ end }}{{ $a }}'\n";
    let directory =
        tree(&[("m/main.tf", &module), ("n/main.tf", MODULE), ("n/.terraform-docs.yml", bomb)]);
    let mut command = simd_hcl(&["docs", "m"]);
    let output = command.current_dir(directory.path()).output().unwrap();
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let output = run(directory.path(), &["docs", "n"]);
    assert_eq!(status(&output), 2);
    assert!(stderr(&output).contains("the result is too large"), "{}", stderr(&output));
}

#[test]
fn optional_defaults_and_attributes() {
    let module = "variable \"rules\" {\n  type = list(object({\n    # The port.\n    port = number\n    from = optional(string, \"any\")\n    tags = optional(map(object({ a = bool })))\n  }))\n  default = [{ port = 1 }]\n}\n";
    let directory = tree(&[
        ("m/main.tf", module),
        ("simd-hcl.toml", "[docs]\noptional-defaults = true\nattributes = true\n"),
    ]);
    let page = stdout(&run(directory.path(), &["docs", "m"]));
    let rows: Vec<&str> = page.lines().filter(|line| line.contains("#input\\_")).collect();
    let cells = |row: &str| row.split(" | ").skip(1).map(str::to_owned).collect::<Vec<_>>();
    assert!(rows[0].contains("<pre>[<br/>  {<br/>    \"from\": \"any\",<br/>    \"port\": 1,<br/>    \"tags\": null<br/>  }<br/>]</pre>"), "{page}");
    assert!(rows[1].contains("[rules[*].port]"), "{page}");
    assert_eq!(cells(rows[1]), ["The port.", "`number`", "n/a", "yes |"]);
    assert_eq!(cells(rows[2]), ["n/a", "`string`", "`\"any\"`", "no |"]);
    assert_eq!(cells(rows[3]), ["n/a", "`map(object)`", "`null`", "no |"]);
    assert!(rows[4].contains("[rules[*].tags[*].a]"), "{page}");
    let json = stdout(&run(directory.path(), &["docs", "--format", "json", "m"]));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["inputs"][0]["attributes"][1]["path"], "rules[*].from");
    assert_eq!(json["inputs"][0]["attributes"][1]["default"], "any");
    assert_eq!(json["inputs"][0]["default"][0]["from"], "any");
    // Without settings of this program, nothing differs from terraform-docs.
    let plain = stdout(&run(directory.path(), &["docs", "--no-config", "m"]));
    assert!(!plain.contains("rules[*]") && !plain.contains("\"from\""), "{plain}");
}

/// The findings of a page are those of `check` with the settings of the repository: rules and comments
/// count, and a folder of tests belongs to its module.
#[test]
fn findings_are_those_of_check() {
    let directory = tree(&[
        ("simd-hcl.toml", "[docs]\nfindings = true\n"),
        (".terraform-docs.yml", TO_README),
        ("m/main.tf", "output \"c\" {\n  value = nothing.c\n}\n"),
        ("m/tests/a.tftest.hcl", "run \"a\" {\n  wrong = 1\n}\n"),
        (
            "n/main.tf",
            "variable \"a\" {}\n\n# simd-hcl:allow(unused-declaration)\nvariable \"b\" {}\n",
        ),
    ]);
    git(directory.path(), &["init", "-q"]);
    let output = run(directory.path(), &["docs", "--recursive"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    let pages = ["m", "n"].map(|module| read(directory.path(), &format!("{module}/README.md")));
    let found = stdout(&run(directory.path(), &["check", "--format", "concise", "."]));
    for line in found.lines() {
        let mut place = line.splitn(3, ':');
        let (file, number) = (place.next().unwrap(), place.next().unwrap());
        let (module, file) = file.split_once('/').unwrap();
        let page = &pages[usize::from(module == "n")];
        assert!(page.contains(&format!("| {file}:{number} |")), "{line}\n{page}");
    }
    let count = pages.iter().map(|page| page.matches("| main.tf:").count()).sum::<usize>();
    assert_eq!((found.lines().count(), count), (3, 2), "{found}");
}

#[test]
fn callers_values_findings_and_an_index() {
    let directory = tree(&[
        (
            "simd-hcl.toml",
            "[docs]\ncallers = true\nvalues = true\nfindings = true\nindex = \"MODULES.md\"\nrepository = \"git@x.y:repo\"\n",
        ),
        (".terraform-docs.yml", TO_README),
        (
            "modules/net/main.tf",
            "/**\n * # Networks\n */\nvariable \"size\" {\n  type = number\n}\nvariable \"key\" {\n  sensitive = true\n}\noutput \"x\" {\n  value = local.nothing\n}\n",
        ),
        (
            "live/a/main.tf",
            "module \"net\" {\n  source = \"../../modules/net\"\n  size   = 1 + 1\n  key    = \"hunter2\"\n}\n",
        ),
        (
            "live/b/main.tf",
            "module \"old\" {\n  source = \"git::https://x.y/repo.git//modules/net?ref=v1.2\"\n  size   = 3\n}\nmodule \"other\" {\n  source = \"git::https://x.y/other.git//modules/net\"\n  size   = 4\n}\n",
        ),
    ]);
    git(directory.path(), &["init", "-q"]);
    let output = run(directory.path(), &["docs", "--recursive"]);
    assert_eq!(status(&output), 0, "{}", stderr(&output));
    assert_eq!(stdout(&output).lines().last(), Some("MODULES.md"));
    let page = read(directory.path(), "modules/net/README.md");
    assert!(page.contains("## Callers\n\n| Path | Name | Version |\n| ---- | ---- | ------- |\n| live/a | net | n/a |\n| live/b | old | v1.2 |\n"), "{page}");
    assert!(
        page.contains("| size | `1 + 1` | live/a: net |\n| size | `3` | live/b: old |\n"),
        "{page}"
    );
    assert!(page.contains("| key | `(sensitive)` |") && !page.contains("hunter2"), "{page}");
    assert!(page.contains("## Findings") && page.contains("| main.tf:11 | error |"), "{page}");
    let index = read(directory.path(), "MODULES.md");
    assert!(
        index.contains("| [modules/net](<modules/net/README.md>) | Networks | 2 | 1 | 0 | 2 |"),
        "{index}"
    );
    let again = run(directory.path(), &["docs", "--recursive", "--check"]);
    assert_eq!((status(&again), &*stdout(&again)), (0, ""));
    // The index loses no module because some are not documented, or cannot be.
    let some = run(directory.path(), &["docs", "--recursive", "live"]);
    assert_eq!((status(&some), &*stdout(&some)), (0, ""));
    assert!(stderr(&some).contains("MODULES.md stays as it is"), "{}", stderr(&some));
    fs::write(directory.path().join("live/b/main.tf"), "module {").unwrap();
    let broken = run(directory.path(), &["docs", "--recursive"]);
    assert_eq!(status(&broken), 2, "{}", stderr(&broken));
    assert!(stderr(&broken).contains("a module could not be read"), "{}", stderr(&broken));
    assert!(stderr(&broken).contains("documented 2 modules"), "{}", stderr(&broken));
    assert_eq!(read(directory.path(), "MODULES.md"), index);
}

#[test]
fn paths_are_named_as_they_are_given() {
    let recursive = "output:\n  file: README.md\nrecursive:\n  enabled: true\n  path: .\n";
    let directory = tree(&[
        ("a/main.tf", MODULE),
        ("a/.terraform-docs.yml", recursive),
        ("a/b/main.tf", MODULE),
        ("a/b/.terraform-docs.yml", "settings:\n  htm: true\n"),
    ]);
    git(directory.path(), &["init", "-q"]);
    for arguments in [&["docs", "a"][..], &["docs", "--recursive", "./a"]] {
        let output = run(directory.path(), arguments);
        assert_eq!((status(&output), &*stdout(&output)), (2, ""));
        let problem = "simd-hcl: a/b/.terraform-docs.yml:2:3: unknown member";
        assert!(stderr(&output).starts_with(problem), "{}", stderr(&output));
    }
    fs::remove_file(directory.path().join("a/b/.terraform-docs.yml")).unwrap();
    let output = run(directory.path(), &["docs", "./a"]);
    assert_eq!((status(&output), &*stdout(&output)), (0, "a/README.md\na/b/README.md\n"));
    let output = run(directory.path(), &["docs", "a/main.tf"]);
    assert_eq!((status(&output), &*stdout(&output)), (2, ""));
    assert!(stderr(&output).contains("try `simd-hcl docs a`"), "{}", stderr(&output));
}

/// The example of every module is a call that `check` accepts.
#[test]
fn examples_are_accepted() {
    let providers = "terraform {\n  required_providers {\n    aws = {\n      source = \"hashicorp/aws\"\n      configuration_aliases = [aws.west]\n    }\n  }\n}\n";
    let types = "variable \"a\" {}\nvariable \"b\" {\n  type = number\n}\nvariable \"c\" {\n  type = object({ x = string, y = optional(number), z = list(string) })\n}\nvariable \"d\" {\n  type = tuple([bool, map(string)])\n}\nvariable \"e\" {\n  type = set(string)\n}\nvariable \"has_default\" {\n  default = 1\n}\n";
    // No value is known to pass these.
    let validated = "variable \"env\" {\n  type = list(string)\n  validation {\n    condition     = contains([\"dev\"], var.env[0])\n    error_message = \"No.\"\n  }\n}\nvariable \"any\" {\n  validation {\n    condition     = var.any > 3\n    error_message = \"No.\"\n  }\n}\n";
    let in_json = "{\"variable\": {\"n\": {\"type\": \"list(number)\", \"validation\": {\"condition\": \"${length(var.n) > 3}\", \"error_message\": \"No.\"}}}}";
    let directory = tree(&[
        ("simd-hcl.toml", "[docs]\nexample = true\n"),
        ("modules/validated/main.tf", validated),
        ("modules/json/main.tf.json", in_json),
        ("modules/1st/main.tf", types),
        ("modules/aliased/main.tf", providers),
        ("plain/main.tofu", "locals {\n  a = 1\n}\n"),
    ]);
    git(directory.path(), &["init", "-q"]);
    let all = ["modules/1st", "modules/aliased", "modules/validated", "modules/json", "plain"];
    for module in all {
        let page = stdout(&run(directory.path(), &["docs", module]));
        let example = page.split("```hcl\n").nth(1).unwrap().split("```").next().unwrap();
        fs::write(directory.path().join("example.tf"), example).unwrap();
        let check = run(directory.path(), &["check", "--deny", "warnings", "example.tf"]);
        assert_eq!(status(&check), 0, "{example}\n{}{}", stdout(&check), stderr(&check));
        let formatted = run(directory.path(), &["fmt", "--check", "example.tf"]);
        assert_eq!(status(&formatted), 0, "{example}");
    }
}
