import * as contract from '@dutchbook/contract/recordings.ts';
import type { App } from '../http/app.ts';
import { route } from '../http/route.ts';
import type { Recordings } from './recordings.ts';

export function registerRecordings(app: App, recordings: Pick<Recordings, 'status'>): void {
  route(app, contract.readRecordingsStatus, () => recordings.status());
}
