/** What a product with its samples once answered, by what was asked for. */
import { listApprovals } from '@dutchbook/contract/approvals.ts';
import { listBatches, readBatch, readBatchOrders, readBatchSummary } from '@dutchbook/contract/batches.ts';
import { listChainSubmissions, readChainSubmission } from '@dutchbook/contract/chain-steps.ts';
import { readMe } from '@dutchbook/contract/current-user.ts';
import { explainWatched, readCensus } from '@dutchbook/contract/discovery/census.ts';
import { listRelationHits } from '@dutchbook/contract/discovery/hits.ts';
import { readDiscoverySettings } from '@dutchbook/contract/discovery-settings.ts';
import type { Endpoint } from '@dutchbook/contract/endpoint.ts';
import { readBatchMetrics, readBatchTimeline } from '@dutchbook/contract/execution.ts';
import { readExitSettings } from '@dutchbook/contract/exit-settings.ts';
import { cashNowOfBatch } from '@dutchbook/contract/exits.ts';
import { listExternalOrders } from '@dutchbook/contract/external-orders.ts';
import { readBatchMoments } from '@dutchbook/contract/flight-recorder.ts';
import { listItems } from '@dutchbook/contract/items.ts';
import { readLimits } from '@dutchbook/contract/limits.ts';
import { listMarketRules } from '@dutchbook/contract/markets.ts';
import { listNotifications } from '@dutchbook/contract/notifications.ts';
import { listOpportunities, readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { listChosenSizes, readSeries, simulateOrders } from '@dutchbook/contract/placing.ts';
import { readEquity, readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { listDistances, listRelations, readRelation } from '@dutchbook/contract/relations.ts';
import { readSecuritySettings } from '@dutchbook/contract/security-settings.ts';
import { readNotificationStats, readSendingStatus } from '@dutchbook/contract/sending-status.ts';
import { listActivity, readOverview, readSystemStatus } from '@dutchbook/contract/status.ts';
import { readSettingChanges, readSystemSettings } from '@dutchbook/contract/system-settings.ts';
import { listUsers } from '@dutchbook/contract/users.ts';
import { readDepth, readHistories, readHistory } from '@dutchbook/contract/valuation.ts';
import type * as z from 'zod/mini';
import text from './recorded-answers.json?raw';
import { REPORT_ANSWERS } from './report-answers.ts';

const { answers } = JSON.parse(text) as { answers: Record<string, unknown> };

const ENDPOINTS: readonly Endpoint[] = [
  // Before those whose paths would pass for one with an id.
  readRelation,
  explainWatched,
  cashNowOfBatch,
  listActivity,
  listApprovals,
  listBatches,
  listChainSubmissions,
  listChosenSizes,
  listDistances,
  listExternalOrders,
  listItems,
  listMarketRules,
  listNotifications,
  listOpportunities,
  listRelationHits,
  listRelations,
  listUsers,
  readBatch,
  readBatchMetrics,
  readBatchMoments,
  readBatchOrders,
  readBatchSummary,
  readBatchTimeline,
  readCensus,
  readChainSubmission,
  readDepth,
  readDiscoverySettings,
  readExitSettings,
  readHistories,
  readHistory,
  readLimits,
  readMe,
  readNotificationStats,
  readOpportunity,
  readOverview,
  readEquity,
  readPortfolio,
  readSecuritySettings,
  readSendingStatus,
  readSeries,
  readSettingChanges,
  readSystemSettings,
  readSystemStatus,
  simulateOrders,
];

/** A copy of what `endpoint` once answered, as it travelled. */
export function recorded<E extends Endpoint>(endpoint: E): z.input<E['reply']> {
  const reported = REPORT_ANSWERS.find(([known]) => known === endpoint);
  if (reported !== undefined) return structuredClone(reported[1]) as z.input<E['reply']>;
  const { path } = endpoint;
  const pattern = new RegExp(`^/api/v1${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?|$)`);
  const found = Object.entries(answers).find(([call]) => pattern.test(call));
  if (found === undefined) throw new Error(`nothing was recorded of ${path}`);
  return structuredClone(found[1]) as z.input<E['reply']>;
}

const REPORTED = REPORT_ANSWERS.map(([endpoint]) => endpoint);

export const RECORDED = [...ENDPOINTS, ...REPORTED].map((endpoint) => [endpoint, recorded(endpoint)] as const);
