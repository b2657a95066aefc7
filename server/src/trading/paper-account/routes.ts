import { beginStartOver, giveUpStartOver, listRuns } from '@dutchbook/contract/accounts/runs.ts';
import { transferOnPaper } from '@dutchbook/contract/ledger.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { formatUsd, usdFromNumber, usdFromText, usdToText } from '@dutchbook/units/usd.ts';
import { eq } from 'drizzle-orm';
import * as z from 'zod/mini';
import { Simulator } from '../../market/simulator/simulator.ts';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, NotFound } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { lockControls } from '../trading-controls/store.ts';
import {
  changeStartOver,
  lastStartOver,
  mayBeGivenUp,
  presentStartOver,
  listRuns as readRuns,
  startOverUnderWay,
} from '../under-way/start-overs.ts';
import { startOvers } from '../under-way/table.ts';
import { ACCOUNT_CALLS } from '../venue-desk/paper-moves.ts';
import { whyNotAtRest } from './at-rest.ts';

const account = z.object({ cash: z.string() });
/** `cash` is the first venue's, where that has no member of its own. */
const mirror = z.extend(account, { polymarket: z.nullish(account), kalshi: z.nullish(account) });

/** Money of paper trading comes and goes as the exchange proves it, by its chain where it has one, and the ledger enters that. */
export function registerPaper(app: App, runtime: Runtime): void {
  const { db, clock } = runtime;
  const { paper, polymarket, venueMode, venues } = runtime.config;

  route(app, transferOnPaper, async ({ body: { kind, usd, venue: asked }, actor }) => {
    if (paper === null) throw new NotFound('Only the account of paper trading can be changed');
    const venue = asked ?? [...venues.keys()][0] ?? 'polymarket';
    if (!venues.has(venue)) throw new Conflict(`${VENUE_LABELS[venue]} is not on paper here`);
    await refuseWhileStartingOver(db);
    const exchange = new Simulator(polymarket.clobUrl);
    const amount = usdFromNumber(usd);
    const said = mirror.parse(await exchange.read('paper'));
    const cash = usdFromText(said[venue]?.cash ?? said.cash);
    if (kind === 'withdrawal' && amount > cash) throw new Conflict(`The account has ${formatUsd(cash)}`);
    const sign = kind === 'deposit' ? '' : '-';
    await exchange.post(ACCOUNT_CALLS[venue].transfer, { usd: `${sign}${usdToText(amount)}` }, 'usd');
    await recordAction(db, runtime, actor, { action: 'paper.transferred', object: kind, after: { usd, venue } });
    return { message: kind === 'deposit' ? 'The dollars are on their way in' : 'The dollars are on their way out' };
  });

  route(app, listRuns, async () => {
    const last = await lastStartOver(db);
    const runs = (await readRuns(db)).map(({ number, began_at, ended_at }) => ({ number, began_at, ended_at }));
    return { runs, start_over: last && presentStartOver(last) };
  });

  route(app, beginStartOver, async ({ body, actor }) => {
    if (paper === null) throw new NotFound('Only an account of paper trading can start over');
    const cash = usdFromNumber(body.cash_usd);
    return await db.transaction(async (tx) => {
      // Trading cannot be armed while this holds its lock.
      let isArmed = false;
      for (const venue of venues.keys()) isArmed ||= (await lockControls(tx, venueMode, venue)).armed;
      const last = await lastStartOver(tx);
      if (last?.id === body.id && last.cash !== cash)
        throw new Conflict(`It was asked for with ${formatUsd(last.cash)} before: a run begins with one sum.`);
      if (last?.id === body.id) return presentStartOver(last);
      await refuseWhileStartingOver(tx);
      if (isArmed) throw new Conflict('Disarm trading first: that cancels what is open.');
      const why = await whyNotAtRest(tx, venues.keys());
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

  route(app, giveUpStartOver, async ({ body, actor }) => {
    if (paper === null) throw new NotFound('Only an account of paper trading can start over');
    return await db.transaction(async (tx) => {
      const [asked] = await tx.select().from(startOvers).where(eq(startOvers.id, body.id)).for('update');
      if (asked?.status === 'rejected') return presentStartOver(asked);
      if (asked === undefined) throw new NotFound('Start over not found');
      if (!mayBeGivenUp(asked)) throw new Conflict('The old run has ended at a venue already: the new one begins.');
      if (asked.givenUpBy !== null) return presentStartOver(asked);
      const set = { givenUpBy: actor.email ?? '', reason: 'It is given up within moments.' };
      const row = (await changeStartOver(tx, asked.id, 'recorded', set)) ?? asked;
      await recordAction(tx, runtime, actor, { action: 'paper.start_over_given_up', object: row.id });
      return presentStartOver(row);
    });
  });
}

/** @throws Conflict */
async function refuseWhileStartingOver(db: Db): Promise<void> {
  const why = await startOverUnderWay(db);
  if (why !== null) throw new Conflict(why);
}
