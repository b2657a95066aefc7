import { mulDiv } from '@dutchbook/units/micro.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FeeSchedule } from '../market/market.ts';
import { bestMix } from './best-mix.ts';
import { carryOut } from './carry-out.ts';
import type { ConversionCall } from './conversion.ts';
import { anyHolding, NO_COSTS } from './event-holding.fixture.ts';
import { balancesOf, type EventHolding } from './event-holding.ts';
import { type ExitRoute, planExit } from './plan-exit.ts';
import type { ExitStep } from './steps.ts';

/** EXIT_RUNS=10000 takes about as many holdings as its name says. */
const numRuns = Number(process.env.EXIT_RUNS ?? 100);

describe('any holding of an event', () => {
  it('has no single way out that is worth more than the best mix', () => {
    fc.assert(
      fc.property(anyHolding, (holding) => {
        const { best, sell, cashNow, hold } = planExit(holding, NO_COSTS);
        for (const route of [sell, cashNow, hold]) expect(best.worth).toBeGreaterThanOrEqual(route.worth);
        for (const calls of singleRoutes(holding)) {
          for (const sales of [null, balancesOf(holding).map(() => 0)]) {
            const { converted, sold, least } = carryOut(holding, calls, sales);
            expect(best.worth).toBeGreaterThanOrEqual(converted + sold + least);
          }
        }
      }),
      { numRuns },
    );
  });

  it('comes within rounding of the best by the linear program alone', () => {
    fc.assert(
      fc.property(anyHolding, (holding) => {
        const { calls, sales } = bestMix(holding, { mayConvert: true, heldValue: 1 });
        const mix = carryOut(holding, calls, sales);
        // Of each sale less than the least size may stay, and each match may cost a step of its fee more.
        expect(mix.converted + mix.sold + mix.least + 20_000).toBeGreaterThanOrEqual(
          planExit(holding, NO_COSTS).best.worth,
        );
      }),
      { numRuns },
    );
  });

  it('brings to the micro-dollar what the contracts and the bids give for its steps, and never takes what is not there', () => {
    fc.assert(
      fc.property(anyHolding, (holding) => {
        const plan = planExit(holding, NO_COSTS);
        for (const route of [plan.best, plan.sell, plan.cashNow]) {
          const { dollars, left } = carriedOutByHand(holding, route);
          expect(route.net).toBe(dollars);
          expect(route.left).toEqual(left);
        }
      }),
      { numRuns },
    );
  });
});

/** Every set of outcomes converted, every merge, the whole event, one after the other as far as each goes. */
function singleRoutes({ structure, members }: EventHolding): ConversionCall[][] {
  const all = Number.MAX_SAFE_INTEGER;
  const merges = members.map((_, member): ConversionCall => ({ kind: 'merge', members: [member], micro: all }));
  const whole: ConversionCall = { kind: 'horizontal_merge', members: [], micro: all };
  if (structure.kind === 'whole_event') {
    const ones = members.map((_, member): ConversionCall[] => [
      { kind: 'convert', members: [member], micro: all },
      ...merges,
    ]);
    return [merges, [whole], [whole, ...merges], [...merges, whole], ...ones];
  }
  if (structure.kind === 'thresholds') {
    const pairs = structure.lines.flatMap((_, low) =>
      structure.lines.flatMap((_, high): ConversionCall[] =>
        low < high ? [{ kind: 'directional_merge', members: [low, high], micro: all }] : [],
      ),
    );
    return [merges, ...pairs.flatMap((pair) => [[pair], [pair, ...merges], [...merges, pair]])];
  }
  if (structure.kind !== 'negative_risk' || structure.feeBips === null) return [merges];
  const sets = Array.from({ length: 2 ** members.length - 1 }, (_, bits) =>
    members.flatMap((_, member) => (((bits + 1) >> member) & 1 ? [member] : [])),
  );
  return [
    merges,
    ...sets.flatMap((set): ConversionCall[][] => {
      const convert: ConversionCall = { kind: 'convert', members: set, micro: all };
      return [[convert], [convert, ...merges]];
    }),
  ];
}

/** A second reckoning, token by token and match by match. */
function carriedOutByHand(holding: EventHolding, { steps }: ExitRoute) {
  const { members } = holding;
  const held = new Map(
    members.flatMap(({ tokens }) => tokens.map(({ tokenId, shares }) => [tokenId, shares as number])),
  );
  let dollars = 0;
  for (const step of steps) {
    const at = step.marketIds.map((id) => members.findIndex(({ market }) => market.id === id));
    const { paid, moves } = step.kind === 'sell' ? soldByHand(holding, at, step) : convertedByHand(holding, at, step);
    dollars += paid;
    for (const [member, side, micro] of moves) {
      const tokenId = members[member]?.tokens[side].tokenId ?? '';
      const after = (held.get(tokenId) ?? 0) + micro;
      expect(after).toBeGreaterThanOrEqual(0);
      held.set(tokenId, after);
    }
  }
  return { dollars, left: [...held.values()] };
}

type ByHand = { paid: number; moves: [member: number, side: 0 | 1, micro: number][] };

function convertedByHand({ structure, members }: EventHolding, at: readonly number[], step: ExitStep): ByHand {
  const { kind, shares } = step;
  const [first = 0, second = 0] = at;
  if (kind === 'merge')
    return {
      paid: shares,
      moves: [
        [first, 0, -shares],
        [first, 1, -shares],
      ],
    };
  if (kind === 'horizontal_merge') return { paid: shares, moves: members.map((_, member) => [member, 0, -shares]) };
  if (kind === 'directional_merge' && structure.kind === 'thresholds') {
    const moves: ByHand['moves'] = [
      [first, 0, -shares],
      [second, 1, -shares],
    ];
    const { lines } = structure;
    for (let range = lines[first] ?? 0; range < (lines[second] ?? 0); range++)
      moves.push([lines.length + range, 0, shares]);
    return { paid: shares, moves };
  }
  if (kind !== 'convert') return { paid: 0, moves: [] };
  const fee = structure.kind === 'negative_risk' ? mulDiv(shares, structure.feeBips ?? 0, 10_000, 'down') : 0;
  return {
    paid: (at.length - 1) * (shares - fee),
    moves: members.map((_, member) => (at.includes(member) ? [member, 1, -shares] : [member, 0, shares - fee])),
  };
}

function soldByHand({ members }: EventHolding, [at = 0]: readonly number[], step: ExitStep): ByHand {
  const { tokens, market } = members[at] as EventHolding['members'][number];
  const side = tokens[0].tokenId === step.changes[0]?.tokenId ? 0 : 1;
  let wanted = step.shares as number;
  let paid = 0;
  for (const { price, size } of tokens[side].bids ?? []) {
    const taken = Math.min(wanted, size);
    if (taken === 0) break;
    expect(price).toBeGreaterThanOrEqual(step.limit ?? 0);
    const brings = Number((BigInt(taken) * BigInt(price)) / 1_000_000n);
    const { rate, step: unit } = market.feeSchedule as FeeSchedule;
    const exact = BigInt(taken) * BigInt(rate) * BigInt(price) * BigInt(1_000_000 - price);
    const scale = 10n ** 18n * BigInt(unit);
    paid += brings - Math.min(brings, Number((exact + scale - 1n) / scale) * unit);
    wanted -= taken;
  }
  expect(wanted).toBe(0);
  return { paid, moves: [[at, side, -step.shares]] };
}
