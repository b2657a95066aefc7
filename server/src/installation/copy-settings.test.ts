import { desc, sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { exitSettings } from '../books/exits/table.ts';
import { discoverySettings } from '../market/discovery/table.ts';
import { relations, relationTemplates } from '../market/relations/table.ts';
import { systemSettings } from '../people/system-settings/table.ts';
import { auditLog } from '../platform/audit/table.ts';
import { openTestRuntime } from '../test-runtime.ts';
import { ledgerEntries } from '../trading/ledger/table.ts';
import { fillBatches } from '../trading/orders/many-batches.fixture.ts';
import { batches } from '../trading/orders/table.ts';
import { tradingControls } from '../trading/trading-controls/table.ts';
import { claimInstallation } from './claim.ts';
import { copySettings } from './copy-settings.ts';

const ON_PAPER = { VENUE: 'paper', POLYMARKET_CLOB_URL: 'http://127.0.0.1:1' };
const REAL = { VENUE: 'polymarket', POLYMARKET_PRIVATE_KEY: `0x${'1'.repeat(64)}` };

async function bothOpen() {
  const [paper, real] = await Promise.all([openTestRuntime(ON_PAPER), openTestRuntime(REAL)]);
  await claimInstallation(paper.runtime);
  const close = async () => void (await Promise.all([paper.close(), real.close()]));
  return { paper: paper.runtime, real: real.runtime, [Symbol.asyncDispose]: close };
}

it('takes settings, limits, relations and their approvals into a new real installation, and no money and no batch', async () => {
  await using both = await bothOpen();
  const { paper, real } = both;
  const at = paper.clock.now();
  await paper.db.insert(systemSettings).values({ name: 'MIN_PROFIT_TRIGGER_THRESHOLD', value: 1.5, updatedAt: at });
  const form = { ladder: true, auto_place_found: true };
  await paper.db.insert(discoverySettings).values({ venue: 'paper', form, changedAt: at });
  const limits = { perOrder: 5_000_000, limitsChangedAt: at };
  await paper.db.execute(sql`insert into trading_controls (venue, armed, per_order, limits_changed_at)
    values ('paper', true, ${limits.perOrder}, now()), ('kalshi:paper', true, 3000000, now())`);
  await paper.db.insert(exitSettings).values({ venue: 'kalshi:paper', form: { merge: 'off' }, changedAt: at });
  await paper.db
    .insert(relationTemplates)
    .values({ template: 'rain', approvedBy: 'chief@example.com', approvedAt: at });
  await paper.db.execute(sql`insert into relations
    (id, created_at, updated_at, key, kind, basis, state, event_id, event_title, title, members, read_from, is_complete,
     completeness, is_void_safe, fingerprint, decided_by, decided_at, snapshot, trusted, ended_at)
    select gen_random_uuid(), now(), now(), key, 'ladder', 'parsed', 'approved', '1', 'Rain', 'Rain', '[]', '[]', true,
      '', true, '', 'chief@example.com', now(), '{}', '{}', ended_at
    from (values ('watched', null::timestamptz), ('over', now())) as rows (key, ended_at)`);
  await fillBatches(paper.db, 3);
  await paper.db.insert(ledgerEntries).values({ at, kind: 'deposit', lines: [] });

  const copied = await copySettings(paper.db, real.db, real.clock);
  expect(copied).toEqual({ settings: 5, relations: 1, approvals: 1 });
  await claimInstallation(real);
  const stored = await real.db.select().from(systemSettings);
  expect(stored.find(({ name }) => name === 'MIN_PROFIT_TRIGGER_THRESHOLD')).toMatchObject({ value: 1.5 });
  expect(await real.db.select().from(discoverySettings)).toMatchObject([
    { venue: 'polymarket', form: { ladder: true, auto_place_found: false } },
  ]);
  expect(await real.db.select().from(exitSettings)).toMatchObject([{ venue: 'kalshi', form: { merge: 'off' } }]);
  expect(await real.db.select().from(tradingControls).orderBy(desc(tradingControls.venue))).toMatchObject([
    { venue: 'polymarket', armed: false, perOrder: 5_000_000 },
    { venue: 'kalshi', armed: false, perOrder: 3_000_000 },
  ]);
  expect(await real.db.select().from(relations)).toMatchObject([
    { key: 'watched', state: 'approved', decidedBy: 'chief@example.com' },
  ]);
  expect([await real.db.$count(batches), await real.db.$count(ledgerEntries)]).toEqual([0, 0]);
  const written = await real.db.select().from(auditLog);
  expect(written.map(({ action }) => action)).toEqual(['settings.copied']);
});

it('takes them from paper trading alone, and into nothing that was used', async () => {
  await using both = await bothOpen();
  const { paper, real } = both;
  await expect(copySettings(real.db, paper.db, real.clock)).rejects.toThrow('The source holds no paper trading');
  await expect(copySettings(paper.db, paper.db, real.clock)).rejects.toThrow(
    'The target holds no data of a real venue',
  );
  await fillBatches(real.db, 1);
  await expect(copySettings(paper.db, real.db, real.clock)).rejects.toThrow('The target has batches');
});
