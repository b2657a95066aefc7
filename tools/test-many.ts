// `npm run test:many -- 10`: seven processes of the product on one PostgreSQL with a standby, against the simulated
// exchange, killed, stopped and cut off at random for ten minutes. A second argument is the seed; without one it is 1.
import { runInstalled } from './test/command.ts';

const [minutes = '5', seed = '1'] = process.argv.slice(2);
if (!(Number(minutes) > 0)) throw new Error('Say for how many minutes: npm run test:many -- 10');
const environment = { MANY_MINUTES: minutes, MANY_SEED: seed };
const succeeded = runInstalled('vitest/vitest.mjs', ['run', 'e2e/trading/many.test.ts'], environment);
process.exitCode = succeeded ? 0 : 1;
