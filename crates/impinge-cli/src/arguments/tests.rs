use super::*;

/// Width at which clap wraps help in a wide terminal.
const WIDTH: usize = 100;

fn visible() -> Vec<clap::Command> {
    let mut command = Arguments::grouped();
    command.build();
    let commands = command
        .get_subcommands()
        .filter(|command| !command.is_hide_set());
    commands
        .filter(|command| command.get_name() != "help")
        .cloned()
        .collect()
}

#[test]
fn the_overview_lists_every_command_once() {
    let mut listed: Vec<&str> = GROUPS
        .iter()
        .flat_map(|(_, names)| *names)
        .copied()
        .collect();
    listed.push("completions"); // hidden: used by shells
    listed.sort_unstable();

    let commands = visible();
    let mut names: Vec<&str> = commands.iter().map(clap::Command::get_name).collect();
    names.sort_unstable();
    assert_eq!(listed, names);

    let overview = Arguments::grouped().render_help().to_string();
    assert!(
        overview.contains("Mesh files:\n  info      Inspect"),
        "{overview}"
    );
    assert!(
        overview.lines().all(|line| line.chars().count() <= WIDTH),
        "{overview}"
    );
}

#[test]
fn every_command_has_examples_and_its_help_is_wrapped_only_by_the_terminal() {
    for command in visible() {
        let name = command.get_name();
        let text = command
            .get_after_help()
            .map(ToString::to_string)
            .unwrap_or_default();
        assert!(text.starts_with("Example"), "{name} has no examples");
        assert!(
            text.contains(&format!("\n  impinge {name} ")) || name == "demo",
            "{name}"
        );

        let is_prose = |line: &&str| !line.is_empty() && !line.starts_with(' ');
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.windows(2) {
            assert!(
                !pair.iter().all(is_prose),
                "{name}: wrapped by hand: {pair:?}"
            );
        }
        let mut examples = lines.iter().filter(|line| line.starts_with(' '));
        assert!(
            examples.all(|line| line.chars().count() <= WIDTH),
            "{name}: {text}"
        );
    }
}

/// Returns the commands among some lines, without comments and what a shell does with them.
fn commands(text: &str) -> Vec<Vec<&str>> {
    let lines = text.lines().map(str::trim_start);
    let lines = lines.filter(|line| line.starts_with("impinge "));
    lines
        .map(|line| {
            let ends = ["  ", " #", " | ", " && ", " > "];
            let end = ends.iter().filter_map(|mark| line.find(mark)).min();
            line[..end.unwrap_or(line.len())]
                .split_whitespace()
                .collect()
        })
        .collect()
}

#[test]
fn every_command_in_help_and_documentation_is_understood() {
    let overview = Arguments::grouped();
    let helps = visible().into_iter().chain([overview.clone()]);
    let mut texts: Vec<String> = helps
        .filter_map(|command| command.get_after_help().map(ToString::to_string))
        .collect();
    let documents = [
        include_str!("../../../../README.md"),
        include_str!("../../../../docs/book/src/getting-started.md"),
        include_str!("../../README.md"),
    ];
    texts.extend(documents.map(str::to_owned));

    let commands: Vec<Vec<&str>> = texts.iter().flat_map(|text| commands(text)).collect();
    assert!(commands.len() > 50, "only {} found", commands.len());
    for words in commands {
        if let Err(error) = overview.clone().try_get_matches_from(&words) {
            panic!("{words:?}: {error}");
        }
    }
}
