import { posix } from 'node:path';
import { isShipped } from '../places.ts';
import type { Repository } from '../read-repository.ts';
import type { Finding, Rule } from '../rule.ts';
import { WINGS } from './server-wings.ts';

/** Folders that may use each other in one direction only: the features of the web, and what lies beside each other in the server. */
const FOLDER = new RegExp(`^(?:web/src/features|server/src(?:/(?:${WINGS.join('|')}))?)/[\\w-]+(?=/)`);

interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly line: number;
}

export const folderCircles: Rule = {
  name: 'no circle between folders of the server or features of the web',
  find: findCircles,
};

export function findCircles(repository: Repository): Finding[] {
  const arrows = arrowsBetweenFolders(repository);
  return arrows.flatMap((arrow): Finding[] => {
    const way = wayBetween(arrow.to, arrow.from, arrows);
    if (way === undefined) return [];
    return [{ path: arrow.path, line: arrow.line, reason: `closes the circle ${[arrow.from, ...way].join(' > ')}` }];
  });
}

/** The first import of each folder in each other folder. */
function arrowsBetweenFolders(repository: Repository): Arrow[] {
  const arrows = new Map<string, Arrow>();
  for (const { path, imports } of repository.sources.filter((file) => isShipped(file.path))) {
    const from = FOLDER.exec(path)?.[0];
    for (const { specifier, line } of from === undefined ? [] : imports) {
      const to = specifier.startsWith('.') ? FOLDER.exec(posix.join(path, '..', specifier))?.[0] : undefined;
      if (from === undefined || to === undefined || to === from) continue;
      const name = `${from} > ${to}`;
      if (!arrows.has(name)) arrows.set(name, { from, to, path, line });
    }
  }
  return [...arrows.values()];
}

/** The folders one passes on the shortest way, both ends included. */
function wayBetween(start: string, end: string, arrows: readonly Arrow[]): string[] | undefined {
  const ways = [[start]];
  const passed = new Set([start]);
  for (const way of ways) {
    const last = way.at(-1);
    if (last === end) return way;
    for (const { to } of arrows.filter(({ from }) => from === last)) {
      if (!passed.has(to)) ways.push([...way, to]);
      passed.add(to);
    }
  }
  return undefined;
}
