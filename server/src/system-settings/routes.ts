import { readSystemSettings } from '@dutchbook/contract/system-settings.ts';
import type { App } from '../http/app.ts';
import { route } from '../http/route.ts';
import type { SystemSettings } from '../parts.ts';

export function registerSystemSettings(app: App, settings: SystemSettings): void {
  route(app, readSystemSettings, () => settings.current());
}
