//! Numbers as Go writes them in programs and reads them from texts.

/// The message about a number that has no value of its type.
pub(super) const TOO_LARGE: &str = "the number is too large";

/// Returns the whole number that a text is, with a sign, a prefix of its radix, and underscores. `None` if it
/// is not one.
///
/// # Errors
/// It is too large for 64 bits.
pub(super) fn whole(text: &str) -> Result<Option<i64>, &'static str> {
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let digits = unsigned.replace('_', "").to_ascii_lowercase();
    let with = |prefix, radix| Some((digits.strip_prefix(prefix)?, radix));
    let octal = || with("0", 8).filter(|(rest, _)| !rest.is_empty());
    let (digits, radix) = with("0x", 16)
        .or_else(|| with("0o", 8))
        .or_else(|| with("0b", 2))
        .or_else(octal)
        .unwrap_or((&digits, 10));
    if digits.is_empty() || !digits.chars().all(|char| char.is_digit(radix)) {
        return Ok(None);
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    i64::from_str_radix(&format!("{sign}{digits}"), radix).map(Some).map_err(|_| TOO_LARGE)
}

/// Returns the number that a text is, which may have a fraction and an exponent. `None` if it is not one.
///
/// # Errors
/// It is too large for a float.
pub(super) fn fractional(text: &str) -> Result<Option<f64>, &'static str> {
    match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(Some(value)),
        Ok(_) => Err(TOO_LARGE),
        Err(_) => Ok(None),
    }
}

/// Returns a number without its fraction.
///
/// # Errors
/// It is too large for 64 bits.
pub(super) fn whole_part(value: f64) -> Result<i64, &'static str> {
    // The largest whole number is not a float; the one above it is.
    const END: f64 = 9_223_372_036_854_775_808.0;
    if (-END..END).contains(&value) { Ok(value as i64) } else { Err(TOO_LARGE) }
}
