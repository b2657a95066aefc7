// How soon are eight different pages of 10 of 100,000 opportunities answered by the whole product, at 200 calls a second? p99 within
// 100 ms. None of the pages is read for two callers. Beside it the processor time that the server takes for a call.
import { type LoadPlan, load } from '../load.ts';
import { cpuMsOf } from '../processes.ts';
import { openProduct } from '../product.ts';
import { tell } from '../rows.ts';
import { fillDatabase } from './filled.ts';

const OPPORTUNITIES = 100_000;
const BY_PROFIT = 'sort_by=profit_percentage&sort_order=desc';
const SKIPS = [0, 10, 20, 30, 40, 50, 60, 70];
const PER_SECOND = 200;
const WARM_UP_MS = 10_000;
const MEASURE_MS = 10_000;

await using product = await openProduct({}, (database) => fillDatabase(database, { opportunities: OPPORTUNITIES }));
const { api, authorization, pid } = product;
const plan = { authorization, connections: SKIPS.length, perSecond: PER_SECOND };
const pages: LoadPlan = {
  ...plan,
  urls: SKIPS.map((skip) => `${api}/arbitrage/opportunities?skip=${skip}&limit=10&${BY_PROFIT}`),
};
await load(pages, WARM_UP_MS);
const me = await load({ ...plan, urls: [`${api}/users/me`] }, MEASURE_MS);
const before = cpuMsOf(pid);
const { p99Ms, asked } = await load(pages, MEASURE_MS);
const cpuMs = cpuMsOf(pid) - before;
const question = `${SKIPS.length} different pages of 10 of ${OPPORTUNITIES.toLocaleString('en')} opportunities at once`;
tell({ question: `${question}: processor time of the server a call`, figure: cpuMs / asked, unit: 'ms' });
tell({
  question: `${question}: p99 at ${PER_SECOND}/s`,
  ...{ figure: p99Ms, unit: 'ms', budget: { atMost: 100 } },
  floor: { figure: me.p99Ms, of: 'GET /users/me' },
});
