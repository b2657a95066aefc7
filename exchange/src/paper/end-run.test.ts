import { randomUUID } from 'node:crypto';
import { Side } from '@polymarket/clob-client-v2';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connectTrader } from '../adapters/polymarket/exchange-fixture.ts';
import { startExchange } from '../start-exchange.ts';
import { type Cable, openCable } from './cable.fixture.ts';
import { openPaper, plainMarket, type Venue, venueOf } from './paper.fixture.ts';

let real: Venue;
let cable: Cable;
let paper: Venue;
let tokens: [string, string];
let conditionId: string;
let client: Awaited<ReturnType<typeof connectTrader>>['client'];

beforeEach(async () => {
  real = venueOf(await startExchange({ paused: true }));
  cable = await openCable(real.port);
  paper = await openPaper(cable.url, { pace: { lingerMs: 0, rereadMs: 50 } });
  ({ tokens, conditionId } = await plainMarket(paper));
  const asks = [{ price: '0.42', size: '50' }];
  await real.control('book', { token_id: tokens[0], bids: [{ price: '0.3', size: '9' }], asks });
  ({ client } = await connectTrader(paper.url));
  await client.createAndPostOrder({ tokenID: tokens[0], price: 0.42, size: 20, side: Side.BUY });
  await client.createAndPostOrder({ tokenID: tokens[0], price: 0.2, size: 10, side: Side.BUY });
  await paper.control('clock', { advance_ms: 60_000 });
});

afterEach(async () => {
  await paper.close();
  await cable.close();
  await real.close();
});

describe('the end of a run on paper', () => {
  it('cancels, closes at the bid and exchanges the cash once, however often it is asked for', async () => {
    const run = randomUUID();
    const [first, ...others] = await Promise.all(
      Array.from({ length: 3 }, () => paper.control('end_run', { run, cash: '250' })),
    );
    await paper.control('clock', { advance_ms: 60_000 });
    expect([...others, await paper.control('end_run', { run, cash: '250' })]).toEqual([first, first, first]);
    const { account, orders } = await paper.state();
    expect([account.usd, account.tokens[tokens[0]] ?? '0']).toEqual(['250', '0']);
    expect(orders.map(({ status }) => status)).toEqual(['MATCHED', 'CANCELED']);
    await expect(paper.control('end_run', { run: randomUUID(), cash: '0' })).rejects.toThrow('422');
  });

  it('changes nothing while the book of what is held is out of reach', async () => {
    const before = await paper.state();
    cable.cut(60_000);
    await expect.poll(() => paper.get('/_control/paper')).toMatchObject({ connected: false });
    await expect(paper.control('end_run', { run: randomUUID(), cash: '250' })).rejects.toThrow(
      'the books of 1 markets that are held are out of reach at the real venue',
    );
    expect(await paper.state()).toEqual(before);
  });

  it('is checked without changing anything, and comes no more, also by what is on its way, once it was given up, unless it goes on', async () => {
    const before = await paper.state();
    const run = randomUUID();
    const none = { in: null, out: null };
    expect(await paper.control('end_run', { run, cash: '250', step: 'check' })).toEqual(none);
    cable.cut(60_000);
    await expect.poll(() => paper.get('/_control/paper')).toMatchObject({ connected: false });
    const onItsWay = paper.control('end_run', { run, cash: '250' }).catch(String);
    expect(await paper.control('end_run', { run, cash: '250', step: 'keep' })).toEqual(none);
    cable.cut(0);
    expect(await onItsWay).toContain('409');
    expect(await paper.state()).toEqual(before);
    const other = randomUUID();
    await paper.control('end_run', { run: other, cash: '250', step: 'keep' });
    const ended = await paper.control('end_run', { run: other, cash: '250', step: 'go_on' });
    expect(ended).not.toEqual(none);
    expect(await paper.control('end_run', { run: other, cash: '250', step: 'keep' })).toEqual(ended);
  });

  it('closes at no bid of the past: for nothing where a market that has ended shows no book any more', async () => {
    await client.cancelAll();
    await expect.poll(() => paper.get('/_control/paper')).toMatchObject({ books: 0 });
    await real.control('market', { condition_id: conditionId, accepting: false });
    await real.control('book', { token_id: tokens[0], bids: [], asks: [] });
    const isAccepting = async () => (await plainMarket(paper)).isAccepting;
    await expect.poll(isAccepting).toBe(false);
    const before = (await paper.state()).account;
    await paper.control('end_run', { run: randomUUID(), cash: '250' });
    const { usd, tokens: held } = (await paper.state()).account;
    expect([usd, held[tokens[0]] ?? '0']).toEqual([before.usd, '0']);
  });

  it('is no call of an exchange that mirrors nothing', async () => {
    await expect(real.control('end_run', { run: randomUUID(), cash: '250' })).rejects.toThrow('404');
  });
});
