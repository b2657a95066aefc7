/** Amounts at or above zero that make a sum of values as large as can be, by the simplex method. */

/** `uses`: how much one unit takes (positive) or gives (negative) of each row. */
export type Column = { value: number; uses: readonly (readonly [row: number, amount: number])[] };

const NOTHING = 1e-9;
const PIVOTS_MAX = 5_000;
/** Pivots that win nothing, after which the columns are taken in a fixed order, which cannot run in a circle. */
const IDLE_MAX = 50;

/**
 * The amount of each column; no row uses more than its limit, which is never negative. What was reached by then where the
 * bound on pivots ends it: that keeps to all limits too.
 */
export function maximise(columns: readonly Column[], limits: readonly number[]): number[] {
  const rows = limits.map((limit) => [...columns.map(() => 0), limit]);
  for (const [at, { uses }] of columns.entries()) {
    for (const [row, amount] of uses) (rows[row] as number[])[at] = ((rows[row] as number[])[at] ?? 0) + amount;
  }
  const goal = [...columns.map(({ value }) => value), 0];
  const width = columns.length;
  // Names below `width` are columns, those above are what is left of the rows.
  const across = columns.map((_, at) => at);
  const down = limits.map((_, row) => width + row);
  let idle = 0;
  for (let pivots = 0; pivots < PIVOTS_MAX; pivots++) {
    const at = entering(goal, across, idle > IDLE_MAX);
    if (at === -1) break;
    const row = leaving(rows, at, down);
    if (row === -1) break;
    idle = (rows[row]?.[width] ?? 0) > NOTHING ? 0 : idle + 1;
    pivot(rows, goal, row, at);
    const name = across[at] as number;
    across[at] = down[row] as number;
    down[row] = name;
  }
  const amounts = columns.map(() => 0);
  for (const [row, name] of down.entries()) if (name < width) amounts[name] = Math.max(0, rows[row]?.[width] ?? 0);
  return amounts;
}

function entering(goal: readonly number[], across: readonly number[], isFixedOrder: boolean): number {
  let best = -1;
  for (const [at, name] of across.entries()) {
    const gain = goal[at] ?? 0;
    if (gain <= NOTHING) continue;
    if (best === -1 || (isFixedOrder ? name < (across[best] ?? 0) : gain > (goal[best] ?? 0))) best = at;
  }
  return best;
}

function leaving(rows: readonly (readonly number[])[], at: number, down: readonly number[]): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  for (const [row, values] of rows.entries()) {
    const amount = values[at] ?? 0;
    if (amount <= NOTHING) continue;
    const reach = (values.at(-1) ?? 0) / amount;
    if (reach < least || (reach === least && (down[row] ?? 0) < (down[best] ?? 0))) {
      least = reach;
      best = row;
    }
  }
  return best;
}

function pivot(rows: number[][], goal: number[], row: number, at: number): void {
  const line = rows[row] as number[];
  const by = line[at] as number;
  for (const [place, value] of line.entries()) line[place] = value / by;
  line[at] = 1 / by;
  const used = [...line.entries()].filter(([, value]) => value !== 0);
  for (const other of [...rows, goal]) {
    if (other === line) continue;
    const factor = other[at] ?? 0;
    if (factor === 0) continue;
    other[at] = 0;
    for (const [place, value] of used) other[place] = (other[place] ?? 0) - factor * value;
  }
}
