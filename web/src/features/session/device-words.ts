const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
  ['curl/', 'curl'],
  ['python', 'Python'],
  ['node', 'Node.js'],
] as const;

const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const;

const LENGTH_MAX = 40;

/** What a browser or program calls itself, in two words where they are known: "Firefox on Windows". */
export function deviceWords(userAgent: string): string {
  const named = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => userAgent.toLowerCase().includes(mark.toLowerCase()))?.[1];
  const [browser, system] = [named(BROWSERS), named(SYSTEMS)];
  if (browser === undefined) return userAgent.slice(0, LENGTH_MAX) || 'Unknown';
  return system === undefined ? browser : `${browser} on ${system}`;
}
