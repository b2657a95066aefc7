import { posix } from 'node:path';
import { isShipped } from '../places.ts';
import type { Rule } from '../rule.ts';

/** The folders of `web/src` from the top down: each may use what stands below it. */
const LAYERS = ['routes', 'app', 'features', 'lists', 'forms', 'live', 'calls', 'ui'];
const FOLDER = /^web\/src\/([\w-]+)\//;

export const webLayers: Rule = {
  name: `the folders of the web use only what stands below them: ${LAYERS.join(', ')}`,
  find: (repository) =>
    repository.sources
      .filter(({ path }) => isShipped(path) && FOLDER.test(path))
      .flatMap(({ path, imports }) =>
        imports.flatMap(({ specifier, line }) => {
          const target = specifier.startsWith('.') ? posix.join(path, '..', specifier) : '';
          return isUpward(layerOf(path), layerOf(target))
            ? [{ path, line, reason: `${specifier} stands above this file` }]
            : [];
        }),
      ),
};

/** `-1` for a file of no layer. */
function layerOf(path: string): number {
  return LAYERS.indexOf(FOLDER.exec(path)?.[1] ?? '');
}

function isUpward(from: number, to: number): boolean {
  return from !== -1 && to !== -1 && to < from;
}
