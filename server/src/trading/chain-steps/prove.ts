/** Compares what the chain moved for a submission with what its steps planned, and words the difference. */
import { type CallProof, proveCalls } from '@dutchbook/engine/exit/prove-calls.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { SHARES_ZERO, type Shares, sharesToText } from '@dutchbook/units/shares.ts';
import { type Usd, usdToText } from '@dutchbook/units/usd.ts';
import type { ProvenMoves } from '@dutchbook/venues/venue-chain.ts';
import type { StepRow } from './store.ts';
import type { StepProof } from './table.ts';

/**
 * `isFailed`: no call is proven. `error`: how what moved differs from the plan, as a sentence. `surplus`: the shares that redemptions
 * took beyond the plan and the dollars they paid for them; null where there are none.
 */
export type Proven = {
  proofs: ReadonlyMap<string, StepProof>;
  isFailed: boolean;
  error: string | null;
  surplus: { dollars: Usd; shares: ReadonlyMap<string, number> } | null;
};

const MOVED_NOTHING = 'The chain carried it out, and it moved nothing.';
/** A sentence names at most so many tokens. */
const TOKENS_TOLD_MAX = 3;

export function prove(steps: readonly StepRow[], expected: Usd, moved: ProvenMoves): Proven {
  const calls = steps.map((step) => ({ ...step, dollars: step.expected }));
  const { proofs, surplus } = proveCalls(calls, moved);
  const failed = steps.filter(({ id }) => proofs.get(id)?.kind !== 'proven');
  const handedOut = handedOutBy(steps, proofs);
  const hasSurplus = surplus.dollars !== 0 || surplus.shares.size > 0;
  return {
    proofs: new Map(steps.map((step) => [step.id, stored(step, proofs.get(step.id), handedOut, moved)])),
    isFailed: steps.length > 0 && failed.length === steps.length,
    error:
      failed.length > 0
        ? whyUnproven(steps, failed, proofs, moved)
        : whyOther(steps, handedOut, expected, (moved.cash - surplus.dollars) as Usd),
    surplus: hasSurplus ? surplus : null,
  };
}

/** Splits the shares that came of each token over its orders in proportion to the plan; the last order gets the rounding remainder. */
function handedOutBy(steps: readonly StepRow[], proofs: ReadonlyMap<string, CallProof>): Map<string, Shares> {
  const due = steps.flatMap(({ id, handedOut }) => {
    const proof = proofs.get(id);
    return proof?.kind === 'proven' ? handedOut.map((one) => ({ ...one, came: proof.outputs.get(one.tokenId) })) : [];
  });
  return new Map(
    [...Map.groupBy(due, ({ tokenId }) => tokenId).values()].flatMap((parts) => {
      const planned = parts.reduce((sum, { shares }) => sum + shares, 0);
      const came = parts[0]?.came ?? planned;
      let rest = came;
      return parts.map(({ orderId, shares }, place) => {
        const part = place === parts.length - 1 ? rest : mulDiv(came, shares, planned, 'down');
        rest -= part;
        return [orderId, part as Shares] as const;
      });
    }),
  );
}

function whyUnproven(
  steps: readonly StepRow[],
  failed: readonly StepRow[],
  proofs: ReadonlyMap<string, CallProof>,
  moved: ProvenMoves,
): string {
  const isAll = failed.length === steps.length;
  const isNothing = failed.every(({ id }) => proofs.get(id)?.kind === 'nothing');
  const what = isNothing && (!isAll || isEmpty(moved)) ? MOVED_NOTHING : movedOther(moved);
  if (isAll) return what;
  const names = [...new Set(failed.flatMap(({ marketNames }) => marketNames))].join(', ');
  return `${failed.length} of its ${steps.length} calls are not booked, on ${names}: ${what}`;
}

/** How proven calls differ from the plan; null where they do not. */
function whyOther(
  steps: readonly StepRow[],
  handedOut: ReadonlyMap<string, Shares>,
  expected: Usd,
  came: Usd,
): string | null {
  if (came !== expected) return `It brought ${exactly(came)} where ${exactly(expected)} was expected.`;
  const less = steps.flatMap((step) => step.handedOut).find(({ orderId, shares }) => handedOut.get(orderId) !== shares);
  if (less === undefined) return null;
  return `It handed out ${sharesToText(handedOut.get(less.orderId) ?? SHARES_ZERO)} shares of ${less.outcome} of ${less.marketName} where ${sharesToText(less.shares)} were expected.`;
}

function exactly(usd: Usd): string {
  return usd < 0 ? `-$${usdToText(-usd as Usd)}` : `$${usdToText(usd)}`;
}

function isEmpty({ cash, shares }: ProvenMoves): boolean {
  return cash === 0 && shares.size === 0;
}

function movedOther({ cash, shares }: ProvenMoves): string {
  const listed = [...shares].slice(0, TOKENS_TOLD_MAX).map(([tokenId, micro]) => {
    const amount = sharesToText(Math.abs(micro) as Shares);
    return `${amount} shares of token ${tokenId} ${micro < 0 ? 'left' : 'came'}`;
  });
  const left = shares.size - listed.length;
  const dollars = `${exactly(Math.abs(cash) as Usd)} ${cash < 0 ? 'left' : 'came'}`;
  const parts = [dollars, ...listed, ...(left > 0 ? [`and shares of ${left} more tokens moved`] : [])];
  return `The chain carried it out, and it moved something else than was asked for: ${parts.join(', ')}.`;
}

function stored(
  step: StepRow,
  proof: CallProof | undefined,
  handedOut: ReadonlyMap<string, Shares>,
  moved: ProvenMoves,
): StepProof {
  if (proof?.kind !== 'proven')
    return { kind: 'unproven', error: proof?.kind === 'nothing' ? MOVED_NOTHING : movedOther(moved) };
  const own = step.handedOut.map(({ orderId }) => [orderId, handedOut.get(orderId) ?? SHARES_ZERO] as const);
  return { kind: 'proven', dollars: proof.dollars, handedOut: Object.fromEntries(own) };
}
