/** Withdrawing all that waits for a second person when what it was asked for under is over. */
import type { SignOffKind } from '@dutchbook/contract/sign-offs.ts';
import { recordAction } from '../../platform/audit/record.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { lockOpen, type SignOffRow, updateSignOffs } from './store.ts';

type Withdrawing = Pick<Runtime, 'config' | 'clock'>;

/**
 * Locks those that are open, so that none is approved until the transaction ends. Like an approval it comes before whatever a
 * sign-off is carried out on is locked.
 */
export async function lockOpenSignOffs(
  tx: Db,
  { config, clock }: Withdrawing,
  kinds: readonly SignOffKind[],
): Promise<SignOffRow[]> {
  return await lockOpen(tx, config.venueMode, kinds, clock.now());
}

/** Withdraws locked rows. @returns a function that adds this to the audit log, to be called last in the transaction */
export async function withdrawLocked(
  tx: Db,
  { clock }: Withdrawing,
  rows: readonly SignOffRow[],
  by: Actor,
  reason: string,
): Promise<() => Promise<void>> {
  const decider = { decidedBy: by.id, decidedByEmail: by.email, decidedAt: clock.now() };
  await updateSignOffs(tx, rows, { state: 'withdrawn', reason, ...decider });
  return async () => {
    for (const { id, kind, summary, requestedByEmail: requested_by } of rows)
      await recordAction(tx, { clock }, by, {
        action: 'sign_off.withdrawn',
        object: id,
        after: { kind, summary, requested_by, reason },
      });
  };
}
