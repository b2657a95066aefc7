import type { LegOfMoments, MomentLeg } from '@dutchbook/contract/flight-recorder.ts';
import { formatPrice, type Price } from '@dutchbook/units/price.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import { memo } from 'react';
import { FeedBadge } from '../opportunities/feed-badge.tsx';
import styles from '../opportunities/order-book.module.css';
import { changedPrices } from './playing.ts';

type Level = { price: Price; size: Shares };
type LegBookProps = { leg: LegOfMoments; stood: MomentLeg; before: MomentLeg | undefined };

/** The best levels of one book as they stood, asks above bids; those that have just changed are marked. */
export const LegBook = memo(function LegBook({ leg, stood, before }: LegBookProps) {
  const { asks, bids, trust } = stood;
  const name = `Leg ${leg.leg}, ${leg.outcome}`;
  return (
    <article className={styles.book} aria-label={`${name}, then`}>
      <header className={styles.head}>
        <h3>
          Leg {leg.leg} · {leg.outcome}
        </h3>
        <FeedBadge feed={trust} />
        <p title={leg.market_name}>{leg.market_name}</p>
      </header>
      {asks === null || bids === null ? (
        <p className={styles.nothing}>Nothing is known of this book then.</p>
      ) : (
        <table className={styles.levels} aria-label={`Book of ${name}`}>
          <thead>
            <tr>
              <th scope="col">Price</th>
              <th scope="col">Shares</th>
            </tr>
          </thead>
          <Side
            name="Ask"
            levels={asks.toReversed()}
            most={mostOf(asks, bids)}
            changed={changedPrices(asks, before?.asks)}
          />
          <tbody>
            <tr className={styles.spread}>
              <th colSpan={2} scope="rowgroup">
                {spreadWords(asks[0]?.price, bids[0]?.price)}
              </th>
            </tr>
          </tbody>
          <Side name="Bid" levels={bids} most={mostOf(asks, bids)} changed={changedPrices(bids, before?.bids)} />
        </table>
      )}
    </article>
  );
});

type SideProps = { name: 'Ask' | 'Bid'; levels: readonly Level[]; most: number; changed: ReadonlySet<Price> };

function Side({ name, levels, most, changed }: SideProps) {
  return (
    <tbody data-side={name}>
      {levels.map(({ price, size }) => (
        <tr
          key={price}
          className={styles.level}
          data-changed={changed.has(price)}
          style={{ backgroundSize: `${((size / most) * 100).toFixed(1)}% 100%` }}
        >
          <td>
            <span className="visually-hidden">{name} </span>
            {formatPrice(price)}
            {changed.has(price) && <span className="visually-hidden"> changed</span>}
          </td>
          <td>{formatShares(size)}</td>
        </tr>
      ))}
    </tbody>
  );
}

function mostOf(...sides: readonly (readonly Level[])[]): number {
  return Math.max(1, ...sides.flatMap((levels) => levels.map(({ size }) => size)));
}

function spreadWords(ask: Price | undefined, bid: Price | undefined): string {
  if (ask === undefined && bid === undefined) return 'The book was empty';
  if (ask === undefined) return 'No asks';
  if (bid === undefined) return 'No bids';
  return `Spread ${formatPrice((ask - bid) as Price)}`;
}
