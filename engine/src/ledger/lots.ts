/**
 * What shares had cost when they went, first in, first out, and so what each disposal made. Everything is read from the lines of
 * entries: shares that come with dollars going are acquired, fee included, and those that go are disposed of, net of the fee.
 */
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { LedgerKind } from '@dutchbook/units/ledger-kinds.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { LedgerLine } from './entry.ts';
import { openLotQueue, type TakenLot } from './lot-queue.ts';
import { profitOf } from './profit.ts';

export type LotEntry = {
  id: number;
  at: Instant;
  kind: LedgerKind;
  lines: readonly LedgerLine[];
  /** The lines that count: its own, or those of `standingOf` for a trade that was taken back or corrected. */
  stands: readonly LedgerLine[];
  /** The call of a contract that it is part of, and how many entries that makes; null of what was traded. */
  call: { id: string; entries: number } | null;
  /** Tokens that are known by then to pay nothing. */
  worthless: readonly string[];
};

/**
 * What a split's outcomes have cost: each its price at the time, as its entries say, or the same for each share.
 */
export type SplitBasis = 'price' | 'half';

/**
 * Shares of one lot that went at once. `acquiredAt`: null of those that came from outside, which had cost nothing here, as had those
 * that no lot was left of, which have no `acquiredBy` either.
 */
export type Disposal = {
  kind: LedgerKind;
  tokenId: TokenId;
  shares: Shares;
  acquiredAt: Instant | null;
  acquiredBy: number | null;
  disposedAt: Instant;
  disposedBy: number;
  cost: Usd;
  proceeds: Usd;
};

/**
 * `profit` of the entries is always exactly `gain` less `held` and `withdrawn`, and with `other` and `undone`.
 * `gain`: of all disposals. `other`: of entries that moved dollars and no shares. `held`: the cost of what is left. `withdrawn`: the cost of what went without being disposed of.
 * `undone`: the result of trades that are taken back, or
 * corrected, by entries that were not added; otherwise nothing.
 */
export type LotTotals = {
  profit: number;
  gain: number;
  other: number;
  held: number;
  withdrawn: number;
  undone: number;
};

export type Lots = {
  /** Oldest first. @returns what it disposed of; of a call once all its entries are there */
  add: (entry: LotEntry) => Disposal[];
  /** Disposals of calls whose entries were incomplete. */
  end: () => Disposal[];
  totals: () => LotTotals;
};

/** Shares that an entry moved, and the dollars that came with it, negative where they went. */
type Change = { entry: LotEntry; tokenId: TokenId; shares: number; dollars: number };
type Taken = { change: Change; lots: TakenLot[] };

export function openLots(splitBasis: SplitBasis): Lots {
  const queue = openLotQueue();
  const underWay = new Map<string, LotEntry[]>();
  const totals = { profit: 0, gain: 0, other: 0, withdrawn: 0, undone: 0 };

  /** `proceeds`: null where they were not disposed of. */
  const dispose = (kind: Disposal['kind'], { change, lots }: Taken, proceeds: number | null): Disposal[] => {
    const cost = costOf(lots);
    if (proceeds === null) {
      totals.withdrawn += cost;
      return [];
    }
    totals.gain += proceeds - cost;
    const parts = divided(
      proceeds,
      lots.map(({ shares }) => shares),
    );
    const { entry, tokenId } = change;
    return lots.map((lot, place) => ({
      ...{ kind, tokenId, shares: lot.shares as Shares, acquiredAt: lot.at, acquiredBy: lot.entryId },
      ...{ disposedAt: entry.at, disposedBy: entry.id, cost: lot.cost as Usd, proceeds: (parts[place] ?? 0) as Usd },
    }));
  };

  const take = (change: Change): Taken => ({ change, lots: queue.take(change.tokenId, -change.shares) });

  const acquire = (changes: readonly Change[], costs: readonly number[]): void => {
    for (const [place, change] of changes.entries()) {
      const { entry, tokenId, shares } = change;
      const at = isFromOutside(change) ? null : entry.at;
      queue.put(tokenId, { at, entryId: entry.id, shares, cost: costs[place] ?? 0 });
    }
  };

  /** Its inputs go for what its outputs are then said to have cost: it makes nothing but dollars beyond what the inputs had cost. */
  const convert = (inputs: readonly Taken[], outputs: readonly Change[]): Disposal[] => {
    const dollars = inputs.reduce((sum, { change }) => sum + change.dollars, 0);
    const cost = inputs.reduce((sum, { lots }) => sum + costOf(lots), 0);
    const carried = outputs.length === 0 ? 0 : Math.max(0, cost - dollars);
    const costs = divided(
      carried,
      outputs.map(({ shares }) => shares),
    );
    acquire(
      outputs,
      outputs.map((output, place) => (costs[place] ?? 0) - output.dollars),
    );
    return inputs.flatMap((input) =>
      dispose('convert', input, carried > 0 ? costOf(input.lots) : input.change.dollars),
    );
  };

  const carryOut = (entries: readonly LotEntry[]): Disposal[] => {
    const changes = entries.flatMap(changesOf);
    if (changes.length === 0) totals.other += sumOf(entries.map(({ stands }) => profitOf(stands)));
    const inputs = changes.filter(({ shares }) => shares < 0).map(take);
    const outputs = changes.filter(({ shares }) => shares > 0);
    const kind = entries[0]?.kind;
    if (kind === 'convert') return convert(inputs, outputs);
    const costs = outputs.map(({ dollars }) => 0 - dollars);
    const sizes = outputs.map(({ shares }) => shares);
    const isHalved = kind === 'split' && splitBasis === 'half';
    acquire(outputs, isHalved ? divided(sumOf(costs), sizes) : costs);
    return inputs.flatMap((input) =>
      dispose(input.change.entry.kind, input, isFromOutside(input.change) ? null : input.change.dollars),
    );
  };

  const writeOff = (entry: LotEntry): Disposal[] =>
    entry.worthless.flatMap((tokenId) => {
      const shares = queue.sharesOf(tokenId);
      if (shares === 0) return [];
      return dispose('lost', take({ entry, tokenId, shares: -shares, dollars: 0 }), 0);
    });

  return {
    add: (entry) => {
      const profit = profitOf(entry.lines);
      totals.profit += profit;
      totals.undone += profit - profitOf(entry.stands);
      if (entry.stands.length === 0) return [];
      const entries = entry.call === null ? [entry] : [...(underWay.get(entry.call.id) ?? []), entry];
      if (entry.call !== null && entries.length < entry.call.entries) {
        underWay.set(entry.call.id, entries);
        return [];
      }
      if (entry.call !== null) underWay.delete(entry.call.id);
      return [...carryOut(entries), ...entries.flatMap(writeOff)];
    },
    end: () => {
      const left = [...underWay.values()];
      underWay.clear();
      return left.flatMap((entries) => [...carryOut(entries), ...entries.flatMap(writeOff)]);
    },
    totals: () => ({ ...totals, held: queue.cost() }),
  };
}

/** Matched shares count as held; their settlement changes nothing. */
function changesOf(entry: LotEntry): Change[] {
  const moved = new Map<string, number>();
  for (const { account, unit, amount } of entry.stands)
    if (isOfShares(account, unit)) moved.set(unit, (moved.get(unit) ?? 0) + amount);
  const tokens = [...moved].filter(([, shares]) => shares !== 0);
  const dollars = divided(
    profitOf(entry.stands),
    tokens.map(([, shares]) => Math.abs(shares)),
  );
  return tokens.map(([tokenId, shares], place) => ({ entry, tokenId, shares, dollars: dollars[place] ?? 0 }));
}

function isOfShares(account: LedgerLine['account'], unit: string): boolean {
  return account === 'shares' || (account === 'receivable' && unit !== 'usd');
}

function isFromOutside({ entry, tokenId }: Change): boolean {
  return entry.stands.some(({ account, unit }) => account === 'outside' && unit === tokenId);
}

/** Divides in proportion to the weights; the millionths that rounding leaves go to the last. */
function divided(total: number, weights: readonly number[]): number[] {
  const sum = sumOf(weights);
  let rest = total;
  return weights.map((weight, place) => {
    const part = place === weights.length - 1 ? rest : mulDiv(total, weight, sum, 'down');
    rest -= part;
    return part;
  });
}

function costOf(lots: readonly TakenLot[]): number {
  return lots.reduce((sum, { cost }) => sum + cost, 0);
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
