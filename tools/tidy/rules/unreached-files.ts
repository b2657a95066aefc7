import type { House } from '../house.ts';
import { isEntry } from '../places.ts';
import type { Finding, Rule } from '../rule.ts';
import { findUses } from '../usage.ts';

const REACHABLE = /\.(tsx?|mjs|css)$/;

/** Every file is run by its name, is a test, or is used, directly or not, by one that is. */
export const unreachedFiles: Rule = { name: 'no file that nothing reaches', find };

function find(house: House): Finding[] {
  const uses = Map.groupBy(findUses(house), ({ from }) => from);
  const reached = new Set<string>();
  const queue = [...house.files.keys()].filter((path) => isEntry(path) || path.endsWith('.html'));
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    queue.push(...(uses.get(path) ?? []).map(({ to }) => to));
  }
  return [...house.files.keys()]
    .filter((path) => REACHABLE.test(path) && !path.endsWith('.d.ts') && !reached.has(path))
    .map((path) => ({
      path,
      line: 1,
      reason: 'nothing reaches this file: no main, test, tool or configuration uses it',
    }));
}
