import type { HeldEvent, Portfolio } from '@dutchbook/contract/portfolio.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { PAYS_BY_ITSELF } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { addUsd, formatUsd, subtractUsd, type Usd } from '@dutchbook/units/usd.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LiveNumber } from '../../ui/live-number.tsx';
import { LocalDay, LocalTime } from '../../ui/local-time.tsx';
import { Beneath, type Detail, Figures, Panel } from '../../ui/panel.tsx';
import { Aged } from '../../ui/signed.tsx';
import { useIsWithoutKey } from '../status/system-status.ts';
import { Gain, gainPercent } from './gain.tsx';
import type { atResolution, sumsOf, unrealisedOf } from './holding-groups.ts';

/** Where the figures above lead to on this page. */
export const HOLDINGS_ID = 'holdings';
export const REDEEM_ID = 'redeem';

/** The dollars of the accounts, each figure with the way to what it is made of, and what of it each of several venues has. */
export function CashPanel({ of: cash, readAt }: CashPanelProps) {
  const { free_usd, in_orders_usd, settling_usd, redeemable_usd, read_at } = cash;
  const venues = cash.by_venue.length > 1 ? cash.by_venue : [];
  const unsaid = useIsWithoutKey() ? 'There is no key' : 'The venue has not said';
  const at = (field: CashField) => <AtVenues venues={venues} field={field} />;
  return (
    <Panel title="Cash">
      <Figures
        figures={[
          figure(
            'Free',
            <Dollars usd={free_usd} at={read_at} />,
            read_at === null ? unsaid : <Said at={read_at} />,
            at('free_usd'),
          ),
          figure(
            'In Open Orders',
            <Dollars usd={in_orders_usd} at={readAt} />,
            <Link to="/orders" search={{ status: 'open', side: 'buy' }}>
              Open buys
            </Link>,
            at('in_orders_usd'),
          ),
          figure(
            'Matched, Not Confirmed',
            <Dollars usd={settling_usd} at={readAt} />,
            <Link to="/orders" search={{ side: 'sell' }}>
              Sales
            </Link>,
            at('settling_usd'),
          ),
          figure(
            'Waiting for Redemption',
            <Dollars usd={redeemable_usd} at={readAt} />,
            redeemable_usd === null ? unsaid : redemptionOf(redeemable_usd),
            at('redeemable_usd'),
          ),
        ]}
      />
    </Panel>
  );
}

type CashPanelProps = { of: Portfolio['cash']; readAt: Instant };
type CashField = 'free_usd' | 'in_orders_usd' | 'settling_usd' | 'redeemable_usd';
type AtVenuesProps = { venues: Portfolio['cash']['by_venue']; field: CashField };

/** Nothing in all of them is not said of each. */
function AtVenues({ venues, field }: AtVenuesProps) {
  if (venues.every(({ [field]: usd }) => usd === 0)) return null;
  return venues.map(({ venue, [field]: usd }) => (
    <Beneath key={venue}>
      {VENUE_LABELS[venue]}: {usd === null ? 'not known' : formatUsd(usd)}
      {field === 'redeemable_usd' && PAYS_BY_ITSELF[venue] && usd !== null && usd > 0 && ', which pays by itself'}
    </Beneath>
  ));
}

function redemptionOf(usd: Usd): ReactNode {
  if (usd === 0) return 'Nothing has won';
  return (
    <Link to="/portfolio" hash={REDEEM_ID}>
      What has won
    </Link>
  );
}

/** All that is ours together: first what it pays, then what it would bring now. */
export function TotalsPanel({ of: sums, lostCost, sets, unrealised, events, atResolution, readAt }: TotalsPanelProps) {
  const { value, saleFees, unvalued, unpriced } = sums;
  const cost = addUsd(sums.cost, lostCost);
  const { unknown } = atResolution;
  // An event alone knows no set over several events, nor one that a person has vouched for; what whole sets pay is proven.
  const least = Math.max(atResolution.least, sets) as Usd;
  const most = Math.max(atResolution.most, least) as Usd;
  return (
    <Panel title="Holdings" aside={<EventsHeld of={events} />}>
      <Figures
        figures={[
          figure(
            'Pays at Resolution',
            <Dollars usd={least} at={readAt} />,
            most === least ? 'Whatever comes true' : `Up to ${formatUsd(most)}`,
            <>
              {unknown > 0 && <Beneath>{formatCount(unknown)} events not known</Beneath>}
              {unknown === 0 && least > cost && <Beneath>{formatUsd(subtractUsd(least, cost))} above cost</Beneath>}
            </>,
          ),
          figure(
            'Cost',
            <Dollars usd={cost} at={readAt} />,
            unvalued > 0 ? `${formatUsd(unpriced)} unpriced` : 'With fees',
            lostCost > 0 && <Beneath>{formatUsd(lostCost)} of legs that have lost, of sets still held</Beneath>,
          ),
          figure('Locked Sets', <Dollars usd={sets} at={readAt} />, 'At what they pay'),
          figure(
            'Value at the Bid',
            <Dollars usd={value} at={readAt} dated />,
            <ToHoldings>By event</ToHoldings>,
            value !== null && <Beneath>{soldNow(value, saleFees, subtractUsd(cost, unpriced))}</Beneath>,
          ),
          figure(
            'Unrealised',
            unrealised === null ? (
              'Not known'
            ) : (
              <Aged at={readAt}>
                <Gain usd={unrealised.gain} />
              </Aged>
            ),
            unrealised !== null && gainPercent(unrealised.gain, unrealised.cost),
            unrealised !== null && <Beneath>Whole sets at what they pay, other shares at the bid</Beneath>,
          ),
          ...(unvalued > 0
            ? [figure('Without a Price', formatCount(unvalued), <ToHoldings>Counted as nothing</ToHoldings>)]
            : []),
        ]}
      />
    </Panel>
  );
}

type TotalsPanelProps = {
  of: ReturnType<typeof sumsOf>;
  lostCost: Usd;
  sets: Usd;
  unrealised: ReturnType<typeof unrealisedOf>;
  events: readonly HeldEvent[];
  atResolution: ReturnType<typeof atResolution>;
  readAt: Instant;
};

/** Selling whole sets early costs more than it brings: that is one of the ways out, and no loss so far. Both sides with their fees. */
function soldNow(value: Usd, fees: Usd | null, cost: Usd): string {
  if (fees === null) return 'What a sale costs in fees is not known';
  const gain = subtractUsd(subtractUsd(value, fees), cost);
  const size = formatUsd(Math.abs(gain) as Usd);
  return `All sold now, after ${formatUsd(fees)} of fees: ${size} ${gain < 0 ? 'below' : 'above'} cost`;
}

/** The number of events, and when the last of them ends. */
function EventsHeld({ of: events }: { of: readonly HeldEvent[] }) {
  const last = Math.max(...events.map(({ locked_until: until }) => until ?? 0)) as Instant;
  if (events.length === 0) return null;
  return (
    <p className="hint">
      {events.length === 1 ? '1 event' : `${formatCount(events.length)} events`}
      {last > 0 && (
        <>
          , the last ends <LocalDay at={last} />
        </>
      )}
    </p>
  );
}

function figure(name: string, value: ReactNode, beneath: ReactNode, parts?: ReactNode): Detail {
  return {
    name,
    value: (
      <>
        {value}
        <Beneath>{beneath}</Beneath>
        {parts}
      </>
    ),
  };
}

/** `at`: when it was so; grey once that is too long ago. */
function Dollars({ usd, at = null, dated }: { usd: Usd | null; at?: Instant | null; dated?: true }) {
  if (usd === null) return 'Not known';
  return (
    <Aged at={at} dated={dated === true}>
      <LiveNumber value={usd} arrow="none">
        {formatUsd(usd)}
      </LiveNumber>
    </Aged>
  );
}

function Said({ at }: { at: NonNullable<Portfolio['cash']['read_at']> }) {
  return (
    <>
      As of <LocalTime at={at} />
    </>
  );
}

function ToHoldings({ children }: { children: string }) {
  return (
    <Link to="/portfolio" hash={HOLDINGS_ID}>
      {children}
    </Link>
  );
}
