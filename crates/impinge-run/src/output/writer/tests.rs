use super::*;
use std::path::Path;

#[test]
fn an_error_is_returned_once_to_the_next_waiter() {
    let mut writer = Writer::default();
    let fault = || {
        Err(Error::system(
            Path::new("full"),
            std::io::Error::other("no space"),
        ))
    };
    writer.start(fault).expect("nothing before");

    assert!(
        writer
            .start(|| Ok(()))
            .unwrap_err()
            .to_string()
            .contains("no space")
    );
    writer.wait().expect("reported already");
    writer.start(|| Ok(())).expect("no job is running");

    writer.wait().expect("ends well");
}
