// Run by a test as a process of its own: a product as far as its database, until it is asked to stop or is killed.
import { pino } from 'pino';
import { openOwnPostgres } from './own-postgres.ts';

const [, , dataDir = '', elsewhere = ''] = process.argv;
try {
  const { url, stop } = await openOwnPostgres(dataDir, pino({ level: 'silent' }), elsewhere);
  process.once('SIGTERM', () => void stop().then(() => process.exit(0)));
  process.stdout.write(`${url}\n`);
} catch (error) {
  process.stdout.write(`${error}\n`);
  process.exit(1);
}
