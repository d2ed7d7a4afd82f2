//! Colours and a colour scale.

/// Red, green and blue from 0 to 1, gamma-encoded (not linear light).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Colour(pub [f32; 3]);

impl Colour {
    /// Creates a colour from bytes.
    pub const fn rgb(red: u8, green: u8, blue: u8) -> Self {
        Self([
            red as f32 / 255.0,
            green as f32 / 255.0,
            blue as f32 / 255.0,
        ])
    }

    /// Interpolates between two colours: `share` 0 is `self`, 1 is `other`.
    #[must_use]
    pub fn mixed(self, other: Self, share: f32) -> Self {
        let share = share.clamp(0.0, 1.0);
        Self(std::array::from_fn(|i| {
            self.0[i] + (other.0[i] - self.0[i]) * share
        }))
    }

    /// Darkens (`light` below 1) or lightens (above 1) the colour.
    #[must_use]
    pub fn shaded(self, light: f32) -> Self {
        Self(self.0.map(|c| (c * light).clamp(0.0, 1.0)))
    }

    /// Returns the colour of `value`, 0 to 1, on a scale from dark blue over green to yellow. The scale
    /// stays readable in print and with colour blindness: a polyline through the perceptually uniform
    /// scale viridis.
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
