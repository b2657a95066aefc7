import { startEmbeddedServer } from './embedded-server.ts';

/**
 * Vitest's global setup for tests that also run on a real PostgreSQL: one server for the whole run, its address in
 * TEST_DATABASE_URL. Each test file creates and drops databases of its own there. A TEST_DATABASE_URL that is already set
 * is used as it is.
 */
export default async function setUpPostgres(): Promise<(() => Promise<void>) | undefined> {
  if (process.env.TEST_DATABASE_URL) return undefined;
  const server = await startEmbeddedServer();
  process.env.TEST_DATABASE_URL = server.url;
  return () => server.stop();
}
