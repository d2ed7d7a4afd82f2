use super::*;

#[test]
fn messages_arrive_sorted_by_sender_and_collectives_follow_each_other() {
    let results = run_on_threads(5, |ranks| {
        let (me, size) = (ranks.rank(), ranks.size());
        let mut seen = Vec::new();
        for round in 0..50 {
            let to = |rank: usize| Message {
                rank,
                words: vec![(100 * me + round) as u64; me],
            };
            let arrived = ranks.all_to_all((0..size).filter(|&r| r != me).map(to).collect());
            let senders = arrived.iter().map(|message| message.rank);
            assert!(senders.eq((0..size).filter(|&rank| rank != me)));
            assert!(arrived.iter().all(|m| m.words.len() == m.rank));

            let mut largest = [me as f64, -(me as f64)];
            ranks.max(&mut largest);
            assert_eq!(largest, [4.0, 0.0]);

            let next = Message {
                rank: (me + 1) % size,
                words: vec![(me + round) as u64],
            };
            let last = (me + size - 1) % size;
            let mut receives = [Message {
                rank: last,
                words: vec![0],
            }];
            ranks.exchange(&[next], &mut receives, &mut || {});
            assert_eq!(receives[0].words, [(last + round) as u64]);
            seen.push(ranks.broadcast(vec![me as u64 + 7]));
        }
        seen
    });
    assert!(results.iter().flatten().all(|words| words == &[7]));
}

#[test]
#[should_panic(expected = "rank 2 gives up")]
fn a_rank_that_panics_ends_all() {
    run_on_threads(4, |ranks| {
        assert_ne!(ranks.rank(), 2, "rank 2 gives up");
        ranks.sum(&mut [0]);
    });
}
