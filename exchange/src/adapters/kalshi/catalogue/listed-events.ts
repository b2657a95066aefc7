import type { FeeType } from '../fees.ts';

/** A listed series: its recurring events, and what they have in common. */
export interface ListedSeries {
  readonly ticker: string;
  readonly title: string;
  readonly category: string;
  readonly feeType: FeeType;
  /** Multiplies the fee; text, so that it is exact. */
  readonly feeMultiplier: string;
  /** The part of the exchange that its orders and their cash lie on. */
  readonly shard: number;
  /** `tapered_deci_cent`: a tenth of a cent near nothing and near a dollar. */
  readonly ticks: 'linear_cent' | 'tapered_deci_cent';
  readonly events: readonly ListedEvent[];
}

export interface ListedEvent {
  /** Behind the series and a hyphen; `%` stands for the day that it ends on, or with the time where that is in between. */
  readonly ticker: string;
  readonly title: string;
  readonly subTitle: string;
  /**
   * `tiles`: ranges that leave nothing out. `menu`: at most one comes true, and one that is not listed may. `sides`: one of them
   * comes true. `ladder`: nested thresholds, the easiest first. `single`: one market alone.
   */
  readonly kind: 'tiles' | 'menu' | 'sides' | 'ladder' | 'single';
  readonly endsIn: { readonly days: number } | { readonly quarters: number } | { readonly minutes: number };
  readonly feeOverride?: { readonly type: FeeType; readonly multiplier: string };
  readonly markets: readonly ListedMarket[];
}

/** Behind the event in the ticker, what the venue calls it beside the title, and a rough probability in percent. */
export interface ListedMarket {
  readonly ticker: string;
  readonly name: string;
  readonly percent: number;
  readonly strike:
    | { readonly type: 'less'; readonly cap: number }
    | { readonly type: 'greater' | 'greater_or_equal'; readonly floor: number }
    | { readonly type: 'between'; readonly floor: number; readonly cap: number }
    | { readonly type: 'structured'; readonly of: string };
}

const below = (cap: number, name: string, percent: number): ListedMarket => ({
  ticker: `T${cap}`,
  name,
  percent,
  strike: { type: 'less', cap },
});

const above = (floor: number, name: string, percent: number): ListedMarket => ({
  ticker: `T${floor}`,
  name,
  percent,
  strike: { type: 'greater', floor },
});

const between = (floor: number, cap: number, name: string, percent: number): ListedMarket => ({
  ticker: `B${(floor + cap) / 2}`,
  name,
  percent,
  strike: { type: 'between', floor, cap },
});

const named = (ticker: string, name: string, percent: number): ListedMarket => ({
  ticker,
  name,
  percent,
  strike: { type: 'structured', of: name },
});

const degrees = (percents: readonly [number, number, number, number]) => [
  below(12, '11° or below', percents[0]),
  between(12, 14, '12° to 14°', percents[1]),
  between(15, 17, '15° to 17°', percents[2]),
  above(17, '18° or above', percents[3]),
];

const highmark = (days: number, percents: readonly [number, number, number, number]): ListedEvent => ({
  ticker: '%',
  title: 'Highest temperature at Highmark?',
  subTitle: 'On %',
  kind: 'tiles',
  endsIn: { days },
  markets: degrees(percents),
});

const ferries = (days: number, percents: readonly number[]): ListedEvent => ({
  ticker: '%',
  title: 'How many passengers will the Silver Bay ferries carry?',
  subTitle: 'By %',
  kind: 'ladder',
  endsIn: { days },
  markets: percents.map((percent, place) => {
    const floor = 35_000 + place * 5_000;
    return above(floor, `Above ${floor.toLocaleString('en-US')}`, percent);
  }),
});

const game = (days: number, home: [string, string, number], away: [string, string]): ListedEvent => ({
  ticker: `%${home[0]}${away[0]}`,
  title: `${home[1]} vs ${away[1]}`,
  subTitle: 'On %',
  kind: 'sides',
  endsIn: { days },
  markets: [named(home[0], home[1], home[2]), named(away[0], away[1], 100 - home[2])],
});

const quarter = (quarters: number, percent: number): ListedEvent => ({
  ticker: '%',
  title: 'Ember price up in fifteen minutes?',
  subTitle: 'At %',
  kind: 'single',
  endsIn: { quarters },
  markets: [{ ticker: 'T412', name: 'Price at least $412', percent, strike: { type: 'greater_or_equal', floor: 412 } }],
});

/** Counted in steps of five minutes, so that what is bought there soon comes back as dollars. */
const gust = (minutes: number, percents: readonly [number, number, number]): ListedEvent => ({
  ticker: '%',
  title: 'Strongest gust at Silver Bay harbour?',
  subTitle: 'At %',
  kind: 'tiles',
  endsIn: { minutes },
  markets: [
    below(20, 'Below 20 knots', percents[0]),
    between(20, 29, '20 to 29 knots', percents[1]),
    { ticker: 'T30', name: '30 knots or above', percent: percents[2], strike: { type: 'greater_or_equal', floor: 30 } },
  ],
});

const GUSTS = [
  [31, 45, 24],
  [27, 42, 31],
  [36, 40, 24],
] as const;

/** The series of the second venue. All names and happenings are invented; some equal the first venue's. */
export const LISTED_SERIES: readonly ListedSeries[] = [
  {
    ticker: 'KXHIGHMARK',
    title: 'Highest temperature at Highmark',
    category: 'Climate and Weather',
    feeType: 'quadratic',
    feeMultiplier: '1',
    shard: 0,
    ticks: 'linear_cent',
    events: [
      highmark(1, [14, 39, 33, 14]),
      highmark(2, [21, 36, 27, 16]),
      highmark(3, [17, 31, 34, 18]),
      highmark(4, [26, 33, 25, 16]),
      highmark(5, [19, 28, 32, 21]),
      highmark(6, [23, 31, 28, 18]),
    ],
  },
  {
    ticker: 'KXFERRY',
    title: 'Silver Bay ferry passengers',
    category: 'Economics',
    feeType: 'quadratic_with_maker_fees',
    feeMultiplier: '1',
    shard: 0,
    ticks: 'linear_cent',
    events: [ferries(20, [91, 74, 52, 29, 12]), ferries(48, [88, 70, 49, 31, 15])],
  },
  {
    ticker: 'KXALBUM',
    title: 'Lanternlight album of the month',
    category: 'Entertainment',
    feeType: 'quadratic',
    feeMultiplier: '1',
    shard: 1,
    ticks: 'linear_cent',
    events: [
      {
        ticker: '%',
        title: 'Lanternlight album of the month?',
        subTitle: 'In the month of %',
        kind: 'menu',
        endsIn: { days: 34 },
        markets: [
          named('PAPE', 'Paper Comets', 33),
          named('SALT', 'Salt and Static', 24),
          named('NINE', 'Nine Quiet Rooms', 17),
          named('HARV', 'Harvest Machines', 10),
          named('TIDE', 'Tidewater Hymns', 6),
        ],
      },
    ],
  },
  {
    ticker: 'KXMERIDIANMAYOR',
    title: 'Mayor of Port Meridian',
    category: 'Elections',
    feeType: 'quadratic',
    feeMultiplier: '1',
    shard: 0,
    ticks: 'linear_cent',
    events: [
      {
        ticker: '%',
        title: 'Who will be elected mayor of Port Meridian?',
        subTitle: 'Port Meridian mayoral election',
        kind: 'menu',
        endsIn: { days: 88 },
        markets: [
          named('IMAR', 'Ilse Marrow', 41),
          named('TASH', 'Tobin Ashgrove', 31),
          named('RQUI', 'Renata Quill', 17),
          named('CHOL', 'Casper Holloway', 8),
        ],
      },
    ],
  },
  {
    ticker: 'KXAURORAGAME',
    title: 'Aurora Cup game',
    category: 'Sports',
    feeType: 'quadratic_with_maker_fees',
    feeMultiplier: '1',
    shard: 3,
    ticks: 'linear_cent',
    events: [
      game(2, ['NGW', 'Northgate Wolves', 57], ['SBM', 'Silver Bay Mariners']),
      game(2, ['THR', 'Tallow Hill Rovers', 46], ['PEC', 'Port Ember City']),
      game(3, ['GFU', 'Greyfen United', 51], ['LMA', 'Lowmoor Athletic']),
      game(9, ['SBM', 'Silver Bay Mariners', 62], ['THR', 'Tallow Hill Rovers']),
      game(9, ['PEC', 'Port Ember City', 44], ['GFU', 'Greyfen United']),
    ],
  },
  {
    ticker: 'KXEMBER15M',
    title: 'Ember price up or down, every fifteen minutes',
    category: 'Crypto',
    feeType: 'quadratic',
    feeMultiplier: '1',
    shard: 2,
    ticks: 'tapered_deci_cent',
    events: [50, 48, 53, 46, 51, 49, 52, 47].map((percent, place) => quarter(place + 2, percent)),
  },
  {
    ticker: 'KXGUST5M',
    title: 'Strongest gust at Silver Bay harbour, every five minutes',
    category: 'Climate and Weather',
    feeType: 'quadratic',
    feeMultiplier: '1',
    shard: 0,
    ticks: 'linear_cent',
    events: Array.from({ length: 12 }, (_, place) => gust(10 + place * 5, GUSTS[place % GUSTS.length] ?? [31, 45, 24])),
  },
  {
    ticker: 'KXMERIDIANX',
    title: 'Close of the Meridian index',
    category: 'Financials',
    feeType: 'quadratic',
    feeMultiplier: '0.5',
    shard: 0,
    ticks: 'tapered_deci_cent',
    events: [
      {
        ticker: '%',
        title: 'Where will the Meridian index close?',
        subTitle: 'On %',
        kind: 'tiles',
        endsIn: { days: 4 },
        markets: [
          below(5200, 'Below 5,200', 15),
          between(5200, 5249.99, '5,200 to 5,249.99', 22),
          between(5250, 5299.99, '5,250 to 5,299.99', 31),
          between(5300, 5349.99, '5,300 to 5,349.99', 20),
          { ticker: 'T5350', name: '5,350 or above', percent: 12, strike: { type: 'greater_or_equal', floor: 5350 } },
        ],
      },
      {
        ticker: '%W',
        title: 'Where will the Meridian index close this week?',
        subTitle: 'In the week of %',
        kind: 'tiles',
        endsIn: { days: 6 },
        feeOverride: { type: 'quadratic_with_maker_fees', multiplier: '2' },
        markets: [
          below(5100, 'Below 5,100', 18),
          between(5100, 5299.99, '5,100 to 5,299.99', 47),
          { ticker: 'T5300', name: '5,300 or above', percent: 35, strike: { type: 'greater_or_equal', floor: 5300 } },
        ],
      },
    ],
  },
];
