use super::*;

fn named(names: &str) -> Result<Meaning, ParseError> {
    Meaning::of(&names.split(',').map(str::to_owned).collect::<Vec<_>>())
}

#[test]
fn coordinates_have_many_names() {
    for names in [
        "x,y,z",
        "X,Y,Z",
        "xu,yu,zu",
        "x [mm],y [mm],z [mm]",
        "x(m),y(m),z(m)",
        "x_um,y_um,z_um",
        "pos_x,pos_y,pos_z",
        "Position.X,Position.Y,Position.Z",
        "Points:0,Points:1,Points:2",
        "Points_0,Points_1,Points_2",
        "center x,center y,center z",
    ] {
        let meaning = named(names).expect("good names");
        assert_eq!(meaning.axes(), Some(vec![0, 1, 2]), "{names}");
        assert!(meaning.others(&[0, 1, 2]).is_empty());
    }

    assert_eq!(named("id,y,vx,x").expect("good").axes(), Some(vec![3, 1]));
    for names in [
        "id,vx,vy,vz,fx,fy,omegax",
        "xs,ys,zs",
        "0,1,2",
        "x,z",
        "ix,iy,iz",
    ] {
        assert_eq!(named(names).expect("good names").axes(), None, "{names}");
    }
}

#[test]
fn sizes_and_ends_are_distinguished() {
    assert_eq!(named("x,y,Radius").expect("good").sizes(), (Some(2), None));
    assert_eq!(named("D [mm],x,y").expect("good").sizes(), (None, Some(0)));
    assert_eq!(named("density,x,rho").expect("good").sizes(), (None, None));

    for names in [
        "xmin,ymin,xmax,ymax",
        "x_min,y_min,x_max,y_max",
        "xlo,ylo,xhi,yhi",
        "min_x,min_y,max_x,max_y",
    ] {
        assert_eq!(
            named(names).expect("good").ends(),
            Some(vec![0, 1, 2, 3]),
            "{names}"
        );
    }

    assert_eq!(
        named("xmin,ymin,zmin,xmax,ymax").expect("good").ends(),
        None
    );
}

#[test]
fn doubled_meanings_and_mixed_units_are_refused() {
    let said = |names: &str| named(names).unwrap_err().to_string();
    assert_eq!(said("x,y,xu"), "columns 'x' and 'xu' mean the same");
    assert_eq!(
        said("x [mm],y [mm],r [m]"),
        "columns 'x [mm]' and 'r [m]' have different units"
    );

    assert!(named("x [mm],y,r").is_ok());
}
