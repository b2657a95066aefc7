import { statfs } from 'node:fs/promises';
import type { Timers } from './runtime.ts';

/** PostgreSQL ends when it cannot add to what it writes ahead, files of 16 MB. */
const FULL_BELOW_BYTES = 100_000_000;
const CHECK_EVERY_MS = 5000;

/** Follows how much room is left for `folder`. */
export async function watchDisk(
  folder: string,
  { every }: Pick<Timers, 'every'>,
  fullBelowBytes = FULL_BELOW_BYTES,
): Promise<{ isFull: () => boolean; stop: () => void }> {
  let isFull = false;
  const look = async () => {
    isFull = await hasLessFree(folder, fullBelowBytes);
  };
  await look();
  return { isFull: () => isFull, stop: every(CHECK_EVERY_MS, look) };
}

/** A folder that is not there yet is on a disk with room: making it will tell. */
export async function hasLessFree(folder: string, bytes: number): Promise<boolean> {
  const found = await statfs(folder).catch(() => null);
  return found !== null && found.bavail * found.bsize < bytes;
}
