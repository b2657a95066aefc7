import { describe } from 'vitest';
import { CONVERSION_CASES, FAULTED_CONVERSIONS } from '../../conformance/conversion-cases.ts';
import { DEADLINE_CASES, RELAYED_CHAIN_CASES } from '../../conformance/relayed-chain-cases.ts';
import { TRANSFER_CASES } from '../../conformance/transfer-cases.ts';
import { runCases } from '../run-cases.fixture.ts';

describe('the chain on the simulated exchange, for a deposit wallet', () => {
  runCases({ signatureType: 3, funder: `0x${'d4'.repeat(20)}` }, [
    ...CONVERSION_CASES,
    ...TRANSFER_CASES,
    FAULTED_CONVERSIONS,
    ...RELAYED_CHAIN_CASES,
    ...DEADLINE_CASES,
  ]);
});
