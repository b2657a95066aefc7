/**
 * Mann-Whitney U as a z score: how far the ranks of `a` among both samples are from chance. Beyond 2.58 either way, chance
 * is less likely than 1 in 100 that both are of one distribution. Ties count half; for samples of 20 and more.
 */
export function rankZ(a: readonly number[], b: readonly number[]): number {
  let wins = 0;
  for (const one of a) for (const other of b) wins += one > other ? 1 : one === other ? 0.5 : 0;
  const mean = (a.length * b.length) / 2;
  return (wins - mean) / Math.sqrt((a.length * b.length * (a.length + b.length + 1)) / 12);
}
