import { instantFromMs } from '@dutchbook/units/instant.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startExchangeProcess } from '../../conformance/exchange-process.ts';
import type { Venue } from '../../venue.ts';
import { POLYMARKET_DEFAULTS } from '../config.ts';
import { openPolymarket } from '../polymarket.ts';
import { openStandIn, type StandIn, TEST_RUNTIME } from '../stand-in.fixture.ts';

const ROUTE = 'GET /gamma/market-clarifications';

let standIn: StandIn;
let venue: Venue;
let nowMs = 0;

beforeEach(async () => {
  nowMs = 1_000_000;
  standIn = await openStandIn();
  venue = await openPolymarket(standIn.config(), { ...TEST_RUNTIME, now: () => instantFromMs(nowMs) });
});

afterEach(async () => {
  await venue.close();
  await standIn.close();
});

function list(numbers: readonly unknown[]): void {
  const markets = numbers.map((id) => ({ id, conditionId: `0x${id}`, question: `Will ${id}?` }));
  standIn.answer('GET /gamma/events/keyset', () => ({ events: [{ id: '1', title: 'The cup', markets }] }));
}

async function said(): Promise<(string | null | undefined)[]> {
  const events = [];
  for await (const page of venue.catalogue.readEvents(null)) events.push(...page.events);
  return events.flatMap(({ members }) => members.map(({ clarifications }) => clarifications));
}

const asked = () => standIn.requests.filter((request) => request.startsWith(ROUTE));

describe('what the venue adds to rules after it has listed a market', () => {
  it('is read of all markets of a page, closed ones too, in as few calls as fit, newest first', async () => {
    const numbers = Array.from({ length: 150 }, (_, place) => 1000 + place);
    list(numbers);
    standIn.answer(ROUTE, ({ query }) =>
      [
        { id: 1, marketId: 1003, content: ' A tie is shared. ', state: 'success' },
        { id: 9, marketId: '1003', content: 'Extra time counts.', state: null },
        { id: 5, marketId: 1140, content: '<b>By the record.</b>' },
      ].filter(({ marketId }) => query.getAll('market_id').includes(String(marketId))),
    );
    const texts = await said();
    expect(asked()).toHaveLength(2);
    expect(texts[3]).toBe('Extra time counts.\n\nA tie is shared.');
    expect(texts[140]).toBe('<b>By the record.</b>');
    expect(texts.filter((text) => text !== '')).toHaveLength(2);
  });

  it('is none where it was not published, names no market, or cannot be read', async () => {
    list([7, '8', 'soon', null]);
    standIn.answer(ROUTE, () => [
      { id: 1, marketId: 7, content: 'Withdrawn.', state: 'cancelled' },
      { id: 2, marketId: 7, content: 'Not yet.', state: 'queued' },
      { id: 3, marketId: null, content: 'Of no market.' },
      { id: 4, marketId: 8, content: null },
      'note',
    ]);
    expect(await said()).toEqual(['', '', '', '']);
    expect(asked()[0]).toContain('market_id=7&market_id=8&limit=100&offset=0');
  });

  it('is followed over pages that overlap, and cut where it grows without bound', async () => {
    list([7]);
    const note = (id: number) => ({ id, marketId: 7, content: `Note ${id}. ${'x'.repeat(1_000)}` });
    const notes = Array.from({ length: 130 }, (_, place) => note(130 - place));
    standIn.answer(ROUTE, ({ query }) => {
      const from = Math.max(0, Number(query.get('offset')) - 1);
      return notes.slice(from, from + 100);
    });
    const [text] = await said();
    expect(asked()).toHaveLength(2);
    expect(text).toHaveLength(100_000);
    expect(text?.match(/Note \d+/g)?.slice(0, 3)).toEqual(['Note 130', 'Note 129', 'Note 128']);
    expect(text?.match(/Note 32\./g)).toHaveLength(1);
  });

  it.each([
    ['fails', 500],
    ['does not know the route', 404],
    ['answers with something else', { clarifications: [] }],
    ['never ends', Array.from({ length: 100 }, (_, id) => ({ id, marketId: 7, content: 'Again.' }))],
  ])('is not known where the venue %s, which it is asked again after a minute', async (_what, answer) => {
    list([7]);
    standIn.answer(ROUTE, () => answer);
    expect(await said()).toEqual([null]);
    const before = asked().length;
    expect(await said()).toEqual([null]);
    expect(asked()).toHaveLength(before);
    nowMs += 60_000;
    standIn.answer(ROUTE, () => []);
    expect(await said()).toEqual(['']);
  });

  it('comes from the simulated exchange as from the venue', async () => {
    const exchange = await startExchangeProcess({ isPaused: true });
    const urls = { clobUrl: exchange.url, gammaUrl: `${exchange.url}/gamma`, wsUrl: 'ws://127.0.0.1:9' };
    const simulated = await openPolymarket({ ...POLYMARKET_DEFAULTS, ...urls }, TEST_RUNTIME);
    const read = async () => {
      for await (const { events } of simulated.catalogue.readEvents(null)) return events;
      return [];
    };
    const marketId = (await read())[0]?.members[1]?.marketId;
    const publish = async (clarification: string) =>
      fetch(`${exchange.url}/_control/market`, {
        method: 'POST',
        body: JSON.stringify({ condition_id: marketId, clarification }),
      });
    expect((await publish('Extra time counts.')).status).toBe(200);
    expect((await publish('A tie is shared.')).status).toBe(200);
    const [event] = await read();
    expect(event?.members.slice(0, 2).map(({ clarifications }) => clarifications)).toEqual([
      '',
      'A tie is shared.\n\nExtra time counts.',
    ]);
    await simulated.close();
    await exchange.stop();
  });
});
