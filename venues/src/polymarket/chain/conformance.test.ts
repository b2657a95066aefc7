import { describe } from 'vitest';
import { KEY_CHAIN_CASES } from '../../conformance/key-chain-cases.ts';
import { DEADLINE_CASES, RELAYED_CHAIN_CASES } from '../../conformance/relayed-chain-cases.ts';
import { TRANSFER_CASES } from '../../conformance/transfer-cases.ts';
import { FAULTED_TURNS, TURNING_CASES } from '../../conformance/turning-cases.ts';
import { runCases } from '../run-cases.fixture.ts';

const WALLET = `0x${'d4'.repeat(20)}`;

describe('the chain on the simulated exchange, for a plain key', () => {
  runCases({}, [...TURNING_CASES, ...TRANSFER_CASES, FAULTED_TURNS, ...KEY_CHAIN_CASES]);
});

describe('the chain on the simulated exchange, for a deposit wallet', () => {
  runCases({ signatureType: 3, funder: WALLET }, [
    ...TURNING_CASES,
    ...TRANSFER_CASES,
    FAULTED_TURNS,
    ...RELAYED_CHAIN_CASES,
    ...DEADLINE_CASES,
  ]);
});

describe('the chain on the simulated exchange, for a Safe', () => {
  runCases({ signatureType: 2, funder: WALLET }, [...TURNING_CASES, ...RELAYED_CHAIN_CASES]);
});

describe('the chain on the simulated exchange, for a proxy wallet', () => {
  runCases({ signatureType: 1, funder: WALLET }, [...TURNING_CASES, ...RELAYED_CHAIN_CASES]);
});
