//! Tables as data: the names, types, units and meanings of their columns. Documentation, `--schema`, and every format
//! are made from this.

use super::column::Type;
use navmap_formats::Family;

/// A table.
#[derive(Debug)]
#[non_exhaustive]
pub struct Table {
    /// `source_areas`.
    pub name: &'static str,
    /// The family whose meshes fill it; `None` if all do.
    pub family: Option<Family>,
    /// What a row is.
    pub about: &'static str,
    /// Its own columns, without the [common](COMMON) ones.
    pub columns: &'static [ColumnDef],
}

/// A column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ColumnDef {
    /// Its name, which is not a reserved word in any common dialect of SQL.
    pub name: &'static str,
    /// The type of its values.
    pub kind: Type,
    /// The unit: `u` is the length unit of the file. Empty if there is none.
    pub unit: &'static str,
    /// Whether it may be null. Null always means that the file has no value.
    pub null: bool,
    /// What it is.
    pub about: &'static str,
}

impl ColumnDef {
    pub(super) const fn new(
        name: &'static str,
        (kind, null): (Type, bool),
        unit: &'static str,
        about: &'static str,
    ) -> Self {
        Self { name, kind, unit, null, about }
    }
}

/// The columns that every table about meshes begins with. They identify the mesh of a row.
pub const COMMON: [ColumnDef; 3] = [
    ColumnDef::new("path", (Type::Text, false), "", "the file as given, or the archive"),
    ColumnDef::new("member", (Type::Text, true), "", "the path inside the archive"),
    ColumnDef::new(
        "file",
        (Type::U32, false),
        "",
        "number of the mesh in path order within this run: join by it",
    ),
];

impl Table {
    /// Whether its rows come from meshes, so that it begins with the [common](COMMON) columns. The exception, `flag_names`, is
    /// the same for every run.
    pub fn is_of_meshes(&self) -> bool {
        !std::ptr::eq(self, &super::rows::FLAG_NAMES)
    }

    /// Whether it is so large that it is written only on request.
    pub fn is_large(&self) -> bool {
        self.name == "source_visibility"
    }

    /// All of its columns, in order.
    pub fn all_columns(&self) -> impl Iterator<Item = &'static ColumnDef> + Clone + use<> {
        let common: &'static [ColumnDef] = if self.is_of_meshes() { &COMMON } else { &[] };
        common.iter().chain(self.columns)
    }

    /// Number of common columns before its own.
    pub fn common(&self) -> usize {
        if self.is_of_meshes() { COMMON.len() } else { 0 }
    }

    /// The position of a column among its own.
    pub fn position(&self, column: &str) -> Option<usize> {
        self.columns.iter().position(|known| known.name == column)
    }

    /// The name without the family, which SQL also accepts for the tables of Source.
    pub fn short_name(&self) -> Option<&'static str> {
        self.name.strip_prefix("source_").filter(|_| self.family == Some(Family::Source))
    }

    /// The table of this name, or of this [short name](Self::short_name).
    pub fn named(name: &str) -> Option<&'static Self> {
        let tables = || super::TABLES.iter().copied();
        tables()
            .find(|table| table.name == name)
            .or_else(|| tables().find(|table| table.short_name() == Some(name)))
    }
}

/// Defines tables: for each a struct, which is one row, and a static [`Table`]. The types of the fields are the types of
/// the columns, so what fills a table and what describes it cannot differ.
///
/// Columns after `of Record` are the record's getters, by name: such a row is made of a number and a record.
macro_rules! rows {
    ($(
        $(#[doc = $about:literal])+
        $row:ident $(<$life:lifetime>)? = $table:ident $name:literal $family:expr;
        { $($column:ident: $type:ty, $unit:literal, $text:literal;)+ }
        $(of $record:ident { $($get:ident: $get_type:ty, $get_unit:literal, $get_text:literal;)+ })?
    )+) => { $(
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct $row $(<$life>)? {
            $(pub(crate) $column: $type,)+
            $($(pub(crate) $get: $get_type,)+)?
        }

        /// The table of these rows.
        pub(crate) static $table: $crate::schema::Table = $crate::schema::Table {
            name: $name,
            family: $family,
            about: concat!($($about),+),
            columns: <$row as $crate::batch::Row>::COLUMNS,
        };

        impl $(<$life>)? $crate::batch::Row for $row $(<$life>)? {
            const COLUMNS: &'static [$crate::schema::ColumnDef] = &[
                $($crate::schema::rows!(@column $column $type, $unit, $text),)+
                $($($crate::schema::rows!(@column $get $get_type, $get_unit, $get_text),)+)?
            ];

            fn table() -> &'static $crate::schema::Table {
                &$table
            }

            #[inline]
            fn put(self, columns: &mut [$crate::column::Column], wanted: u64) {
                let mut at = 0_u32;
                $( $crate::schema::rows!(@put self $column columns wanted at); )+
                $($( $crate::schema::rows!(@put self $get columns wanted at); )+)?
                let _ = at;
            }
        }

        $crate::schema::rows!(@from $row [$($column)+] [$($record $($get)+)?]);
    )+ };
    (@column $column:ident $type:ty, $unit:literal, $text:literal) => {
        $crate::schema::ColumnDef::new(
            stringify!($column),
            (<$type as $crate::column::Cell>::TYPE, <$type as $crate::column::Cell>::NULL),
            $unit,
            $text,
        )
    };
    // Statements ask for a few of many columns, and an unwanted one costs the test of a bit.
    (@put $row:ident $column:ident $columns:ident $wanted:ident $at:ident) => {
        if $wanted.checked_shr($at).unwrap_or(1) & 1 == 1
            && let Some(column) = $columns.get_mut($at as usize)
        {
            $crate::column::Cell::put($row.$column, column);
        }
        $at += 1;
    };
    (@from $row:ident $columns:tt []) => {};
    (@from $row:ident [$number:ident] [$record:ident $($get:ident)+]) => {
        impl From<(u32, &$record)> for $row {
            #[inline]
            fn from(($number, record): (u32, &$record)) -> Self {
                Self { $number, $($get: record.$get().into(),)+ }
            }
        }
    };
}
pub(crate) use rows;
