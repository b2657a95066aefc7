/** Recorded pages of the venue, listed on paper: what the product reads there is what it reads at the venue. */
import { existsSync } from 'node:fs';
import { readRelations } from '@dutchbook/engine/relation/read-relations.ts';
import { GammaStandIn, type Raw } from '@dutchbook/exchange/paper/catalogue/gamma-stand-in.fixture.ts';
import { openPaper } from '@dutchbook/exchange/paper/paper.fixture.ts';
import { describe, expect, it } from 'vitest';
import { readGammaMarket } from '../listed-market.ts';
import { readCatalogueEvent } from './read-event.ts';
import { recordedMarkets, recordings } from './recorded-markets.fixture.ts';

const FILES = ['markets-2026-02-07.json.gz', 'markets-2026-02-13.json.gz'];

/** Events of open markets, with what the page holds of each; markets that belong to none are left out. */
function eventsOf(file: string): Raw[] {
  const markets = recordedMarkets(file).filter(({ events }) => events !== undefined);
  return [...Map.groupBy(markets, ({ events: [{ id }] }) => id).values()].map((members) => ({
    ...members[0]?.events[0],
    markets: members.map(({ events: _, ...market }) => market),
  }));
}

function read(event: Raw) {
  return readCatalogueEvent(event, (raw) => readGammaMarket(raw, 137));
}

function quotesIn({ markets }: Raw) {
  return (markets as Raw[]).map(({ conditionId, bestBid, bestAsk }) => ({ conditionId, bestBid, bestAsk }));
}

async function listedOnPaper(events: Raw[]): Promise<Raw[]> {
  const standIn = new GammaStandIn(events);
  const url = await standIn.open();
  const paper = await openPaper(url);
  try {
    await expect.poll(() => paper.get('/_control/paper')).toMatchObject({ catalogue_complete: true });
    const listed: Raw[] = [];
    for (let cursor: string | undefined = ''; cursor !== undefined; ) {
      const page: { events: Raw[]; next_cursor?: string } = await paper.get(
        `/gamma/events/keyset?closed=false&limit=100${cursor === '' ? '' : `&after_cursor=${cursor}`}`,
      );
      listed.push(...page.events);
      cursor = page.next_cursor;
    }
    return listed;
  } finally {
    await paper.close();
    await standIn.close();
  }
}

describe.runIf(existsSync(recordings))('recorded pages on paper (no recordings in MARKET_DATA_DIR otherwise)', () => {
  it.each(FILES)('%s: list the events of the venue, with equal relations or reasons', async (file) => {
    const events = eventsOf(file);
    const listed = await listedOnPaper(events);
    expect(listed).toHaveLength(events.length);
    const here = new Map(listed.map((event) => [String(event.id), event]));
    const relations = events.flatMap((event) => {
      const there = read(event);
      const mirrored = here.get(String(event.id)) ?? {};
      expect(read(mirrored)).toEqual(there);
      expect(quotesIn(mirrored)).toEqual(quotesIn(event));
      return there === null ? [] : readRelations(there).relations;
    });
    expect(relations.length).toBeGreaterThan(200);
  });
});
