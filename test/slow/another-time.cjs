// Preloaded into every process of a build: its clock is a little over 1,000 days ahead.
const AHEAD = 1_000 * 86_400_000 + 12_345_678;
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + AHEAD);
    else super(...parts);
  }
  static now() {
    return RealDate.now() + AHEAD;
  }
};
