// `npm run bench`: the questions with a number, beside a PostgreSQL server of their own that waits for its disk as one
// with data in it does. `npm run bench -- login` asks one of them.

import { startEmbeddedServer } from './postgres/embedded-server.ts';
import { runMeanwhile } from './test/command.ts';

const server = await startEmbeddedServer({ durable: true });
try {
  const succeeded = await runMeanwhile(process.execPath, ['bench/main.ts', ...process.argv.slice(2)], {
    TEST_DATABASE_URL: server.url,
  });
  process.exitCode = succeeded ? 0 : 1;
} finally {
  await server.stop();
}
