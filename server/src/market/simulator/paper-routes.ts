import { transferOnPaper } from '@dutchbook/contract/ledger.ts';
import { formatUsd, usdFromNumber, usdFromText, usdToText } from '@dutchbook/units/usd.ts';
import * as z from 'zod/mini';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { Simulator } from './simulator.ts';

const mirror = z.object({ cash: z.string() });

/** Money of paper trading comes and goes by transactions of the exchange's chain, which the ledger enters like those of a real account. */
export function registerPaper(app: App, runtime: Runtime): void {
  const { paper, polymarket } = runtime.config;

  route(app, transferOnPaper, async ({ body: { kind, usd }, actor }) => {
    if (paper === null) throw new NotFound('Only the account of paper trading can be changed');
    const exchange = new Simulator(polymarket.clobUrl);
    const amount = usdFromNumber(usd);
    const cash = usdFromText(mirror.parse(await exchange.read('paper')).cash);
    if (kind === 'withdrawal' && amount > cash) throw new Conflict(`The account has ${formatUsd(cash)}`);
    const sign = kind === 'deposit' ? '' : '-';
    await exchange.post('transfer', { usd: `${sign}${usdToText(amount)}` }, 'usd');
    await recordAction(runtime.db, runtime, actor, { action: 'paper.transferred', object: kind, after: { usd } });
    return { message: kind === 'deposit' ? 'The dollars are on their way in' : 'The dollars are on their way out' };
  });
}
