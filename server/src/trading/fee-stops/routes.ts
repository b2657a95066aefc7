import { clearFeeStop, listFeeStops } from '@dutchbook/contract/fee-stops.ts';
import type { App } from '../../platform/http/app.ts';
import { route, routeRead } from '../../platform/http/route.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { clearStop, listStops } from './store.ts';

export function registerFeeStops(
  app: App,
  runtime: Pick<Runtime, 'db' | 'dbFor' | 'clock' | 'random' | 'pubsub' | 'log'>,
): void {
  routeRead(app, listFeeStops, ({ query }) => listStops(runtime.dbFor.lists, query));

  route(app, clearFeeStop, ({ params, actor }) => clearStop(runtime, params.fee_stop_id, actor));
}
