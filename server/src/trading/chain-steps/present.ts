import type { ChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { GasCost } from '@dutchbook/venues/venue-chain.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import { readSubmission, type StepRow, type Submission } from './store.ts';
import type { StoredBalances, TokenChange } from './table.ts';

export function presentSubmission({ row, steps, batchNames }: Submission): ChainSubmission {
  return {
    id: row.id,
    venue: row.venue,
    purpose: row.purpose,
    status: row.status,
    by_venue: row.byVenue,
    automatic: row.automatic,
    requested_by: row.requestedBy,
    steps: steps.map(presentStep),
    batch_ids: row.batchIds,
    batch_names: batchNames,
    expected_usd: row.expected,
    received_usd: row.received,
    nonce: row.nonce,
    deadline: row.deadline,
    highest_gas: presentGas(row.highestCost),
    gas: presentGas(row.gas),
    hash: row.hash,
    block: row.block,
    balances_before: presentBalances(row.balancesBefore),
    balances_after: presentBalances(row.balancesAfter),
    error: row.error,
    given_up_at: row.givenUpAt,
    created_at: row.createdAt,
    sent_at: row.sentAt,
    mined_at: row.minedAt,
    ended_at: row.endedAt,
    booked_at: row.bookedAt,
  };
}

function presentStep(step: StepRow): ChainSubmission['steps'][number] {
  return {
    id: step.id,
    kind: step.kind,
    market_ids: step.marketIds,
    market_names: step.marketNames,
    shares: step.shares,
    expected_usd: step.expected,
    ...presentChanges(step.changes),
    token_id: step.tokenId,
    contract: step.contract,
    holder: step.holder,
    is_allowed: step.isAllowed,
    orders: [...step.parts, ...step.handedOut].map(({ orderId, batchId }) => ({
      order_id: orderId,
      batch_id: batchId,
    })),
  };
}

export function presentChanges(changes: readonly TokenChange[]) {
  const tokens = (sign: number) =>
    changes
      .filter(({ micro }) => micro * sign > 0)
      .map(({ tokenId, micro }) => ({ token_id: tokenId, shares: Math.abs(micro) as Shares }));
  return { tokens_out: tokens(-1), tokens_in: tokens(1) };
}

function presentGas(cost: GasCost | null): { amount: string; symbol: string } | null {
  return cost === null ? null : { amount: cost.native, symbol: cost.symbol };
}

function presentBalances(balances: StoredBalances | null): ChainSubmission['balances_before'] {
  if (balances === null) return null;
  const shares = Object.entries(balances.shares).map(([tokenId, held]) => ({ token_id: tokenId, shares: held }));
  return { cash_usd: balances.cash, shares };
}

/** Never throws: where it cannot be read, tabs read it when they are opened next. */
export async function publishSubmission(db: Db, stream: StreamHub, id: string): Promise<void> {
  if (!stream.watched('chain')) return;
  const submission = await readSubmission(db, id);
  if (submission === null) return;
  stream.publish({ topic: 'chain', type: 'chain_submission', id, data: presentSubmission(submission) });
}
