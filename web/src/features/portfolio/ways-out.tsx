import type { HeldEvent } from '@dutchbook/contract/portfolio.ts';
import { formatShares, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, subtractUsd, type Usd } from '@dutchbook/units/usd.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { shortId } from '../../ui/copyable.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { CancelBatchButton } from '../batches/cancel-batch-dialog.tsx';
import { CashNowButton } from '../chain-steps/conversion-buttons.tsx';
import { CASH_NOW, SELL, stepWords, type WayOut, waysOf } from './exit-words.ts';
import { Gain } from './gain.tsx';
import { type HeldGroup, type HoldingRow, isOurs } from './holding-groups.ts';
import type { Instead, RenderSell } from './render-sell.ts';
import { WayDetail, WayDetails } from './way-details.tsx';
import styles from './ways-out.module.css';

/** The ways out of an event's shares: selling, converting, holding, and the mix that brings most. */
export function WaysOut({ of: { event, rows }, renderSell }: { of: HeldGroup; renderSell: RenderSell }) {
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
        Nothing can leave now: it is {WHERE}.
        <StillBuying rows={own} />
      </p>
    );
  return (
    <>
      <div className={styles.ways}>
        {waysOf(routes).map((way) => (
          <Way key={way.name} of={way} rows={rows} cost={free === all ? costOf(own) : undefined}>
            {way.name === SELL && renderSell(event.title, own, 'main', insteadOf(event, own))}
            {way.name === CASH_NOW && <CashNowButton eventId={event.event_id} title={event.title} />}
          </Way>
        ))}
      </div>
      {free < all && (
        <p className={`hint ${styles.note}`}>
          Planned for {formatShares(free)} of {formatShares(all)} sh: the others are {WHERE}.
          <StillBuying rows={own} />
        </p>
      )}
    </>
  );
}

/** The best way out: a button for it, or a note that holding is best; nothing where no shares can leave now. */
export function BestWay({ of: { event, rows }, renderSell }: BestWayProps) {
  const { routes } = event;
  const own = rows.filter(isOurs);
  if (own.length === 0 || routes === null || sharesIn(routes.hold.steps) === 0) return null;
  const best = waysOf(routes).find(({ isBest }) => isBest);
  if (best?.name === SELL) return renderSell(event.title, own, 'main', insteadOf(event, own));
  if (best?.name === CASH_NOW) return <CashNowButton eventId={event.event_id} title={event.title} />;
  return best !== undefined && <span className={`hint ${styles.best}`}>Best: {best.name}</span>;
}

/** Other ways to compare a sale with. Undefined unless all shares of the event are free: else they would be about other shares. */
function insteadOf({ routes }: HeldEvent, own: readonly HoldingRow[]): Instead | undefined {
  if (routes === null || sharesIn(routes.hold.steps) !== sharesIn(own)) return undefined;
  return { heldPays: routes.hold.held_least_usd, cashNow: routes.cash_now.net_usd };
}

type BestWayProps = { of: HeldGroup; renderSell: RenderSell };

const WHERE = 'settling, in a sale, held by a batch that still buys, or missing at the venue';

/** Batches that hold shares back, each with the button that frees them. */
function StillBuying({ rows }: { rows: readonly HoldingRow[] }) {
  const names = new Map(
    rows.flatMap(({ batch_ids, batch_names, buying_batch_ids }) =>
      buying_batch_ids.map((id) => [id, batch_names[batch_ids.indexOf(id)] ?? shortId(id)] as const),
    ),
  );
  return [...names].map(([id, name]) => (
    <span key={id} className={styles.holder}>
      <span>
        Batch{' '}
        <Link to="/batches/$batchId" params={{ batchId: id }} title={id}>
          {name}
        </Link>{' '}
        still buys: cancel it first.
      </span>{' '}
      <CancelBatchButton id={id} />
    </span>
  ));
}

const sharesIn = (parts: readonly { shares: Shares }[]) => parts.reduce((sum, { shares }) => sum + shares, 0) as Shares;

const costOf = (rows: readonly HoldingRow[]) => rows.reduce((sum, { cost_usd }) => addUsd(sum, cost_usd), 0 as Usd);

type WayProps = {
  of: WayOut;
  rows: readonly HoldingRow[];
  /** Cost of the shares that leave; undefined where some stay. */
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
