//! The shapes of the results of functions.

use super::shape::Shape;

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
        "compact" | "distinct" | "matchkeys" | "reverse" | "setintersection" | "setsubtract"
        | "slice" | "sort" | "tomap" | "toset" | "values" => {
            Shape::Bag(arguments.next()?.into_parts())
        }
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
        "concat" | "flatten" => {
            let mut is_bag = false;
            let mut all = Vec::new();
            for argument in arguments {
                is_bag |= matches!(argument, Shape::Bag(_));
                for part in argument.into_parts() {
                    is_bag |= name == "flatten" && matches!(part, Shape::Bag(_));
                    match name {
                        "flatten" => all.extend(part.into_parts()),
                        _ => all.push(part),
                    }
                }
            }
            if is_bag { Shape::Bag(all) } else { Shape::Sequence(all) }
        }
        "join" => {
            let Shape::Texts(separator) = arguments.next()? else { return None };
            let mut parts = Vec::new();
            for argument in arguments {
                let Shape::Sequence(elements) = argument else { return Some(Shape::hole()) };
                for element in elements {
                    if !parts.is_empty() {
                        parts.push(Shape::Texts(separator.clone()));
                    }
                    parts.push(element);
                }
            }
            Shape::concatenated(parts)
        }
        "format" => {
            let Shape::Texts(formats) = arguments.next()? else { return None };
            let [format] = formats.as_slice() else { return Some(Shape::hole()) };
            formatted(format, &mut arguments)
        }
        _ => return None,
    })
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
