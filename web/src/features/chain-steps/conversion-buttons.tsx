import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { type EventId, PAYS_BY_ITSELF, type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useOpening } from '../../calls/use-opening.ts';
import { Changing } from '../../ui/changing.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { useIsDisarmed, useVenues } from '../status/system-status.ts';
import type { CashNowDialogProps } from './cash-now-dialog.tsx';
import { DISARMED } from './conversion-refusal.ts';
import type { RedeemDialogProps } from './redeem-dialog.tsx';

const CashNowDialog = lazyDialog<CashNowDialogProps>(() =>
  import('./cash-now-dialog.tsx').then((code) => code.CashNowDialog),
);
const RedeemDialog = lazyDialog<RedeemDialogProps>(() =>
  import('./redeem-dialog.tsx').then((code) => code.RedeemDialog),
);

type ConversionButtonProps = {
  label: string;
  /** Tells it from the others on the page. */
  name: string;
  variant: 'filled' | 'default';
  venue?: VenueName | undefined;
  dialog: (opening: { opened: boolean; onClose: (isSubmitting: boolean) => void }) => ReactNode;
};

/** Opens the dialog that converts shares into dollars; while trading is disarmed it is off, and says so. */
function ConversionButton({ label, name, variant, venue, dialog }: ConversionButtonProps) {
  const { opened, opening, open, close } = useOpening();
  const isOff = useIsDisarmed(venue);
  const reasonId = useId();
  return (
    <>
      <span className="row">
        <Changing>
          <Button
            size={variant === 'filled' ? 'xs' : 'compact-sm'}
            variant={variant}
            aria-label={name}
            data-disabled={isOff}
            aria-disabled={isOff}
            aria-describedby={isOff ? reasonId : undefined}
            onClick={() => !isOff && open()}
          >
            {label}
          </Button>
        </Changing>
        {isOff && (
          <span id={reasonId} className="hint">
            {DISARMED}
          </span>
        )}
      </span>
      {opening > 0 && <Keyed key={opening}>{dialog({ opened, onClose: close })}</Keyed>}
    </>
  );
}

const Keyed = ({ children }: { children: ReactNode }) => children;

export function CashNowButton({ eventId, title }: { eventId: EventId; title: string }) {
  return (
    <ConversionButton
      label="Cash Now"
      name={`Cash Now: ${title}`}
      variant="filled"
      venue={venueOf(eventId)}
      dialog={(opening) => <CashNowDialog {...opening} eventId={eventId} title={title} />}
    />
  );
}

export function RedeemButton({ market }: { market: { id: string; name: string } }) {
  const venue = venueOf(market.id);
  if (PAYS_BY_ITSELF[venue]) return <span className="hint">{VENUE_LABELS[venue]} pays it by itself</span>;
  return (
    <ConversionButton
      label="Redeem"
      name={`Redeem ${market.name}`}
      variant="default"
      venue={venue}
      dialog={(opening) => <RedeemDialog {...opening} market={market} title={`Redeem: ${market.name}`} />}
    />
  );
}

/** All that has won, in one go for each venue where several are configured, but for those that pay by themselves. `among`: only at these. */
export function RedeemAllButtons({ among }: { among?: ReadonlySet<VenueName> }) {
  const venues = useVenues() ?? [];
  const asking = venues.filter((venue) => !PAYS_BY_ITSELF[venue]);
  if (among !== undefined && [...among].every((venue) => PAYS_BY_ITSELF[venue])) return null;
  if (venues.length === 0) return <RedeemAllButton />;
  return (
    <span className="row">
      {asking
        .filter((venue) => among?.has(venue) ?? true)
        .map((venue) => (
          <RedeemAllButton key={venue} venue={venue} />
        ))}
    </span>
  );
}

function RedeemAllButton({ venue }: { venue?: VenueName }) {
  const label = venue === undefined ? 'Redeem All' : `Redeem All at ${VENUE_LABELS[venue]}`;
  return (
    <ConversionButton
      label={label}
      name={label}
      variant="filled"
      venue={venue}
      dialog={(opening) => <RedeemDialog {...opening} venue={venue} title={label} />}
    />
  );
}
