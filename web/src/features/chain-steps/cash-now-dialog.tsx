import { type EventId, venueOf } from '@dutchbook/units/ids.ts';
import { simulateCashNowOfEvent, submitCashNowOfEvent } from './conversion-calls.ts';
import { ConversionDialog } from './conversion-dialog.tsx';
import { broughtBy, ConversionFigures, ConversionSteps, otherWays } from './conversion-plan.tsx';

export type CashNowDialogProps = {
  opened: boolean;
  onClose: (isSubmitting: boolean) => void;
  eventId: EventId;
  title: string;
};

/** Converts the complete sets that are held of an event into dollars. */
export function CashNowDialog({ opened, onClose, eventId, title }: CashNowDialogProps) {
  return (
    <ConversionDialog
      venue={venueOf(eventId)}
      opened={opened}
      onClose={onClose}
      title={`Cash Now: ${title}`}
      action="Cash Now"
      simulate={() => simulateCashNowOfEvent(eventId)}
      submit={(idempotencyKey) => submitCashNowOfEvent(eventId, idempotencyKey)}
    >
      {(plan) => (
        <>
          <ConversionFigures plan={plan} brings={broughtBy(plan)} others={otherWays(plan)} />
          <ConversionSteps plan={plan} />
        </>
      )}
    </ConversionDialog>
  );
}
