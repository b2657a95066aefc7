import * as contract from '@dutchbook/contract/ledger.ts';
import { modeOf } from '@dutchbook/contract/status.ts';
import { sendCsv } from '../../platform/csv/send-csv.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { exportStatement } from './export-statement.ts';
import { exportTax } from './export-tax.ts';

export function registerLedgerExports(app: App, runtime: Pick<Runtime, 'config' | 'dbFor' | 'clock'>): void {
  const { config, dbFor } = runtime;
  route(app, contract.exportLedger, ({ query, reply }) =>
    sendCsv(reply, 'ledger', runtime, exportStatement(dbFor.exports, query)),
  );

  route(app, contract.exportTax, ({ query: { since, until, split_basis: splitBasis }, reply }) => {
    const { keptUnder: venue } = modeOf(config.venueMode);
    return sendCsv(reply, 'tax', runtime, exportTax(dbFor.exports, { since, until, splitBasis, venue }));
  });
}
