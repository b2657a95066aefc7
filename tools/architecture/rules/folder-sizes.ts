import { posix } from 'node:path';
import { isTest } from '../places.ts';
import type { Rule } from '../rule.ts';

const FILES_MAX = 25;
/** How many each of these may have; why they have more than the others is said in docs/architecture.md. */
const LARGER: ReadonlyMap<string, number> = new Map([
  ['contract/src', 50],
  ['e2e/simulation', 30],
  ['engine/src/risk', 30],
  ['web/src/features/opportunities', 41],
  ['web/src/ui', 45],
]);
const SOURCE = /\.(tsx?|mjs)$/;

/** A folder is read at a glance. Tests and what they are written with lie beside what they test and do not count. */
export const folderSizes: Rule = {
  name: `no folder of more than ${FILES_MAX} files, but those that docs/architecture.md gives a reason for`,
  find: (repository) => {
    const counts = new Map<string, number>();
    for (const path of repository.files.keys()) {
      if (!SOURCE.test(path) || isTest(path)) continue;
      const folder = posix.dirname(path);
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
    return [...counts].flatMap(([folder, count]) => {
      const allowed = LARGER.get(folder) ?? FILES_MAX;
      return count <= allowed ? [] : [{ path: folder, line: 1, reason: `${count} files, ${allowed} are allowed` }];
    });
  },
};
