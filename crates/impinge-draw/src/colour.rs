//! Colours, and scales of them.

/// Red, green and blue, from 0 to 1, as they are perceived (not linear light).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour(pub [f32; 3]);

impl Colour {
    /// From bytes.
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self([
            red as f32 / 255.0,
            green as f32 / 255.0,
            blue as f32 / 255.0,
        ])
    }

    /// Between two colours: `share` 0 is `self`, 1 is `other`.
    #[must_use]
    pub fn mixed(self, other: Self, share: f32) -> Self {
        let share = share.clamp(0.0, 1.0);
        Self(std::array::from_fn(|i| {
            self.0[i] + (other.0[i] - self.0[i]) * share
        }))
    }

    /// Darker (below 1) or lighter (above 1).
    #[must_use]
    pub fn shaded(self, light: f32) -> Self {
        Self(self.0.map(|c| (c * light).clamp(0.0, 1.0)))
    }

    /// A scale from dark blue over green to yellow that stays readable in print and to colour-blind eyes (a short
    /// polygon through the perceptually even scale known as viridis); `value` from 0 to 1.
    pub fn scale(value: f64) -> Self {
        const STOPS: [Colour; 5] = [
            Colour::rgb(68, 1, 84),
            Colour::rgb(59, 82, 139),
            Colour::rgb(33, 145, 140),
            Colour::rgb(94, 201, 98),
            Colour::rgb(253, 231, 37),
        ];
        let place = if value.is_finite() {
            value.clamp(0.0, 1.0) * 4.0
        } else {
            0.0
        };
        let below = (place as usize).min(3);
        STOPS[below].mixed(STOPS[below + 1], (place - below as f64) as f32)
    }
}
