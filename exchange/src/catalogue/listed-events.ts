/** One event of the simulated exchange as written down: everything else about it is derived. */
export interface ListedEvent {
  readonly title: string;
  /** Fee schedule name; the rate is in `FEE_RATES`. */
  readonly category: Category;
  readonly tick: '0.01' | '0.0025' | '0.001';
  readonly daysAhead: number;
  /** Absent for `v1`. */
  readonly protocol?: Protocol;
  /**
   * `exclusive`: exactly one outcome wins (negative risk). `augmented`: the same, and an outcome that is not listed may
   * win. `separate`: independent questions under one heading.
   */
  readonly kind: 'exclusive' | 'augmented' | 'separate';
  /** The outcomes stand easiest first, and each implies those before it: `declared` where the venue says so itself. */
  readonly ladder?: 'declared' | 'undeclared';
  readonly series?: string;
  /** The contract has an outcome before this place that nobody lists. */
  readonly unlistedBefore?: number;
  /** `%` in the question is replaced by the outcome's name. */
  readonly question: string;
  /** Name and rough probability in percent of each market; days ahead stand for a date, on which the market ends. */
  readonly outcomes: readonly (readonly [string | number, number])[];
}

/** What the tokens are: `v1` conditional tokens, `v2` positions of Protocol V2, which have a contract of their own. */
export type Protocol = 'v1' | 'v2';

export type Category = 'Crypto' | 'Sports' | 'Politics' | 'Tech' | 'Culture' | 'Weather' | 'Economics' | 'Geopolitics';

/** Taker fee rates by category, as decimals. */
export const FEE_RATES: Readonly<Record<Category, string>> = {
  Crypto: '0.07',
  Sports: '0.05',
  Politics: '0.04',
  Tech: '0.04',
  Culture: '0.05',
  Weather: '0.05',
  Economics: '0.05',
  Geopolitics: '0',
};

/** The events that the simulated exchange lists. All names and happenings are invented. */
export const LISTED_EVENTS: readonly ListedEvent[] = [
  {
    title: 'Aurora Cup winner',
    category: 'Sports',
    tick: '0.01',
    daysAhead: 63,
    kind: 'exclusive',
    question: 'Will the % win the Aurora Cup?',
    outcomes: [
      ['Northgate Wolves', 31],
      ['Silver Bay Mariners', 24],
      ['Tallow Hill Rovers', 17],
      ['Port Ember City', 13],
      ['Greyfen United', 9],
      ['Lowmoor Athletic', 6],
    ],
  },
  {
    title: 'Port Meridian mayoral election',
    category: 'Politics',
    tick: '0.01',
    daysAhead: 88,
    kind: 'exclusive',
    question: 'Will % be elected mayor of Port Meridian?',
    outcomes: [
      ['Ilse Marrow', 42],
      ['Tobin Ashgrove', 31],
      ['Renata Quill', 18],
      ['Casper Holloway', 9],
    ],
  },
  {
    title: 'Harbour League chair',
    category: 'Politics',
    tick: '0.01',
    daysAhead: 41,
    kind: 'exclusive',
    question: 'Will % be the next chair of the Harbour League?',
    outcomes: [
      ['Dagny Voss', 46],
      ['Emeric Sand', 34],
      ['Oriel Tanning', 20],
    ],
  },
  {
    title: 'Lanternlight album of the month',
    category: 'Culture',
    tick: '0.01',
    daysAhead: 34,
    kind: 'exclusive',
    question: 'Will "%" be the most streamed album on Lanternlight this month?',
    outcomes: [
      ['Paper Comets', 37],
      ['Salt and Static', 26],
      ['Nine Quiet Rooms', 19],
      ['Harvest Machines', 11],
      ['The Long Ferry', 7],
    ],
  },
  {
    title: 'Snowiest town of the season',
    category: 'Weather',
    tick: '0.01',
    daysAhead: 119,
    kind: 'exclusive',
    question: 'Will % record the most snow this season?',
    outcomes: [
      ['Highmark', 38],
      ['Fennis Pass', 29],
      ['Ostergap', 20],
      ['Blue Cairn', 13],
    ],
  },
  {
    title: 'First private crew to lunar orbit',
    category: 'Tech',
    tick: '0.001',
    daysAhead: 240,
    kind: 'exclusive',
    question: 'Will % be first to fly a private crew around the moon?',
    outcomes: [
      ['Helion Works', 45.5],
      ['Kestrel Aerospace', 28.4],
      ['Polar Arc', 16.3],
      ['Nobody before the deadline', 9.8],
    ],
  },
  {
    title: 'Straits accord first signatory',
    category: 'Geopolitics',
    tick: '0.001',
    daysAhead: 75,
    kind: 'exclusive',
    question: 'Will % be the first to sign the Straits accord?',
    outcomes: [
      ['Valdoria', 36.2],
      ['Esmark', 27.9],
      ['The Corran Isles', 21.4],
      ['None of them', 14.5],
    ],
  },
  {
    title: 'Grand Regatta line honours',
    category: 'Sports',
    tick: '0.001',
    daysAhead: 52,
    kind: 'exclusive',
    question: 'Will % take line honours in the Grand Regatta?',
    outcomes: [
      ['Windlass', 23.1],
      ['Petrel IV', 19.6],
      ['Black Marlin', 16.4],
      ['Foxfire', 13.2],
      ['Obsidian', 10.5],
      ['Lady Thorne', 8.3],
      ['Saltwater', 5.4],
      ['Ninth Wave', 3.5],
    ],
  },
  {
    title: 'Ostrel Film Prize best picture',
    category: 'Culture',
    tick: '0.01',
    daysAhead: 97,
    kind: 'augmented',
    question: 'Will "%" win best picture at the Ostrel Film Prize?',
    outcomes: [
      ['A Field of Clocks', 27],
      ['The Understudy', 21],
      ['Copper Rain', 16],
      ['Letters to Nobody', 12],
      ['Midnight Balances', 9],
      ['Small Hours', 6],
    ],
  },
  {
    title: 'Meridian Coin at the end of the month',
    category: 'Crypto',
    tick: '0.01',
    daysAhead: 30,
    kind: 'separate',
    ladder: 'undeclared',
    series: 'meridian-coin-monthly',
    question: 'Will Meridian Coin close the month above %?',
    outcomes: [
      ['$400', 82],
      ['$450', 66],
      ['$500', 48],
      ['$550', 33],
      ['$600', 19],
      ['$700', 8],
    ],
  },
  {
    title: 'Bank of Aldmark policy rate',
    category: 'Economics',
    tick: '0.01',
    daysAhead: 26,
    kind: 'exclusive',
    question: 'Will the Bank of Aldmark decide on a % at its next meeting?',
    outcomes: [
      ['cut of half a point', 8],
      ['cut of a quarter point', 41],
      ['hold', 45],
      ['rise', 6],
    ],
  },
  {
    title: 'Aldmark economy next quarter',
    category: 'Economics',
    tick: '0.01',
    daysAhead: 110,
    kind: 'separate',
    question: 'Will Aldmark report %?',
    outcomes: [
      ['growth above 2 %', 37],
      ['inflation below 3 %', 58],
      ['unemployment above 5 %', 29],
      ['a trade surplus', 44],
    ],
  },
  {
    title: 'Quantum and compute milestones',
    category: 'Tech',
    tick: '0.01',
    daysAhead: 180,
    kind: 'separate',
    question: 'Will % before the summer?',
    outcomes: [
      ['Lumen Labs ship a 10,000-qubit machine', 22],
      ['Orchard release its fifth model', 71],
      ['a home robot sell a million units', 13],
      ['Tessel open its chip plant', 54],
    ],
  },
  {
    title: 'Weather at the Midwinter Fair',
    category: 'Weather',
    tick: '0.01',
    daysAhead: 24,
    kind: 'separate',
    question: 'Will the Midwinter Fair see %?',
    outcomes: [
      ['snow on the opening day', 39],
      ['a night below -15 degrees', 27],
      ['wind above 90 km/h', 18],
    ],
  },
  {
    title: 'Corran Isles talks',
    category: 'Geopolitics',
    tick: '0.0025',
    daysAhead: 58,
    kind: 'separate',
    question: 'Will the Corran Isles talks bring %?',
    outcomes: [
      ['a ceasefire', 34],
      ['a prisoner exchange', 61],
      ['a joint fisheries zone', 25],
    ],
  },
  {
    title: 'Skyline railway opening year',
    category: 'Tech',
    tick: '0.01',
    daysAhead: 150,
    protocol: 'v2',
    kind: 'separate',
    question: 'Will the Skyline railway % in its opening year?',
    outcomes: [
      ['carry its first million passengers', 63],
      ['open the Larkspur branch', 35],
      ['run a night service', 47],
      ['raise its fares', 28],
    ],
  },
  {
    title: 'Dock strike at Silver Bay',
    category: 'Economics',
    tick: '0.01',
    daysAhead: 120,
    kind: 'separate',
    ladder: 'undeclared',
    question: 'Will the dock strike at Silver Bay end by %?',
    outcomes: [
      [120, 71],
      [75, 52],
      [40, 30],
      [24, 12],
    ],
  },
  {
    title: 'Rain at Ostergap next month',
    category: 'Weather',
    tick: '0.01',
    daysAhead: 45,
    kind: 'separate',
    ladder: 'declared',
    series: 'ostergap-rain',
    question: 'Will Ostergap get more than % mm of rain next month?',
    outcomes: [
      ['20', 83],
      ['40', 64],
      ['60', 41],
      ['80', 22],
    ],
  },
  {
    title: 'Host of the next Corran Games',
    category: 'Sports',
    tick: '0.01',
    daysAhead: 140,
    kind: 'exclusive',
    unlistedBefore: 2,
    question: 'Will % host the next Corran Games?',
    outcomes: [
      ['Vallmere', 33],
      ['Tarn Quay', 28],
      ['Eastholm', 17],
    ],
  },
  {
    title: 'Before the Skyline railway opens',
    category: 'Culture',
    tick: '0.01',
    daysAhead: 150,
    kind: 'separate',
    question: 'Will % before the Skyline railway opens?',
    outcomes: [
      ['the Larkspur bridge be finished', 44],
      ['Renata Quill leave the council', 21],
      ['Paper Comets release a second album', 37],
    ],
  },
];
