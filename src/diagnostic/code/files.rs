//! Codes of reading files: access, encoding, depth.

macro_rules! files_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Files" {
    UnreadableFile "unreadable-file" Error "Unreadable file"
        detail: "The file cannot be read: {0}."
        reference: ["Failed to read file"],
        note: "The file is missing, a directory, a pipe or device, too large, or reading it fails. All other files are still decoded.";
    UnreadableDirectory "unreadable-directory" Error "Unreadable directory"
        detail: "The directory cannot be listed: {0}."
        reference: ["Failed to read module directory"],
        note: "A directory of the tree cannot be listed. All others are still walked.";
    NotUtf8Encoding "not-utf8-encoding" Error "File is not in UTF-8"
        detail: "The file looks like {0}. Configuration must be encoded in UTF-8; convert it."
        reference: ["Invalid start of value"],
        note: "The first bytes are a UTF-16 or UTF-32 byte order mark, or show their pattern of zero bytes.";
    ByteOrderMark "byte-order-mark" Error "Byte order mark"
        detail: "The file starts with a UTF-8 byte order mark, which OpenTofu, Terraform and Packer refuse. Remove these three bytes. What follows is decoded all the same."
        reference: ["Invalid start of value"],
        note: "The only syntax error behind which decoding goes on.";
    InvalidUtf8 "invalid-utf-8" Error "Invalid UTF-8"
        detail: "The byte {0} is not valid UTF-8 here."
        reference: [],
        note: "Points at the first byte that belongs to no character. The reference replaces such bytes by U+FFFD inside strings.";
    NestingTooDeep "nesting-too-deep" Error "Nesting too deep"
        detail: "Objects and arrays are nested more than {0} levels deep."
        reference: [],
        note: "The limit is 10,000 levels unless another one is set. The reference has none and overflows its stack.";
        } }
    };
}
