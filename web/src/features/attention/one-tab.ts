/** A tab that hears of it a little later finds that another one has it. */
const TAKEN_MS = 10_000;
/** A tab without a click so far may not sound: it lets others be first. */
const SILENT_WAITS_MS = 400;

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Whether this tab is the one, of all of this browser, that does what `name` says; each name is given once. */
export async function isTakenHere(name: string): Promise<boolean> {
  // Without a trusted connection there are no locks: then the tab that is looked at.
  if (navigator.locks === undefined) return document.visibilityState === 'visible';
  if (navigator.userActivation?.hasBeenActive === false) await wait(SILENT_WAITS_MS);
  return new Promise((decide) => {
    void navigator.locks.request(`dutchbook: ${name}`, { ifAvailable: true }, async (lock) => {
      decide(lock !== null);
      if (lock !== null) await wait(TAKEN_MS);
    });
  });
}

const APART_MS = 1_000;

/** Runs `act` in its turn: over all tabs of this browser, a second lies between two. */
export async function inTurn(act: () => Promise<void>): Promise<void> {
  const turn = async () => {
    await act();
    await wait(APART_MS);
  };
  await (navigator.locks === undefined ? turn() : navigator.locks.request('dutchbook: signals', turn));
}
