import { ARM_CONFIRMATION, armForm } from '@dutchbook/contract/arming.ts';
import { VENUE_MODES, type VenueMode } from '@dutchbook/contract/status.ts';
import { type Settings, writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { Button, TextInput } from '@mantine/core';
import { call } from '../../calls/call.ts';
import { whenShown } from '../../calls/when-shown.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Dialog } from '../../ui/dialog.tsx';

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
export function PracticeOffDialog({ opened, venue, changed, onClose, onSaved }: PracticeOffDialogProps) {
  const { form, submit, sending } = useContractForm({
    initialValues: { confirmation: '' },
    problems: rulesOf(armForm),
    send: (query) => call(writeSystemSettings, { query, body: changed }).catch(whenShown(onClose)),
    meta: { success: 'System settings updated successfully.' },
    onSent: (settings) => {
      onSaved(settings);
      onClose();
    },
  });
  return (
    <Dialog opened={opened} onClose={onClose} unsaved={false} title="Switch Order Simulation Off">
      <form className="stack" noValidate onSubmit={submit}>
        <p>
          Orders are not only simulated any more: once trading is armed, they leave to{' '}
          <strong>{VENUE_MODES[venue].label}</strong>.
        </p>
        <p className="muted">Trading is disarmed with it, and stays so until a superuser arms it.</p>
        <TextInput
          label={`Type ${ARM_CONFIRMATION} to confirm`}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('confirmation')}
        />
        <ButtonRow>
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={sending}>
            Switch Off
          </Button>
        </ButtonRow>
      </form>
    </Dialog>
  );
}
