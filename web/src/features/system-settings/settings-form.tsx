import { SETTING_LABELS } from '@dutchbook/contract/notes/setting-labels.ts';
import { type Settings, writeSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Fragment, type ReactNode, useState } from 'react';
import { call } from '../../calls/call.ts';
import { useSavedForm } from '../../forms/saved-form.tsx';
import { Panel } from '../../ui/panel.tsx';
import { useSystemStatus } from '../status/system-status.ts';
import { isSwitchedOff, PracticeOffDialog } from './practice-off-dialog.tsx';
import { PartForm, usePart } from './save-all.tsx';
import { SettingField } from './setting-field.tsx';
import { SETTING_GROUPS } from './setting-groups.ts';
import {
  changedSettings,
  changesOf,
  draftOf,
  meaningOf,
  type SettingsDraft,
  settingProblems,
} from './settings-draft.ts';
import { settingChangesQuery, settingsQuery } from './settings-queries.ts';

type Group = (typeof SETTING_GROUPS)[number]['title'];

/** The settings of the specification, by subject; `after` stands behind the group of that title. */
export function SettingsForm({ saved, after }: { saved: Settings; after: Partial<Record<Group, ReactNode>> }) {
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
  const save = usePart('System Settings', {
    changes: changes.map(({ name, from, to }) => ({ label: SETTING_LABELS[name], from, to })),
    ...{ sending, undo },
    hasProblems: () => form.validate().hasErrors,
    submit: () => (isSwitchedOff(saved, changed, venue) ? setAsking(true) : submit()),
    rehearsed: () => ({ settings: changed }),
  });
  return (
    <>
      {SETTING_GROUPS.map(({ title, names }) => (
        <Fragment key={title}>
          <PartForm save={save}>
            <Panel title={title} folds="kept">
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
          </PartForm>
          {after[title]}
        </Fragment>
      ))}
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
