import { isDeepStrictEqual } from 'node:util';

/** The names whose value is another one now, as the beginning of a sentence: “A and B were”; null where none is. */
export function changedNames(before: unknown, now: unknown): string | null {
  const [was, is] = [membersOf(before), membersOf(now)];
  const names = Object.keys({ ...was, ...is }).filter((name) => !isDeepStrictEqual(was[name], is[name]));
  if (names.length === 0) return null;
  return `${new Intl.ListFormat('en-GB').format(names)} ${names.length === 1 ? 'was' : 'were'}`;
}

/** Members of an object; of other values none. */
function membersOf(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
