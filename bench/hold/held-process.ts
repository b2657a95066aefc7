/** The process behind `hold.ts`: the product, and beside it a watch over how long its event loop is held. */

import { readConfig } from '@dutchbook/server/config/config.ts';
import { start } from '@dutchbook/server/start.ts';
import { watchHolds } from './watch.ts';

export type Wish = 'begin' | 'report' | 'stop';

const { url, stop } = await start(readConfig(JSON.parse(process.argv[2] ?? '')), () => {});
const watch = watchHolds();
process.on('message', (wish: Wish) => {
  if (wish === 'begin') watch.begin();
  if (wish === 'report') process.send?.(watch.end());
  if (wish === 'stop') void stop().then(() => process.exit());
});
process.once('disconnect', () => process.exit());
process.send?.(url);
