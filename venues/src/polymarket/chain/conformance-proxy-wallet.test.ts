import { describe } from 'vitest';
import { CONVERSION_CASES } from '../../conformance/conversion-cases.ts';
import { RELAYED_CHAIN_CASES } from '../../conformance/relayed-chain-cases.ts';
import { runCases } from '../run-cases.fixture.ts';

describe('the chain on the simulated exchange, for a proxy wallet', () => {
  runCases({ signatureType: 1, funder: `0x${'d4'.repeat(20)}` }, [...CONVERSION_CASES, ...RELAYED_CHAIN_CASES]);
});
