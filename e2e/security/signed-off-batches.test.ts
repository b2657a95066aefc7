/** Batches that spend more than one person may, in the whole product: two people, a scripted venue, test time. */
import { opportunities } from '@dutchbook/server/market/opportunities/table.ts';
import { batches } from '@dutchbook/server/trading/orders/table.ts';
import { eq } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { actionsOn, anHourAgo, askedIn, type Desk, openDesk, quote } from './signed-off.fixture.ts';

describe('a batch that takes more than one person may spend', () => {
  it('is placed as its requester’s once a second person approves it, at the prices of that moment', async () => {
    await using desk = await openDesk(4);
    const { scene, olga, ben, product } = desk;
    const opportunity = await scene.opportunity();
    const simulated = await desk.call(olga, 'GET', `/arbitrage/simulate-orders/${opportunity}`);
    expect(simulated.body).toMatchObject({
      errors: [],
      warnings: ['The batch takes up to $4.50, and needs a second person above $4.00.'],
    });
    const asked = await desk.place(olga, opportunity);
    expect(asked.body.detail).toMatch(
      /^Asked a second person to sign this off: Buy 5 sets of Yes “.+” and No “.+” for about \$4\.50 and up to \$4\.73, to make \$0\.50\.$/,
    );
    const id = askedIn(asked);
    // Pressed once more it is the same.
    expect(askedIn(await desk.place(olga, opportunity))).toBe(id);
    expect(await desk.batchesOf(opportunity)).toEqual([]);
    const approved = await desk.approve(ben, id);
    expect(approved).toMatchObject({ status: 200, body: { state: 'approved', outcome: 'The batch is placed.' } });
    await product.untilIdle();
    const [batch] = await desk.batchesOf(opportunity);
    expect(batch).toMatchObject({ id: approved.body.batch_id, status: 'completed', createdBy: olga.id });
    expect(batch).toMatchObject({ signedOff: 4_500_000, automatic: false });
    expect(await actionsOn(desk, batch?.id ?? '')).toEqual([`order.placed ${olga.email}, signed off by ${ben.email}`]);
    expect(await actionsOn(desk, id)).toEqual([`sign_off.asked ${olga.email}`, `sign_off.approved ${ben.email}`]);
  });

  it('is not asked for where it takes exactly as much', async () => {
    await using desk = await openDesk(4.5);
    const opportunity = await desk.scene.opportunity();
    expect((await desk.place(desk.olga, opportunity)).status).toBe(200);
    expect(await desk.batchesOf(opportunity)).toMatchObject([{ signedOff: null }]);
  });

  it('is not approved by the user who asked, superuser or not', async () => {
    await using desk = await openDesk(4);
    const id = askedIn(await desk.place(desk.ada, await desk.scene.opportunity()));
    expect((await desk.approve(desk.ada, id)).status).toBe(409);
    expect((await desk.approve(desk.olga, id)).status).toBe(403);
    expect((await desk.approve(desk.ben, id)).body).toMatchObject({ state: 'approved' });
  });

  it('is judged anew by its prices, and does not outlast a stop', async () => {
    await using desk = await openDesk(4);
    const { scene, olga, ada, ben, product } = desk;
    const [dear, disarmed, rearmed] = [await scene.opportunity(), await scene.opportunity(), await scene.opportunity()];
    const ask = async (opportunity: string) => askedIn(await desk.place(olga, opportunity));
    const first = await ask(dear);
    const [{ markets }] = (await desk.call(olga, 'GET', `/arbitrage/opportunities/${dear}`)).body
      .market_combinations as [{ markets: { id: string }[] }];
    quote(desk, markets[0]?.id, '0.60', '0.59');
    await product.untilIdle();
    expect((await desk.approve(ben, first)).body).toMatchObject({
      state: 'failed',
      outcome: expect.stringMatching(/profit|price/i),
    });
    const [second, third] = [await ask(disarmed), await ask(rearmed)];
    await desk.call(ada, 'POST', '/system/disarm');
    const withdrawn = { status: 409, body: { detail: `${ada.email} withdrew it: Trading was disarmed.` } };
    expect(await desk.approve(ben, second)).toMatchObject(withdrawn);
    await scene.arm();
    expect(await desk.approve(ben, third)).toMatchObject(withdrawn);
    for (const opportunity of [dear, disarmed, rearmed]) expect(await desk.batchesOf(opportunity)).toEqual([]);
    expect((await desk.approve(ben, await ask(rearmed))).body).toMatchObject({ state: 'approved' });
    expect(await desk.batchesOf(rearmed)).toHaveLength(1);
  });

  it('is not placed for more than they have seen', async () => {
    await using desk = await openDesk(4);
    const { scene, olga, ben, product } = desk;
    await desk.call(desk.ada, 'PUT', '/system-settings/', { USE_CUMULATIVE_PRICING: false });
    const opportunity = await scene.opportunity();
    const id = askedIn(await desk.place(olga, opportunity));
    const [{ markets }] = (await desk.call(olga, 'GET', `/arbitrage/opportunities/${opportunity}`)).body
      .market_combinations as [{ markets: { id: string }[] }];
    // The price of a set is what it was, and few are to be had for it.
    product.markets.setBooks({
      [`${markets[0]?.id}:yes`]: {
        asks: [
          ['0.45', '1'],
          ['0.54', '1000'],
        ],
        bids: [['0.44', '1000']],
      },
    });
    await product.untilIdle();
    expect((await desk.approve(ben, id)).body).toMatchObject({
      state: 'failed',
      outcome: 'The batch takes up to $4.95 now, and up to $4.73 was signed off.',
    });
    expect(await desk.batchesOf(opportunity)).toEqual([]);
  });

  it.each<[string, (desk: Desk, opportunity: string) => Promise<unknown>, string]>([
    [
      'its target price',
      ({ call, olga }, id) => call(olga, 'PUT', `/arbitrage/opportunities/${id}?target_price=3`),
      'The target price was changed from 1.0000 to 3.0000 after it was asked for.',
    ],
    [
      'the settings it is judged and carried out by',
      ({ call, ada }) => call(ada, 'PUT', '/system-settings/', { BATCH_MIN_SUCCESS_RATE: 0.5 }),
      'BATCH_MIN_SUCCESS_RATE was changed after it was asked for.',
    ],
    [
      'its legs',
      async ({ product, scene }, id) => {
        const other = await scene.opportunity();
        const { db } = product.runtime;
        const [legs] = await db.select().from(opportunities).where(eq(opportunities.id, other));
        await db.delete(opportunities).where(eq(opportunities.id, other));
        const { marketCombinations } = legs ?? {};
        await db.update(opportunities).set({ marketCombinations }).where(eq(opportunities.id, id));
      },
      'The legs were changed after it was asked for.',
    ],
  ])('is not placed once %s changed since it was asked for', async (_, change, outcome) => {
    await using desk = await openDesk(4);
    const opportunity = await desk.scene.opportunity();
    const id = askedIn(await desk.place(desk.olga, opportunity));
    await change(desk, opportunity);
    await desk.product.untilIdle();
    expect((await desk.approve(desk.ben, id)).body).toMatchObject({ state: 'failed', outcome });
    expect(await desk.batchesOf(opportunity)).toEqual([]);
  });

  it('is also one of several that the same person asks for within fifteen minutes, at once or one by one', async () => {
    await using desk = await openDesk(10);
    const { scene, olga, ada, ben, product, call } = desk;
    const next = async () => await scene.opportunity();
    expect((await desk.place(olga, await next())).status).toBe(200);
    const [one, other] = [await next(), await next()];
    // Each alone would be the last that passes.
    const answers = await Promise.all([desk.place(olga, one), desk.place(olga, other)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const fourth = await next();
    expect((await call(olga, 'GET', `/arbitrage/simulate-orders/${fourth}`)).body.warnings).toEqual([
      'The batch, with what the same person asked for within 15 minutes, takes up to $13.50, and needs a second person above $10.00.',
    ]);
    const id = askedIn(await desk.place(olga, fourth));
    expect((await desk.place(ada, await next())).status).toBe(200);
    expect((await desk.approve(ben, id)).body.state).toBe('approved');
    // What a second person has seen is not one person's alone, and counts no more.
    await product.runtime.db.update(batches).set(anHourAgo).where(eq(batches.opportunityId, one));
    await product.runtime.db.update(batches).set(anHourAgo).where(eq(batches.opportunityId, other));
    expect((await desk.place(olga, await next())).status).toBe(200);
    expect((await desk.place(olga, await next())).status).toBe(409);
  });

  it('is answered by its idempotency key: as asked for while it waits, then with the batch that came of it', async () => {
    await using desk = await openDesk(4);
    const { scene, olga, ben, call, product } = desk;
    const opportunity = await scene.opportunity();
    const path = `/arbitrage/place-order/${opportunity}`;
    const place = (key: string, query = '') =>
      call(olga, 'POST', `${path}${query}`, undefined, { 'idempotency-key': key });
    const [one, other] = await Promise.all([place('K1'), place('K1')]);
    const id = askedIn(one);
    expect(askedIn(other)).toBe(id);
    expect(await place('K1')).toEqual(one);
    expect((await place('K1', '?order_size=6')).status).toBe(422);
    const { body: approved } = await desk.approve(ben, id);
    await product.untilIdle();
    // Nothing else stands in the way of a second one.
    expect(await place('K1')).toMatchObject({ status: 200, body: { id: approved.batch_id, status: 'completed' } });
    expect((await place('K1', '?order_size=6')).status).toBe(422);
    expect(await desk.batchesOf(opportunity)).toHaveLength(1);
    const rejected = askedIn(await place('K2'));
    await call(ben, 'POST', `/sign-offs/${rejected}/reject`, { reason: 'Once is enough' });
    expect(await place('K2')).toEqual({
      status: 409,
      body: { detail: `${ben.email} rejected it: Once is enough` },
    });
    expect(await desk.batchesOf(opportunity)).toHaveLength(1);
    expect(askedIn(await place('K3'))).not.toBe(rejected);
  });

  it('is not placed to make less than they have seen, where it takes no more', async () => {
    await using desk = await openDesk(4);
    const { scene, olga, ben, product } = desk;
    const opportunity = await scene.opportunity();
    const [{ markets }] = (await desk.call(olga, 'GET', `/arbitrage/opportunities/${opportunity}`)).body
      .market_combinations as [{ markets: { id: string }[] }];
    const offer = async (asks: [price: string, size: string][]) => {
      const bids: [string, string][] = [['0.30', '1000']];
      for (const outcome of ['yes', 'no'])
        product.markets.setBooks({ [`${markets[0]?.id}:${outcome}`]: { asks, bids } });
      await product.untilIdle();
    };
    await offer([
      ['0.40', '4'],
      ['0.45', '1000'],
    ]);
    const id = askedIn(await desk.place(olga, opportunity));
    await offer([['0.45', '1000']]);
    expect((await desk.approve(ben, id)).body).toMatchObject({
      state: 'failed',
      outcome: expect.stringMatching(/^The batch makes \$0\.50 now, and at least \$0\.\d\d was signed off\.$/),
    });
    expect(await desk.batchesOf(opportunity)).toEqual([]);
  });

  it('is not placed two minutes later', async () => {
    await using desk = await openDesk(4);
    const opportunity = await desk.scene.opportunity();
    const id = askedIn(await desk.place(desk.olga, opportunity));
    await desk.product.test.time.advance(120_000);
    const late = await desk.approve(desk.ben, id);
    expect(late).toMatchObject({ status: 409, body: { detail: expect.stringContaining('The sign-off expired at ') } });
    expect(await desk.batchesOf(opportunity)).toEqual([]);
  });

  it('is never placed automatically, and the opportunity says why', async () => {
    await using desk = await openDesk(4);
    const { scene, product, call } = desk;
    await call(desk.ada, 'PUT', '/system-settings/', { AUTO_PLACE_ORDER_ENABLED: true });
    const opportunity = await scene.opportunity();
    await product.untilIdle();
    const { body } = await call(desk.olga, 'GET', `/arbitrage/opportunities/${opportunity}`);
    expect(body.triggered).toBe(true);
    expect(body.blockers).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          gate: 'sign-off',
          message: 'the batch takes up to $4.50, and needs a second person above $4.00',
        }),
      ]),
    );
    expect(await desk.batchesOf(opportunity)).toEqual([]);
  });
});
