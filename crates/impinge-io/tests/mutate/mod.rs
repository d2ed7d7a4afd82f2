//! Mutates valid files the way files get corrupted, and the way attackers would.

use impinge::space::Random;
use std::fmt::Debug;

#[allow(dead_code)]
pub(crate) mod packed_seeds;
pub(crate) mod seeds;
pub(crate) mod volume_seeds;

/// Mutated files that each reader must survive.
pub(crate) const FILES_PER_READER: usize = 10_000;

/// The result of a reader, whose size and consistency can be checked.
pub(crate) trait Held {
    /// Bytes that the numbers take.
    fn weight(&self) -> usize;
    /// Panics unless the result is consistent.
    fn assert_sound(&self);
}

/// Feeds a reader with mutants of its seeds. It must not panic; what it accepts must be sound and no larger than
/// `LARGEST_GROWTH` times the file.
pub(crate) fn survive<T: Held, F: Debug>(
    name: &str,
    parse: impl Fn(&[u8]) -> Result<T, F>,
    seeds: &[Vec<u8>],
) {
    /// A file of one-byte numbers, read as `f64`, with as many derived indices.
    const LARGEST_GROWTH: usize = 32;
    /// Room for names and small files' fixed parts.
    const FIXED: usize = 4096;
    for (i, seed) in seeds.iter().enumerate() {
        let held = parse(seed)
            .unwrap_or_else(|fault| panic!("{name}: seed {i} is not supported: {fault:?}"));
        held.assert_sound();
    }

    let mut random = Random::new(name.bytes().map(u64::from).sum());
    let mut accepted = 0;
    for round in 0..FILES_PER_READER {
        let file = mutant(&mut random, seeds);
        if let Ok(held) = parse(&file) {
            held.assert_sound();
            let limit = LARGEST_GROWTH * file.len() + FIXED;
            assert!(
                held.weight() <= limit,
                "{name}: file {round} of {} bytes grew",
                file.len()
            );
            accepted += 1;
        }
    }

    assert!(
        accepted < FILES_PER_READER,
        "{name}: no mutant was refused, so none was mutated in earnest"
    );
    assert_small_process();
}

/// Memory that was only requested, never touched, counts too: that reveals an allocation for a false
/// count.
fn assert_small_process() {
    /// Most of this is stacks and arenas of the test threads.
    const LARGEST: usize = 8 << 30;
    let Ok(status) = std::fs::read_to_string("/proc/self/status") else {
        return;
    };
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmPeak:"))
        .expect("a line VmPeak");

    let kilobytes: usize = peak
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .expect("a number of kB");

    assert!(
        kilobytes * 1024 < LARGEST,
        "the process asked for {kilobytes} kB"
    );
}

/// One seed with one to four things done to it.
pub(crate) fn mutant(random: &mut Random, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut file = seeds[random.below(seeds.len())].clone();
    for _ in 0..1 + random.below(4) {
        if file.is_empty() {
            break;
        }
        mutate(random, &mut file, seeds);
    }

    file
}

fn mutate(random: &mut Random, file: &mut Vec<u8>, seeds: &[Vec<u8>]) {
    let at = random.below(file.len());
    let chunk = at..(at + 1 + random.below(64)).min(file.len());
    match random.below(10) {
        0 => file[at] ^= 1 << random.below(8),
        1 => file[at] = random.bits() as u8,
        2 => file.truncate(at),
        3 => drop(file.drain(chunk)),
        4 => {
            let copy = file[chunk].to_vec();
            let to = random.below(file.len());
            file.splice(to..to, copy);
        }
        5 | 6 => replace_number(random, file, at),
        7 | 8 => overwrite(random, file, at),
        _ => {
            let other = &seeds[random.below(seeds.len())];
            file.truncate(at);
            file.extend_from_slice(&other[random.below(other.len())..]);
        }
    }
}

/// Puts another word in the place of the word that is there.
fn replace_number(random: &mut Random, file: &mut Vec<u8>, at: usize) {
    const WORDS: [&str; 24] = [
        "-1",
        "0",
        "1",
        "2",
        "7",
        "255",
        "65536",
        "2147483648",
        "4294967295",
        "4294967296",
        "-2147483648",
        "9223372036854775807",
        "18446744073709551616",
        "99999999999999999999999",
        "1e308",
        "1e400",
        "nan",
        "-inf",
        "1,5",
        "0x10",
        "1e",
        "-",
        "",
        "\n",
    ];
    let in_word = |b: &u8| b.is_ascii_alphanumeric() || b"+-._".contains(b);

    let start = file[..at]
        .iter()
        .rposition(|b| !in_word(b))
        .map_or(0, |i| i + 1);
    let end = file[at..]
        .iter()
        .position(|b| !in_word(b))
        .map_or(file.len(), |i| at + i);
    let word = WORDS[random.below(WORDS.len())];

    file.splice(start..end.max(start), word.bytes());
}

/// Puts a binary number in the place of the bytes that are there.
fn overwrite(random: &mut Random, file: &mut [u8], at: usize) {
    let value: u64 = match random.below(8) {
        0 => 0,
        1 => u64::MAX,
        2 => f64::NAN.to_bits(),
        3 => u64::from(f32::INFINITY.to_bits()),
        4 => 0x7fff_ffff,
        5 => 0x8000_0000_8000_0000,
        6 => 1 << random.below(64),
        _ => random.below(300) as u64,
    };

    let bytes = if random.below(2) == 0 {
        value.to_le_bytes()
    } else {
        value.to_be_bytes()
    };
    let width = [1, 2, 4, 8][random.below(4)].min(file.len() - at);

    file[at..at + width].copy_from_slice(&bytes[..width]);
}
