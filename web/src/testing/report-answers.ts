/** What a report and a ledger answer that have seen some trading; batch and order are those that were recorded. */

import { listBatchResults, readBatchResult } from '@dutchbook/contract/batch-results.ts';
import type { Endpoint } from '@dutchbook/contract/endpoint.ts';
import { listLedger, readLedgerBalances } from '@dutchbook/contract/ledger.ts';
import { readReportSettings } from '@dutchbook/contract/report/report-settings.ts';
import {
  listMissed,
  listReportChoices,
  listReportDays,
  readExecutionQuality,
  readExposure,
  readFunnel,
  readReport,
} from '@dutchbook/contract/report.ts';
import type * as z from 'zod/mini';

type Wire<E extends Endpoint> = z.input<E['reply']>;

const BATCH_ID = '39d519ea-f30d-430c-ae97-f8776c149f7f';
const ORDER_ID = '0a1d0001-f30d-430c-ae97-f8776c149f7f';
const TOKEN = '70430287325176498113984231265482177619523348211893217611294717634821763149176';

const SLIPPAGE = { slippage_usd: 0.21, moved_before_send_usd: 0.06, moved_in_flight_usd: 0.05, size_added_usd: 0.1 };
const PARTS = { paid_usd: 12.4, locked_usd: 3.75, at_risk_usd: 1.2 };

const SUMMARY: Wire<typeof readReport> = {
  batches: 14,
  ...PARTS,
  predicted_usd: 18.3,
  fees_usd: 0.9,
  gas: [{ unit: 'pol', amount: '0.0123' }],
  income: { rewards_usd: 1.5, rebates_usd: 0.25, unknown_usd: 10 },
  ...SLIPPAGE,
  shortfall_usd: 0.84,
  being_bought_usd: 0.6,
  sale_loss_usd: 0.37,
  cost_usd: 412.5,
  capital_usd: 96.25,
  capital_days: 801.5,
  annualised: 0.0735,
  hurdle: 0.044,
  by_venue: [
    {
      ...{ venue: 'polymarket', batches: 14, legs: 42, filled_legs: 40, ...SLIPPAGE },
      ...{ cost_usd: 412.5, received_usd: 328.65, fees_usd: 0.9, capital_usd: 96.25 },
    },
  ],
  legs: 42,
  filled_legs: 40,
  fills: 55,
  undone_fills: 2,
  times: {
    sent: { p50_ms: 9, p90_ms: 14, count: 14 },
    matched: { p50_ms: 38, p90_ms: 120, count: 14 },
    confirmed: { p50_ms: 2_400, p90_ms: 6_100, count: 13 },
    cash: null,
  },
};

const DAYS: Wire<typeof listReportDays> = {
  days: [
    { day: '2026-11-19', batches: 5, paid_usd: 4.2, locked_usd: 0, at_risk_usd: 0, fees_usd: 0.3, slippage_usd: 0.08 },
    {
      day: '2026-11-20',
      batches: 2,
      paid_usd: -1.3,
      locked_usd: 0,
      at_risk_usd: 0,
      fees_usd: 0.2,
      slippage_usd: -0.02,
    },
    {
      day: '2026-11-21',
      batches: 6,
      paid_usd: 9.5,
      locked_usd: 3.75,
      at_risk_usd: 1.2,
      fees_usd: 0.4,
      slippage_usd: 0.15,
    },
  ],
};

const EXPOSURE: Wire<typeof readExposure> = {
  events: [
    {
      key: '903',
      title: 'Next chair of the Harbour League',
      batches: 3,
      capital_usd: 60,
      locked_usd: 2.5,
      at_risk_usd: 1.2,
    },
    { key: '917', title: 'Mayor of Oriel', batches: 1, capital_usd: 36.25, locked_usd: 1.25, at_risk_usd: 0 },
  ],
  months: [
    { key: '2026-12', title: 'December 2026', batches: 3, capital_usd: 60, locked_usd: 2.5, at_risk_usd: 1.2 },
    { key: null, title: 'Not known', batches: 1, capital_usd: 36.25, locked_usd: 1.25, at_risk_usd: 0 },
  ],
};

const band = (key: string, label: string, slippage_usd: number) => ({
  key,
  label,
  legs: 14,
  filled_legs: 13,
  ordered: 168,
  filled: 160.5,
  ...SLIPPAGE,
  slippage_usd,
});

const EXECUTION: Wire<typeof readExecutionQuality> = {
  sizes: [band('10', 'up to 10 shares', 0.03), band('100', 'up to 100 shares', 0.18)],
  hours: [band('9', '09:00', 0.02), band('14', '14:00', 0.15), band('21', '21:00', -0.01)],
  settlements: { settled: 55, undone: 2, rate: 0.0351, pauses_above: 0.05, is_paused: false },
};

const FUNNEL: Wire<typeof readFunnel> = {
  steps: [
    { step: 'seen', count: 120, usd: 61.2, lost_usd: 0, first_reason: null },
    { step: 'triggered', count: 40, usd: 33.5, lost_usd: 27.7, first_reason: 'Below the threshold' },
    { step: 'allowed', count: 18, usd: 20.1, lost_usd: 13.4, first_reason: 'Not enough cash' },
    { step: 'placed', count: 14, usd: 18.3, lost_usd: 1.8, first_reason: 'Automatic orders are off' },
    { step: 'filled', count: 14, usd: 17.46, lost_usd: 0.84, first_reason: 'A leg was filled in part' },
    { step: 'locked', count: 13, usd: 16.15, lost_usd: 1.31, first_reason: 'Fees and slippage' },
    { step: 'cash', count: 9, usd: 12.4, lost_usd: 3.75, first_reason: 'Not resolved yet' },
  ],
  smaller: [{ bounded_by: 'loss allowance', count: 6, usd: 1.2 }],
  missed: [
    {
      ...{ reached: 'triggered', reason: 'Not enough cash', count: 22, usd: 13.4 },
      example: 'Not enough cash: the orders cost $14.20 and $9.05 is free. Leg 2 is short of 11 shares.',
    },
    { reached: 'allowed', reason: 'Automatic orders are off', example: null, count: 4, usd: 1.8 },
  ],
};

const MISSED: Wire<typeof listMissed>['data'] = [
  {
    id: '4c0e0001-f30d-430c-ae97-f8776c149f7f',
    at: '2026-11-21T21:40:02.000Z',
    subject: 'Next chair of the Harbour League',
    event_id: '903',
    reason: 'Not enough cash: the orders cost $14.20 and $9.05 is free. Leg 2 is short of 11 shares.',
    usd: 1.25,
    size: 14,
    relation_id: '5d0e0001-f30d-430c-ae97-f8776c149f7f',
    opportunity_id: '6e0e0001-f30d-430c-ae97-f8776c149f7f',
  },
  {
    id: '4c0e0002-f30d-430c-ae97-f8776c149f7f',
    at: '2026-11-21T20:11:40.000Z',
    subject: 'Mayor of Oriel',
    event_id: '917',
    reason: 'Orders are not placed automatically (AUTO_PLACE_ORDER_ENABLED)',
    usd: 0.4,
    size: null,
    relation_id: null,
    opportunity_id: '6e0e0002-f30d-430c-ae97-f8776c149f7f',
  },
];

const RESULT: Wire<typeof readBatchResult>['batch'] = {
  batch_id: BATCH_ID,
  batch_name: 'Next chair of the Harbour League · Yes on all 3',
  triggered_at: '2026-11-21T22:10:18.000Z',
  operator: null,
  automatic: true,
  source: 'discovery',
  event_id: '903',
  event_title: 'Next chair of the Harbour League',
  structure: 'exactly_one',
  basis: 'enforced',
  size: 12,
  size_bounded_by: 'cash',
  series_id: null,
  clip_number: null,
  clips: 1,
  predicted_usd: 1.54,
  predicted_cost_usd: 10.46,
  predicted_fees_usd: 0.05,
  cost_usd: 10.51,
  received_usd: 0,
  fees_usd: 0.05,
  paid_usd: 0,
  locked_usd: 1.44,
  at_risk_usd: 0,
  capital_usd: 10.56,
  slippage_usd: 0.05,
  moved_before_send_usd: 0.02,
  moved_in_flight_usd: 0.03,
  size_added_usd: 0,
  shortfall_usd: 0,
  books_age_ms: 140,
  sent_ms: 9,
  matched_ms: 41,
  confirmed_ms: 2_310,
  cash_ms: null,
  lock_day: '2026-11-21',
  cash_day: null,
  release_at: '2026-12-31T00:00:00.000Z',
};

const LEG: Wire<typeof readBatchResult>['legs'][number] = {
  order_id: ORDER_ID,
  leg: 1,
  market_name: 'Will Oriel Tanning be the next chair of the Harbour League?',
  outcome: 'Yes',
  ordered: 12,
  filled: 12,
  predicted_price: 0.31,
  average_price: 0.314167,
  predicted_fee_usd: 0.02,
  fee_usd: 0.02,
  paid_usd: 3.77,
  slippage_usd: 0.05,
  moved_before_send_usd: 0.02,
  moved_in_flight_usd: 0.03,
  size_added_usd: 0,
};

const NOTHING = {
  batch_id: null,
  batch_name: null,
  order_id: null,
  market_name: null,
  outcome: null,
  trade_id: null,
  submission_id: null,
  transaction_hash: null,
  sender: null,
  names_entry_id: null,
  named_as: null,
};

const CHOICES: Wire<typeof listReportChoices> = {
  events: [
    { id: '903', title: 'Mayor of Oriel', batches: 9 },
    { id: '917', title: 'Rain in Corran', batches: 5 },
  ],
  sources: [
    { source: null, batches: 9 },
    { source: 'desk', batches: 5 },
  ],
};

const ENTRIES: Wire<typeof listLedger>['data'] = [
  {
    id: 3,
    at: '2026-11-21T22:10:20.310Z',
    kind: 'matched',
    lines: [
      { account: 'receivable', unit: 'usd', amount: '-3.790000' },
      { account: 'fees', unit: 'usd', amount: '0.020000' },
      { account: 'traded', unit: 'usd', amount: '3.770000' },
      { account: 'receivable', unit: TOKEN, amount: '12.000000' },
      { account: 'traded', unit: TOKEN, amount: '-12.000000' },
    ],
    usd: -3.79,
    batch_id: BATCH_ID,
    batch_name: 'Next chair of the Harbour League · Yes on all 3',
    order_id: ORDER_ID,
    market_name: LEG.market_name,
    outcome: 'Yes',
    trade_id: '5f0c1b7e-trade-1',
    submission_id: null,
    transaction_hash: null,
    sender: null,
    names_entry_id: null,
    named_as: null,
    stated_by: null,
    reason: null,
    block: null,
  },
  {
    ...NOTHING,
    id: 2,
    at: '2026-11-21T21:00:00.000Z',
    kind: 'deposit',
    lines: [
      { account: 'cash', unit: 'usd', amount: '500.000000' },
      { account: 'outside', unit: 'usd', amount: '-500.000000' },
    ],
    usd: 500,
    stated_by: 'admin@example.com',
    reason: 'Wired on Friday',
    block: 7,
  },
  {
    ...NOTHING,
    id: 1,
    at: '2026-11-21T20:00:00.000Z',
    kind: 'gas',
    lines: [
      { account: 'gas', unit: 'pol', amount: '0.012300' },
      { account: 'outside', unit: 'pol', amount: '-0.012300' },
    ],
    usd: 0,
    submission_id: '5b1c0001-7736-4471-83cc-07b6cc8ce900',
    stated_by: null,
    reason: null,
    block: 6,
  },
];

const CHECK: Wire<typeof readLedgerBalances>['checks'][number] = {
  venue: 'polymarket',
  at: '2026-11-21T22:15:00.000Z',
  venue_cash_usd: 812.440512,
  ledger_cash_usd: 812.440512,
  differences: [],
  since: null,
};

const BALANCES: Wire<typeof readLedgerBalances> = {
  accounts: [
    { account: 'cash', unit: 'usd', amount: '812.440512' },
    { account: 'receivable', unit: 'usd', amount: '-3.790000' },
    { account: 'fees', unit: 'usd', amount: '0.900000' },
    { account: 'gas', unit: 'pol', amount: '0.012300' },
  ],
  tokens: 9,
  check: CHECK,
  checks: [CHECK],
};

const SETTINGS: Wire<typeof readReportSettings> = { hurdle: 0.044, pause_above_failed: null };

/** Before those whose paths would pass for one with an id. */
export const REPORT_ANSWERS: readonly (readonly [Endpoint, unknown])[] = [
  [readBatchResult, { batch: RESULT, legs: [LEG] }],
  [readReport, SUMMARY],
  [listReportChoices, CHOICES],
  [listReportDays, DAYS],
  [readExposure, EXPOSURE],
  [readExecutionQuality, EXECUTION],
  [readFunnel, FUNNEL],
  [listBatchResults, { data: [RESULT], count: 1 }],
  [listMissed, { data: MISSED, count: 2 }],
  [readReportSettings, SETTINGS],
  [listLedger, { data: ENTRIES, count: 3 }],
  [readLedgerBalances, BALANCES],
];
