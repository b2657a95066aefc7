export type OneAtATime = (() => Promise<void>) & { ended: () => Promise<void> };

/**
 * Runs `work`, which throws nothing, one run at a time. Who calls while it runs has it run once more after that, however
 * close to its end, and waits for that run too.
 */
export function oneAtATime(work: () => Promise<void>): OneAtATime {
  let running: Promise<void> | null = null;
  let again = false;
  const run = async () => {
    do {
      again = false;
      await work();
    } while (again);
    // In one breath with the last look at `again`: a call in between would be lost.
    running = null;
  };
  const call = () => {
    again = true;
    running ??= run();
    return running;
  };
  return Object.assign(call, { ended: async () => void (await running) });
}
