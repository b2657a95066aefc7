import { armTrading } from '@dutchbook/contract/arming.ts';
import { type SystemStatus, VENUE_MODES } from '@dutchbook/contract/status.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { systemStatusKey } from '../../calls/system-status-key.ts';
import { toastNotifications } from '../../ui/toasts.tsx';
import { armedSentence } from '../status/armed-sentence.ts';
import { WordDialog } from './word-dialog.tsx';

type ArmDialogProps = {
  opened: boolean;
  status: SystemStatus;
  /** Left out, all that are configured. */
  venue?: VenueName | undefined;
  onClose: () => void;
};

const AUTOMATICALLY: Record<SystemStatus['automatic'], string> = {
  all: ', and those that are placed automatically when an opportunity triggers.',
  brought: ', and those that are placed automatically when an opportunity triggers that was added. Found ones are not.',
  off: '. Automatic placing is off.',
};

/** Arms trading once its word has been typed. */
export function ArmDialog({ status, venue, ...dialog }: ArmDialogProps) {
  const client = useQueryClient();
  return (
    <WordDialog
      {...dialog}
      title={venue === undefined ? 'Arm Trading' : `Arm Trading at ${VENUE_LABELS[venue]}`}
      action="Arm Trading"
      send={(body) => call(armTrading, { query: { venue }, body })}
      meta={{ success: 'Trading is armed.', failure: 'Failed to arm trading' }}
      onSent={({ not_armed = [], ...armed }) => {
        client.setQueryData(systemStatusKey, armed);
        for (const { venue: at, detail } of not_armed)
          toastNotifications(`Not armed at ${VENUE_LABELS[at]}`, detail, `not-armed-${at}`);
      }}
    >
      <p>
        From then on orders leave to <strong>{whereOf(status, venue)}</strong>: those placed by hand
        {AUTOMATICALLY[status.automatic]}
      </p>
      <p className="muted">{armedSentence(status)}</p>
    </WordDialog>
  );
}

/** With its mode, which says whether that is money: "Kalshi · Simulated exchange". */
function whereOf(status: SystemStatus, venue: VenueName | undefined): string {
  const { label } = VENUE_MODES[status.venue];
  return venue === undefined ? label : `${VENUE_LABELS[venue]} · ${label}`;
}
