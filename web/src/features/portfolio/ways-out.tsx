import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, subtractUsd, type Usd } from '@dutchbook/units/usd.ts';
import type { ReactNode } from 'react';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { CashNowButton } from '../chain-steps/conversion-buttons.tsx';
import { CASH_NOW, stepWords, type WayOut, waysOf } from './exit-words.ts';
import { Gain } from './gain.tsx';
import { type HeldGroup, type HoldingRow, isOurs } from './holding-groups.ts';
import { WayDetail, WayDetails } from './way-details.tsx';
import styles from './ways-out.module.css';

/** What would become of what is held of an event: sold, converted into dollars, held, and the mix that brings most. */
export function WaysOut({ of: { event, rows } }: { of: HeldGroup }) {
  const own = rows.filter(isOurs);
  const { routes } = event;
  if (own.length === 0) return <p className={`hint ${styles.note}`}>No way out is planned for what is not ours.</p>;
  if (routes === null)
    return (
      <p className={`hint ${styles.note}`}>No way out can be planned: the venue does not say now what this event is.</p>
    );
  const free = sharesIn(routes.hold.steps);
  const all = sharesIn(own);
  if (free === 0)
    return (
      <p className={`hint ${styles.note}`}>
        Nothing can leave now: it is settling, in a sale, or missing at the venue.
      </p>
    );
  return (
    <>
      <div className={styles.ways}>
        {waysOf(routes).map((way) => (
          <Way key={way.name} of={way} rows={rows} cost={free === all ? costOf(own) : undefined}>
            {way.name === CASH_NOW && <CashNowButton eventId={event.event_id} title={event.title} />}
          </Way>
        ))}
      </div>
      {free < all && (
        <p className={`hint ${styles.note}`}>
          Planned for {formatShares(free)} of {formatShares(all)} sh: the others are settling, in a sale, or missing at
          the venue.
        </p>
      )}
    </>
  );
}

const sharesIn = (parts: readonly { shares: Shares }[]) => parts.reduce((sum, { shares }) => sum + shares, 0) as Shares;

const costOf = (rows: readonly HoldingRow[]) => rows.reduce((sum, { cost_usd }) => addUsd(sum, cost_usd), 0 as Usd);

type WayProps = {
  of: WayOut;
  rows: readonly HoldingRow[];
  /** What all that leaves has cost, where nothing stays behind. */
  cost: Usd | undefined;
  /** What goes this way. */
  children: ReactNode;
};

function Way({ of: { name, route, isBest, refusal }, rows, cost, children }: WayProps) {
  const { steps, net_usd, held_least_usd } = route;
  return (
    <section className={styles.way} aria-label={name} data-best={isBest || undefined}>
      <h3 className={styles.name}>
        {name}
        {isBest && <StatusBadge tone="success">Best</StatusBadge>}
      </h3>
      {refusal !== undefined ? (
        <p className="hint">{refusal}</p>
      ) : (
        <>
          <WayDetails route={route}>
            {cost !== undefined && (
              <WayDetail name="Gain at Least">
                <Gain usd={subtractUsd(addUsd(net_usd, held_least_usd), cost)} />
              </WayDetail>
            )}
          </WayDetails>
          <details>
            <summary>{steps.length === 1 ? '1 step' : `${steps.length} steps`}</summary>
            <ol className={styles.steps}>
              {[...steps.entries()].map(([nth, step]) => (
                <li key={nth}>{stepWords(step, rows)}</li>
              ))}
            </ol>
          </details>
          {children}
        </>
      )}
    </section>
  );
}
