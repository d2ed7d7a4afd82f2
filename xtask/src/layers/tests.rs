use super::*;

fn module(path: &[&str], text: &str) -> Module {
    Module {
        path: path.iter().map(|name| (*name).to_owned()).collect(),
        file: path.join("/").into(),
        tokens: text
            .parse::<proc_macro2::TokenStream>()
            .expect("tokens")
            .into_iter()
            .collect(),
    }
}

#[test]
fn a_stage_may_look_up_the_flow_but_not_down() {
    let modules = [
        module(&["space"], ""),
        module(&["broad"], "use crate::{space::Aabb, tree::{Bvh, self}};"),
        module(&["tree"], "fn f() { vec![crate::space::Aabb::new()] }"),
    ];
    let edges = &sibling_edges(&modules)[&Vec::new()];
    let faults: Vec<String> = edges.iter().filter_map(against_the_flow).collect();
    assert_eq!(faults.len(), 2);

    assert!(faults[0].ends_with("'broad' uses 'tree', which comes after it"));
}

#[test]
fn siblings_that_use_each_other_are_a_cycle_even_through_their_parent() {
    let modules = [
        module(&["a"], "mod x; mod y; pub use x::One; pub use y::Two;"),
        module(&["a", "x"], "use super::Two; pub struct One;"),
        module(&["a", "y"], "use super::x; pub struct Two;"),
    ];
    let edges = &sibling_edges(&modules)[&vec!["a".to_owned()]];

    assert_eq!(cycles(edges), [["x", "y"].map(str::to_owned).into()]);
}

#[test]
fn a_module_with_submodules_is_in_its_own_folder() {
    let mut modules = [module(&["a"], "mod x;"), module(&["a", "x"], "")];
    modules[0].file = "a.rs".into();
    assert_eq!(misplaced(&modules).len(), 1);

    modules[0].file = "a/mod.rs".into();
    assert!(misplaced(&modules).is_empty());
}

#[test]
fn the_library_may_not_print() {
    assert_eq!(forbidden("    println!(\"{x}\");"), Some("println!"));
    assert_eq!(code("let x = 1; // println!"), "let x = 1; ");
}

#[test]
fn this_workspace_keeps_to_the_flow() {
    run().expect("the dependencies are valid");
}
