import { SETTING_LABELS } from '@dutchbook/contract/notes/setting-labels.ts';
import {
  FIRST_SETTINGS,
  type NumericSetting,
  SETTINGS,
  type Setting,
  type SettingName,
} from '@dutchbook/contract/system-settings.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { NativeSelect, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { LocalTime } from '../../ui/local-time.tsx';
import styles from './setting-field.module.css';
import { inWords, type SettingsDraft } from './settings-draft.ts';
import { useMeant } from './use-meant.ts';

const UNITS = {
  usd: { sign: '$', words: 'dollars' },
  shares: { sign: 'sh', words: 'shares' },
  percent: { sign: '%', words: 'percent' },
  fraction: { sign: '', words: 'as a fraction: 1 is 100%' },
  price: { sign: '$', words: 'dollars per share' },
  hours: { sign: 'h', words: 'hours' },
  clips: { sign: '', words: 'clips' },
} as const satisfies Record<NumericSetting['unit'], { sign: string; words: string }>;

const decimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 6 });

type Change = { changed_at: Instant; changed_by: string | null; by_product: boolean };

type SettingFieldProps = {
  name: SettingName;
  form: UseFormReturnType<SettingsDraft>;
  /** The value it would be changed from; `undefined` while it is not changed. */
  savedAs: string | undefined;
  lastChange: Change | undefined;
};

/** One setting: what it does on one side, its value on the other. */
export function SettingField({ name, form, savedAs, lastChange }: SettingFieldProps) {
  const notes = <Notes name={name} savedAs={savedAs} lastChange={lastChange} />;
  const isChanged = savedAs !== undefined;
  const setting: Setting = SETTINGS[name];
  const place = useMeant(name);
  if (setting.kind === 'flag')
    return (
      <div ref={place} className={styles.flag} data-changed={isChanged} data-setting={name}>
        <span className={styles.plain}>{SETTING_LABELS[name]}</span>
        <label htmlFor={name} className={styles.label}>
          {name}
        </label>
        <input
          id={name}
          type="checkbox"
          role="switch"
          aria-checked={Boolean(form.values[name])}
          className={styles.switch}
          aria-describedby={`${name}-notes`}
          {...form.getInputProps(name, { type: 'checkbox', withError: false })}
        />
        <div id={`${name}-notes`} className={styles.notes}>
          {notes}
        </div>
      </div>
    );
  const box = {
    label: name,
    description: notes,
    inputWrapperOrder: ['label' as const, 'description' as const, 'input' as const, 'error' as const],
    size: 'sm',
    classNames: {
      root: styles.number ?? '',
      label: styles.label ?? '',
      description: styles.notes ?? '',
      wrapper: styles.box ?? '',
      error: styles.error ?? '',
    },
    ...form.getInputProps(name),
  };
  return (
    <div ref={place} className={styles.field} data-changed={isChanged} data-setting={name}>
      <span className={styles.plain}>{SETTING_LABELS[name]}</span>
      {setting.kind === 'choice' ? (
        <NativeSelect {...box} data={Object.entries(setting.options).map(([value, { label }]) => ({ value, label }))} />
      ) : (
        <TextInput
          {...box}
          inputMode="decimal"
          autoComplete="off"
          rightSection={<span aria-hidden="true">{UNITS[setting.unit].sign}</span>}
          rightSectionPointerEvents="none"
        />
      )}
    </div>
  );
}

/** Where the README says so too. */
function firstWords(name: keyof typeof FIRST_SETTINGS): string {
  const setting: Setting = SETTINGS[name];
  const first = FIRST_SETTINGS[name];
  const value = setting.kind === 'choice' ? setting.options[first]?.label : inWords(first);
  return `A new installation on the simulated exchange or on paper begins with ${value}.`;
}

function Notes({ name, savedAs, lastChange }: Omit<SettingFieldProps, 'form'>) {
  const setting: Setting = SETTINGS[name];
  return (
    <>
      <span className={styles.effect}>{setting.effect}</span>
      <span>
        Default {setting.kind === 'choice' ? setting.options[setting.default]?.label : inWords(setting.default)}
        {setting.kind === 'number' &&
          `, from ${decimal.format(setting.min)} to ${decimal.format(setting.max)} ${UNITS[setting.unit].words}`}
        .
      </span>
      {name in FIRST_SETTINGS && <span>{firstWords(name as keyof typeof FIRST_SETTINGS)}</span>}
      {lastChange !== undefined && (
        <span>
          {lastChange.by_product ? 'Set' : 'Changed'} <LocalTime at={lastChange.changed_at} /> by{' '}
          {lastChange.by_product ? 'the first start' : (lastChange.changed_by ?? 'a deleted user')}.
        </span>
      )}
      {savedAs !== undefined && <span className={styles.unsaved}>Not saved yet, was {savedAs}.</span>}
    </>
  );
}
