/** The calls and the fields that the specification names: existing clients send them and read them. */
import { expect, it } from 'vitest';
import type * as z from 'zod/mini';
import {
  batch,
  cancelBatch,
  listActiveBatches,
  listBatches,
  listRetryableBatches,
  readBatch,
  readBatchOrders,
  readBatchSummary,
  readOrdersOfBatch,
  readOrdersSummary,
  retryBatch,
} from './batches.ts';
import { readMe, testToken, user } from './current-user.ts';
import { API_PREFIX, API_VERSION, type Endpoint } from './endpoint.ts';
import { readBatchMetrics } from './execution.ts';
import { createItem, deleteItem, listItems, readItem, updateItem } from './items.ts';
import { checkAllOpportunities, updatePrices } from './jobs.ts';
import { createAccessToken, readRecoveryHtml, recoverPassword, resetPassword } from './login.ts';
import { switchSending, testNotifications, writeTelegram } from './notification-sending.ts';
import {
  deleteNotification,
  listNotifications,
  notification,
  readNotification,
  retryNotification,
  updateNotification,
} from './notifications.ts';
import { importCsv } from './opportunities/import-csv.ts';
import {
  checkOpportunity,
  createOpportunity,
  deleteOpportunity,
  exportCsv,
  listOpportunities,
  opportunity,
  opportunityRow,
  readOpportunity,
  updateContentHashes,
  updateOpportunity,
} from './opportunities.ts';
import { batchSummary, listOrders, order, readOrder, updateOrderStatuses } from './orders.ts';
import { placeOrder, simulateOrders } from './placing.ts';
import { sellAll, sellOrder } from './selling.ts';
import { readNotificationStats, readSendingStatus } from './sending-status.ts';
import { clearCache, readSystemSettings, writeSystemSettings } from './system-settings.ts';
import {
  createUser,
  deleteMe,
  deleteUser,
  listUsers,
  readUser,
  signUp,
  updateMe,
  updateMyPassword,
  updateUser,
} from './users.ts';

/** The names of the fields of an object, or of what may stand in its place. */
function fieldsOf(schema: z.ZodMiniType): string[] {
  if ('shape' in schema) return Object.keys(schema.shape as object);
  const { innerType, options = [] } = schema._zod.def as { innerType?: z.ZodMiniType; options?: z.ZodMiniType[] };
  return (innerType === undefined ? options : [innerType]).flatMap(fieldsOf);
}

type Named = { query?: string; body?: string; reply?: string };

const OPPORTUNITY =
  'id created_at updated_at market_combinations target_price current_price profit_percentage active triggered last_checked last_error error_count source source_details content_hash';

const LIST = 'skip limit sort_by sort_order';

const CALLS: readonly (readonly [string, Endpoint, Named?])[] = [
  ['GET /arbitrage/opportunities', listOpportunities, { query: `${LIST} active triggered`, reply: 'data count' }],
  ['POST /arbitrage/opportunities', createOpportunity, { query: 'target_price', body: 'market_combinations' }],
  ['GET /arbitrage/opportunities/{opportunity_id}', readOpportunity],
  ['PUT /arbitrage/opportunities/{opportunity_id}', updateOpportunity, { query: 'active target_price' }],
  ['DELETE /arbitrage/opportunities/{opportunity_id}', deleteOpportunity],
  ['POST /arbitrage/import-csv', importCsv, { reply: 'opportunity_ids' }],
  ['GET /arbitrage/export-csv', exportCsv, { query: 'active triggered' }],
  ['POST /arbitrage/check/{opportunity_id}', checkOpportunity],
  ['POST /arbitrage/check-all', checkAllOpportunities, { query: 'active_only', reply: 'message' }],
  ['POST /arbitrage/update-prices', updatePrices, { reply: 'message' }],
  ['POST /arbitrage/place-order/{opportunity_id}', placeOrder, { query: 'order_size' }],
  ['GET /arbitrage/simulate-orders/{opportunity_id}', simulateOrders, { query: 'order_size' }],
  [
    'GET /arbitrage/orders',
    listOrders,
    { query: `${LIST} opportunity_id status batch_id group_by_batch include_batch_summary` },
  ],
  ['GET /arbitrage/orders/{order_id}', readOrder],
  ['POST /arbitrage/orders/update-status', updateOrderStatuses, { query: 'opportunity_id' }],
  ['GET /arbitrage/orders/batch/{batch_id}', readOrdersOfBatch],
  ['GET /arbitrage/orders/batch/{batch_id}/summary', readOrdersSummary],
  ['POST /arbitrage/sell-order/{order_id}', sellOrder, { query: 'sell_size sell_price' }],
  ['POST /arbitrage/batch/{batch_id}/sell-all', sellAll, { query: 'simulate' }],
  ['POST /arbitrage/opportunities/update-content-hashes', updateContentHashes, { query: 'handle_duplicates' }],
  [
    'GET /arbitrage/batches',
    listBatches,
    { query: `${LIST} status opportunity_id is_active can_retry min_orders max_orders`, reply: 'data count' },
  ],
  ['GET /arbitrage/batches/{batch_id}', readBatch],
  ['GET /arbitrage/batches/{batch_id}/orders', readBatchOrders, { reply: 'data' }],
  ['GET /arbitrage/batches/{batch_id}/summary', readBatchSummary],
  ['GET /arbitrage/batches/{batch_id}/metrics', readBatchMetrics],
  ['POST /arbitrage/batches/{batch_id}/retry', retryBatch],
  ['POST /arbitrage/batches/{batch_id}/cancel', cancelBatch],
  ['GET /arbitrage/batches/active/list', listActiveBatches, { query: 'limit' }],
  ['GET /arbitrage/batches/retryable/list', listRetryableBatches, { query: 'limit' }],
  ['GET /items/', listItems, { query: 'skip limit', reply: 'data count' }],
  ['POST /items/', createItem, { body: 'title description' }],
  ['GET /items/{id}', readItem],
  ['PUT /items/{id}', updateItem],
  ['DELETE /items/{id}', deleteItem],
  ['POST /login/access-token', createAccessToken, { body: 'username password', reply: 'access_token' }],
  ['POST /login/test-token', testToken],
  ['POST /password-recovery/{email}', recoverPassword],
  ['POST /reset-password/', resetPassword, { body: 'new_password token' }],
  ['POST /password-recovery-html-content/{email}', readRecoveryHtml],
  ['GET /notifications/status', readSendingStatus],
  ['POST /notifications/telegram/config', writeTelegram],
  ['POST /notifications/test', testNotifications],
  ['POST /notifications/global', switchSending, { query: 'enabled throttle_seconds' }],
  [
    'GET /notifications/records',
    listNotifications,
    { query: `${LIST} status notification_type opportunity_id`, reply: 'data count' },
  ],
  ['GET /notifications/records/stats', readNotificationStats],
  ['GET /notifications/records/{notification_id}', readNotification],
  ['PATCH /notifications/records/{notification_id}', updateNotification],
  ['DELETE /notifications/records/{notification_id}', deleteNotification],
  ['POST /notifications/records/{notification_id}/retry', retryNotification],
  ['GET /system-settings/', readSystemSettings],
  ['PUT /system-settings/', writeSystemSettings],
  ['POST /system-settings/clear-cache', clearCache],
  ['GET /users/', listUsers, { query: 'skip limit', reply: 'data count' }],
  ['POST /users/', createUser],
  ['GET /users/me', readMe],
  ['PATCH /users/me', updateMe],
  ['DELETE /users/me', deleteMe],
  ['PATCH /users/me/password', updateMyPassword, { body: 'current_password new_password' }],
  ['POST /users/signup', signUp],
  ['GET /users/{user_id}', readUser],
  ['PATCH /users/{user_id}', updateUser],
  ['DELETE /users/{user_id}', deleteUser],
];

it.each(CALLS.map(([called, endpoint, named = {}]) => ({ called, endpoint, named })))(
  '$called is called so, with what it takes and answers',
  ({ called, endpoint: { method, path, ...parts }, named }) => {
    expect(`${method} ${path}`).toBe(called);
    for (const part of ['query', 'body', 'reply'] as const)
      expect(fieldsOf(parts[part]), part).toEqual(expect.arrayContaining(named[part]?.split(' ') ?? []));
  },
);

it('stands under one prefix, and has the version that clients know', () => {
  expect([API_PREFIX, API_VERSION]).toEqual(['/api/v1', '0.1.0']);
  expect([createAccessToken.encoding, importCsv.encoding]).toEqual(['form', 'multipart']);
});

it.each([
  ['an item', readItem.reply, 'id title description'],
  ['a user', user, 'id email full_name is_superuser is_active'],
  [
    'a notification',
    notification,
    'id opportunity_id notification_type message status sent_at attempts created_at updated_at error_message data',
  ],
  [
    'the statistics of notifications',
    readNotificationStats.reply,
    'total_notifications pending_count sent_count failed_count recent_notifications avg_attempts success_rate',
  ],
  [
    'a batch',
    batch,
    'id opportunity_id status total_orders expected_orders target_profit_usd actual_profit_usd retry_count max_retries can_retry is_active is_final execution_started_at execution_completed_at created_at updated_at last_error',
  ],
  ['the summary of a batch', batchSummary, 'success_rate average_order_value execution_time_seconds'],
  [
    'an order',
    order,
    'id status market_id market_name token_id side outcome size price error created_at updated_at batch_id',
  ],
  ['an opportunity', opportunity, OPPORTUNITY],
  ['an opportunity in a list', opportunityRow, OPPORTUNITY],
  [
    'a simulated and an executed sale',
    sellAll.reply,
    'simulation batch_id total_orders sellable_orders total_original_value estimated_proceeds estimated_profit estimated_profit_percentage average_original_price average_sell_price orders warnings errors successful_sells failed_sells total_proceeds summary',
  ],
] as const)('%s has the fields that it is known by', (_what, schema, fields) => {
  expect(fieldsOf(schema)).toEqual(expect.arrayContaining(fields.split(' ')));
});
