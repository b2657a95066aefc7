import { venueSettingsTable } from '../system-settings/venue-settings.ts';

export const exitSettings = venueSettingsTable('exit_settings');
