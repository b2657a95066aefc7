/** Markets of the simulated exchange by every name that a list of another tool may have for them. */
import type { CatalogueEvent, EventMember } from '@dutchbook/engine/relation/catalogue-event.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ExchangeProcess, startExchangeProcess } from '../../conformance/exchange-process.ts';
import type { MarketReferences, Venue } from '../../venue.ts';
import { POLYMARKET_DEFAULTS } from '../config.ts';
import { openPolymarket } from '../polymarket.ts';
import { TEST_RUNTIME } from '../stand-in.fixture.ts';

type Listed = { event: CatalogueEvent; member: EventMember };

let exchange: ExchangeProcess;
let venue: Venue;
let references: MarketReferences;
let ofMany: Listed;
/** Of the last one: a market that has resolved. */
let resolved: Listed;

beforeAll(async () => {
  exchange = await startExchangeProcess({ isPaused: true });
  const wsUrl = `${exchange.url.replace('http', 'ws')}/ws`;
  const urls = { clobUrl: exchange.url, gammaUrl: `${exchange.url}/gamma`, wsUrl };
  venue = await openPolymarket({ ...POLYMARKET_DEFAULTS, ...urls }, TEST_RUNTIME);
  if (venue.catalogue.references === undefined) throw new Error('markets of this venue have other names');
  references = venue.catalogue.references;
  const all: Listed[] = [];
  for await (const { events } of venue.catalogue.readEvents(null))
    for (const event of events)
      for (const member of event.members) if (member.leftOut === null) all.push({ event, member });
  const listed = (of: (each: Listed) => boolean): Listed => {
    const found = all.find((each) => each.member.outcomes.length === 2 && of(each));
    if (found === undefined) throw new Error('the exchange lists no such market');
    return found;
  };
  ofMany = listed(({ event }) => event.members.length > 2);
  resolved = listed((each) => each.event !== ofMany.event);
  const outcome = resolved.member.outcomes[0];
  const body = JSON.stringify({ condition_id: resolved.member.marketId, outcome });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${exchange.url}/_control/resolve`, { method: 'POST', headers, body })).status).toBe(200);
});
afterAll(async () => {
  await venue.close();
  await exchange.stop();
});

async function gammaId({ member }: Listed): Promise<string> {
  const answer = await fetch(`${exchange.url}/gamma/markets?condition_ids=${member.marketId}`);
  const [market] = (await answer.json()) as { id: string }[];
  return market?.id ?? '';
}

it('finds a market by slug, page, token, number of Gamma and id in capitals, open or closed', async () => {
  const { event, member } = ofMany;
  const { marketId, slug, tokenIds, outcomes } = member;
  const names = {
    [slug]: ['slug', null],
    [`https://polymarket.com/event/${event.slug}/${slug}?tid=1`]: ['page', null],
    [`polymarket.com/de/event/${event.slug}/${slug.toUpperCase()}`]: ['page', null],
    [`https://www.polymarket.com/market/${slug}#comments`]: ['page', null],
    [tokenIds[0] ?? '']: ['token_id', outcomes[0]],
    [tokenIds[1] ?? '']: ['token_id', outcomes[1]],
    [await gammaId(ofMany)]: ['gamma_id', null],
    [`0x${marketId.slice(2).toUpperCase()}`]: ['capitals', null],
  } as const;
  for (const [name, [kind]] of Object.entries(names)) expect([name, references.kindOf(name)]).toEqual([name, kind]);
  const found = await references.find([...Object.keys(names), resolved.member.slug], 'display');
  for (const [name, [kind, outcome]] of Object.entries(names))
    expect([name, found.get(name)]).toEqual([name, { kind, marketId, outcome }]);
  expect(found.get(resolved.member.slug)).toMatchObject({ marketId: resolved.member.marketId });
});

it('says of the page of an event with many markets that one of them is to be named', async () => {
  const page = `https://polymarket.com/event/${ofMany.event.slug}`;
  const reason = expect.stringMatching(/^Is the page of an event with \d+ markets; name one/);
  expect((await references.find([page], 'display')).get(page)).toEqual({
    kind: 'page',
    marketId: null,
    isKnown: true,
    reason,
  });
});

it('says which ids are of no market, and not that a closed one is unknown', async () => {
  const unknown = [`0x${'0'.repeat(64)}`, '0x12', 'rain and snow'];
  const ids = [ofMany.member.marketId, resolved.member.marketId, ...unknown];
  expect(await references.unknownIds(ids, 'display')).toEqual(new Set(unknown));
});

it('says what the venue does not know, and leaves its own ids and what is no name alone', async () => {
  const names = ['will-no-one-win', 'https://polymarket.com/market/no-such', '9'.repeat(77), '123456789012'];
  const found = await references.find([...names, ofMany.member.marketId, 'rain and snow'], 'display');
  expect(names.map((name) => found.get(name)?.marketId)).toEqual([null, null, null, null]);
  expect(found.size).toBe(names.length);
  expect([references.kindOf(ofMany.member.marketId), references.kindOf('rain and snow')]).toEqual([null, null]);
});
