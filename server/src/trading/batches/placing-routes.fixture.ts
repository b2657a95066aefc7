import { API_PREFIX } from '@dutchbook/contract/endpoint.ts';
import type { Allowances } from '@dutchbook/engine/risk/allowance.ts';
import type { PriceBand } from '@dutchbook/engine/risk/context.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { registerValuation } from '../../market/opportunities/valuation-routes.ts';
import { type Desk, openDesk } from '../../market/prices/live-prices.fixture.ts';
import { openSessions } from '../../people/login/sessions.ts';
import { users } from '../../people/users/table.ts';
import { openApp } from '../../platform/http/open-app.ts';
import type { Account } from '../venue-desk/account.ts';
import { oneDesk } from '../venue-desk/desks.fixture.ts';
import { registerChosenSizes, sizesBy } from './chosen-sizes.ts';
import { registerPlacing } from './placing-routes.ts';
import { registerSeries } from './series-routes.ts';

type Answer = {
  status: number;
  json: { id?: string; detail?: string; errors?: string[]; content_hash?: string | null };
};

type Site = AsyncDisposable & {
  desk: Desk;
  /** Places an order of what `rain` pays, as a user whose account has the money for it. */
  place: (query?: string, key?: string) => Promise<Answer>;
  /** Places it as another user. */
  placeAsOther: () => Promise<Answer>;
  simulate: (query?: string) => Promise<Answer>;
  chosenSizes: (ids: string) => Promise<unknown>;
  depth: () => Promise<unknown>;
  /** The series of clips of an opportunity. */
  series: (of: string) => Promise<{ series: unknown }>;
  /** Why such an order would be refused. */
  simulatedErrors: () => Promise<string[]>;
  opportunityId: string;
  /** What happens while the account is asked for its cash. */
  onAccountAsked: (react: () => Promise<void>) => void;
  /** What each contract may move of the account's cash from now on. */
  allow: (given: Allowances) => void;
  /** The prices of discovery's settings. */
  setFoundBand: (band: Partial<PriceBand>) => void;
  /** What happens as soon as an order has been recorded. */
  onRecorded: (react: () => void) => void;
};

export async function openSite(
  accountOf?: (desk: Desk) => Account,
  variables: Record<string, string> = {},
): Promise<Site> {
  const desk = await openDesk(variables);
  const { runtime } = desk.test;
  desk.venue.list('rain');
  desk.venue.setBooks({ 'rain:yes': { asks: [['0.45', '500']] } });
  const { id: opportunityId } = await desk.add(['rain Yes'], { target_price: 0.5 });
  desk.settings.change({ AUTO_PLACE_ORDER_ENABLED: false });
  const { quotes, live } = await desk.start();
  let recorded = () => {};
  let accountAsked = async () => {};
  let band: Partial<PriceBand> = {};
  const sessions = openSessions(runtime);
  const app = await openApp(runtime, sessions, { webFolder: `${runtime.config.dataDir}/no-pages`, onAnswer: () => {} });
  let allowances: Allowances | null = null;
  const reading = () => ({ cash: usdFromText('1000'), allowances, at: runtime.clock.now() });
  const parts: Parameters<typeof registerPlacing>[1] = {
    live: { rowsNow: (rows) => [...rows] },
    runtime,
    quotes,
    catalogue: desk.venue.venue.catalogue,
    settings: desk.settings,
    desks: oneDesk({
      account: accountOf?.(desk) ?? {
        reading,
        refresh: async () => {
          await accountAsked();
          return reading();
        },
        stop: () => {},
      },
    }),
    readiness: () => ({
      ...{ reconciled: true, placesFound: false, corruptSettings: [] },
      foundBand: band,
    }),
    placing: { fastPath: null, wake: () => recorded() },
  };
  registerPlacing(app, parts);
  registerChosenSizes(app, parts);
  registerValuation(app, { ...parts, live, sizesBy: sizesBy(parts) });
  registerSeries(app, parts);
  const signIn = async (email: string) => `Bearer ${await sessions.issue(await signUp(desk, email))}`;
  const authorization = await signIn('operator@example.com');
  const place = async (caller: string, query = '', key?: string): Promise<Answer> => {
    const url = `${API_PREFIX}/arbitrage/place-order/${opportunityId}${query}`;
    const headers = { authorization: caller, ...(key !== undefined && { 'idempotency-key': key }) };
    const reply = await app.http.inject({ method: 'POST', url, headers });
    return { status: reply.statusCode, json: reply.json() };
  };
  const simulate = async (query = ''): Promise<Answer> => {
    const url = `${API_PREFIX}/arbitrage/simulate-orders/${opportunityId}${query}`;
    const reply = await app.http.inject({ method: 'GET', url, headers: { authorization } });
    return { status: reply.statusCode, json: reply.json() };
  };
  return {
    desk,
    opportunityId,
    onAccountAsked: (react) => {
      accountAsked = react;
    },
    allow: (given) => {
      allowances = given;
    },
    setFoundBand: (next) => {
      band = next;
    },
    onRecorded: (react) => {
      recorded = react;
    },
    place: (query, key) => place(authorization, query, key),
    series: async (of) => {
      const url = `${API_PREFIX}/arbitrage/opportunities/${of}/series`;
      return (await app.http.inject({ method: 'GET', url, headers: { authorization } })).json();
    },
    chosenSizes: async (ids) => {
      const url = `${API_PREFIX}/arbitrage/chosen-sizes?ids=${ids}`;
      return (await app.http.inject({ method: 'GET', url, headers: { authorization } })).json();
    },
    depth: async () => {
      const url = `${API_PREFIX}/arbitrage/opportunities/${opportunityId}/depth`;
      return (await app.http.inject({ method: 'GET', url, headers: { authorization } })).json();
    },
    placeAsOther: async () => place(await signIn('other@example.com')),
    simulate,
    simulatedErrors: async () => (await simulate()).json.errors ?? [],
    [Symbol.asyncDispose]: async () => {
      await app.http.close();
      await desk[Symbol.asyncDispose]();
    },
  };
}

async function signUp({ test }: Desk, email: string) {
  const { clock, db, random } = test.runtime;
  const flags = { isSuperuser: false, isActive: true };
  const row = { id: random.uuid(), email, passwordHash: 'none', createdAt: clock.now(), ...flags };
  const [user] = await db.insert(users).values(row).returning();
  if (user === undefined) throw new Error('the user was not stored');
  return user;
}
