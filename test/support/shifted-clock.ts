// Preloaded in a process whose clock is to be wrong: by as many milliseconds as HOLDFAST_TEST_CLOCK_MS says.
import { readEnvironment } from '../../src/config/environment.ts';

const RealDate = Date;
const shiftMs = Number(readEnvironment()['HOLDFAST_TEST_CLOCK_MS']);
const now = (): number => RealDate.now() + shiftMs;

globalThis.Date = class extends RealDate {
  constructor(given: number | string | Date = now()) {
    super(given);
  }

  static override now(): number {
    return now();
  }
} as DateConstructor;
