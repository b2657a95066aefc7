const BETWEEN = ' · ';

/** "First private crew to lunar orbit · No on all 4" in its two parts; one that has none is all of it. */
export function nameParts(name: string): { about: string; kind: string | null } {
  const at = name.lastIndexOf(BETWEEN);
  if (at <= 0) return { about: name, kind: null };
  return { about: name.slice(0, at), kind: name.slice(at + BETWEEN.length) };
}
