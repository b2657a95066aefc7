import { expect, it } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';

it('runs again for every call that came after a run began, also for one between its last step and its end', async () => {
  for (let steps = 0; steps <= 12; steps += 1) {
    let wanted = 0;
    let done = 0;
    const call = oneAtATime(async () => {
      const seen = wanted;
      await Promise.resolve();
      done = seen;
    });
    wanted = 1;
    void call();
    for (let step = 0; step < steps; step += 1) await Promise.resolve();
    wanted = 2;
    await call();
    expect(done).toBe(2);
  }
});

it('runs once for all who call while it runs, and never twice at the same time', async () => {
  let runs = 0;
  let underWay = 0;
  const call = oneAtATime(async () => {
    runs += 1;
    underWay += 1;
    expect(underWay).toBe(1);
    await Promise.resolve();
    underWay -= 1;
  });
  await Promise.all([call(), call(), call(), call()]);
  expect(runs).toBe(2);
  await call.ended();
});
