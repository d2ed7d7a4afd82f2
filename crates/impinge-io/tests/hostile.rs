//! Every reader survives ten thousand broken files.

mod mutate;

use impinge_io::{Dataset, Field, Format};
use mutate::{Held, seeds, survive};

/// One line for each reader: name, reader, good files to start from.
macro_rules! readers {
    ($($name:ident: $parse:expr, $seeds:expr;)*) => {$(
        #[test]
        fn $name() {
            survive(stringify!($name), $parse, &$seeds);
        }
    )*};
}

readers! {
    stl_survives_mutation: |bytes| Format::Stl.parse(bytes), seeds::stl();
    obj_survives_mutation: |bytes| Format::Obj.parse(bytes), seeds::obj();
    ply_survives_mutation: |bytes| Format::Ply.parse(bytes), seeds::ply();
    off_survives_mutation: |bytes| Format::Off.parse(bytes), seeds::off();
}

impl Held for Dataset {
    fn weight(&self) -> usize {
        let fields = |fields: &[Field]| fields.iter().map(|field| field.values.len() * 8).sum::<usize>();
        self.mesh.points.len() * 24
            + self.mesh.blocks.iter().map(|block| block.nodes.len() * 4).sum::<usize>()
            + fields(&self.point_fields)
            + fields(&self.cell_fields)
            + self.sets.iter().map(|set| set.members.len() * 8).sum::<usize>()
    }

    fn assert_sound(&self) {
        self.check().unwrap_or_else(|fault| panic!("a reader let this pass: {fault}"));
    }
}
