/** What a superuser does to the simulated exchange: its clock, its faults, its markets and its books. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { described } from './notes/described.ts';
import { instant, price, shares } from './quantities.ts';
import { isVenueId } from './rules/finding.ts';

const tag = 'Simulator';
const access = 'superuser';

const refusals = [
  {
    status: 404,
    when: 'Orders do not go to the simulated exchange.',
    detail: 'Only the simulated exchange can be changed',
  },
  { status: 409, when: 'The exchange cannot do it now.', detail: 'a negative-risk market pays one outcome' },
  { status: 503, when: 'The exchange does not answer.', detail: 'The simulated exchange does not answer' },
] as const;

const DAY_MINUTES = 1_440;
const YEAR_MINUTES = 365 * DAY_MINUTES;
const FAULT_TIMES_MAX = 1_000;
const LEVELS_MAX = 50;

const venueId = z.string().check(z.maxLength(200), isVenueId);

const fault = z.object({
  name: described('One of `fault_names`.', z.string()),
  remaining: described('How often it strikes still.', z.int()),
});

const simulatorState = z.object({
  now: described("The exchange's clock, which the product's follows.", instant),
  ahead_ms: described('Milliseconds that it is ahead of the clock of the machine.', z.int()),
  fault_names: described('The ways in which the exchange can misbehave.', z.array(z.string())),
  faults: described('Those that are waiting to strike.', z.array(fault)),
});
export type SimulatorState = z.output<typeof simulatorState>;

export const readSimulator = endpoint({
  method: 'GET',
  path: '/simulator',
  ...{ access, tag, refusals },
  summary: 'The clock of the simulated exchange and the faults that wait there',
  reply: simulatorState,
});

const done = z.object({ message: z.string() });

export const clockForm = z.object({
  minutes: described(
    'By how many minutes the clock moves ahead; it never goes back.',
    z.int().check(z.minimum(1, 'Enter at least one minute'), z.maximum(YEAR_MINUTES, 'Enter a year at most')),
  ),
});

export const advanceClock = endpoint({
  method: 'POST',
  path: '/simulator/clock',
  ...{ access, tag, refusals },
  summary: 'Move the clock of the simulated exchange ahead, and with it that of the product',
  body: clockForm,
  reply: done,
});

export const faultForm = z.object({
  name: described('One of `fault_names`.', z.string().check(z.minLength(1, 'Choose a fault'), z.maxLength(60))),
  times: described(
    'How often it strikes.',
    z.int().check(z.minimum(1, 'Enter at least one'), z.maximum(FAULT_TIMES_MAX, `Enter at most ${FAULT_TIMES_MAX}`)),
  ),
});

export const addFault = endpoint({
  method: 'POST',
  path: '/simulator/faults',
  ...{ access, tag, refusals },
  summary: 'Have the simulated exchange misbehave',
  body: faultForm,
  reply: done,
});

export const clearFaults = endpoint({
  method: 'DELETE',
  path: '/simulator/faults',
  ...{ access, tag, refusals },
  summary: 'Take all faults away',
  reply: done,
});

const resolveForm = z.object({
  market_id: described('The market, by its id.', venueId),
  outcome: described(
    'The name of the outcome that comes true; `half`: each outcome pays half a dollar.',
    z.string().check(z.minLength(1, 'Choose an outcome'), z.maxLength(200)),
  ),
});

export const resolveMarket = endpoint({
  method: 'POST',
  path: '/simulator/resolve',
  ...{ access, tag, refusals },
  summary: 'Resolve a market of the simulated exchange',
  body: resolveForm,
  reply: done,
});

const levels = z.array(z.object({ price, size: shares })).check(z.maxLength(LEVELS_MAX));

const bookForm = z.object({
  token_id: described('The outcome, by its token; the book of the other outcome follows as its mirror.', venueId),
  bids: described(`What is bid, at most ${LEVELS_MAX} levels.`, levels),
  asks: described(`What is offered, at most ${LEVELS_MAX} levels; above every bid.`, levels),
});

export const setBook = endpoint({
  method: 'POST',
  path: '/simulator/book',
  ...{ access, tag, refusals },
  summary: "Replace the market makers' quotes of an outcome until they quote again",
  body: bookForm,
  reply: done,
});

const makersForm = z.object({
  paused: described('Whether the market makers of the exchange stand still.', z.boolean()),
});

export const pauseMakers = endpoint({
  method: 'POST',
  path: '/simulator/makers',
  ...{ access, tag, refusals },
  summary: 'Pause the market makers of the simulated exchange, or let them go on',
  body: makersForm,
  reply: done,
});
