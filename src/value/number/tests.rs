//! Numbers: their text, their arithmetic, and how they compare.

use super::*;

fn text(number: Result<Number<'_>, NumberError>) -> String {
    format!("{:?}", number.unwrap_or_else(|error| panic!("{error}")))
}

#[test]
fn literals_are_written_in_fixed_notation() {
    for (literal, expected) in [
        ("0", "0"),
        ("-0", "-0"),
        ("007", "7"),
        ("1.50", "1.5"),
        ("1e3", "1000"),
        ("-1.5e-3", "-0.0015"),
        ("0.1", "0.1"),
        ("100", "100"),
        ("123456789012345678901234567890", "123456789012345678901234567890"),
        ("1e-300", &format!("0.{}1", "0".repeat(299))),
    ] {
        assert_eq!(text(Number::from_literal(literal)), expected, "{literal}");
    }
    assert_eq!(Number::from_literal("1e3000000000").err(), Some(NumberError::Exponent));
    assert_eq!(Number::from_literal("1e700000000").err(), Some(NumberError::Exponent));
    assert!(Number::from_literal("1e-700000000").is_ok());
    assert!(Number::from_literal("1e400000000").is_ok());
    let arena = Arena::new();
    let huge = Number::from_literal("1e400000000").ok();
    assert_eq!(huge.map(|number| number.to_text(&arena)), Some(Err(TooLong)));
}

/// The digits of a literal are those of its float, as far as it has no more than survive.
#[test]
fn digits_are_exact() {
    let digits = "1234567890987654321".repeat(8)[..EXACT_DIGITS].to_owned();
    for digits in ["1", "99999", &digits, &digits[..149]] {
        for exponent in [-9_999, -1_000, -201, -7, 201, 249, 999, 9_999] {
            let text = format!("{digits}e{exponent}");
            let decimal = Decimal::parse(&text).ok();
            let exact = decimal.and_then(exact_digits);
            let float = decimal.and_then(|decimal| decimal.to_float().ok());
            assert!(exact.is_some());
            assert_eq!(exact, float.and_then(|float| shortest(&float, MAX_DIGITS)), "{text}");
        }
    }
}

#[test]
fn many_digits() {
    let arena = Arena::new();
    let many = |digits: &str, times| format!("1{}", digits.repeat(times));
    let texts = [many("23", 20_000), many("0", 50_000), format!("0.{}", many("23", 30_000))];
    for text in &texts {
        let exact = Decimal::parse(text).map(|decimal| {
            let digits: Vec<u8> = decimal.digits().collect();
            let digits = BigUint::parse_bytes(&digits, 10).unwrap_or_default();
            Float::from_decimal(false, &digits, -(decimal.fraction.len() as i64))
        });
        let exact = exact.ok().flatten().map(|float| Number::of(&arena, float));
        let number = Number::from_literal(text).ok();
        let difference = number.zip(exact).map(|(one, other)| one.compare(other));
        assert_eq!(difference, Some(Ordering::Equal), "{} digits", text.len());
    }
    // Linear, so in no time.
    let long = many("23", 1_000_000);
    assert!(Number::from_literal(&long).is_ok_and(|number| number.to_text(&arena) == Err(TooLong)));
    let fraction = format!("0.{long}");
    let number = Number::from_literal(&fraction).ok();
    let text = number.and_then(|number| number.to_text(&arena).ok());
    assert_eq!(text.map(str::len), Some(158));
    let number = Number::from_literal("1e999999").ok();
    let text = number.and_then(|number| number.to_text(&arena).ok());
    assert_eq!(text.map(str::len), Some(1_000_000));
}

/// Numbers compare by their floats, whatever it would take to write them out.
#[test]
fn comparing_writes_nothing_out() {
    let arena = Arena::new();
    let number = |text: &str| {
        Number::from_literal(arena.str(text)).unwrap_or_else(|error| panic!("{error}"))
    };
    let before = super::super::float::DIGITS.get();
    for (one, other) in [
        ("1e-999999", "2e-999999"),
        ("1e-2000000", "2e-2000000"),
        ("1e999999", "2e999999"),
        ("1e-300000000", "1e-300000001"),
        ("-1e-999999", "1e-999999"),
    ] {
        let (one, other) = (number(one), number(other));
        assert!(!one.equals(other) && one.compare(other) != Ordering::Equal);
        assert!(one.equals(one) && other.ordered().compare(&other.ordered()).is_eq());
        let third = one.divide(&arena, number("3")).unwrap_or(one);
        assert!(!third.equals(one) && third.equals(third));
    }
    assert_eq!(super::super::float::DIGITS.get(), before);
    // Of two precisions, the same by their digits.
    assert!(Number::from_f64(&arena, 0.1).equals(number("0.1")));
    assert!(!Number::from_f64(&arena, 0.1).equals(number("0.10000000000000001")));
}

#[test]
fn arithmetic_is_that_of_the_reference() {
    let arena = Arena::new();
    let number = |text| Number::from_literal(text).unwrap_or_else(|error| panic!("{error}"));
    let binary = |one, operator, other| {
        let (one, other) = (number(one), number(other));
        let result = match operator {
            '+' => one.add(&arena, other),
            '-' => one.subtract(&arena, other),
            '*' => one.multiply(&arena, other),
            '/' => one.divide(&arena, other),
            _ => one.remainder(&arena, other),
        };
        result.map_or_else(|error| error.to_string(), |result| format!("{result:?}"))
    };
    assert_eq!(binary("0.1", '+', "0.2"), "0.3");
    assert_eq!(binary("1e160", '+', "1"), format!("1{}", "0".repeat(160)));
    assert_eq!(binary("7", '%', "-3"), "1");
    assert_eq!(binary("-7", '%', "3"), "-1");
    assert_eq!(binary("5", '%', "0"), "5");
    assert_eq!(binary("-0", '%', "3"), "-0");
    assert_eq!(binary("-3", '%', "3"), "0");
    assert_eq!(binary("1", '/', "0"), "+Inf");
    assert_eq!(binary("1", '*', "1e400000000"), "…");
    assert_eq!(binary("1e400000000", '-', "1"), "…");
    assert!(binary("0", '/', "0").contains("zero"));
    let third = binary("1", '/', "3");
    assert_eq!(third.len(), 157, "{third}");
    assert_eq!(binary("11", '%', "5.1").len(), 157);
}

/// Small integers are computed with as integers; written with a zero in front they are not.
#[test]
fn small_integers_give_what_floats_give() {
    let arena = Arena::new();
    let largest = "999999999999999999";
    let values = ["0", "1", "-1", "2", "-3", "10", "-400", "4294967297", largest];
    let number = |text: &str| {
        Number::from_literal(arena.str(text)).unwrap_or_else(|error| panic!("{error}"))
    };
    let long = |text: &str| match text.strip_prefix('-') {
        Some(digits) => number(&format!("-0{digits}")),
        None => number(&format!("0{text}")),
    };
    for one in values {
        for other in values {
            let (a, b, c, d) = (number(one), number(other), long(one), long(other));
            assert!(a.small().is_some() && c.small().is_none());
            for operation in [Number::add, Number::subtract, Number::multiply] {
                let (fast, slow) = (operation(a, &arena, b), operation(c, &arena, d));
                let (Ok(fast), Ok(slow)) = (fast, slow) else { panic!("{one} {other}") };
                assert_eq!(format!("{fast:?}"), format!("{slow:?}"), "{one} {other}");
                assert_eq!(fast.float().precision, slow.float().precision, "{one} {other}");
            }
            assert_eq!(a.compare(b), c.compare(d));
            assert_eq!(a.equals(b), c.equals(d));
            assert!(a.equals(c) && a.is_integer() && a.as_i64() == c.as_i64());
            let (Some(i), Some(j)) = (a.as_i64(), b.as_i64()) else { panic!("{one}") };
            let (i, j) = (Number::from_i64(&arena, i), Number::from_i64(&arena, j));
            for operation in [Number::add, Number::subtract, Number::multiply] {
                let mixed = operation(i, &arena, j).map(|result| format!("{result:?}"));
                let text = operation(a, &arena, b).map(|result| format!("{result:?}"));
                assert_eq!(mixed, text);
            }
        }
    }
}

/// Lines of `corpus/conformance/values/arithmetic.txt`: operands, and what Go's `big.Float` makes of them.
#[test]
fn random_arithmetic_is_that_of_the_reference() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/corpus/conformance/values/arithmetic.txt");
    let cases = std::fs::read_to_string(path).unwrap_or_default();
    assert!(cases.lines().count() > 100);
    let arena = Arena::new();
    for line in cases.lines() {
        let [one, operator, other, written, expected] = line.split(' ').collect::<Vec<_>>()[..]
        else {
            panic!("{line}");
        };
        let number = |text| Number::from_literal(text).unwrap_or_else(|error| panic!("{error}"));
        let (one, other) = (number(one), number(other));
        assert_eq!(format!("{one:?}"), written, "{line}");
        let result = match operator {
            "+" => one.add(&arena, other),
            "-" => one.subtract(&arena, other),
            "*" => one.multiply(&arena, other),
            _ => one.divide(&arena, other),
        };
        let result = result.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(format!("{result:?}"), expected, "{line}");
    }
}
