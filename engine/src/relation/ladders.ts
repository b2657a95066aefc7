/** Nested markets: the harder one implies every easier one. */

import type { CatalogueEvent, EventMember } from './catalogue-event.ts';
import { readDeadline } from './deadlines.ts';
import { fingerprintOf, templateOf } from './fingerprint.ts';
import { rangesOf } from './ranges.ts';
import type { Basis, Relation } from './relation.ts';

/** `order`: ascending from the hardest. `asks`: equal where two questions differ in their number or date alone. */
type Rung = { member: EventMember; order: number; asks: string };
type Ladder = { rungs: readonly Rung[]; basis: Basis; readFrom: string };

/** Reads ladders by thresholds of one variable, or by dates until which something has to happen once; hardest member first. */
export function readLadders(event: CatalogueEvent, members: readonly EventMember[]): Relation[] {
  const thresholds = groups(thresholdRungs(event, members)).map(
    (rungs): Ladder => ({ rungs, basis: event.nested ?? 'parsed', readFrom: 'numbers' }),
  );
  const deadlines = groups(members.flatMap(deadlineRung))
    .filter(haveEndsInOrder)
    .map((rungs): Ladder => ({ rungs, basis: 'parsed', readFrom: 'dates' }));
  return [...thresholds, ...deadlines].map((ladder) => ladderOf(event, ladder));
}

function thresholdRungs(event: CatalogueEvent, members: readonly EventMember[]): Rung[] {
  return rangesOf(event, members).flatMap(({ member, strike, isBucket, variable }) => {
    if (isBucket || strike.kind === 'between') return [];
    const order = strike.kind === 'above' ? -strike.floor : strike.cap;
    return [{ member, order, asks: `${strike.kind} ${variable}` }];
  });
}

function deadlineRung(member: EventMember): Rung[] {
  const read = readDeadline(member);
  return read === null ? [] : [{ member, order: read.deadline, asks: read.rest }];
}

/** Groups rungs; two with an equal number or date are left out, because neither is known to imply the other. */
function groups(rungs: readonly Rung[]): Rung[][] {
  return [...Map.groupBy(rungs, ({ asks }) => asks).values()]
    .map((group) => {
      const times = Map.groupBy(group, ({ order }) => order);
      return group.filter(({ order }) => times.get(order)?.length === 1);
    })
    .filter(({ length }) => length > 1)
    .map((group) => group.toSorted((one, other) => one.order - other.order));
}

/** A market of a later date that ends before one of an earlier date is not what its words say. */
function haveEndsInOrder(rungs: readonly Rung[]): boolean {
  const ends = rungs.flatMap(({ member }) => member.endDate ?? []);
  return ends.every((end, index) => index === 0 || end >= (ends[index - 1] ?? end));
}

function ladderOf(event: CatalogueEvent, { rungs, basis, readFrom }: Ladder): Relation {
  const members = rungs.map(({ member }) => member);
  const listedFirst = event.members.find((member) => members.some(({ marketId }) => marketId === member.marketId));
  return {
    key: `ladder:${event.id}:${listedFirst?.marketId ?? ''}`,
    kind: 'ladder',
    basis,
    title: `Each of ${members.length} steps implies the easier ones`,
    members: members.map(({ marketId }) => ({ eventId: event.id, marketId, role: 'threshold' as const })),
    readFrom: [
      ...(basis === 'parsed' ? [] : [`nested = ${basis}`]),
      `${readFrom} in "${members[0]?.question ?? ''}" and ${members.length - 1} more`,
    ],
    isComplete: false,
    completeness: 'A ladder needs no further steps',
    isVoidSafe: basis === 'enforced',
    fingerprintText: fingerprintOf([event], members, 'ladder'),
    template: templateOf(event, members, 'ladder'),
  };
}
