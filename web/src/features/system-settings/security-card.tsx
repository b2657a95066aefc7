import { type SecuritySettings, writeSecuritySettings } from '@dutchbook/contract/security-settings.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { call } from '../../calls/call.ts';
import { Loaded } from '../../calls/loaded.tsx';
import { SavedForm, useSavedForm } from '../../forms/saved-form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { DollarField } from './dollar-field.tsx';
import { amountOf } from './number-from.ts';
import {
  changedSecurity,
  type SecurityDraft,
  type SecuritySwitch,
  securityDraftOf,
  securityProblems,
} from './security-draft.ts';
import { securitySettingsQuery } from './settings-queries.ts';
import { type Switch, Switches } from './switches.tsx';

const SECOND_FACTOR: readonly Switch<SecuritySwitch>[] = [
  {
    name: 'second_factor_for_all',
    label: 'Second factor for everybody',
    effect: 'Users without one see how to set it up and can change nothing before.',
  },
];
const SIGN_OFFS: readonly Switch<SecuritySwitch>[] = [
  {
    name: 'sign_off_for_arming',
    label: 'Sign-off of arming',
    effect: 'Trading is armed once a second superuser has approved it. Disarming never needs anybody.',
  },
  {
    name: 'sign_off_for_limits',
    label: 'Sign-off of raised limits',
    effect: 'A limit is raised or taken back once a second superuser has approved it. Lowering one needs no approval.',
  },
];

/** What accounts are asked for. */
export function SecurityCard() {
  return (
    <Panel title="Security" aside={<Link to="/admin/sign-offs">Sign-Offs</Link>}>
      <Loaded of={useQuery(securitySettingsQuery)} text="Error loading the security settings" height={380}>
        {(settings) => <SecurityForm saved={settings} />}
      </Loaded>
    </Panel>
  );
}

function SecurityForm({ saved }: { saved: SecuritySettings }) {
  const client = useQueryClient();
  const security = useSavedForm({
    saved,
    draftOf: securityDraftOf,
    meaningOf: amountOf,
    problems: securityProblems,
    send: (draft: SecurityDraft) => call(writeSecuritySettings, { body: changedSecurity(saved, draft) }),
    success: 'Security settings updated successfully.',
    onSaved: (now) => client.setQueryData(securitySettingsQuery.queryKey, now),
  });
  const { form } = security;
  return (
    <SavedForm form={security} action="Set Security" canUndo lastChange={saved}>
      <p className="hint">On a real venue a superuser needs a second factor in any case before trading is armed.</p>
      <Switches of={SECOND_FACTOR} form={form} />
      <p className="hint">Sign-offs need two active superusers, and switching one off needs a sign-off itself.</p>
      <Switches of={SIGN_OFFS} form={form} />
      <DollarField
        label="Sign-off of batches above"
        placeholder="Never"
        description="A batch that may spend more, fees included, with what else the same person asked for within fifteen minutes, is placed once a second superuser has approved it, and never automatically. Empty is never."
        {...form.getInputProps('sign_off_above_usd')}
      />
    </SavedForm>
  );
}
