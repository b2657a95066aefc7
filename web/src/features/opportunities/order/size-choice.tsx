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
import { formatUsd, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { curveWithin, sizeScale } from './curve-scale.ts';
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
        <Chip label="Min" title="The smallest size that every market allows" onClick={() => onTake('')} />
        <Chip label="25%" title="Of the best size" disabled={best === 0} onClick={() => part(0.25)} />
        <Chip label="50%" title="Of the best size" disabled={best === 0} onClick={() => part(0.5)} />
        <Chip label="Best" title="The size that leaves most dollars" disabled={best === 0} onClick={() => take(best)} />
        <Chip
          label="By Dollars"
          title="As many sets as an amount buys, fees included"
          pressed={asksDollars}
          onClick={() => setAsksDollars(!asksDollars)}
        />
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
  title?: string;
  pressed?: boolean;
  disabled?: boolean;
  onClick: () => void;
};

function Chip({ label, title, pressed, disabled = false, onClick }: ChipProps) {
  return (
    <Button
      type="button"
      size="compact-sm"
      variant="default"
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

function SizeSlider({ least, best, depth, size, onTake }: SizeSliderProps) {
  const { from, most } = sizeScale(least, best, depth?.curve ?? []);
  const value = Math.min(Math.max(Math.round(sharesToNumber(size)), from), most);
  return (
    <div className={styles.slider}>
      {depth !== null && <Curve depth={depth} from={from} most={most} best={best} />}
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
        <span>{formatShares(sharesFromNumber(most))} sh</span>
      </p>
    </div>
  );
}

const WIDTH = 300;
const HEIGHT = 36;

type CurveProps = { depth: Depth; from: number; most: number; best: Shares };

/** Profit by size as one line on the scale of the slider, with zero as another and a mark at the best size. */
function Curve({ depth, from, most, best }: CurveProps) {
  const points = curveWithin(depth.curve, from, most);
  const profits = points.map(({ dollars }) => dollars);
  const [low, high] = [Math.min(0, ...profits), Math.max(0.01, ...profits)];
  const x = (sets: number) => ((sets - from) / (most - from)) * WIDTH;
  const y = (dollars: number) => HEIGHT - 2 - ((dollars - low) / (high - low)) * (HEIGHT - 4);
  const line = points.map(({ sets, dollars }) => `${x(sets)} ${y(dollars)}`).join('L');
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true" className={styles.curve}>
      <path d={`M0 ${y(0)}H${WIDTH}`} className={styles.zero} />
      <path d={`M${x(sharesToNumber(best))} 0V${HEIGHT}`} className={styles.best} />
      <path d={`M${line}`} className={styles.line} />
    </svg>
  );
}

/** Profit at the curve's point of that size, or the last one before it. */
function profitAt({ curve }: Depth, size: Shares): Usd {
  const point = curve.find((each) => each.size >= size) ?? curve.at(-1);
  return point?.profit ?? USD_ZERO;
}
