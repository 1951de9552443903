//! Values of variables: `--var` and `--var-file`, whose order counts.

use std::path::PathBuf;

use clap::builder::ValueParser;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, Error, FromArgMatches};

/// The flags `--var` and `--var-file`, in their order: of several values of a variable, the last one
/// counts.
#[derive(Clone, Debug, Default)]
pub(crate) struct Values {
    pub(crate) given: Vec<ValueFlag>,
}

/// One of these flags.
#[derive(Clone, Debug)]
pub(crate) enum ValueFlag {
    /// `--var NAME=TEXT`.
    Text(String, String),
    /// `--var-file FILE`.
    File(PathBuf),
}

fn assignment(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

impl Args for Values {
    fn augment_args(command: Command) -> Command {
        let var = Arg::new("var")
            .long("var")
            .value_name("NAME=VALUE")
            .action(ArgAction::Append)
            .value_parser(assignment)
            .help("Set a variable of the root module");
        let file = Arg::new("var_file")
            .long("var-file")
            .value_name("FILE")
            .action(ArgAction::Append)
            .value_parser(ValueParser::path_buf())
            .help("Set variables from this file; the last value of a variable counts");
        command.arg(var).arg(file)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Values {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, Error> {
        let mut given: Vec<(usize, ValueFlag)> = Vec::new();
        let texts = matches.get_many::<(String, String)>("var").into_iter().flatten();
        let places = matches.indices_of("var").into_iter().flatten();
        given.extend(
            places
                .zip(texts)
                .map(|(place, (name, text))| (place, ValueFlag::Text(name.clone(), text.clone()))),
        );
        let files = matches.get_many::<PathBuf>("var_file").into_iter().flatten();
        let places = matches.indices_of("var_file").into_iter().flatten();
        given.extend(places.zip(files).map(|(place, file)| (place, ValueFlag::File(file.clone()))));
        given.sort_by_key(|(place, _)| *place);
        Ok(Self { given: given.into_iter().map(|(_, flag)| flag).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}
