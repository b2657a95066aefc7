import { VENUE_MODES, type VenueMode } from '@dutchbook/contract/status.ts';
import { type Settings, writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { call } from '../../calls/call.ts';
import { WordDialog } from '../arming/word-dialog.tsx';

/** Whether saving these would have real orders leave that were only simulated. */
export function isSwitchedOff(saved: Settings, changed: Partial<Settings>, venue: VenueMode | undefined): boolean {
  const isReal = venue !== undefined && VENUE_MODES[venue].world === 'real';
  return isReal && saved.ORDER_SIMULATION_ENABLED && changed.ORDER_SIMULATION_ENABLED === false;
}

type PracticeOffDialogProps = {
  opened: boolean;
  venue: VenueMode;
  changed: Partial<Settings>;
  onClose: () => void;
  onSaved: (settings: Settings) => void;
};

/** Saves settings that switch order simulation off once the word for arming has been typed. */
export function PracticeOffDialog({ venue, changed, onSaved, ...dialog }: PracticeOffDialogProps) {
  return (
    <WordDialog
      {...dialog}
      title="Switch Order Simulation Off"
      action="Switch Off"
      send={(query) => call(writeSystemSettings, { query, body: changed })}
      meta={{ success: 'System settings updated successfully.' }}
      onSent={onSaved}
    >
      <p>
        Orders are not only simulated any more: once trading is armed, they leave to{' '}
        <strong>{VENUE_MODES[venue].label}</strong>.
      </p>
      <p className="muted">Trading is disarmed with it, and stays so until a superuser arms it.</p>
    </WordDialog>
  );
}
