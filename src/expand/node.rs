//! Nodes: values of an instance of a module that others can refer to.

/// A node. The first number is that of the instance of its module, the second its index among the
/// objects of its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Node<'a> {
    /// A variable.
    Variable(u32, u32),
    /// A local value.
    Local(u32, u32),
    /// An output.
    Output(u32, u32),
    /// The keys of the instances of a resource.
    ResourceKeys(u32, u32),
    /// The keys of the instances of a module call.
    CallKeys(u32, u32),
    /// The keys of the instances of a provider configuration.
    ProviderKeys(u32, u32),
    /// All instances of a resource.
    Resource(u32, u32),
    /// An attribute of a resource that has one instance and no schema.
    Attribute(u32, u32, &'a str),
    /// All instances of a module call, with all outputs.
    Call(u32, u32),
}
