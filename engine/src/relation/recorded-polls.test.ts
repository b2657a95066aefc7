/** A recorded day of three-way events that look cheap now and then, of which nothing says that three outcomes are all there are. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { PRICE_ONE, priceFromText } from '@dutchbook/units/price.ts';
import { describe, expect, it } from 'vitest';
import { bestBaskets } from './baskets.ts';
import { UNQUOTED } from './bounds.ts';
import { eventOf, memberOf } from './catalogue-event.fixture.ts';
import { readRelations } from './read-relations.ts';

const DATA_DIR = process.env.MARKET_DATA_DIR ?? join(import.meta.dirname, '../../../../shared/data');
const FILE = join(DATA_DIR, 'polymarket/us-quotes/three-way-subset-2026-08-02.csv.gz');
const isPresent = existsSync(FILE);
if (!isPresent) process.stdout.write('recorded market data is not there: three-way events are not tested\n');

const SUSPECT = ['atc-uecl-hfi-shk-2026-08-06', 'atc-dota2-liquid-lgd-2026-08-02'];

type Quote = { slug: string; bid: string; ask: string };

/** Per event its polls, each with what was quoted at that moment. */
function polls(): Map<string, Quote[][]> {
  const [, ...lines] = gunzipSync(readFileSync(FILE)).toString().trim().split('\n');
  const rows = lines.map((line) => {
    const [at = '', slug = '', , bid = '', ask = ''] = line.split(',');
    return { at, event: slug.slice(0, slug.lastIndexOf('-')), slug, bid, ask };
  });
  return new Map(
    [...Map.groupBy(rows, ({ event }) => event)].map(([event, own]) => [
      event,
      [...Map.groupBy(own, ({ at }) => at).values()],
    ]),
  );
}

function isCheap(poll: readonly Quote[]): boolean {
  return (
    poll.length === 3 &&
    poll.every(({ ask }) => ask !== '') &&
    poll.reduce((sum, { ask }) => sum + priceFromText(ask), 0) < PRICE_ONE
  );
}

describe.runIf(isPresent)('recorded three-way events', () => {
  it('look cheap in 170 polls of 13 events, and are bought in none, because no set of them is known to be complete', () => {
    const events = polls();
    const cheap = [...events].flatMap(([event, own]) => own.filter(isCheap).map((poll) => ({ event, poll })));
    expect([events.size, cheap.length, new Set(cheap.map(({ event }) => event)).size]).toEqual([40, 170, 13]);
    expect(cheap.filter(({ event }) => SUSPECT.includes(event))).toHaveLength(128);
    for (const { poll } of cheap) {
      const members = poll.map(({ slug }) => memberOf(slug));
      const [relation, ...others] = readRelations(eventOf(members, { exclusive: 'declared' })).relations.slice(3);
      expect(others).toEqual([]);
      expect([relation?.kind, relation?.isComplete, relation?.completeness]).toEqual([
        'at_most_one',
        false,
        'The venue does not say which places its members have',
      ]);
      const bounds = poll.map(({ bid, ask }) => ({
        low: bid === '' ? UNQUOTED.low : priceFromText(bid),
        high: priceFromText(ask),
      }));
      const baskets = relation === undefined ? [] : bestBaskets(relation, bounds, [null, null, null]);
      expect(baskets.filter(({ cost, payout }) => cost < payout)).toEqual([]);
    }
  });
});
