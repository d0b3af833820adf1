//! The derive macro of `sandtable_core::Describe`, where it is documented.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{
    Attribute, Data, DeriveInput, Error, Expr, Field, Fields, Generics, Ident, LitStr, Result, Token, Type,
    Variant, WhereClause, parse_quote,
};

/// Implements `sandtable_core::Describe`: a code and parameters for every variant.
#[proc_macro_derive(Describe, attributes(code, param))]
pub fn derive_describe(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    let input = syn::parse_macro_input!(input as DeriveInput);
    describe(&input).unwrap_or_else(Error::into_compile_error).into()
}

fn describe(input: &DeriveInput) -> Result<TokenStream> {
    let code = code_of(input)?;
    let cases = match &input.data {
        Data::Struct(data) => {
            vec![Case::new(quote!(Self), code, is_transparent(&input.attrs), &data.fields)?]
        }
        Data::Enum(data) => {
            let cases = data.variants.iter().map(|variant| {
                let Variant { ident, attrs, fields, .. } = variant;
                let code = format!("{code}.{}", snake_case(&ident.to_string()));
                Case::new(quote!(Self::#ident), code, is_transparent(attrs), fields)
            });
            cases.collect::<Result<_>>()?
        }
        Data::Union(_) => return Err(Error::new(input.span(), "a union cannot be described")),
    };
    let name = &input.ident;
    let (impl_generics, type_generics, _) = input.generics.split_for_impl();
    let where_clause = where_clause(&input.generics, &cases);
    let arms = cases.iter().map(Case::arm);
    let codes = cases.iter().map(Case::codes);
    Ok(quote! {
        #[automatically_derived]
        impl #impl_generics ::sandtable_core::Describe for #name #type_generics #where_clause {
            fn message(&self) -> ::sandtable_core::view::Message {
                match self { #(#arms)* }
            }

            fn collect_codes(codes: &mut ::sandtable_core::view::Codes) {
                if codes.enter::<Self>() { #(#codes)* }
            }
        }
    })
}

/// The text of the attribute `#[code("…")]`.
fn code_of(input: &DeriveInput) -> Result<String> {
    let attribute = input.attrs.iter().find(|attribute| attribute.path().is_ident("code"));
    let missing = || Error::new(input.ident.span(), "expected an attribute such as #[code(\"chess_fen\")]");
    Ok(attribute.ok_or_else(missing)?.parse_args::<LitStr>()?.value())
}

/// Whether thiserror forwards the text to the only field.
fn is_transparent(attrs: &[Attribute]) -> bool {
    let is_transparent = |attribute: &Attribute| {
        attribute.path().is_ident("error")
            && attribute.parse_args::<Ident>().is_ok_and(|word| word == "transparent")
    };
    attrs.iter().any(is_transparent)
}

/// The bounds of the type, and a bound `Describe` for every nested message whose type mentions a type parameter.
fn where_clause(generics: &Generics, cases: &[Case]) -> Option<WhereClause> {
    let mut generics = generics.clone();
    let parameters: Vec<_> = generics.type_params().map(|parameter| parameter.ident.clone()).collect();
    for nested in cases.iter().flat_map(Case::nested) {
        if parameters.iter().any(|parameter| mentions(quote!(#nested), parameter)) {
            generics.make_where_clause().predicates.push(parse_quote!(#nested: ::sandtable_core::Describe));
        }
    }
    generics.where_clause
}

fn mentions(tokens: TokenStream, name: &Ident) -> bool {
    tokens.into_iter().any(|token| match token {
        proc_macro2::TokenTree::Ident(ident) => ident == *name,
        proc_macro2::TokenTree::Group(group) => mentions(group.stream(), name),
        _ => false,
    })
}

/// A variant of an enum, or a struct.
struct Case {
    /// The pattern that binds the fields.
    pattern: TokenStream,
    content: Content,
}

enum Content {
    /// The message of the only field.
    Transparent {
        field: Ident,
        nested: Box<Type>,
    },
    Message {
        code: String,
        params: Vec<Param>,
    },
}

impl Case {
    fn new(path: TokenStream, code: String, transparent: bool, fields: &Fields) -> Result<Self> {
        let binding =
            |(i, field): (usize, &Field)| field.ident.clone().unwrap_or_else(|| format_ident!("_{i}"));
        let bindings: Vec<_> = fields.iter().enumerate().map(binding).collect();
        let pattern = match fields {
            Fields::Named(_) => quote!(#path { #(#bindings),* }),
            Fields::Unnamed(_) => quote!(#path(#(#bindings),*)),
            Fields::Unit => path,
        };
        let content = if transparent {
            let (Some(field), Some(name)) = (fields.iter().next(), bindings.first()) else {
                return Err(Error::new(fields.span(), "a transparent message needs a field"));
            };
            Content::Transparent { field: name.clone(), nested: Box::new(field.ty.clone()) }
        } else {
            let params =
                fields.iter().zip(&bindings).map(|(field, name)| Param::of(field, name, fields.len()));
            Content::Message { code, params: params.collect::<Result<Vec<_>>>()?.concat() }
        };
        Ok(Self { pattern, content })
    }

    /// The arm of `match self`.
    fn arm(&self) -> TokenStream {
        let pattern = &self.pattern;
        match &self.content {
            Content::Transparent { field, .. } => {
                quote!(#pattern => ::sandtable_core::Describe::message(#field),)
            }
            Content::Message { code, params } => {
                let params = params.iter().map(|Param { name, value, .. }| quote!(.with(#name, #value)));
                quote! {
                    #[allow(unused_variables)]
                    #pattern => ::sandtable_core::view::Message::new(#code) #(#params)*,
                }
            }
        }
    }

    /// The types of the nested messages.
    fn nested(&self) -> Vec<&Type> {
        match &self.content {
            Content::Transparent { nested, .. } => vec![nested],
            Content::Message { params, .. } => {
                params.iter().filter_map(|param| param.nested.as_ref()).collect()
            }
        }
    }

    /// The statements that collect the codes.
    fn codes(&self) -> TokenStream {
        let own = match &self.content {
            Content::Transparent { .. } => None,
            Content::Message { code, params } => {
                let names = params.iter().map(|param| &param.name);
                Some(quote!(codes.add::<Self>(#code, &[#(#names),*]);))
            }
        };
        let nested = self.nested();
        quote! { #own #(<#nested as ::sandtable_core::Describe>::collect_codes(codes);)* }
    }
}

/// A parameter of a message.
#[derive(Clone)]
struct Param {
    name: String,
    /// An expression of type `sandtable_core::view::Param`.
    value: TokenStream,
    /// The type of the nested message, if the parameter is one.
    nested: Option<Type>,
}

/// A part of `#[param(…)]`.
enum Part {
    Name(LitStr),
    Value(Expr),
    Message(Option<Box<Type>>),
    Term,
    Number,
    List,
    Skip,
}

impl syn::parse::Parse for Part {
    fn parse(input: syn::parse::ParseStream) -> Result<Self> {
        let word: Ident = input.parse()?;
        let equals = input.parse::<Option<Token![=]>>()?.is_some();
        Ok(match (word.to_string().as_str(), equals) {
            ("name", true) => Self::Name(input.parse()?),
            ("value", true) => Self::Value(input.parse()?),
            ("message", true) => Self::Message(Some(Box::new(input.parse()?))),
            ("message", false) => Self::Message(None),
            ("term", false) => Self::Term,
            ("number", false) => Self::Number,
            ("list", false) => Self::List,
            ("skip", false) => Self::Skip,
            _ => {
                let expected =
                    "expected name = \"…\", value = …, message, message = …, term, number, list or skip";
                return Err(Error::new(word.span(), expected));
            }
        })
    }
}

/// What a parameter is.
enum Kind {
    Text,
    Number,
    Term,
    List,
    Message(Option<Box<Type>>),
}

impl Param {
    /// The parameters of a field: one for each attribute, or one by default.
    fn of(field: &Field, binding: &Ident, count: usize) -> Result<Vec<Self>> {
        let attributes: Vec<_> = field.attrs.iter().filter(|a| a.path().is_ident("param")).collect();
        if attributes.is_empty() {
            return Ok(vec![Self::new(field, binding, count, Punctuated::new())?]);
        }
        let mut params = Vec::new();
        for attribute in attributes {
            let parts = attribute.parse_args_with(Punctuated::<Part, Token![,]>::parse_terminated)?;
            if !parts.iter().any(|part| matches!(part, Part::Skip)) {
                params.push(Self::new(field, binding, count, parts)?);
            }
        }
        Ok(params)
    }

    fn new(field: &Field, binding: &Ident, count: usize, parts: Punctuated<Part, Token![,]>) -> Result<Self> {
        let mut name = field.ident.as_ref().map(Ident::to_string);
        let mut kind = None;
        let mut computed = None;
        for part in parts {
            match part {
                Part::Name(text) => name = Some(text.value()),
                Part::Value(value) => computed = Some(value),
                Part::Message(ty) => kind = Some(Kind::Message(ty)),
                Part::Term => kind = Some(Kind::Term),
                Part::Number => kind = Some(Kind::Number),
                Part::List => kind = Some(Kind::List),
                Part::Skip => {}
            }
        }
        let is_number = computed.is_none() && is_integer(&field.ty);
        let kind = kind.unwrap_or(if is_number { Kind::Number } else { Kind::Text });
        let name = match (name, &kind) {
            (Some(name), _) => name,
            (None, _) if count > 1 => {
                return Err(Error::new(field.span(), "a field of a tuple needs #[param(name = \"…\")]"));
            }
            (None, Kind::Message(_)) => "error".to_owned(),
            (None, _) => "value".to_owned(),
        };
        // A place expression, so that a field and a computed value are used in the same way.
        let value = computed.map_or_else(|| quote!((*#binding)), |value| quote!((#value)));
        let (constructor, nested) = match kind {
            Kind::Number => (quote!(number(#value)), None),
            Kind::Text => (quote!(text(&#value)), None),
            Kind::Term => (quote!(term(&#value)), None),
            Kind::List => (quote!(list(&#value)), None),
            Kind::Message(ty) => {
                (quote!(message(&#value)), Some(ty.map_or_else(|| field.ty.clone(), |ty| *ty)))
            }
        };
        Ok(Self { name, value: quote!(::sandtable_core::view::Param::#constructor), nested })
    }
}

fn is_integer(ty: &Type) -> bool {
    const INTEGERS: [&str; 10] = ["i8", "i16", "i32", "i64", "isize", "u8", "u16", "u32", "u64", "usize"];
    matches!(ty, Type::Path(path) if INTEGERS.iter().any(|name| path.path.is_ident(name)))
}

/// `TooManyPawns` as `too_many_pawns`, `HTTPPlace` as `http_place`.
fn snake_case(name: &str) -> String {
    let chars: Vec<char> = name.chars().collect();
    let mut text = String::new();
    for (i, &c) in chars.iter().enumerate() {
        let after_lower = i > 0 && !chars[i - 1].is_uppercase();
        let before_lower = i > 0 && chars.get(i + 1).is_some_and(|next| next.is_lowercase());
        if c.is_uppercase() && (after_lower || before_lower) {
            text.push('_');
        }
        text.extend(c.to_lowercase());
    }
    text
}
