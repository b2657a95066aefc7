import { posix } from 'node:path';
import { isShipped } from '../places.ts';
import type { Repository } from '../read-repository.ts';
import type { Finding, Rule } from '../rule.ts';
import { WINGS } from './server-wings.ts';

export const MAP_DOCUMENT = 'docs/architecture.md';
const BEGIN = '<!-- npm run architecture -- --write -->';
const END = '<!-- end -->';
/** A folder of a wing, or a folder beside the wings. */
const ROOM = new RegExp(`^server/src/((?:${WINGS.join('|')})/[\\w-]+|[\\w-]+)/`);

export const serverMap: Rule = {
  name: `${MAP_DOCUMENT} draws the wings and rooms of the server as they import each other`,
  find: (repository): Finding[] => {
    const text = repository.files.get(MAP_DOCUMENT) ?? '';
    const expected = withMap(text, repository);
    if (expected === undefined) return [at(1, `it has no part between ${BEGIN} and ${END}`)];
    if (expected === text) return [];
    const lines = text.split('\n');
    const first = expected.split('\n').findIndex((line, index) => line !== lines[index]);
    return [at(first + 1, 'the imports differ from here on: `npm run architecture -- --write` draws them again')];
  },
};

/** The document with its generated part made anew; undefined when it has no marks. */
export function withMap(text: string, repository: Repository): string | undefined {
  const begin = text.indexOf(BEGIN);
  const end = text.indexOf(END, begin);
  if (begin === -1 || end === -1) return undefined;
  return `${text.slice(0, begin + BEGIN.length)}\n\n${drawServer(repository)}\n\n${text.slice(end)}`;
}

function drawServer(repository: Repository): string {
  const rooms = importsOfRooms(repository);
  const arrows = WINGS.flatMap((wing) =>
    wingsIn(
      [...rooms].flatMap(([room, imported]) => (wingOf(room) === wing ? [...imported] : [])),
      wing,
    ).map((other) => `  ${wing} --> ${other}`),
  );
  const lines = [...WINGS, ''].map((wing) => {
    const inWing = [...rooms].filter(([room]) => (isInWing(room) ? wingOf(room) : '') === wing);
    return `- *${wing === '' ? 'beside the wings' : wing}*: ${inWing
      .map(([room, imported]) => drawRoom(room, [...imported]))
      .sort()
      .join('; ')}`;
  });
  return ['```mermaid', 'graph BT', ...arrows, '```', '', ...lines].join('\n');
}

/** `login (api-tokens, users)`: the room with the rooms of its wing that it imports. */
function drawRoom(room: string, imported: readonly string[]): string {
  const beside = imported.filter(
    (other) => isInWing(room) === isInWing(other) && (!isInWing(room) || wingOf(other) === wingOf(room)),
  );
  const names = beside.map(nameOf).sort();
  return `${nameOf(room)}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;
}

function nameOf(room: string): string {
  return room.slice(room.indexOf('/') + 1);
}

/** Which rooms each room imports, types too; tests do not count. */
function importsOfRooms({ sources }: Repository): Map<string, Set<string>> {
  const rooms = new Map<string, Set<string>>();
  for (const { path, imports } of sources.filter((source) => isShipped(source.path))) {
    const room = ROOM.exec(path)?.[1];
    if (room === undefined) continue;
    const imported = rooms.get(room) ?? new Set();
    rooms.set(room, imported);
    for (const { specifier } of imports) {
      const other = specifier.startsWith('.') ? ROOM.exec(posix.join(path, '..', specifier))?.[1] : undefined;
      if (other !== undefined && other !== room) imported.add(other);
    }
  }
  return rooms;
}

/** The wings that rooms belong to, but for one of them, in their order. */
function wingsIn(rooms: readonly string[], but: string): string[] {
  return WINGS.filter((wing) => wing !== but && rooms.some((room) => room.startsWith(`${wing}/`)));
}

function wingOf(room: string): string {
  return room.split('/')[0] ?? '';
}

function isInWing(room: string): boolean {
  return room.includes('/');
}

function at(line: number, reason: string): Finding {
  return { path: MAP_DOCUMENT, line, reason };
}
