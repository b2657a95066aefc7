import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { openMemoryDatabase } from './memory-database.fixture.ts';
import { migratePglite } from './migrations.ts';
import { migrationsHash } from './migrations-hash.fixture.ts';

const CACHE = fileURLToPath(new URL('../../../.cache/test-databases', import.meta.url));

/** A migrated PGlite as a file to start others from; made once for a set of migrations and kept between test runs. */
export async function migratedDump(): Promise<Blob> {
  const file = path.join(CACHE, `${migrationsHash()}.tar`);
  try {
    return new Blob([readFileSync(file)]);
  } catch {
    const dump = await dumpMigrated();
    mkdirSync(CACHE, { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, new Uint8Array(await dump.arrayBuffer()));
    renameSync(unfinished, file);
    return dump;
  }
}

async function dumpMigrated(): Promise<Blob> {
  const client = await openMemoryDatabase();
  await migratePglite(client);
  const dump = await client.dumpDataDir('none');
  await client.close();
  return dump;
}
