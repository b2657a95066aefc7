/** Every gate between an opportunity and an order, in the order in which refusals are read out. */
import { activeGate } from './active.ts';
import { allowanceGate, approvalsGate } from './allowance.ts';
import { armedGate, keyEndsGate, keyEndsWarning } from './armed.ts';
import { augmentedEventGate } from './augmented-event.ts';
import { balanceGate } from './balance.ts';
import { clipGate, lossAllowanceGate } from './clip.ts';
import { clockSkewGate } from './clock-skew.ts';
import type { Blocker, Gate, GateContext, SignOffContext } from './context.ts';
import { depthGate } from './depth.ts';
import { feeStopsGate } from './fee-stops.ts';
import { foundSwitchGate } from './found-switch.ts';
import { freshBooksGate } from './fresh-books.ts';
import { limitOpenExposureGate } from './limits/limit-open-exposure.ts';
import { limitPerBatchGate } from './limits/limit-per-batch.ts';
import { limitPerDayGate } from './limits/limit-per-day.ts';
import { limitPerOrderGate } from './limits/limit-per-order.ts';
import { marketOpenGate, pastEndWarning, pauseWarning } from './market-open.ts';
import { minimumSharesGate } from './minimum-shares.ts';
import { minimumValueGate } from './minimum-value.ts';
import { oneActiveBatchGate } from './one-active-batch.ts';
import { priceBandGate } from './price-band.ts';
import { priceDeviationGate } from './price-deviation.ts';
import { profitGate, returnOnTimeGate } from './profit.ts';
import { reconciledGate } from './reconciled.ts';
import { resolutionGate } from './resolution.ts';
import { selfTradeGate } from './self-trade.ts';
import { settlementFailuresGate } from './settlement-failures.ts';
import { signOffGate } from './sign-off.ts';
import { soundSettingsGate } from './sound-settings.ts';
import { sourcesAgreeGate, sourcesComparedGate } from './sources-agree.ts';
import { tooGoodToBeTrueGate } from './too-good-to-be-true.ts';
import { venueMinimumGate } from './venue-minimum.ts';

/** Gates that hold for every order, placed by hand or automatically. */
const ALWAYS: readonly Gate[] = [
  armedGate,
  reconciledGate,
  soundSettingsGate,
  clockSkewGate,
  keyEndsGate,
  settlementFailuresGate,
  activeGate,
  oneActiveBatchGate,
  marketOpenGate,
  sourcesAgreeGate,
  freshBooksGate,
  profitGate,
  returnOnTimeGate,
  priceDeviationGate,
  priceBandGate,
  depthGate,
  minimumValueGate,
  minimumSharesGate,
  venueMinimumGate,
  balanceGate,
  allowanceGate,
  approvalsGate,
  clipGate,
  lossAllowanceGate,
  limitPerOrderGate,
  limitPerBatchGate,
  limitPerDayGate,
  limitOpenExposureGate,
  selfTradeGate,
];

/** Gates that look at the account at the venue, which what is only simulated never touches. */
const OF_ACCOUNT: readonly Gate[] = [armedGate, keyEndsGate, settlementFailuresGate, allowanceGate, approvalsGate];

/** Gates that a person who has looked may pass, and the product on its own may not. */
const AUTOMATIC_ONLY: readonly Gate[] = [
  augmentedEventGate,
  tooGoodToBeTrueGate,
  resolutionGate,
  sourcesComparedGate,
  feeStopsGate,
];

/** Warnings refuse no order. */
const WARNINGS: readonly Gate[] = [pastEndWarning, pauseWarning, keyEndsWarning];

/** All refusals of an order as it stands; none means it may be placed. */
export function evaluateGates(context: GateContext): Blocker[] {
  const gates = context.automatic ? [...ALWAYS, ...AUTOMATIC_ONLY, signOffGate, foundSwitchGate] : ALWAYS;
  return refusals(context.practice ? gates.filter((gate) => !OF_ACCOUNT.includes(gate)) : gates, context);
}

/** Warnings for a person who places by hand: the gates for automatic orders alone, and those that refuse no order. */
export function warningsOf(context: GateContext): Blocker[] {
  return refusals([...AUTOMATIC_ONLY, ...WARNINGS], context);
}

/** What needs a second person's approval when it is asked for by hand. */
export function signOffBlockers(context: SignOffContext): Blocker[] {
  return refusals([signOffGate], context);
}

function refusals<Context>(gates: readonly ((context: Context) => Blocker | null)[], context: Context): Blocker[] {
  return gates.map((gate) => gate(context)).filter((blocker) => blocker !== null);
}
