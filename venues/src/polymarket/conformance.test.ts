import { describe } from 'vitest';
import { CONFORMANCE_CASES } from '../conformance/cases.ts';
import { runCases } from './run-cases.fixture.ts';

/** As `POLYMARKET_SIGNATURE_TYPE=3` and `POLYMARKET_FUNDER` set it. */
const DEPOSIT_WALLET = { signatureType: 3, funder: `0x${'d4'.repeat(20)}` } as const;

/** What a signature decides: orders of each kind of market and of both sides, and finding them, their fills and what they bought again. */
const CASES_OF_A_WALLET = [20, 21, 25, 26, 29, 30, 32, 33, 67, 80];

describe('Polymarket on the simulated exchange', () => {
  runCases({}, CONFORMANCE_CASES);
});

describe('Polymarket on the simulated exchange, for a deposit wallet', () => {
  runCases(
    DEPOSIT_WALLET,
    CONFORMANCE_CASES.filter(({ number }) => CASES_OF_A_WALLET.includes(number)),
  );
});
