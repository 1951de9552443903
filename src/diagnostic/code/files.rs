//! Codes of reading files: access, encoding, depth.

macro_rules! files_codes {
    ([$next:ident $($more:ident)*] $($topics:tt)*) => {
        $next! { [$($more)*] $($topics)* "Files" {
    UnreadableFile "unreadable-file" Error "Unreadable file"
        detail: "The file cannot be read: {0}."
        reference: ["Failed to read file"],
        note: "The file is missing, is a directory, a pipe or a device, is too large, or reading it failed. The other files are still checked.";
    DanglingLink "dangling-link" Warning "Link to a missing file of variables"
        detail: "This is a link to {0}, which does not exist. The tools ignore it."
        help: "Remove the link, or add the file."
        reference: [],
        note: "`terraform.tfvars` or `terraform.tfvars.json`, which the tools read only if it exists. Other links to missing files are an `unreadable-file`.";
    GitCrypt "git-crypt" Warning "Encrypted file"
        detail: "The file is encrypted by git-crypt, and is not read."
        help: "Run git-crypt unlock."
        reference: ["Invalid character", "Invalid start of value"],
        note: "The tools refuse the file until it is decrypted. What it declares is not known, so what depends on it is not reported.";
    UnreadableDirectory "unreadable-directory" Error "Unreadable directory"
        detail: "The directory cannot be listed: {0}."
        reference: ["Failed to read module directory"],
        note: "A directory of the tree cannot be listed. The others are still searched.";
    LinkOutside "link-outside" Warning "Link leads outside"
        detail: "This is a link to {0}, which is neither below the given paths nor in their git repository. It is not read."
        help: "Give --follow-links to read it."
        reference: [],
        note: "A link in a repository may lead to any file of the machine, whose lines a diagnostic would show. What such a file declares is not known, so what depends on it is not reported.";
    NotUtf8Encoding "not-utf8-encoding" Error "File is not UTF-8"
        detail: "The file is encoded in {0}. Configuration must be encoded in UTF-8."
        help: "Convert the file to UTF-8."
        reference: ["Invalid start of value"],
        note: "The file starts with a UTF-16 or UTF-32 byte order mark, or has the zero bytes of such an encoding. A configuration file that is UTF-16 throughout is still checked; positions refer to its text in UTF-8.";
    CompressedFile "compressed-file" Error "Compressed file"
        detail: "The file is compressed with {0}. OpenTofu, Terraform and Packer do not decompress configuration."
        help: "Decompress the file."
        reference: ["Invalid start of value"],
        note: "Only for files whose names the tools read: `main.tf.json.gz` is not an error. The file is still checked; positions refer to the decompressed text.";
    ByteOrderMark "byte-order-mark" Error "Byte order mark"
        detail: "The file starts with a UTF-8 byte order mark, which OpenTofu, Terraform and Packer reject."
        help: "Remove the first three bytes of the file."
        reference: ["Invalid start of value"],
        note: "The rest of the file is still checked.";
    InvalidUtf8 "invalid-utf-8" Error "Invalid UTF-8"
        detail: "The byte {0} is not valid UTF-8 here."
        reference: [],
        note: "Points at the first byte that is not part of a character. The reference replaces such bytes with U+FFFD inside strings.";
    NestingTooDeep "nesting-too-deep" Error "Nesting too deep"
        detail: "Objects and arrays are nested more than {0} levels deep."
        reference: [],
        note: "The limit is 10,000 levels unless `--max-depth` sets another one. The reference has no limit and overflows its stack.";
    TokenTooLong "token-too-long" Error "Text too long"
        detail: "A string, a name, a number or a word is longer than {0} bytes."
        reference: [],
        note: "Only for input that is read as a stream, whose memory is bounded. It points at the start of the text.";
    RecordTooLarge "record-too-large" Error "Record too large"
        detail: "{0} has more than {1} bytes."
        help: "Set --max-record to a larger number of bytes."
        reference: [],
        note: "Only for input that is read as a stream, whose memory is bounded.";
        } }
    };
}
