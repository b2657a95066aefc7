import {
  type SecuritySettings,
  type SecuritySettingsForm,
  securitySettingsForm,
  writeSecuritySettings,
} from '@dutchbook/contract/security-settings.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { Loaded } from '../../calls/loaded.tsx';
import { rulesOf } from '../../forms/form-rules.ts';
import { SavedForm, useSavedForm } from '../../forms/saved-form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { securitySettingsQuery } from './settings-queries.ts';
import { type Switch, Switches } from './switches.tsx';

const SECOND_FACTOR: readonly Switch<keyof SecuritySettingsForm>[] = [
  {
    name: 'second_factor_for_all',
    label: 'Second factor for everybody',
    effect: 'Whoever has none sees how to set one up, and changes nothing before.',
  },
];

const problems = rulesOf(securitySettingsForm);
const draftOf = ({ second_factor_for_all }: SecuritySettings) => ({ second_factor_for_all });

/** What accounts are asked for. */
export function SecurityCard() {
  return (
    <Panel title="Security">
      <Loaded of={useQuery(securitySettingsQuery)} text="Error loading the security settings" height={140}>
        {(settings) => <SecurityForm saved={settings} />}
      </Loaded>
    </Panel>
  );
}

function SecurityForm({ saved }: { saved: SecuritySettings }) {
  const client = useQueryClient();
  const security = useSavedForm({
    saved,
    draftOf,
    problems,
    send: (body: SecuritySettingsForm) => call(writeSecuritySettings, { body }),
    success: 'Security settings updated successfully.',
    onSaved: (now) => client.setQueryData(securitySettingsQuery.queryKey, now),
  });
  return (
    <SavedForm form={security} action="Set Security" canUndo lastChange={saved}>
      <p className="hint">On a real venue a superuser needs a second factor in any case before trading is armed.</p>
      <Switches of={SECOND_FACTOR} form={security.form} />
    </SavedForm>
  );
}
