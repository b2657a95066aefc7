import { USD_ZERO, usdFromText } from '@dutchbook/units/usd.ts';
import { type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { testTime } from '../../platform/runtime/test-time.ts';
import { startAccount } from './account.ts';

type Balance = Awaited<ReturnType<VenueTrading['cashBalance']>>;

const TEN: Balance = { cash: usdFromText('10'), allowances: null };
const NOTHING: Balance = { cash: USD_ZERO, allowances: null };

/** An account at a venue that answers each reading when the test says so, or at once with `answer`. */
function open(answer: () => Promise<Balance>) {
  const time = testTime();
  const venue = { answer, readings: 0 };
  const trading = {
    cashBalance: () => {
      venue.readings += 1;
      return venue.answer();
    },
  } as VenueTrading;
  const config = { databaseUrl: null } as Runtime['config'];
  const account = startAccount({ ...time, config, log: pino({ enabled: false }) }, trading);
  return { time, venue, account };
}

const silent = () => Promise.reject(new VenueUnavailable('the venue wants fewer calls'));

it('reads the balance once for all who ask at the same time', async () => {
  const { promise, resolve } = Promise.withResolvers<Balance>();
  const { venue, account } = open(() => promise);
  const asked = Array.from({ length: 12 }, () => account.refresh(1000));
  resolve(TEN);
  expect((await Promise.all(asked)).map((reading) => reading?.cash)).toEqual(asked.map(() => TEN.cash));
  expect(venue.readings).toBe(1);
});

it('asks again for who places, and for who looks only when what is known is too old', async () => {
  const { time, venue, account } = open(async () => TEN);
  await account.refresh();
  await time.advance(1000);
  await account.refresh(1000);
  expect(venue.readings).toBe(1);
  await time.advance(1);
  await account.refresh(1000);
  expect(venue.readings).toBe(2);
  venue.answer = async () => NOTHING;
  expect(await account.refresh()).toMatchObject(NOTHING);
  expect(account.reading()).toMatchObject(NOTHING);
});

it('goes by what it knows for fifteen seconds while the venue does not answer, then by nothing', async () => {
  const { time, venue, account } = open(async () => TEN);
  const first = await account.refresh();
  venue.answer = silent;
  expect(await account.refresh()).toEqual(first);
  await time.advance(15_000);
  expect(account.reading()).toEqual(first);
  await time.advance(5_000);
  expect(account.reading()).toBeNull();
  expect(await account.refresh()).toBeNull();
});
