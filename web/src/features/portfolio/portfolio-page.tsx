import type { Portfolio } from '@dutchbook/contract/portfolio.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { type VenueId, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { Button, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo, useState } from 'react';
import { LoadError } from '../../calls/loaded.tsx';
import { usePointerInside, useSteadyRows } from '../../lists/steady-rows.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState, Note } from '../../ui/states.tsx';
import { Later, useInSlices } from '../../ui/use-in-slices.ts';
import { useIsPhone } from '../../ui/use-on-screen.ts';
import { PocketsPanels } from '../cash-moves/pockets-panel.tsx';
import { ApprovalsButton, RecentSubmissions, SubmissionsButton } from '../chain-steps/recent-submissions.tsx';
import { useEquityRefresh } from '../equity/equity-query.ts';
import { VenueChoice } from '../status/venue-choice.tsx';
import { HeldEventPanel } from './held-event.tsx';
import {
  atResolution,
  groupsOf,
  lostCostOf,
  openOf,
  payingIn,
  rowsOf,
  sumsOf,
  unrealisedOf,
} from './holding-groups.ts';
import styles from './portfolio.module.css';
import { usePortfolio } from './portfolio-query.ts';
import { CashPanel, HOLDINGS_ID, TotalsPanel } from './portfolio-totals.tsx';
import type { RenderSell } from './render-sell.ts';
import { Lost, Redeemable } from './resolved.tsx';
import { useSteadyGroups } from './steady-groups.ts';

/** `cashTo`: the part of an account that cash is to be moved into. */
type PortfolioPageProps = { renderSell: RenderSell; cashTo: string | undefined };

/** What the account holds, what it is worth, its cash, and the ways out. */
export function PortfolioPage({ renderSell, cashTo }: PortfolioPageProps) {
  useEquityRefresh();
  const read = usePortfolio();
  const data = useInSlices(read.data);
  return (
    <>
      <PageHeader
        title="Portfolio"
        actions={
          <>
            <SubmissionsButton />
            <ApprovalsButton />
          </>
        }
      />
      <LoadError of={read} text="Error loading the portfolio" />
      {data !== undefined && <Shown of={data} renderSell={renderSell} cashTo={cashTo} />}
      {data === undefined && read.error === null && (
        <div className="stack" role="status" aria-label="Loading">
          <Skeleton height={120} />
          <Skeleton height={280} />
        </div>
      )}
    </>
  );
}

type ShownProps = { of: Portfolio; renderSell: RenderSell };

function Shown({ of: portfolio, renderSell, cashTo }: ShownProps & Pick<PortfolioPageProps, 'cashTo'>) {
  const { cash, venue_error, holdings } = portfolio;
  const accounts = <CashPanel of={cash} readAt={portfolio.read_at} />;
  return (
    <div className="stack">
      {venue_error !== null && (
        <Note
          tone="warning"
          title={venue_error}
          lines={['Prices, and what the venue itself holds for the account, may be missing until it answers.']}
        />
      )}
      {holdings.length > 0 ? (
        <Held of={portfolio} renderSell={renderSell}>
          {accounts}
        </Held>
      ) : (
        <>
          {accounts}
          <RecentSubmissions />
          <NothingHeld />
        </>
      )}
      <Later>
        {cash.by_venue.some(({ pockets }) => pockets !== undefined) && <PocketsPanels at={cash.by_venue} to={cashTo} />}
      </Later>
    </div>
  );
}

function NothingHeld() {
  return (
    <EmptyState icon="batches" text="Nothing is held." hint="Shares appear here when an opportunity has been bought.">
      <Button renderRoot={(props) => <Link to="/arbitrage" {...props} />}>Go to Arbitrage</Button>
    </EmptyState>
  );
}

/** As many as rows of a list; those that cost most stand first. */
const ON_PHONE = 10;

/** `children`: what stands between the totals and the events. */
function Held({ of: portfolio, renderSell, children }: ShownProps & { children: ReactNode }) {
  const { inside, handlers } = usePointerInside();
  const newest = useMemo(() => rowsOf(portfolio), [portfolio]);
  const known = useMemo(() => groupsOf(newest, portfolio.events), [newest, portfolio.events]);
  const [venue, setVenue] = useState<VenueName>();
  const isAtVenue = (id: VenueId) => venue === undefined || venueOf(id) === venue;
  const groups = useSteadyGroups(known.groups, inside).filter(({ event }) => isAtVenue(event.event_id));
  const redeemable = useSteadyRows(known.redeemable, inside, '').filter(({ market_id }) => isAtVenue(market_id));
  const lost = useSteadyRows(known.lost, inside, '').filter(({ market_id }) => isAtVenue(market_id));
  const isHeldAtSeveral = new Set(newest.map(({ market_id }) => venueOf(market_id))).size > 1;
  const isPhone = useIsPhone();
  const [showsAll, setShowsAll] = useState(false);
  const showAll = () => setShowsAll(true);
  const shown = isPhone && !showsAll ? groups.slice(0, ON_PHONE) : groups;
  return (
    <>
      <TotalsPanel
        of={sumsOf(openOf(newest))}
        lostCost={lostCostOf(newest)}
        sets={payingIn(portfolio, newest)}
        unrealised={unrealisedOf(portfolio, newest)}
        events={known.groups.map(({ event }) => event)}
        atResolution={atResolution(known.groups)}
        readAt={portfolio.read_at}
      />
      {children}
      <div className="stack" {...handlers}>
        {(isHeldAtSeveral || venue !== undefined) && <VenueChoice venue={venue} onVenue={setVenue} />}
        <div id={HOLDINGS_ID} className={`stack ${styles.target} ${styles.events}`}>
          {shown.map((group) => (
            <Later key={group.event.event_id}>
              <HeldEventPanel of={group} readAt={portfolio.read_at} renderSell={renderSell} />
            </Later>
          ))}
          {shown.length < groups.length && (
            <Button variant="default" onClick={showAll}>
              Show {formatCount(groups.length - shown.length)} More Events
            </Button>
          )}
        </div>
        <Later>
          <RecentSubmissions />
          <Redeemable rows={redeemable} />
          <Lost rows={lost} />
        </Later>
      </div>
    </>
  );
}
