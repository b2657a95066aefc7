import * as contract from '@dutchbook/contract/rehearsals.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { App } from '../../platform/http/app.ts';
import { Invalid } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import {
  addRehearsal,
  cancelRehearsal,
  deleteRehearsal,
  listDifferences,
  listRehearsals,
  readRehearsal,
} from './store.ts';

const DAY_MS = 24 * 3_600_000;

/** A request is a row; `rehearsal-loop.ts` carries it out. */
export function registerRehearsals(
  app: App,
  runtime: Pick<Runtime, 'config' | 'db' | 'dbFor' | 'clock' | 'random'>,
): void {
  const lists = { ...runtime, db: runtime.dbFor.lists };

  route(app, contract.createRehearsal, async ({ body, actor }) => {
    const { from, changes, assume_placing: assumePlacing } = body;
    const now = runtime.clock.now();
    const until = body.until ?? now;
    refuseSpan(from, until, now);
    return await addRehearsal(runtime, actor, { from, until, changes, assumePlacing });
  });

  route(app, contract.listRehearsals, ({ query }) => listRehearsals(lists, query));

  route(app, contract.readRehearsal, ({ params }) => readRehearsal(runtime, params.rehearsal_id));

  route(app, contract.listRehearsalDifferences, ({ params, query }) =>
    listDifferences(lists, params.rehearsal_id, query),
  );

  route(app, contract.cancelRehearsal, ({ params, actor }) => cancelRehearsal(runtime, actor, params.rehearsal_id));

  route(app, contract.deleteRehearsal, async ({ params, actor }) => {
    await deleteRehearsal(runtime, actor, params.rehearsal_id);
    return { message: 'Rehearsal deleted successfully' };
  });
}

/** @throws Invalid */
function refuseSpan(from: Instant, until: Instant, now: Instant): void {
  if (until > now) throw new Invalid(['body', 'until'], 'A rehearsal ends now at the latest');
  if (from >= until) throw new Invalid(['body', 'from'], 'A rehearsal begins before it ends');
  if (until - from > contract.REHEARSAL_SPAN_MAX_MS)
    throw new Invalid(['body', 'from'], `A rehearsal spans ${contract.REHEARSAL_SPAN_MAX_MS / DAY_MS} days at most`);
}
