import { posix } from 'node:path';
import type { Rule } from '../rule.ts';

const SAY_NOTHING = new Set(['shared', 'common', 'util', 'utils', 'core', 'lib', 'helper', 'helpers', 'misc']);

/** A folder is called by what it holds. */
export const folderNames: Rule = {
  name: 'no folder whose name says nothing',
  find: (repository) => {
    const folders = new Set([...repository.files.keys()].flatMap(foldersOf));
    return [...folders]
      .filter((folder) => SAY_NOTHING.has(posix.basename(folder)))
      .map((folder) => ({
        path: folder,
        line: 1,
        reason: `name the folder by what it holds, not "${posix.basename(folder)}"`,
      }));
  },
};

function foldersOf(path: string): string[] {
  const segments = path.split('/').slice(0, -1);
  return segments.map((_, index) => segments.slice(0, index + 1).join('/'));
}
