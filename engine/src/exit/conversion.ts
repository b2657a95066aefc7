/** The ways in which the venue's contracts convert shares into dollars, by the formulas of the contracts. */
import { divInteger, mulDiv } from '@dutchbook/units/micro.ts';
import type { Balances, EventHolding } from './event-holding.ts';

/**
 * One call of a contract, of `micro` millionths of a share. `merge`: both outcomes of `members[0]`. `convert`: the second
 * outcome of each member. `horizontal_merge`: the first outcome of all. `directional_merge`: above `members[0]` with below
 * `members[1]`, a higher line.
 */
export type ConversionCall = {
  kind: 'merge' | 'convert' | 'horizontal_merge' | 'directional_merge';
  members: readonly number[];
  micro: number;
};

export type ConversionEffect = { dollars: number; changes: readonly (readonly [token: number, micro: number])[] };

const BIPS = 10_000;

/** The dollars and shares that a call gives (positive) and takes (negative), in millionths. */
export function effectOf(
  { structure, members: all }: EventHolding,
  { kind, members, micro }: ConversionCall,
): ConversionEffect {
  const [first = 0, second = 0] = members;
  switch (kind) {
    case 'merge':
      return { dollars: micro, changes: [change(2 * first, -micro), change(2 * first + 1, -micro)] };
    case 'horizontal_merge':
      return { dollars: micro, changes: all.map((_, member) => change(2 * member, -micro)) };
    case 'directional_merge': {
      const lines = structure.kind === 'thresholds' ? structure.lines : [];
      const [from = 0, to = 0] = [lines[first], lines[second]];
      const between = Array.from({ length: to - from }, (_, nth) => change(2 * (lines.length + from + nth), micro));
      return { dollars: micro, changes: [change(2 * first, -micro), change(2 * second + 1, -micro), ...between] };
    }
    case 'convert': {
      const bips = structure.kind === 'negative_risk' ? (structure.feeBips ?? 0) : 0;
      const given = micro - mulDiv(micro, bips, BIPS, 'down');
      const chosen = new Set(members);
      const changes = all.map((_, member) =>
        chosen.has(member) ? change(2 * member + 1, -micro) : change(2 * member, given),
      );
      return { dollars: (members.length - 1) * given, changes };
    }
  }
}

/** The most that the balances allow of a call. */
export function mostOf(holding: EventHolding, call: Omit<ConversionCall, 'micro'>, balances: Balances): number {
  const taken = effectOf(holding, { ...call, micro: BIPS }).changes.filter(([, micro]) => micro < 0);
  return taken.length === 0 ? 0 : Math.min(...taken.map(([token]) => balances[token] ?? 0));
}

/**
 * Conversions that take `amounts[i]` of the second outcome of each member, `total` in all, none of them more than `total`: the
 * amounts are laid one behind the other around a circle of that length, and each piece of it converts those that cover it.
 */
export function conversionsOf(amounts: readonly number[], total: number): ConversionCall[] {
  if (total <= 0) return [];
  const arcs: { member: number; from: number; to: number }[] = [];
  let at = 0;
  for (const [member, amount] of amounts.entries()) {
    const end = at + Math.min(amount, total);
    if (amount > 0) arcs.push({ member, from: at, to: Math.min(end, total) });
    if (end > total) arcs.push({ member, from: 0, to: end - total });
    at = end - total * divInteger(end, total, 'down');
  }
  const cuts = [...new Set([0, total, ...arcs.flatMap(({ from, to }) => [from, to])])].sort((a, b) => a - b);
  return cuts.slice(1).flatMap((to, nth): ConversionCall[] => {
    const from = cuts[nth] ?? 0;
    const members = arcs.filter((arc) => arc.from <= from && to <= arc.to).map(({ member }) => member);
    return members.length === 0 ? [] : [{ kind: 'convert', members, micro: to - from }];
  });
}

/** Pairs of members: each line with each higher one. */
export function pairsOfLines(lines: readonly number[]): [low: number, high: number][] {
  return lines.flatMap((_, low) => lines.slice(low + 1).map((_, above): [number, number] => [low, low + 1 + above]));
}

function change(token: number, micro: number): readonly [number, number] {
  return [token, micro];
}
