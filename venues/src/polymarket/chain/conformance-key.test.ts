import { describe } from 'vitest';
import { CONVERSION_CASES, FAULTED_CONVERSIONS } from '../../conformance/conversion-cases.ts';
import { KEY_CHAIN_CASES } from '../../conformance/key-chain-cases.ts';
import { TRANSFER_CASES } from '../../conformance/transfer-cases.ts';
import { runCases } from '../run-cases.fixture.ts';

describe('the chain on the simulated exchange, for a plain key', () => {
  runCases({}, [...CONVERSION_CASES, ...TRANSFER_CASES, FAULTED_CONVERSIONS, ...KEY_CHAIN_CASES]);
});
