import * as contract from '@dutchbook/contract/rehearsals.ts';
import * as z from 'zod/mini';
import type { rehearsalDifferences, rehearsals } from './table.ts';

type RehearsalRow = typeof rehearsals.$inferSelect & { createdByEmail: string | null };
type DifferenceRow = Pick<typeof rehearsalDifferences.$inferSelect, 'difference'>;

/** A rehearsal as the calls serve it, before the contract encodes it. */
export function presentRehearsal(row: RehearsalRow): contract.Rehearsal {
  return {
    id: row.id,
    created_at: row.createdAt,
    created_by: row.createdByEmail,
    state: row.state,
    from: row.from,
    until: row.until,
    changes: changesOf(row),
    assume_placing: row.assumePlacing,
    progress: row.progress,
    error: row.error,
    ended_at: row.endedAt,
    result: row.result === null ? null : decoded(contract.rehearsalResult, row.result),
  };
}

export function presentDifference({ difference }: DifferenceRow): contract.RehearsalDifference {
  return decoded(contract.rehearsalDifference, difference);
}

export function changesOf({ changes }: Pick<RehearsalRow, 'changes'>): contract.RehearsalChanges {
  return decoded(contract.rehearsalChanges, changes);
}

/** What was stored as it is on the wire. */
function decoded<Schema extends z.ZodMiniType>(schema: Schema, wire: object): z.output<Schema> {
  return z.decode(schema, wire as z.input<Schema>);
}
