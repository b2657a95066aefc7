import { type Settings, writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { useContractForm } from '../../forms/contract-form.ts';
import { useRebased } from '../../forms/rebase.ts';
import { useUnsaved } from '../../forms/unsaved.ts';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SettingField } from './setting-field.tsx';
import { SETTING_GROUPS } from './setting-groups.ts';
import {
  changedSettings,
  changesOf,
  draftOf,
  rebased,
  type SettingChange,
  type SettingsDraft,
  settingProblems,
} from './settings-draft.ts';
import styles from './settings-form.module.css';
import { settingChangesQuery, settingsQuery } from './settings-queries.ts';

/** All settings in one form: what has been changed is listed beside Save, which sends that alone. */
export function SettingsForm({ saved }: { saved: Settings }) {
  const { form, submit, sending } = useSettingsForm(saved);
  const { data: lastChanges } = useQuery(settingChangesQuery);
  const changes = changesOf(saved, form.values);
  useUnsaved(changes.length > 0);
  const cancel = () => {
    form.setValues(draftOf(saved));
    form.clearErrors();
  };
  return (
    <form noValidate onSubmit={submit} className={styles.form}>
      {SETTING_GROUPS.map(({ title, names }) => (
        <Panel key={title} title={title}>
          {names.map((name) => (
            <SettingField
              key={name}
              name={name}
              form={form}
              savedAs={changes.find((change) => change.name === name)?.from}
              lastChange={lastChanges?.get(name)}
            />
          ))}
        </Panel>
      ))}
      <SaveBar changes={changes} sending={sending} onCancel={cancel} />
    </form>
  );
}

function useSettingsForm(saved: Settings) {
  const client = useQueryClient();
  const contractForm = useContractForm({
    initialValues: draftOf(saved),
    problems: settingProblems,
    send: (draft: SettingsDraft) => call(writeSystemSettings, { body: changedSettings(saved, draft) }),
    meta: { success: 'System settings updated successfully.' },
    onSent: (settings) => {
      client.setQueryData(settingsQuery.queryKey, settings);
      void client.invalidateQueries({ queryKey: settingChangesQuery.queryKey });
    },
  });
  useRebased(contractForm.form, saved, rebased);
  return contractForm;
}

type SaveBarProps = { changes: readonly SettingChange[]; sending: boolean; onCancel: () => void };

function SaveBar({ changes, sending, onCancel }: SaveBarProps) {
  return (
    <div className={styles.bar}>
      <div className={styles.changes}>
        {changes.length === 0 ? (
          <p>No changes to save.</p>
        ) : (
          <ul aria-label="Changes to save">
            {changes.map(({ name, from, to }) => (
              <li key={name}>
                <code>{name}</code> {from} → <strong>{to}</strong>
              </li>
            ))}
          </ul>
        )}
      </div>
      <FormButtons sending={sending} unchanged={changes.length === 0} onCancel={onCancel} />
    </div>
  );
}
