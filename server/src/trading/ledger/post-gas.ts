/** Writes what gas submissions to the chain have cost, once each. */
import { linesOfGas } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../platform/runtime/runtime.ts';
import { ledgerEntries } from './table.ts';

type Gas = { wei: string; symbol: string };
type Paying = { id: string; venue: VenueName };

/** In the transaction that records its end, so that it is entered once. */
export async function postGas(tx: Db, { id, venue }: Paying, gas: Gas, at: Instant): Promise<void> {
  const lines = linesOfGas(gas, venue);
  if (lines.length > 0) await tx.insert(ledgerEntries).values({ at, kind: 'gas', lines, submissionId: id });
}

/** Posts the gas of submissions from versions before the ledger. */
export async function postOlderGas(db: Db): Promise<void> {
  const { rows } = (await db.execute(sql`select id, venue, gas, ended_at::text as at from chain_submissions s
    where gas is not null and ended_at is not null and not exists (
      select 1 from ledger_entries e where e.submission_id = s.id and e.kind = 'gas')`)) as unknown as {
    rows: (Paying & { gas: Gas; at: string })[];
  };
  for (const { id, venue, gas, at } of rows) {
    await db.transaction(async (tx) => {
      await tx.execute(sql`select 1 from chain_submissions where id = ${id} for update`);
      const posted = and(eq(ledgerEntries.submissionId, id), eq(ledgerEntries.kind, 'gas'));
      if ((await tx.$count(ledgerEntries, posted)) === 0)
        await postGas(tx, { id, venue }, gas, Date.parse(at) as Instant);
    });
  }
}
