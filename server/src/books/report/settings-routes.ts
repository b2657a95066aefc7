import * as contract from '@dutchbook/contract/report/report-settings.ts';
import type { App } from '../../platform/http/app.ts';
import { route } from '../../platform/http/route.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { changeReportSettings, type WatchedReportSettings } from './settings.ts';

export function registerReportSettings(app: App, runtime: Runtime, settings: WatchedReportSettings): void {
  route(app, contract.readReportSettings, () => settings.current());

  route(app, contract.changeReportSettings, async (call) => {
    await changeReportSettings(runtime, settings, call, call.body);
    return settings.current();
  });
}
