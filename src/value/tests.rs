//! Tests of values and types that are deep, large, or share their parts.

use simd_hcl_corpus::sized;

use super::key::Key;
use super::limits::MAX_DEPTH;
use super::relations::tests::STEPS;
use super::types::tests::{doubled, visits};
use super::*;
use crate::Document;
use crate::write::{Layout, to_string};

/// Runs `work` on a thread with a small stack.
fn on_small_stack(bytes: usize, work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(bytes).spawn(work);
    assert!(thread.is_ok_and(|thread| thread.join().is_ok()));
}

/// Returns the number of pairs of types and of parts that `work` visits.
fn steps(work: impl FnOnce()) -> usize {
    let before = STEPS.get();
    let visited = visits(work);
    STEPS.get() - before + visited
}

#[test]
fn relations_of_types_are_linear_in_distinct_parts() {
    let cost = |levels: usize| {
        let arena = Arena::new();
        let doubled = |levels, last| doubled(&arena, levels, last);
        let (texts, numbers) = (doubled(levels, Type::String), doubled(levels, Type::Number));
        steps(|| {
            assert!(can_convert(&arena, numbers, texts) && can_convert(&arena, texts, numbers));
            assert!(!can_convert(&arena, doubled(levels, Type::Bool), numbers));
            let unknown = Value::unknown(numbers);
            assert!(convert(&arena, unknown, texts).is_ok_and(|value| !value.is_known()));
            assert!(convert(&arena, Value::null(numbers), texts).is_ok_and(Value::is_null));
            assert!(convert(&arena, Value::null(texts), doubled(levels, Type::Dynamic)).is_ok());
            assert!(convert(&arena, Value::unknown(doubled(levels, Type::Bool)), numbers).is_err());
            let (one, other) = (
                numbers.without_optional_attributes(&arena),
                texts.without_optional_attributes(&arena),
            );
            assert!(unify(&arena, &[numbers, texts]) == Some(other));
            assert_eq!(unify(&arena, &[doubled(levels, Type::Bool), numbers]), None);
            let list = |ty| Type::list_of(&arena, ty);
            let set = Type::set_of(&arena, one);
            assert!(unify(&arena, &[set, list(one), list(other)]) == Some(list(other)));
            let open = Value::unknown(doubled(levels, Type::Dynamic));
            assert!(!equals(open, Value::unknown(texts)).is_known());
            assert!(raw_equals(unknown, Value::unknown(doubled(levels, Type::Number))));
        })
    };
    // Fewer under Miri, here and below.
    let levels = if cfg!(miri) { 8 } else { 60 };
    let (few, many) = (cost(levels), cost(2 * levels));
    // Conversions check the remaining depth at each level.
    assert!(many <= few * 9 / 2, "{few}, then {many}");
    assert!(many < 500_000, "{many}");
}

#[test]
#[cfg_attr(miri, ignore = "deep types take too long, and have no unsafe code")]
fn the_deepest_types_that_convert() {
    on_small_stack(1 << 20, || {
        let arena = Arena::new();
        let deep = |last: Type<'static>, levels| {
            (1..levels).fold(last, |ty, level| match level % 3 {
                0 => Type::tuple_of(&arena, &[ty]),
                1 => Type::list_of(&arena, ty),
                _ => {
                    let attribute = AttributeType { name: "a", ty, optional: false };
                    Type::object_of(&arena, &[attribute])
                }
            })
        };
        for (levels, converts) in [(MAX_DEPTH, true), (MAX_DEPTH + 1, false), (100_000, false)] {
            let (numbers, texts) = (deep(Type::Number, levels), deep(Type::String, levels));
            assert_eq!(can_convert(&arena, numbers, texts), converts);
            assert_eq!(convert(&arena, Value::unknown(numbers), texts).is_ok(), converts);
            assert_eq!(unify(&arena, &[numbers, texts]).is_some(), converts);
            assert!(can_convert(&arena, numbers, deep(Type::Number, levels)));
            assert_eq!(can_convert(&arena, Type::Dynamic, numbers), converts);
            let error = convert(&arena, Value::dynamic(), numbers).err();
            let message = "types of more than 256 levels cannot be converted";
            assert_eq!(
                error.map(|error| error.to_string()),
                (!converts).then(|| message.to_owned())
            );
        }
    });
}

#[test]
fn deep_values_need_no_stack() {
    on_small_stack(64 << 10, || {
        const LEVELS: usize = if cfg!(miri) { 200 } else { 20_000 };
        let arena = Arena::new();
        let deep = |marks: Marks| {
            (0..LEVELS).fold(Value::bool(true).with_marks(marks), |value, level| match level % 2 {
                0 => Value::tuple(&arena, &[value]),
                _ => Value::object(&arena, &[("a", value)]),
            })
        };
        let (plain, marked) = (deep(Marks::NONE), deep(Marks::SENSITIVE));
        assert!(plain.is_wholly_known() && plain.size() as usize == LEVELS + 1);
        assert_eq!(marked.deep_marks(), Marks::SENSITIVE);
        let (bare, marks) = marked.unmark_deep(&arena);
        assert!(marks == Marks::SENSITIVE && bare.deep_marks().is_empty());
        assert!(raw_equals(plain, bare) && !raw_equals(plain, marked));
        assert_eq!(equals(plain, bare).as_bool(), Some(true));
        assert!(Key::of(plain) == Key::of(bare));
        assert_eq!(Value::set(&arena, plain.ty(), &[plain, bare]).elements().len(), 1);
        assert!(convert(&arena, plain, bare.ty()).is_ok());
        assert!(convert(&arena, plain, Type::String).is_err());
        assert_eq!(format!("{plain:?}"), "object of 1 entries");
        let text = to_string(Layout::Compact, |slot| assert!(write(plain, slot).is_ok()));
        assert_eq!(text.len(), LEVELS / 2 * (2 + 6) + 4);
        let text = to_string(Layout::Compact, |slot| write_type(plain.ty(), slot));
        assert!(text.len() > 10 * LEVELS);
    });
}

/// JSON of values and types that nest deeper than any stack.
#[test]
fn a_million_levels_of_json() {
    on_small_stack(128 << 10, || {
        let levels = if cfg!(miri) { 100 } else { sized([100_000, 1_000_000, 10_000_000]) };
        let options = crate::ParseOptions { max_depth: u32::MAX, ..Default::default() };
        let arena = Arena::new();
        let parsed = |text: String| {
            let source = crate::Source::from_bytes(&arena, "deep", arena.str(&text).as_bytes());
            let source = source.unwrap_or_else(|error| panic!("{error}"));
            let document = Document::parse_with(&arena, source, &options);
            document.unwrap_or_else(|error| panic!("{error}")).root()
        };
        let nested = |open: &str, inner: &str, close: &str| {
            format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
        };
        let value = from_node(&arena, parsed(nested("[", "1", "]")));
        assert!(value.is_ok_and(|value| value.size() as usize == levels + 1));
        let ty = type_from_node(&arena, parsed(nested("[\"list\",", "\"number\"", "]")));
        let ty = ty.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(ty.depth(), levels + 1);
        let value = from_node_as(&arena, parsed(nested("[", "1", "]")), ty);
        assert!(value.is_ok_and(|value| value.ty() == ty));
        let dynamic = nested("{\"type\":\"dynamic\",\"value\":", "null", "}");
        let value = from_node_as(&arena, parsed(dynamic), Type::Dynamic);
        assert!(value.is_ok_and(Value::is_null));
    });
}

/// Properties of a whole value are kept in it.
#[test]
fn shared_parts_cost_nothing() {
    const LEVELS: usize = if cfg!(miri) { 40 } else { 100 };
    let arena = Arena::new();
    let value =
        (0..LEVELS).fold(Value::bool(true), |value, _| Value::tuple(&arena, &[value, value]));
    assert_eq!(value.size(), u32::MAX);
    #[cfg(feature = "model")]
    {
        let mut visited = 0;
        value.visit_distinct(|_| visited += 1);
        // The last level has two parts.
        assert_eq!(visited, LEVELS + 2);
    }
    assert!(value.is_wholly_known() && value.deep_marks().is_empty());
    let unknown =
        (0..LEVELS).fold(Value::dynamic(), |value, _| Value::tuple(&arena, &[value, value]));
    assert!(!unknown.is_wholly_known());
    let marked = (0..LEVELS).fold(Value::bool(true).with_marks(Marks::SENSITIVE), |value, _| {
        Value::tuple(&arena, &[value, value])
    });
    assert_eq!(marked.deep_marks(), Marks::SENSITIVE);
    let object =
        (0..LEVELS).fold(value, |value, _| Value::object(&arena, &[("a", value), ("b", value)]));
    let copies = Arena::new();
    for (value, parts) in
        [(value, size_of::<Value<'_>>()), (object, size_of::<(&str, Value<'_>)>())]
    {
        let copy = value.copy_to(&copies);
        assert!(copy.bytes(u64::MAX) == value.bytes(u64::MAX));
        assert!(copy.bytes(u64::MAX) >= (2 * LEVELS * parts) as u64);
        assert!(copy.bytes(u64::MAX) < 1 << 20);
        assert_eq!(copy.bytes(100), 100, "a limit");
    }
}

/// The text of a number in a set is parsed once, however often it is compared.
#[test]
fn numbers_of_sets_are_read_once() {
    let (count, exponent) = if cfg!(miri) { (5, 99) } else { (1_000, 99_999) };
    let read = |count: usize| {
        let arena = Arena::new();
        let number = |place: usize| {
            let text = arena.str(&format!("{place}.{}1e-{exponent}", "0".repeat(100)));
            Number::from_literal(text).map_or_else(|error| panic!("{error}"), Value::number)
        };
        let numbers: Vec<_> = (0..count).map(|place| number(place * 7919 % count)).collect();
        let before = number::READ.get();
        assert_eq!(Value::set(&arena, Type::Number, &numbers).elements().len(), count);
        number::READ.get() - before
    };
    let (few, many) = (read(count), read(2 * count));
    assert!(many <= 2 * few + 16, "{few}, then {many}");
}
