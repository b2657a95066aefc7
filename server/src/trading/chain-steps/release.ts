/** Frees the shares of a submission that the relayer has given up, and that no other follows, by using its nonce. */
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, eq, gt } from 'drizzle-orm';
import { recordAction, THE_SYSTEM } from '../../platform/audit/record.ts';
import { leaderClaim } from '../../platform/engines/leader.ts';
import { provenUntilEnd } from '../../platform/engines/lease.ts';
import { isArmedUntilEnd } from '../trading-controls/store.ts';
import type { ChainLoopParts } from './chain-loop-parts.ts';
import { recordApprovals } from './record.ts';
import type { Submission } from './store.ts';
import { chainSubmissions } from './table.ts';

/** Another submission may come meanwhile, or the relayer may carry it out after all. */
const RELEASED_AFTER_MS = 600_000;
/** Submissions with one nonce that the relayer gave up; beyond these it is left to people. */
const GIVEN_UP_MAX = 4;

/** Whether the next nonce is that of submissions which were given up, and nothing else is there to use it. */
export function isReleaseDue(sent: readonly Submission[], unsent: readonly Submission[], now: Instant): boolean {
  const areGivenUp = sent.every(
    ({ row }) => row.status === 'unknown' && row.givenUpAt !== null && now - row.givenUpAt >= RELEASED_AFTER_MS,
  );
  return unsent.length === 0 && sent.length > 0 && sent.length < GIVEN_UP_MAX && areGivenUp;
}

/** Records a call that changes nothing: it takes back a right that a contract has not, or else gives one that it has. Throws VenueUnavailable. */
export async function recordRelease(
  { runtime, chain, partitions, controls }: ChainLoopParts,
  sent: readonly Submission[],
): Promise<boolean> {
  if (!controls.current().armed) return false;
  const { purpose, automatic, createdAt } = chainSubmissions;
  const { venue } = controls;
  const since = (runtime.clock.now() - RELEASED_AFTER_MS) as Instant;
  const lately = and(
    eq(chainSubmissions.venue, venue),
    eq(purpose, 'approval'),
    eq(automatic, true),
    gt(createdAt, since),
  );
  if ((await runtime.db.$count(chainSubmissions, lately)) > 0) return false;
  const used = new Set(sent.flatMap(({ steps }) => steps.map(({ contract, holder }) => `${contract} ${holder}`)));
  const rights = (await chain.approvals()).filter(
    ({ asset, contract, holder }) => asset === 'shares' && !used.has(`${contract} ${holder}`),
  );
  const right = rights.find(({ amount }) => amount === 0) ?? rights.find(({ purpose }) => purpose !== null);
  if (right === undefined) return false;
  return await runtime.db.transaction(async (tx) => {
    if (!(await isArmedUntilEnd(tx, runtime.config.venueMode, venue))) return false;
    const claim = leaderClaim(partitions);
    if (claim !== null && !(await provenUntilEnd(tx, claim))) return false;
    const { contract, name, holder, amount } = right;
    const isAllowed = amount > 0;
    const requested = { venue, requestId: runtime.random.uuid(), automatic: true, requestedBy: null };
    await recordApprovals(tx, runtime, requested, [{ contract, name, holder, isAllowed }]);
    const after = { contract, holder, is_allowed: isAllowed, releases: sent.map(({ row }) => row.id) };
    await recordAction(tx, runtime, THE_SYSTEM, { action: 'chain.approved', object: name, after });
    return true;
  });
}
