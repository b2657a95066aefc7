import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files in memory, on Linux. */
const MEMORY = '/dev/shm';
/** Ten times what a whole run has needed at once. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Has every program of this run keep its temporary files in memory, where there is plenty of that. Databases are made,
 * emptied and deleted by the hundred, each of hundreds of files, which cost a disk's file system more processor time
 * than all that is asked of them; and nothing of it has to outlive the machine.
 */
export function keepTemporaryFilesInMemory(): void {
  if (!existsSync(MEMORY) || roomBytes() < ROOM_BYTES) return;
  const folder = mkdtempSync(join(MEMORY, 'dutchbook-test-'));
  if (!runsPrograms(folder)) {
    rmSync(folder, { recursive: true });
    return;
  }
  // PostgreSQL, which root starts as somebody else, has its data there.
  chmodSync(folder, 0o755);
  removeAfterThisProcess(folder);
  process.env.TMPDIR = folder;
}

function roomBytes(): number {
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, process.availableMemory());
}

/** Tests copy programs into their folders, and some machines run none from here. */
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

/** However this process ends, its end of the pipe is closed then: what is left in memory would stay there. */
function removeAfterThisProcess(folder: string): void {
  const remover = spawn('sh', ['-c', 'read -r _; exec rm -rf "$0"', folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  remover.unref();
  if ('unref' in remover.stdin && typeof remover.stdin.unref === 'function') remover.stdin.unref();
}
