import type { SignOff } from '@dutchbook/contract/sign-offs.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { type SignOffRow, stateOf } from './store.ts';

export function presentSignOff(row: SignOffRow, now: Instant): SignOff {
  return {
    id: row.id,
    kind: row.kind,
    summary: row.summary,
    state: stateOf(row, now),
    requested_by: row.requestedByEmail,
    requested_by_id: row.requestedBy,
    requested_at: row.requestedAt,
    expires_at: row.expiresAt,
    decided_by: row.decidedByEmail,
    decided_at: row.decidedAt,
    reason: row.reason,
    outcome: row.outcome,
    batch_id: row.batchId,
  };
}
