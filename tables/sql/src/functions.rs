//! Functions of SQL that the evaluator of the library offers.

use std::sync::Arc;

use arrow::array::{ArrayRef, BooleanArray, StringArray, cast::AsArray as _};
use arrow::datatypes::DataType;
use datafusion::common::Result;
use datafusion::logical_expr::{
    ColumnarValue, ScalarFunctionImplementation, ScalarUDF, Volatility, create_udf,
};
use simd_hcl::evaluate::Scope;
use simd_hcl::functions::standard;
use simd_hcl::module::{Version, VersionConstraint, VersionOperator};
use simd_hcl::native::Native;
use simd_hcl::show::{Address, Filter};
use simd_hcl::{Arena, Severity, Source};

/// The functions, each with its doc.
pub const FUNCTIONS: [(&str, &str); 3] = [
    (
        "hcl_eval(expression)",
        "the value of an expression of HCL without variables, as JSON; null if it has errors or is not known",
    ),
    (
        "version_matches(version, constraint)",
        "whether a version satisfies a constraint such as `~> 5.0, != 5.3`; null if one of them is invalid",
    ),
    (
        "address_in(address, filter)",
        "whether the address of a resource instance is one that `--address filter` selects: that resource, its instances, or those in that module; null if one of them is invalid",
    ),
];

/// All functions.
#[must_use]
pub fn all() -> [ScalarUDF; 3] {
    let texts = |count| vec![DataType::Utf8; count];
    let define = |name, count, to, function| {
        create_udf(name, texts(count), to, Volatility::Immutable, function)
    };
    [
        define("hcl_eval", 1, DataType::Utf8, of_one(evaluate)),
        define("version_matches", 2, DataType::Boolean, of_two(version_matches)),
        define("address_in", 2, DataType::Boolean, of_two(address_in)),
    ]
}

fn columns(values: &[ColumnarValue]) -> Result<(Vec<ArrayRef>, bool)> {
    let is_scalar = values.iter().all(|value| matches!(value, ColumnarValue::Scalar(_)));
    Ok((ColumnarValue::values_to_arrays(values)?, is_scalar))
}

fn result(array: ArrayRef, is_scalar: bool) -> Result<ColumnarValue> {
    match is_scalar {
        true => {
            let value = datafusion::common::ScalarValue::try_from_array(&array, 0)?;
            Ok(ColumnarValue::Scalar(value))
        }
        false => Ok(ColumnarValue::Array(array)),
    }
}

fn of_one(function: fn(&str) -> Option<String>) -> ScalarFunctionImplementation {
    Arc::new(move |values: &[ColumnarValue]| {
        let (arrays, is_scalar) = columns(values)?;
        let texts = arrays[0].as_string::<i32>();
        let array: StringArray = texts.iter().map(|text| function(text?)).collect();
        result(Arc::new(array), is_scalar)
    })
}

fn of_two(function: fn(&str, &str) -> Option<bool>) -> ScalarFunctionImplementation {
    Arc::new(move |values: &[ColumnarValue]| {
        let (arrays, is_scalar) = columns(values)?;
        let (left, right) = (arrays[0].as_string::<i32>(), arrays[1].as_string::<i32>());
        let rows = left.iter().zip(right.iter());
        let array: BooleanArray = rows.map(|(left, right)| function(left?, right?)).collect();
        result(Arc::new(array), is_scalar)
    })
}

fn evaluate(text: &str) -> Option<String> {
    let arena = Arena::new();
    let source = Source::copy_from(&arena, "expression", text.as_bytes()).ok()?;
    let mut found: Vec<simd_hcl::Diagnostic<'_>> = Vec::new();
    let native = Native::expression(&arena, source, &mut found);
    let library = standard();
    let value = native.value(&Scope::new().with_functions(&library), &mut found);
    if found.iter().any(|it| it.severity() == Severity::Error) || !value.is_wholly_known() {
        return None;
    }
    // Values that `sensitive()` marks stay hidden.
    let (value, marks) = value.unmark_deep(&arena);
    if !marks.is_empty() {
        return Some(simd_hcl_tables::scan::HIDDEN.to_owned());
    }
    simd_hcl_tables::json_of(value)
}

fn version_matches(version: &str, constraint: &str) -> Option<bool> {
    let version = Version::parse(version.trim().trim_start_matches('v'))?;
    let constraints = VersionConstraint::parse_all(constraint)?;
    let segments = &version.segments;
    let segment = |place: usize| segments.get(place).copied().unwrap_or(0);
    let release = [segment(0), segment(1), segment(2)];
    if version.prerelease.is_empty() {
        return Some(constraints.iter().all(|it| it.admits(release)));
    }
    // Only a constraint that names a prerelease selects it.
    let is_same = |it: &VersionConstraint<'_>| {
        it.operator == VersionOperator::Equal
            && it.version.segments == version.segments
            && it.version.prerelease == version.prerelease
    };
    Some(constraints.iter().all(is_same))
}

fn address_in(address: &str, filter: &str) -> Option<bool> {
    let address = Address::parse(address).ok()?;
    let filter = Filter::default().with_address(filter).ok()?;
    Some(filter.wants_address(&address))
}

#[cfg(test)]
mod tests {
    use super::{address_in, evaluate, version_matches};

    #[test]
    fn expressions() {
        assert_eq!(evaluate("upper(\"a\")").as_deref(), Some("\"A\""));
        assert_eq!(evaluate("[1, {a = 2}]").as_deref(), Some(r#"[1,{"a":2}]"#));
        for text in ["var.x", "1 +", ""] {
            assert_eq!(evaluate(text), None, "{text}");
        }
    }

    #[test]
    fn versions() {
        assert_eq!(version_matches("5.1.0", "~> 5.0"), Some(true));
        assert_eq!(version_matches("v6.0.0", ">= 5.0, < 6.0"), Some(false));
        assert_eq!(version_matches("6.0.0-beta1", ">= 5.0"), Some(false));
        assert_eq!(version_matches("6.0.0-beta1", "6.0.0-beta1"), Some(true));
        assert_eq!(version_matches("six", ">= 5.0"), None);
        assert_eq!(version_matches("6.0.0", "about 6"), None);
    }

    #[test]
    fn addresses() {
        let address = "module.a[0].aws_instance.web[\"x\"]";
        for filter in ["module.a", "module.a[0]", "module.a[0].aws_instance.web"] {
            assert_eq!(address_in(address, filter), Some(true), "{filter}");
        }
        assert_eq!(address_in(address, "module.b"), Some(false));
        assert_eq!(address_in("!", "module.b"), None);
    }
}
