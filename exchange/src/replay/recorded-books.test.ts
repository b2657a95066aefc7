import type { Instant } from '@dutchbook/units/instant.ts';
import { type Price, priceFromText } from '@dutchbook/units/price.ts';
import { type Shares, sharesFromText } from '@dutchbook/units/shares.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { buildCatalogue } from '../catalogue/listing.ts';
import { NO_FAULTS } from '../faults/no-faults.fixture.ts';
import type { RecordedLevel } from '../matching-engine/announcements.ts';
import { ExchangeClock } from '../matching-engine/clock.ts';
import { MarketDirectory, type Token } from '../matching-engine/market.ts';
import { MatchingEngine } from '../matching-engine/matching-engine.ts';
import { RecordedBooks } from './recorded-books.ts';

const NOW = 1_780_000_000_000 as Instant;

let engine: MatchingEngine;
let books: RecordedBooks;
let token: Token;
let replayed: RecordedLevel[];

beforeEach(() => {
  const clock = new ExchangeClock({ now: () => NOW, setTimeout: () => 0, clearTimeout: () => {} });
  const directory = new MarketDirectory(buildCatalogue(1, NOW), NOW);
  engine = new MatchingEngine({ clock, directory, faults: NO_FAULTS, settle: () => {} });
  books = new RecordedBooks(engine);
  const [market] = directory.all();
  if (market === undefined) throw new Error('the catalogue lists markets');
  token = { market, outcome: 0, tokenId: market.tokens[0] };
  replayed = [];
  engine.announcer.listen({ frameReplayed: (_market, levels) => replayed.push(...levels) });
  engine.openAccount({ address: 'ann', nonce: '0', apiKey: 'key', secret: '', passphrase: '' });
});

function showAsk(price: string, size: string, bestAsk: string): void {
  books.apply([
    {
      kind: 'level',
      at: NOW,
      tokenId: token.tokenId,
      side: 'SELL',
      price: priceFromText(price),
      size: sharesFromText(size),
      bestBid: priceFromText('0.4'),
      bestAsk: priceFromText(bestAsk),
    },
  ]);
}

function buy(id: string, limit: string, size: string): void {
  const shares = sharesFromText(size);
  engine.place({
    id,
    account: 'ann',
    makerAddress: 'ann',
    token,
    side: 'BUY',
    limit: priceFromText(limit),
    shares,
    quantity: { kind: 'shares', shares },
    timeInForce: 'GTC',
    postOnly: false,
    expiresAt: null,
  });
}

const sizeAt = (price: string): Shares => token.market.book.sizeAt('ask', priceFromText(price) as Price);

describe('recorded books with users in them', () => {
  it('keep what users bought gone while the recording repeats itself, and no longer once it changes', () => {
    showAsk('0.5', '20', '0.5');
    buy('1', '0.5', '15');
    showAsk('0.5', '20', '0.5');
    expect(sizeAt('0.5')).toBe(sharesFromText('5'));
    showAsk('0.5', '25', '0.5');
    expect(sizeAt('0.5')).toBe(sharesFromText('25'));
  });

  it('state the next level as best once users bought the recorded best empty', () => {
    showAsk('0.5', '20', '0.5');
    showAsk('0.52', '10', '0.5');
    buy('1', '0.5', '20');
    showAsk('0.53', '7', '0.5');
    expect(replayed.at(-1)?.bestAsk).toBe(priceFromText('0.52'));
  });

  it('fill a user’s standing order that a recorded level reaches, and state the user’s better price', () => {
    buy('1', '0.45', '5');
    showAsk('0.5', '20', '0.5');
    expect(replayed.at(-1)?.bestBid).toBe(priceFromText('0.45'));
    showAsk('0.44', '3', '0.44');
    expect(engine.register.orders.get('1')).toMatchObject({ matchedShares: sharesFromText('3'), status: 'LIVE' });
    expect(sizeAt('0.44')).toBe(0);
  });
});
