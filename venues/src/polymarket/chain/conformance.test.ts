import { describe } from 'vitest';
import { KEY_CHAIN_CASES } from '../../conformance/key-chain-cases.ts';
import { TURNING_CASES } from '../../conformance/turning-cases.ts';
import { runCases } from '../run-cases.fixture.ts';

describe('the chain on the simulated exchange, for a plain key', () => {
  runCases({}, [...TURNING_CASES, ...KEY_CHAIN_CASES]);
});
