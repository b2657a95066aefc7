import type { MemberRole, RelationKind } from './relation.ts';

/** A relation over markets "m1", "m2" and so on, of one event. */
export function relationOf(kind: RelationKind, roles: string, isComplete = kind === 'exactly_one') {
  const names: Record<string, MemberRole> = { o: 'outcome', t: 'threshold', b: 'bucket' };
  const members = [...roles].map((letter, index) => ({
    eventId: 'e1',
    marketId: `m${index + 1}`,
    role: names[letter] ?? 'outcome',
  }));
  return { kind, members, isComplete, isVoidSafe: kind !== 'ladder' && kind !== 'buckets' };
}

/** Numbers from 0 to 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
