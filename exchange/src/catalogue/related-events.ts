import type { ListedEvent, ListedOutcome } from './listed-event.ts';

/** A range of the variable at this place, counted from 0. */
const range = (name: string, percent: number, place: number): ListedOutcome => [
  name,
  percent,
  { range: [place, place + 1] },
];

/** Ranges of a temperature that tile it, in each event of the series. */
const highmark = (
  week: string,
  daysAhead: number,
  percents: readonly [number, number, number, number],
): ListedEvent => ({
  title: `Highest temperature at Highmark ${week}`,
  category: 'Weather',
  tick: '0.01',
  daysAhead,
  kind: 'exclusive',
  series: 'highmark-highest-temperature',
  variable: `Highmark ${week}`,
  question: `Will the highest temperature at Highmark be % ${week}?`,
  clause: 'Temperatures are whole degrees, as the station prints them.',
  outcomes: [
    range('11 degrees or less', percents[0], 0),
    range('between 12 and 14 degrees', percents[1], 1),
    range('between 15 and 17 degrees', percents[2], 2),
    range('18 degrees or more', percents[3], 3),
  ],
});

/** Events that have more to do with each other, or less, than a title tells. All names and happenings are invented. */
export const RELATED_EVENTS: readonly ListedEvent[] = [
  {
    title: 'Silver Bay ferry passengers next month',
    category: 'Economics',
    tick: '0.001',
    daysAhead: 48,
    kind: 'exclusive',
    variable: 'Silver Bay ferries',
    question: 'Will the Silver Bay ferries carry % passengers next month?',
    clause: 'Passengers are whole numbers, as the harbour office prints them.',
    outcomes: [
      range('less than 40,000', 14, 0),
      range('between 40,000 and 44,999', 27, 1),
      range('between 45,000 and 49,999', 31, 2),
      range('between 50,000 and 54,999', 19, 3),
      range('at least 55,000', 9, 4),
    ],
  },
  {
    title: 'How busy will the Silver Bay ferries be?',
    category: 'Economics',
    tick: '0.001',
    daysAhead: 48,
    kind: 'separate',
    ladder: 'undeclared',
    variable: 'Silver Bay ferries',
    question: 'Will the Silver Bay ferries carry at least % passengers next month?',
    clause: 'Passengers are whole numbers, as the harbour office prints them.',
    outcomes: [
      ['40,000', 86, { range: [1, 5] }],
      ['45,000', 59, { range: [2, 5] }],
      ['50,000', 28, { range: [3, 5] }],
    ],
  },
  {
    title: 'Tessel share price at the end of the year',
    category: 'Economics',
    tick: '0.01',
    daysAhead: 130,
    protocol: 'v2',
    kind: 'directional',
    variable: 'Tessel share',
    question: 'Will Tessel shares end the year %?',
    outcomes: [
      range('less than $80', 22, 0),
      range('at least $80 and less than $100', 34, 1),
      range('at least $100 and less than $120', 27, 2),
      range('at least $120', 17, 3),
      ['at least $80', 78, { range: [1, 4] }],
      ['at least $100', 44, { range: [2, 4] }],
    ],
  },
  {
    title: 'Builder of the Larkspur bridge',
    category: 'Politics',
    tick: '0.01',
    daysAhead: 84,
    protocol: 'v2',
    kind: 'exclusive',
    listsOther: true,
    question: 'Will % win the contract for the Larkspur bridge?',
    outcomes: [
      ['Harrow and Stone', 38],
      ['Vallmere Steel', 29],
      ['the Tidewater group', 21],
      ['any other firm', 12],
    ],
  },
  {
    title: 'Northern Sprint champion',
    category: 'Sports',
    tick: '0.01',
    daysAhead: 70,
    kind: 'exclusive',
    question: 'Will % be champion of the Northern Sprint?',
    outcomes: [
      ['Signe Halvard', 36],
      ['Bram Oakley', 27],
      ['Ludo Farrant', 0, { decided: 'No' }],
      ['Maren Tull', 22],
      ['Iskra Wend', 15],
    ],
  },
  {
    title: 'Lumen Labs valuation',
    category: 'Tech',
    tick: '0.01',
    daysAhead: 200,
    kind: 'separate',
    ladder: 'undeclared',
    question: 'Will Lumen Labs be valued above %?',
    outcomes: [
      ['$2 billion', 76, { daysAhead: 110 }],
      ['$3 billion', 55],
      ['$5 billion', 31, { daysAhead: 110 }],
      ['$8 billion', 14],
    ],
  },
  highmark('next week', 33, [19, 34, 30, 17]),
  highmark('in two weeks', 40, [23, 31, 28, 18]),
];
