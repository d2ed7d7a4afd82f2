/** Numbers for people. */

/** Four significant digits, with an exponent only where needed. */
export function shown(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "no number" : value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e5 || size < 1e-3 ? exponential(value, digits) : trimmed(value.toPrecision(digits));
  return text.replace("-", "−");
}

function exponential(value: number, digits: number): string {
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e") as [string, string];
  return `${trimmed(mantissa)}e${Number(exponent)}`;
}

function trimmed(text: string): string {
  const number = Number(text);
  return Math.abs(number) >= 1e5 ? number.toFixed(0) : String(number);
}

/** 131,072. */
export function grouped(value: number): string {
  return Math.round(value).toLocaleString("en-US");
}

export function bytes(value: number): string {
  return value >= 1e6 ? `${shown(value / 1e6, 3)} MB` : `${shown(value / 1e3, 3)} kB`;
}

/** Round values between two numbers: steps of 1, 2 or 5 times a power of ten. */
export function ticks(low: number, high: number, about: number): number[] {
  const span = high - low;
  // Below this the multiples of a step cannot be counted in 53 bits.
  if (!(span > 1e-9 * Math.max(Math.abs(low), Math.abs(high))) || !Number.isFinite(span)) return [low];
  const rough = span / Math.max(1, about);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5].find((factor) => factor * power >= rough) ?? 10);
  const out: number[] = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * span; i++) out.push(i * step + 0);
  return out;
}

/** Powers of ten, with 2 and 5 times them if there are few. */
export function logTicks(low: number, high: number): number[] {
  if (!(low > 0) || !(high > low) || !Number.isFinite(high)) return [high];
  const out: number[] = [];
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  const factors = last - first <= 2 ? [1, 2, 5] : [1];
  const stride = Math.max(1, Math.ceil((last - first) / 7));
  for (let power = first; power <= last; power += stride) {
    for (const factor of factors) {
      const value = factor * 10 ** power;
      if (value >= low * 0.999 && value <= high * 1.001) out.push(value);
    }
  }
  return out.length > 0 ? out : [low, high];
}

/** Seconds with enough digits to distinguish two successive frames. */
export function seconds(time: number, step: number): string {
  const digits = step > 0 ? Math.min(9, Math.max(0, Math.ceil(-Math.log10(step)) + 1)) : 3;
  return `${time.toFixed(digits)} s`;
}
