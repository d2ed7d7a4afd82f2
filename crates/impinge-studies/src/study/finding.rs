//! Findings: what a study checks, each of which can fail.
//!
//! A *fact* is ours and must hold. A *claim* is a paper's; the study says beforehand whether it
//! expects the claim to hold or to be refuted, and fails if the measurement says otherwise. A finding
//! *by the clock* depends on the speed of the machine: it is always shown as measured, and fails a
//! full run only. A finding whose peer is not installed is *skipped*, and counted as such.

use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// What was measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Outcome {
    Held,
    Refuted,
    Skipped,
}

/// Whose statement it is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Kind {
    /// Ours.
    Fact,
    /// The paper's, with the place in the paper.
    Claim { place: String, expected: Outcome },
}

/// One finding of a study.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Finding {
    pub(crate) kind: Kind,
    pub(crate) statement: String,
    /// The numbers that decided, or why it was skipped; may be part of the statement.
    pub(crate) evidence: String,
    pub(crate) outcome: Outcome,
    pub(crate) by_clock: bool,
}

impl Finding {
    /// Returns whether the measurement is what the study expects; skipped findings are not asked.
    pub(crate) fn is_as_expected(&self) -> bool {
        let expected = match self.kind {
            Kind::Fact => Outcome::Held,
            Kind::Claim { expected, .. } => expected,
        };
        self.outcome == Outcome::Skipped || self.outcome == expected
    }

    fn print(&self) {
        let sign = match (self.outcome, self.is_as_expected(), self.by_clock) {
            (Outcome::Skipped, ..) => '–',
            (_, true, _) => '✓',
            (_, false, true) => '~',
            (_, false, false) => '✗',
        };
        let verdict = match (&self.kind, self.outcome) {
            (_, Outcome::Skipped) => "skipped: ".to_owned(),
            (Kind::Fact, _) => String::new(),
            (Kind::Claim { place, .. }, Outcome::Held) => format!("{place}, held: "),
            (Kind::Claim { place, .. }, _) => format!("{place}, refuted: "),
        };
        let evidence = if self.evidence.is_empty() {
            String::new()
        } else {
            format!(": {}", self.evidence)
        };

        println!("  {sign} {verdict}{}{evidence}", self.statement);
    }
}

/// A statement of a paper, and what the study expects of it.
pub(crate) struct Claim {
    place: &'static str,
    statement: String,
    expected: Outcome,
    by_clock: bool,
}

impl Claim {
    /// A claim that is expected to hold.
    pub(crate) fn held(place: &'static str, statement: impl Into<String>) -> Self {
        Self {
            place,
            statement: statement.into(),
            expected: Outcome::Held,
            by_clock: false,
        }
    }

    /// A claim that is expected to be refuted.
    pub(crate) fn refuted(place: &'static str, statement: impl Into<String>) -> Self {
        Self {
            expected: Outcome::Refuted,
            ..Self::held(place, statement)
        }
    }

    /// Marks the claim as decided by times.
    pub(crate) fn by_clock(self) -> Self {
        Self {
            by_clock: true,
            ..self
        }
    }
}

/// The findings of a study. Each is printed as it is made.
#[derive(Default)]
pub(crate) struct Findings {
    all: Vec<Finding>,
}

impl Findings {
    /// Records a fact.
    pub(crate) fn check(&mut self, holds: bool, statement: impl Display) {
        self.fact(holds, statement, false);
    }

    /// Records a fact about time.
    pub(crate) fn timing(&mut self, holds: bool, statement: impl Display) {
        self.fact(holds, statement, true);
    }

    fn fact(&mut self, holds: bool, statement: impl Display, by_clock: bool) {
        self.enter(Finding {
            kind: Kind::Fact,
            statement: statement.to_string(),
            evidence: String::new(),
            outcome: outcome(holds),
            by_clock,
        });
    }

    /// Records whether a claim of the paper holds, and the numbers that decided.
    pub(crate) fn claim(&mut self, claim: Claim, holds: bool, evidence: impl Display) {
        self.enter(Finding {
            kind: Kind::Claim {
                place: claim.place.to_owned(),
                expected: claim.expected,
            },
            statement: claim.statement,
            evidence: evidence.to_string(),
            outcome: outcome(holds),
            by_clock: claim.by_clock,
        });
    }

    /// Records what could not be checked here, and why.
    pub(crate) fn skip(&mut self, what: impl Display, reason: impl Display) {
        self.enter(Finding {
            kind: Kind::Fact,
            statement: what.to_string(),
            evidence: reason.to_string(),
            outcome: Outcome::Skipped,
            by_clock: false,
        });
    }

    fn enter(&mut self, finding: Finding) {
        finding.print();
        self.all.push(finding);
    }

    /// Appends the findings of another part of the study.
    pub(crate) fn append(&mut self, mut other: Self) {
        self.all.append(&mut other.all);
    }

    pub(crate) fn into_all(self) -> Vec<Finding> {
        self.all
    }
}

fn outcome(holds: bool) -> Outcome {
    if holds {
        Outcome::Held
    } else {
        Outcome::Refuted
    }
}

#[cfg(test)]
mod tests;
