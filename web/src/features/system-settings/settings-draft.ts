import { SETTING_LABELS } from '@dutchbook/contract/notes/setting-labels.ts';
import { SETTINGS, type SettingName, type Settings, settingsForm } from '@dutchbook/contract/system-settings.ts';
import { rulesOf } from '../../forms/form-rules.ts';
import { changedFields } from '../../forms/rebase.ts';
import { amountOf } from './number-from.ts';

/** The settings as they are being typed: numbers as texts. */
export type SettingsDraft = { [Name in SettingName]: Settings[Name] extends number ? string : Settings[Name] };

export const SETTING_NAMES = Object.keys(SETTINGS) as readonly SettingName[];

export function draftOf(settings: Settings): SettingsDraft {
  return mapped((name) => (isNumeric(name) ? String(settings[name]) : settings[name])) as SettingsDraft;
}

/** What each setting gets wrong: the sentence of the contract, with the plain name of the setting in place of the one that calls have. */
export function settingProblems(draft: SettingsDraft): Record<string, string> {
  const problems = Object.entries(rules(typed(draft) as Settings));
  return Object.fromEntries(
    problems.map(([name, problem]) => [name, problem.replace(name, SETTING_LABELS[name as SettingName])]),
  );
}

const rules = rulesOf(settingsForm);

export type SettingChange = { name: SettingName; from: string; to: string };

/** What saving the draft would change. */
export function changesOf(saved: Settings, draft: SettingsDraft): SettingChange[] {
  return changedNames(saved, draft).map((name) => ({
    name,
    from: inWords(saved[name]),
    to: inWords(draft[name]) || 'nothing',
  }));
}

/** The changed settings alone, so that what another user has changed meanwhile is not undone. */
export function changedSettings(saved: Settings, draft: SettingsDraft): Partial<Settings> {
  const values = typed(draft);
  return Object.fromEntries(changedNames(saved, draft).map((name) => [name, values[name]]));
}

/** What stands for a value that was typed: 5.0 is 5, and what is no number is the text. */
export function meaningOf(typed: unknown): unknown {
  const amount = amountOf(typed);
  return Number.isNaN(amount) ? typed : amount;
}

/** How a value reads: switches are on or off. */
export function inWords(value: string | number | boolean): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value);
}

function isNumeric(name: SettingName): boolean {
  return SETTINGS[name].kind === 'number';
}

function changedNames(saved: Settings, draft: SettingsDraft): SettingName[] {
  return changedFields(draft, draftOf(saved), meaningOf);
}

function typed(draft: SettingsDraft) {
  return mapped((name) => (isNumeric(name) ? amountOf(draft[name]) : draft[name]));
}

function mapped<Value>(read: (name: SettingName) => Value): { [Name in SettingName]: Value } {
  return Object.fromEntries(SETTING_NAMES.map((name) => [name, read(name)])) as { [Name in SettingName]: Value };
}
