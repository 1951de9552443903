//! Functions for RFC 3339 timestamps: `formatdate`, `timeadd`, `timecmp`.

use std::fmt::Write as _;

use super::builtin::{Builtin, function};
use super::call::{Call, Outcome, wrong};
use crate::value::Quotation;

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("formatdate", format_date),
    function("timeadd", time_add),
    function("timecmp", time_compare),
];

const NANOSECONDS: i128 = 1_000_000_000;
const DAY: i64 = 86_400;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/// A point in time, with its offset from UTC.
#[derive(Clone, Copy)]
struct Timestamp {
    /// Nanoseconds since 1970 in UTC.
    nanoseconds: i128,
    /// Seconds east of Greenwich.
    offset: i64,
}

/// The parts of a timestamp in its own zone.
struct Civil {
    year: i64,
    /// The month, from 1.
    month: usize,
    day: i64,
    /// The day of the week, from 0 for Sunday.
    weekday: usize,
    hour: i64,
    minute: i64,
    second: i64,
}

impl Timestamp {
    /// Parses RFC 3339, section 5.6, with capital `T` and `Z`, no leap seconds, any number of
    /// digits after the point (nine are used), and two digits for the hour.
    fn parse(text: &str) -> Option<Self> {
        let bytes = text.as_bytes();
        let shape = bytes.get(..19)?;
        if ![(4, b'-'), (7, b'-'), (10, b'T'), (13, b':'), (16, b':')]
            .iter()
            .all(|&(at, byte)| shape[at] == byte)
        {
            return None;
        }
        let field = |from: usize, to: usize| digits(&bytes[from..to]);
        let (year, month, day) = (field(0, 4)?, field(5, 7)?, field(8, 10)?);
        let (hour, minute, second) = (field(11, 13)?, field(14, 16)?, field(17, 19)?);
        let valid = (1..=12).contains(&month)
            && (1..=days_in_month(year, month)).contains(&day)
            && hour < 24
            && minute < 60
            && second < 60;
        let mut rest = &bytes[19..];
        let mut fraction = 0;
        if let [b'.' | b',', after @ ..] = rest {
            let length = after.iter().take_while(|byte| byte.is_ascii_digit()).count();
            if length == 0 || rest[0] == b',' {
                return None;
            }
            let counted = &after[..length.min(9)];
            fraction = digits(counted)? * 10_i64.pow(9 - u32::try_from(counted.len()).ok()?);
            rest = &after[length..];
        }
        let offset = match *rest {
            [b'Z'] => 0,
            [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] => {
                let (hours, minutes) = (digits(&[h1, h2])?, digits(&[m1, m2])?);
                if hours > 23 || minutes > 59 {
                    return None;
                }
                let offset = hours * 3600 + minutes * 60;
                if sign == b'-' { -offset } else { offset }
            }
            _ => return None,
        };
        let local = days_from_civil(year, month, day) * DAY + hour * 3600 + minute * 60 + second;
        let nanoseconds = i128::from(local - offset) * NANOSECONDS + i128::from(fraction);
        valid.then_some(Self { nanoseconds, offset })
    }

    fn civil(self) -> Civil {
        let seconds = self.nanoseconds.div_euclid(NANOSECONDS);
        // A year has at most five digits, so the seconds fit.
        let local = i64::try_from(seconds).unwrap_or(0) + self.offset;
        let (days, time) = (local.div_euclid(DAY), local.rem_euclid(DAY));
        let (year, month, day) = civil_from_days(days);
        Civil {
            year,
            month: usize::try_from(month).unwrap_or(1),
            day,
            // 1 January 1970 was a Thursday.
            weekday: usize::try_from((days + 4).rem_euclid(7)).unwrap_or(0),
            hour: time / 3600,
            minute: time / 60 % 60,
            second: time % 60,
        }
    }

    /// Returns the offset from UTC, with `separator` between hours and minutes.
    fn zone(self, separator: &str) -> String {
        let sign = if self.offset < 0 { '-' } else { '+' };
        let minutes = self.offset.abs() / 60;
        format!("{sign}{:02}{separator}{:02}", minutes / 60, minutes % 60)
    }
}

/// Reads a timestamp of YAML, and returns it in RFC 3339 with whole seconds: a date, or a date and a
/// time. Months, days, hours, minutes and seconds may have one digit.
pub(super) fn loose_timestamp(text: &str) -> Option<String> {
    /// Takes one or two digits.
    fn number(rest: &mut &[u8]) -> Option<i64> {
        let length = rest.iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
        let (number, after) = rest.split_at(length);
        *rest = after;
        if number.is_empty() { None } else { digits(number) }
    }
    fn byte(rest: &mut &[u8], wanted: &[u8]) -> Option<u8> {
        let (&first, after) = rest.split_first()?;
        *rest = after;
        wanted.contains(&first).then_some(first)
    }
    let mut rest = text.as_bytes();
    let year = digits(rest.get(..4)?)?;
    rest = &rest[4..];
    byte(&mut rest, b"-")?;
    let month = number(&mut rest)?;
    byte(&mut rest, b"-")?;
    let day = number(&mut rest)?;
    if !(1..=12).contains(&month) || !(1..=days_in_month(year, month)).contains(&day) {
        return None;
    }
    if rest.is_empty() {
        return Some(format!("{year:04}-{month:02}-{day:02}T00:00:00Z"));
    }
    let separator = byte(&mut rest, b"Tt ")?;
    let hour = number(&mut rest)?;
    byte(&mut rest, b":")?;
    let minute = number(&mut rest)?;
    byte(&mut rest, b":")?;
    let second = number(&mut rest)?;
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    if let [b'.' | b',', b'0'..=b'9', ..] = rest {
        let length = rest[1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        rest = &rest[1 + length..];
    }
    let zone = match *rest {
        [] if separator == b' ' => "Z".to_owned(),
        [b'Z'] if separator != b' ' => "Z".to_owned(),
        [sign @ (b'+' | b'-'), h1, h2, b':', m1, m2] if separator != b' ' => {
            let (hours, minutes) = (digits(&[h1, h2])?, digits(&[m1, m2])?);
            if hours > 24 || minutes > 60 {
                return None;
            }
            match hours * 60 + minutes {
                0 => "Z".to_owned(),
                all => format!("{}{:02}:{:02}", char::from(sign), all / 60, all % 60),
            }
        }
        _ => return None,
    };
    Some(format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}"))
}

/// Parses decimal digits.
fn digits(bytes: &[u8]) -> Option<i64> {
    bytes.iter().try_fold(0, |number, byte| {
        byte.is_ascii_digit().then(|| number * 10 + i64::from(byte - b'0'))
    })
}

fn days_in_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns the days since 1970 in the proleptic Gregorian calendar. Years start in March, so that
/// the leap day is the last day, and the number of days before a month is linear.
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let (era, year_of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The inverse of [`days_from_civil`].
fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let (era, day_of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let march_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    (era * 400 + year_of_era + i64::from(month <= 2), month, day)
}

fn timestamp<'a>(call: Call<'_, 'a>, index: usize) -> Outcome<'a, Timestamp> {
    let text = call.str(index)?;
    Timestamp::parse(text).ok_or_else(|| {
        call.wrong(index, "{} is not an RFC 3339 timestamp", &[Quotation::Text(text)])
    })
}

fn format_date<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let time = timestamp(call, 1)?;
    let civil = time.civil();
    let format = call.str(0)?;
    let mut out = String::with_capacity(format.len());
    let mut rest = format;
    while let Some(first) = rest.chars().next() {
        if first == '\'' {
            let Some(length) = quoted(rest, &mut out) else {
                return Err(wrong(0, "a quoted text is not closed"));
            };
            rest = &rest[length..];
        } else if first.is_ascii_alphabetic() {
            let length = rest.len() - rest.trim_start_matches(first).len();
            let verb = &rest[..length];
            if write_verb(&mut out, verb, &civil, time).is_none() {
                return Err(call.wrong(0, "{} is not part of a date", &[Quotation::Text(verb)]));
            }
            rest = &rest[length..];
        } else {
            out.push(first);
            rest = &rest[first.len_utf8()..];
        }
    }
    call.string(&out)
}

/// Reads a text in quotes, in which two quotes stand for one. Returns its length in bytes, or
/// `None` if it is not closed.
fn quoted(text: &str, out: &mut String) -> Option<usize> {
    if text.starts_with("''") {
        out.push('\'');
        return Some(2);
    }
    let mut at = 1;
    loop {
        let end = at + text[at..].find('\'')?;
        out.push_str(&text[at..end]);
        at = end + 1;
        if !text[at..].starts_with('\'') {
            return Some(at);
        }
        out.push('\'');
        at += 1;
    }
}

/// Writes one verb, which is one or more repetitions of a letter.
fn write_verb(out: &mut String, verb: &str, civil: &Civil, time: Timestamp) -> Option<()> {
    let letter = verb.as_bytes()[0];
    let number = match letter {
        b'M' => i64::try_from(civil.month).ok()?,
        b'D' => civil.day,
        b'h' => civil.hour,
        b'H' => (civil.hour + 11) % 12 + 1,
        b'm' => civil.minute,
        _ => civil.second,
    };
    match (letter, verb.len()) {
        (b'Y', 2) => write!(out, "{:02}", civil.year % 100).ok(),
        (b'Y', 4) => write!(out, "{:04}", civil.year).ok(),
        (b'M', 3) => out.write_str(&MONTHS[civil.month - 1][..3]).ok(),
        (b'M', 4) => out.write_str(MONTHS[civil.month - 1]).ok(),
        (b'E', 3) => out.write_str(&WEEKDAYS[civil.weekday][..3]).ok(),
        (b'E', 4) => out.write_str(WEEKDAYS[civil.weekday]).ok(),
        (b'M' | b'D' | b'h' | b'H' | b'm' | b's', 1) => write!(out, "{number}").ok(),
        (b'M' | b'D' | b'h' | b'H' | b'm' | b's', 2) => write!(out, "{number:02}").ok(),
        (b'A', 2) => out.write_str(if civil.hour < 12 { "AM" } else { "PM" }).ok(),
        (b'a', 2) => out.write_str(if civil.hour < 12 { "am" } else { "pm" }).ok(),
        (b'Z', 1) if time.offset == 0 => out.write_str("Z").ok(),
        (b'Z', 3) if time.offset == 0 => out.write_str("UTC").ok(),
        (b'Z', 3 | 4) => out.write_str(&time.zone("")).ok(),
        (b'Z', 1 | 5) => out.write_str(&time.zone(":")).ok(),
        _ => None,
    }
}

fn time_add<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let mut time = timestamp(call, 0)?;
    let text = call.str(1)?;
    let Some(duration) = duration(text) else {
        return Err(call.wrong(
            1,
            "{} is not a duration such as \"1h30m\"",
            &[Quotation::Text(text)],
        ));
    };
    time.nanoseconds += i128::from(duration);
    let civil = time.civil();
    // The sign is not part of the width of a year.
    let sign = if civil.year < 0 { "-" } else { "" };
    let zone = if time.offset == 0 { "Z".to_owned() } else { time.zone(":") };
    call.string(&format!(
        "{sign}{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{zone}",
        civil.year.abs(),
        civil.month,
        civil.day,
        civil.hour,
        civil.minute,
        civil.second,
    ))
}

/// Returns the nanoseconds of a duration: numbers with units, such as `1h30m` or `-1.5s`. At most
/// 64 bits.
fn duration(text: &str) -> Option<i64> {
    let (negative, mut rest) = match text.as_bytes().first()? {
        b'-' => (true, &text[1..]),
        b'+' => (false, &text[1..]),
        _ => (false, text),
    };
    if rest == "0" {
        return Some(0);
    }
    if rest.is_empty() {
        return None;
    }
    let mut total: u64 = 0;
    while !rest.is_empty() {
        let whole = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let (integer, after) = rest.split_at(whole);
        let after_point = after.strip_prefix('.').unwrap_or(after);
        let places = if after_point.len() < after.len() {
            after_point.len() - after_point.trim_start_matches(|c: char| c.is_ascii_digit()).len()
        } else {
            0
        };
        let (fraction, after) = after_point.split_at(places);
        if whole + places == 0 {
            return None;
        }
        let unit_length = after.find(|c: char| c == '.' || c.is_ascii_digit());
        let (unit, after) = after.split_at(unit_length.unwrap_or(after.len()));
        let unit: u64 = match unit {
            "ns" => 1,
            "us" | "µs" | "μs" => 1_000,
            "ms" => 1_000_000,
            "s" => 1_000_000_000,
            "m" => 60_000_000_000,
            "h" => 3_600_000_000_000,
            _ => return None,
        };
        // The limit is the magnitude of the smallest number, because the sign is applied later.
        let within = |number: &u64| *number <= 1 << 63;
        let integer: u64 = if whole == 0 { 0 } else { integer.parse().ok().filter(within)? };
        let part = integer.checked_mul(unit).filter(within)?;
        // Digits after the eighteenth are less than a nanosecond.
        let fraction = &fraction[..places.min(18)];
        let scale = 10_u128.pow(u32::try_from(fraction.len()).ok()?);
        let fraction = digits(fraction.as_bytes())?.unsigned_abs();
        let part = part + u64::try_from(u128::from(fraction) * u128::from(unit) / scale).ok()?;
        total = total.checked_add(part).filter(within)?;
        rest = after;
    }
    if negative { 0_i64.checked_sub_unsigned(total) } else { i64::try_from(total).ok() }
}

fn time_compare<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let order = timestamp(call, 0)?.nanoseconds.cmp(&timestamp(call, 1)?.nanoseconds);
    Ok(call.integer_value(order as i64))
}
