import { sql } from 'drizzle-orm';
import { PgBoss } from 'pg-boss';
import { expect, it } from 'vitest';
import { copyDatabase } from '../../platform/copying/copy-database.ts';
import { openPostgres } from '../../platform/database/database.ts';
import { freshTestDatabase } from '../../platform/database/test-server.fixture.ts';
import { openTestApp } from '../../platform/http/app.fixture.ts';
import { openApp } from '../../platform/http/open-app.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { registerLogin } from '../login/routes.ts';
import { openSessions } from '../login/sessions.ts';
import { createPasswords } from '../users/passwords.ts';
import { phoneOf, setUpAuthenticator, signInWith } from './second-factor.fixture.ts';

const EMAIL = 'ada@example.com';

async function layOutQueue(connectionString: string): Promise<void> {
  const boss = new PgBoss({ connectionString, supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
}

/** Only what signing in takes, on another database. */
async function openOn(runtime: Runtime) {
  const app = await openApp(runtime, openSessions(runtime), { webFolder: runtime.config.dataDir, onAnswer: () => {} });
  registerLogin(app, runtime, createPasswords());
  return app;
}

it('an account restored from a backup is opened by the same phone and the same recovery codes', async () => {
  await using app = await openTestApp();
  const { headers } = await app.signedIn({ email: EMAIL });
  const { secret, recoveryCodes } = await setUpAuthenticator(app, headers);
  const { runtime } = app.test;
  const backup = await freshTestDatabase();
  const found = await runtime.db.execute<{ name: string }>(sql`select current_database() as name`);
  const [row] = (found as unknown as { rows: { name: string }[] }).rows;
  const source = Object.assign(new URL(backup.url), { pathname: `/${row?.name}` }).href;
  for (const url of [source, backup.url]) await layOutQueue(url);
  await copyDatabase(source, backup.url, () => {});
  const restored = await openPostgres(backup.url, runtime.timers, runtime.log);
  const again = await openOn({ ...runtime, db: restored.db });
  expect((await signInWith(again, EMAIL))[0]).toBe(400);
  const phone = phoneOf(secret, app);
  expect((await signInWith(again, EMAIL, { code: phone.code() }))[0]).toBe(200);
  expect((await signInWith(again, EMAIL, { code: recoveryCodes[0] ?? '' }))[0]).toBe(200);
  await again.http.close();
  const otherKey = await openOn({
    ...runtime,
    db: restored.db,
    config: { ...runtime.config, secretKey: 'another secret key, made anew after the restore' },
  });
  expect(await signInWith(otherKey, EMAIL, { code: phone.code(1) })).toMatchObject([
    400,
    { detail: 'The secret key has changed since the authenticator was set up. Use a recovery code.' },
  ]);
  expect((await signInWith(otherKey, EMAIL, { code: recoveryCodes[1] ?? '' }))[0]).toBe(200);
  await otherKey.http.close();
  await restored.close();
  await backup.drop();
});
