import * as contract from '@dutchbook/contract/sign-offs.ts';
import type { App } from '../../platform/http/app.ts';
import { NotFound } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { approve, reject, withdraw } from './decide.ts';
import type { Effects } from './effects.ts';
import { presentSignOff } from './present.ts';
import { listSignOffs, readSignOff, type SignOffRow, type SignOffView } from './store.ts';

export function registerSignOffs(app: App, runtime: Runtime, effects: Effects): void {
  const { config, clock, db, dbFor } = runtime;
  const viewOf = (reader: UserRow): SignOffView => ({ reader, venueMode: config.venueMode, now: clock.now() });
  const present = (row: SignOffRow) => presentSignOff(row, clock.now());

  route(app, contract.listSignOffs, async ({ query, user }) => {
    const { rows, count } = await listSignOffs(dbFor.lists, viewOf(user), query);
    return { data: rows.map(present), count };
  });

  route(app, contract.readSignOff, async ({ params, user }) => {
    const row = await readSignOff(db, viewOf(user), params.sign_off_id);
    if (row === null) throw new NotFound('Sign-off not found');
    return present(row);
  });

  route(app, contract.approveSignOff, async (call) =>
    present(await approve(runtime, { effects, guard: app.guard }, call)),
  );

  route(app, contract.rejectSignOff, async (call) => present(await reject(runtime, call, call.body.reason)));

  route(app, contract.withdrawSignOff, async (call) => present(await withdraw(runtime, call)));
}
