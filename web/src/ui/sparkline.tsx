import styles from './sparkline.module.css';

const WIDTH = 64;
const HEIGHT = 20;
/** So that a line at the edge is drawn whole. */
const EDGE = 1.5;

type SparklineProps = {
  /** Oldest first; null where nothing was known, which leaves a gap. */
  values: readonly (number | null)[];
  /** What it shows, for those who do not see it. */
  label: string;
};

/** How a value has moved, in the height of a line of text; the dashes stand at zero. */
export function Sparkline({ values, label }: SparklineProps) {
  const known = values.filter((value) => value !== null);
  const last = known.at(-1);
  if (last === undefined) return <span className={styles.sparkline} />;
  const [low, high] = [Math.min(...known, 0), Math.max(...known, 0)];
  const x = (nth: number) => (values.length < 2 ? WIDTH : (nth / (values.length - 1)) * WIDTH);
  const y = (value: number) => EDGE + (1 - (value - low) / (high - low || 1)) * (HEIGHT - 2 * EDGE);
  const points = values.map((value, nth) => (value === null ? null : `${x(nth).toFixed(1)},${y(value).toFixed(1)}`));
  return (
    <svg
      role="img"
      aria-label={label}
      className={styles.sparkline}
      data-sign={last > 0 ? 'gain' : 'loss'}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      <line x1={0} x2={WIDTH} y1={y(0)} y2={y(0)} className={styles.zero} />
      {stretches(points).map((stretch) => (
        <polyline key={stretch} points={stretch} />
      ))}
    </svg>
  );
}

/** The points between gaps; one that stands alone is drawn as a short line. */
function stretches(points: readonly (string | null)[]): string[] {
  const lines: string[][] = [[]];
  for (const point of points) {
    if (point === null) lines.push([]);
    else lines.at(-1)?.push(point);
  }
  return lines
    .filter(({ length }) => length > 0)
    .map((line) => (line.length > 1 ? line : [...line, ...line]).join(' '));
}
