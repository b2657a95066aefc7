/** What every question of this folder answers with: rows of one shape, printed where it runs alone, collected by `main.ts`. */

/** `floor`: what the machine itself does, measured in the same run and the same unit; `of` says what was measured. */
export type Row = {
  question: string;
  figure: number;
  unit: string;
  budget: { atMost: number } | { atLeast: number } | null;
  floor: { figure: number; of: string } | null;
};

export type Verdict = 'met' | 'missed' | '';

/** Prints the row, and hands it to the runner where there is one. */
export function tell(row: Row): void {
  process.stdout.write(`${lineOf(row)}\n`);
  process.send?.(row);
}

/** Prints what is worth knowing beside the rows. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function verdictOn({ figure, budget }: Row): Verdict {
  if (budget === null) return '';
  const isMet = 'atMost' in budget ? figure <= budget.atMost : figure >= budget.atLeast;
  return isMet ? 'met' : 'missed';
}

/** How far the figure is from the machine's own limit; null without one. */
function ratioToFloor({ figure, floor }: Row): number | null {
  return floor === null ? null : figure / floor.figure;
}

/** The row's cells as texts, in the order of `HEADINGS`. */
export function cellsOf(row: Row): string[] {
  const { question, figure, unit, budget, floor } = row;
  const ratio = ratioToFloor(row);
  return [
    question,
    `${short(figure)} ${unit}`,
    budget === null ? '' : 'atMost' in budget ? `<= ${short(budget.atMost)}` : `>= ${short(budget.atLeast)}`,
    floor === null ? '' : `${short(floor.figure)} (${floor.of})`,
    ratio === null ? '' : ratio.toPrecision(2),
    verdictOn(row),
  ];
}

export const HEADINGS = ['question', 'figure', 'budget', 'floor', 'ratio', ''];

/** The same question asked several times: the median figure, against the median floor. */
export function medianRow(rows: readonly [Row, ...Row[]]): Row {
  const [first] = rows;
  const floors = rows.flatMap(({ floor }) => (floor === null ? [] : [floor.figure]));
  return {
    ...first,
    figure: median(rows.map(({ figure }) => figure)),
    floor: first.floor === null ? null : { ...first.floor, figure: median(floors) },
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return ((sorted[Math.ceil(middle - 1)] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}

/** The value that `share` (0 to 1) of `values` do not exceed. */
export function quantile(values: ArrayLike<number>, share: number): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}

function lineOf(row: Row): string {
  const [question, figure, budget, floor, ratio, verdict] = cellsOf(row);
  const parts = [budget && `budget ${budget}`, floor && `floor ${floor}, ${ratio} times`, verdict];
  return [`${question}: ${figure}`, ...parts.filter(Boolean)].join('; ');
}

function short(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 0.1 ? 2 : 3;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}
