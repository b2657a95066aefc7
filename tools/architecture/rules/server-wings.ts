import { posix } from 'node:path';
import { isShipped } from '../places.ts';
import type { Repository } from '../read-repository.ts';
import type { Finding, Rule } from '../rule.ts';

/** The wings of the server in their order: each may import from those before it. */
export const WINGS = ['platform', 'people', 'market', 'trading', 'books', 'memory'] as const;
/** Where programs and files lie; each wing may ask. */
const FOR_ALL = ['server/src/folders.ts'];
const IN_SERVER = /^server\/src\//;
const WING = new RegExp(`^server/src/(${WINGS.join('|')})/`);
const TABLE = /\bpgTable\(\s*'(\w+)'/g;
/** A table named by its bare name where a statement reads or writes it. */
const NAMED_IN_SQL = /\b(?:from|join|update|into|using|truncate)\s+(?:only\s+)?"?([a-z_]+)"?/gi;
const COMMENT_LINE = /^\s*(?:\/?\*|\/\/)/;
const IMPORT_LINE = /^\s*(?:import|export)\b|^\} from /;

export const serverWings: Rule = {
  name: `the wings of the server import only from those before them: ${WINGS.join(', ')}`,
  find: (repository) =>
    shippedOfWings(repository).flatMap(({ path, imports, wing }) =>
      imports.flatMap(({ specifier, line }): Finding[] => {
        const target = specifier.startsWith('.') ? posix.join(path, '..', specifier) : '';
        if (!IN_SERVER.test(target) || FOR_ALL.includes(target)) return [];
        const of = wingOf(target);
        if (of === null) return [{ path, line, reason: `${specifier} belongs to no wing` }];
        return WINGS.indexOf(of) > WINGS.indexOf(wing) ? [{ path, line, reason: `${of} comes after ${wing}` }] : [];
      }),
    ),
};

export const foreignTables: Rule = {
  name: 'no raw SQL over a table that another wing of the server owns',
  find: (repository) => {
    const owners = ownersOfTables(repository);
    return shippedOfWings(repository).flatMap(({ path, wing }) =>
      (repository.files.get(path) ?? '').split('\n').flatMap((text, index): Finding[] => {
        if (COMMENT_LINE.test(text) || IMPORT_LINE.test(text)) return [];
        return [...text.matchAll(NAMED_IN_SQL)].flatMap(([, table = '']): Finding[] => {
          const owner = owners.get(table);
          const isForeign = owner !== undefined && owner !== wing;
          return isForeign ? [{ path, line: index + 1, reason: `${table} is a table of ${owner}` }] : [];
        });
      }),
    );
  },
};

function shippedOfWings({ sources }: Repository) {
  return sources.flatMap((source) => {
    const wing = wingOf(source.path);
    return wing !== null && isShipped(source.path) ? [{ path: source.path, imports: source.imports, wing }] : [];
  });
}

function ownersOfTables({ files }: Repository): Map<string, string> {
  const owners = new Map<string, string>();
  for (const [path, text] of files) {
    const wing = wingOf(path);
    if (wing === null || !path.endsWith('/table.ts')) continue;
    for (const [, table = ''] of text.matchAll(TABLE)) owners.set(table, wing);
  }
  return owners;
}

function wingOf(path: string): (typeof WINGS)[number] | null {
  return (WING.exec(path)?.[1] as (typeof WINGS)[number] | undefined) ?? null;
}
