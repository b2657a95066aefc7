import {
  type SecuritySettingsForm,
  securitySettingsForm,
  writeSecuritySettings,
} from '@dutchbook/contract/security-settings.ts';
import { Link } from '@tanstack/react-router';
import { call } from '../../calls/call.ts';
import { DollarField } from './dollar-field.tsx';
import { formDraft } from './form-draft.ts';
import { SettingsCard } from './settings-card.tsx';
import { securitySettingsQuery } from './settings-queries.ts';
import { labelsOf, type Switch, Switches } from './switches.tsx';

type SecuritySwitch = Exclude<keyof SecuritySettingsForm, 'sign_off_above_usd'>;

const SECOND_FACTOR: readonly Switch<SecuritySwitch>[] = [
  {
    name: 'second_factor_for_all',
    label: 'Second factor for all users',
    effect: 'Users without one see how to set it up and can change nothing before.',
  },
];
const SIGN_OFFS: readonly Switch<SecuritySwitch>[] = [
  {
    name: 'sign_off_for_arming',
    label: 'Sign-off of arming',
    effect: 'Trading is armed once a second superuser has approved it. Disarming never needs approval.',
  },
  {
    name: 'sign_off_for_limits',
    label: 'Sign-off of raised limits',
    effect: 'A limit is raised or taken back once a second superuser has approved it. Lowering one needs no approval.',
  },
];

const LABELS = { ...labelsOf([...SECOND_FACTOR, ...SIGN_OFFS]), sign_off_above_usd: 'Sign-off of batches above' };

const SECURITY = formDraft(securitySettingsForm);

/** What accounts are asked for. */
export function SecurityCard() {
  return (
    <SettingsCard
      {...SECURITY}
      labels={LABELS}
      title="Security"
      aside={<Link to="/admin/sign-offs">Sign-Offs</Link>}
      what="security settings"
      query={securitySettingsQuery}
      height={380}
      write={(body) => call(writeSecuritySettings, { body })}
    >
      {(form) => (
        <>
          <p className="hint">On a real venue a superuser needs a second factor in any case before trading is armed.</p>
          <Switches of={SECOND_FACTOR} form={form} />
          <p className="hint">Sign-offs need two active superusers, and switching one off needs a sign-off itself.</p>
          <Switches of={SIGN_OFFS} form={form} />
          <DollarField
            label={LABELS.sign_off_above_usd}
            placeholder="Never"
            description="A batch that may spend more, fees included, with what else the same person asked for within fifteen minutes, is placed once a second superuser has approved it, and never automatically. Empty is never."
            {...form.getInputProps('sign_off_above_usd')}
          />
        </>
      )}
    </SettingsCard>
  );
}
