/** One question in two events, and another that only looks like it. */
import type { ListedEvent } from '../catalogue/listed-event.ts';
import { type Draw, easierAgainst, frame, type PlantedCase } from './planted-case.ts';

type Clauses = readonly [string, string];

function twoEvents(draw: Draw, clauses: Clauses): Pick<PlantedCase, 'kind' | 'basis' | 'direction' | 'set' | 'events'> {
  const { subject, random } = draw;
  const percent = random.between(30, 70);
  const cheap = random.between(0, 1);
  const common = frame(draw);
  const question = `Will ${subject} host the winter fair?`;
  const events = clauses.map(
    (clause, place): ListedEvent => ({
      ...common,
      title: place === 0 ? `${subject} winter fair` : `Where is the winter fair, and is it ${subject}?`,
      kind: 'separate',
      question: '%',
      clause,
      outcomes: [['the winter fair', percent, { question, ...(place === 0 ? {} : { listedAs: 'again' }) }]],
    }),
  );
  return { kind: 'twin', basis: 'parsed', direction: 'yes', set: easierAgainst(cheap, 1 - cheap), events };
}

/** Either implies the other. */
export function twins(draw: Draw): PlantedCase {
  const clause = `By the announcement of the ${draw.subject} council.`;
  return { trap: null, isVoidProne: false, ...twoEvents(draw, [clause, clause]) };
}

/** By other rules it is another question. */
export function differentRules(draw: Draw): ReturnType<typeof twoEvents> {
  return twoEvents(draw, [
    `By the announcement of the ${draw.subject} council.`,
    `By the announcement of the ${draw.subject} council, or if the fair is held elsewhere in its name.`,
  ]);
}
