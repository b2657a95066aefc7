import { beginStartOver, listRuns } from '@dutchbook/contract/accounts/runs.ts';
import { transferOnPaper } from '@dutchbook/contract/ledger.ts';
import { formatUsd, usdFromNumber, usdFromText, usdToText } from '@dutchbook/units/usd.ts';
import * as z from 'zod/mini';
import { Simulator } from '../../market/simulator/simulator.ts';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { lockControls } from '../trading-controls/store.ts';
import { lastStartOver, presentStartOver, listRuns as readRuns, startOverUnderWay } from '../under-way/start-overs.ts';
import { startOvers } from '../under-way/table.ts';
import { PAPER_VENUE, whyNotAtRest } from './at-rest.ts';

const mirror = z.object({ cash: z.string() });
/** Its dollars come and go by no transaction that the ledger could prove. */
const KALSHI_CASH = 'Money of Kalshi on paper can neither be exchanged nor moved in and out';

/** Money of paper trading comes and goes by transactions of the exchange's chain, which the ledger enters like those of a real account. */
export function registerPaper(app: App, runtime: Runtime): void {
  const { db, clock } = runtime;
  const { paper, polymarket, venueMode, venues } = runtime.config;

  route(app, transferOnPaper, async ({ body: { kind, usd }, actor }) => {
    if (paper === null) throw new NotFound('Only the account of paper trading can be changed');
    if (!venues.has(PAPER_VENUE))
      throw new Conflict(`${KALSHI_CASH}: begin anew with PAPER_CASH and an empty DATA_DIR.`);
    await refuseWhileStartingOver(db);
    const exchange = new Simulator(polymarket.clobUrl);
    const amount = usdFromNumber(usd);
    const cash = usdFromText(mirror.parse(await exchange.read('paper')).cash);
    if (kind === 'withdrawal' && amount > cash) throw new Conflict(`The account has ${formatUsd(cash)}`);
    const sign = kind === 'deposit' ? '' : '-';
    await exchange.post('transfer', { usd: `${sign}${usdToText(amount)}` }, 'usd');
    await recordAction(db, runtime, actor, { action: 'paper.transferred', object: kind, after: { usd } });
    return { message: kind === 'deposit' ? 'The dollars are on their way in' : 'The dollars are on their way out' };
  });

  route(app, listRuns, async () => {
    const last = await lastStartOver(db);
    const runs = (await readRuns(db)).map(({ number, began_at, ended_at }) => ({ number, began_at, ended_at }));
    return { runs, start_over: last && presentStartOver(last) };
  });

  route(app, beginStartOver, async ({ body, actor }) => {
    if (paper === null) throw new NotFound('Only an account of paper trading can start over');
    if (venues.has('kalshi')) throw new Conflict(`${KALSHI_CASH}: begin anew with an empty DATA_DIR.`);
    const cash = usdFromNumber(body.cash_usd);
    return await db.transaction(async (tx) => {
      // Trading cannot be armed while this holds its lock.
      const { armed } = await lockControls(tx, venueMode, PAPER_VENUE);
      const last = await lastStartOver(tx);
      if (last?.id === body.id && last.cash !== cash)
        throw new Conflict(`It was asked for with ${formatUsd(last.cash)} before: a run begins with one sum.`);
      if (last?.id === body.id) return presentStartOver(last);
      await refuseWhileStartingOver(tx);
      if (armed) throw new Conflict('Disarm trading first: that cancels what is open.');
      const why = await whyNotAtRest(tx);
      if (why !== null) throw new Conflict(why);
      const [row] = await tx
        .insert(startOvers)
        .values({ id: body.id, status: 'recorded', cash, requestedBy: actor.email ?? '', createdAt: clock.now() })
        .onConflictDoNothing()
        .returning();
      if (row === undefined) throw new Conflict('The id was used before: ask for it with another one.');
      const after = { cash: formatUsd(cash) };
      await recordAction(tx, runtime, actor, { action: 'paper.started_over', object: row.id, after });
      return presentStartOver(row);
    });
  });
}

/** @throws Conflict */
async function refuseWhileStartingOver(db: Db): Promise<void> {
  const why = await startOverUnderWay(db);
  if (why !== null) throw new Conflict(why);
}
