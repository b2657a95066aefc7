/** The screen on three recorded days. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fractionFromNumber } from '@dutchbook/units/fraction.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { describe, expect, it } from 'vitest';
import { bookOf } from '../opportunity/quotes.fixture.ts';
import { boundsOfBook, UNQUOTED } from './bounds.ts';
import { bestEdge, type Quote } from './enumeration.fixture.ts';
import {
  asksBelowOne,
  BRACKETS,
  BracketScreen,
  bidsAboveOne,
  type Change,
  changesIn,
  DAYS,
  FEE,
  Runs,
} from './recorded-brackets.fixture.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../../../shared/data');
const fileOf = (day: string) => join(DATA_DIR, 'kalshi/top-of-book', `KXHIGHNY-${day}.csv.gz`);
const isPresent = DAYS.every((day) => existsSync(fileOf(day)));
if (!isPresent)
  process.stdout.write('recorded market data is not there: the screen is not tested on recorded brackets\n');
const readDay = (day: string) => changesIn(gunzipSync(readFileSync(fileOf(day))).toString());

const FREE = { rate: fractionFromNumber(0), step: 1 as Usd };

const known = new Map<string, Quote>();

function quoteOf({ bid, noBid }: Change, fee: typeof FEE): Quote {
  const key = `${bid} ${noBid} ${fee.rate}`;
  const quote = known.get(key) ?? makeQuote(bid, noBid, fee);
  known.set(key, quote);
  return quote;
}

function makeQuote(bid: number, noBid: number, fee: typeof FEE): Quote {
  const book = bookOf(noBid > 0 ? [[(100 - noBid) / 100, 1]] : [], bid > 0 ? [[bid / 100, 1]] : []);
  return { ...boundsOfBook(book, fee), yes: noBid > 0, no: bid > 0, resolved: null };
}

/** After each change since all six are known. */
function* statesOf(
  changes: readonly Change[],
  fee: typeof FEE,
): Generator<{ sinceS: number; quotes: Quote[]; market: number }> {
  const quotes: Quote[] = [];
  let beforeS = changes[0]?.atS ?? 0;
  for (const change of changes) {
    quotes[change.market] = quoteOf(change, fee);
    if (quotes.length === 6) yield { sinceS: change.atS - beforeS, quotes, market: change.market };
    beforeS = change.atS;
  }
}

const enumerated = new Map<string, boolean>();

function isPayingByEnumeration(quotes: readonly Quote[]): boolean {
  const key = quotes.map(({ low, high }) => `${low} ${high}`).join();
  const answer = enumerated.get(key) ?? bestEdge(BRACKETS, quotes) > 0;
  enumerated.set(key, answer);
  return answer;
}

describe.runIf(isPresent)('recorded brackets', () => {
  it.each([
    ['26JAN03', [22, 97], [1, 2], [435, 68_380], [316, 7743]],
    ['25DEC11', [206, 3992], [61, 1213], [369, 11_195], [86, 1030]],
    ['25DEC08', [87, 3203], [45, 856], [405, 20_508], [123, 1399]],
  ])(
    'of %s sum to less or more than a dollar as often and as long as was measured',
    (day, asks, asksNet, bids, bidsNet) => {
      const changes = readDay(day);
      const counted = [FREE, FEE].map((fee) => {
        const [below, above] = [new Runs(), new Runs()];
        for (const { quotes, sinceS } of statesOf(changes, fee)) {
          below.note(asksBelowOne(quotes), sinceS);
          above.note(bidsAboveOne(quotes), sinceS);
        }
        return [below.answer, above.answer];
      });
      expect(counted).toEqual([
        [asks, bids],
        [asksNet, bidsNet],
      ]);
    },
  );

  it('pay by the screen exactly when a basket does, and the screen looks again after one change in ten at most', () => {
    const counts = { changes: 0, looked: 0, paying: 0, wrong: 0 };
    for (const day of DAYS) {
      let screen: BracketScreen | undefined;
      for (const { quotes, market } of statesOf(readDay(day), FEE)) {
        screen ??= new BracketScreen(quotes);
        const looks = screen.change(market, quotes[market] ?? UNQUOTED);
        const pays = isPayingByEnumeration(quotes);
        counts.changes += 1;
        counts.looked += looks ? 1 : 0;
        counts.paying += pays ? 1 : 0;
        counts.wrong += pays === screen.isPaying ? 0 : 1;
      }
    }
    expect(counts).toMatchObject({ changes: 114_521, paying: 4587, wrong: 0 });
    expect(counts.looked / counts.changes).toBeLessThanOrEqual(0.1);
  });
});
