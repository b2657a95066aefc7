import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { cp, open, readdir } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createClusterProgram, preparedCluster } from '../folders.ts';
import { type Die, type EmbeddedClient, ThreadedPglite } from './embedded-client.ts';
import { lockFolder } from './folder-lock.ts';

export type EmbeddedDatabase = { client: EmbeddedClient; release: () => void };

/**
 * PGlite in `folder`, locked for this process. Its defaults never flush to disk; here every commit does, so that it
 * outlives a crash of the machine and not only of the process. @throws FolderInUse
 */
export async function openEmbeddedDatabase(folder: string, die: Die = endProcess): Promise<EmbeddedDatabase> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const release = lockFolder(folder);
  try {
    const files = path.join(folder, 'files');
    if (!existsSync(files)) await layOut(files);
    return { client: await ThreadedPglite.open(files, die), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Under another name until it is whole, so that a crash on the way leaves nothing half made. */
async function layOut(files: string): Promise<void> {
  const unfinished = `${files}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  if (existsSync(preparedCluster)) await cp(preparedCluster, unfinished, { recursive: true });
  else await promisify(execFile)(process.execPath, [createClusterProgram, unfinished]);
  await flushAll(unfinished);
  renameSync(unfinished, files);
}

/** The database flushes what it writes itself, and would take the rest for being on the disk. */
async function flushAll(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const flush = async (file: string) => {
    await using handle = await open(file, 'r+');
    await handle.sync();
  };
  await Promise.all(
    entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => flush(path.join(parentPath, name))),
  );
}

function endProcess(reason: string): never {
  process.stderr.write(
    `The embedded database cannot write: ${reason}\n` +
      'Everything that was recorded is kept. Make room on the disk, or mend it, and start again.\n',
  );
  process.exit(1);
}
