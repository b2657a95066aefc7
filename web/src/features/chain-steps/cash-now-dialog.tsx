import { simulateCashNowOfEvent, submitCashNowOfEvent } from './turn-calls.ts';
import { TurnDialog } from './turn-dialog.tsx';
import { broughtBy, TurnFigures, TurnSteps } from './turn-plan.tsx';

export type CashNowDialogProps = {
  opened: boolean;
  onClose: (running: boolean) => void;
  eventId: string;
  title: string;
};

/** Turns the complete sets that are held of an event into dollars. */
export function CashNowDialog({ opened, onClose, eventId, title }: CashNowDialogProps) {
  return (
    <TurnDialog
      opened={opened}
      onClose={onClose}
      title={`Cash Now: ${title}`}
      action="Cash Now"
      simulate={() => simulateCashNowOfEvent(eventId)}
      submit={(idempotencyKey) => submitCashNowOfEvent(eventId, idempotencyKey)}
    >
      {(plan) => (
        <>
          <TurnFigures plan={plan} brings={broughtBy(plan)} />
          <TurnSteps plan={plan} />
        </>
      )}
    </TurnDialog>
  );
}
