// Run in a process of its own with the folder as its argument, since laying out a database takes much more memory than
// running one, and WebAssembly does not give it back.
import { PGlite } from '@electric-sql/pglite';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Which folder?');
const client = await PGlite.create({ dataDir: folder });
await client.close();
