/** What every question of this folder answers with: rows of one shape, printed where it runs alone, collected by `main.ts`. */

/** `floorTimes`: at most so many times the floor of the same run. */
type Budget = { atMost: number } | { atLeast: number } | { floorTimes: number };

/**
 * `floor`: what the machine itself does, or the same without what is asked about, measured in the same run and the same unit;
 * `of` says what was measured.
 */
export type Row = {
  question: string;
  figure: number;
  unit: string;
  budget?: Budget | null;
  floor?: { figure: number; of: string } | null;
};

type Verdict = 'yes' | 'no' | '';

/** Prints the row, and hands it to the runner where there is one. */
export function tell(row: Row): void {
  process.stdout.write(`${lineOf(row)}\n`);
  process.send?.(row);
}

/** Prints what is worth knowing beside the rows. */
export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Whether the budget is met; nothing without one. */
export function verdictOn(row: Row): Verdict {
  const { figure, budget } = row;
  if (!budget) return '';
  if ('atLeast' in budget) return figure >= budget.atLeast ? 'yes' : 'no';
  const atMost = 'atMost' in budget ? budget.atMost : budget.floorTimes * (row.floor?.figure ?? Number.NaN);
  return figure <= atMost ? 'yes' : 'no';
}

/** The row's cells as texts, in the order of `HEADINGS`. */
export function cellsOf(row: Row): string[] {
  const { question, figure, unit, floor } = row;
  return [
    question,
    withUnit(figure, unit),
    floor ? `${withUnit(floor.figure, unit)} (${floor.of})` : '',
    floor ? short(figure / floor.figure) : '',
    budgetText(row),
    verdictOn(row),
  ];
}

function withUnit(value: number, unit: string): string {
  return `${short(value)} ${unit}`.trim();
}

function budgetText({ budget, unit }: Row): string {
  if (!budget) return '';
  if ('floorTimes' in budget) return `<= ${short(budget.floorTimes)} times`;
  return 'atMost' in budget ? `<= ${withUnit(budget.atMost, unit)}` : `>= ${withUnit(budget.atLeast, unit)}`;
}

export const HEADINGS = ['question', 'figure', 'floor', 'ratio', 'budget', 'met'];

/** Of a question that was asked several times: the median figure, against the median floor. */
export function medianRow(rows: readonly [Row, ...Row[]]): Row {
  const [first] = rows;
  const floors = rows.flatMap(({ floor }) => (floor ? [floor.figure] : []));
  return {
    ...first,
    figure: median(rows.map(({ figure }) => figure)),
    floor: first.floor ? { ...first.floor, figure: median(floors) } : null,
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
  const [question, figure, floor, ratio, budget, met] = cellsOf(row);
  const missed = met === 'no' ? 'missed' : 'met';
  const parts = [floor && `floor ${floor}, ${ratio} times`, budget && `budget ${budget}, ${missed}`];
  return [`${question}: ${figure}`, ...parts.filter(Boolean)].join('; ');
}

function short(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : Math.abs(value) >= 0.1 ? 2 : 3;
  return value.toLocaleString('en', { maximumFractionDigits: digits });
}
