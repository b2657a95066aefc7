import { execFile } from 'node:child_process';
import { existsSync, fsyncSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { createClusterProgram, preparedCluster } from '../folders.ts';
import { lockFolder } from './folder-lock.ts';

/**
 * Small caches, since the server shares the process with the product. The WebAssembly build maps fdatasync to nothing,
 * and fsync to the file system below.
 */
const SERVER_SETTINGS = ['shared_buffers=16MB', 'max_wal_size=256MB', 'timezone=UTC', 'wal_sync_method=fsync'];

export type EmbeddedDatabase = { client: PGlite; release: () => void };

/** Ends the process when the database can no longer write: what is asked of it after that never ends. */
type Die = (reason: string) => never;

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
    const fs = flushing(new NodeFS(files), die);
    const client = await PGlite.create({ fs, relaxedDurability: false, startParams: startParams() });
    dieOfPanic(client, die);
    return { client, release };
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
  renameSync(unfinished, files);
}

function startParams(): string[] {
  const base = PGlite.defaultStartParams.filter((param) => param !== '-F');
  return [...base, ...SERVER_SETTINGS.flatMap((setting) => ['-c', setting])];
}

type FileSystem = NonNullable<PGliteOptions['fs']>;
type Mounted = { NODEFS: { stream_ops: { fsync?: (stream: { nfd: number }) => number } } };

/** PGlite's file system on real files leaves flushing out; this adds it. */
function flushing(fs: NodeFS, die: Die): FileSystem {
  const init = fs.init.bind(fs);
  fs.init = async (pg, options) => {
    const { emscriptenOpts } = await init(pg, options);
    const flush = (module: unknown) => {
      (module as Mounted).NODEFS.stream_ops.fsync = ({ nfd }) => {
        try {
          fsyncSync(nfd);
        } catch (error) {
          // What is not known to be on the disk must not be taken for committed, now or by the next flush that works.
          die(String(error));
        }
        return 0;
      };
    };
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...(emscriptenOpts.preRun ?? []), flush] } };
  };
  return fs;
}

/** A server of its own would end itself on a panic; this one would spin on the lock that it held. */
function dieOfPanic(client: PGlite, die: Die): void {
  for (const name of ['execProtocol', 'execProtocolStream'] as const) {
    const exec = client[name].bind(client) as (...given: unknown[]) => Promise<never>;
    client[name] = (...given: unknown[]) =>
      exec(...given).catch((error: unknown) => {
        if (error instanceof Error && 'severity' in error && error.severity === 'PANIC') die(error.message);
        throw error;
      });
  }
}

function endProcess(reason: string): never {
  process.stderr.write(
    `The embedded database cannot write: ${reason}\n` +
      'Everything that was recorded is kept. Make room on the disk, or mend it, and start again.\n',
  );
  process.exit(1);
}
