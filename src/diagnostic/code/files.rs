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
        note: "The first bytes are a UTF-16 or UTF-32 byte order mark, or show their pattern of zero bytes. A file of a module that is whole in UTF-16 is decoded all the same; positions are those of the text in UTF-8.";
    CompressedFile "compressed-file" Error "Compressed file"
        detail: "The file is compressed with {0}. OpenTofu, Terraform and Packer do not decompress configuration. It is decoded all the same."
        reference: ["Invalid start of value"],
        note: "A file that the tools would read by its name. Under another name, such as `main.tf.json.gz`, it is no error. Positions are those of the decompressed text.";
    ByteOrderMark "byte-order-mark" Error "Byte order mark"
        detail: "The file starts with a UTF-8 byte order mark, which OpenTofu, Terraform and Packer refuse. Remove these three bytes. What follows is decoded all the same."
        reference: ["Invalid start of value"],
        note: "Decoding goes on behind it.";
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
