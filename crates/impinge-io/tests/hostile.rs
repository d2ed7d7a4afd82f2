//! Every reader survives ten thousand broken files.

mod mutate;

use impinge_io::lammps::ParticleData;
use impinge_io::{Dataset, Field, Format, Points, lammps, npy, pvd};
use mutate::{Held, packed_seeds, seeds, survive, volume_seeds};

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
    table_survives_mutation: impinge_io::parse_table, seeds::table();
    xyz_survives_mutation: impinge_io::parse_xyz, seeds::xyz();
    npy_survives_mutation: npy::parse, seeds::npy();
    lammps_survives_mutation: lammps::parse, seeds::lammps();
    off_survives_mutation: |bytes| Format::Off.parse(bytes), seeds::off();
    msh_survives_mutation: |bytes| Format::Msh.parse(bytes), volume_seeds::msh();
    vtk_survives_mutation: |bytes| Format::Vtk.parse(bytes), volume_seeds::vtk();
    vtu_survives_mutation: |bytes| Format::Vtu.parse(bytes), volume_seeds::vtu();
    vtp_survives_mutation: |bytes| Format::Vtp.parse(bytes), volume_seeds::vtp();
    inp_survives_mutation: |bytes| Format::Inp.parse(bytes), volume_seeds::inp();
    threemf_survives_mutation: |bytes| Format::ThreeMf.parse(bytes), packed_seeds::threemf();
    glb_survives_mutation: |bytes| Format::Glb.parse(bytes), packed_seeds::glb();
    pvd_survives_mutation: pvd::parse, volume_seeds::pvd();
}

/// Quadratic readers would never end here.
#[test]
fn endless_lines_and_endless_many_end_every_reader() {
    const SIZE: usize = 1 << 20;
    let heads = [
        "",
        "solid s\n",
        "v 0 0 0\nf ",
        "OFF\n1 1 0\n0 0 0\n",
        "ply\nformat ascii 1.0\n",
        "$MeshFormat\n",
    ];

    for part in [
        "x",
        "1 ",
        "1,",
        "1\n",
        "\n",
        "# \\\n",
        "element a1 0\n",
        "solid s\nendsolid\n",
        "\0",
        "\"",
        "<a>",
        "*",
    ] {
        for head in heads {
            let file = [head, &part.repeat(SIZE / part.len())]
                .concat()
                .into_bytes();

            for format in Format::ALL {
                format.parse(&file).iter().for_each(Held::assert_sound);
            }

            impinge_io::parse_table(&file)
                .iter()
                .for_each(Held::assert_sound);
            impinge_io::parse_xyz(&file)
                .iter()
                .for_each(Held::assert_sound);
            lammps::parse(&file).iter().for_each(Held::assert_sound);

            npy::parse(&file).iter().for_each(Held::assert_sound);
        }
    }
}

impl Held for Dataset {
    fn weight(&self) -> usize {
        let fields = |fields: &[Field]| {
            fields
                .iter()
                .map(|field| field.values.len() * 8)
                .sum::<usize>()
        };
        self.mesh.points.len() * 24
            + self
                .mesh
                .blocks
                .iter()
                .map(|block| block.nodes.len() * 4)
                .sum::<usize>()
            + fields(&self.point_fields)
            + fields(&self.cell_fields)
            + self
                .sets
                .iter()
                .map(|set| set.members.len() * 8)
                .sum::<usize>()
    }

    fn assert_sound(&self) {
        self.check()
            .unwrap_or_else(|fault| panic!("a reader let this pass: {fault}"));
    }
}

impl Held for Points {
    fn weight(&self) -> usize {
        self.values.len() * 8
    }

    fn assert_sound(&self) {
        assert!(self.columns >= 2 && self.values.len().is_multiple_of(self.columns));
        assert!(self.names.is_empty() || self.names.len() == self.columns);
        assert!(self.values.iter().all(|x| x.is_finite()));
    }
}

impl Held for npy::Array {
    fn weight(&self) -> usize {
        self.values.len() * 8
    }

    fn assert_sound(&self) {
        assert_eq!(self.shape.iter().product::<usize>(), self.values.len());
    }
}

impl Held for Vec<ParticleData> {
    fn weight(&self) -> usize {
        let fields = |frame: &ParticleData| {
            frame
                .fields
                .iter()
                .map(|field| field.values.len() * 8)
                .sum::<usize>()
        };
        self.iter()
            .map(|frame| frame.centres.len() * (24 + 8 + 8 + 4) + fields(frame))
            .sum()
    }

    fn assert_sound(&self) {
        self.iter().for_each(|frame| {
            frame
                .check()
                .unwrap_or_else(|fault| panic!("a reader let this pass: {fault}"))
        });
    }
}

impl Held for Vec<pvd::SeriesStep> {
    fn weight(&self) -> usize {
        self.iter().map(|step| 8 + step.file.len()).sum()
    }

    fn assert_sound(&self) {
        assert!(self.iter().all(|step| step.time.is_finite()));
    }
}
