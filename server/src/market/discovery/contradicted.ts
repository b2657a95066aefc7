/** Relations that the values their members have resolved to contradict: they are void from then on. */

import type { CatalogueEvent, EventMember } from '@dutchbook/engine/relation/catalogue-event.ts';
import { whyContradicted } from '@dutchbook/engine/relation/contradiction.ts';
import type { EventId } from '@dutchbook/units/ids.ts';
import { and, eq, ne, type SQL } from 'drizzle-orm';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { nextVersion } from '../relations/next-version.ts';
import { relations } from '../relations/table.ts';
import { readCatalogueEvents } from './relation-changes.ts';

type Judged = Pick<typeof relations.$inferSelect, 'kind' | 'members' | 'isComplete' | 'isVoidSafe'>;
/** `contradiction`: "A and B both came true". */
export type Contradicted = { id: string; title: string; contradiction: string };

/**
 * Judges those that `which` lets through by what was read last of their events, also where they have ended: members may
 * resolve later. What is rejected stays so. @returns those that have become void by it, and were not before
 */
export async function voidContradicted(tx: Db, runtime: Runtime, which: SQL | undefined): Promise<Contradicted[]> {
  const { id, title, kind, state, members, isComplete, isVoidSafe, reason } = relations;
  const rows = await tx
    .select({ id, title, kind, state, members, isComplete, isVoidSafe, reason })
    .from(relations)
    .where(and(which, ne(kind, 'pair'), ne(state, 'rejected')))
    .orderBy(id)
    .for('update');
  const listed = membersById(await readCatalogueEvents(tx, rows));
  const contradicted: Contradicted[] = [];
  for (const row of rows) {
    const contradiction = whyContradicted(row, listed);
    if (contradiction === null || row.reason === reasonOf(contradiction)) continue;
    await tx
      .update(relations)
      .set({ state: 'void', reason: reasonOf(contradiction), updatedAt: nextVersion(runtime) })
      .where(eq(relations.id, row.id));
    if (row.state !== 'void') contradicted.push({ id: row.id, title: row.title, contradiction });
  }
  return contradicted;
}

/** Says in words how resolved members contradict the relation; null when they do not. */
export async function contradictionOf(tx: Db, row: Judged): Promise<string | null> {
  return whyContradicted(row, membersById(await readCatalogueEvents(tx, [row])));
}

/** Members by market id. */
function membersById(events: ReadonlyMap<EventId, CatalogueEvent>): Map<string, EventMember> {
  const members = [...events.values()].flatMap((event) => event.members);
  return new Map(members.map((member) => [member.marketId, member]));
}

function reasonOf(contradiction: string): string {
  return `Contradicted: ${contradiction}`;
}
