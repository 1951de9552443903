//! Numbers too long for a vector: a state machine that can stop and go on anywhere.

/// How far a number has been read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Number {
    /// Before its first byte.
    Start,
    /// Behind the minus: a digit must follow.
    Minus,
    /// Behind an integer part that is 0: no digit may follow.
    Zero,
    /// Within the integer part.
    Integer,
    /// Behind the point: a digit must follow.
    Point,
    /// Within the fraction.
    Fraction,
    /// Behind `e` or `E`.
    Exponent,
    /// Behind the exponent's sign: a digit must follow.
    Sign,
    /// Within the exponent's digits.
    Power,
    /// It is none.
    Invalid,
}

impl Number {
    /// `number = [ minus ] int [ frac ] [ exp ]`, one byte further.
    pub(super) fn next(self, byte: u8) -> Self {
        match (self, byte) {
            (Self::Start, b'-') => Self::Minus,
            (Self::Start | Self::Minus, b'0') => Self::Zero,
            (Self::Start | Self::Minus, b'1'..=b'9') => Self::Integer,
            (Self::Integer, b'0'..=b'9') => Self::Integer,
            (Self::Zero | Self::Integer, b'.') => Self::Point,
            (Self::Point | Self::Fraction, b'0'..=b'9') => Self::Fraction,
            (Self::Zero | Self::Integer | Self::Fraction, b'e' | b'E') => Self::Exponent,
            (Self::Exponent, b'+' | b'-') => Self::Sign,
            (Self::Exponent | Self::Sign | Self::Power, b'0'..=b'9') => Self::Power,
            _ => Self::Invalid,
        }
    }

    /// Whether a digit changes nothing.
    pub(super) fn is_in_digits(self) -> bool {
        matches!(self, Self::Integer | Self::Fraction | Self::Power)
    }

    /// Whether a number may end here.
    pub(super) fn is_complete(self) -> bool {
        matches!(self, Self::Zero | Self::Integer | Self::Fraction | Self::Power)
    }
}
