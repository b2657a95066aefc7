/** Ways out: complete sets become dollars, what has won is redeemed, and what contracts may move is shown and changed. */
import { listChainSubmissions, readChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { readExitSettings, writeExitSettings } from '@dutchbook/contract/exit-settings.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { presentVenueSettings } from '../../people/system-settings/venue-settings.ts';
import type { App } from '../../platform/http/app.ts';
import { Invalid, NotFound } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import { presentSubmission } from '../../trading/chain-steps/present.ts';
import { readQuota } from '../../trading/chain-steps/quota.ts';
import { listSubmissions, readSubmission } from '../../trading/chain-steps/store.ts';
import { oneOf } from '../../trading/trading-controls/by-venue.ts';
import { registerApprovals } from './approval-routes.ts';
import { registerCashNow } from './cash-now-routes.ts';
import type { ExitCalls } from './exit-parts.ts';
import { registerRedeem } from './redeem-routes.ts';
import { changeExitSettings, type WatchedExitSettings } from './settings.ts';

export function registerExits(app: App, parts: ExitCalls, all: readonly WatchedExitSettings[]): void {
  const { runtime, desks } = parts;
  const { db, dbFor } = runtime;
  registerCashNow(app, parts);
  registerRedeem(app, parts);
  registerApprovals(app, parts);

  route(app, listChainSubmissions, async ({ query: { status, batch_id, venue, ...page } }) => {
    const { rows, count } = await listSubmissions(dbFor.lists, { status, batchId: batch_id, venue }, page);
    const read = desks.all.map(async ({ name, chain }) => {
      const quota = await readQuota(dbFor.lists, runtime, chain, name);
      return quota === null ? [] : [{ venue: name, ...quota }];
    });
    const quotas = (await Promise.all(read)).flat();
    const [only = null, ...others] = quotas;
    return { data: rows.map(presentSubmission), count, quota: others.length > 0 ? null : only, quotas };
  });

  route(app, readChainSubmission, async ({ params }) => {
    const submission = await readSubmission(db, params.submission_id);
    if (submission === null) throw new NotFound('Submission not found');
    return presentSubmission(submission);
  });

  const tradingAt = (venue: VenueName) => desks.all.find(({ name }) => name === venue)?.trading ?? null;
  const present = (settings: WatchedExitSettings) => {
    const trading = tradingAt(settings.venue);
    const byItself = trading?.payouts !== undefined;
    return { ...presentVenueSettings(settings), pays_by_itself: byItself, is_read_only: trading === null };
  };
  route(app, readExitSettings, ({ query }) => present(oneOf(all, query.venue)));

  route(app, writeExitSettings, async (call) => {
    const settings = oneOf(all, call.query.venue);
    if (tradingAt(settings.venue)?.payouts !== undefined) refuseSwitchingOn(call.body, VENUE_LABELS[settings.venue]);
    await changeExitSettings(runtime, settings, call, call.body);
    return present(settings);
  });
}

const SWITCHES = ['auto_cash_now', 'auto_redeem'] as const;

function refuseSwitchingOn(body: Partial<Record<(typeof SWITCHES)[number], boolean | undefined>>, venue: string): void {
  for (const name of SWITCHES)
    if (body[name] === true)
      throw new Invalid(['body', name], `${venue} pays by itself: there is nothing to convert or redeem`, true);
}
