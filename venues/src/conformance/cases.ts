import type { Bench } from './bench.ts';
import { CONDITION_CASES } from './condition-cases.ts';
import { FAULT_CASES } from './fault-cases.ts';
import { PLACING_CASES } from './placing-cases.ts';
import { POSITION_CASES } from './position-cases.ts';
import { READING_CASES } from './reading-cases.ts';
import { STREAM_CASES } from './stream-cases.ts';
import { WORD_CASES } from './word-cases.ts';

/** One promise of the port, shown against the simulated exchange. Numbers are kept when cases come and go. */
export type ConformanceCase = { number: number; title: string; run: (bench: Bench) => Promise<void> };

/**
 * What every venue must pass: 1 to 19 reading, 20 to 39 placing, 40 to 59 faults and stated conditions, 60 to 79 streams, 80 to
 * 89 positions. Lists of their own have, for a venue with a chain, 100 to 109 and 147 to 149 converting shares into dollars and back, 150 to 159 transfers, 110 to 129 a plain key's
 * transactions, 130 to 149 what a relayer carries.
 */
export const CONFORMANCE_CASES: readonly ConformanceCase[] = [
  ...READING_CASES,
  ...PLACING_CASES,
  ...FAULT_CASES,
  ...CONDITION_CASES,
  ...STREAM_CASES,
  ...POSITION_CASES,
  ...WORD_CASES,
];
