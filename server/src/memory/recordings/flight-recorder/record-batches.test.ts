import { existsSync, mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { instantFromIso, instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { onlyEngine } from '../../../platform/engines/engines.ts';
import { until as batchUntil, ended, recordedBatch, start } from '../../../trading/execution/runner/runner.fixture.ts';
import { attempts, batches, batchOrders, fills } from '../../../trading/orders/table.ts';
import { listRecordings, trimRecordings } from '../files.ts';
import { NOTHING_WORTH } from '../kept/what-goes.ts';
import { openRecordings } from '../recordings.ts';
import { batchRecordings } from '../table.ts';
import { batchFile } from './batch-files.ts';
import { type FlightRecorderSite, openFlightRecorderSite, played } from './flight-recorder.fixture.ts';

const TOKENS = ['a:yes', 'b:yes'];
const MARGIN_MS = 5000;

/** Lets time pass while the books of both tokens move every quarter of a second. */
async function move(site: FlightRecorderSite, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 250) {
    const size = String(1 + (Math.floor(site.now() / 250) % 9));
    site.set('a:yes', 'sell', '0.40', size);
    site.set('b:yes', 'buy', left % 500 === 0 ? '0.38' : '0.37', size);
    await site.test.time.advance(250);
  }
}

const isKept = async ({ test }: FlightRecorderSite, id: string) =>
  (await test.runtime.db.select().from(batchRecordings).where(eq(batchRecordings.batchId, id))).length > 0;

/** One that is carried out while its books move, and kept. */
async function keptBatch(site: FlightRecorderSite): Promise<string> {
  await move(site, 8000);
  const { placing } = await start(site.test);
  const id = await recordedBatch(site.test, {}, TOKENS);
  placing.wake(id);
  await batchUntil(site.test, id, ended);
  await placing.stop();
  await move(site, 9000);
  await site.until(() => isKept(site, id));
  return id;
}

describe('the books of a batch', () => {
  it('are kept from five seconds before its trigger to five after its last answer, each moment as it was', async () => {
    await using site = await openFlightRecorderSite();
    const id = await keptBatch(site);
    const [status, { legs, moments, events, state, from, until, next, unknown }] = await site.read(
      `/arbitrage/batches/${id}/moments`,
    );
    expect(status).toBe(200);
    expect({ state, next, unknown }).toEqual({ state: 'kept', next: null, unknown: [] });
    expect(legs).toMatchObject([
      { leg: 1, market_id: 'market-a:yes', token_id: 'a:yes' },
      { leg: 2, market_id: 'market-b:yes', token_id: 'b:yes' },
    ]);
    const [batch] = await site.test.runtime.db.select().from(batches).where(eq(batches.id, id));
    expect(from).toBe(instantToIso(instantFromMs((batch?.createdAt ?? 0) - MARGIN_MS)));
    expect(instantFromIso(String(until))).toBeGreaterThanOrEqual((batch?.executionCompletedAt ?? 0) + MARGIN_MS);
    expect(moments.length).toBeGreaterThan(20);
    expect(moments[0]?.at).toBe(from);
    for (const { at, legs: books } of played(moments)) {
      expect({ at, books: books.map(({ bids, asks }) => ({ bids, asks })) }).toEqual({
        at,
        books: TOKENS.map((tokenId) => site.stood(tokenId, at)),
      });
    }
    expect((events as { event: string }[]).map(({ event }) => event)).toEqual(
      expect.arrayContaining(['decided', 'sent', 'acknowledged', 'filled', 'completed']),
    );
    const [, later] = await site.read(`/arbitrage/batches/${id}/moments?from=${moments[10]?.at}`);
    expect(later.moments[0]).toMatchObject({ at: moments[10]?.at, legs: [{ index: 0 }, { index: 1 }] });
    expect(later.moments.slice(1)).toEqual(moments.slice(11));
  });

  it('are waited for while it runs, and missing where nothing was recorded', async () => {
    await using site = await openFlightRecorderSite();
    const { db } = site.test.runtime;
    await move(site, 3000);
    const running = await recordedBatch(site.test, {}, TOKENS);
    const unread = await recordedBatch(site.test, {}, ['x:yes', 'y:yes']);
    expect(await site.read(`/arbitrage/batches/${running}/moments`)).toMatchObject([
      200,
      { state: 'waiting', moments: [], from: null },
    ]);
    await db.update(batches).set({ status: 'failed', executionCompletedAt: site.now() }).where(eq(batches.id, unread));
    await site.until(() => isKept(site, unread));
    expect(await site.read(`/arbitrage/batches/${unread}/moments`)).toMatchObject([200, { state: 'missing' }]);
    expect(existsSync(batchFile(site.recordings.folder, unread))).toBe(false);
    expect(await isKept(site, running)).toBe(false);
    expect((await site.read('/arbitrage/batches/00000000-0000-4000-8000-000000000000/moments'))[0]).toBe(404);
  });

  it('of one that never ends are kept ten minutes after its trigger', async () => {
    await using site = await openFlightRecorderSite();
    await move(site, 6000);
    const id = await recordedBatch(site.test, {}, TOKENS);
    await site.test.time.advance(590_000);
    expect(await isKept(site, id)).toBe(false);
    await move(site, 20_000);
    await site.until(() => isKept(site, id));
    expect(await site.read(`/arbitrage/batches/${id}/moments`)).toMatchObject([200, { state: 'kept' }]);
  });

  it('are not taken for kept while they are written: a new start begins anew', async () => {
    await using site = await openFlightRecorderSite();
    await move(site, 6000);
    await site.recordings.stop();
    const id = await recordedBatch(site.test, {}, TOKENS);
    const { folder, venue } = site.recordings;
    const half = `${batchFile(folder, id)}.part`;
    mkdirSync(path.dirname(half), { recursive: true });
    writeFileSync(half, `dutchbook-recording 1 ${venue}\nBLKD`);
    expect(await site.read(`/arbitrage/batches/${id}/moments`)).toMatchObject([200, { state: 'waiting' }]);
    const again = openRecordings(site.test.runtime, site.tokens, onlyEngine().partitions);
    const { db } = site.test.runtime;
    await db.update(batches).set({ status: 'failed', executionCompletedAt: site.now() }).where(eq(batches.id, id));
    await move(site, 9000);
    await site.until(() => isKept(site, id));
    await again.stop();
    expect(readdirSync(path.dirname(half))).toEqual([`${id}.dbr`]);
    expect(await site.read(`/arbitrage/batches/${id}/moments`)).toMatchObject([200, { state: 'kept' }]);
  });

  it('go with their batch, and the oldest once they have more bytes than allowed', async () => {
    await using site = await openFlightRecorderSite({ RECORDING_BATCHES_MAX_BYTES: '1000000' });
    const { db } = site.test.runtime;
    const ids = [await keptBatch(site), await keptBatch(site), await keptBatch(site)];
    const files = ids.map((id) => batchFile(site.recordings.folder, id));
    const [oldest = '', deleted = '', newest = ''] = ids;
    for (const [place, file] of files.entries()) utimesSync(file, 1000 + place, 1000 + place);
    for (const table of [fills, attempts, batchOrders]) await db.delete(table).where(eq(table.batchId, deleted));
    await db.delete(batches).where(eq(batches.id, deleted));
    await site.test.time.advance(61_000);
    await site.until(async () => !existsSync(batchFile(site.recordings.folder, deleted)));
    expect(files.map((file) => existsSync(file))).toEqual([true, false, true]);

    writeFileSync(batchFile(site.recordings.folder, newest), Buffer.alloc(999_900));
    await site.test.time.advance(61_000);
    await site.until(async () => !existsSync(batchFile(site.recordings.folder, oldest)));
    expect(statSync(batchFile(site.recordings.folder, newest)).size).toBe(999_900);
    expect(await site.read(`/arbitrage/batches/${oldest}/moments`)).toMatchObject([200, { state: 'missing' }]);
  });

  it('have what they are taken from kept until then, whatever the limits of recordings say', async () => {
    await using site = await openFlightRecorderSite();
    await move(site, 6000);
    const id = await recordedBatch(site.test, {}, TOKENS);
    await site.test.time.advance(1000);
    await site.recordings.stop();
    const { folder } = site.recordings;
    const [batch] = await site.test.runtime.db.select().from(batches).where(eq(batches.id, id));
    const limits = { maxBytes: 1, days: 7 };
    const needed = { written: null, neededSince: instantFromMs((batch?.createdAt ?? 0) - MARGIN_MS) };
    await trimRecordings(folder, limits, site.now(), needed, NOTHING_WORTH);
    expect(await listRecordings(folder)).toHaveLength(1);
    await trimRecordings(folder, limits, site.now(), { written: null, neededSince: null }, NOTHING_WORTH);
    expect(await listRecordings(folder)).toEqual([]);
  });
});
