import { extname, posix } from 'node:path';
import { workspaceOf } from '../places.ts';
import type { Repository } from '../read-repository.ts';
import type { Finding, Rule } from '../rule.ts';

const DOCUMENT = /\.md$/;
/** `path/of/a/file.ts`, or the end of such a path, and `server/src/folder`. */
const NAMED = /`([\w./-]+)`/g;
const FILE = /\.(tsx?|md|json|sql)$/;
/** [text](path/of/a/file.md#heading), but no address of another site. */
const LINKED = /\]\(([^)#:\s]+)(?:#[^)\s]*)?\)/g;

/** A reader who follows a document finds what it names. */
export const namedFiles: Rule = {
  name: 'documents name files that are there',
  find: (repository) => {
    const ends = endsOf(repository);
    return [...repository.files].filter(([path]) => DOCUMENT.test(path)).flatMap((document) => judge(document, ends));
  },
};

/** Every file and folder, by its whole path and by each end of it. */
function endsOf({ files }: Repository): ReadonlySet<string> {
  const ends = new Set<string>();
  for (const file of files.keys()) {
    for (let path = file; path !== '.'; path = posix.dirname(path)) {
      const parts = path.split('/');
      for (const index of parts.keys()) ends.add(parts.slice(index).join('/'));
    }
  }
  return ends;
}

function judge([path, text]: [string, string], ends: ReadonlySet<string>): Finding[] {
  const isThere = (name: string) => ends.has(name) || ends.has(posix.join(posix.dirname(path), name));
  return text
    .split('\n')
    .flatMap((content, index) =>
      [
        ...namesIn(content, NAMED).filter((name) => FILE.test(name) || (workspaceOf(name) !== '' && !extname(name))),
        ...namesIn(content, LINKED).filter((name) => FILE.test(name) || !extname(name)),
      ]
        .filter((name) => !isThere(name))
        .map((name) => ({ path, line: index + 1, reason: `${name} is not there` })),
    );
}

function namesIn(line: string, pattern: RegExp): string[] {
  return [...line.matchAll(pattern)].map(([, name = '']) => name.replace(/\/$/, ''));
}
