import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import type { AccountState } from '@dutchbook/engine/risk/context.ts';
import { NO_LIMITS } from '@dutchbook/engine/risk/limits/touched.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { sql } from 'drizzle-orm';
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Timers } from '../../platform/runtime/runtime.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { openJournalAging } from './aging.ts';
import type { JournalData, JournaledAccount, JournaledDecision, JournaledOpportunity } from './journaled.ts';
import { measureJournal } from './metrics.ts';
import { type OpenDecisionJournal, openDecisionJournal } from './note.ts';
import { type JournalRow, journalAt, journalBetween, lostSpans } from './read.ts';
import { fromStored } from './stored.ts';

const VENUE = 'simulated';
const DAY_MS = 86_400_000;

describe('what decisions look at', () => {
  it('is read as it stood at each moment, and as it went on', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const journal = openDecisionJournal(runtime, everything());
    const began = time.clock.now();
    journal.note('opportunity', 'a', opportunity({ rises: 1 }));
    journal.note('opportunity', 'b', opportunity({ rises: 2 }));
    await time.advance(1000);
    const between = time.clock.now();
    await time.advance(1);
    journal.note('opportunity', 'a', opportunity({ rises: 3 }));
    journal.note('opportunity', 'b', null);
    journal.note('account', '', ACCOUNT);
    await time.advance(1000);

    const before = await journalAt(runtime.db, VENUE, between);
    expect(risesOf(before.opportunity)).toEqual({ a: 1, b: 2 });
    expect(before.account.size).toBe(0);
    const after = await journalAt(runtime.db, VENUE, time.clock.now());
    expect(risesOf(after.opportunity)).toEqual({ a: 3 });
    expect(after.account.get('')).toEqual(ACCOUNT);
    expect((await journalAt(runtime.db, VENUE, instantFromMs(began - 1))).opportunity.size).toBe(0);
    expect(await reported(test, between)).toEqual([
      ['opportunity', 'a', 3],
      ['opportunity', 'b', null],
      ['account', '', ''],
    ]);
    expect((await journalAt(runtime.db, VENUE, between, { opportunity: ['b'] })).opportunity.size).toBe(1);
  });

  it('is written once where it stays the same, also by a process that starts again', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const first = openDecisionJournal(runtime, everything());
    first.note('settings', '', settings(1));
    first.note('settings', '', settings(1));
    await time.advance(1000);
    first.note('settings', '', settings(1));
    await first.stop();
    const second = openDecisionJournal(runtime, everything());
    second.note('settings', '', settings(1));
    second.note('settings', '', settings(2));
    second.note('settings', '', settings(1));
    await second.stop();
    expect(await count(test)).toBe(3);
  });

  it('keeps every decision, with what it was taken by', async () => {
    await using test = await openTestRuntime();
    const journal = openDecisionJournal(test.runtime, everything());
    for (const rises of [1, 2, 2]) journal.note('decision', 'a', decision(rises), instantFromMs(rises * 1000));
    await journal.stop();
    const all = [];
    for await (const row of journalBetween(test.runtime.db, VENUE, 0 as Instant, test.time.clock.now())) all.push(row);
    expect(all.map(({ at, data }) => [at, data])).toEqual([
      [1000, decision(1)],
      [2000, decision(2)],
      [2000, decision(2)],
    ]);
  });

  it('ends what an earlier run has left standing, where it is ours and not noted again', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const killed = openDecisionJournal(runtime, everything());
    for (const subject of ['still', 'gone', 'elsewhere']) killed.note('opportunity', subject, opportunity({}));
    await time.advance(1000);

    const partitions = { ...everything(), owns: (id: string) => id !== 'elsewhere' };
    const next = openDecisionJournal(runtime, partitions);
    next.onRetell(() => [{ topic: 'opportunity', subject: 'still', data: opportunity({}) }]);
    await time.advance(2000);
    expect((await journalAt(runtime.db, VENUE, time.clock.now())).opportunity.size).toBe(3);
    next.begin();
    await time.advance(1000);
    const { opportunity: standing } = await journalAt(runtime.db, VENUE, time.clock.now());
    expect([...standing.keys()].sort()).toEqual(['elsewhere', 'still']);
  });

  it('is noted anew by the process that takes it over, though it had noted the same before', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const [one, other] = [openDecisionJournal(runtime, everything()), openDecisionJournal(runtime, everything())];
    one.note('opportunity', 'a', opportunity({ rises: 1 }));
    await time.advance(1000);
    one.leave('opportunity', 'a');
    other.note('opportunity', 'a', opportunity({ rises: 2 }));
    await time.advance(1000);
    other.leave('opportunity', 'a');
    one.note('opportunity', 'a', opportunity({ rises: 1 }));
    await time.advance(1000);
    expect(risesOf((await journalAt(runtime.db, VENUE, time.clock.now())).opportunity)).toEqual({ a: 1 });
  });

  it('waits for a database that does not take it, drops the oldest of too many, and tells again what stands', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const journal = openDecisionJournal(runtime, everything(), undefined, 10);
    const standing = new Map<string, JournaledOpportunity>();
    journal.onRetell(() => [...standing].map(([subject, data]) => ({ topic: 'opportunity' as const, subject, data })));
    const note = (subject: string, rises: number) => {
      standing.set(subject, opportunity({ rises }));
      journal.note('opportunity', subject, opportunity({ rises }));
    };
    await runtime.db.execute(sql`alter table decision_facts rename to away`);
    const from = time.clock.now();
    note('kept', 1);
    await time.advance(3000);
    for (let rises = 1; rises <= 40; rises += 1) note('many', rises);
    await time.advance(1000);
    expect(await metrics(journal)).toMatchObject({ written_total: 0, dropped_total: 36, waiting: 5 });
    await runtime.db.execute(sql`alter table away rename to decision_facts`);
    const back = time.clock.now();
    await time.advance(2000);
    expect(risesOf((await journalAt(runtime.db, VENUE, time.clock.now())).opportunity)).toEqual({ kept: 1, many: 40 });
    expect(await metrics(journal)).toMatchObject({ written_total: await count(test), waiting: 0 });
    expect(await count(test)).toBeLessThan(20);
    const lost = await lostSpans(runtime.db, VENUE, 0 as Instant, time.clock.now());
    expect(lost).toEqual([{ from, until: expect.any(Number) }]);
    expect(lost[0]?.until).toBeGreaterThan(back);
    expect(lost[0]?.until).toBeLessThan(back + 2000);
    expect(await lostSpans(runtime.db, VENUE, time.clock.now(), time.clock.now())).toEqual([]);
  });

  it('says nothing of what is lost where nothing was dropped, however long the database was away', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const journal = openDecisionJournal(runtime, everything());
    await runtime.db.execute(sql`alter table decision_facts rename to away`);
    journal.note('opportunity', 'a', opportunity({}));
    await time.advance(60_000);
    await runtime.db.execute(sql`alter table away rename to decision_facts`);
    await time.advance(2000);
    expect(await count(test)).toBe(1);
  });

  it('says since when it is lost what a process had noted that was killed while the database was away', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const killed = openKilled(test);
    killed.journal.note('opportunity', 'a', opportunity({ rises: 1 }));
    await time.advance(5000);
    await runtime.db.execute(sql`alter table decision_facts rename to away`);
    const from = time.clock.now();
    killed.journal.note('opportunity', 'a', opportunity({ rises: 2 }));
    await time.advance(30_000);
    killed.kill();
    await runtime.db.execute(sql`alter table away rename to decision_facts`);

    await time.advance(60_000);
    const begun = time.clock.now();
    const next = openDecisionJournal(runtime, everything());
    next.begin();
    await time.advance(60_000);
    expect(await lostSpans(runtime.db, VENUE, 0 as Instant, time.clock.now())).toEqual([{ from, until: begun + 1000 }]);
    await next.stop();
    const third = openDecisionJournal(runtime, everything());
    third.begin();
    await time.advance(60_000);
    expect(await lostSpans(runtime.db, VENUE, 0 as Instant, time.clock.now())).toHaveLength(1);
    await third.stop();
  });

  it('takes nothing for lost that another process still writes, or had written when it ended', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const [one, other] = [openDecisionJournal(runtime, everything()), openDecisionJournal(runtime, everything())];
    for (const journal of [one, other]) journal.begin();
    await time.advance(60_000);
    other.note('opportunity', 'a', opportunity({ rises: 1 }));
    await other.stop();
    await time.advance(60_000);
    expect(await lostSpans(runtime.db, VENUE, 0 as Instant, time.clock.now())).toEqual([]);
  });

  it('stores texts that the database would not take as they are', async () => {
    await using test = await openTestRuntime();
    const journal = openDecisionJournal(test.runtime, everything());
    journal.note('opportunity', 'a', opportunity({ title: 'half \ud800 and nothing \0 \\u0000' }));
    await journal.stop();
    const { opportunity: read } = await journalAt(test.runtime.db, VENUE, test.time.clock.now());
    expect(read.get('a')?.title).toBe('half \ufffd and nothing  \\u0000');
  });

  it('is not noted where nothing is recorded', async () => {
    await using test = await openTestRuntime({ RECORDING: 'off' });
    const journal = openDecisionJournal(test.runtime, everything());
    journal.note('settings', '', settings(1));
    await journal.stop();
    expect(await count(test)).toBe(0);
    expect(await metrics(journal)).toEqual({});
  });
});

describe('journal rows that have aged', () => {
  it('go, but for what still stood when those began that are kept', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const journal = openDecisionJournal(runtime, everything());
    const began = time.clock.now();
    journal.note('opportunity', 'changed', opportunity({ rises: 1 }));
    journal.note('opportunity', 'ended', opportunity({}));
    journal.note('decision', 'changed', decision(1));
    await time.advance(60_000);
    journal.note('opportunity', 'changed', opportunity({ rises: 2 }));
    journal.note('opportunity', 'ended', null);
    await time.advance(60_000);
    journal.note('opportunity', 'changed', opportunity({ rises: 3 }));
    await journal.stop();

    const cutoff = instantFromMs(began + 90_000);
    const before = await journalAt(runtime.db, VENUE, cutoff);
    await age(test, 7, instantFromMs(cutoff + 7 * DAY_MS));
    expect(await count(test)).toBe(2);
    const after = await journalAt(runtime.db, VENUE, cutoff);
    expect(after.opportunity).toEqual(before.opportunity);
  });

  it('go with markets that were not watched for as long, and not with those that are', async () => {
    await using test = await openTestRuntime();
    const { runtime, time } = test;
    const journal = openDecisionJournal(runtime, everything());
    journal.note('market', 'unwatched', MARKET);
    for (let hours = 0; hours < 72; hours += 6) {
      journal.note('market', 'watched', MARKET);
      await time.advance(6 * 3_600_000);
    }
    await journal.stop();
    expect(await count(test)).toBe(4);
    await age(test, 1, time.clock.now());
    const { market } = await journalAt(runtime.db, VENUE, instantFromMs(time.clock.now() - DAY_MS));
    expect([...market.keys()]).toEqual(['watched']);
  });
});

/** One that does nothing any more once it is killed. */
function openKilled({ runtime }: TestRuntime) {
  let isAlive = true;
  const every: Timers['every'] = (ms, work) => runtime.timers.every(ms, () => (isAlive ? work() : undefined));
  const journal = openDecisionJournal({ ...runtime, timers: { ...runtime.timers, every } }, everything());
  const kill = () => {
    isAlive = false;
  };
  return { journal, kill };
}

function everything(): Partitions {
  return { owns: () => true, held: () => null, claimOf: () => null, onChange: () => () => {} };
}

function opportunity(some: Partial<JournaledOpportunity>): JournaledOpportunity {
  return {
    ...{ targetPrice: 1_000_000 as JournaledOpportunity['targetPrice'], positions: [], relationId: null },
    ...{ title: 'Rain or not', aboveTrigger: false, rises: 0, ...some },
  };
}

const ACCOUNT: JournaledAccount = {
  accounts: new Map([
    [
      'polymarket',
      {
        ...{ balance: 5 as never, allowances: new Map([['exchange', 7]]), armed: true, clockSkewMs: null },
        ...{ limits: NO_LIMITS, limitsRequired: false, placedToday: 0 as never, openExposure: 0 as never },
      },
    ],
  ]),
  deskLimits: NO_LIMITS,
  readiness: { ...{ reconciled: true, placesFound: false, corruptSettings: [], settlements: null } },
  ...{ ownOrders: [], spentBefore: [] },
};

const MARKET: JournalData['market'] = {
  ...{ id: 'm', question: 'Rain?', event: null, outcomes: [], negRisk: false, settledBy: 'exchange', endDate: null },
  ...{
    closed: false,
    acceptingOrders: true,
    resolution: null,
    tick: 10_000 as never,
    minOrderSize: 5 as never,
    sizeStep: 1 as never,
  },
  ...{ makerFeeSchedule: null, feeChange: null, pocket: '', netsOutcomes: false },
  ...{ minImmediateBuy: 1 as never, immediateBuyStep: 1 as never },
  ...{ saleAmountStep: 1 as never, feeSchedule: null },
};

function decision(rises: number): JournaledDecision {
  return {
    ...{ rises, begunAt: 5 as Instant, line: `[${rises}]`, batchId: null, account: ACCOUNT, activeBatchId: null },
    bookAges: [0, null],
  };
}

function settings(threshold: number): Settings {
  const defaults = Object.fromEntries(Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]));
  return { ...defaults, MIN_PROFIT_TRIGGER_THRESHOLD: threshold } as Settings;
}

function risesOf(standing: ReadonlyMap<string, JournaledOpportunity>): Record<string, number> {
  return Object.fromEntries([...standing].map(([id, { rises }]) => [id, rises]));
}

async function reported({ runtime, time }: TestRuntime, from: Instant) {
  const found: unknown[] = [];
  const shown = ({ topic, data }: JournalRow) => (topic === 'opportunity' ? (data?.rises ?? null) : '');
  for await (const row of journalBetween(runtime.db, VENUE, from, time.clock.now())) {
    found.push([row.topic, row.subject, shown(row)]);
  }
  return found;
}

async function age({ runtime }: TestRuntime, days: number, now: Instant): Promise<void> {
  await openJournalAging({ days }, async () => {})(runtime.db, now, new AbortController().signal);
}

async function metrics(journal: OpenDecisionJournal): Promise<Record<string, number>> {
  const registry = new Registry();
  measureJournal(registry, journal);
  const found = (await registry.metrics()).matchAll(/^dutchbook_decision_journal_(\w+) (\d+)$/gm);
  return Object.fromEntries(Array.from(found, ([, name = '', value]) => [name, Number(value)]));
}

async function count({ runtime }: TestRuntime): Promise<number> {
  const { rows } = (await runtime.db.execute(sql`select count(*)::int as count from decision_facts`)) as unknown as {
    rows: { count: number }[];
  };
  return rows[0]?.count ?? -1;
}

it('reads an account as earlier versions stored it, when there was one', () => {
  const [{ balance, allowances, armed, clockSkewMs, ...use }] = [...ACCOUNT.accounts.values()] as [AccountState];
  const { ownOrders, spentBefore, readiness } = ACCOUNT;
  const stored = {
    cash: balance,
    allowances: allowances && [...allowances],
    readiness: { ...readiness, armed, clockSkewMs },
    limitState: { ...use, ownOrders, spentBefore },
  };
  expect(fromStored('account', stored)).toEqual(ACCOUNT);
});
