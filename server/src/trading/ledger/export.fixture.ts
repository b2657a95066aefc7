/** A ledger whose entries are exported, for tests of its files. */
import type { LedgerLine } from '@dutchbook/engine/ledger/entry.ts';
import { converted, traded } from '@dutchbook/engine/ledger/history.fixture.ts';
import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { parse } from 'csv-parse/sync';
import { eq } from 'drizzle-orm';
import { expect } from 'vitest';
import { openTestApp, type TestApp } from '../../platform/http/app.fixture.ts';
import type { TestRuntime } from '../../test-runtime.ts';
import { recordedBatch } from '../execution/runner/runner.fixture.ts';
import { batchOrders } from '../orders/table.ts';
import { registerLedgerExports } from './export-routes.ts';
import { ledgerEntries } from './table.ts';

export type Row = Record<string, string>;
type NewEntry = Pick<typeof ledgerEntries.$inferInsert, 'kind' | 'lines'> & Partial<typeof ledgerEntries.$inferInsert>;

export const MICRO = 1_000_000;
export const START = instantFromIso('2026-01-01T00:00:00Z');

export type LedgerSite = AsyncDisposable & {
  test: TestRuntime;
  http: TestApp['http'];
  headers: Record<string, string>;
  exported: (path: string) => Promise<Row[]>;
  /** Enters them one hour apart, unless an entry has its own time. */
  enter: (entries: readonly NewEntry[]) => Promise<void>;
  /** A batch with an order for each of these tokens, with the given changes applied. */
  batchWith: (
    changed: readonly Partial<typeof batchOrders.$inferInsert>[],
  ) => Promise<{ batchId: string; orderIds: string[] }>;
};

export async function openLedgerSite(): Promise<LedgerSite> {
  const site = await openTestApp({ variables: { VENUE: 'simulated' } });
  registerLedgerExports(site.app, site.test.runtime);
  const { headers } = await site.signedIn();
  const { db } = site.test.runtime;
  return {
    ...{ test: site.test, http: site.http, headers },
    async exported(path) {
      const { statusCode, body, headers: said } = await site.http.inject({ url: `/api/v1/ledger/${path}`, headers });
      expect([statusCode, said['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
      expect(said['content-disposition']).toMatch(/^attachment; filename="(ledger|tax)_2026-01-01.csv"$/);
      return parse(body, { columns: true }) as Row[];
    },
    async enter(entries) {
      const rows = entries.map((entry, place) => ({ at: (START + place * 3_600_000) as Instant, ...entry }));
      for (let from = 0; from < rows.length; from += 500)
        await db.insert(ledgerEntries).values(rows.slice(from, from + 500));
    },
    async batchWith(changed) {
      const batchId = await recordedBatch(
        site.test,
        {},
        changed.map(({ tokenId }) => tokenId ?? ''),
      );
      const orders = await db
        .select()
        .from(batchOrders)
        .where(eq(batchOrders.batchId, batchId))
        .orderBy(batchOrders.ordinal);
      for (const [place, { id }] of orders.entries())
        await db
          .update(batchOrders)
          .set(changed[place] ?? {})
          .where(eq(batchOrders.id, id));
      return { batchId, orderIds: orders.map(({ id }) => id) };
    },
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

export const trade = (token: string, shares: number, dollars: number, fee = 0): LedgerLine[] =>
  traded(token, shares * MICRO, Math.round(dollars * MICRO), Math.round(fee * MICRO), 'held');
export const call = (token: string, shares: number, dollars: number) =>
  converted(token, shares * MICRO, dollars * MICRO);
