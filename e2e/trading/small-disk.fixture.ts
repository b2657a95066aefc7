/** A disk that a test can fill to the last byte, and make room on again. */
import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const DISK_MB = 160;
const CHUNK_SIZES = [1 << 20, 1 << 12, 1];

const run = promisify(execFile);

/** Processes that use the disk, and the user they run as where that is not this process's. */
export type DiskUsers = { processes: readonly number[]; user: { uid: number; gid: number } | undefined };

export type SmallDisk = {
  folder: string;
  /** From now on what they would write to the disk is refused. */
  fill: (users: DiskUsers) => Promise<void>;
  /** There is room again, also for those of them that are still there. */
  relieve: (users: DiskUsers) => Promise<void>;
  remove: () => Promise<void>;
};

/**
 * A file system in memory where this process may mount one. Elsewhere a folder, and the processes are forbidden to let
 * a file grow: they get the error for too large where they would get the one for no space.
 */
export async function openSmallDisk(): Promise<SmallDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'dutchbook-disk-'));
  await chmod(folder, 0o755);
  const isMounted = await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MB}m,mode=755`, 'tmpfs', folder]).then(
    () => true,
    () => false,
  );
  return isMounted ? fileSystem(folder) : limitedProcesses(folder);
}

function fileSystem(folder: string): SmallDisk {
  const ballast = join(folder, 'ballast');
  return {
    folder,
    fill: async () => {
      for (const bytes of CHUNK_SIZES) appendUntilFull(ballast, Buffer.alloc(bytes));
    },
    relieve: () => rm(ballast),
    remove: async () => {
      await run('umount', [folder]);
      await rm(folder, { recursive: true });
    },
  };
}

function appendUntilFull(file: string, chunk: Buffer): void {
  try {
    for (;;) appendFileSync(file, chunk);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
  }
}

function limitedProcesses(folder: string): SmallDisk {
  const limit = async ({ processes, user }: DiskUsers, bytes: string) => {
    // One that has ended, perhaps of the limit of another, needs none.
    for (const pid of processes) await run('prlimit', [`--pid=${pid}`, `--fsize=${bytes}:`], user).catch(() => null);
  };
  return {
    folder,
    fill: (users) => limit(users, '0'),
    relieve: (users) => limit(users, 'unlimited'),
    remove: () => rm(folder, { recursive: true }),
  };
}
