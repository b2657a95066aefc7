import { reportSettings as form, type ReportSettings } from '@dutchbook/contract/report/report-settings.ts';
import { fractionFromText } from '@dutchbook/units/fraction.ts';
import { venueSettingsOf, type WatchedVenueSettings } from '../../people/system-settings/venue-settings.ts';
import { reportSettings } from './table.ts';

/** Report settings; by default buying never pauses for failed settlements. */
export const { open: openReportSettings, change: changeReportSettings } = venueSettingsOf<ReportSettings>({
  name: 'report',
  table: reportSettings,
  defaultsOf: () => ({ hurdle: fractionFromText('0.044'), pause_above_failed: null }),
  form,
  channel: 'report_settings_changed',
  action: 'report.changed',
});

export type WatchedReportSettings = WatchedVenueSettings<ReportSettings>;
