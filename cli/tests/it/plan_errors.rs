//! `check --level values`: errors that a plan finds before it asks a provider. The verdicts are those of plans
//! of Terraform 1.11 from an empty state.

use crate::tool::{json, run, tree};

/// The findings in a module `main.tf`, which may call `./m`: code, file and line of each.
fn findings(main: &str, called: &str) -> Vec<String> {
    let tree = tree(&[("main.tf", main), ("m/main.tf", called)]);
    let output = run(
        tree.path(),
        &["check", "--level", "values", "--root", ".", "--format", "json", "--exit-zero", "."],
    );
    let answer = json(&output);
    let found = answer["diagnostics"].as_array().unwrap().iter();
    found
        .filter(|it| it["code"] != "unused-declaration")
        .map(|it| {
            let (code, range) = (it["code"].as_str().unwrap(), &it["range"]);
            format!("{code} {}:{}", range["filename"].as_str().unwrap(), range["start"]["line"])
        })
        .collect()
}

const M: &str = "module \"m\" {\n  source = \"./m\"\n}\n";

fn data(name: &str, body: &str) -> String {
    format!("resource \"terraform_data\" \"{name}\" {{\n  {body}\n}}\n")
}

fn moved(from: &str, to: &str) -> String {
    format!("moved {{\n  from = {from}\n  to   = {to}\n}}\n")
}

fn triggered(by: &str, more: &str) -> String {
    data("a", &format!("{more}\n  lifecycle {{\n    replace_triggered_by = [{by}]\n  }}"))
}

/// Values that a plan has to know are followed to the attribute that a provider sets.
#[test]
fn unknown_until_an_apply() {
    let b = data("b", "");
    let local = "locals {\n  x = terraform_data.b.id\n}\n";
    let cases = [
        (b.clone() + local + &data("a", "count = length(local.x)"), "", "main.tf:8"),
        (
            M.to_owned() + &data("a", "for_each = toset([module.m.o])"),
            "resource \"terraform_data\" \"b\" {}\noutput \"o\" {\n  value = terraform_data.b.id\n}\n",
            "main.tf:5",
        ),
        (
            b.clone()
                + "module \"m\" {\n  source = \"./m\"\n  n = length(terraform_data.b.id)\n}\n",
            "variable \"n\" {}\nresource \"terraform_data\" \"a\" {\n  count = var.n\n}\n",
            "m/main.tf:3",
        ),
        (
            data("c", "")
                + &data("b", "input = length(terraform_data.c.id)")
                + &data("a", "count = terraform_data.b.input"),
            "",
            "main.tf:8",
        ),
        (
            data("c", "")
                + &data("b", "for_each = { x = terraform_data.c.id }\n  input = each.value")
                + &data("a", "count = length(terraform_data.b[\"x\"].input)"),
            "",
            "main.tf:9",
        ),
        (
            data("a", "") + &b + local + "import {\n  to = terraform_data.a\n  id = local.x\n}\n",
            "",
            "main.tf:12",
        ),
        (
            data("a", "for_each = toset([\"x\"])")
                + &b
                + "import {\n  for_each = toset([terraform_data.b.id])\n  to = terraform_data.a[\"x\"]\n  id = \"i\"\n}\n",
            "",
            "main.tf:8",
        ),
        (
            data("a", "for_each = toset([\"x\"])")
                + &b
                + "import {\n  for_each = { x = terraform_data.b.id }\n  to = terraform_data.a[each.key]\n  id = each.value\n}\n",
            "",
            "main.tf:10",
        ),
    ];
    let by_function = [
        (data("a", "count = length(timestamp())"), "", "main.tf:2"),
        (
            "locals {\n  x = [uuid()]\n}\n".to_owned() + &data("a", "for_each = toset(local.x)"),
            "",
            "main.tf:5",
        ),
    ];
    for (main, called, place) in cases.into_iter().chain(by_function) {
        assert_eq!(findings(&main, called), [format!("unknown-until-apply {place}")], "{main}");
    }
    let known = [
        b.clone()
            + "locals {\n  x = [terraform_data.b.id]\n}\n"
            + &data("a", "count = length(local.x)"),
        // An input, not a provider, decides.
        "variable \"n\" {}\nlocals {\n  x = var.n\n}\n".to_owned() + &data("a", "count = local.x"),
        data("b", "input = 2") + &data("a", "count = terraform_data.b.input"),
        data("a", "for_each = toset([\"x\"])")
            + &b
            + "import {\n  for_each = { x = [\"i\", terraform_data.b.id] }\n  to = terraform_data.a[each.key]\n  id = each.value[0]\n}\n",
    ];
    for main in known {
        assert_eq!(findings(&main, ""), [""; 0], "{main}");
    }
}

#[test]
fn triggers_name_instances() {
    let b = |body: &str| data("b", body);
    let cases = [
        (b("count = 1") + &triggered("terraform_data.b[3]", ""), "missing-trigger main.tf:7"),
        (b("count = 0") + &triggered("terraform_data.b", ""), "missing-trigger main.tf:7"),
        (
            b("for_each = toset([\"x\"])") + &triggered("resource.terraform_data.b[\"y\"].id", ""),
            "missing-trigger main.tf:7",
        ),
        (
            b("for_each = toset([\"x\"])")
                + &triggered("terraform_data.b[each.key]", "for_each = toset([\"x\", \"y\"])"),
            "missing-trigger main.tf:7",
        ),
        (triggered("terraform_data.a.id", ""), "resource-of-itself main.tf:4"),
        (triggered("terraform_data.a[0]", "count = 2"), "resource-of-itself main.tf:4"),
    ];
    for (main, found) in cases {
        assert_eq!(findings(&main, ""), [found], "{main}");
    }
    let right = [
        b("count = 2") + &triggered("terraform_data.b", ""),
        b("count = 1") + &triggered("terraform_data.b[3]", "count = 0"),
        b("count = 2") + &triggered("terraform_data.b[count.index]", "count = 2"),
        "variable \"n\" {}\n".to_owned()
            + &b("count = var.n")
            + &triggered("terraform_data.b[3]", ""),
    ];
    for main in right {
        assert_eq!(findings(&main, ""), [""; 0], "{main}");
    }
}

/// Moves of two modules are about the same objects.
#[test]
fn moves_of_modules_contradict_each_other() {
    let b = || data("b", "");
    let own = |from: &str, to: &str| {
        moved(&format!("terraform_data.{from}"), &format!("terraform_data.{to}"))
    };
    let in_m = |from: &str, to: &str| {
        moved(&format!("module.m.terraform_data.{from}"), &format!("module.m.terraform_data.{to}"))
    };
    let found = "ambiguous-move m/main.tf:4";
    assert_eq!(findings(&(M.to_owned() + &in_m("x", "b")), &(b() + &own("y", "b"))), [found]);
    assert_eq!(findings(&(M.to_owned() + &in_m("x", "b")), &(b() + &own("x", "c"))), [found]);
    let into = moved("terraform_data.x", "module.m.terraform_data.b");
    assert_eq!(findings(&(M.to_owned() + &into), &(b() + &own("y", "b"))), [found]);
    // The same move, and moves of other objects.
    assert_eq!(findings(&(M.to_owned() + &in_m("y", "b")), &(b() + &own("y", "b"))), [""; 0]);
    let many = M.replace("}", "  count = 2\n}");
    let other = moved("module.m[5].terraform_data.x", "module.m[5].terraform_data.b");
    assert_eq!(findings(&(many + &other), &(b() + &own("y", "b"))), [""; 0]);
}
