// How fast is the past decided again? The recorded hockey final, twenty minutes of twelve books that change 150 times a second, and
// a day of 200 tokens each of which changes every five seconds: by the present settings and by a lower threshold, with several
// opportunities over every market. Budgets: 60 times as fast as it happened, and 60 seconds for the day.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/recordings/rehearse.ts [hours]
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { SETTINGS, type Settings } from '@dutchbook/contract/system-settings.ts';
import { feeOf, marketOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { freshTestDatabase } from '@dutchbook/server/database/test-server.fixture.ts';
import type { AccountFact, OpportunityFact } from '@dutchbook/server/decision-facts/facts.ts';
import { type Noted, openFactWriter } from '@dutchbook/server/decision-facts/write.ts';
import { recordingName } from '@dutchbook/server/recordings/files.ts';
import {
  isHockeyFinalPresent,
  readHockeyFinal,
  recordedFinal,
} from '@dutchbook/server/recordings/hockey-final.fixture.ts';
import { runRehearsal } from '@dutchbook/server/rehearsals/run.ts';
import { type Instant, instantFromIso, instantFromMs } from '@dutchbook/units/instant.ts';
import { setPriceFromNumber } from '@dutchbook/units/price.ts';
import { USD_ZERO, usdFromNumber } from '@dutchbook/units/usd.ts';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { say, tell } from '../rows.ts';
import { tokensOf, writeDay } from './quiet-day.ts';

const HOURS = Number(process.argv[2] ?? 24);
const MARKETS = 100;
const SECONDS_BETWEEN = 5;
const OPPORTUNITIES_A_MARKET = 2;
const DAY_SECONDS_MAX = 60;
const TIMES_AS_FAST_MIN = 60;
const VENUE = 'bench';
const DAY_FROM = instantFromIso('2026-11-25T00:00:00Z');

const DEFAULTS = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, setting]) => [name, setting.default]),
) as Settings;
const ACCOUNT: AccountFact = {
  cash: usdFromNumber(1_000_000),
  allowances: null,
  readiness: { armed: true, reconciled: true, placesFound: false, corruptSettings: [], clockSkewMs: null },
  limitState: {
    limits: { perOrder: null, perBatch: null, perDay: null, openExposure: null },
    ...{ limitsRequired: false, placedToday: USD_ZERO, openExposure: USD_ZERO, ownOrders: [], spentBefore: [] },
  },
};

/** The tokens of a market, the one of lower id first. */
type Pair = readonly [string, string];

const folder = mkdtempSync(path.join(tmpdir(), 'dutchbook-bench-'));
try {
  if (isHockeyFinalPresent) await rehearseFinal();
  else say('The recording is not there: MARKET_DATA_DIR names where.');
  await rehearseDay();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function rehearseFinal(): Promise<void> {
  const final = await readHockeyFinal();
  const { bytes } = await recordedFinal(final);
  const [from, until] = [final.runs[0]?.at, final.runs.at(-1)?.at];
  if (from === undefined || until === undefined) return;
  const place = path.join(folder, 'final');
  await mkdir(place, { recursive: true });
  await writeFile(path.join(place, recordingName(from, '00000000')), bytes);
  const pairs = [...final.others].filter(([one, other]) => one < other);
  const { seconds, records, cpuSeconds } = await rehearse(place, pairs, from, until);
  const played = (until - from) / 1000;
  const name = `hockey final, ${records.toLocaleString('en')} records`;
  row(`${name}: times as fast as it happened`, played / seconds, '', { atLeast: TIMES_AS_FAST_MIN });
  row(`${name}: times as fast by the processor time of its thread`, played / cpuSeconds, '');
}

async function rehearseDay(): Promise<void> {
  const place = path.join(folder, 'day');
  await writeDay(place, { markets: MARKETS, hours: HOURS, secondsBetween: SECONDS_BETWEEN, from: DAY_FROM }, seeded(4));
  const pairs = Array.from({ length: MARKETS }, (_, market): Pair => tokensOf(market));
  const until = instantFromMs(DAY_FROM + HOURS * 3_600_000 - 1);
  const { seconds, records, cpuSeconds } = await rehearse(place, pairs, DAY_FROM, until);
  const name = `${HOURS} hours of ${2 * MARKETS} tokens, ${records.toLocaleString('en')} records`;
  row(name, seconds, 's', { atMost: DAY_SECONDS_MAX });
  row(`${name}: processor time of its thread`, cpuSeconds, 's');
}

async function rehearse(place: string, pairs: readonly Pair[], from: Instant, until: Instant) {
  const { url, drop } = await freshTestDatabase();
  const pool = new pg.Pool({ connectionString: url, max: 2 });
  const db = drizzle(pool);
  await openFactWriter(db, VENUE).write([...factsOf(pairs, from)]);
  const cpu = process.threadCpuUsage();
  const startedMs = performance.now();
  const { result, differences } = await runRehearsal({
    ...{ db, folder: place, venue: VENUE, from, until, assumePlacing: false },
    changes: { settings: { MIN_PROFIT_TRIGGER_THRESHOLD: 0.1 } },
    ...{ onProgress: () => {}, signal: new AbortController().signal },
  });
  const seconds = (performance.now() - startedMs) / 1000;
  const { user, system } = process.threadCpuUsage(cpu);
  const { present, proposed } = result;
  say(`${present.triggers} and ${proposed.triggers} triggers, ${differences.length} opportunities differ`);
  await pool.end();
  await drop();
  return { seconds, records: result.records, cpuSeconds: (user + system) / 1e6 };
}

/** Over each market both outcomes, and with the next market one of either. */
function* factsOf(pairs: readonly Pair[], at: Instant): Generator<Noted> {
  yield { at, topic: 'settings', subject: '', data: DEFAULTS };
  yield { at, topic: 'account', subject: '', data: ACCOUNT };
  for (const [place, [no, yes]] of pairs.entries()) {
    const outcomes = [
      { outcome: 'Yes', tokenId: yes },
      { outcome: 'No', tokenId: no },
    ];
    yield {
      at,
      topic: 'market',
      subject: idOf(place),
      data: marketOf(idOf(place), { outcomes, feeSchedule: feeOf(0) }),
    };
    const next = (place + 1) % pairs.length;
    for (let nth = 0; nth < OPPORTUNITIES_A_MARKET; nth += 1) {
      const other = nth === 0 ? { marketId: idOf(place), outcome: 'No' } : { marketId: idOf(next), outcome: 'Yes' };
      yield { at, topic: 'opportunity', subject: `${place} ${nth}`, data: opportunityOf(idOf(place), other) };
    }
  }
}

function idOf(place: number): string {
  return `market ${place}`;
}

function opportunityOf(marketId: string, other: { marketId: string; outcome: string }): OpportunityFact {
  return {
    targetPrice: setPriceFromNumber(1),
    positions: [
      { leg: 1, marketId, outcome: 'Yes' },
      { leg: 2, ...other },
    ],
    ...{ relationId: null, title: marketId, isUp: false, rises: 0 },
  };
}

function row(
  question: string,
  figure: number,
  unit: string,
  budget: Parameters<typeof tell>[0]['budget'] = null,
): void {
  tell({ question, figure, unit, budget, floor: null });
}

/** From 0 up to, and without, 1: the same numbers for the same seed. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
