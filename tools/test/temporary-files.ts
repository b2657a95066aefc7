import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files in memory, on Linux. */
const MEMORY = '/dev/shm';
/** Ten times the most that a whole run has used. */
const FREE_BYTES_MIN = 4 * 1024 ** 3;

/**
 * Points TMPDIR of every program of this run at a folder in memory, if enough is free. The tests create and delete hundreds
 * of databases of hundreds of files each; on a disk that takes more processor time than their queries.
 */
export function keepTemporaryFilesInMemory(): void {
  if (!existsSync(MEMORY) || freeBytes() < FREE_BYTES_MIN) return;
  const folder = mkdtempSync(join(MEMORY, 'dutchbook-test-'));
  if (!runsPrograms(folder)) {
    rmSync(folder, { recursive: true });
    return;
  }
  // PostgreSQL keeps its data there, and runs as another user when root starts it.
  chmodSync(folder, 0o755);
  removeAfterThisProcess(folder);
  process.env.TMPDIR = folder;
}

function freeBytes(): number {
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory());
}

/** Whether programs can be run from the folder, as tests do with copies: some machines forbid that in shared memory. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
  try {
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program);
  }
}

/** The remover waits until its input closes, which it does however this process ends, and then deletes the folder. */
function removeAfterThisProcess(folder: string): void {
  const remover = spawn('sh', ['-c', 'read -r _; exec rm -rf "$0"', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  remover.unref();
  if ('unref' in remover.stdin && typeof remover.stdin.unref === 'function') remover.stdin.unref();
}
