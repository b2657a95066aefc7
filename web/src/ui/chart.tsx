import { Skeleton } from '@mantine/core';
import { lazy, type ReactNode, Suspense, useId, useState } from 'react';
import styles from './chart.module.css';
import type { ChartDrawing, ChartLine } from './chart-drawing.ts';

/** The drawing library is fetched when the first chart is shown; without it, summary and table stay. */
const ChartCanvas = lazy(() =>
  import('./chart-canvas.tsx').then(
    (code) => ({ default: code.ChartCanvas }),
    () => ({ default: NoCanvas }),
  ),
);

function NoCanvas() {
  return <p className={styles.missing}>This chart could not be loaded. Reload the page once you are connected.</p>;
}

type ChartProps = {
  /** What is drawn, in a few words. */
  name: string;
  drawing: ChartDrawing;
  /** The value along x that the reader points at, in words. */
  formatX: (x: number) => string;
  /** What the picture says, in a sentence: for those who do not see it. */
  summary: string;
  /** The chart's values as a table; without it, they stand elsewhere on the page. */
  table?: ReactNode;
  /** Told the value along x that was clicked at: not the only way to that, since a click takes a pointer. */
  onPick?: ((x: number) => void) | undefined;
  /** Drawn as plain lines, without the library that points and zooms: for a page that has to open at once. */
  plain?: true;
};

/** Lines over one axis on a canvas of reserved height, with their values, a summary and a table beside it. */
export function Chart({ name, drawing, formatX, summary, table, onPick, plain }: ChartProps) {
  const [pointed, setPointed] = useState<number | null>(null);
  const summaryId = useId();
  const index = pointed ?? drawing.restsAt;
  const x = drawing.x[index];
  return (
    <figure className={styles.chart}>
      <div className={styles.legend}>
        {drawing.lines.map((line) => (
          <LegendEntry key={line.label} line={line} index={index} />
        ))}
        <span className={styles.pointed}>{x === undefined ? '' : formatX(x)}</span>
      </div>
      <div className={styles.canvas} role="img" aria-label={name} aria-describedby={summaryId}>
        {plain ? (
          <PlainLines drawing={drawing} formatX={formatX} />
        ) : (
          <Suspense fallback={<Skeleton height="100%" />}>
            <ChartCanvas drawing={drawing} onPoint={setPointed} onPick={onPick} />
          </Suspense>
        )}
      </div>
      <figcaption id={summaryId} className={styles.summary}>
        {summary}
      </figcaption>
      {table !== undefined && <AsTable name={name}>{table}</AsTable>}
    </figure>
  );
}

/** The sides of the square that lines are drawn in before it is stretched to the chart. */
const SIDE = 100;

function PlainLines({ drawing: { x, xRange, lines, left }, formatX }: Pick<ChartProps, 'drawing' | 'formatX'>) {
  const [low, high] = left.range;
  const [from, until] = xRange;
  const along = (value: number) => (((value - from) / (until - from || 1)) * SIDE).toFixed(2);
  const up = (value: number) => ((1 - (value - low) / (high - low || 1)) * SIDE).toFixed(2);
  return (
    <div className={styles.plain}>
      <div className={styles.scale}>
        <span>{left.format(high, 2)}</span>
        <span>{left.format(low, 2)}</span>
      </div>
      <svg viewBox={`0 0 ${SIDE} ${SIDE}`} preserveAspectRatio="none" aria-hidden="true">
        {lines.map(({ label, colour, dashed, values }) => (
          <polyline
            key={label}
            style={{ stroke: `var(${colour})` }}
            data-dashed={dashed}
            points={values
              .flatMap((value, index) => (value === null ? [] : `${along(x[index] ?? from)},${up(value)}`))
              .join(' ')}
          />
        ))}
      </svg>
      <div className={styles.span}>
        <span>{formatX(from)}</span>
        <span>{formatX(until)}</span>
      </div>
    </div>
  );
}

function LegendEntry({ line: { label, colour, dashed, values, format }, index }: { line: ChartLine; index: number }) {
  const value = values[index] ?? null;
  return (
    <span className={styles.entry}>
      <span
        className={styles.swatch}
        data-dashed={dashed}
        style={{ borderColor: `var(${colour})` }}
        aria-hidden="true"
      />
      {label} <strong>{value === null ? '–' : format(value)}</strong>
    </span>
  );
}

function AsTable({ name, children }: { name: string; children: ReactNode }) {
  const [opened, setOpened] = useState(false);
  return (
    <details className={styles.table} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary aria-label={`Show as a table: ${name}`}>Show as a table</summary>
      {opened && children}
    </details>
  );
}

export type ChartRow = { key: number; cells: readonly string[] };
type ChartTableProps = { label: string; headers: readonly string[]; rows: readonly ChartRow[] };

/** The numbers of a chart. */
export function ChartTable({ label, headers, rows }: ChartTableProps) {
  return (
    <table aria-label={label}>
      <thead>
        <tr>
          {headers.map((header) => (
            <th key={header} scope="col">
              {header}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, index) => (
              <td key={headers[index]}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
