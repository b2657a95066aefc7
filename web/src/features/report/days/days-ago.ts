/** The day of UTC so many days before today. */
export function daysAgo(days: number): string {
  const at = new Date();
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() - days)).toISOString().slice(0, 10);
}
