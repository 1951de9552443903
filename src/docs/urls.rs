//! URLs in a text: terraform-docs removes the escapes in them.

use std::borrow::Cow;
use std::ops::Range;

use crate::hash::HashSet;

/// The work of replacing URLs one after another, in bytes: see [`without_backslashes`].
const MAX_WORK: usize = 1 << 26;

/// The schemes that are registered with IANA, and some that are in wide use, in lower case and sorted.
/// `://` follows.
const SCHEMES: &[&str] = &[
    "aaa",
    "aaas",
    "about",
    "acap",
    "acct",
    "acd",
    "acr",
    "adiumxtra",
    "adt",
    "afp",
    "afs",
    "aim",
    "amss",
    "android",
    "appdata",
    "apt",
    "ar",
    "ark",
    "at",
    "attachment",
    "aw",
    "barion",
    "bb",
    "beshare",
    "bitcoin",
    "bitcoincash",
    "blob",
    "bluetooth",
    "bolo",
    "brid",
    "browserext",
    "cabal",
    "calculator",
    "callto",
    "cap",
    "cast",
    "casts",
    "chrome",
    "chrome-extension",
    "cid",
    "coap",
    "coap+tcp",
    "coap+ws",
    "coaps",
    "coaps+tcp",
    "coaps+ws",
    "com-eventbrite-attendee",
    "content",
    "content-type",
    "crid",
    "cstr",
    "cvs",
    "dab",
    "dat",
    "data",
    "dav",
    "dhttp",
    "diaspora",
    "dict",
    "did",
    "dis",
    "dlna-playcontainer",
    "dlna-playsingle",
    "dns",
    "dntp",
    "doi",
    "dpp",
    "drm",
    "drop",
    "dtmi",
    "dtn",
    "dvb",
    "dvx",
    "dweb",
    "ed2k",
    "eid",
    "elsi",
    "embedded",
    "ens",
    "ethereum",
    "example",
    "facetime",
    "fax",
    "feed",
    "feedready",
    "fido",
    "file",
    "filesystem",
    "finger",
    "first-run-pen-experience",
    "fish",
    "fm",
    "ftp",
    "fuchsia-pkg",
    "gemini",
    "geo",
    "gg",
    "git",
    "gitoid",
    "gizmoproject",
    "go",
    "gopher",
    "graph",
    "grd",
    "gtalk",
    "h323",
    "ham",
    "hcap",
    "hcp",
    "hs20",
    "http",
    "https",
    "hxxp",
    "hxxps",
    "hydrazone",
    "hyper",
    "iax",
    "icap",
    "icon",
    "im",
    "imap",
    "info",
    "iotdisco",
    "ipfs",
    "ipn",
    "ipns",
    "ipp",
    "ipps",
    "irc",
    "irc6",
    "ircs",
    "iris",
    "iris.beep",
    "iris.lwz",
    "iris.xpc",
    "iris.xpcs",
    "isostore",
    "itms",
    "jabber",
    "jar",
    "jdbc",
    "jms",
    "keyparc",
    "lastfm",
    "lbry",
    "ldap",
    "ldaps",
    "leaptofrogans",
    "lid",
    "lorawan",
    "lpa",
    "lvlt",
    "machineprovisioningprogressreporter",
    "magnet",
    "mailserver",
    "mailto",
    "maps",
    "market",
    "matrix",
    "message",
    "microsoft.windows.camera",
    "microsoft.windows.camera.multipicker",
    "microsoft.windows.camera.picker",
    "mid",
    "mms",
    "modem",
    "mongodb",
    "moz",
    "moz-extension",
    "ms-access",
    "ms-appinstaller",
    "ms-browser-extension",
    "ms-calculator",
    "ms-drive-to",
    "ms-enrollment",
    "ms-excel",
    "ms-eyecontrolspeech",
    "ms-gamebarservices",
    "ms-gamingoverlay",
    "ms-getoffice",
    "ms-help",
    "ms-infopath",
    "ms-inputapp",
    "ms-launchremotedesktop",
    "ms-lockscreencomponent-config",
    "ms-media-stream-id",
    "ms-meetnow",
    "ms-mixedrealitycapture",
    "ms-mobileplans",
    "ms-newsandinterests",
    "ms-officeapp",
    "ms-people",
    "ms-personacard",
    "ms-powerpoint",
    "ms-project",
    "ms-publisher",
    "ms-recall",
    "ms-remotedesktop",
    "ms-remotedesktop-launch",
    "ms-restoretabcompanion",
    "ms-screenclip",
    "ms-screensketch",
    "ms-search",
    "ms-search-repair",
    "ms-secondary-screen-controller",
    "ms-secondary-screen-setup",
    "ms-settings",
    "ms-settings-airplanemode",
    "ms-settings-bluetooth",
    "ms-settings-camera",
    "ms-settings-cellular",
    "ms-settings-cloudstorage",
    "ms-settings-connectabledevices",
    "ms-settings-displays-topology",
    "ms-settings-emailandaccounts",
    "ms-settings-language",
    "ms-settings-location",
    "ms-settings-lock",
    "ms-settings-nfctransactions",
    "ms-settings-notifications",
    "ms-settings-power",
    "ms-settings-privacy",
    "ms-settings-proximity",
    "ms-settings-screenrotation",
    "ms-settings-wifi",
    "ms-settings-workplace",
    "ms-spd",
    "ms-stickers",
    "ms-sttoverlay",
    "ms-transit-to",
    "ms-useractivityset",
    "ms-virtualtouchpad",
    "ms-visio",
    "ms-walk-to",
    "ms-whiteboard",
    "ms-whiteboard-cmd",
    "ms-word",
    "msnim",
    "msrp",
    "msrps",
    "mss",
    "mt",
    "mtqp",
    "mumble",
    "mupdate",
    "mvn",
    "mvrp",
    "mvrps",
    "news",
    "nfs",
    "ni",
    "nih",
    "nntp",
    "notes",
    "num",
    "ocf",
    "oid",
    "onenote",
    "onenote-cmd",
    "opaquelocktoken",
    "openid",
    "openpgp4fpr",
    "otpauth",
    "p1",
    "pack",
    "palm",
    "paparazzi",
    "payment",
    "payto",
    "pkcs11",
    "platform",
    "pop",
    "postgres",
    "postgresql",
    "pres",
    "prospero",
    "proxy",
    "psyc",
    "pttp",
    "pwid",
    "qb",
    "query",
    "quic-transport",
    "redis",
    "rediss",
    "reload",
    "res",
    "resource",
    "rmi",
    "rsync",
    "rtmfp",
    "rtmp",
    "rtsp",
    "rtsps",
    "rtspu",
    "sarif",
    "secondlife",
    "secret-token",
    "service",
    "session",
    "sftp",
    "sgn",
    "shc",
    "shelter",
    "sieve",
    "simpleledger",
    "simplex",
    "sip",
    "sips",
    "skype",
    "slack",
    "smb",
    "smp",
    "sms",
    "smtp",
    "snews",
    "snmp",
    "soap.beep",
    "soap.beeps",
    "soldat",
    "spiffe",
    "spotify",
    "ssb",
    "ssh",
    "starknet",
    "steam",
    "stun",
    "stuns",
    "submit",
    "svn",
    "swh",
    "swid",
    "swidpath",
    "tag",
    "taler",
    "teamspeak",
    "teapot",
    "teapots",
    "tel",
    "teliaeid",
    "telnet",
    "tftp",
    "things",
    "thismessage",
    "thzp",
    "tip",
    "tn3270",
    "tool",
    "turn",
    "turns",
    "tv",
    "udp",
    "unreal",
    "upt",
    "urn",
    "ut2004",
    "uuid-in-package",
    "v-event",
    "vemmi",
    "ventrilo",
    "ves",
    "videotex",
    "view-source",
    "vnc",
    "vscode",
    "vscode-insiders",
    "vsls",
    "w3",
    "wais",
    "wcr",
    "web+ap",
    "web3",
    "webcal",
    "wifi",
    "wpid",
    "ws",
    "wss",
    "wtai",
    "wyciwyg",
    "xcon",
    "xcon-userid",
    "xfire",
    "xftp",
    "xmlrpc.beep",
    "xmlrpc.beeps",
    "xmpp",
    "xrcp",
    "xri",
    "ymsgr",
    "z39.50",
    "z39.50r",
    "z39.50s",
    "zoommtg",
    "zoomus",
];

/// Schemes that `:` follows.
const WITHOUT_AUTHORITY: &[&str] =
    &["bitcoin", "cid", "file", "geo", "magnet", "mailto", "matrix", "mid", "sms", "tel", "xmpp"];

const LONGEST: usize = longest(SCHEMES);

const fn longest(schemes: &[&str]) -> usize {
    let (mut longest, mut at) = (0, 0);
    while at < schemes.len() {
        if schemes[at].len() > longest {
            longest = schemes[at].len();
        }
        at += 1;
    }
    longest
}

/// Removes the backslashes of the URLs in a text that was escaped.
///
/// The URLs are replaced one after another, each wherever its text stands: a URL that starts with an
/// earlier one then keeps the escapes of its rest, as in terraform-docs. Cost: the length of the text
/// for each different URL with a backslash. Beyond [`MAX_WORK`], each URL is replaced where it stands.
pub(super) fn without_backslashes(text: &str, escapes: bool) -> Cow<'_, str> {
    if !escapes || !text.contains('\\') || !text.contains(':') {
        return text.into();
    }
    let mut seen = HashSet::default();
    let found = urls(text).filter(|url| text[url.clone()].contains('\\'));
    let found: Vec<Range<usize>> = found.collect();
    let urls: Vec<&str> =
        found.iter().map(|url| &text[url.clone()]).filter(|url| seen.insert(*url)).collect();
    if urls.is_empty() {
        return text.into();
    }
    if urls.len().saturating_mul(text.len()) <= MAX_WORK {
        let mut out = text.to_owned();
        for url in urls {
            out = out.replace(url, &url.replace('\\', ""));
        }
        return out.into();
    }
    let (mut out, mut written) = (String::with_capacity(text.len()), 0);
    for url in found {
        out.push_str(&text[written..url.start]);
        out.extend(text[url.clone()].chars().filter(|char| *char != '\\'));
        written = url.end;
    }
    out.push_str(&text[written..]);
    out.into()
}

/// The URLs of a text, in order. Cost: linear.
fn urls(text: &str) -> impl Iterator<Item = Range<usize>> {
    let mut from = 0;
    let mut next_colon = 0;
    std::iter::from_fn(move || {
        loop {
            let colon = next_colon + memchr::memchr(b':', &text.as_bytes()[next_colon..])?;
            next_colon = colon + 1;
            if let Some(url) = url_with(text, from, colon) {
                (from, next_colon) = (url.end, url.end);
                return Some(url);
            }
        }
    })
}

/// Returns the URL whose scheme ends at a colon and starts as early as possible.
fn url_with(text: &str, from: usize, colon: usize) -> Option<Range<usize>> {
    let is_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let before = &text.as_bytes()[from.max(colon.saturating_sub(LONGEST))..colon];
    let len = before.iter().rev().take_while(|byte| is_scheme(byte)).count();
    let word = text[colon - len..colon].to_ascii_lowercase();
    let rest = &text[colon + 1..];
    (0..len).find_map(|start| {
        let scheme = &word[start..];
        let of = |behind: &str| Some(text.len() - behind.len() + continued(behind)?);
        let with_authority =
            rest.strip_prefix("//").filter(|_| SCHEMES.binary_search(&scheme).is_ok()).and_then(of);
        let without = Some(rest).filter(|_| WITHOUT_AUTHORITY.contains(&scheme)).and_then(of);
        let end = with_authority.max(without)?;
        Some(colon - len + start..end)
    })
}

/// Returns the length of the part of a URL behind its scheme. It ends with a character that is no
/// punctuation, or with a pair of brackets.
fn continued(text: &str) -> Option<usize> {
    let (mut at, mut end) = (0, None);
    while let Some(char) = text[at..].chars().next() {
        if is_inside(char) {
            at += char.len_utf8();
            if is_last(char) {
                end = Some(at);
            }
        } else {
            let close = match char {
                '(' => ')',
                '[' => ']',
                '{' => '}',
                _ => break,
            };
            let Some(len) = bracketed(&text[at..], char, close) else { break };
            at += len;
            end = Some(at);
        }
    }
    end
}

/// Returns the length of a pair of brackets, in which may be others of the same kind, one level deep.
fn bracketed(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    for (at, char) in text.char_indices() {
        if char == open && depth < 2 {
            depth += 1;
        } else if char == close {
            depth -= 1;
            if depth == 0 {
                return Some(at + 1);
            }
        } else if !is_inside(char) {
            return None;
        }
    }
    None
}

/// Whether a URL can have this character: those of RFC 3987, and the backslash.
fn is_inside(char: char) -> bool {
    match char {
        'a'..='z' | 'A'..='Z' | '0'..='9' => true,
        '-' | '.' | '_' | '~' | '%' | '!' | '$' | '&' | '\'' | '*' | '+' | ',' | ';' | '=' => true,
        ':' | '@' | '/' | '?' | '#' | '\\' => true,
        // Separators, and what stands for no character.
        '\u{1680}' | '\u{2000}'..='\u{200A}' | '\u{2028}' | '\u{2029}' | '\u{202F}' => false,
        '\u{205F}' | '\u{3000}' | '\u{FDD0}'..='\u{FDEF}' | '\u{FFF0}'..='\u{FFFF}' => false,
        '\u{E0000}'..='\u{E0FFF}' => false,
        char => char >= '\u{A1}' && u32::from(char) & 0xFFFE != 0xFFFE,
    }
}

/// Whether a URL can end with this character. Behind ASCII it does not matter where it ends, since
/// only backslashes are removed.
fn is_last(char: char) -> bool {
    !char.is_ascii()
        || char.is_ascii_alphanumeric()
        || matches!(char, '-' | '_' | '~' | '%' | '$' | '&' | '+' | '=' | '/' | '#')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        urls(text).map(|url| &text[url]).collect()
    }

    #[test]
    fn schemes_are_sorted() {
        assert!(SCHEMES.is_sorted());
    }

    #[test]
    fn urls_start_with_a_scheme_and_end_without_punctuation() {
        assert_eq!(
            found("see https://a.b/c_d., or HTTP://x?y=1!"),
            ["https://a.b/c_d", "HTTP://x?y=1"]
        );
        assert_eq!(
            found("git::https://a/b//c?ref=v1 (ssh://x)"),
            ["https://a/b//c?ref=v1", "ssh://x"]
        );
        assert_eq!(
            found("a profile:x_y and mailto:me@x.y; nothing:x"),
            ["file:x_y", "mailto:me@x.y"]
        );
        assert_eq!(
            found("https://a/(b(c)d)) https://a/[x] https://a/(b"),
            ["https://a/(b(c)d)", "https://a/[x]", "https://a/"]
        );
        assert!(found("https:// http://. unknown://x").is_empty());
    }

    #[test]
    fn backslashes_of_urls_are_removed() {
        let text = "a\\_b http://x/c\\_d";
        assert_eq!(without_backslashes(text, true), "a\\_b http://x/c_d");
        assert_eq!(without_backslashes(text, false), text);
        // The second URL is no longer the text that was found.
        let text = "http://x/a\\_b http://x/a\\_b/c\\_d";
        assert_eq!(without_backslashes(text, true), "http://x/a_b http://x/a_b/c\\_d");
    }
}
