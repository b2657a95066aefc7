// What do two and three processes do that one does not? Calls for a page of 100,000 opportunities, to one api process after
// the other; and prices of 16,000 tokens, divided among engines. All on one PostgreSQL, on the cores there are: where they
// are two, processes, database and load take them from each other, and the rate says little. What one call or one change
// costs each process and the database says more. Budget: three cost no more than 1.25 times what one does for a call, and
// an engine of three at most 0.7 times what it does alone for a change.
//
//     TEST_DATABASE_URL=postgres://... node_modules/.bin/node bench/many.ts [calls] [prices]
import { measureCalls } from './many/calls.ts';
import { measurePrices } from './many/prices.ts';

const PARTS = { calls: measureCalls, prices: measurePrices };

const asked = process.argv.slice(2);
for (const [name, measure] of Object.entries(PARTS)) if (asked.length === 0 || asked.includes(name)) await measure();
