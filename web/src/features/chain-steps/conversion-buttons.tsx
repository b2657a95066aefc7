import type { EventId } from '@dutchbook/units/ids.ts';
import { Button } from '@mantine/core';
import { type ReactNode, useId } from 'react';
import { useOpening } from '../../calls/use-opening.ts';
import { Changing } from '../../ui/changing.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { useSystemStatus } from '../status/system-status.ts';
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
  dialog: (opening: { opened: boolean; onClose: (isSubmitting: boolean) => void }) => ReactNode;
};

/** Opens the dialog that converts shares into dollars; while trading is disarmed it is off, and says so. */
function ConversionButton({ label, name, variant, dialog }: ConversionButtonProps) {
  const { opened, opening, open, close } = useOpening();
  const isOff = useSystemStatus()?.armed === false;
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
      dialog={(opening) => <CashNowDialog {...opening} eventId={eventId} title={title} />}
    />
  );
}

/** Of one market, or of all that have won. */
export function RedeemButton({ market }: { market?: { id: string; name: string } }) {
  return (
    <ConversionButton
      label={market === undefined ? 'Redeem All' : 'Redeem'}
      name={market === undefined ? 'Redeem All' : `Redeem ${market.name}`}
      variant={market === undefined ? 'filled' : 'default'}
      dialog={(opening) => <RedeemDialog {...opening} market={market} />}
    />
  );
}
