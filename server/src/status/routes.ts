import {
  healthCheck,
  readOverview as readOverviewCall,
  readSystemStatus as readSystemStatusCall,
} from '@dutchbook/contract/status.ts';
import { startOfUtcDay } from '@dutchbook/units/instant.ts';
import { sql } from 'drizzle-orm';
import { simulationIsOn } from '../people/system-settings/store.ts';
import { databaseAnswers } from '../platform/database/database.ts';
import type { App } from '../platform/http/app.ts';
import { route, routeRead } from '../platform/http/route.ts';
import type { Runtime } from '../platform/runtime/runtime.ts';
import { readPracticeAccount } from '../trading/practice/account.ts';
import { countUnknownOrders, type Feed, readSystemStatus } from '../trading/trading-controls/system-status.ts';
import type { TradingControls } from '../trading/trading-controls/trading-controls.ts';
import type { Account } from '../trading/venue-desk/account.ts';
import type { Metrics } from './metrics.ts';
import { readMoney } from './money.ts';
import { readOverview } from './overview.ts';
import { measureProduct } from './product-metrics.ts';

const DATABASE_ANSWERS_WITHIN_MS = 2000;

type StatusParts = {
  runtime: Runtime;
  metrics: Metrics;
  controls: TradingControls;
  feed: () => Feed;
  account: Pick<Account, 'reading'>;
};

export function registerStatus(app: App, { runtime, metrics, controls, feed, account }: StatusParts): void {
  route(app, readSystemStatusCall, () => readSystemStatus(runtime, controls, feed));
  routeRead(app, readOverviewCall, async ({ query }) => {
    const { lists } = runtime.dbFor;
    const now = runtime.clock.now();
    const today = query.today ?? startOfUtcDay(now);
    return {
      ...(await readOverview(lists, today)),
      ...(await readMoney(lists, account, now, today)),
      ...(await readPractice({ ...runtime, db: lists }, controls)),
    };
  });
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
          armed: controls.current().armed,
          feed: feed(),
          disk: isDiskFull ? 'full' : 'ok',
          log: failure === null ? 'ok' : `not written: ${failure}`,
          unknown_orders: database ? await countUnknownOrders(runtime) : null,
        },
      });
  });
  const lookUp = measureProduct(metrics.registry, runtime, controls, feed);
  app.http.get('/metrics', hidden, async (_, reply) => {
    await lookUp();
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}

async function readPractice(runtime: Runtime, controls: TradingControls) {
  const [stored] = await runtime.db.select({ isOn: simulationIsOn() }).from(sql`(select 1) one`);
  if (stored?.isOn !== true) return {};
  const { cash, openExposure } = await readPracticeAccount(runtime.db, { runtime }, controls.venue);
  return { practice: { cash_usd: cash, open_exposure_usd: openExposure } };
}
