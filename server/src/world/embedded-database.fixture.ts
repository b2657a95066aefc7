// Run by a test as a process of its own: commits one row after the other, and says so, until it is killed.
import { openEmbeddedDatabase } from './embedded-database.ts';

const { client } = await openEmbeddedDatabase(process.argv[2] ?? '');
await client.exec('create table committed (n int)');
for (let n = 1; ; n += 1) {
  await client.query('insert into committed values ($1)', [n]);
  process.stdout.write(`${n}\n`);
}
