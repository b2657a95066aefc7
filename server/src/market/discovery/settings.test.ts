/** What discovery places in an installation that is new, and in one that was there before. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { VenueMode } from '@dutchbook/contract/status.ts';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { migrationsFolder } from '../../folders.ts';
import { ensureFirstSuperuser } from '../../people/users/first-superuser.ts';
import { createPasswords } from '../../people/users/passwords.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { ensureControls } from '../../trading/trading-controls/store.ts';
import { openDiscoverySettings } from './settings.ts';

async function placedBy(runtime: Runtime, venueMode: VenueMode) {
  const settings = await openDiscoverySettings({ ...runtime, config: { ...runtime.config, venueMode } });
  const { auto_place_found, price_low, price_high } = settings.current();
  settings.stop();
  return { auto_place_found, price_low, price_high };
}

/** Carries out what the migration changes of rows, as it does where a version before has left them. */
async function upgrade({ db }: Runtime): Promise<void> {
  const name = readdirSync(migrationsFolder).find((file) => file.endsWith('_basis_of_found.sql')) ?? '';
  const statements = readFileSync(path.join(migrationsFolder, name), 'utf8').split('--> statement-breakpoint');
  for (const statement of statements.slice(1)) await db.execute(sql.raw(statement));
}

const WHOLE = { price_low: 1000, price_high: 999_000 };
const AS_THE_THRESHOLDS = { price_low: null, price_high: null };

it('a new installation places what it finds where no money is at stake alone, at nearly every price', async () => {
  await using test = await openTestRuntime();
  await upgrade(test.runtime);
  for (const mode of ['simulated', 'paper'] as const)
    expect(await placedBy(test.runtime, mode)).toEqual({ auto_place_found: true, ...WHOLE });
  expect(await placedBy(test.runtime, 'polymarket_live')).toEqual({ auto_place_found: false, ...WHOLE });
});

it('an installation that was there before keeps what held, whether anything of it was stored or not', async () => {
  await using test = await openTestRuntime();
  const { runtime } = test;
  await ensureFirstSuperuser(runtime, createPasswords());
  await ensureControls(runtime.db, 'polymarket_live', 'polymarket');
  const stored = JSON.stringify({ auto_place_found: true, ladder: true });
  await runtime.db.execute(
    sql`insert into discovery_settings (venue, form, changed_at) values ('polymarket', ${stored}::jsonb, now())`,
  );
  await upgrade(runtime);
  expect(await placedBy(runtime, 'simulated')).toEqual({ auto_place_found: false, ...AS_THE_THRESHOLDS });
  expect(await placedBy(runtime, 'polymarket_live')).toEqual({ auto_place_found: true, ...AS_THE_THRESHOLDS });
});
