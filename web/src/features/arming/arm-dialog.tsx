import { armTrading } from '@dutchbook/contract/arming.ts';
import { type SystemStatus, VENUE_MODES } from '@dutchbook/contract/status.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { armedSentence } from '../status/armed-sentence.ts';
import { systemStatusKey } from '../status/system-status.ts';
import { WordDialog } from './word-dialog.tsx';

type ArmDialogProps = { opened: boolean; status: SystemStatus; onClose: () => void };

/** Arms trading once its word has been typed. */
export function ArmDialog({ status, ...dialog }: ArmDialogProps) {
  const client = useQueryClient();
  return (
    <WordDialog
      {...dialog}
      title="Arm Trading"
      action="Arm Trading"
      send={(body) => call(armTrading, { query: {}, body })}
      meta={{ success: 'Trading is armed.', failure: 'Failed to arm trading' }}
      onSent={(armed) => client.setQueryData(systemStatusKey, armed)}
    >
      <p>
        From then on orders leave to <strong>{VENUE_MODES[status.venue].label}</strong>: those placed by hand, and those
        the product places by itself when an opportunity triggers.
      </p>
      <p className="muted">{armedSentence(status)}</p>
    </WordDialog>
  );
}
