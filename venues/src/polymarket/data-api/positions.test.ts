import { instantFromMs } from '@dutchbook/units/instant.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { VenueBusy, type VenuePosition, VenueUnavailable } from '../../venue.ts';
import { openPolymarket } from '../polymarket.ts';
import { openStandIn, type StandIn, TEST_KEY, TEST_RUNTIME, WIRE_MARKET } from '../stand-in.fixture.ts';

const WALLET = `0x${'D4'.repeat(20)}`;
const ROW = {
  proxy_wallet: WALLET.toLowerCase(),
  token_id: '71',
  condition_id: '0x1',
  outcome: 'Yes',
  current_size: 12.345678,
  current_price: 0.42,
  status: 'OPEN',
  redeemable: false,
};
const POSITION: VenuePosition = {
  marketId: '0x1',
  tokenId: '71',
  outcome: 'Yes',
  shares: sharesFromText('12.345678'),
  redeemable: false,
  resolvedValue: null,
};

let standIn: StandIn;
let venue: Awaited<ReturnType<typeof openPolymarket>>;
let warnings: object[];

beforeEach(async () => {
  warnings = [];
  standIn = await openStandIn();
  standIn.answer('POST /auth/api-key', () => TEST_KEY);
  const account = { privateKey: `0x${'42'.repeat(32)}`, funder: WALLET, signatureType: 3 } as const;
  const log = { info: () => undefined, warn: (fields: object) => void warnings.push(fields) };
  const now = () => instantFromMs(1_700_000_000_000);
  venue = await openPolymarket({ ...standIn.config(), ...account }, { ...TEST_RUNTIME, now, log });
});

afterEach(async () => {
  await venue.close();
  await standIn.close();
});

const page = (rows: unknown, nextCursor: string | null = null) => ({
  data: rows,
  pagination: { limit: 500, offset: 0, has_more: nextCursor !== null, next_cursor: nextCursor },
});

function tells(...answers: unknown[]): void {
  let next = 0;
  standIn.answer('GET /data-api/v2/positions', () => answers[Math.min(next++, answers.length - 1)]);
}

async function read(): Promise<VenuePosition[]> {
  return (await venue.trading?.positions('trading')) ?? [];
}

it('asks for all that the funder holds, archived and resolved markets included, and goes on behind each page', async () => {
  tells(page([ROW], 'next-1'), page([], 'next-2'), page([{ ...ROW, token_id: '72', outcome: null }]));
  expect(await read()).toEqual([POSITION, { ...POSITION, tokenId: '72', outcome: '' }]);
  const asked = standIn.requests
    .filter((request) => request.includes('/v2/positions'))
    .map((request) => Object.fromEntries(new URLSearchParams(request.split('?')[1])));
  const always = { user: WALLET, status: 'OPEN', include_archived: 'true', sort_by: 'TOKENS' };
  expect(asked).toEqual([
    { ...always, limit: '500' },
    { ...always, cursor: 'next-1' },
    { ...always, cursor: 'next-2' },
  ]);
});

it('holds nothing where the venue tells of nothing', async () => {
  for (const none of [[], null, [{ ...ROW, current_size: 0 }]]) {
    tells(page(none));
    expect(await read()).toEqual([]);
  }
});

it('takes sizes to the millionth, as number or as text', async () => {
  tells(page([{ ...ROW, current_size: '86780.640001' }]));
  expect(await read()).toEqual([{ ...POSITION, shares: sharesFromText('86780.640001') }]);
  tells(page([{ ...ROW, current_size: 0.1 + 0.2 }]));
  expect(await read()).toEqual([{ ...POSITION, shares: sharesFromText('0.3') }]);
});

it('names a market as the catalogue does, once that has read it', async () => {
  standIn.answer('GET /gamma/markets/keyset', ({ query }) => ({
    markets: query.get('closed') === 'true' ? [] : [WIRE_MARKET],
  }));
  tells(page([{ ...ROW, condition_id: '0x100' }]));
  expect(await read()).toEqual([{ ...POSITION, marketId: '0x100' }]);
  await venue.catalogue.marketsById(['0x1']);
  expect(await read()).toEqual([POSITION]);
});

it('takes the newer entry where a position moved from one page to the next', async () => {
  tells(page([ROW], 'next'), page([{ ...ROW, current_size: 3 }]));
  expect(await read()).toEqual([{ ...POSITION, shares: sharesFromText('3') }]);
});

it('says what a resolved position is worth where the venue marks it so, and that it does not know otherwise', async () => {
  const marks = [1, 0, 0.5, 0.9995, null, 7];
  tells(page(marks.map((mark, nth) => ({ ...ROW, token_id: String(nth), redeemable: true, current_price: mark }))));
  const held = await read();
  expect(held.every(({ redeemable }) => redeemable)).toBe(true);
  expect(held.map(({ resolvedValue }) => resolvedValue)).toEqual([1_000_000, 0, 500_000, null, null, null]);
});

it('leaves out what it cannot read, tells of it once as long as it stays the same, and keeps the rest', async () => {
  const unreadable = [
    { ...ROW, token_id: '1', current_size: 'many' },
    { ...ROW, token_id: '2', current_size: -5 },
    { ...ROW, token_id: '3', current_size: '1.2345678' },
    { ...ROW, token_id: '4', redeemable: 'no' },
    { ...ROW, token_id: '5', condition_id: '' },
    { ...ROW, token_id: '6', proxy_wallet: `0x${'a'.repeat(40)}` },
    { ...ROW, token_id: 'seven' },
    'nonsense',
    null,
  ];
  tells(page([...unreadable, ROW]));
  expect(await read()).toEqual([POSITION]);
  expect(await read()).toEqual([POSITION]);
  expect(warnings).toMatchObject([{ count: unreadable.length, tokenId: '1' }]);
  tells(page([unreadable[1], ROW]));
  expect(await read()).toEqual([POSITION]);
  expect(warnings).toMatchObject([{ count: unreadable.length }, { count: 1, tokenId: '2' }]);
});

it('throws where the list is cut short, repeats itself or does not end, and where it is none', async () => {
  let count = 0;
  const endless = () => page([], `next-${count++}`);
  const ever = (row: object) =>
    page(Array.from({ length: 500 }, () => ({ ...ROW, ...row, token_id: String(count++) })));
  for (const answer of [
    { data: [ROW] },
    [ROW],
    { data: [ROW], pagination: { has_more: true, next_cursor: null } },
    { data: [ROW], pagination: { has_more: false, next_cursor: 'next' } },
    page([ROW], 'next'),
    page('nonsense'),
    500,
  ]) {
    tells(answer);
    await expect(read()).rejects.toBeInstanceOf(VenueUnavailable);
  }
  standIn.answer('GET /data-api/v2/positions', endless);
  await expect(read()).rejects.toThrow('did not end');
  standIn.answer('GET /data-api/v2/positions', () => ({ ...ever({}), pagination: endless().pagination }));
  await expect(read()).rejects.toThrow('more than 20000');
});

it('reads only as often as the venue allows, unless for trading, and not while it wants fewer calls', async () => {
  tells(page([ROW]));
  for (let call = 0; call < 250; call += 1) await read();
  await expect(venue.trading?.positions()).rejects.toBeInstanceOf(VenueBusy);
  await expect(venue.trading?.positions('display')).rejects.toBeInstanceOf(VenueBusy);
  tells(429, page([ROW]));
  await expect(read()).rejects.toBeInstanceOf(VenueUnavailable);
  const asked = standIn.requests.length;
  await expect(read()).rejects.toThrow('wants fewer calls');
  expect(standIn.requests.length).toBe(asked);
});
