// Run by a test as a process of its own: commits one row after the other, and says so, until it is killed or cannot.
import { randomBytes } from 'node:crypto';
import { openEmbeddedDatabase } from './embedded-database.ts';
import { keepStatements } from './embedded-statements.ts';

const [, , folder = '', rowBytes = '0'] = process.argv;
const { client: opened } = await openEmbeddedDatabase(folder);
const client = keepStatements(opened);
await client.exec('drop table if exists committed; create table committed (n int, ballast bytea)');
for (let n = 1; ; n += 1) {
  await client.query('insert into committed values ($1, $2)', [n, randomBytes(Number(rowBytes))]);
  process.stdout.write(`${n}\n`);
}
