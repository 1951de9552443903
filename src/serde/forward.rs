//! Macros for methods that several deserializers share.

/// Skips a value without reading it: it stays sealed, and is not evaluated.
macro_rules! ignored_any {
    () => {
        fn deserialize_ignored_any<V: ::serde_core::de::Visitor<'de>>(
            self,
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            visitor.visit_unit()
        }
    };
}

/// Methods that forward to `deserialize_any`.
macro_rules! as_any {
    ($($method:ident)*) => {$(
        fn $method<V: ::serde_core::de::Visitor<'de>>(
            self,
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            self.deserialize_any(visitor)
        }
    )*};
}

/// Implements `Located` for a deserializer that knows its place before it is consumed.
macro_rules! located {
    ($type:ty: |$this:ident| $label:expr) => {
        impl<'de> $crate::serde::spanned::Located<'de> for $type {
            fn locate<T: ::serde_core::de::DeserializeSeed<'de>>(
                self,
                seed: T,
            ) -> Result<(T::Value, Option<$crate::diagnostic::Label<'de>>), $crate::serde::Error>
            {
                let label = {
                    let $this = &self;
                    $label
                };
                Ok((seed.deserialize(self)?, label))
            }
        }
    };
}

/// Implements `VariantAccess` for a deserializer of the variant's data, of any shape.
macro_rules! variant_of_any {
    ($type:ty) => {
        impl<'de> ::serde_core::de::VariantAccess<'de> for $type {
            type Error = $crate::serde::Error;

            fn unit_variant(self) -> Result<(), Self::Error> {
                ::serde_core::de::Deserialize::deserialize(self)
            }

            fn newtype_variant_seed<T: ::serde_core::de::DeserializeSeed<'de>>(
                self,
                seed: T,
            ) -> Result<T::Value, Self::Error> {
                seed.deserialize(self)
            }

            fn tuple_variant<V: ::serde_core::de::Visitor<'de>>(
                self,
                _: usize,
                visitor: V,
            ) -> Result<V::Value, Self::Error> {
                self.deserialize_any(visitor)
            }

            fn struct_variant<V: ::serde_core::de::Visitor<'de>>(
                self,
                _: &'static [&'static str],
                visitor: V,
            ) -> Result<V::Value, Self::Error> {
                self.deserialize_any(visitor)
            }
        }
    };
}

/// Methods that evaluate an expression and read its value.
macro_rules! as_expression {
    ($($method:ident)*) => {$(
        fn $method<V: ::serde_core::de::Visitor<'de>>(self, visitor: V) -> Result<V::Value, Self::Error> {
            self.expression()?.$method(visitor)
        }
    )*};
}

/// Methods for types that only attributes can have.
macro_rules! scalars_as_expression {
    () => {
        $crate::serde::forward::as_expression! {
            deserialize_any deserialize_bool deserialize_char deserialize_str deserialize_string
            deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
            deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
            deserialize_f32 deserialize_f64 deserialize_bytes deserialize_byte_buf deserialize_unit
        }

        fn deserialize_unit_struct<V: ::serde_core::de::Visitor<'de>>(
            self,
            name: &'static str,
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            self.expression()?.deserialize_unit_struct(name, visitor)
        }

        fn deserialize_identifier<V: ::serde_core::de::Visitor<'de>>(
            self,
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            self.deserialize_str(visitor)
        }
    };
}

/// Reads tuples as lists.
macro_rules! tuples_as_seq {
    () => {
        fn deserialize_tuple<V: ::serde_core::de::Visitor<'de>>(
            self,
            _: usize,
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            self.deserialize_seq(visitor)
        }

        fn deserialize_tuple_struct<V: ::serde_core::de::Visitor<'de>>(
            self,
            _: &'static str,
            _: usize,
            visitor: V,
        ) -> Result<V::Value, Self::Error> {
            self.deserialize_seq(visitor)
        }
    };
}

pub(super) use {
    as_any, as_expression, ignored_any, located, scalars_as_expression, tuples_as_seq,
    variant_of_any,
};
