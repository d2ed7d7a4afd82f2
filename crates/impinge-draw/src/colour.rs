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

    /// Returns the colour of `value`, 0 to 1, on the perceptually uniform scale viridis, which stays readable
    /// in print and with colour blindness.
    pub fn scale(value: f64) -> Self {
        let last = VIRIDIS.len() - 1;
        let place = if value.is_finite() {
            value.clamp(0.0, 1.0) * last as f64
        } else {
            0.0
        };
        let below = (place as usize).min(last - 1);
        let stop = |number: usize| {
            let [_, red, green, blue] = u32::to_be_bytes(VIRIDIS[number]);
            Self::rgb(red, green, blue)
        };

        stop(below).mixed(stop(below + 1), (place - below as f64) as f32)
    }
}

/// The scale viridis by S. van der Walt, N. Smith and E. Firing (CC0), at equal distances.
#[rustfmt::skip]
const VIRIDIS: [u32; 64] = [
    0x440154, 0x46075a, 0x470d60, 0x471365, 0x48186a, 0x481d6f, 0x482374, 0x482878,
    0x472d7b, 0x46327e, 0x453781, 0x443b84, 0x424086, 0x404588, 0x3e4989, 0x3d4e8a,
    0x3a538b, 0x38588c, 0x365c8d, 0x34608d, 0x32648e, 0x31688e, 0x2f6c8e, 0x2d708e,
    0x2c738e, 0x2a778e, 0x297b8e, 0x277f8e, 0x26828e, 0x24868e, 0x238a8d, 0x218e8d,
    0x20928c, 0x1f968b, 0x1f9a8a, 0x1f9e89, 0x1fa187, 0x21a585, 0x23a983, 0x26ad81,
    0x2ab07f, 0x2fb47c, 0x35b779, 0x3bbb75, 0x42be71, 0x4ac16d, 0x52c569, 0x5ac864,
    0x65cb5e, 0x6ece58, 0x77d153, 0x81d34d, 0x8bd646, 0x95d840, 0xa0da39, 0xaadc32,
    0xb5de2b, 0xc0df25, 0xcae11f, 0xd5e21a, 0xdfe318, 0xeae51a, 0xf4e61e, 0xfde725,
];
