import { venueSettingsTable } from '../system-settings/venue-settings.ts';

export const securitySettings = venueSettingsTable('security_settings');
