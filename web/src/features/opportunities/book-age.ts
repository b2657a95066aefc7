/** How old an order book is: "0.4 s", "12 s", "3 min", "2 h". */
export function bookAge(ageMs: number): string {
  if (ageMs < 10_000) return `${(Math.floor(ageMs / 100) / 10).toFixed(1)} s`;
  if (ageMs < 60_000) return `${Math.floor(ageMs / 1_000)} s`;
  if (ageMs < 3_600_000) return `${Math.floor(ageMs / 60_000)} min`;
  return `${Math.floor(ageMs / 3_600_000)} h`;
}
