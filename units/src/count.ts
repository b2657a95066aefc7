/** A whole number as a person reads it: `1,234,567`. By hand: a browser takes tens of milliseconds to load a locale. */
export function formatCount(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
