import { readDiscoverySettings } from '@dutchbook/contract/discovery-settings.ts';
import { readExitSettings } from '@dutchbook/contract/exit-settings.ts';
import { readDeskLimits, readLimits } from '@dutchbook/contract/limits.ts';
import { readReportSettings } from '@dutchbook/contract/report/report-settings.ts';
import { readSecuritySettings } from '@dutchbook/contract/security-settings.ts';
import { readSettingChanges, readSystemSettings } from '@dutchbook/contract/system-settings.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { callQuery } from '../../calls/call-query.ts';

/** How much of the limits is used moves while the page is open. */
const USE_REFRESH_MS = 30_000;

export const settingsQuery = callQuery(['systemSettings'], readSystemSettings, {});

/** Long enough for what is drawn of the settings after them not to read them a second time. */
const JUST_READ_MS = 5_000;

/** The settings for what stands beside them, or on a page without them. */
export const settingsBesideQuery = callQuery(['systemSettings'], readSystemSettings, {}, { staleTime: JUST_READ_MS });

/** The last change of each setting, by its name. */
export const settingChangesQuery = queryOptions({
  queryKey: ['settingChanges'],
  queryFn: async ({ signal }) => {
    const { data } = await call(readSettingChanges, { signal });
    return new Map(data.map(({ name, ...change }) => [name, change]));
  },
});

/** Query of one venue; without `venue`, of the only one. */
export const limitsQuery = (venue?: VenueName) =>
  callQuery(['limits', venue ?? 'only'], readLimits, { query: { venue } }, { refetchInterval: USE_REFRESH_MS });

export const deskLimitsQuery = callQuery(['limits', 'desk'], readDeskLimits, {}, { refetchInterval: USE_REFRESH_MS });

export const discoverySettingsQuery = callQuery(['discoverySettings'], readDiscoverySettings, {});

/** Query of one venue; without `venue`, of the only one. */
export const exitSettingsQuery = (venue?: VenueName) =>
  callQuery(['exitSettings', venue ?? 'only'], readExitSettings, { query: { venue } });

export const securitySettingsQuery = callQuery(['securitySettings'], readSecuritySettings, {});

export const reportSettingsQuery = callQuery(['reportSettings'], readReportSettings, {});
