/** One opportunity of one position, whose set pays a dollar, for the tests of what its price sets off. */
import { type Desk, openDesk } from './live-prices.fixture.ts';

/** Below the trigger price, and above it. */
export const CHEAP = '0.90';
export const DEAR = '1.00';

export function price({ venue }: Desk, ask: string): void {
  venue.setBooks({ 'rain:yes': { asks: [[ask, '500']] } });
}

export async function openDeskAt(ask: string): Promise<{ desk: Desk; id: string }> {
  const desk = await openDesk();
  desk.venue.list('rain');
  price(desk, ask);
  return { desk, id: (await desk.add(['rain Yes'])).id };
}

/** Long enough for what the loop has begun to be recorded, and for its writes. */
export async function writesDone({ test }: Desk): Promise<void> {
  await test.time.advance(2000);
}
