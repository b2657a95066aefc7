// `npm run simulate -- --seeds 10000`: random runs of the product against the simulated exchange on one fake clock, on a
// PostgreSQL server of their own. `npm run simulate -- --seed 1234` replays one and tells what happens in it.

import { startEmbeddedServer } from './postgres/embedded-server.ts';
import { runMeanwhile } from './test/command.ts';

const server = await startEmbeddedServer();
try {
  const succeeded = await runMeanwhile(process.execPath, ['e2e/simulation/main.ts', ...process.argv.slice(2)], {
    TEST_DATABASE_URL: server.url,
  });
  process.exitCode = succeeded ? 0 : 1;
} finally {
  await server.stop();
}
