import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { findListings } from './find-listings.ts';
import { keepRaw, type RawEvent, type RawMarket } from './listings.fixture.ts';

/** They have 77 digits. */
const tokenOf = (side: number) => `7${String(number).padStart(75, '0')}${side}`;
let number = 0;
function marketOf(question: string, changes: Record<string, unknown> = {}): RawMarket {
  number += 1;
  const hex = number.toString(16).padStart(62, '0');
  return {
    ...{ conditionId: `0x${hex}ab`, question, slug: slugOf(question), groupItemTitle: '', version: 'v1' },
    ...{
      outcomes: '["Yes","No"]',
      clobTokenIds: `["${tokenOf(1)}","${tokenOf(2)}"]`,
      closed: false,
      acceptingOrders: true,
    },
    ...{ endDate: '2028-11-07T12:00:00Z', orderMinSize: 5, orderPriceMinTickSize: 0.01, feesEnabled: false },
    ...{ negRisk: false, volumeNum: 1000 * number, description: '', ...changes },
  };
}

function eventOf(id: string, title: string, markets: RawMarket[], changes: Record<string, unknown> = {}): RawEvent {
  return { id, title, slug: slugOf(title), closed: false, endDate: '2028-11-07T12:00:00Z', markets, ...changes };
}

function slugOf(text: string): string {
  const plain = text
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase();
  return plain.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '');
}

const CITIES = [
  'Querétaro',
  'León',
  'Málaga',
  'São Paulo',
  'Zürich',
  'Córdoba',
  'Bogotá',
  'Denver',
  'Kraków',
  'Genève',
];
const PEOPLE = [
  'Josh Shapiro',
  'Gavin Newsom',
  'Gretchen Whitmer',
  'Élodie Fournier',
  'Björn Lindqvist',
  'Andy Beshear',
];
const TEAMS = ['Nuggets', 'Bruins', 'Canucks', 'Penguins', 'Lakers', 'Celtics', 'Flames', 'Sharks'];

const EVENTS: RawEvent[] = [
  eventOf(
    'nominee',
    'Democratic Presidential Nominee 2028',
    PEOPLE.map((name) =>
      marketOf(`Will ${name} win the 2028 Democratic presidential nomination?`, { groupItemTitle: name }),
    ),
  ),
  eventOf(
    'champion',
    '2028 NBA Champion',
    TEAMS.map((team) => marketOf(`Will the Denver ${team} win the 2028 NBA Finals?`, { groupItemTitle: team })),
  ),
  eventOf('tweets', 'Elon Musk # of tweets March 3 - March 10?', [
    marketOf('Will Elon Musk post 250-274 tweets from March 3 to March 10, 2028?'),
  ]),
  eventOf('deport', 'How many people will be deported in 2028?', [
    marketOf('Will they deport less than 250,000 people?', { groupItemTitle: '<250k' }),
    marketOf('Will they deport 250,000-500,000 people?', {
      groupItemTitle: '250-500k',
      closed: true,
      acceptingOrders: false,
    }),
  ]),
  eventOf('coin', 'Bitcoin above what on May 5?', [
    marketOf('Will the price of Bitcoin be above $100,000 on May 5?', { groupItemTitle: '$100k' }),
  ]),
  ...CITIES.map((city, at) =>
    eventOf(`mayor-${at}`, `${city} Mayor Election 2027`, [
      marketOf(`Will the incumbent win the 2027 ${city} mayor election?`),
      marketOf(`Will an independent win the 2027 ${city} mayor election?`),
    ]),
  ),
  eventOf('other', 'Denver weather', [marketOf('Will it snow in Denver?', { version: 'unheard of' })]),
  eventOf(
    'crowd',
    'Crowd',
    Array.from({ length: 400 }, (_, at) => marketOf(`Number ${at} of the crowd?`)),
  ),
];

describe('the search for markets', () => {
  let test: Awaited<ReturnType<typeof openTestRuntime>>;
  beforeAll(async () => {
    test = await openTestRuntime();
    await keepRaw(test.runtime.db, EVENTS);
  });
  afterAll(() => test[Symbol.asyncDispose]());
  const find = (search: string, more: { skip?: number; limit?: number; event?: string } = {}) =>
    findListings(test.runtime.db, { search, skip: 0, limit: 1000, ...more });
  const questions = async (search: string) => (await find(search)).data.map(({ listing }) => listing.question);

  it('finds by words in any order and apart, their beginnings, with accents or without, and by years and figures', async () => {
    expect(await questions('Democratic nominee 2028')).toHaveLength(PEOPLE.length);
    expect(await questions('nominee shap')).toEqual([
      'Will Josh Shapiro win the 2028 Democratic presidential nomination?',
    ]);
    expect(await questions('Elon tweets')).toHaveLength(1);
    expect(await questions('queretaro')).toHaveLength(2);
    expect(await questions('QUERÉTARO elections')).toHaveLength(2);
    expect(await questions('election 2027')).toHaveLength(2 * CITIES.length);
    expect(await questions('deport 250k')).toContain('Will they deport less than 250,000 people?');
    expect(await questions('btc 100,000')).toHaveLength(1);
    expect(await questions('nuggets newsom')).toEqual([]);
    expect(await questions('?!')).toEqual([]);
    expect(await questions("'; drop table market_listings --")).toEqual([]);
  });

  it('finds by the address of a page, by slug, by id of market, event or token', async () => {
    const [event] = EVENTS;
    const [, market] = event?.markets ?? [];
    if (event === undefined || market === undefined) throw new Error('there are some');
    const one = [market.question];
    expect(await questions(`https://polymarket.com/event/${event.slug}`)).toHaveLength(PEOPLE.length);
    expect(await questions(`https://polymarket.com/event/${event.slug}/${market.slug}?tid=5`)).toEqual(one);
    expect(await questions(`polymarket.com/event/${event.slug}/${market.slug}/`)).toEqual(one);
    expect(await questions(market.slug)).toEqual(one);
    expect(await questions(market.conditionId)).toEqual(one);
    expect(await questions((JSON.parse(String(market.clobTokenIds)) as string[])[1] ?? '')).toEqual(one);
  });

  it('takes a mistyped word of five letters or more for the one that was meant, and no other', async () => {
    expect(await questions('nugegts')).toEqual(['Will the Denver Nuggets win the 2028 NBA Finals?']);
    expect(await questions('democartic nominee')).toHaveLength(PEOPLE.length);
    expect(await questions('Quertaro mayor')).toHaveLength(2);
    expect(await questions('xyzzy plugh')).toEqual([]);
    expect(await questions('nmi')).toEqual([]);
  });

  it('lists the best match first, then what is open, then what is traded most; without words what is open', async () => {
    const deported = (await find('deport people')).data;
    expect(deported.map(({ closed }) => closed)).toEqual([false, true]);
    const crowd = await find('number', { limit: 3 });
    expect(crowd.count).toBe(400);
    expect(crowd.data.map(({ listing }) => listing.question)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Number 3\d\d of the crowd\?$/)]),
    );
    // Whole words before beginnings: 39 comes before 390 to 399, which are traded more.
    expect((await questions('number 39'))[0]).toBe('Number 39 of the crowd?');
    const open = await find('');
    expect(open.data.every(({ closed }) => !closed)).toBe(true);
    expect(open.count).toBe(EVENTS.flatMap(({ markets }) => markets).length - 2);
    expect((await find('', { event: 'deport' })).data).toHaveLength(1);
    expect((await find('number', { skip: 399, limit: 5 })).data).toHaveLength(1);
  });

  it('has the same order page by page as at once, of words that most markets have', async () => {
    for (const search of ['number', 'crowd number']) {
      const atOnce = (await find(search)).data.map(({ id }) => id);
      const pages = await Promise.all([0, 150, 300, 450].map((skip) => find(search, { skip, limit: 150 })));
      expect(pages.flatMap(({ data }) => data.map(({ id }) => id))).toEqual(atOnce);
    }
  });

  it('says which markets cannot be traded here, and why', async () => {
    expect((await find('snow denver')).left_out).toMatchObject({
      count: 1,
      data: [{ leftOut: 'version unheard of is not known' }],
    });
    expect((await find('snow denver')).count).toBe(0);
  });

  it('finds its market by each of 200 searches that are made of the names of markets', async () => {
    const all = EVENTS.flatMap((event) => event.markets.map((market) => ({ market, event }))).filter(
      ({ market }) => market.version === 'v1',
    );
    const missed: string[] = [];
    for (let nth = 0; nth < 200; nth += 1) {
      const { market, event } = all[(nth * 31) % all.length] ??
        all[0] ?? { market: marketOf(''), event: eventOf('', '', []) };
      const search = typed(nth, market, event);
      const found = await find(search, { limit: 1000 });
      if (!found.data.some(({ id }) => id === market.conditionId)) missed.push(search);
    }
    expect(missed).toEqual([]);
  });
});

/** A market as a user types it, in a way that goes round. */
function typed(nth: number, market: RawMarket, event: RawEvent): string {
  const words = market.question.split(/[\s?$]+/).filter((word) => word.length > 2);
  const plain = (text: string) => text.normalize('NFD').replaceAll(/[\u0300-\u036f]/g, '');
  const longest =
    words.filter((word) => /^\p{L}{6,}$/u.test(word)).sort((one, other) => other.length - one.length)[0] ?? '';
  const ways = [
    words.join(' '),
    words.toReversed().join('  '),
    plain(words.slice(0, 5).join(' ')).toUpperCase(),
    words.join(' ').slice(0, -1),
    `https://polymarket.com/event/${event.slug}/${market.slug}`,
    market.slug.replaceAll('-', ' '),
    `${words.at(-1)} ${event.title}`,
    market.conditionId,
    words.map((word) => (word === longest ? swapped(word) : word)).join(' '),
    `${event.title} ${words.filter((word) => /\d/.test(word)).join(' ')}`,
  ];
  return ways[nth % ways.length] ?? '';
}

function swapped(word: string): string {
  return `${word.slice(0, 2)}${word[3] ?? ''}${word[2] ?? ''}${word.slice(4)}`;
}
