/** Allots the calls of an exit to orders: whose shares they take, what each brings, and who gets what they hand out. */
import type { TokenId } from '@dutchbook/units/ids.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';

/** Shares of one order that may leave now, and what they cost with fees. */
export type ExitLot = { orderId: string; tokenId: TokenId; shares: Shares; cost: Usd };

/** The result of a call in millionths; tokens taken are negative. */
export type CalledStep = { dollars: Usd; changes: readonly { tokenId: TokenId; micro: number }[] };

/** `handedOut`: shares that no later call takes. */
export type AllottedStep = {
  parts: { orderId: string; shares: Shares; dollars: Usd }[];
  handedOut: { tokenId: TokenId; shares: Shares }[];
};

type Part = { step: number; lot: ExitLot; micro: number; cost: number };
/** All parts that are of one token. */
type TokenParts = Pick<Part, 'micro' | 'cost'> & { parts: readonly Part[] };
/** Tokens that an earlier call handed out and no later call has taken. */
type Given = { step: number; tokenId: TokenId; micro: number };

/**
 * Takes from the lots in their order, and before them what earlier calls have handed out. Calls of which one takes what another
 * hands out share their dollars; those are divided over tokens in proportion to what their shares cost, and each share of a token brings
 * the same, so that what was bought as whole sets brings what a set pays, whatever it cost. No share brings more than a dollar, and the
 * sum is exactly what the calls bring. @throws RangeError where the lots do not have what the calls take
 */
export function allotSteps(steps: readonly CalledStep[], lots: readonly ExitLot[]): AllottedStep[] {
  const { parts, given, groupOf } = takenBy(steps, lots);
  const dollars = new Map<Part, number>();
  for (const [group, members] of Map.groupBy(parts, ({ step }) => groupOf(step))) {
    const total = steps.reduce((sum, step, place) => sum + (groupOf(place) === group ? step.dollars : 0), 0);
    const tokens = [...Map.groupBy(members, ({ lot }) => lot.tokenId).values()].map(together);
    for (const [token, amount] of divided(total, tokens)) shareOut(amount, token.parts, bySize, dollars);
  }
  return steps.map((_, step) => ({
    parts: parts
      .filter((part) => part.step === step)
      .map((part) => ({
        orderId: part.lot.orderId,
        shares: part.micro as Shares,
        dollars: (dollars.get(part) ?? 0) as Usd,
      })),
    handedOut: given
      .filter((source) => source.step === step && source.micro > 0)
      .map(({ tokenId, micro }) => ({ tokenId, shares: micro as Shares })),
  }));
}

type Taken = { parts: Part[]; given: Given[]; groupOf: (step: number) => number };

function takenBy(steps: readonly CalledStep[], lots: readonly ExitLot[]): Taken {
  const left = lots.map((lot) => ({ lot, tokenId: lot.tokenId, micro: lot.shares as number }));
  const given: Given[] = [];
  const parts: Part[] = [];
  const groups = steps.map((_, step) => step);
  const groupOf = (step: number): number => (groups[step] === step ? step : groupOf(groups[step] ?? step));
  for (const [step, { changes }] of steps.entries()) {
    for (const { tokenId, micro } of changes.filter((change) => change.micro < 0)) {
      const sources = takeFrom(given, tokenId, -micro);
      for (const { source } of sources) groups[groupOf(step)] = groupOf(source.step);
      const lacking = sources.reduce((sum, { taken }) => sum - taken, -micro);
      const own = takeFrom(left, tokenId, lacking);
      for (const { source, taken } of own) {
        const cost = mulDiv(source.lot.cost, taken, source.lot.shares, 'down');
        parts.push({ step, lot: source.lot, micro: taken, cost });
      }
      const missing = own.reduce((sum, { taken }) => sum - taken, lacking);
      if (missing > 0) throw new RangeError(`${missing} millionths of ${tokenId} are missing`);
    }
    for (const { tokenId, micro } of changes.filter((change) => change.micro > 0)) given.push({ step, tokenId, micro });
  }
  return { parts, given, groupOf };
}

function together(parts: readonly Part[]): TokenParts {
  const sum = (of: (part: Part) => number) => parts.reduce((total, part) => total + of(part), 0);
  return { parts, micro: sum(bySize), cost: sum(({ cost }) => cost) };
}

function bySize({ micro }: Pick<Part, 'micro'>): number {
  return micro;
}

/** Takes from the sources in order, as far as they have the token. */
function takeFrom<Source extends { tokenId: TokenId; micro: number }>(
  sources: readonly Source[],
  tokenId: TokenId,
  wanted: number,
): { source: Source; taken: number }[] {
  let rest = wanted;
  return sources.flatMap((source) => {
    const taken = source.tokenId === tokenId ? Math.min(rest, source.micro) : 0;
    source.micro -= taken;
    rest -= taken;
    return taken > 0 ? [{ source, taken }] : [];
  });
}

/** Divides by cost, or by shares where nothing cost anything; at most a dollar a share, the rest goes to the other parts. */
function divided(total: number, parts: readonly TokenParts[]): Map<TokenParts, number> {
  const amounts = new Map<TokenParts, number>();
  let open = [...parts];
  let rest = total;
  while (open.length > 0) {
    const costs = open.reduce((sum, { cost }) => sum + cost, 0);
    const weightOf = ({ cost, micro }: TokenParts) => (costs > 0 ? cost : micro);
    const weights = open.reduce((sum, part) => sum + weightOf(part), 0);
    const full = open.filter((part) => mulDiv(rest, weightOf(part), weights, 'down') >= part.micro);
    if (full.length === 0) {
      shareOut(rest, open, weightOf, amounts);
      return amounts;
    }
    for (const part of full) amounts.set(part, part.micro);
    rest -= full.reduce((sum, { micro }) => sum + micro, 0);
    open = open.filter((part) => !full.includes(part));
  }
  return amounts;
}

/** Shares rounded down; leftover millionths go to the last parts with room for them. */
function shareOut<Each extends Pick<Part, 'micro'>>(
  total: number,
  parts: readonly Each[],
  weightOf: (part: Each) => number,
  amounts: Map<Each, number>,
): void {
  const weights = parts.reduce((sum, part) => sum + weightOf(part), 0);
  let rest = total;
  for (const part of parts) {
    const amount = mulDiv(total, weightOf(part), weights, 'down');
    amounts.set(part, amount);
    rest -= amount;
  }
  for (const part of parts.toReversed()) {
    const amount = amounts.get(part) ?? 0;
    const more = Math.min(rest, part.micro - amount);
    amounts.set(part, amount + more);
    rest -= more;
  }
}
