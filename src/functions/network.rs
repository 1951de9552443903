//! Functions for address prefixes (RFC 4632, RFC 4291): `cidrcontains`, `cidrhost`, `cidrnetmask`,
//! `cidrsubnet`, `cidrsubnets`.
//!
//! Addresses are 128-bit numbers here. If OpenTofu returns an address outside of the prefix (for a
//! number that is negative or overflows), these functions return an error.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::builtin::{Builtin, function};
use super::call::{Call, MAX_ELEMENTS, Outcome, WHOLE_NUMBER, failed, wrong};
use crate::value::{Quotation, Type, Value};

pub(super) const FUNCTIONS: &[Builtin] = &[
    function("cidrcontains", contains),
    function("cidrhost", host),
    function("cidrnetmask", netmask),
    function("cidrsubnet", subnet),
    function("cidrsubnets", subnets),
];

/// A prefix: an address whose bits after `length` are zero.
#[derive(Clone, Copy)]
struct Prefix {
    address: u128,
    length: u32,
    /// The number of bits of an address: 32 or 128.
    width: u32,
}

impl Prefix {
    fn parse(text: &str) -> Option<Self> {
        let (address, length) = text.split_once('/')?;
        if length.is_empty() || !length.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let (address, width) = parse_address(address)?;
        let length = length.parse().ok().filter(|&length| length <= width)?;
        Some(Self { address: address & !low_bits(width - length), length, width })
    }

    /// The number of bits for host numbers.
    fn host_bits(self) -> u32 {
        self.width - self.length
    }

    /// The last address.
    fn last(self) -> u128 {
        self.address | low_bits(self.host_bits())
    }
}

/// Parses an address. Returns it with its width in bits. Leading zeros of decimal parts are
/// dropped.
fn parse_address(text: &str) -> Option<(u128, u32)> {
    if text.contains(':') {
        return text.parse().ok().map(|address: Ipv6Addr| (address.to_bits(), 128));
    }
    let mut address = 0;
    let mut parts = 0;
    for part in text.split('.') {
        if part.is_empty() || !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        address = address << 8 | u128::from(part.parse::<u8>().ok()?);
        parts += 1;
        if parts > 4 {
            return None;
        }
    }
    (parts == 4).then_some((address, 32))
}

/// Returns a number with the lowest `count` bits set.
fn low_bits(count: u32) -> u128 {
    if count == 128 { u128::MAX } else { (1 << count) - 1 }
}

/// Formats an address like OpenTofu: an IPv4 address that is mapped into IPv6 is written as IPv4.
fn show(address: u128, width: u32) -> String {
    let long = Ipv6Addr::from_bits(address);
    match u32::try_from(address) {
        Ok(short) if width == 32 => Ipv4Addr::from_bits(short).to_string(),
        _ => long.to_ipv4_mapped().map_or_else(|| long.to_string(), |short| short.to_string()),
    }
}

fn prefix<'a>(call: Call<'_, 'a>) -> Outcome<'a, Prefix> {
    let text = call.str(0)?;
    Prefix::parse(text).ok_or_else(|| {
        call.wrong(0, "{} is not a prefix in CIDR notation", &[Quotation::Text(text)])
    })
}

fn contains<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let outer = prefix(call)?;
    let text = call.str(1)?;
    let (first, last, width) = if let Some((address, width)) = parse_address(text) {
        (address, address, width)
    } else if let Some(inner) = Prefix::parse(text) {
        (inner.address, inner.last(), inner.width)
    } else {
        return Err(call.wrong(
            1,
            "{} is neither an address nor a prefix",
            &[Quotation::Text(text)],
        ));
    };
    if width != outer.width {
        return Err(failed("the addresses are of different families"));
    }
    Ok(Value::bool(outer.address <= first && last <= outer.last()))
}

fn host<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let prefix = prefix(call)?;
    let (negative, distance) = magnitude(call, 1)?;
    let size = low_bits(prefix.host_bits());
    let host = match (negative, distance) {
        (false, number) if number <= size => number,
        // Negative numbers are counted from the end.
        (true, number) if number - 1 <= size => size - (number - 1),
        _ => {
            let length = prefix.length;
            return Err(call.wrong(
                1,
                "a prefix of {} bits has no such host",
                &[Quotation::Value(&length)],
            ));
        }
    };
    call.string(&show(prefix.address | host, prefix.width))
}

/// Returns the argument at `index`, a whole number: whether it is negative (not for 0), and its
/// magnitude.
fn magnitude<'a>(call: Call<'_, 'a>, index: usize) -> Outcome<'a, (bool, u128)> {
    let whole = wrong(index, WHOLE_NUMBER);
    let number = call.number(index)?;
    if !number.is_integer() {
        return Err(whole);
    }
    let text = call.digits(number).map_err(|_| whole)?;
    let digits = text.strip_prefix('-');
    // A number that does not fit is too large for any prefix.
    let value: u128 =
        digits.unwrap_or(text).parse().map_err(|_| wrong(index, "the number is too large"))?;
    Ok((digits.is_some() && value != 0, value))
}

fn netmask<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let prefix = prefix(call)?;
    if prefix.width != 32 {
        return Err(wrong(0, "IPv6 addresses have no netmask"));
    }
    call.string(&show(low_bits(32) & !low_bits(prefix.host_bits()), 32))
}

fn subnet<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let prefix = prefix(call)?;
    let bits = u32::try_from(call.integer(1)?).ok().filter(|&bits| bits <= prefix.host_bits());
    let Some(bits) = bits else {
        let (free, length) = (prefix.host_bits(), prefix.length);
        let quotations = [Quotation::Value(&length), Quotation::Value(&free)];
        let message = "a prefix of {} bits can be extended by 0 to {} bits";
        return Err(call.wrong(1, message, &quotations));
    };
    let (negative, number) = magnitude(call, 2)?;
    if negative || number > low_bits(bits) {
        return Err(call.wrong(2, "{} bits do not hold this number", &[Quotation::Value(&bits)]));
    }
    let length = prefix.length + bits;
    // Without new bits the number is 0, and the shift may be the whole width.
    let offset = number.checked_shl(prefix.width - length).unwrap_or(0);
    let address = show(prefix.address | offset, prefix.width);
    call.string(&format!("{address}/{length}"))
}

/// Returns consecutive subnets, each aligned to its own size.
fn subnets<'a>(call: Call<'_, 'a>) -> Outcome<'a> {
    let prefix = prefix(call)?;
    if call.arguments.len() > MAX_ELEMENTS {
        return Err(call.too_many());
    }
    let mut results = Vec::with_capacity(call.arguments.len());
    // The first free address; `None` at the end of the address space.
    let mut free = Some(prefix.address);
    for index in 1..call.arguments.len() {
        let bits = call.integer(index)?;
        if bits < 1 {
            return Err(wrong(index, "a prefix is extended by at least one bit"));
        }
        let bits = u32::try_from(bits).unwrap_or(u32::MAX);
        if bits > prefix.host_bits() {
            let length = prefix.length;
            return Err(call.wrong(
                index,
                "{} and {} bits are too many for an address",
                &[Quotation::Value(&length), Quotation::Value(&bits)],
            ));
        }
        let length = prefix.length + bits;
        let ones = low_bits(prefix.width - length);
        let start = free.and_then(|free| free.checked_add(ones)).map(|end| end & !ones);
        let Some(start) = start.filter(|start| start | ones <= prefix.last()) else {
            return Err(call.wrong(
                index,
                "no space is left for a prefix of {} bits",
                &[Quotation::Value(&length)],
            ));
        };
        free = (start | ones).checked_add(1);
        let text = format!("{}/{length}", show(start, prefix.width));
        results.push(call.string(&text)?);
    }
    Ok(call.list(Type::String, &results))
}
