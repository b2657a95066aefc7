/** `2026-02-28`, where the calendar has that day. */
export function dayFrom(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(value)) return undefined;
  const midnight = Date.parse(`${value}T00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(value) ? value : undefined;
}
