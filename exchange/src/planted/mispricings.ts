import type { ListedEvent, ListedOutcome } from '../catalogue/listed-event.ts';
import { gameLines } from './game-lines.ts';
import {
  candidates,
  type Draw,
  easierAgainst,
  falling,
  frame,
  noOn,
  type PlantedCase,
  type PlantedKind,
  parts,
  places,
  yesOn,
} from './planted-case.ts';
import { twins } from './twins.ts';

type Builder = (draw: Draw) => PlantedCase;
type Published = Pick<PlantedCase, 'trap' | 'isVoidProne'>;

const HOLDS: Published = { trap: null, isVoidProne: false };

/** How each kind is drawn. The set that is made cheap is the best there is between the markets, and the only one. */
export const MISPRICINGS: Readonly<Record<PlantedKind, Builder>> = {
  exactly_one: exactlyOne,
  at_most_one: atMostOne,
  ladder: (draw) => ladder(draw, HOLDS),
  buckets: (draw) => (draw.round % 4 < 2 ? directional(draw) : twoEvents(draw)),
  window,
  augmented,
  partial_page: partialPage,
  void_prone: (draw) => ladder(draw, { ...HOLDS, isVoidProne: true }),
  game: gameLines,
  twin: twins,
};

/** All are listed: of either protocol, or with one that has come to No already. */
function exactlyOne(draw: Draw): PlantedCase {
  const { subject, round, random } = draw;
  const listed = candidates(random, parts(random, random.between(3, 6), 100));
  const variant = (['plain', 'other', 'decided'] as const)[round % 3];
  const outcomes: ListedOutcome[] = variant === 'decided' ? [...listed, ['Ivo Stone', 0, { decided: 'No' }]] : listed;
  const open = places(listed.length);
  const isYes = Math.floor(round / 3) % 2 === 0;
  return {
    ...HOLDS,
    kind: 'exactly_one',
    basis: 'enforced',
    direction: isYes ? 'yes' : 'no',
    set: isYes ? yesOn(open) : noOn(open),
    events: [
      {
        ...frame(draw),
        title: `Mayor of ${subject}`,
        kind: 'exclusive',
        ...(variant === 'other' ? { protocol: 'v2', listsOther: true } : {}),
        question: `Will % be elected mayor of ${subject}?`,
        outcomes,
      },
    ],
  };
}

/** Of Protocol V2, whose outcome for all others is not listed. */
function atMostOne(draw: Draw): PlantedCase {
  return noBasket(draw, 'at_most_one', { kind: 'exclusive', protocol: 'v2' });
}

function augmented(draw: Draw): PlantedCase {
  return noBasket(draw, 'augmented', { kind: 'augmented' });
}

function partialPage(draw: Draw): PlantedCase {
  return noBasket(draw, 'partial_page', { kind: 'exclusive', unlistedBefore: draw.random.between(0, 2) });
}

function noBasket(
  draw: Draw,
  kind: PlantedKind,
  structure: Pick<ListedEvent, 'kind' | 'protocol' | 'unlistedBefore'>,
): PlantedCase {
  const { subject, random } = draw;
  const outcomes = candidates(random, parts(random, random.between(3, 5), random.between(92, 97)));
  return {
    ...HOLDS,
    kind,
    basis: 'enforced',
    direction: 'no',
    set: noOn(places(outcomes.length)),
    events: [
      {
        ...frame(draw),
        title: `${subject} Open champion`,
        ...structure,
        question: `Will % win the ${subject} Open?`,
        outcomes,
      },
    ],
  };
}

/** Thresholds of one variable, easiest first. */
function ladder(draw: Draw, reported: Published): PlantedCase {
  const { subject, round, random } = draw;
  const count = random.between(3, 5);
  const base = random.between(3, 30) * 10;
  const outcomes = falling(random, count).map((percent, place): ListedOutcome => [`${base + 20 * place}`, percent]);
  const easier = random.between(0, count - 2);
  const isDeclared = round % 2 === 0;
  return {
    ...reported,
    kind: reported.isVoidProne ? 'void_prone' : 'ladder',
    basis: isDeclared ? 'declared' : 'parsed',
    direction: 'yes',
    set: easierAgainst(easier, easier + 1),
    events: [
      {
        ...frame(draw),
        title: `${subject} festival tickets`,
        kind: 'separate',
        ladder: isDeclared ? 'declared' : 'undeclared',
        question: `Will the ${subject} festival sell more than % thousand tickets?`,
        ...(reported.isVoidProne ? { clause: 'If the festival is called off, this market resolves 50-50.' } : {}),
        outcomes,
      },
    ],
  };
}

/** A question by several deadlines, the latest first. */
function window(draw: Draw): PlantedCase {
  const { subject, random } = draw;
  const count = random.between(3, 4);
  const outcomes = falling(random, count).map(
    (percent, place): ListedOutcome => [170 - 40 * place - random.between(0, 20), percent],
  );
  const easier = random.between(0, count - 2);
  return {
    ...HOLDS,
    kind: 'window',
    basis: 'parsed',
    direction: 'yes',
    set: easierAgainst(easier, easier + 1),
    events: [
      {
        ...frame(draw),
        title: `Opening of the ${subject} tunnel`,
        kind: 'separate',
        ladder: 'undeclared',
        question: `Will the ${subject} tunnel open by %?`,
        outcomes,
      },
    ],
  };
}

/** Four ranges that tile a variable, the threshold being between the second and the third. `from`: where the second begins. */
function ranges(
  { random }: Draw,
  from: number,
  between: (first: number, next: number) => string,
): { buckets: ListedOutcome[]; threshold: ListedOutcome } {
  const [first, second, third, fourth] = parts(random, 4, 100) as [number, number, number, number];
  return {
    buckets: [
      [`less than ${from}`, first, { range: [0, 1] }],
      [between(from, from + 10), second, { range: [1, 2] }],
      [between(from + 10, from + 20), third, { range: [2, 3] }],
      [`at least ${from + 20}`, fourth, { range: [3, 4] }],
    ],
    threshold: [`at least ${from + 10}`, third + fourth, { range: [2, 4] }],
  };
}

/**
 * The quotes of the threshold alone move, and the other ranges are quoted wide, so that no other set is cheap. The threshold's
 * place is behind the ranges.
 */
function againstThreshold(draw: Draw): Pick<PlantedCase, 'kind' | 'direction' | 'set' | 'wide'> & Published {
  const moved = [4];
  const isYes = draw.round % 2 === 0;
  return {
    ...HOLDS,
    kind: 'buckets',
    wide: [0, 1],
    direction: isYes ? 'yes' : 'no',
    set: isYes
      ? { yes: [2, 3], no: moved, payout: 1_000_000, moved }
      : { yes: moved, no: [2, 3], payout: 2_000_000, moved },
  };
}

function directional(draw: Draw): PlantedCase {
  const { subject, random } = draw;
  const from = random.between(2, 20) * 10;
  const { buckets, threshold } = ranges(draw, from, (first, next) => `at least ${first} and less than ${next}`);
  return {
    ...againstThreshold(draw),
    basis: 'enforced',
    events: [
      {
        ...frame(draw, '0.001'),
        title: `${subject} shares`,
        protocol: 'v2',
        kind: 'directional',
        question: `Will ${subject} shares close at % dollars?`,
        outcomes: [...buckets, threshold],
      },
    ],
  };
}

function twoEvents(draw: Draw): PlantedCase {
  const { subject, random } = draw;
  const from = random.between(20, 90) * 10;
  const { buckets, threshold } = ranges(draw, from, (first, next) => `between ${first} and ${next - 1}`);
  const common = {
    ...frame(draw, '0.001'),
    question: `Will ${subject} print % papers that day?`,
    clause: 'Papers are whole numbers.',
  };
  return {
    ...againstThreshold(draw),
    basis: 'parsed',
    events: [
      { ...common, title: `Papers printed in ${subject}`, kind: 'exclusive', outcomes: buckets },
      { ...common, title: `How many papers will ${subject} print?`, kind: 'separate', outcomes: [threshold] },
    ],
  };
}
