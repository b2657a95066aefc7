import { posix } from 'node:path';
import type { Node } from 'oxc-parser';
import type { House } from './house.ts';
import { isConfiguration, isTest, workspaceOf } from './places.ts';
import type { ImportedNames, SourceFile } from './source-file.ts';
import { walk } from './syntax.ts';

/** One file using another. */
export interface Use {
  readonly from: string;
  readonly to: string;
  readonly names: ImportedNames;
}

/** Who uses whom: by import, by the script of an HTML page, by a style sheet, and by a path written out where programs are started. */
export function findUses(house: House): Use[] {
  return [...usesByImport(house), ...usesByAddress(house), ...usesByPath(house)];
}

function usesByImport(house: House): Use[] {
  return house.sources.flatMap((file) =>
    file.imports.flatMap(({ specifier, names }) => {
      const to = house.resolve(file.path, specifier);
      return to === undefined ? [] : [{ from: file.path, to, names }];
    }),
  );
}

/** Pages and style sheets name the files they load by address. */
const ADDRESSES: Readonly<Record<string, RegExp>> = {
  '.html': /\b(?:src|href)="\/?([^"]+)"/g,
  '.css': /(?:@import\s+(?:url\()?|\bfrom\s+)['"]([^'"]+)['"]/g,
};

function usesByAddress(house: House): Use[] {
  return [...house.files].flatMap(([path, text]) => {
    const pattern = ADDRESSES[posix.extname(path)];
    if (pattern === undefined) return [];
    const targets = [...text.matchAll(pattern)].map((match) => posix.join(posix.dirname(path), match[1] ?? ''));
    return targets.filter((to) => house.files.has(to)).map((to) => ({ from: path, to, names: 'everything' as const }));
  });
}

/** Tools, tests and configuration start programs and name set-up files by path, from the top or from where they lie. */
function usesByPath(house: House): Use[] {
  return house.sources.filter(startsPrograms).flatMap((file) =>
    stringsIn(file).flatMap((text) => {
      const candidates = [posix.normalize(text), posix.join(posix.dirname(file.path), text)];
      const to = candidates.find((path) => house.files.has(path) && path !== file.path);
      return to === undefined ? [] : [{ from: file.path, to, names: 'everything' as const }];
    }),
  );
}

function startsPrograms(file: SourceFile): boolean {
  return isTest(file.path) || isConfiguration(file.path) || ['tools', 'e2e', 'bench'].includes(workspaceOf(file.path));
}

function stringsIn(file: SourceFile): string[] {
  const strings: string[] = [];
  walk(file.program, (node: Node) => {
    if (node.type === 'Literal' && typeof node.value === 'string' && node.value !== '') strings.push(node.value);
  });
  return strings;
}
