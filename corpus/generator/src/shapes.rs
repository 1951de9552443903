//! Trees of small modules that call one another in a certain shape: paths and contents of their
//! files.

/// Every module calls the next one, passes a variable on and returns an output; the last one calls
/// the first. They are `m0`, `m1` and so on.
#[must_use]
pub fn chain(count: usize) -> Vec<(String, String)> {
    let text = |place: usize| {
        format!(
            r#"{{"variable": {{"v": {{}}}}, "module": {{"n": {{"source": "../m{}", "v": "${{var.v}}"}}}},
            "output": {{"o": {{"value": "${{module.n.o}}"}}}}}}"#,
            (place + 1) % count
        )
    };
    (0..count).map(|place| (format!("m{place}/a.tf.json"), text(place))).collect()
}

/// One module calls all others, and each of these calls one module of many resources.
/// They are `m0`, which calls all, `m1` and so on, and `hub`.
#[must_use]
pub fn star(count: usize) -> Vec<(String, String)> {
    let calls: Vec<_> = (1..count)
        .map(|place| {
            format!(
                r#""n{place}": {{"source": "../m{place}", "v": "${{var.v}}", "count": 1,
                "providers": {{"aws.a": "aws.b"}}}}"#
            )
        })
        .collect();
    let centre = format!(r#"{{"variable": {{"v": {{}}}}, "module": {{{}}}}}"#, calls.join(","));
    let point = r#"{"variable": {"v": {}}, "module": {"hub": {"source": "../hub", "count": 1}}}"#;
    let resources: Vec<_> = (0..count).map(|place| format!(r#""r{place}": {{}}"#)).collect();
    let hub = format!(r#"{{"resource": {{"t": {{{}}}}}}}"#, resources.join(","));
    let points = (1..count).map(|place| (format!("m{place}/a.tf.json"), point.to_owned()));
    let mut files: Vec<_> = points.collect();
    files.push(("m0/a.tf.json".to_owned(), centre));
    files.push(("hub/a.tf.json".to_owned(), hub));
    files
}
