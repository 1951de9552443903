//! Structural scanning: bytes in, offsets of tokens out, one window at a time.
//!
//! A *token* is one of `{ } [ ] : ,`, the opening quote of a string, or the first byte of a scalar (a
//! maximal run of bytes that are neither whitespace, nor operator, nor quote, outside of strings). A
//! scan also proves what only bytes can tell: every string ends, holds no control character and no
//! illegal escape, and the text is UTF-8. Grammar, numbers and literals are for whoever reads the tokens.
