import assert from "node:assert/strict";
import { test } from "node:test";
import { logTicks, shown, ticks } from "../src/numbers";

test("ticks are round numbers within the range", () => {
  assert.deepEqual(ticks(0, 1, 4), [0, 0.5, 1]);
  assert.deepEqual(ticks(-1, 4, 5), [-1, 0, 1, 2, 3, 4]);
  assert.deepEqual(logTicks(0.01, 100), [0.01, 0.1, 1, 10, 100]);
});

test("ticks of a range narrower than rounding, empty or endless are few", () => {
  const ranges: [number, number][] = [[0.3, 0.30000000000000004], [1e16, 1e16 + 2], [0, 0], [2, 1], [0, Infinity], [NaN, 1], [-1e300, 1e300]];
  for (const [low, high] of ranges) {
    assert.ok(ticks(low, high, 4).length < 12, `${low} to ${high}`);
    assert.ok(logTicks(low, high).length < 12, `${low} to ${high}`);
  }
});

test("numbers are shown with four digits and an exponent only where needed", () => {
  assert.deepEqual([0, 0.1 + 0.2, -12345.6, 1.5e-7, 2e9, NaN].map((x) => shown(x)), ["0", "0.3", "\u221212350", "1.5e\u22127", "2e9", "no number"]);
});
