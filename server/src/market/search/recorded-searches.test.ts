/** What a trader types, over recorded pages of the venue: 27 searches, each with all of its right answers. */
import { expect, it } from 'vitest';
import { openTestRuntime } from '../../test-runtime.ts';
import { findListings } from './find-listings.ts';
import { keepOfKalshi, recordedOfKalshi } from './kalshi-listings.fixture.ts';
import { keepRaw, type RawEvent, type RawMarket, recordedEvents } from './listings.fixture.ts';

const EVENTS = recordedEvents('markets-2026-02-07.json.gz', 'markets-2026-02-13.json.gz');
const NONE = 'no recordings in MARKET_DATA_DIR';

type Is = (text: string, market: RawMarket, event: RawEvent) => boolean;
const titled =
  (title: string): Is =>
  (_, __, event) =>
    event.title.trim() === title;
const has =
  (...words: RegExp[]): Is =>
  (text) =>
    words.every((word) => word.test(text));

/** Each with what it has to find, told from the venue's own fields; and how many that are, where that was counted by hand. */
const SEARCHES: readonly (readonly [search: string, isRight: Is, count?: number])[] = [
  ['Democratic nominee 2028', titled('Democratic Presidential Nominee 2028'), 33],
  ['2028 democratic presidential nominee', titled('Democratic Presidential Nominee 2028'), 33],
  ['election 2026', has(/\belections?\b/, /2026/)],
  ['Queretaro', has(/queretaro/), 3],
  ['QUERÉTARO', has(/queretaro/), 3],
  ['Elon tweets', has(/elon/, /tweets/), 3],
  ['NBA champion', titled('2026 NBA Champion'), 30],
  ['nuggets nba', has(/nuggets/, /nba/)],
  ['nba finals nuggets 2026', has(/nuggets/, /nba finals/, /2026/)],
  ['world cup morocco', has(/morocco/, /world cup/)],
  ['fifa 2026 winner', titled('2026 FIFA World Cup Winner')],
  ['NHL stanley cup', has(/\bnhl\b/, /stanley cup/)],
  ['trump deport', has(/trump/, /deport/)],
  ['deport 250,000', has(/deport/, /\b250000\b/)],
  ['Netherlands prime minister', titled('Next Prime Minister of the Netherlands')],
  ['prime minister netherlands jetten', has(/jetten/, /netherlands/)],
  ['bitcoin up or down', has(/bitcoin/, /\bup\b/, /\bdown\b/)],
  ['btc up down october', has(/bitcoin/, /\bup\b/, /\bdown\b/, /october/)],
  ['counter-strike', has(/counter/, /strike/)],
  ['will-morocco-win-the-2026-fifa-world-cup-464', has(/will-morocco-win-the-2026-fifa-world-cup-464/), 1],
  ['https://polymarket.com/event/2026-nba-champion', titled('2026 NBA Champion'), 30],
  [
    'https://polymarket.com/event/2026-nba-champion/will-the-denver-nuggets-win-the-2026-nba-finals?tid=17',
    (_, market) => market.slug === 'will-the-denver-nuggets-win-the-2026-nba-finals',
    1,
  ],
  [
    '0xaf9d0e448129a9f657f851d49495ba4742055d80e0ef1166ba0ee81d4d594214',
    (_, market) => market.conditionId.startsWith('0xaf9d0e448129a9'),
    1,
  ],
  ['16282', (_, __, event) => event.id === '16282'],
  ['nugegts', has(/nuggets/)],
  ['presidental nominee', has(/presidential/, /nominee/)],
  ['Netherlnds', has(/netherlands/)],
];

it.skipIf(EVENTS === null)(
  `finds all that 27 searches are about, the right ones first${EVENTS ? '' : `: ${NONE}`}`,
  async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    const events = EVENTS ?? [];
    await keepRaw(db, events);
    const all = events.flatMap((event) => event.markets.map((market) => ({ market, event })));
    const missed: Record<string, unknown> = {};
    expect(SEARCHES).toHaveLength(27);
    for (const [search, isRight, count] of SEARCHES) {
      const right = all.filter(({ market, event }) => isRight(textOf(market, event), market, event));
      const found = await findListings(db, { search, skip: 0, limit: 1000 });
      const ids = [...found.data, ...found.left_out.data].map(({ id }) => id);
      const notFound = right
        .filter(({ market }) => !ids.includes(market.conditionId))
        .map(({ market }) => market.question);
      const isFirst = right.some(({ market }) => market.conditionId === ids[0]);
      const isCounted = count === undefined || right.length === count;
      if (right.length === 0 || notFound.length > 0 || !isFirst || !isCounted)
        missed[search] = { right: right.length, found: ids.length, notFound: notFound.slice(0, 3), isFirst };
    }
    expect(missed).toEqual({});
  },
);

/** By another way than the product's: small letters, no accents, no commas in figures. */
function textOf(market: RawMarket, event: RawEvent): string {
  const texts = [event.title, event.slug, market.question, market.slug, market.groupItemTitle, market.endDate];
  const plain = texts
    .join(' | ')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '');
  return plain.toLowerCase().replaceAll(/(\d),(\d{3})/g, '$1$2');
}

const OF_KALSHI = recordedOfKalshi();

it.skipIf(OF_KALSHI === null)(
  `finds markets of recorded Kalshi pages by their words, tickers and events${OF_KALSHI ? '' : `: ${NONE}`}`,
  async () => {
    await using test = await openTestRuntime();
    const { db } = test.runtime;
    await keepOfKalshi(db, OF_KALSHI ?? []);
    const firstOf = async (search: string) => (await findListings(db, { search, skip: 0, limit: 5 })).data[0]?.id;
    const countOf = async (search: string) => (await findListings(db, { search, skip: 0, limit: 1000 })).count;
    expect(await firstOf('lamar jackson mvp')).toBe('kalshi:KXNFLMVP-27-LJAC');
    expect(await firstOf('notre dame michigan')).toMatch(/^kalshi:KXNCAAFGAME-26SEP19MSUND-/);
    expect(await firstOf('KXNBA-27-BOS')).toBe('kalshi:KXNBA-27-BOS');
    expect(await firstOf('lamar jacksn')).toBe('kalshi:KXNFLMVP-27-LJAC');
    expect(await countOf('2027 pro basketball champion')).toBe(30);
  },
);
