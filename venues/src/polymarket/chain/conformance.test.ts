import { describe } from 'vitest';
import { CONVERSION_CASES, FAULTED_CONVERSIONS } from '../../conformance/conversion-cases.ts';
import { KEY_CHAIN_CASES } from '../../conformance/key-chain-cases.ts';
import { DEADLINE_CASES, RELAYED_CHAIN_CASES } from '../../conformance/relayed-chain-cases.ts';
import { TRANSFER_CASES } from '../../conformance/transfer-cases.ts';
import { runCases } from '../run-cases.fixture.ts';

const WALLET = `0x${'d4'.repeat(20)}`;

describe('the chain on the simulated exchange, for a plain key', () => {
  runCases({}, [...CONVERSION_CASES, ...TRANSFER_CASES, FAULTED_CONVERSIONS, ...KEY_CHAIN_CASES]);
});

describe('the chain on the simulated exchange, for a deposit wallet', () => {
  runCases({ signatureType: 3, funder: WALLET }, [
    ...CONVERSION_CASES,
    ...TRANSFER_CASES,
    FAULTED_CONVERSIONS,
    ...RELAYED_CHAIN_CASES,
    ...DEADLINE_CASES,
  ]);
});

describe('the chain on the simulated exchange, for a Safe', () => {
  runCases({ signatureType: 2, funder: WALLET }, [...CONVERSION_CASES, ...RELAYED_CHAIN_CASES]);
});

describe('the chain on the simulated exchange, for a proxy wallet', () => {
  runCases({ signatureType: 1, funder: WALLET }, [...CONVERSION_CASES, ...RELAYED_CHAIN_CASES]);
});
