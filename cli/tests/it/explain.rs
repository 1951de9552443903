//! The examples of `explain`: the wrong files have the diagnostic, the right files have none.

use std::collections::BTreeSet;

use crate::tool::{feed_in, tree};

#[path = "../../src/explain/examples.rs"]
mod examples;

use examples::File;

/// Returns the codes that a command reports about files, and its exit status.
fn codes(command: &str, files: &[File]) -> (BTreeSet<String>, i32) {
    let texts: Vec<(&str, String)> =
        files.iter().map(|file| (file.name, format!("{}\n", file.text))).collect();
    let (inputs, texts): (Vec<_>, Vec<_>) = texts.iter().partition(|(name, _)| *name == "-");
    let texts: Vec<_> = texts.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let directory = tree(&texts);
    let mut arguments: Vec<&str> = command.split(' ').collect();
    if arguments[0] == "check" {
        arguments.extend([".", "--format", "concise"]);
    }
    let input = inputs.first().map_or("", |(_, text)| text);
    let output = feed_in(directory.path(), &arguments, input);
    let printed = [output.stdout, output.stderr].concat();
    let printed = String::from_utf8(printed).unwrap();
    // `error[CODE]` for people; a member in JSON.
    let starts = ["error[", "warning[", "\"code\": \"", "\"code\":\""];
    let found = starts.iter().flat_map(|start| printed.split(start).skip(1));
    let found = found.filter_map(|rest| Some(rest.split_once([']', '"'])?.0.to_owned()));
    // The source line is also a member named `code`.
    let is_name = |text: &String| text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    (found.filter(is_name).collect(), output.status.code().unwrap())
}

#[test]
fn examples_have_their_diagnostic_and_no_other() {
    let mut checked = 0;
    for example in examples::all().filter(|example| example.none.is_none()) {
        let mut expected = BTreeSet::from([example.code.to_owned()]);
        expected.extend(example.also.iter().map(|&code| code.to_owned()));
        assert_eq!(codes(&example.command, &example.wrong).0, expected, "{}", example.code);
        // Status 0: the command ran, and found nothing.
        let right = codes(&example.command, &example.right);
        assert_eq!(right, (BTreeSet::new(), 0), "{}", example.code);
        checked += 1;
    }
    // Codes without an example say why.
    assert!(checked >= 310, "{checked}");
}
