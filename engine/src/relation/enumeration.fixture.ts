/** What relations pay, by all baskets in all worlds: written down anew and as plainly as can be, to hold the screen against. */
import type { relationOf } from './relation.fixture.ts';

export type Structure = ReturnType<typeof relationOf>;
/** Bounds in micro-dollars, which outcomes are on offer, and how the member has resolved, if it has. */
export type Quote = { low: number; high: number; yes: boolean; no: boolean; resolved: 0 | 1 | null };

const ONE = 1_000_000;

/** Whether each member comes true, in every world that the structure leaves. */
export function allWorlds(structure: Structure): boolean[][] {
  const key = keyOf(structure);
  const known = worldsOfStructure.get(key) ?? makeWorlds(structure);
  worldsOfStructure.set(key, known);
  return known;
}

function keyOf({ kind, isComplete, members }: Structure): string {
  return `${kind} ${isComplete} ${members.map(({ role }) => role).join()}`;
}

const worldsOfStructure = new Map<string, boolean[][]>();

function makeWorlds({ kind, members, isComplete }: Structure): boolean[][] {
  const all = Array.from({ length: 2 ** members.length }, (_, bits) =>
    members.map((_, index) => ((bits >> index) & 1) === 1),
  );
  if (kind === 'pair') return all;
  const implies = (world: readonly boolean[]) => world.every((isTrue, index) => !isTrue || world[index + 1] !== false);
  if (kind === 'ladder') return all.filter(implies);
  const isThreshold = members.map(({ role }) => role === 'threshold');
  return all.filter((world) => {
    const winner = world.findIndex((isTrue, index) => isTrue && !isThreshold[index]);
    const winners = world.filter((isTrue, index) => isTrue && !isThreshold[index]).length;
    if (winners > 1 || (isComplete && winners === 0)) return false;
    if (winners === 0) return implies(world.filter((_, index) => isThreshold[index]));
    return world.every((isTrue, index) => !isThreshold[index] || isTrue === index > winner);
  });
}

/** By how much the best of all baskets that hold Yes, No or nothing of each member pays more than it costs. */
export function bestEdge(structure: Structure, quotes: readonly Quote[]): number {
  const [first] = quotes;
  // The one basket that holds both outcomes of a market.
  if (structure.kind === 'pair') return first?.yes && first.no ? first.low - first.high : Number.NEGATIVE_INFINITY;
  const payouts = allPayouts(structure, quotes);
  const legsLeast = quotes.some(({ resolved }) => resolved !== null) ? 1 : 2;
  let best = Number.NEGATIVE_INFINITY;
  const visit = (index: number, basket: number, cost: number, legs: number) => {
    const quote = quotes[index];
    if (quote === undefined) {
      if (legs >= legsLeast) best = Math.max(best, (payouts[basket] ?? 0) - cost);
      return;
    }
    visit(index + 1, basket * 3, cost, legs);
    if (quote.yes) visit(index + 1, basket * 3 + 1, cost + quote.high, legs + 1);
    if (quote.no) visit(index + 1, basket * 3 + 2, cost + ONE - quote.low, legs + 1);
  };
  visit(0, 0, 0, 0);
  return best;
}

/** What each basket pays in the worst world. A basket is a number with a digit for each member: 0 nothing, 1 Yes, 2 No. */
function allPayouts(structure: Structure, quotes: readonly Quote[]): Float64Array {
  const key = `${keyOf(structure)} ${quotes.map(({ resolved }) => resolved).join()}`;
  const known = payoutsOf.get(key) ?? makePayouts(structure, quotes);
  payoutsOf.set(key, known);
  return known;
}

const payoutsOf = new Map<string, Float64Array>();

function makePayouts(structure: Structure, quotes: readonly Quote[]): Float64Array {
  const payouts = new Float64Array(3 ** quotes.length).fill(Number.POSITIVE_INFINITY);
  const visit = (world: readonly boolean[], index: number, basket: number, pays: number) => {
    if (index === quotes.length) {
      payouts[basket] = Math.min(payouts[basket] ?? 0, pays);
      return;
    }
    visit(world, index + 1, basket * 3, pays);
    visit(world, index + 1, basket * 3 + 1, pays + (world[index] ? ONE : 0));
    visit(world, index + 1, basket * 3 + 2, pays + (world[index] ? 0 : ONE));
  };
  for (const world of allWorlds(structure)) {
    if (quotes.every(({ resolved }, index) => resolved === null || (resolved === 1) === world[index]))
      visit(world, 0, 0, 0);
  }
  return payouts;
}
