//! Tests of the text, arithmetic and comparison of numbers.

use super::*;

fn text(number: Result<Number<'_>, NumberError>) -> String {
    digits(number.unwrap_or_else(|error| panic!("{error}")))
}

/// All digits of a number.
fn digits(number: Number<'_>) -> String {
    number.to_fixed().unwrap_or_else(|error| panic!("{error}"))
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

/// The digits of a literal are those of its float, unless it has more than the float keeps.
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
    // The cost is linear, so this takes little time.
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

/// Numbers compare by their floats, without writing their digits.
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
    // Numbers of two precisions are the same if their digits are.
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

/// Small integers are computed as integers, except when they are written with leading zeros.
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

/// Lines of `corpus/conformance/values/arithmetic.txt`: operands, and the results of Go's
/// `big.Float`.
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
        assert_eq!(digits(one), written, "{line}");
        let result = match operator {
            "+" => one.add(&arena, other),
            "-" => one.subtract(&arena, other),
            "*" => one.multiply(&arena, other),
            _ => one.divide(&arena, other),
        };
        let result = result.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(digits(result), expected, "{line}");
    }
}

fn number<'a>(arena: &'a Arena, text: &str) -> Number<'a> {
    Number::parse(arena, text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn texts_that_convert_to_numbers() {
    let arena = Arena::new();
    for (given, expected) in [
        ("+5", "5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("-05.50", "-5.5"),
        ("3p2", "12"),
        ("3P-2", "0.75"),
        ("1E+2", "100"),
        ("Inf", "+Inf"),
        ("+inf", "+Inf"),
        ("-Inf", "-Inf"),
    ] {
        assert_eq!(format!("{:?}", number(&arena, given)), expected, "{given}");
        // A literal keeps its text in any notation.
        if let Ok(literal) = Number::from_literal(given) {
            assert_eq!(format!("{literal:?}"), expected, "{given}");
        }
    }
    for zero in ["0.0", "-0e9", "0p1"] {
        assert!(number(&arena, zero).is_zero() && number(&arena, zero).is_integer(), "{zero}");
    }
    let none = [
        "", "+", "-", ".", "e1", "1e", "1e+", "1p", "1e1.5", "1 ", " 1", "0x1", "1_000", "INF",
        "NaN",
    ];
    for given in none {
        assert_eq!(Number::parse(&arena, given).err(), Some(NumberError::Syntax), "{given:?}");
        assert_eq!(Number::from_literal(given).err(), Some(NumberError::Syntax), "{given:?}");
    }
}

#[test]
fn infinite_numbers() {
    let arena = Arena::new();
    let [infinite, minus, zero, one] =
        ["Inf", "-Inf", "0", "-1.5"].map(|text| number(&arena, text));
    let text = |result: Result<Number<'_>, ArithmeticError>| {
        result.map_or_else(|error| error.to_string(), |number| format!("{number:?}"))
    };
    let opposing = "opposing infinities have no sum";
    let times = "zero cannot be multiplied by infinity";
    let divided = "zero cannot be divided by zero, nor infinity by infinity";
    for (result, expected) in [
        (infinite.add(&arena, infinite), "+Inf"),
        (infinite.add(&arena, minus), opposing),
        (infinite.subtract(&arena, infinite), opposing),
        (infinite.add(&arena, one), "+Inf"),
        (one.add(&arena, minus), "-Inf"),
        (one.subtract(&arena, minus), "+Inf"),
        (infinite.multiply(&arena, minus), "-Inf"),
        (infinite.multiply(&arena, one), "-Inf"),
        (infinite.multiply(&arena, zero), times),
        (zero.multiply(&arena, minus), times),
        (infinite.divide(&arena, infinite), divided),
        (infinite.divide(&arena, one), "-Inf"),
        (one.divide(&arena, infinite), "-0"),
        (zero.divide(&arena, zero), divided),
        (one.divide(&arena, zero), "-Inf"),
        (infinite.remainder(&arena, one), times),
        (one.remainder(&arena, infinite), times),
        (infinite.remainder(&arena, zero), "+Inf"),
    ] {
        assert_eq!(text(result), expected);
    }
    assert!(infinite.is_infinite() && !one.is_infinite() && !zero.is_infinite());
    assert!(!infinite.is_integer() && !infinite.is_zero());
    assert_eq!((infinite.as_i64(), infinite.as_u64(), infinite.as_usize()), (None, None, None));
    assert!(infinite.equals(infinite) && !infinite.equals(minus) && !infinite.equals(one));
    assert!(!Number::from_f64(&arena, 0.1).equals(infinite));
    assert!(Number::from_f64(&arena, f64::NEG_INFINITY).equals(minus));
    assert!(minus.compare(one).is_lt() && infinite.compare(one).is_gt());
    assert_eq!((infinite.to_f64_lossy(), minus.to_f64_lossy()), (f64::INFINITY, f64::NEG_INFINITY));
}

/// Numbers of two precisions are the same if the coarser one cannot represent their difference.
#[test]
fn numbers_of_two_precisions() {
    let arena = Arena::new();
    let tenth = Number::from_f64(&arena, 0.1);
    for (text, is_same) in [
        ("0.1", true),
        ("0.10000000000000000555", false),
        ("0.1000000000000000055511151231257827021181583404541015625", true),
        ("-0.1", false),
        ("0.2", false),
        ("0.4", false),
        ("12345678.9", false),
        ("1", false),
        ("1e-9", false),
    ] {
        assert_eq!(tenth.equals(number(&arena, text)), is_same, "{text}");
        assert_eq!(number(&arena, text).equals(tenth), is_same, "{text}");
        let (one, other) = (tenth.ordered(), number(&arena, text).ordered());
        assert_eq!(one.compare(&other).is_eq(), is_same, "{text}");
        assert_eq!(one.compare(&other), other.compare(&one).reverse(), "{text}");
    }
    assert!(!Number::from_f64(&arena, 5.0).equals(number(&arena, "5.000000000000000000001")));
}

/// Numbers too large or too small to be written in fixed notation.
#[test]
fn numbers_beyond_all_digits() {
    let arena = Arena::new();
    let three = number(&arena, "3");
    let third =
        |text| number(&arena, text).divide(&arena, three).unwrap_or_else(|error| panic!("{error}"));
    for (text, float) in [
        ("1e-9999", 0.0),
        ("-1e-9999", -0.0),
        ("1e9999", f64::INFINITY),
        ("-1e9999", f64::NEG_INFINITY),
        ("1e-400000", 0.0),
        ("-1e400000", f64::NEG_INFINITY),
    ] {
        assert_eq!(third(text).to_f64_lossy().to_bits(), f64::to_bits(float), "{text}");
    }
    for float in [0.75, -0.75, 1e300, 5e-324] {
        assert_eq!(Number::from_f64(&arena, float).to_f64_lossy(), float);
    }
    for text in ["1e1100000", "1e-1100000", "1e400000000"] {
        let literal = Number::from_literal(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(format!("{literal:?}"), text.replace("1e1", "1e+1").replace("1e4", "1e+4"));
        for number in [literal, number(&arena, text), third(text)] {
            assert_eq!(number.to_text(&arena), Err(TooLong), "{text}");
            assert!(!number.is_short());
            // A million digits, and the stored length.
            assert!((300_000..1_000_200).contains(&number.len()), "{text}: {}", number.len());
        }
    }
}

/// The same number, with an exponent if it would be long.
#[test]
fn literals_are_short() {
    let arena = Arena::new();
    let computed = number(&arena, "1e400000000");
    assert_eq!(computed.to_literal(&arena), Err(TooLong));
    assert_eq!((format!("{computed:?}"), computed.to_string().len()), ("…".to_owned(), 38));
    let zeros = |count: usize| "0".repeat(count);
    for (text, expected) in [
        ("0e9999999", "0"),
        ("-0", "-0"),
        ("7", "7"),
        ("-1.50", "-1.5"),
        ("1e400", &*format!("1{}", zeros(400))),
        ("1e401", "1e+401"),
        ("-12.5e400", "-1.25e+401"),
        ("1e-400", &*format!("0.{}1", zeros(399))),
        ("1e-401", "1e-401"),
        ("1e999999", "1e+999999"),
        ("1e400000000", "1e+400000000"),
        ("-1e-400000000", "-1e-400000000"),
    ] {
        let literal = Number::from_literal(text).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(literal.to_literal(&arena), Ok(expected), "{text}");
        let again = Number::from_literal(expected).unwrap_or_else(|error| panic!("{error}"));
        assert!(again.equals(literal), "{text}");
    }
    let three = number(&arena, "3");
    for text in ["1e500", "-1e-500", "1e399", "1e-399"] {
        let third = number(&arena, text).divide(&arena, three).ok();
        let literal = third.and_then(|third| third.to_literal(&arena).ok());
        let again = literal.and_then(|literal| Number::from_literal(literal).ok());
        assert!(again.zip(third).is_some_and(|(again, third)| again.equals(third)), "{literal:?}");
        assert!(literal.is_some_and(|literal| literal.len() < 600), "{literal:?}");
    }
    assert_eq!(Number::parse(&arena, "-Inf").map(|it| it.to_literal(&arena)), Ok(Ok("-Inf")));
}

/// One operand is so small that it only decides the direction of rounding.
#[test]
fn sums_of_operands_that_are_far_apart() {
    let arena = Arena::new();
    let one = number(&arena, "1");
    for small in ["1e-500", "-1e-500", "1e-5000", "-1e-5000"] {
        let small = number(&arena, small);
        let sum = one.add(&arena, small).unwrap_or_else(|error| panic!("{error}"));
        assert!(sum.equals(one), "rounded to 512 bits");
        assert!(small.add(&arena, one).is_ok_and(|sum| sum.equals(one)));
    }
    let zero = number(&arena, "0");
    for (one, other) in [("0", "-0.1"), ("-0.1", "0"), ("-0", "0")] {
        let sum = number(&arena, one).add(&arena, number(&arena, other));
        let expected = if one == "-0" { zero } else { number(&arena, "-0.1") };
        assert!(sum.is_ok_and(|sum| sum.equals(expected) && sum.is_negative() == expected.is_negative()));
    }
}

/// If there are too many digits to write, only the values decide whether two numbers are the same.
#[test]
fn near_numbers_that_are_too_far_from_the_point_for_digits() {
    let arena = Arena::new();
    let one = Number::from_i64(&arena, 1);
    fn quotient<'a>(arena: &'a Arena, a: Number<'a>, b: Number<'a>) -> Number<'a> {
        a.divide(arena, b).unwrap_or_else(|error| panic!("{error}"))
    }
    // Squared repeatedly, with 64 bits.
    let third = quotient(&arena, one, Number::from_i64(&arena, 3));
    let coarse =
        (0..22).fold(third, |power, _| quotient(&arena, power, quotient(&arena, one, power)));
    let times = |factor| coarse.multiply(&arena, number(&arena, factor)).unwrap_or(coarse);
    assert_eq!((coarse.float().precision, times("1").float().precision), (64, 512));
    assert_eq!(coarse.to_text(&arena), Err(TooLong));
    assert!(coarse.equals(times("1")));
    assert!(!coarse.equals(times("1.0000000000000000000000000000001")));
}
