/** What tests of live prices start with: a process, or two, that follows a scripted venue. */

import type { Change } from '@dutchbook/contract/stream.ts';
import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import { ONE_SHARE } from '@dutchbook/units/shares.ts';
import { eq } from 'drizzle-orm';
import { expect, vi } from 'vitest';
import type { WatchedSettings } from '../../people/system-settings/watched-settings.ts';
import { onlyEngine } from '../../platform/engines/engines.ts';
import type { Partitions } from '../../platform/engines/partitions.ts';
import { openListeners } from '../../platform/runtime/listeners.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import type { StreamHub } from '../../platform/stream/stream-hub.ts';
import { openTestRuntime, type TestRuntime } from '../../test-runtime.ts';
import { NO_JOURNAL, type OpenDecisionJournal } from '../decision-journal/note.ts';
import { type Draft, readDraft } from '../opportunities/draft.ts';
import { openFound } from '../opportunities/found.ts';
import { insertDrafts } from '../opportunities/insert-drafts.ts';
import type { LivePrices } from '../opportunities/live-prices.ts';
import { readOpportunity, type StoredOpportunity } from '../opportunities/store.ts';
import { opportunities } from '../opportunities/table.ts';
import { startLivePrices } from './live-prices.ts';
import { type QuoteFeed, startQuotes } from './quotes/quotes.ts';
import { type ScriptedMarkets, scriptedMarkets } from './quotes/scripted-markets.fixture.ts';

export const DEFAULT_SETTINGS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
) as Settings;

/** Settings that the test changes, in force at once. */
export type ScriptedSettings = WatchedSettings & { change: (changed: Partial<Settings>) => void };

export function scriptedSettings(initial: Settings): ScriptedSettings {
  const listeners = openListeners();
  let current = initial;
  return {
    current: () => current,
    corrupt: () => [],
    refresh: async () => {},
    onChange: listeners.add,
    change: (changed) => {
      current = { ...current, ...changed };
      listeners.call();
    },
  };
}

export type ScriptedProcess = { quotes: QuoteFeed; live: LivePrices; stop: () => Promise<void> };

export type Desk = AsyncDisposable & {
  test: TestRuntime;
  venue: ScriptedMarkets;
  settings: ScriptedSettings;
  published: Omit<Change, 'seq'>[];
  /** Ids of the opportunities that were placed automatically, once for each time. */
  placed: string[];
  /** Runs inside the transaction of a trigger, before the placing is noted; what it answers refuses the placing. */
  beforePlacing: () => Promise<string[] | undefined>;
  hub: StreamHub;
  /** Of the processes that are started from now on. */
  journal: OpenDecisionJournal;
  /** Starts a process, on a runtime of its own where one is given; it has all opportunities unless `partitions` say otherwise. */
  start: (runtime?: Runtime, partitions?: Partitions) => Promise<ScriptedProcess>;
  /** Stores an opportunity over `market outcome` pairs, each a leg. */
  add: (
    positions: readonly string[],
    fields?: { target_price?: number; active?: boolean },
  ) => Promise<StoredOpportunity>;
  /** Discovery puts these positions in the place of what it has found. */
  replace: (id: string, positions: readonly string[]) => Promise<void>;
  stored: (id: string) => Promise<StoredOpportunity>;
  /** Lets time pass until the database says so. */
  untilStored: (id: string, expected: Partial<StoredOpportunity>) => Promise<void>;
};

export async function openDesk(variables: Record<string, string> = {}): Promise<Desk> {
  const test = await openTestRuntime(variables);
  const venue = scriptedMarkets(test.time.clock);
  const processes: ScriptedProcess[] = [];
  const published: Omit<Change, 'seq'>[] = [];
  const desk: Desk = {
    test,
    venue,
    settings: scriptedSettings({ ...DEFAULT_SETTINGS, USE_CUMULATIVE_PRICING: false }),
    published,
    placed: [],
    beforePlacing: async () => {},
    journal: NO_JOURNAL,
    hub: { publish: (change) => void published.push(change as Omit<Change, 'seq'>), watched: () => true },
    start: async (runtime = test.runtime, partitions = onlyEngine().partitions) => {
      const started = await startProcess(desk, runtime, partitions);
      processes.push(started);
      return started;
    },
    add: (positions, fields = {}) => addOpportunity(test, positions, fields),
    replace: async (id, positions) => {
      const { db, random } = test.runtime;
      const by = { relationId: random.uuid(), direction: 'yes', basis: 'enforced' } as const;
      await db.update(opportunities).set(by).where(eq(opportunities.id, id));
      const asked = { mayOpen: async () => true, activeBatchOf: async () => null };
      const opened = await openFound(test.runtime, draftOf(positions, {}), by, asked);
      if (opened.kind !== 'opened' || opened.id !== id) throw new Error('the opportunity was not replaced');
    },
    stored: async (id) => {
      const row = await readOpportunity(test.runtime.db, id);
      if (row === null) throw new Error(`${id} is not stored`);
      return row;
    },
    untilStored: (id, expected) =>
      vi.waitFor(async () => {
        await test.time.advance(1000);
        expect(await desk.stored(id)).toMatchObject(expected);
      }, 60_000),
    [Symbol.asyncDispose]: async () => {
      for (const { stop } of processes) await stop();
      await test.close();
    },
  };
  return desk;
}

async function startProcess(desk: Desk, runtime: Runtime, partitions: Partitions): Promise<ScriptedProcess> {
  const { settings } = desk;
  const quotes = startQuotes(runtime, desk.venue.venue, settings);
  const live = await startLivePrices({
    runtime,
    quotes,
    settings,
    stream: desk.hub,
    partitions,
    journal: desk.journal,
    blockersOf: async () => [],
    onTrigger: {
      isReady: () => true,
      buy: ({ id }) => ({
        look: () => async () => {
          const refusals = (await desk.beforePlacing()) ?? [];
          if (refusals.length > 0) return { refusals };
          desk.placed.push(id);
          const action = { action: 'order.placed' } as const;
          const simulated = settings.current().ORDER_SIMULATION_ENABLED;
          return {
            batchId: `batch of ${id}`,
            simulated,
            size: ONE_SHARE,
            sizeBoundedBy: null,
            writes: [],
            calls: [],
            notifications: [],
            action,
            leavesAtOnce: false,
          };
        },
        end: () => {},
      }),
    },
  });
  await desk.test.time.advance(1);
  const stop = async () => {
    await live.stop();
    await quotes.stop();
  };
  return { quotes, live, stop };
}

export async function addOpportunity(
  { runtime }: TestRuntime,
  positions: readonly string[],
  fields: { target_price?: number; active?: boolean },
): Promise<StoredOpportunity> {
  const draft = draftOf(positions, fields);
  const { created } = await insertDrafts(runtime, [draft]);
  const id = created.get(draft.contentHash);
  const row = id === undefined ? null : await readOpportunity(runtime.db, id);
  if (row === null) throw new Error('the opportunity exists already');
  return row;
}

function draftOf(positions: readonly string[], fields: { target_price?: number; active?: boolean }): Draft {
  const legs = positions.map((position, index) => {
    const [id, outcome] = position.split(' ');
    return { leg: index + 1, markets: [{ id, outcome }] };
  });
  const result = readDraft({ market_combinations: legs, ...fields });
  if (result.kind === 'refused') throw new Error(`${result.field}: ${result.reason}`);
  return result.draft;
}
