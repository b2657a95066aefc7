import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { repositoryRoot, say } from '../repository.ts';

/**
 * Builds `what` when one of the `built` files is missing or older than one of `sources` (files or folders; all from the
 * top folder), and says so. Returns false when the build failed; it has then printed why.
 */
export function buildWhenOlder(
  what: string,
  built: readonly string[],
  sources: readonly string[],
  build: () => boolean,
): boolean {
  const changedAtMs = Math.max(...sources.map((source) => newestChangeMs(resolve(repositoryRoot, source))));
  if (built.every((file) => isNewer(resolve(repositoryRoot, file), changedAtMs))) return true;
  say(`Building ${what}.`);
  const startedAtMs = performance.now();
  if (!build()) return false;
  say(`Built in ${((performance.now() - startedAtMs) / 1000).toFixed(1)} s.`);
  return true;
}

function isNewer(file: string, changedAtMs: number): boolean {
  return existsSync(file) && statSync(file).mtimeMs >= changedAtMs;
}

/** When the newest file or folder under a path last changed; a folder changes when a file in it is deleted. */
function newestChangeMs(path: string): number {
  if (!existsSync(path)) return 0;
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newestChangeMs(join(path, name))));
}
