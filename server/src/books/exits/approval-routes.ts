import { type Approval, changeApproval, listApprovals } from '@dutchbook/contract/approvals.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { ChainApproval } from '@dutchbook/venues/venue-chain.ts';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import { oncePerKey, requestUnderKey } from '../../trading/batches/idempotency.ts';
import { DISARMED } from '../../trading/chain-steps/cash-now.ts';
import { recordApprovals } from '../../trading/chain-steps/record.ts';
import { type Submission, unbookedSubmissions } from '../../trading/chain-steps/store.ts';
import { chosenOf } from '../../trading/trading-controls/by-venue.ts';
import { isArmedUntilEnd } from '../../trading/trading-controls/store.ts';
import { convertingAt, type ExitCalls, submittedNow } from './exit-parts.ts';

/** The largest limit that the API schema accepts; a larger one is shown as no limit. */
const LIMIT_MAX = 1_000_000_000_000_000;

/** Lists the approvals: what contracts may move. Each change is recorded as a submission, which the chain loop sends. */
export function registerApprovals(app: App, calls: ExitCalls): void {
  const { runtime } = calls;
  const { db } = runtime;

  route(app, listApprovals, async ({ query }) => {
    const desks = calls.desks.all.map((desk) => ({ ...desk, venue: desk.name }));
    const read = chosenOf(desks, query.venue).map(async ({ venue, chain }) => {
      if (chain === null) return [];
      const [approvals, unbooked] = await Promise.all([chain.approvals(), unbookedSubmissions(db, venue)]);
      return approvals.map((approval) => ({ venue, ...presentApproval(approval, unbooked) }));
    });
    const data = (await Promise.all(read)).flat();
    return { data, count: data.length };
  });

  route(app, changeApproval, async ({ body, user, actor, request }) => {
    const { chain, controls } = convertingAt(calls, { venue: body.venue, where: 'body' });
    const key = requestUnderKey({ user, request }, { call: changeApproval.path, ...body });
    const perform: Parameters<typeof oncePerKey>[2] = async (bind) => {
      const known = (await chain.approvals()).find((approval) => isSame(approval, body));
      if (known === undefined) throw new NotFound('Approval not found');
      if (known.purpose === null && body.is_allowed) throw new Conflict(`The ${known.name} is retired.`);
      if (known.amount > 0 === body.is_allowed)
        throw new Conflict(`The ${known.name} is ${body.is_allowed ? 'approved already' : 'not approved'}.`);
      const requestId = runtime.random.uuid();
      const recorded = { batchId: requestId, saleId: requestId };
      await db.transaction(async (tx) => {
        const isArmed = await isArmedUntilEnd(tx, runtime.config.venueMode, controls.venue);
        if (!isArmed || !controls.current().armed) throw new Conflict(DISARMED);
        const requested = { venue: controls.venue, requestId, automatic: false, requestedBy: actor.email };
        const { contract, name, holder } = known;
        const { venue, ...change } = body;
        const after = { ...change, ...(venue && { venue }) };
        await recordApprovals(tx, runtime, requested, [{ contract, name, holder, isAllowed: body.is_allowed }]);
        await bind(tx, runtime, recorded);
        await recordAction(tx, runtime, actor, { action: 'chain.approved', object: known.name, after });
      });
      return recorded;
    };
    const { submissions } = await oncePerKey(runtime, key, perform, ({ saleId }) => submittedNow(calls, saleId ?? ''));
    const [submission] = submissions;
    if (submission === undefined) throw new Error('an approval was recorded without its submission');
    return submission;
  });
}

function isSame({ contract, holder }: ChainApproval, other: { contract: string; holder: string }): boolean {
  return contract.toLowerCase() === other.contract.toLowerCase() && holder.toLowerCase() === other.holder.toLowerCase();
}

function presentApproval(approval: ChainApproval, unbooked: readonly Submission[]): Omit<Approval, 'venue'> {
  const { contract, name, asset, holder, amount, purpose } = approval;
  const changing = unbooked.find(({ row, steps }) => {
    return row.endedAt === null && steps.some((step) => isSame(approval, addressesOf(step)));
  });
  return {
    contract,
    name,
    asset,
    holder,
    is_allowed: amount > 0,
    limit_usd: asset === 'cash' && amount > 0 && amount < LIMIT_MAX ? (amount as Usd) : null,
    purpose: purpose ?? 'retired',
    problem: problemOf(approval),
    submission_id: changing?.row.id ?? null,
  };
}

function addressesOf({ contract, holder }: Submission['steps'][number]) {
  return { contract: contract ?? '', holder: holder ?? '' };
}

function problemOf({ name, asset, amount, purpose }: ChainApproval): string | null {
  if (purpose === null)
    return amount > 0
      ? `The venue has retired the ${name}, and it may still move your ${ASSET[asset]}: revoke its approval.`
      : null;
  if (amount > 0) return null;
  return purpose === 'trade'
    ? `The ${name} may not move your ${ASSET[asset]}: orders that settle through it are refused.`
    : `The ${name} may not move your ${ASSET[asset]}: it is approved automatically before it ${CONVERSION[asset]}.`;
}

const ASSET: Record<ChainApproval['asset'], string> = { cash: 'dollars', shares: 'shares' };
const CONVERSION: typeof ASSET = { cash: 'splits dollars into shares', shares: 'converts shares into dollars' };
