/** Stops that are not stored yet, one file each in DATA_DIR: what a process was asked to stop outlasts its sudden end. */
import { mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import * as z from 'zod/mini';
import type { Runtime } from './runtime.ts';
import type { KeptStop } from './stops.ts';

const FOLDER = 'held-stops';
const FILE_BYTES_MAX = 4096;
const NAME = /^[0-9a-f-]{36}\.json$/;

const keptStop = z.object({
  action: z.enum(['trading.disarmed', 'batch.canceled', 'session.ended', 'token.revoked']),
  subject: z.string(),
  askedAtMs: z.int(),
  actor: z.object({
    id: z.nullable(z.string()),
    email: z.nullable(z.string()),
    address: z.string(),
    tokenId: z.optional(z.string()),
  }),
});

export type KeptStops = {
  /** Resolves with its file once it outlasts a power cut. @throws where it cannot be written */
  keep: (stop: KeptStop) => Promise<string>;
  /** A file that is gone already is fine: processes may share the folder. */
  remove: (file: string) => Promise<void>;
  /** In the order in which they were asked for. @throws where one cannot be read */
  read: () => Promise<{ kept: KeptStop; file: string }[]>;
};

export function openKeptStops(dataDir: string, { uuid }: Pick<Runtime['random'], 'uuid'>): KeptStops {
  const folder = path.join(dataDir, FOLDER);
  return {
    keep: async ({ action, subject, askedAt, actor }) => {
      const text = JSON.stringify({ action, subject, askedAtMs: askedAt, actor } satisfies z.input<typeof keptStop>);
      if (Buffer.byteLength(text) > FILE_BYTES_MAX) throw new Error(`a stop has more than ${FILE_BYTES_MAX} bytes`);
      await makeFolder(folder);
      const file = path.join(folder, `${uuid()}.json`);
      await writeFile(`${file}.new`, text, { flag: 'wx', mode: 0o600, flush: true });
      await rename(`${file}.new`, file);
      await syncFolder(folder);
      return file;
    },
    remove: (file) => rm(file, { force: true }),
    read: async () => {
      const names = await readdir(folder).catch(unlessMissing);
      const read: { kept: KeptStop; file: string }[] = [];
      for (const name of names.filter((each) => NAME.test(each))) {
        const file = path.join(folder, name);
        const kept = await readKept(file);
        if (kept !== null) read.push({ kept, file });
      }
      return read.sort((a, b) => a.kept.askedAt - b.kept.askedAt);
    },
  };
}

/** null where another process that shares the folder has stored it meanwhile. */
async function readKept(file: string): Promise<KeptStop | null> {
  try {
    const { size } = await stat(file);
    if (size > FILE_BYTES_MAX) throw new Error(`it has more than ${FILE_BYTES_MAX} bytes`);
    const { action, subject, askedAtMs, actor } = keptStop.parse(JSON.parse(await readFile(file, 'utf8')));
    const { tokenId, ...person } = actor;
    const by = tokenId === undefined ? person : { ...person, tokenId };
    return { action, subject, askedAt: instantFromMs(askedAtMs), actor: by };
  } catch (error) {
    if (isMissing(error)) return null;
    throw new Error(`${file} keeps a stop that was asked for, and cannot be read: disarm trading, then remove it.`, {
      cause: error,
    });
  }
}

async function makeFolder(folder: string): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (made !== undefined) await syncFolder(path.dirname(folder));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function unlessMissing(error: unknown): string[] {
  if (isMissing(error)) return [];
  throw error;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
