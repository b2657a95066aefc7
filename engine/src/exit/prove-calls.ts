/** Decides which calls of a transaction are proven by what the transaction moved, and never more than that. */
import type { MarketId, TokenId } from '@dutchbook/units/ids.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

/** A call as it was planned; of `changes` what it takes is below zero. */
export type PlannedCall = {
  id: string;
  kind: string;
  marketIds: readonly MarketId[];
  changes: readonly { tokenId: TokenId; micro: number }[];
  dollars: Usd;
};

/** The movements of a transaction by its logs. `payouts`: what redemptions have paid, by market. */
export type MovedByLogs = {
  cash: number;
  shares: ReadonlyMap<string, number>;
  payouts: ReadonlyMap<string, number>;
};

/**
 * `proven`: took what it should; `dollars` is what it brought, and `outputs` what there is of
 * each token that it, with the calls it was judged with, was to hand out.
 * `nothing`: moved nothing of what it should. `other`: moved something else, or took shares for no dollars.
 */
export type CallProof =
  | { kind: 'proven'; dollars: Usd; outputs: ReadonlyMap<string, number> }
  | { kind: 'nothing' }
  | { kind: 'other' };

/** `surplus`: what redemptions took of shares, and paid for them, beyond what was planned. */
export type ProvenCalls = {
  proofs: ReadonlyMap<string, CallProof>;
  surplus: { dollars: Usd; shares: ReadonlyMap<string, number> };
};

type Group = { calls: PlannedCall[]; planned: Map<string, number> };

/** Calls that have a token, or a market that is redeemed, in common are judged together: each of them may need the others. */
export function proveCalls(calls: readonly PlannedCall[], moved: MovedByLogs): ProvenCalls {
  const groups = groupsOf(calls);
  const done = groups.filter((group) => isDone(group, moved));
  const values = valuesOf(done, moved);
  const proofs = new Map<string, CallProof>();
  const surplus = { dollars: 0, shares: new Map<string, number>() };
  for (const group of groups) {
    const value = values.get(group);
    const due = dollarsOf(group);
    if (value === undefined || (due > 0 && value <= 0)) {
      const kind = isUntouched(group, moved) ? 'nothing' : 'other';
      for (const { id } of group.calls) proofs.set(id, { kind });
      continue;
    }
    const more = sharesBeyond(group, moved);
    for (const [tokenId, micro] of more) surplus.shares.set(tokenId, micro);
    const own = more.size === 0 ? value : Math.min(value, due);
    surplus.dollars += value - own;
    const outputs = new Map(
      [...group.planned].filter(([, micro]) => micro > 0).map(([id]) => [id, moved.shares.get(id) ?? 0]),
    );
    for (const [place, dollars] of divided(own, group.calls).entries())
      proofs.set(group.calls[place]?.id ?? '', { kind: 'proven', dollars: dollars as Usd, outputs });
  }
  return { proofs, surplus: { ...surplus, dollars: surplus.dollars as Usd } };
}

function groupsOf(calls: readonly PlannedCall[]): Group[] {
  let groups: { calls: PlannedCall[]; keys: Set<string> }[] = [];
  for (const call of calls) {
    const keys = new Set([
      ...call.changes.map(({ tokenId }) => tokenId),
      ...(call.kind === 'redeem' ? call.marketIds : []),
    ]);
    const joined = groups.filter((group) => [...keys].some((key) => group.keys.has(key)));
    groups = [
      ...groups.filter((group) => !joined.includes(group)),
      {
        calls: [...joined.flatMap((group) => group.calls), call],
        keys: new Set([...keys, ...joined.flatMap((group) => [...group.keys])]),
      },
    ];
  }
  return groups.map((group) => {
    const planned = new Map<string, number>();
    for (const { tokenId, micro } of group.calls.flatMap(({ changes }) => changes))
      planned.set(tokenId, (planned.get(tokenId) ?? 0) + micro);
    return { calls: group.calls, planned };
  });
}

/**
 * What it was to take is gone to the last millionth, and what it was to hand out has come: of a conversion its contract may keep
 * back some. A contract that redeems whole markets takes what else there is of their tokens.
 */
function isDone({ calls, planned }: Group, { shares }: MovedByLogs): boolean {
  const isRedeemed = calls.every(({ kind }) => kind === 'redeem');
  const mayKeep = calls.some(({ kind }) => kind === 'convert');
  return [...planned].every(([tokenId, micro]) => {
    const came = shares.get(tokenId) ?? 0;
    if (micro < 0) return isRedeemed ? came <= micro : came === micro;
    return came === micro || (mayKeep && came > 0 && came < micro);
  });
}

function isUntouched({ planned }: Group, { shares }: MovedByLogs): boolean {
  return [...planned.keys()].every((tokenId) => !shares.get(tokenId));
}

function dollarsOf({ calls }: Group): number {
  return calls.reduce((sum, { dollars }) => sum + dollars, 0);
}

/**
 * The dollars of each group; together they are exactly what came. Redemptions say what they pay. Where it is something else than
 * was planned, it is so of conversions, whose fee may have changed, or else of all.
 */
function valuesOf(groups: readonly Group[], { cash, payouts }: MovedByLogs): Map<Group, number> {
  const values = new Map(groups.map((group) => [group, paidBy(group, payouts) ?? dollarsOf(group)]));
  const difference = cash - [...values.values()].reduce((sum, value) => sum + value, 0);
  if (difference === 0) return values;
  const converting = groups.filter(({ calls }) => calls.some(({ kind }) => kind === 'convert'));
  const priced = groups.filter((group) => dollarsOf(group) !== 0);
  const bearing = converting.length > 0 ? converting : priced;
  const parts = divided(
    difference,
    bearing.map((group) => ({ dollars: dollarsOf(group) })),
  );
  for (const [place, group] of bearing.entries()) values.set(group, (values.get(group) ?? 0) + (parts[place] ?? 0));
  return values;
}

function paidBy({ calls }: Group, payouts: MovedByLogs['payouts']): number | null {
  const markets = [...new Set(calls.flatMap(({ kind, marketIds }) => (kind === 'redeem' ? marketIds : [])))];
  const known = markets.flatMap((id) => payouts.get(id.toLowerCase()) ?? []);
  if (markets.length === 0 || known.length < markets.length) return null;
  return known.reduce((sum, paid) => sum + paid, 0);
}

function sharesBeyond({ planned }: Group, { shares }: MovedByLogs): Map<string, number> {
  return new Map(
    [...planned].flatMap(([tokenId, micro]) => {
      const beyond = (shares.get(tokenId) ?? 0) - micro;
      return micro < 0 && beyond < 0 ? [[tokenId, beyond] as const] : [];
    }),
  );
}

/** In proportion to the dollars that were planned; what rounding leaves, or all where there were none, goes to the last. */
function divided(total: number, parts: readonly { dollars: number }[]): number[] {
  const weight = parts.reduce((sum, { dollars }) => sum + Math.abs(dollars), 0);
  let rest = total;
  return parts.map(({ dollars }, place) => {
    const isLast = place === parts.length - 1;
    const size = weight === 0 ? 0 : mulDiv(Math.abs(total), Math.abs(dollars), weight, 'down');
    const part = isLast ? rest : Math.sign(total) * size;
    rest -= part;
    return part;
  });
}
