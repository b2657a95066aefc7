import type { VenueMode } from '@dutchbook/contract/status.ts';
import { describe, expect, it } from 'vitest';
import { exitSettings } from '../books/exits/table.ts';
import { lastChanges, readSettings } from '../people/system-settings/store.ts';
import { systemSettings } from '../people/system-settings/table.ts';
import { ensureFirstSuperuser } from '../people/users/first-superuser.ts';
import { createPasswords } from '../people/users/passwords.ts';
import { recordAction } from '../platform/audit/record.ts';
import { auditLog } from '../platform/audit/table.ts';
import type { Runtime } from '../platform/runtime/runtime.ts';
import { openTestRuntime } from '../test-runtime.ts';
import { ledgerEntries } from '../trading/ledger/table.ts';
import { fillBatches } from '../trading/orders/many-batches.fixture.ts';
import { ensureControls } from '../trading/trading-controls/store.ts';
import { claimInstallation } from './claim.ts';
import { installation } from './table.ts';

const startOf = (runtime: Runtime, venueMode: VenueMode) =>
  claimInstallation({ ...runtime, config: { ...runtime.config, venueMode } });

const refusalOf = (runtime: Runtime, venueMode: VenueMode) =>
  startOf(runtime, venueMode).then(
    () => null,
    (error: Error) => error.message,
  );

/** What each start of a version that stored no world has left. */
async function startedBefore({ db, ...runtime }: Runtime, ...modes: VenueMode[]) {
  await ensureFirstSuperuser({ db, ...runtime }, createPasswords());
  for (const mode of modes) await ensureControls(db, mode, 'polymarket');
}

const byNobody = { id: null, email: null, address: '127.0.0.1' };
const arm = (runtime: Runtime, mode: VenueMode) =>
  runtime.db.transaction((tx) => recordAction(tx, runtime, byNobody, { action: 'trading.armed', object: mode }));
const setExits = ({ db, clock }: Runtime) =>
  db.insert(exitSettings).values({ venue: 'polymarket', form: {}, changedAt: clock.now() });
const deposit = ({ db, clock }: Runtime) =>
  db.insert(ledgerEntries).values({ at: clock.now(), kind: 'deposit', lines: [] });

describe('how large orders are at first', () => {
  const sizesOf = async ({ db }: Runtime) => {
    const { SIZE_POLICY, CLIP_USD } = (await readSettings(db)).settings;
    return [SIZE_POLICY, CLIP_USD];
  };

  it('is the best, in clips of $250, in a new installation on the simulated exchange, and said in the audit log', async () => {
    await using test = await openTestRuntime();
    const { runtime } = test;
    await startOf(runtime, 'simulated');
    expect(await sizesOf(runtime)).toEqual(['best', 250]);
    expect(await runtime.db.select().from(auditLog)).toMatchObject([
      { actor: 'system', action: 'settings.changed', after: { SIZE_POLICY: 'best', CLIP_USD: 250 } },
    ]);
    expect(await lastChanges(runtime.db)).toMatchObject(
      ['CLIP_USD', 'SIZE_POLICY'].map((name) => ({ name, changedBy: null, byProduct: true })),
    );
    await runtime.db.delete(systemSettings);
    await startOf(runtime, 'simulated');
    expect(await sizesOf(runtime)).toEqual(['smallest', 100]);
  });

  it.each([
    { where: 'an installation of before', variables: {}, before: (runtime: Runtime) => startedBefore(runtime) },
    { where: 'a real venue', variables: { VENUE: 'polymarket' }, before: async () => {} },
    {
      where: 'one that FIRST_SIZE_POLICY says so of',
      variables: { FIRST_SIZE_POLICY: 'smallest' },
      before: async () => {},
    },
  ])('is the smallest on $where', async ({ variables, before }) => {
    await using test = await openTestRuntime(variables);
    await before(test.runtime);
    await claimInstallation(test.runtime);
    expect(await sizesOf(test.runtime)).toEqual(['smallest', 100]);
  });
});

describe('which world the data is of', () => {
  it('is stored by the first start, and every start in another world is refused', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const since = runtime.clock.now();
    await Promise.all([startOf(runtime, 'simulated'), startOf(runtime, 'simulated')]);
    await time.advance(60_000);
    await startOf(runtime, 'replay');
    expect(await runtime.db.select().from(installation)).toEqual([
      { only: true, world: 'simulated', since, fills: null, upstream: null },
    ]);
    await fillBatches(runtime.db, 3);
    expect(await refusalOf(runtime, 'polymarket_read_only')).toBe(
      `The data folder ${runtime.config.dataDir} holds data of the simulated exchange since ${new Date(since).toISOString()} ` +
        '(3 batches and 0 ledger entries), which never mix with those of a real venue: name an empty folder in DATA_DIR, or start with VENUE=simulated.',
    );
    expect(await refusalOf(runtime, 'polymarket_live')).toContain('VENUE=simulated');
  });

  it('of paper trading never starts as another, nor another as paper trading, nor one fill model as another', async () => {
    const onPaper = { VENUE: 'paper', POLYMARKET_CLOB_URL: 'http://127.0.0.1:1' };
    for (const other of ['simulated', 'polymarket_live'] as const) {
      await using ofPaper = await openTestRuntime(onPaper);
      await claimInstallation(ofPaper.runtime);
      await claimInstallation(ofPaper.runtime);
      const { config } = ofPaper.runtime;
      const refused = claimInstallation({ ...ofPaper.runtime, config: { ...config, venueMode: other, paper: null } });
      await expect(refused).rejects.toThrow(/holds data of paper trading since .*, or start with VENUE=paper\.$/);
      const otherwise = claimInstallation({
        ...ofPaper.runtime,
        config: { ...config, paper: { fills: 'touch', upstream: 'real' } },
      });
      await expect(otherwise).rejects.toThrow(
        /holds data of paper trading with the fill model latency since .* those of paper trading with the fill model touch: .* or start with PAPER_FILLS=latency\.$/,
      );
      const [upstream, fills] = ['http://a.example/gamma,http://a.example,ws://a.example/ws', 'latency' as const];
      const elsewhere = () =>
        claimInstallation({ ...ofPaper.runtime, config: { ...config, paper: { fills, upstream } } });
      await expect(elsewhere()).rejects.toThrow(
        /holds data of paper trading that mirrors the real venue since .* those of paper trading that mirrors http:\/\/a\.example\/gamma,http:.* or start with PAPER_UPSTREAM=real\.$/,
      );
      const withKalshi = claimInstallation({
        ...ofPaper.runtime,
        config: { ...config, paper: { fills, upstream: 'real kalshi=real' } },
      });
      await expect(withKalshi).rejects.toThrow(/those of paper trading that mirrors the real venue and Kalshi: /);
      // Data from before it was stored.
      await ofPaper.runtime.db.update(installation).set({ upstream: null });
      await elsewhere();
      await expect(claimInstallation(ofPaper.runtime)).rejects.toThrow(/start with PAPER_UPSTREAM=http:\/\/a\.example/);
    }
    await using test = await openTestRuntime(onPaper);
    const { runtime } = test;
    await startOf({ ...runtime, config: { ...runtime.config, paper: null } }, 'simulated');
    await expect(claimInstallation(runtime)).rejects.toThrow(
      /holds data of the simulated exchange since .* never mix with those of paper trading: .* VENUE=simulated\.$/,
    );
  });

  it('names the database without its password where DATABASE_URL names one', async () => {
    await using test = await openTestRuntime({ DATABASE_URL: 'postgresql://desk:hunter2@db.example:5433/real%20desk' });
    await startOf(test.runtime, 'polymarket_live');
    await startOf(test.runtime, 'polymarket_read_only');
    const refusal = await refusalOf(test.runtime, 'simulated');
    expect(refusal).toContain('The database real desk on db.example:5433 holds data of a real venue since ');
    expect(refusal).toContain('name an empty database in DATABASE_URL, or start with VENUE=polymarket.');
    expect(refusal).not.toContain('hunter2');
  });

  it.each<[string, (runtime: Runtime) => Promise<unknown>, 'simulated' | 'real']>([
    ['of the simulated exchange alone', (runtime) => startedBefore(runtime, 'simulated', 'replay'), 'simulated'],
    ['of a real venue alone', (runtime) => startedBefore(runtime, 'polymarket_live'), 'real'],
    [
      'traded on the simulated exchange, with a real venue set up and never armed',
      async (runtime) => {
        await startedBefore(runtime, 'simulated', 'polymarket_live');
        await setExits(runtime);
        await fillBatches(runtime.db, 1);
      },
      'simulated',
    ],
    [
      'with batches, and armed on a real venue',
      async (runtime) => {
        await startedBefore(runtime, 'simulated', 'polymarket_live');
        await fillBatches(runtime.db, 1);
        await arm(runtime, 'polymarket_live');
      },
      'real',
    ],
    [
      'without a batch, with settings of a real venue',
      async (runtime) => {
        await startedBefore(runtime, 'simulated', 'polymarket_read_only');
        await setExits(runtime);
      },
      'real',
    ],
    [
      'without a batch, with cash of the simulated exchange in the ledger and a look at a real venue',
      async (runtime) => {
        await startedBefore(runtime, 'simulated', 'polymarket_read_only');
        await deposit(runtime);
      },
      'simulated',
    ],
  ])('is notified of older data %s', async (_, prepare, world) => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const since = runtime.clock.now();
    await prepare(runtime);
    await time.advance(60_000);
    const [same, other] = (
      world === 'real' ? ['polymarket_live', 'simulated'] : ['simulated', 'polymarket_live']
    ) as VenueMode[];
    expect(await refusalOf(runtime, other as VenueMode)).toContain('never mix');
    expect(await refusalOf(runtime, same as VenueMode)).toBeNull();
    expect(await runtime.db.select().from(installation)).toEqual([
      { only: true, world, since, fills: null, upstream: null },
    ]);
  });

  it('is that of the next start where older data is of neither', async () => {
    await using test = await openTestRuntime();
    await startedBefore(test.runtime, 'simulated', 'polymarket_read_only');
    expect(await refusalOf(test.runtime, 'polymarket_live')).toBeNull();
    expect(await refusalOf(test.runtime, 'simulated')).toContain('a real venue');
  });
});
