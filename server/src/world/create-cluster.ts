// Run in a process of its own with the folder as its argument, since laying out a database takes much more memory than
// running one, and WebAssembly does not give it back. The tables of the product and of its queue are made here already:
// each first start would make them again, for four seconds of processor time.
import { PGlite } from '@electric-sql/pglite';
import { fromPglite, PgBoss } from 'pg-boss';
import { migratePglite } from './migrations.ts';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Which folder?');
const client = await PGlite.create({ dataDir: folder });
await migratePglite(client);
const queue = new PgBoss({ db: fromPglite(client), backend: 'pglite', supervise: false, schedule: false });
await queue.start();
await queue.stop();
await client.close();
