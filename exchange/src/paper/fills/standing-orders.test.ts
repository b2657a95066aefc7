import type { Instant } from '@dutchbook/units/instant.ts';
import { type Price, priceFromText } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildCatalogue } from '../../catalogue/listing.ts';
import { NO_FAULTS } from '../../faults/no-faults.fixture.ts';
import { ExchangeClock } from '../../matching-engine/clock.ts';
import { MarketDirectory, type Token } from '../../matching-engine/market.ts';
import { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import { MirroredBooks } from '../books/mirrored-books.ts';
import { StandingOrders } from './standing-orders.ts';

const START = 1_780_000_000_000;
const LATE_MS = 100;

let engine: MatchingEngine;
let token: Token;
let books: MirroredBooks;
let standing: StandingOrders;

const shares = (whole: number) => (whole * 1_000_000) as Shares;

function show(at: number, bids: readonly [string, number][]): void {
  const levels = bids.map(([price, size]) => ({
    ...{ tokenId: token.tokenId, side: 'BUY' as const, price: priceFromText(price), size: shares(size) },
  }));
  books.replace(token, { kind: 'book', tokenId: token.tokenId, levels, at: (START + at) as Instant, tick: undefined });
}

function bid(id: string, price: string, size: number): void {
  const quantity = { kind: 'shares' as const, shares: shares(size) };
  const limit: Price = priceFromText(price);
  engine.place({
    ...{ id, account: 'tester', makerAddress: 'tester', token, side: 'BUY', limit, shares: shares(size), quantity },
    ...{ timeInForce: 'GTC', postOnly: false, expiresAt: null },
  });
}

/** A sale at the venue. */
function sale(at: number, price: string, size: number): void {
  const { tokenId } = token;
  standing.traded(token, {
    ...{ kind: 'trade', tokenId, side: 'SELL', price: priceFromText(price), size: shares(size) },
    at: (START + at) as Instant,
  });
}

function filled(): Record<string, number> {
  return Object.fromEntries(
    [...engine.register.orders.values()].map(({ id, matchedShares }) => [id, matchedShares / 1_000_000]),
  );
}

beforeEach(() => {
  // The clock of this exchange is far from that of the venue.
  const clock = new ExchangeClock({ now: () => START - 3_600_000, setTimeout: () => 0, clearTimeout: () => {} });
  const directory = new MarketDirectory(buildCatalogue(1, START as Instant), clock.now());
  engine = new MatchingEngine({ clock, directory, faults: NO_FAULTS, settle: () => {} });
  engine.openAccount({ address: 'tester', nonce: '0', apiKey: 'tester', secret: '', passphrase: '' });
  const found = directory.token(directory.all()[0]?.tokens[0] ?? '');
  if (found === undefined) throw new Error('the catalogue lists markets');
  token = found;
  books = new MirroredBooks(engine);
  standing = new StandingOrders(engine, books, { follow: () => {}, unfollow: () => {} }, LATE_MS);
  books.onMove = (move) => standing.levelMoved(move);
  standing.start();
  show(0, [['0.4', 100]]);
});

describe('orders of the paper account that stand', () => {
  it('are filled by no trade that is in what was displayed when they came, however late it is read', () => {
    bid('mine', '0.4', 30);
    sale(-5_000, '0.4', 500);
    sale(LATE_MS - 1, '0.4', 500);
    sale(LATE_MS - 1, '0.39', 500);
    expect(filled()).toEqual({ mine: 0 });
    sale(LATE_MS, '0.4', 110);
    expect(filled()).toEqual({ mine: 10 });
  });

  it('are not filled by a trade that is read long after the level has shrunk by it and changed again', () => {
    bid('mine', '0.4', 30);
    show(1_000, []);
    show(6_000, [['0.4', 50]]);
    sale(1_000, '0.4', 100);
    expect(filled()).toEqual({ mine: 0 });
    sale(9_000, '0.4', 20);
    expect(filled()).toEqual({ mine: 20 });
  });

  it('are each filled by what has reached them, at their own price, whatever else of the account stands better', () => {
    bid('older', '0.4', 30);
    show(10_000, [['0.4', 100]]);
    bid('newer', '0.41', 30);
    sale(5_000, '0.39', 25);
    expect(filled()).toEqual({ older: 25, newer: 0 });
    const [trade] = engine.register.trades.values();
    expect(trade?.makers).toMatchObject([{ orderId: 'older', price: 400_000, shares: 25_000_000 }]);
  });
});
