//! Time stamps of events.

/// The seconds between two time stamps of RFC 3339.
pub(super) fn elapsed(start: &str, end: &str) -> Option<f64> {
    let (start, end) = (microseconds(start)?, microseconds(end)?);
    Some((end - start) as f64 / 1e6)
}

/// A time stamp of RFC 3339 in microseconds since 1970.
fn microseconds(stamp: &str) -> Option<i64> {
    let number = |range: std::ops::Range<usize>| -> Option<i64> {
        let digits = stamp.get(range)?;
        digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| digits.parse().ok())?
    };
    let is_separated = [(4, "-"), (7, "-"), (10, "T"), (13, ":"), (16, ":")]
        .into_iter()
        .all(|(at, separator)| stamp.get(at..at + 1) == Some(separator));
    if !is_separated {
        return None;
    }
    let (year, month, day) = (number(0..4)?, number(5..7)?, number(8..10)?);
    let (hour, minute, second) = (number(11..13)?, number(14..16)?, number(17..19)?);
    let rest = stamp.get(19..)?;
    let (fraction, zone) = match rest.strip_prefix('.') {
        Some(rest) => rest.split_at(rest.bytes().take_while(u8::is_ascii_digit).count()),
        None => ("", rest),
    };
    let fraction: i64 = format!("{:0<6}", &fraction[..fraction.len().min(6)]).parse().ok()?;
    let zone = match zone.as_bytes() {
        b"Z" | b"z" => 0,
        [sign @ (b'+' | b'-'), hours @ .., b':', tens, ones] => {
            let hours: i64 = str::from_utf8(hours).ok()?.parse().ok()?;
            let minutes =
                i64::from(tens.wrapping_sub(b'0')) * 10 + i64::from(ones.wrapping_sub(b'0'));
            (hours.checked_mul(60)?.checked_add(minutes)?) * if *sign == b'+' { 1 } else { -1 }
        }
        _ => return None,
    };
    // Days since 1970, by the proleptic Gregorian calendar; years start in March.
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let of_year = (153 * month + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let seconds = ((days * 24 + hour) * 60 + minute - zone).checked_mul(60)?.checked_add(second)?;
    seconds.checked_mul(1_000_000)?.checked_add(fraction)
}

#[cfg(test)]
mod tests {
    use super::microseconds;

    #[test]
    fn time_stamps() {
        for (stamp, seconds) in [
            ("1970-01-01T00:00:00Z", 0.0),
            ("2000-02-29T12:00:00.5Z", 951_825_600.5),
            ("2026-11-22T03:06:49.123456Z", 1_795_316_809.123_456),
            ("2026-11-22T04:06:49.123456789+01:00", 1_795_316_809.123_456),
            ("2026-11-21T19:06:49.123456-08:00", 1_795_316_809.123_456),
        ] {
            let found = microseconds(stamp).map(|micros| micros as f64 / 1e6);
            assert_eq!(found, Some(seconds), "{stamp}");
        }
        for stamp in [
            "",
            "2026",
            "2026-11-22 03:06:49Z",
            "2026-11-22T03:06:49",
            "2026-11-22T03:06:4",
            "é026-11-22T03:06:49Z",
        ] {
            assert_eq!(microseconds(stamp), None, "{stamp}");
        }
    }
}
