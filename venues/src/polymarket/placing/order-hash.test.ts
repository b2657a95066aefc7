import { Side } from '@polymarket/clob-client-v2';
import { describe, expect, it } from 'vitest';
import { hashAndSign } from './order-hash.ts';

const OWNER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

describe('the order hash', () => {
  const order = {
    salt: '479249096354',
    maker: OWNER,
    signer: OWNER,
    tokenId: '1234',
    makerAmount: '5000000',
    takerAmount: '10000000',
    side: Side.BUY,
    signatureType: 0,
    timestamp: '1700000000000',
    metadata: `0x${'0'.repeat(64)}`,
    builder: `0x${'0'.repeat(64)}`,
  };

  it.each([
    [false, 2, '0x6638e32c276b6bbcc0fccb52cede0e852136f7dd2040577d6b930827cfe4a32c'],
    [true, 2, '0x87c2c400462ff99189e49027a0c21d48e22255c6264c7f3e57ff90f0f188d88a'],
    [false, 3, '0xc0488f996dbefd87abef1b975307d3e51c69dd14aeb6089a1aa88fafd679dec4'],
  ] as const)('is the known one for negative risk %s under version %s', (negRisk, version, hash) => {
    const signed = hashAndSign(order, { negRisk, version, chainId: 137 }, () => '0x');
    expect(signed.orderHash).toBe(hash);
  });
});
