/**
 * Events and markets in the venue's own words, made up but shaped as recorded ones: so many markets per event, texts of such lengths.
 * An event is always the same for its number, so nothing is kept.
 */

/** Of 25 recorded events that were whole: how many markets each had. */
const SIZES = [1, 6, 1, 42, 1, 1, 4, 1, 30, 1, 6, 1, 2, 1, 9, 1, 33, 1, 6, 1, 10, 1, 32, 7, 1];
const MARKETS_OF_ROUND = SIZES.reduce((sum, size) => sum + size, 0);
const GAME_MARKETS = 6;

/** Some of them written as few people type them. */
const PLACES = (
  'Querétaro, León, Málaga, Łódź, São Paulo, Zürich, Oslo, Denver, Seoul, Dallas, Lagos, Kyoto, Córdoba, ' +
  'Bogotá, Miami, Toronto, Lisbon, Porto, Ankara, Cairo, Delhi, Perth, Quito, Hanoi'
).split(', ');
const FIRST_NAMES = (
  'Gavin, Alexandria, Josh, Pete, Kamala, Marco, Nikki, Andy, Wes, Cory, Jon, Gretchen, Rubén, Marjorie, ' +
  'Ivanka, Tucker, Zoran, Ayaan, Mette, Geert, Caroline, Rob, Élodie, Björn, Zoë'
).split(', ');
const LAST_NAMES = (
  'Newsom, Shapiro, Harris, Rubio, Haley, Beshear, Moore, Booker, Ossoff, Whitmer, Gallego, Pritzker, Warnock, ' +
  'Emanuel, Jetten, Wilders, Vance, Núñez, Krämer, Østergaard, Sørensen, Fitzgerald, Okafor'
).split(', ');
const TEAMS = (
  'Nuggets, Bruins, Rangers, Lakers, Celtics, Penguins, Kings, Blues, Sharks, Wild, Jets, Flames, Canucks, ' +
  'Oilers, Hawks, Heat, Magic, Spurs, Bulls, Pistons, Suns, Jazz, Kraken, Ducks'
).split(', ');
const LEAGUES = ['NBA', 'NHL', 'NFL', 'MLB', 'FIFA World Cup', 'Champions League', 'Bundesliga', 'Liga MX'];
const OFFICES = ['President', 'Prime Minister', 'Governor', 'Senator', 'Mayor', 'Chancellor'];
const COINS = ['Bitcoin', 'Ethereum', 'Solana', 'XRP', 'Dogecoin', 'Litecoin'];
const DEEDS = 'resign, be indicted, announce a campaign, visit the White House, release an album, be nominated'.split(
  ', ',
);
const MONTHS = ['January', 'March', 'May', 'June', 'September', 'October', 'December'];
const YEARS = [2026, 2027, 2028];

/** What an event is about; of an exclusive one exactly one market comes true. `question`: that of a market, and its short title. */
type Subject = {
  kind: 'single' | 'game' | 'ladder' | 'exclusive';
  title: string;
  question: (place: number) => [string, string];
};

export type MadeCatalogue = { events: number; markets: number };

/** As many whole events as hold about so many markets. */
export function madeCatalogue(markets: number): MadeCatalogue {
  const events = Math.max(1, Math.round((markets / MARKETS_OF_ROUND) * SIZES.length));
  return { events, markets: firstMarketOf(events) };
}

export function sizeOf(event: number): number {
  return SIZES[event % SIZES.length] ?? 1;
}

/** Markets are numbered through. */
export function firstMarketOf(event: number): number {
  const rest = SIZES.slice(0, event % SIZES.length).reduce((sum, size) => sum + size, 0);
  return Math.floor(event / SIZES.length) * MARKETS_OF_ROUND + rest;
}

export function conditionOf(market: number): string {
  return `0x${(market + 1).toString(16).padStart(62, '0')}bf`;
}

export function tokenOf(market: number, side: 0 | 1): string {
  return String(TOKENS_FROM + BigInt(market) * 2n + BigInt(side));
}

/** Null of a token that is none of these. */
export function marketOfToken(token: string): { market: number; side: 0 | 1 } | null {
  if (!/^\d{77}$/.test(token)) return null;
  const place = BigInt(token) - TOKENS_FROM;
  return place < 0n || place > PLACES_MAX ? null : { market: Number(place / 2n), side: Number(place % 2n) as 0 | 1 };
}

const TOKENS_FROM = 3n * 10n ** 76n;
const PLACES_MAX = 10n ** 9n;

/** Of so many events one is mispriced, so that some sets pay; on recorded pages none of 144 does. */
const MISPRICED_EVERY = 40;

/** Its middle, in thousandths of a dollar: those of an exclusive event make a dollar, and on a ladder each step costs less than the one before. */
export function middleOf(event: number, place: number): number {
  const size = sizeOf(event);
  const { kind } = subjectOf(event);
  const isMispriced = event % MISPRICED_EVERY === 7;
  if (kind === 'exclusive') {
    const weightOf = (nth: number) => 55 + (scattered(event, nth) % 90);
    const all = isMispriced
      ? 100 * size
      : Array.from({ length: size }, (_, nth) => weightOf(nth)).reduce((a, b) => a + b);
    return Math.max(4, Math.round((1000 * weightOf(place)) / all));
  }
  if (kind !== 'ladder' || isMispriced) return 60 + (scattered(event, place) % 880);
  return Math.round(900 - (800 * (place + (scattered(event, place) % 80) / 100)) / size);
}

export function eventOnWire(event: number): string {
  const subject = subjectOf(event);
  const size = sizeOf(event);
  const first = firstMarketOf(event);
  const slug = `${slugOf(subject.title)}-${event}`;
  const isNegRisk = subject.kind === 'exclusive';
  const about = { id: String(100_000 + event), ticker: slug, slug, title: subject.title, negRisk: isNegRisk };
  const markets = Array.from({ length: size }, (_, place) =>
    marketOnWire({ event, place, market: first + place, subject, isNegRisk, slug }),
  );
  return JSON.stringify({
    ...about,
    ...{ description: rulesOf(subject.title), enableNegRisk: isNegRisk, closed: false, active: true },
    ...{ negRiskAugmented: isNegRisk && event % 2 === 0, endDate: endOf(event), cumulativeMarkets: false },
    ...{ series: [{ slug: `series-${event % 500}`, ...filler('series', event) }], volume: volumeOf(event, 0) * size },
    ...filler('event', event),
    markets,
  });
}

type MarketPlan = {
  event: number;
  place: number;
  market: number;
  subject: Subject;
  isNegRisk: boolean;
  slug: string;
};

function marketOnWire({ event, place, market, subject, isNegRisk, slug }: MarketPlan): object {
  const [question, groupItemTitle] = subject.question(place);
  const volume = volumeOf(event, place);
  return {
    id: String(500_000 + market),
    question,
    conditionId: conditionOf(market),
    slug: subject.kind === 'game' ? `${slug}-${slugOf(groupItemTitle)}` : `${slugOf(question)}-${market}`,
    resolutionSource: '',
    endDate: endOf(event),
    description: rulesOf(question),
    groupItemTitle,
    groupItemThreshold: String(place),
    outcomes: '["Yes", "No"]',
    outcomePrices: '["0.5", "0.5"]',
    clobTokenIds: JSON.stringify([tokenOf(market, 0), tokenOf(market, 1)]),
    questionID: questionIdOf(event, place),
    ...{ version: 'v1', active: true, closed: false, acceptingOrders: true, enableOrderBook: true, negRisk: isNegRisk },
    ...{ orderPriceMinTickSize: 0.001, orderMinSize: 5, feesEnabled: market % 3 === 0 },
    ...{ feeSchedule: { rate: 0.04, exponent: 1 }, volumeNum: volume, liquidityNum: volume / 20 },
    ...{ volume: String(volume), liquidity: String(volume / 20), volume24hr: volume / 50 },
    ...filler('market', market),
  };
}

/** The last byte counts the members; a whole event has one question id but for that. */
function questionIdOf(event: number, place: number): string {
  return `0x${(event + 1).toString(16).padStart(60, '7')}00${place.toString(16).padStart(2, '0')}`;
}

function subjectOf(event: number): Subject {
  const turn = Math.floor(event / SIZES.length);
  const at = <Text>(list: readonly Text[], step: number) => list[scattered(event, step) % list.length] as Text;
  const year = at(YEARS, 1);
  const personAt = (place: number) => {
    const nth = scattered(event, 2) + place * 7;
    return `${FIRST_NAMES[nth % FIRST_NAMES.length]} ${LAST_NAMES[Math.floor(nth / 3 + place) % LAST_NAMES.length]}`;
  };
  const day = 1 + (scattered(event, 3) % 28);
  const month = at(MONTHS, 4);
  const where = at(PLACES, 5);
  switch (sizeOf(event)) {
    case 1: {
      const question = `Will ${personAt(0)} ${at(DEEDS, 6)} by ${month} ${day}, ${year}?`;
      return { kind: 'single', title: question, question: () => [question, ''] };
    }
    case GAME_MARKETS: {
      const [home, away] = [where, `${at(PLACES, 7)} ${at(TEAMS, 8)}`];
      const lines = [home, away, 'Draw', 'Over 1.5', 'Over 2.5', 'Both teams to score'];
      const title = `${home} vs. ${away}, round ${turn}`;
      return { kind: 'game', title, question: (place) => [`${title}: ${lines[place] ?? ''}?`, lines[place] ?? ''] };
    }
    case 2:
    case 4:
    case 7: {
      const [coin, date] = [at(COINS, 9), `${month} ${day}, ${year}`];
      const levelOf = (place: number) => `$${(50 + turn + place * 10).toLocaleString('en')},000`;
      const question = (place: number) => `Will the price of ${coin} be above ${levelOf(place)} on ${date}?`;
      const title = `${coin} above what on ${date}?`;
      return { kind: 'ladder', title, question: (place) => [question(place), levelOf(place)] };
    }
    case 9:
    case 10: {
      const highest = `ighest temperature in ${where}`;
      const rangeOf = (place: number) => `${50 + place * 2}-${51 + place * 2}°F`;
      const question = (place: number) => `Will the h${highest} be ${rangeOf(place)} on ${month} ${day}, ${year}?`;
      const title = `H${highest} on ${month} ${day}, ${year}?`;
      return { kind: 'exclusive', title, question: (place) => [question(place), rangeOf(place)] };
    }
    case 30:
    case 32: {
      const league = at(LEAGUES, 10);
      const teamAt = (place: number) => `${PLACES[(place * 5 + turn) % PLACES.length]} ${TEAMS[place % TEAMS.length]}`;
      const question = (place: number) => `Will the ${teamAt(place)} win the ${year} ${league}?`;
      const title = `${year} ${league} Champion ${turn}`;
      return { kind: 'exclusive', title, question: (place) => [question(place), teamAt(place)] };
    }
    default: {
      const office = at(OFFICES, 11);
      const question = (place: number) => `Will ${personAt(place)} win the ${year} ${where} ${office} election?`;
      const title = `${where} ${office} Election ${year}`;
      return { kind: 'exclusive', title, question: (place) => [question(place), personAt(place)] };
    }
  }
}

/** Recorded rules have 650 letters in the middle, and each market some 5 kB of other fields. */
const RULE =
  'Otherwise, this market will resolve to "No". The primary resolution source for this market will be official information, ' +
  'however a consensus of credible reporting will also be used. If the outcome is not known by the end date, this market ' +
  'remains open until it is; a void event resolves 50-50. ';

function rulesOf(about: string): string {
  return `This market will resolve to "Yes" if the following comes true: ${about} ${RULE}${RULE}`.trim();
}

/** What the venue sends besides, which the product does not read. */
function filler(kind: string, number: number): Record<string, string | number | boolean> {
  const fields: Record<string, string | number | boolean> = {};
  for (let nth = 0; nth < 40; nth += 1)
    fields[`${kind}Field${nth}`] = nth % 3 === 0 ? `https://upload.example/${kind}/${number}/${nth}.jpg` : number * nth;
  return fields;
}

function endOf(event: number): string {
  const year = YEARS[scattered(event, 1) % YEARS.length];
  return `${year}-12-${String(1 + (scattered(event, 3) % 28)).padStart(2, '0')}T12:00:00Z`;
}

function volumeOf(event: number, place: number): number {
  return 1000 + (scattered(event, place + 20) % 3_000_000);
}

function slugOf(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

/** Spreads two numbers over 0 to 2^31, the same at every run. */
function scattered(one: number, other: number): number {
  let mixed = Math.imul(one + 0x9e3779b9, 0x85ebca6b) ^ Math.imul(other + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d);
  return ((mixed ^ (mixed >>> 13)) >>> 1) % 2_147_483_647;
}
