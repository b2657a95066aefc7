import { type Settings, writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { call } from '../../calls/call.ts';
import { useSavedForm } from '../../forms/saved-form.tsx';
import { FormButtons } from '../../ui/form-buttons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSystemStatus } from '../status/system-status.ts';
import { isSwitchedOff, PracticeOffDialog } from './practice-off-dialog.tsx';
import { RehearseButton } from './rehearse-button.tsx';
import { SettingField } from './setting-field.tsx';
import { SETTING_GROUPS } from './setting-groups.ts';
import {
  changedSettings,
  changesOf,
  draftOf,
  meaningOf,
  type SettingChange,
  type SettingsDraft,
  settingProblems,
} from './settings-draft.ts';
import styles from './settings-form.module.css';
import { settingChangesQuery, settingsQuery } from './settings-queries.ts';

/** All settings in one form: what has been changed is listed beside Save, which sends that alone. */
export function SettingsForm({ saved }: { saved: Settings }) {
  const client = useQueryClient();
  const venue = useSystemStatus()?.venue;
  const [isAsking, setAsking] = useState(false);
  const onSaved = (settings: Settings) => {
    client.setQueryData(settingsQuery.queryKey, settings);
    void client.invalidateQueries({ queryKey: settingChangesQuery.queryKey });
  };
  const { form, submit, sending, undo } = useSavedForm({
    saved,
    draftOf,
    meaningOf,
    problems: settingProblems,
    send: (draft: SettingsDraft) => call(writeSystemSettings, { query: {}, body: changedSettings(saved, draft) }),
    success: 'System settings updated successfully.',
    onSaved,
  });
  const { data: lastChanges } = useQuery(settingChangesQuery);
  const changes = changesOf(saved, form.values);
  const changed = changedSettings(saved, form.values);
  const askOrSubmit: typeof submit = (event) => {
    if (form.validate().hasErrors || !isSwitchedOff(saved, changed, venue)) return submit(event);
    event.preventDefault();
    setAsking(true);
  };
  return (
    <>
      <form noValidate onSubmit={askOrSubmit} className="stack">
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
        <SaveBar changes={changes} sending={sending} onCancel={undo}>
          <RehearseButton
            action="Save"
            isChanged={changes.length > 0}
            changes={() => (form.validate().hasErrors ? null : { settings: changed })}
          />
        </SaveBar>
      </form>
      {venue !== undefined && (
        <PracticeOffDialog
          opened={isAsking}
          venue={venue}
          changed={changed}
          onClose={() => setAsking(false)}
          onSaved={onSaved}
        />
      )}
    </>
  );
}

type SaveBarProps = {
  changes: readonly SettingChange[];
  sending: boolean;
  onCancel: () => void;
  children: ReactNode;
};

function SaveBar({ changes, sending, onCancel, children }: SaveBarProps) {
  return (
    <div className={styles.bar}>
      <div className={styles.changes}>
        {changes.length === 0 ? (
          <p>No changes to save.</p>
        ) : (
          <ul aria-label="Changes to save">
            {changes.map(({ name, from, to }) => (
              <li key={name}>
                <code>{name}</code> from {from} to <strong>{to}</strong>
              </li>
            ))}
          </ul>
        )}
      </div>
      {children}
      <FormButtons sending={sending} unchanged={changes.length === 0} onCancel={onCancel} />
    </div>
  );
}
