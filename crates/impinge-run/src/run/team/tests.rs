use super::*;

#[test]
fn commands_survive_as_words() {
    for command in [
        Command::Restart(vec![]),
        Command::Restart(b"a state".to_vec()),
        Command::Advance {
            times: 7,
            most: 400,
            dt: 1e-5,
        },
        Command::Gather,
        Command::End,
    ] {
        assert_eq!(Command::from_words(&command.to_words()), command);
    }
}
