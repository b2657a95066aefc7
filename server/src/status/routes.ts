import {
  healthCheck,
  readOverview as readOverviewCall,
  readSystemStatus as readSystemStatusCall,
} from '@dutchbook/contract/status.ts';
import { startOfUtcDay } from '@dutchbook/units/instant.ts';
import type { App } from '../http/app.ts';
import { route, routeRead } from '../http/route.ts';
import type { TradingControls } from '../parts.ts';
import { databaseAnswers } from '../world/database.ts';
import type { World } from '../world/world.ts';
import type { Metrics } from './metrics.ts';
import { readOverview } from './overview.ts';
import { measureProduct } from './product-metrics.ts';
import { countUnknownOrders, type Feed, readSystemStatus } from './system-status.ts';

const DATABASE_ANSWERS_WITHIN_MS = 2000;

export function registerStatus(
  app: App,
  world: World,
  metrics: Metrics,
  controls: TradingControls,
  feed: () => Feed,
): void {
  route(app, readSystemStatusCall, () => readSystemStatus(world, controls, feed));
  routeRead(app, readOverviewCall, ({ query }) =>
    readOverview(world.db, query.today ?? startOfUtcDay(world.clock.now())),
  );
  route(app, healthCheck, () => true as const);

  const hidden = { schema: { hide: true } };
  app.http.get('/health', hidden, async (_, reply) => {
    const database = await databaseAnswers(world.db, DATABASE_ANSWERS_WITHIN_MS);
    return reply
      .code(database ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({
        status: database ? 'ok' : 'failing',
        parts: {
          database: database ? 'ok' : 'not answering',
          venue: world.config.venueMode,
          armed: controls.current().armed,
          feed: feed(),
          unknown_orders: database ? await countUnknownOrders(world.db) : null,
        },
      });
  });
  const lookUp = measureProduct(metrics.registry, world, controls, feed);
  app.http.get('/metrics', hidden, async (_, reply) => {
    await lookUp();
    return reply.type(metrics.registry.contentType).send(await metrics.registry.metrics());
  });
}
