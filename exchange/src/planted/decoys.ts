import type { ListedEvent, ListedOutcome } from '../catalogue/listed-event.ts';
import type { CheapSet } from '../makers/prices.ts';
import { GAME_DECOYS } from './game-lines.ts';
import {
  candidates,
  type Draw,
  easierAgainst,
  falling,
  frame,
  noOn,
  type OddQuotes,
  type PlantedCase,
  parts,
  places,
  yesOn,
} from './planted-case.ts';
import { differentRules } from './twins.ts';

type Decoy = (draw: Draw) => Omit<PlantedCase, 'trap' | 'isVoidProne'>;

/** The event of a decoy; fields that are not given have their usual values. */
function one(
  draw: Draw,
  event: Pick<ListedEvent, 'title' | 'question' | 'outcomes'> & Partial<ListedEvent>,
): Pick<PlantedCase, 'events'> {
  return { events: [{ ...frame(draw), kind: 'separate', ...event }] };
}

function looks(
  kind: PlantedCase['kind'],
  basis: PlantedCase['basis'],
  set: CheapSet,
): Pick<PlantedCase, 'kind' | 'basis' | 'direction' | 'set'> {
  const isNo = set.yes.length === 0 || (set.no.length > 1 && set.moved !== undefined);
  return { kind, basis, direction: isNo ? 'no' : 'yes', set };
}

const exclusiveTitle = (subject: string) => ({
  title: `Who will lead the ${subject} council`,
  question: `Will % lead the ${subject} council?`,
});

/** Cheap by its asks, and one of its outcomes may be missing. */
function missingOutcome(
  kind: PlantedCase['kind'],
  structure: Pick<ListedEvent, 'kind' | 'protocol' | 'unlistedBefore'>,
): Decoy {
  return (draw) => {
    const { random, subject } = draw;
    const outcomes = candidates(random, parts(random, random.between(3, 5), random.between(70, 88)));
    return {
      ...one(draw, { ...exclusiveTitle(subject), ...structure, outcomes }),
      ...looks(kind, 'enforced', yesOn(places(outcomes.length))),
    };
  };
}

/** Wordings of which neither implies the other, whatever the figures are. */
const DIFFERENT: readonly (readonly [string, string])[] = [
  ['close the month above $40', 'trade above $50 at any time this month'],
  ['stay above $40 all month', 'close the month above $50'],
  ['be above 40 by the harbour station', 'be above 50 by the airfield station'],
  ['score more than 40 points in the first half', 'score more than 50 points in both halves of the reserves'],
  ["win more than 40 medals in the women's games", "win more than 50 medals in the men's games"],
  ['sell more than 40 thousand tickets online', 'sell more than 50 thousand tickets at the gate'],
  ['be worth more than 40 million crowns', 'be worth more than 50 million dollars'],
  ['name more than 40 nominees for any award', 'name more than 50 winners of any award'],
];

/** For each trap an event, or two, with a set that looks as if it paid. What is written of each says why it does not. */
export const DECOYS: Readonly<Record<string, Decoy>> = {
  /** The order of display counts independent questions. */
  display_order: (draw) => {
    const names = ['a new tram line', 'a record harvest', 'a film festival', 'a snowy week'];
    const outcomes = names.map((name): ListedOutcome => [name, draw.random.between(20, 70)]);
    return {
      ...one(draw, { title: `${draw.subject} next year`, question: `Will ${draw.subject} see %?`, outcomes }),
      ...looks('ladder', 'parsed', easierAgainst(0, 1)),
    };
  },
  /** The venue's field shows a range for what is a threshold. */
  range_of_threshold: (draw) => {
    const outcomes = falling(draw.random, 3).map((percent, place): ListedOutcome => {
      const from = 16 + place;
      return [`over $${from} million`, percent, { shownRange: [from * 1_000_000, (from + 1) * 1_000_000] }];
    });
    return {
      ...one(draw, {
        title: `${draw.subject} auction`,
        question: `Will the ${draw.subject} auction bring %?`,
        ladder: 'declared',
        outcomes,
      }),
      ...looks('at_most_one', 'declared', { ...noOn(places(3)), moved: [] }),
    };
  },
  /** Ranges that share an end: on it two of them win. */
  shared_edge: (draw) => {
    const names = ['0-1k', '1k-2.5k', '2.5k-5k', 'more than 5k'];
    const outcomes = parts(draw.random, 4, 100).map((percent, place): ListedOutcome => [names[place] ?? '', percent]);
    return {
      ...one(draw, { title: `${draw.subject} cards`, question: `Will ${draw.subject} sell % gold cards?`, outcomes }),
      ...looks('at_most_one', 'parsed', noOn(places(4))),
    };
  },
  /** Nothing says which range has the edge where the threshold is: with the upper one all No and the threshold may lose. */
  unowned_edge: (draw) => {
    const names = ['<5', '5 and 10', '10 and 20', 'more than 20'];
    const percents = parts(draw.random, 4, 100);
    const common = { ...frame(draw, '0.001'), question: `Will ${draw.subject} name % members?` };
    const outcomes = percents.map((percent, place): ListedOutcome => [names[place] ?? '', percent]);
    const upper = (percents[2] ?? 0) + (percents[3] ?? 0);
    const threshold: ListedOutcome = ['more than 10', upper];
    return {
      events: [
        { ...common, title: `${draw.subject} council members`, kind: 'exclusive', outcomes },
        { ...common, title: `How many members will ${draw.subject} name`, kind: 'separate', outcomes: [threshold] },
      ],
      wide: [0, 1],
      ...looks('buckets', 'parsed', { yes: [4], no: [2, 3], payout: 2_000_000, moved: [4] }),
    };
  },
  /** What the range says is no range, and nothing says that there are no others. */
  misspelled_range: (draw) => {
    const names = ['under 500,000 people', '500,000-750,000- people', '750,000 to people', 'over 1,000,000 people'];
    const outcomes = parts(draw.random, 4, 96).map((percent, place): ListedOutcome => [names[place] ?? '', percent]);
    return {
      ...one(draw, {
        title: `${draw.subject} parade`,
        question: `Will % come to the ${draw.subject} parade?`,
        outcomes,
      }),
      ...looks('exactly_one', 'parsed', yesOn(places(4))),
    };
  },
  augmented: missingOutcome('exactly_one', { kind: 'augmented' }),
  partial_page: missingOutcome('exactly_one', { kind: 'exclusive', unlistedBefore: 1 }),
  not_exhaustive: missingOutcome('exactly_one', { kind: 'exclusive', protocol: 'v2' }),
  /** Several of them may happen. */
  looks_exclusive: (draw) => {
    const names = ['the old mill be sold', 'a second bakery open', 'the bridge be repaired', 'the fair be moved'];
    const outcomes = names.map((name): ListedOutcome => [name, draw.random.between(40, 60)]);
    return {
      ...one(draw, {
        title: `What will happen before the ${draw.subject} elections`,
        question: `Will % before the ${draw.subject} elections?`,
        outcomes,
      }),
      ...looks('at_most_one', 'parsed', { ...noOn(places(4)), moved: [] }),
    };
  },
  /** The easier threshold ends months before the harder one. */
  different_end_dates: (draw) => {
    const [easy = 0, hard = 0] = falling(draw.random, 2);
    const outcomes: ListedOutcome[] = [
      ['$2 billion', easy, { daysAhead: 60 }],
      ['$3 billion', hard, { daysAhead: 190 }],
    ];
    return {
      ...one(draw, {
        title: `${draw.subject} Labs`,
        question: `Will ${draw.subject} Labs be valued above %?`,
        outcomes,
      }),
      ...looks('ladder', 'parsed', easierAgainst(0, 1)),
    };
  },
  /** Two questions: above one figure, below another. */
  opposite_strikes: (draw) => {
    const outcomes: ListedOutcome[] = [
      ['above 84', draw.random.between(40, 70)],
      ['below 91', draw.random.between(40, 70)],
    ];
    return {
      ...one(draw, { title: `${draw.subject} heat`, question: `Will it be % degrees in ${draw.subject}?`, outcomes }),
      ...looks('ladder', 'parsed', easierAgainst(0, 1)),
    };
  },
  /** Another variable: the extreme against the close, another station, another unit. */
  different_variable: (draw) => {
    const words = DIFFERENT[draw.round % DIFFERENT.length] ?? ['', ''];
    const [easy = 0, hard = 0] = falling(draw.random, 2);
    return {
      ...one(draw, {
        title: `${draw.subject} figures`,
        question: `Will ${draw.subject} %?`,
        outcomes: [
          [words[0], easy],
          [words[1], hard],
        ],
      }),
      ...looks('ladder', 'parsed', easierAgainst(0, 1)),
    };
  },
  /** At the figure itself one wins and the other does not. */
  strictness: (draw) => {
    const percent = draw.random.between(30, 70);
    return {
      ...one(draw, {
        title: `${draw.subject} goals`,
        question: `Will ${draw.subject} score % goals this season?`,
        outcomes: [
          ['more than 40', percent - 10],
          ['at least 40', percent],
        ],
      }),
      ...looks('ladder', 'parsed', easierAgainst(0, 1)),
    };
  },
  /** What stands on one day may not stand on a later one. */
  not_once_true: (draw) => {
    const [later = 0, earlier = 0] = falling(draw.random, 2);
    return {
      ...one(draw, {
        title: `${draw.subject} index`,
        question: `Will the ${draw.subject} index stand above 500 on %?`,
        outcomes: [
          [150, later],
          [80, earlier],
        ],
      }),
      ...looks('window', 'parsed', easierAgainst(0, 1)),
    };
  },
  /** The later window begins later, so that it does not hold the earlier one. */
  window_start: (draw) => {
    const [later = 0, earlier = 0] = falling(draw.random, 2);
    return {
      ...one(draw, {
        title: `${draw.subject} treaty`,
        question: `Will ${draw.subject} sign a treaty between %?`,
        outcomes: [
          ['May 1 and July 31', later],
          ['March 1 and June 30', earlier],
        ],
      }),
      ...looks('window', 'parsed', easierAgainst(0, 1)),
    };
  },
  unquoted: (draw) => oddMember(draw, 'none'),
  unserved: (draw) => oddMember(draw, 'unserved'),
  /** A member has resolved to Yes: the others pay nothing. */
  decided_yes: (draw) => {
    const { random, subject } = draw;
    const listed = candidates(random, parts(random, 3, 30));
    const outcomes: ListedOutcome[] = [...listed, ['Ivo Stone', 0, { decided: 'Yes' }]];
    return {
      ...one(draw, { ...exclusiveTitle(subject), kind: 'exclusive', outcomes }),
      ...looks('exactly_one', 'enforced', yesOn(places(3))),
      oddQuotes: new Map(places(3).map((place) => [place, 'asks only'])),
    };
  },
  /** Cheaper than what it pays, and dearer with the fees. */
  fees: (draw) => {
    const { random, subject } = draw;
    const outcomes = candidates(random, parts(random, random.between(4, 5), 100));
    return {
      ...one(draw, { ...exclusiveTitle(subject), category: 'Sports', tick: '0.01', kind: 'exclusive', outcomes }),
      ...looks('exactly_one', 'enforced', yesOn(places(outcomes.length))),
      isEatenByFees: true,
    };
  },
  ...GAME_DECOYS,
  different_rules: differentRules,
};

/** All are listed, and the others are cheap because one is left out that cannot be had. */
function oddMember(draw: Draw, odd: OddQuotes): ReturnType<Decoy> {
  const { random, subject } = draw;
  const outcomes = candidates(random, [...parts(random, 3, 70), 30]);
  return {
    ...one(draw, { ...exclusiveTitle(subject), kind: 'exclusive', outcomes }),
    ...looks('exactly_one', 'enforced', { ...yesOn([0, 1, 2]), moved: [] }),
    oddQuotes: new Map([[3, odd]]),
  };
}
