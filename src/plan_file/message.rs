//! The messages of a plan: names for the numbers of the fields that are read.

use super::error::Malformed;
use super::wire::{Field, Fields};
use crate::arena::Arena;
use crate::show::{Address, Key, ResourceMode, ResourceStep};

/// Defines a message with its fields, their numbers in the format, and their types.
macro_rules! messages {
    ($($(#[$doc:meta])* $name:ident {
        $($(#[$field_doc:meta])* $field:ident $number:literal $kind:ident;)*
    })*) => {
        $(
            $(#[$doc])*
            #[derive(Clone, Debug, Default)]
            pub(super) struct $name<'a> {
                $($(#[$field_doc])* pub(super) $field: messages!(@type $kind),)*
                lifetime: std::marker::PhantomData<&'a ()>,
            }

            impl<'a> $name<'a> {
                /// Reads the fields; nested messages stay bytes. The last duplicate of a field
                /// counts, except in lists.
                pub(super) fn read(bytes: &'a [u8]) -> Result<Self, Malformed> {
                    let mut message = Self::default();
                    for field in Fields::of(bytes) {
                        let (number, field) = field?;
                        match number {
                            $($number => messages!(@read $kind, message.$field, field),)*
                            _ => {}
                        }
                    }
                    Ok(message)
                }
            }
        )*
    };
    (@type number) => { u64 };
    (@type flag) => { bool };
    (@type text) => { &'a str };
    (@type bytes) => { &'a [u8] };
    (@type option_number) => { Option<u64> };
    (@type option) => { Option<&'a [u8]> };
    (@type option_text) => { Option<&'a str> };
    (@type option_field) => { Option<Field<'a>> };
    (@type list) => { Vec<&'a [u8]> };
    (@type texts) => { Vec<&'a str> };
    (@read number, $place:expr, $field:expr) => { $place = $field.number() };
    (@read flag, $place:expr, $field:expr) => { $place = $field.number() != 0 };
    (@read text, $place:expr, $field:expr) => { $place = $field.text()? };
    (@read bytes, $place:expr, $field:expr) => { $place = $field.bytes() };
    (@read option, $place:expr, $field:expr) => { $place = Some($field.bytes()) };
    (@read option_text, $place:expr, $field:expr) => { $place = Some($field.text()?) };
    (@read option_number, $place:expr, $field:expr) => { $place = Some($field.number()) };
    (@read option_field, $place:expr, $field:expr) => { $place = Some($field) };
    (@read list, $place:expr, $field:expr) => { $place.push($field.bytes()) };
    (@read texts, $place:expr, $field:expr) => { $place.push($field.text()?) };
}

messages! {
    /// The root of `tfplan`.
    Plan {
        /// 3 in all supported files.
        version 1 number;
        variables 2 list;
        resource_changes 3 list;
        output_changes 4 list;
        terraform_version 14 text;
        relevant_attributes 15 list;
        /// 0 for a normal plan, 1 for a destroying one, 2 for a refresh-only one.
        mode 17 number;
        resource_drift 18 list;
        check_results 19 list;
        errored 20 flag;
        timestamp 21 text;
        applyable 25 flag;
        complete 26 flag;
        deferred_changes 27 list;
        action_invocations 30 list;
        deferred_action_invocations 31 list;
    }

    /// An entry of a map.
    Entry {
        key 1 text;
        value 2 bytes;
    }

    /// The change of one resource instance, or of a deposed object.
    ResourceChange {
        /// Terraform before 1.1 writes the parts of the address, from here to the number.
        module_path 1 text;
        /// 1 for data sources.
        mode 2 number;
        resource_type 3 text;
        resource_name 4 text;
        key_text 5 option_text;
        key_number 6 option_number;
        deposed_key 7 text;
        provider 8 text;
        change 9 bytes;
        required_replace 11 list;
        action_reason 12 number;
        address 13 text;
        previous_address 14 text;
    }

    /// The change of a value.
    Change {
        action 1 number;
        /// The value before, the one after, or both, depending on the action.
        values 2 list;
        before_sensitive_paths 3 list;
        after_sensitive_paths 4 list;
        importing 5 option;
        generated_config 6 text;
        before_identity 7 option;
        after_identity 8 option;
    }

    /// A value in MessagePack.
    DynamicValue {
        msgpack 1 bytes;
    }

    /// A path into a value.
    Path {
        steps 1 list;
    }

    /// A step of a path: exactly one of the fields is set.
    Step {
        attribute_name 1 option_text;
        element_key 2 option;
    }

    /// The ID or the identity of an import.
    Importing {
        id 1 text;
        /// A flag of Terraform, or the identity of OpenTofu.
        second 2 option_field;
        /// The identity of Terraform.
        third 3 option;
    }

    /// The change of an output.
    OutputChange {
        name 1 text;
        change 2 bytes;
        sensitive 3 flag;
    }

    /// A deferred change or action.
    Deferred {
        deferred 1 bytes;
        content 2 bytes;
    }

    /// The reason of a deferral.
    Reason {
        reason 1 number;
    }

    /// An attribute that influenced the plan.
    RelevantAttribute {
        resource 1 text;
        path 2 bytes;
    }

    /// The results of the conditions of one block.
    CheckResults {
        kind 1 number;
        address 2 text;
        status 3 number;
        objects 4 list;
    }

    /// The results of the conditions of one instance.
    CheckObject {
        address 1 text;
        status 2 number;
        failure_messages 3 texts;
    }

    /// An action to be invoked.
    ActionInvocation {
        address 1 text;
        provider 2 text;
        config_value 4 option;
        sensitive_config_paths 5 list;
        resource_trigger 6 option;
        invoke_trigger 7 option;
    }

    /// The resource that triggers an action.
    ResourceTrigger {
        address 1 text;
        event 2 number;
        block_index 3 number;
        list_index 4 number;
        on_failure 5 number;
    }

    /// The resource that an action is invoked for.
    InvokeTrigger {
        address 1 text;
    }
}

impl<'a> DynamicValue<'a> {
    /// The MessagePack of a value.
    pub(super) fn content(bytes: &'a [u8]) -> Result<&'a [u8], Malformed> {
        Ok(Self::read(bytes)?.msgpack)
    }
}

impl<'a> Importing<'a> {
    /// Whether the ID is not known yet.
    pub(super) fn is_unknown(&self) -> bool {
        self.second.is_some_and(|field| field.number() != 0)
    }

    /// The identity, a value.
    pub(super) fn identity(&self) -> Option<&'a [u8]> {
        match self.second {
            Some(Field::Bytes(identity)) => Some(identity),
            _ => self.third,
        }
    }
}

impl Change<'_> {
    /// The action of a change, which is enough for counting.
    pub(super) fn action_of(change: &[u8]) -> Result<u64, Malformed> {
        let mut action = 0;
        for field in Fields::of(change) {
            if let (1, field) = field? {
                action = field.number();
            }
        }
        Ok(action)
    }
}

impl<'a> ResourceChange<'a> {
    /// The address of the instance. Messages of Terraform before 1.1 have only its parts.
    pub(super) fn address_in(&self, arena: &'a Arena) -> &'a str {
        if !self.address.is_empty() || self.resource_type.is_empty() {
            return self.address;
        }
        let key = match (self.key_text, self.key_number) {
            (Some(text), _) => Some(Key::Text(text.into())),
            (None, Some(number)) => Some(Key::Number(arena.str(&number.to_string()))),
            (None, None) => None,
        };
        let mode = if self.mode == 1 { ResourceMode::Data } else { ResourceMode::Managed };
        let (resource_type, name) = (self.resource_type, self.resource_name);
        let resource = Some(ResourceStep { mode, resource_type, name, key });
        let resource = Address { modules: Vec::new(), resource };
        let dot = if self.module_path.is_empty() { "" } else { "." };
        arena.str(&format!("{}{dot}{resource}", self.module_path))
    }

    /// The change in a message, without the other fields.
    pub(super) fn change_of(bytes: &'a [u8]) -> Result<&'a [u8], Malformed> {
        let mut change = &[][..];
        for field in Fields::of(bytes) {
            if let (9, field @ Field::Bytes(_)) = field? {
                change = field.bytes();
            }
        }
        Ok(change)
    }
}
