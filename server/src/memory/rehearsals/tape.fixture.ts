/** A span of the past written by hand: what was recorded of books, and what decisions looked at. */

import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import { feeOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import type { AccountState } from '@dutchbook/engine/risk/context.ts';
import { NO_LIMITS } from '@dutchbook/engine/risk/limits/touched.ts';
import { BlockEncoder } from '@dutchbook/recordings/block.ts';
import { blockBytes, fileStart } from '@dutchbook/recordings/file.ts';
import type { Recorded, RecordedLevel } from '@dutchbook/recordings/record.ts';
import { type Instant, instantFromMs } from '@dutchbook/units/instant.ts';
import { priceFromNumber } from '@dutchbook/units/price.ts';
import { sharesFromNumber } from '@dutchbook/units/shares.ts';
import { USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import type { JournalData, JournaledAccount, JournaledOpportunity } from '../../market/decision-journal/journaled.ts';
import type { JournalTopic } from '../../market/decision-journal/table.ts';
import { type Noted, openJournalWriter } from '../../market/decision-journal/write.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { recordingName } from '../recordings/files.ts';
import { recordingFolder } from '../recordings/recorder.fixture.ts';
import { type RehearsalPlan, type Rehearsed, runRehearsal } from './run.ts';

const VENUE = 'simulated';

type Level = readonly [price: number, size: number];

export type Tape = {
  from: Instant;
  /** Milliseconds after the beginning; what is added after this arrives then. */
  at: (ms: number) => Tape;
  /** The whole book of a token, asks first: `a:yes` is of market `a`. */
  book: (tokenId: string, asks: readonly Level[], bids?: readonly Level[]) => Tape;
  trust: (tokenId: string, trust: 'live' | 'stale') => Tape;
  gap: (untilMs: number, reason: string) => Tape;
  note: <Topic extends JournalTopic>(topic: Topic, subject: string, data: JournalData[Topic] | null) => Tape;
  /** Rehearses what was added, until a second after the last of it unless said. */
  rehearse: (plan?: Partial<RehearsalPlan> & { untilMs?: number }) => Promise<Rehearsed>;
};

export const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
) as Settings;

/** Shares at a level that no order takes whole. */
export const PLENTY = 1000;
/** The default settings, but priced at the best asks. */
export const BEST_ASK = { ...DEFAULTS, USE_CUMULATIVE_PRICING: false };

const STATE: AccountState = {
  ...{ balance: usdFromNumber(1000), allowances: null, armed: true, clockSkewMs: null },
  ...{ limits: NO_LIMITS, limitsRequired: false, placedToday: USD_ZERO, openExposure: USD_ZERO },
};

/** With that of its one account. */
export function accountWith(state: Partial<AccountState>): JournaledAccount {
  return {
    accounts: new Map([['polymarket', { ...STATE, ...state }]]),
    deskLimits: NO_LIMITS,
    readiness: { reconciled: true, placesFound: false, corruptSettings: [] },
    ownOrders: [],
    spentBefore: [],
  };
}

export const ACCOUNT: JournaledAccount = accountWith({});

/** Both markets resolve as yes together: a set pays a dollar. */
export function opportunityOf(changes: Partial<JournaledOpportunity> = {}): JournaledOpportunity {
  return {
    targetPrice: priceFromNumber(1),
    positions: [
      { leg: 1, marketId: 'a', outcome: 'Yes' },
      { leg: 2, marketId: 'b', outcome: 'Yes' },
    ],
    relationId: null,
    title: '2 legs',
    aboveTrigger: false,
    rises: 0,
    ...changes,
  };
}

/** Without fees, so that a test's arithmetic is read at a glance. */
function freeMarket(id: string): JournalData['market'] {
  const outcomes = ['Yes', 'No'].map((outcome) => ({ outcome, tokenId: `${id}:${outcome.toLowerCase()}` }));
  return marketOf(id, { outcomes, feeSchedule: feeOf(0) });
}

/** Begins with the settings' defaults, an account with cash, and the opportunity over markets `a` and `b`, followed from the start. */
export function openTape(test: TestRuntime, folder: string): Tape {
  const from = instantFromMs(Date.parse('2026-11-26T12:00:00Z'));
  const records: Recorded[] = [];
  const noted: Noted[] = [];
  let now = from;
  const levels = (of: readonly Level[]): RecordedLevel[] =>
    of.map(([price, size]) => ({ price: priceFromNumber(price), size: sharesFromNumber(size) }));
  const write = async () => {
    await openJournalWriter(test.runtime.db, VENUE).write(noted);
    const block = new BlockEncoder();
    for (const record of records) block.add(record);
    await mkdir(folder, { recursive: true });
    const bytes = Buffer.concat([fileStart(VENUE), await blockBytes(block)]);
    await writeFile(path.join(folder, recordingName(from, '00000000')), bytes);
  };
  const tape: Tape = {
    from,
    at: (ms) => {
      now = instantFromMs(from + ms);
      return tape;
    },
    book: (tokenId, asks, bids = []) => {
      records.push({ kind: 'book', tokenId, at: now, venueAt: null, bids: levels(bids), asks: levels(asks) });
      if (records.some((record) => record.kind === 'trust' && record.tokenId === tokenId)) return tape;
      return tape.trust(tokenId, 'live');
    },
    trust: (tokenId, trust) => {
      records.push({ kind: 'trust', tokenId, at: now, venueAt: null, trust });
      return tape;
    },
    gap: (untilMs, reason) => {
      records.push({ kind: 'gap', at: now, venueAt: null, until: instantFromMs(from + untilMs), reason });
      return tape;
    },
    note: (topic, subject, data) => {
      noted.push({ at: now, topic, subject, data } as Noted);
      return tape;
    },
    rehearse: async ({ untilMs, ...plan } = {}) => {
      await write();
      const until = instantFromMs(untilMs === undefined ? now + 1000 : from + untilMs);
      return await runRehearsal({
        ...{ db: test.runtime.db, folder, venue: VENUE, from, until, changes: {}, assumePlacing: false },
        ...{ onProgress: () => {}, signal: new AbortController().signal },
        ...plan,
      });
    },
  };
  return tape
    .note('settings', '', DEFAULTS)
    .note('account', '', ACCOUNT)
    .note('market', 'a', freeMarket('a'))
    .note('market', 'b', freeMarket('b'))
    .note('opportunity', 'one', opportunityOf());
}

/** With a tape that ends with the test. */
export async function withTape(work: (tape: Tape) => Promise<void>): Promise<void> {
  await using test = await openTestRuntime();
  using place = recordingFolder();
  await work(openTape(test, place.folder));
}

/** With leg 1 at 0.45: what a set costs, moment by moment, a second each from the first on. */
export function costs(tape: Tape, prices: readonly number[], size = PLENTY): Tape {
  tape.at(0).book('a:yes', [[0.45, size]], [[0.4, size]]);
  for (const [second, price] of prices.entries())
    tape.at(1000 * (second + 1)).book('b:yes', [[Number((price - 0.45).toFixed(2)), size]], [[0.3, size]]);
  return tape;
}
