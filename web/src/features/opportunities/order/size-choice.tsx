import type { Simulation } from '@dutchbook/contract/placing.ts';
import type { Depth } from '@dutchbook/contract/valuation.ts';
import {
  formatShares,
  ONE_SHARE,
  type Shares,
  sharesFromNumber,
  sharesToNumber,
  sharesToText,
} from '@dutchbook/units/shares.ts';
import { formatUsd, USD_ZERO, type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import styles from './size-choice.module.css';
import { sizeForDollars } from './size-for-dollars.ts';

type SizeChoiceProps = {
  /** The plan on screen: its largest size, and what a set of it costs. */
  simulation: Simulation;
  /** Null while the books are not read. */
  depth: Depth | null;
  size: Shares;
  /** Called with the text that the field of the size then has. */
  onTake: (sizeText: string) => void;
};

/** Sizes in one press, and any size along the curve of what it would leave. */
export function SizeChoice({ simulation, depth, size, onTake }: SizeChoiceProps) {
  const [asksDollars, setAsksDollars] = useState(false);
  const best = simulation.max_profitable_size;
  // The smallest that every market allows, as the size that is taken where nothing is typed.
  const least = depth?.order_size ?? ONE_SHARE;
  const take = (shares: number) => onTake(sharesToText(Math.max(least, shares) as Shares));
  const part = (share: number) => take(Math.floor((best * share) / ONE_SHARE) * ONE_SHARE);
  return (
    <div className={styles.choice}>
      <fieldset className={styles.chips} aria-label="Sizes">
        <Chip label="Min" onClick={() => onTake('')} />
        <Chip label="25 %" disabled={best === 0} onClick={() => part(0.25)} />
        <Chip label="50 %" disabled={best === 0} onClick={() => part(0.5)} />
        <Chip label="Best" title="The size that leaves most dollars" disabled={best === 0} onClick={() => take(best)} />
        <Chip label="$" name="By dollars" pressed={asksDollars} onClick={() => setAsksDollars(!asksDollars)} />
        {asksDollars && (
          <TextInput
            size="xs"
            aria-label="Dollars to spend"
            placeholder="Dollars"
            inputMode="decimal"
            className={styles.dollars}
            onChange={({ currentTarget }) => {
              const shares = sizeForDollars(currentTarget.value, simulation);
              if (shares !== null) onTake(sharesToText(shares));
            }}
          />
        )}
      </fieldset>
      {best > 0 && <SizeSlider {...{ least, best, depth, size }} onTake={take} />}
    </div>
  );
}

type ChipProps = {
  label: string;
  name?: string;
  title?: string;
  pressed?: boolean;
  disabled?: boolean;
  onClick: () => void;
};

function Chip({ label, name, title, pressed, disabled = false, onClick }: ChipProps) {
  return (
    <Button
      type="button"
      size="compact-sm"
      variant="default"
      aria-label={name}
      title={title}
      aria-pressed={pressed}
      disabled={disabled}
      onClick={onClick}
    >
      {label}
    </Button>
  );
}

type SizeSliderProps = Record<'least' | 'best' | 'size', Shares> & {
  depth: Depth | null;
  onTake: (shares: number) => void;
};

/** The curve runs half as far again as the best size, so that what a larger one loses is seen. */
const BEYOND_BEST = 1.5;

function SizeSlider({ least, best, depth, size, onTake }: SizeSliderProps) {
  const from = Math.ceil(sharesToNumber(least));
  const most = Math.max(Math.ceil(sharesToNumber(best) * BEYOND_BEST), from + 1);
  const value = Math.min(Math.max(Math.round(sharesToNumber(size)), from), most);
  return (
    <div className={styles.slider}>
      {depth !== null && <Curve depth={depth} from={from} most={most} />}
      <input
        type="range"
        aria-label="Shares along the profit curve"
        aria-valuetext={`${formatShares(size)} sh`}
        min={from}
        max={most}
        value={value}
        onChange={({ currentTarget }) => onTake(sharesFromNumber(currentTarget.valueAsNumber))}
      />
      <p className={styles.ends}>
        <span>Min {formatShares(least)} sh</span>
        <span>
          Best {formatShares(best)} sh{depth !== null && `, ${formatUsd(profitAt(depth, best))}`}
        </span>
      </p>
    </div>
  );
}

const WIDTH = 300;
const HEIGHT = 36;

/** Profit by size as one line, with zero as another; the chart of the page has its figures. */
function Curve({ depth, from, most }: { depth: Depth; from: number; most: number }) {
  const x = (sets: number) => Math.max(0, ((sets - from) / (most - from)) * WIDTH);
  const points = depth.curve.filter(({ size }) => sharesToNumber(size) <= most);
  const profits = [0, ...points.map(({ profit }) => usdToNumber(profit))];
  const [low, high] = [Math.min(...profits), Math.max(...profits, 0.01)];
  const y = (dollars: number) => HEIGHT - 2 - ((dollars - low) / (high - low)) * (HEIGHT - 4);
  const line = points.map(({ size, profit }) => `L${x(sharesToNumber(size))} ${y(usdToNumber(profit))}`);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" className={styles.curve}>
      <path d={`M0 ${y(0)}H${WIDTH}`} className={styles.zero} />
      <path d={`M0 ${y(0)}${line.join('')}`} className={styles.line} />
    </svg>
  );
}

/** Profit at the curve's point of that size, or the last one before it. */
function profitAt({ curve }: Depth, size: Shares): Usd {
  const point = curve.find((each) => each.size >= size) ?? curve.at(-1);
  return point?.profit ?? USD_ZERO;
}
