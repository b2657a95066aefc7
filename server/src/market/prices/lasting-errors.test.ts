import { expect, it } from 'vitest';
import { notifications } from '../../people/notifications/table.ts';
import { openDesk } from './live-prices.fixture.ts';

it('an error that stays is notified once, one that comes and goes is not', async () => {
  await using desk = await openDesk();
  const { test, venue } = desk;
  venue.list('rain');
  const offered = (asks: [string, string][]) => venue.setBooks({ 'rain:yes': { asks } });
  offered([['1.00', '500']]);
  const { id } = await desk.add(['rain Yes']);
  const processes = [await desk.start(), await desk.start()];
  expect(processes).toHaveLength(2);
  const notified = () => test.runtime.db.select().from(notifications);
  const pass = async (seconds: number) => {
    await test.time.advance(seconds * 1000);
  };

  for (let round = 0; round < 2; round += 1) {
    offered([]);
    await pass(28);
    offered([['1.00', '500']]);
    await pass(3);
  }
  expect(await notified()).toEqual([]);
  offered([]);
  await pass(65);
  const about = { notificationType: 'opportunity_error', opportunityId: id };
  const sentence = 'Will rain happen? · Yes cannot be priced: Leg 1 (Yes, "Will rain happen?"): no shares are on offer';
  expect(await notified()).toMatchObject([{ ...about, message: sentence }]);
  offered([['1.00', '500']]);
  await pass(3);
  offered([]);
  await pass(33);
  expect(await notified()).toMatchObject([about, about]);
});
