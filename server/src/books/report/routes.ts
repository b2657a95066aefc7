import {
  BATCH_RESULT_SORTS,
  batchResult,
  exportBatchResults,
  listBatchResults,
  readBatchResult,
} from '@dutchbook/contract/batch-results.ts';
import {
  listMissed,
  listReportChoices,
  listReportDays,
  readExecutionQuality,
  readExposure,
  readFunnel,
  readReport,
} from '@dutchbook/contract/report.ts';
import type { Settlements } from '@dutchbook/engine/risk/settlement-failures.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { exportRows } from '../../platform/csv/export-rows.ts';
import { sendCsv } from '../../platform/csv/send-csv.ts';
import type { App } from '../../platform/http/app.ts';
import { NotFound } from '../../platform/http/errors.ts';
import { route, routeRead } from '../../platform/http/route.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { readChoices } from './choices.ts';
import { readFunnelOf } from './funnel.ts';
import { readBands, readCashDays, readExposureOf, readLockDays, readTriggerDays } from './groups.ts';
import { listMissedOf } from './missed-list.ts';
import { listResults, pagesOfResults, presentResult, readResult } from './results.ts';
import { inRun } from './runs.ts';
import type { WatchedReportSettings } from './settings.ts';
import { presentSettlements } from './settlements.ts';
import { readSummary } from './summary.ts';

type ReportParts = {
  settings: Pick<WatchedReportSettings, 'current'>;
  /** Counts settlements in the time by which buying pauses. */
  countSettlements: (db: Db, now: Instant) => Promise<Pick<Settlements, 'confirmed' | 'failed'>>;
};

const READ_DAYS = { cash: readCashDays, lock: readLockDays, trigger: readTriggerDays };

export function registerReport(
  app: App,
  runtime: Pick<Runtime, 'config' | 'dbFor' | 'clock'>,
  { settings, countSettlements }: ReportParts,
): void {
  const { clock } = runtime;
  const { lists, exports } = runtime.dbFor;
  routeRead(app, readReport, async ({ query }) =>
    readSummary(lists, await inRun(lists, query), { now: clock.now(), hurdle: settings.current().hurdle }),
  );

  routeRead(app, listReportDays, async ({ query: { by, ...filter } }) => ({
    days: await READ_DAYS[by](lists, await inRun(lists, filter)),
  }));

  routeRead(app, readExposure, async ({ query }) => readExposureOf(lists, await inRun(lists, query)));

  routeRead(app, readExecutionQuality, async ({ query }) => {
    const filter = await inRun(lists, query);
    const [bands, counted] = await Promise.all([readBands(lists, filter), countSettlements(lists, clock.now())]);
    return { ...bands, settlements: presentSettlements(counted, settings.current().pause_above_failed) };
  });

  routeRead(app, readFunnel, async ({ query }) => readFunnelOf(lists, await inRun(lists, query)));

  routeRead(app, listReportChoices, ({ query }) => readChoices(lists, query));

  routeRead(app, listMissed, async ({ query }) => listMissedOf(lists, await inRun(lists, query)));

  routeRead(app, listBatchResults, async ({ query }) => listResults(lists, await inRun(lists, query)));

  route(app, exportBatchResults, async ({ query, reply }) => {
    const filter = await inRun(exports, query);
    const rows = exportRows(batchResult, BATCH_RESULT_SORTS, pagesOfResults(exports, filter), (page) =>
      page.map(presentResult),
    );
    return sendCsv(reply, 'batch_results', runtime, rows);
  });

  routeRead(app, readBatchResult, async ({ params }) => {
    const result = await readResult(lists, params.batch_id);
    if (result === null) throw new NotFound('Batch not found');
    return result;
  });
}
