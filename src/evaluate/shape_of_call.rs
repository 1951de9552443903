//! The shapes of the results of functions.

use super::shape::{HOLE, Shape};

/// Whether the shape of a call follows from those of its arguments.
pub(super) fn is_understood(name: &str) -> bool {
    matches!(
        name,
        "abspath"
            | "chomp"
            | "chunklist"
            | "coalesce"
            | "coalescelist"
            | "compact"
            | "concat"
            | "distinct"
            | "element"
            | "flatten"
            | "format"
            | "formatlist"
            | "join"
            | "lookup"
            | "matchkeys"
            | "merge"
            | "nonsensitive"
            | "one"
            | "pathexpand"
            | "reverse"
            | "sensitive"
            | "setintersection"
            | "setsubtract"
            | "setunion"
            | "slice"
            | "sort"
            | "tolist"
            | "tomap"
            | "toset"
            | "tostring"
            | "trimspace"
            | "try"
            | "values"
            | "zipmap"
    )
}

/// The shape of a call of such a function.
pub(super) fn of_call(name: &str, mut arguments: Vec<Shape>, expands: bool) -> Option<Shape> {
    if expands {
        let last = arguments.pop()?;
        arguments.extend(last.into_parts());
    }
    let mut arguments = arguments.into_iter();
    Some(match name {
        "abspath" | "chomp" | "nonsensitive" | "pathexpand" | "sensitive" | "tolist"
        | "tostring" | "trimspace" => arguments.next()?,
        "distinct" | "matchkeys" | "setintersection" | "setsubtract" | "slice" | "sort"
        | "tomap" | "toset" | "values" => Shape::Bag(arguments.next()?.into_parts()),
        "compact" => {
            let is_kept = |part: &Shape| match part {
                Shape::Texts(texts) => texts.iter().all(|text| !text.trim_matches(HOLE).is_empty()),
                _ => false,
            };
            let parts = elements(arguments.next()?).into_iter().map(|part| match part {
                Shape::Spread(_) => part,
                part if is_kept(&part) => part,
                part => Shape::Spread(vec![part]),
            });
            Shape::Sequence(parts.collect())
        }
        "reverse" => Shape::Sequence(elements(arguments.next()?).into_iter().rev().collect()),
        "chunklist" => Shape::Bag(vec![Shape::Bag(arguments.next()?.into_parts())]),
        "zipmap" => Shape::Bag(arguments.nth(1)?.into_parts()),
        "formatlist" => {
            let Shape::Texts(formats) = arguments.next()? else { return None };
            let [format] = formats.as_slice() else { return Some(Shape::hole()) };
            let mut arguments = arguments.map(|argument| match argument {
                Shape::Texts(_) => argument,
                list => list.element(),
            });
            Shape::Bag(vec![formatted(format, &mut arguments)])
        }
        "element" | "one" => arguments.next()?.element(),
        "lookup" => {
            let all = [Some(arguments.next()?.element()), arguments.nth(1)];
            Shape::either(all.into_iter().flatten().collect())
        }
        "coalesce" | "try" => Shape::either(arguments.collect()),
        "coalescelist" | "merge" | "setunion" => {
            Shape::Bag(arguments.flat_map(Shape::into_parts).collect())
        }
        "concat" => Shape::Sequence(arguments.flat_map(elements).collect()),
        "flatten" => {
            let parts = elements(arguments.next()?).into_iter();
            let parts = parts.flat_map(|part| match part {
                Shape::Texts(_) | Shape::Spread(_) => vec![part],
                list => elements(list),
            });
            Shape::Sequence(parts.collect())
        }
        "join" => {
            let Shape::Texts(separator) = arguments.next()? else { return None };
            joined(&separator, arguments.flat_map(elements).collect())
        }
        "format" => {
            let Shape::Texts(formats) = arguments.next()? else { return None };
            let [format] = formats.as_slice() else { return Some(Shape::hole()) };
            formatted(format, &mut arguments)
        }
        _ => return None,
    })
}

/// The elements of a list, in their order; those whose number is not known as [`Shape::Spread`].
fn elements(list: Shape) -> Vec<Shape> {
    match list {
        Shape::Sequence(parts) => parts,
        Shape::Bag(parts) => vec![Shape::Spread(parts)],
        Shape::Texts(_) => vec![Shape::Spread(vec![Shape::hole()])],
        spread @ Shape::Spread(_) => vec![spread],
    }
}

/// The shape of joined texts. Any number of elements may be none.
fn joined(separator: &[String], elements: Vec<Shape>) -> Shape {
    let between = || Shape::Texts(separator.to_vec());
    let (mut parts, mut is_first) = (Vec::new(), true);
    for element in elements {
        match element {
            // The next one may be the first.
            Shape::Spread(_) if is_first => parts.push(Shape::hole()),
            Shape::Spread(_) => {
                let some = Shape::concatenated(vec![between(), Shape::hole()]);
                parts.push(Shape::either(vec![Shape::text(""), some]));
            }
            element => {
                if !is_first {
                    parts.push(between());
                }
                parts.push(element);
                is_first = false;
            }
        }
    }
    Shape::concatenated(parts)
}

/// The shape of a formatted text.
fn formatted(format: &str, arguments: &mut dyn Iterator<Item = Shape>) -> Shape {
    let mut parts = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.find('%') {
        parts.push(Shape::text(&rest[..at]));
        let verb = &rest[at + 1..];
        let end = verb.find(|c: char| c == '%' || c.is_ascii_alphabetic());
        let Some(end) = end else { return Shape::hole() };
        match &verb[..=end] {
            "%" => parts.push(Shape::text("%")),
            "s" | "v" | "d" => parts.push(arguments.next().unwrap_or_else(Shape::hole)),
            // An index chooses another argument.
            verb if verb.contains('[') => return Shape::hole(),
            _ => {
                arguments.next();
                parts.push(Shape::hole());
            }
        }
        rest = &verb[end + 1..];
    }
    parts.push(Shape::text(rest));
    Shape::concatenated(parts)
}
