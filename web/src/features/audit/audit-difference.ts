/** One value that differs: `before` is null where it is new, `after` where it is gone. */
export type Difference = { name: string; before: string | null; after: string | null };

/** What stands otherwise after a action than before it, value by value; of a thing made or deleted, all of it. */
export function differencesOf(before: unknown, after: unknown): Difference[] {
  const [old, young] = [partsOf(before), partsOf(after)];
  const names = [...new Set([...Object.keys(old), ...Object.keys(young)])];
  return names
    .filter((name) => old[name] !== young[name])
    .map((name) => ({ name, before: old[name] ?? null, after: young[name] ?? null }));
}

/** Each value by its name, as text; what has no parts has no name either. */
function partsOf(json: unknown): Record<string, string> {
  if (json === null || json === undefined) return {};
  if (typeof json !== 'object' || Array.isArray(json)) return { '': textOf(json) };
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, textOf(value)]));
}

function textOf(value: unknown): string {
  if (value === null || value === '') return 'empty';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
