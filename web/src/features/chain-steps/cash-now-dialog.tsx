import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { type EventId, venueOf } from '@dutchbook/units/ids.ts';
import { useQuery } from '@tanstack/react-query';
import { callQuery } from '../../calls/call-query.ts';
import { simulateCashNowOfEvent, submitCashNowOfEvent } from './conversion-calls.ts';
import { ConversionDialog } from './conversion-dialog.tsx';
import { broughtBy, ConversionFigures, ConversionSteps, otherWays, resultOf } from './conversion-plan.tsx';

export type CashNowDialogProps = {
  opened: boolean;
  onClose: (isSubmitting: boolean) => void;
  eventId: EventId;
  title: string;
};

/** Converts the complete sets that are held of an event into dollars. */
export function CashNowDialog({ opened, onClose, eventId, title }: CashNowDialogProps) {
  const { data } = useQuery(callQuery(['portfolio'], readPortfolio, {}));
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
          <ConversionFigures
            plan={plan}
            brings={broughtBy(plan)}
            others={[...resultOf(plan, data?.holdings ?? []), ...otherWays(plan)]}
          />
          <ConversionSteps plan={plan} />
        </>
      )}
    </ConversionDialog>
  );
}
