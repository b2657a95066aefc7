import { venueSettingsTable } from '../../people/system-settings/venue-settings.ts';

export const exitSettings = venueSettingsTable('exit_settings');
