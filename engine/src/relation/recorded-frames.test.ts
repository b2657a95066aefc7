/** Recorded frames of one game: both outcomes of a market change together, and apart only where a frame is taken apart. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PRICE_ONE, priceFromText } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { bestBaskets } from './baskets.ts';
import { relationOf } from './relation.fixture.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../../../shared/data');
const FILES = ['0130', '0145'].map((time) =>
  join(DATA_DIR, 'polymarket/ticks', `nhl-final-2026-06-07T${time}Z.jsonl.gz`),
);
const isPresent = FILES.every((file) => existsSync(file));
if (!isPresent) process.stdout.write('recorded market data is not there: pairs are not tested on recorded frames\n');

type Quote = { token: string; bid: number; ask: number };

const CHANGE = /"best_bid":([\d.]+),"best_ask":([\d.]+),"side":"\w+","event_type":"PRICE_CHANGE","asset_id":"(\d+)"/;

function* changes(): Generator<Quote> {
  for (const file of FILES) {
    for (const line of gunzipSync(readFileSync(file)).toString().split('\n')) {
      const [, bid, ask, token] = CHANGE.exec(line) ?? [];
      if (bid !== undefined && ask !== undefined && token !== undefined)
        yield { token, bid: priceFromText(bid), ask: priceFromText(ask) };
    }
  }
}

const PAIR = relationOf('pair', 'o');

/** What one outcome is asked at, with what the other is bid for or asked at, whichever is better. */
function pays(one: Quote | undefined, other: Quote | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  const bounds = {
    low: Math.max(one.bid, PRICE_ONE - other.ask),
    high: Math.min(one.ask, PRICE_ONE - other.bid),
  };
  return bestBaskets(PAIR, [bounds], [null]).some(({ cost, payout }) => cost < payout);
}

describe.runIf(isPresent)('the outcomes of six recorded markets', () => {
  it('never pay together after a whole frame, and eight times in the middle of one', () => {
    const quotes = new Map<string, Quote>();
    const others = new Map<string, string>();
    const counts = { frames: 0, paying: 0, payingInside: 0 };
    const paysNow = (token: string) => pays(quotes.get(token), quotes.get(others.get(token) ?? ''));
    let first: Quote | null = null;
    for (const quote of changes()) {
      quotes.set(quote.token, quote);
      if (first === null) {
        if (paysNow(quote.token)) counts.payingInside += 1;
        first = quote;
        continue;
      }
      others.set(first.token, quote.token).set(quote.token, first.token);
      counts.frames += 1;
      if (paysNow(quote.token)) counts.paying += 1;
      first = null;
    }
    expect(counts).toEqual({ frames: 178_637, paying: 0, payingInside: 8 });
  });
});
