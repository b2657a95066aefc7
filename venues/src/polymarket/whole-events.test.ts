import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VenueUnavailable } from '../venue.ts';
import { event, type ListingSite, market, openListingSite } from './catalogue.fixture.ts';

let site: ListingSite;
let standIn: ListingSite['standIn'];
let venue: ListingSite['venue'];

beforeEach(async () => {
  site = await openListingSite();
  ({ standIn, venue } = site);
});

afterEach(() => site.close());

describe('reading events as wholes', () => {
  const read = async (cursor: string | null = null) => {
    const pages = [];
    for await (const page of venue.catalogue.readEvents(cursor)) pages.push(page);
    return pages.map(({ events, cursor: next }) => [events.map(({ id }) => id), next]);
  };

  it('follows the cursor, also over a page with nothing on it, and goes on behind any page', async () => {
    const pages = new Map([
      [null, { events: [event('1', market('a')), event('2', market('b'))], next_cursor: 'two' }],
      ['two', { events: [], next_cursor: 'three' }],
      ['three', { events: [event('3', market('c'))] }],
    ]);
    standIn.answer('GET /gamma/events/keyset', ({ query }) => pages.get(query.get('after_cursor')));
    expect(await read()).toEqual([
      [['1', '2'], 'two'],
      [[], 'three'],
      [['3'], null],
    ]);
    expect(await read('two')).toEqual([
      [[], 'three'],
      [['3'], null],
    ]);
  });

  it('leaves out what is no event, and nothing else of its page', async () => {
    standIn.answer('GET /gamma/events/keyset', () => ({
      events: [null, { title: 'No id' }, 5, event('1', market('a'))],
    }));
    expect(await read()).toEqual([[['1'], null]]);
  });

  it.each([
    ['does not answer', 500],
    ['does not take the cursor', 422],
    ['answers with half a page', { next_cursor: 'two' }],
    ['sends the same cursor again', { events: [], next_cursor: 'kept' }],
  ])('says so where the venue %s', async (_what, answer) => {
    standIn.answer('GET /gamma/events/keyset', () => answer);
    await expect(read('kept')).rejects.toThrow(VenueUnavailable);
    standIn.answer('GET /gamma/events/keyset', () => (typeof answer === 'number' ? answer : {}));
    await expect(venue.catalogue.eventsById(['1'], 'following')).rejects.toThrow(VenueUnavailable);
  });

  it('finds events by their ids, in questions that the venue takes', async () => {
    const asked: number[] = [];
    standIn.answer('GET /gamma/events/keyset', ({ query }) => {
      const ids = query.getAll('id');
      asked.push(ids.length);
      return { events: ids.filter((id) => id !== '7').map((id) => event(id, market(`m${id}`))) };
    });
    const ids = Array.from({ length: 120 }, (_, id) => String(id));
    const found = await venue.catalogue.eventsById(ids, 'following');
    expect(asked).toEqual([50, 50, 20]);
    expect(found.map(({ id }) => id)).toEqual(ids.filter((id) => id !== '7'));
  });

  it('reads an event once for all who ask within five seconds, and anew after that, after an error and for trading', async () => {
    let answer: unknown = 500;
    const calls = () => site.catalogueReads().filter((request) => request.includes('/gamma/events/')).length;
    const asked = () => venue.catalogue.eventsById(['1', 'unknown'], 'display');
    standIn.answer('GET /gamma/events/keyset', () => answer);
    await expect(asked()).rejects.toThrow(VenueUnavailable);
    answer = { events: [event('1', market('a'))] };
    const before = calls();
    const found = await Promise.all(Array.from({ length: 40 }, asked));
    expect(found.map((events) => events.map(({ id }) => id))).toEqual(found.map(() => ['1']));
    site.clock.nowMs += 4_000;
    await asked();
    expect(calls() - before).toBe(1);
    await venue.catalogue.eventsById(['1'], 'trading');
    expect(calls() - before).toBe(2);
    site.clock.nowMs += 2_000;
    await asked();
    expect(calls() - before).toBe(3);
    venue.forget();
    await asked();
    expect(calls() - before).toBe(4);
  });

  it('knows the markets that it has read, and why others cannot be traded', async () => {
    const odd = market('odd', { version: 'v9' });
    standIn.answer('GET /gamma/events/keyset', () => ({ events: [event('1', market('a'), odd)] }));
    await read();
    const before = site.catalogueReads();
    const known = await venue.catalogue.marketsById(['a']);
    expect(known.get('a')?.event).toMatchObject({ id: '1', marketIds: ['a', 'odd'] });
    expect(venue.catalogue.whyLeftOut('odd')).toBe('version v9 is not known');
    expect(site.catalogueReads()).toEqual(before);
  });

  it('leaves out what would pass for a market or a token of another venue', async () => {
    const strayTokens = JSON.stringify(['1', 'kalshi:X:no']);
    const strays = [market('kalshi:X'), market('b', { clobTokenIds: strayTokens })];
    standIn.answer('GET /gamma/events/keyset', () => ({ events: [event('1', market('a'), ...strays)] }));
    await read();
    expect(venue.catalogue.whyLeftOut('b')).toBe('its tokens are not called as tokens of this venue are');
    const known = await venue.catalogue.marketsById(['a', 'b', 'kalshi:X']);
    expect([...known.keys()]).toEqual(['a']);
  });
});
