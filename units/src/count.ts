/** A whole number as a person reads it: `1,234,567`. By hand: a browser takes tens of milliseconds to load a locale. */
export function formatCount(count: number): string {
  let digits = String(Math.abs(count));
  for (let end = digits.length - 3; end > 0; end -= 3) digits = `${digits.slice(0, end)},${digits.slice(end)}`;
  return count < 0 ? `-${digits}` : digits;
}
