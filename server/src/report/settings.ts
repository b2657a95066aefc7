import { reportSettings as form, type ReportSettings } from '@dutchbook/contract/report.ts';
import { fractionFromText } from '@dutchbook/units/fraction.ts';
import type { Runtime } from '../runtime.ts';
import {
  type By,
  changeVenueSettings,
  openVenueSettings,
  type SettingsKind,
  type WatchedVenueSettings,
} from '../system-settings/venue-settings.ts';
import { reportSettings } from './table.ts';

/** Buying is not paused before somebody has said from which share on. */
const KIND: SettingsKind<ReportSettings> = {
  name: 'report',
  table: reportSettings,
  defaults: { hurdle: fractionFromText('0.044'), pause_above_failed: null },
  form,
  channel: 'report_settings_changed',
  action: 'report.changed',
};

export type WatchedReportSettings = WatchedVenueSettings<ReportSettings>;

/** @throws when they cannot be read at first */
export function openReportSettings(runtime: Parameters<typeof openVenueSettings>[0]) {
  return openVenueSettings(runtime, KIND);
}

export function changeReportSettings(
  runtime: Runtime,
  settings: WatchedReportSettings,
  by: By,
  changes: ReportSettings,
): Promise<void> {
  return changeVenueSettings(runtime, settings, KIND, by, changes);
}
