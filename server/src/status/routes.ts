import { SIZE_BOUND_MEANINGS } from '@dutchbook/contract/notes/meanings.ts';
import { smallerWords } from '@dutchbook/contract/notes/reason-words.ts';
import {
  healthCheck,
  listActivity,
  readOverview as readOverviewCall,
  readSystemStatus as readSystemStatusCall,
} from '@dutchbook/contract/status.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { addUsd, USD_ZERO } from '@dutchbook/units/usd.ts';
import { sql } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { HALF_CENT, readSmaller } from '../books/report/funnel.ts';
import { readMissed } from '../books/report/missed.ts';
import { inRun } from '../books/report/runs.ts';
import { SIMULATION_IS_ON } from '../people/system-settings/store.ts';
import { databaseAnswers } from '../platform/database/database.ts';
import type { ReadFeed } from '../platform/engines/engines.ts';
import type { App } from '../platform/http/app.ts';
import { route, routeRead } from '../platform/http/route.ts';
import type { Db, Runtime } from '../platform/runtime/runtime.ts';
import { readPracticeAccount } from '../trading/practice/account.ts';
import { countUnknownOrders, systemStatus } from '../trading/trading-controls/system-status.ts';
import type { TradingControls } from '../trading/trading-controls/trading-controls.ts';
import type { Account } from '../trading/venue-desk/account.ts';
import type { Desks, VenueDesk } from '../trading/venue-desk/desks.ts';
import { readActivity, readFirstSteps } from './activity.ts';
import type { KnownCounts } from './known-counts.ts';
import type { Metrics } from './metrics.ts';
import { readMoney } from './money.ts';
import { readOverview } from './overview.ts';
import { measureProduct } from './product-metrics.ts';

const DATABASE_ANSWERS_WITHIN_MS = 2000;

/** What is shown of the desk of each venue. */
type StatusDesk = Pick<VenueDesk, 'name' | 'controls'> & { account: Pick<Account, 'reading'> };

type StatusParts = {
  runtime: Runtime;
  metrics: Metrics;
  desks: Pick<Desks<StatusDesk>, 'all'>;
  feed: ReadFeed;
  known: KnownCounts;
};

export function registerStatus(app: App, { runtime, metrics, desks, feed, known }: StatusParts): void {
  const all = desks.all.map(({ controls, account }) => ({ ...controls, cash: account.reading }));
  route(app, readSystemStatusCall, async () => {
    const { counts, away } = await known.read();
    return { ...systemStatus(runtime, all, feed, counts), ...away };
  });
  routeRead(app, readOverviewCall, async () => {
    const { lists } = runtime.dbFor;
    const now = runtime.clock.now();
    return {
      ...(await readOverview(lists, now)),
      ...(await readMoney(lists, desks, now)),
      first_steps: await readFirstSteps(lists),
      missed_today: await readMissedToday(lists, now),
      ...(await readPractice({ ...runtime, db: lists }, all)),
    };
  });
  routeRead(app, listActivity, async () => ({ data: await readActivity(runtime.dbFor.lists) }));
  route(app, healthCheck, () => true as const);

  const hidden = { schema: { hide: true } };
  app.http.get('/health', hidden, async (_, reply) => {
    const database = await databaseAnswers(runtime.db, DATABASE_ANSWERS_WITHIN_MS);
    const { failure } = runtime.storage.log();
    const isDiskFull = runtime.storage.isDiskFull();
    const isStored = failure === null && !isDiskFull;
    return reply
      .code(database ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: database ? (isStored ? 'ok' : 'degraded') : 'failing',
        parts: {
          database: database ? 'ok' : 'not answering',
          venue: runtime.config.venueMode,
          armed: all.some((controls) => controls.current().armed),
          feed: feed(),
          disk: isDiskFull ? 'full' : 'ok',
          log: failure === null ? 'ok' : `not written: ${failure}`,
          unknown_orders: database ? await countUnknownOrders(runtime) : null,
        },
      });
  });
  const lookUp = measureProduct(metrics.registry, runtime, all, feed);
  app.http.get('/metrics', hidden, async (_, reply) => {
    await lookUp();
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

const REASONS_SHOWN = 10;

/** What cost most of what paid on this day (UTC) and was not bought. */
async function readMissedToday(db: Db, now: Instant): Promise<z.output<typeof readOverviewCall.reply>['missed_today']> {
  const today = await inRun(db, { since: instantToIso(now).slice(0, 10) });
  const missed = await readMissed(db, today);
  const smaller = await readSmaller(db, today);
  return [
    ...missed.map(({ reason, example, count, usd }) => ({ reason, example, count, usd, bound: null })),
    ...smaller.map(({ bounded_by, count, usd }) => ({
      ...{ reason: smallerWords(bounded_by), example: null },
      ...{ count, usd, bound: bounded_by === null ? 'A person chose the size' : SIZE_BOUND_MEANINGS[bounded_by] },
    })),
  ]
    .filter(({ usd }) => usd >= HALF_CENT)
    .sort((a, b) => b.usd - a.usd)
    .slice(0, REASONS_SHOWN);
}

/** The accounts of practice at all venues. */
async function readPractice(runtime: Runtime, all: readonly TradingControls[]) {
  const [stored] = await runtime.db.select({ isOn: SIMULATION_IS_ON }).from(sql`(select 1) one`);
  if (stored?.isOn !== true) return {};
  const accounts = await Promise.all(all.map(({ venue }) => readPracticeAccount(runtime.db, { runtime }, venue)));
  return {
    practice: {
      cash_usd: accounts.map(({ cash }) => cash).reduce(addUsd, USD_ZERO),
      open_exposure_usd: accounts.map(({ openExposure }) => openExposure).reduce(addUsd, USD_ZERO),
    },
  };
}
