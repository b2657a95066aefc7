import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { signingDomain } from './contracts.ts';
import { l2Signature, verifyL1, verifyL2 } from './credentials.ts';
import { TEST_KEY } from './exchange-fixture.ts';
import { orderHash, type SignedOrder, signerOf } from './signed-order.ts';

const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const SIGNED_AT_MS = 1_700_000_000_000;
const at = (moment: number) => ({ readings: [moment], withinMs: 60_000 });
const ZERO: Hex = `0x${'0'.repeat(64)}`;
const SECRET = Buffer.alloc(32).toString('base64');

const ORDER: SignedOrder = {
  salt: 479249096354,
  maker: ADDRESS,
  signer: ADDRESS,
  tokenId: '1234',
  makerAmount: '5000000',
  takerAmount: '10000000',
  side: 'BUY',
  signatureType: 0,
  timestamp: '1700000000000',
  metadata: ZERO,
  builder: ZERO,
};

const L1_HEADERS = {
  poly_address: ADDRESS,
  poly_timestamp: '1700000000',
  poly_nonce: '0',
  poly_signature:
    '0x659ed4b28ae28e0f038fdf0023c00863c9559caacb9ebc83f44eea87059a099a36f1e1dee110e7faa1c4f65d17489b2da1333ebef78bbe2116d81207b975052d1c',
};

describe('the venue’s published signatures', () => {
  it('hashes an order to the id that the venue gives it', () => {
    const hashes = {
      '0x6638e32c276b6bbcc0fccb52cede0e852136f7dd2040577d6b930827cfe4a32c': { protocol: 'v1', negRisk: false },
      '0x87c2c400462ff99189e49027a0c21d48e22255c6264c7f3e57ff90f0f188d88a': { protocol: 'v1', negRisk: true },
      '0xc0488f996dbefd87abef1b975307d3e51c69dd14aeb6089a1aa88fafd679dec4': { protocol: 'v2', negRisk: false },
    } as const;
    for (const [hash, listing] of Object.entries(hashes)) {
      expect(orderHash(ORDER, signingDomain(listing))).toBe(hash);
    }
  });

  it('recovers the signer of an order', async () => {
    const hash = orderHash(ORDER, signingDomain({ protocol: 'v1', negRisk: false }));
    const signature = await privateKeyToAccount(TEST_KEY).sign({ hash });
    expect(signerOf(hash, signature)).toBe(ADDRESS);
    expect(signerOf(hash, '0x1234')).toBeUndefined();
  });

  it('accepts the L1 signature at its time only, and for its wallet only', async () => {
    expect(verifyL1(L1_HEADERS, at(SIGNED_AT_MS))).toEqual({ address: ADDRESS, nonce: '0' });
    expect(verifyL1(L1_HEADERS, at(SIGNED_AT_MS + 120_000))).toBeUndefined();
    expect(verifyL1({ ...L1_HEADERS, poly_nonce: '1' }, at(SIGNED_AT_MS))).toBeUndefined();
    const other = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    expect(verifyL1({ ...L1_HEADERS, poly_address: other }, at(SIGNED_AT_MS))).toBeUndefined();
  });

  it('signs private calls as the venue does', () => {
    expect(l2Signature(SECRET, '1700000000', 'DELETE', '/order', Buffer.from('{"orderID":"0x1"}'))).toBe(
      'ymfIFmPLTM1hKQeqAqx1qEigB-7zY39yEFyyoV2G9jM=',
    );
    expect(l2Signature(SECRET, '1700000000', 'GET', '/data/orders', Buffer.alloc(0))).toBe(
      'm6lGS9WyES7JjpAYNd7zIdW5bfHxAAI_pIa1St9vLO4=',
    );
  });

  it('refuses an L2 signature over other bytes, of another key, or of another hour', () => {
    const account = { address: ADDRESS, nonce: '0', apiKey: 'key', secret: SECRET, passphrase: 'pass' };
    const request = {
      headers: {
        poly_address: ADDRESS,
        poly_api_key: 'key',
        poly_passphrase: 'pass',
        poly_timestamp: '1700000000',
        poly_signature: 'ymfIFmPLTM1hKQeqAqx1qEigB-7zY39yEFyyoV2G9jM=',
      },
      method: 'DELETE',
      path: '/order',
      body: Buffer.from('{"orderID":"0x1"}'),
    };
    const find = (apiKey: string) => (apiKey === 'key' ? account : undefined);
    expect(verifyL2(request, find, at(SIGNED_AT_MS))).toBe(account);
    expect(verifyL2({ ...request, body: Buffer.from('{"orderID": "0x1"}') }, find, at(SIGNED_AT_MS))).toBeUndefined();
    expect(verifyL2(request, () => undefined, at(SIGNED_AT_MS))).toBeUndefined();
    expect(verifyL2(request, find, at(SIGNED_AT_MS + 3_600_000))).toBeUndefined();
  });
});
