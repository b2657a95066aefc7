import type { Instant } from '@dutchbook/units/instant.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CallPurpose, Pace, type TradingCall } from './pace.ts';

let pace: Pace;
let now: Instant;

beforeEach(() => {
  pace = new Pace({ ordersPerSecond: 10, burst: 20 });
  now = 1_000_000 as Instant;
});

const pass = (ms: number) => {
  now = (now + ms) as Instant;
};
const call = (purpose: CallPurpose, orders = 1, who: string = purpose): TradingCall => ({ who, purpose, orders });
const waitMs = (asked: TradingCall) => pace.slotAt(asked, now) - now;
/** Leaves if its slot has come, and says whether it did. */
const leaves = (asked: TradingCall) => {
  if (waitMs(asked) > 0) return false;
  pace.leave(asked, now);
  return true;
};

describe('the bucket', () => {
  it('lets a burst leave at once, and after that as many a second as the venue takes', () => {
    expect(leaves(call('buy', 15))).toBe(true);
    expect(leaves(call('buy', 5))).toBe(true);
    expect(waitMs(call('buy', 5))).toBe(500);
    pass(499);
    expect(leaves(call('buy', 5))).toBe(false);
    pass(1);
    expect(leaves(call('buy', 5))).toBe(true);
    pass(60_000);
    expect(leaves(call('buy', 20))).toBe(true);
    expect(leaves(call('buy', 1))).toBe(false);
  });

  it('lets more orders than it holds leave when it is full, and then makes up for it', () => {
    expect(leaves(call('buy', 30))).toBe(true);
    expect(waitMs(call('buy', 1))).toBe(1100);
  });

  it('never makes a cancel wait, and makes buys wait for what it took', () => {
    leaves(call('buy', 20));
    expect(leaves(call('cancel', 10))).toBe(true);
    expect(waitMs(call('buy', 1))).toBe(1100);
  });
});

describe('the bucket of one of several processes', () => {
  const leftWithin = (ms: number, paces: readonly Pace[]) => {
    let left = 0;
    for (const end = now + ms; now < end; pass(10)) {
      for (const one of paces) {
        const asked = call('buy', 1);
        if (one.slotAt(asked, now) > now) continue;
        one.leave(asked, now);
        left += 1;
      }
    }
    return left;
  };

  it('holds its part, so that all together send no more than one alone', () => {
    expect(leaves(call('buy', 20))).toBe(true);
    const joined = new Pace({ ordersPerSecond: 10, burst: 20 });
    for (const each of [pace, joined]) each.divide(2, now);
    expect(leftWithin(10_000, [pace, joined])).toBeLessThanOrEqual(100);
    pass(60_000);
    expect(leftWithin(10, [pace, joined])).toBe(2);
    expect(leftWithin(10_000, [pace, joined])).toBeLessThanOrEqual(100 + 20);
  });

  it('holds all again when the others have gone, but only little by little', () => {
    leaves(call('buy', 20));
    pace.divide(4, now);
    pass(60_000);
    expect(waitMs(call('buy', 5))).toBe(0);
    pace.divide(1, now);
    expect(leaves(call('buy', 5))).toBe(true);
    expect(waitMs(call('buy', 5))).toBe(500);
  });
});

describe('the order of calls', () => {
  it('is cancel, sell, buy, in any order of asking', () => {
    pace.rateLimited('everything', 5000, now);
    for (let left = 5000; left > 0; left -= 1000) {
      for (const purpose of ['buy', 'sell', 'cancel'] as const) expect(waitMs(call(purpose))).toBe(left);
      pass(1000);
    }
    expect(leaves(call('buy'))).toBe(false);
    expect(leaves(call('sell'))).toBe(false);
    expect(leaves(call('cancel'))).toBe(true);
    pace.answered('cancel', now);
    expect(leaves(call('buy'))).toBe(false);
    expect(leaves(call('sell'))).toBe(true);
    pace.answered('sell', now);
    expect(leaves(call('buy'))).toBe(true);
  });

  it('does not wait for one that has gone away, nor for one that does not use its slot', () => {
    pace.rateLimited('everything', 1000, now);
    waitMs(call('sell'));
    pass(2500);
    expect(leaves(call('buy'))).toBe(true);
    pace.answered('buy', now);
    pace.rateLimited('orders', 1000, now);
    waitMs(call('sell'));
    pass(1000);
    expect(waitMs(call('sell'))).toBe(0);
    expect(leaves(call('buy'))).toBe(false);
    pass(500);
    expect(waitMs(call('sell'))).toBe(0);
    pass(500);
    expect(leaves(call('buy'))).toBe(true);
  });
});

describe('a venue that rate limits calls', () => {
  it('is not called before the moment that it names', () => {
    pace.rateLimited('everything', 7000, now);
    pass(6999);
    for (const purpose of ['cancel', 'sell', 'buy'] as const) expect(leaves(call(purpose))).toBe(false);
    pass(1);
    expect(leaves(call('cancel'))).toBe(true);
  });

  it('still takes cancels where it wants fewer orders only', () => {
    pace.rateLimited('orders', 7000, now);
    expect(waitMs(call('buy'))).toBe(7000);
    expect(waitMs(call('sell'))).toBe(7000);
    expect(leaves(call('cancel'))).toBe(true);
  });

  it('is tried by one call at a time, and rests longer each time that it does not say for how long', () => {
    const attempts: number[] = [];
    const from = now;
    pace.rateLimited('orders', null, now);
    while (now - from < 30_000) {
      for (const who of ['a', 'b', 'c', 'd', 'e']) if (leaves(call('buy', 1, who))) attempts.push(now - from);
      if (attempts.at(-1) === now - from) {
        pass(10);
        pace.rateLimited('orders', null, now);
      }
      pass(10);
    }
    expect(attempts).toEqual([1000, 3010, 7020, 11_030, 15_040, 19_050, 23_060, 27_070]);
  });

  it('is called as before once it has answered', () => {
    pace.rateLimited('orders', 1000, now);
    pass(1000);
    expect(leaves(call('buy', 1, 'a'))).toBe(true);
    expect(leaves(call('buy', 1, 'b'))).toBe(false);
    pace.answered('buy', now);
    expect(leaves(call('buy', 1, 'b'))).toBe(true);
    expect(leaves(call('buy', 1, 'c'))).toBe(true);
  });

  it('is not called earlier because a call that had left before was answered', () => {
    pace.rateLimited('orders', 5000, now);
    pass(100);
    pace.answered('buy', now);
    expect(waitMs(call('buy'))).toBe(4900);
  });

  it('is tried by another where one that tried never answered', () => {
    pace.rateLimited('orders', 1000, now);
    pass(1000);
    leaves(call('buy', 1, 'a'));
    pass(2999);
    expect(leaves(call('buy', 1, 'b'))).toBe(false);
    pass(1);
    expect(leaves(call('buy', 1, 'b'))).toBe(true);
  });

  it('shuts no caller out for good by one odd number, nor lets itself be stormed by another', () => {
    pace.rateLimited('orders', 864_000_000, now);
    expect(waitMs(call('buy'))).toBe(60_000);
    pass(60_000);
    leaves(call('buy'));
    pace.rateLimited('orders', 0, now);
    expect(waitMs(call('buy'))).toBe(250);
  });
});
