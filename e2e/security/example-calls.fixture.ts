/** For every operation a call that is right in all its parts, about things that are there. */
import type { Given, Operation } from './operations.ts';
import { MISSING_APPROVAL, PASSWORD, type Scene } from './scene.fixture.ts';

const NO_LIMITS = { per_order_usd: null, per_batch_usd: null, per_day_usd: null, open_exposure_usd: null };

type Example = (scene: Scene) => Given | Promise<Given>;

const plain: Example = () => ({});
const page: Example = () => ({ query: { skip: '0', limit: '10' } });
const onItem: Example = async (scene) => ({ params: { id: await scene.item() } });
const onAccount: Example = async (scene) => ({ params: { user_id: (await scene.account()).id } });
const onApiToken: Example = async (scene) => ({ params: { token_id: (await scene.apiToken()).id } });
const onEmail: Example = (scene) => ({ params: { email: scene.people.user.email } });
const onOpportunity: Example = async (scene) => ({ params: { opportunity_id: await scene.opportunity() } });
const onRelation: Example = async (scene) => ({ params: { relation_id: await scene.relation() } });
const onNotification: Example = async (scene) => ({ params: { notification_id: await scene.notification() } });
const onFilled: Example = async (scene) => ({ params: { batch_id: (await scene.filledBatch()).id } });
const onRefused: Example = async (scene) => ({ params: { batch_id: (await scene.batch('refused')).id } });
const onOpen: Example = async (scene) => ({ params: { batch_id: (await scene.batch('open')).id } });
const onRehearsal: Example = async (scene) => ({ params: { rehearsal_id: await scene.rehearsal('done') } });
const MINUTE = { from: '2026-01-01T00:00:00Z', until: '2026-01-01T00:01:00Z' };
const onOrder: Example = async (scene) => ({ params: { order_id: (await scene.filledBatch()).orderId } });

/** What the user, or of users the superuser, has just deleted. */
const onDeleted =
  (path: string, example: Example, by: 'user' | 'superuser' = 'user'): Example =>
  async (scene) => {
    const given = await example(scene);
    await scene.remove(path, Object.values(given.params ?? {})[0] ?? '', by);
    return given;
  };

const newEmail = () => `${crypto.randomUUID()}@example.com`;

const people: Record<string, Example> = {
  'POST /login/access-token': (scene) => ({ body: { username: scene.people.user.email, password: PASSWORD } }),
  'POST /login/test-token': plain,
  'POST /login/log-out': plain,
  'POST /password-recovery/{email}': onEmail,
  'POST /password-recovery-html-content/{email}': onEmail,
  'POST /reset-password/': async (scene) => ({
    body: { new_password: 'another long password', token: await scene.resetToken() },
  }),
  'GET /users/': page,
  'POST /users/': () => ({ body: { email: newEmail(), password: PASSWORD, full_name: 'Ada' } }),
  'POST /users/signup': () => ({ body: { email: newEmail(), password: PASSWORD, full_name: 'Ada Lovelace' } }),
  'GET /users/me': plain,
  'PATCH /users/me': () => ({ body: { full_name: 'Grace' } }),
  'PATCH /users/me/password': () => ({ body: { current_password: PASSWORD, new_password: 'another long password' } }),
  'DELETE /users/me': plain,
  'GET /users/me/attention': plain,
  'PUT /users/me/attention': () => ({ body: { sounds: ['fill'], browser: [] } }),
  'GET /users/me/sessions': plain,
  'DELETE /users/me/sessions/{session_id}': async (scene) => ({ params: { session_id: await scene.session() } }),
  'POST /users/me/sessions/end-others': plain,
  'POST /users/{user_id}/end-sessions': onAccount,
  'GET /users/me/api-tokens': plain,
  'POST /users/me/api-tokens': () => ({ body: { name: 'Nightly', scope: 'read', expires_in_days: 30 } }),
  'DELETE /users/me/api-tokens/{token_id}': onApiToken,
  'GET /api-tokens/': page,
  'DELETE /api-tokens/{token_id}': onApiToken,
  'GET /users/me/second-factor': plain,
  'POST /users/me/second-factor/start': () => ({ body: { password: PASSWORD } }),
  'POST /users/me/second-factor/confirm': () => ({ body: { code: '000000' } }),
  'POST /users/me/second-factor/recovery-codes': plain,
  'POST /users/me/second-factor/disable': plain,
  'POST /users/me/second-factor/prove': () => ({ body: { code: '000000' } }),
  'POST /users/me/second-factor/passkey-options': plain,
  'POST /users/me/passkeys/options': () => ({ body: { password: PASSWORD } }),
  'POST /users/me/passkeys': () => ({ body: { name: 'Key', passkey: '{}' } }),
  'DELETE /users/me/passkeys/{credential_id}': () => ({ params: { credential_id: 'AAAA' } }),
  'POST /users/{user_id}/second-factor/reset': onAccount,
  'GET /users/{user_id}': onAccount,
  'PATCH /users/{user_id}': async (scene) => ({ ...(await onAccount(scene)), body: { full_name: 'Grace' } }),
  'DELETE /users/{user_id}': onAccount,
  'POST /users/{user_id}/restore': onDeleted('/users', onAccount, 'superuser'),
  'GET /items/': page,
  'POST /items/': () => ({ body: { title: 'A thing', description: 'Of use' } }),
  'GET /items/{id}': onItem,
  'PUT /items/{id}': async (scene) => ({ ...(await onItem(scene)), body: { title: 'Another thing' } }),
  'DELETE /items/{id}': onItem,
  'POST /items/{id}/restore': onDeleted('/items', onItem),
};

const system: Record<string, Example> = {
  'GET /utils/health-check/': plain,
  'POST /utils/test-email/': (scene) => ({ query: { email_to: scene.people.user.email } }),
  'GET /system/status': plain,
  'GET /system/overview': plain,
  'GET /system/activity': plain,
  'GET /system/sign-up-policy': plain,
  'POST /system/arm': () => ({ body: { confirmation: 'ARM' } }),
  'POST /system/disarm': plain,
  'GET /system-settings/': plain,
  'PUT /system-settings/': () => ({ body: { MIN_ORDER_VALUE_USD: 2 } }),
  'GET /system-settings/changes': plain,
  'GET /system-settings/limits': plain,
  'PUT /system-settings/limits': () => ({ body: NO_LIMITS }),
  'GET /system-settings/desk-limits': plain,
  'PUT /system-settings/desk-limits': () => ({ body: NO_LIMITS }),
  'GET /system-settings/discovery': plain,
  'PUT /system-settings/discovery': () => ({ body: { ladder: false } }),
  'GET /system-settings/exits': plain,
  'GET /system-settings/security': plain,
  'PUT /system-settings/security': () => ({ body: { second_factor_for_all: false } }),
  'PUT /system-settings/exits': () => ({ body: { auto_redeem: false } }),
  'POST /system-settings/clear-cache': plain,
  'POST /rehearsals/': async (scene) => {
    await scene.endRehearsals();
    const changes = { settings: { MIN_PROFIT_TRIGGER_THRESHOLD: 1.5 } };
    return { body: { from: '2025-12-31T23:00:00Z', until: '2026-01-01T00:00:00Z', changes } };
  },
  'GET /rehearsals/': page,
  'GET /rehearsals/{rehearsal_id}': onRehearsal,
  'GET /rehearsals/{rehearsal_id}/differences': async (scene) => ({ ...page(scene), ...(await onRehearsal(scene)) }),
  'POST /rehearsals/{rehearsal_id}/cancel': async (scene) => ({
    params: { rehearsal_id: await scene.rehearsal('queued') },
  }),
  'DELETE /rehearsals/{rehearsal_id}': onRehearsal,
  'GET /audit-log/': page,
  'GET /audit-log/export': plain,
  'POST /audit-log/verify': plain,
  'GET /ledger/': page,
  'GET /ledger/balances': plain,
  'POST /ledger/verify': plain,
  'POST /ledger/statements': () => ({ body: { kind: 'deposit', unit: 'usd', amount: '1', reason: 'From the bank' } }),
  'POST /ledger/names': async (scene) => ({
    body: { entry_id: await scene.unknownDollars(), kind: 'reward', reason: 'As announced' },
  }),
  'GET /ledger/export-csv': plain,
  'GET /ledger/tax-csv': plain,
  'GET /markets': page,
  'GET /markets/rules': () => ({ query: { market_ids: 'rain' } }),
  'GET /portfolio': plain,
  'GET /portfolio/equity': plain,
  'POST /portfolio/events/{event_id}/cash-now': () => ({ params: { event_id: 'cup' } }),
  'POST /portfolio/redeem': plain,
  'POST /portfolio/sell': () => ({ body: { token_ids: ['1'] } }),
  'GET /chain-submissions': page,
  'GET /chain-submissions/{submission_id}': async (scene) => ({ params: { submission_id: await scene.submission() } }),
  'GET /approvals': plain,
  'POST /approvals': async (scene) => {
    await scene.arm();
    return { body: MISSING_APPROVAL };
  },
  'GET /relations': page,
  'GET /relations/census': plain,
  'GET /relations/export-csv': plain,
  'GET /relations/hits': page,
  'GET /relations/why': () => ({ query: { q: 'winner' } }),
  'GET /relations/{relation_id}': onRelation,
  'GET /relations/{relation_id}/distances': onRelation,
  'GET /relations/{relation_id}/moments': async (scene) => ({ ...(await onRelation(scene)), query: MINUTE }),
  'POST /relations': async (scene) => ({
    body: { kind: 'ladder', market_ids: await scene.openMarkets(), title: null, note: 'Each winner has taken part' },
  }),
  'POST /relations/{relation_id}/approve': async (scene) => ({
    ...(await onRelation(scene)),
    body: { scope: 'relation', fingerprint: 'as read' },
  }),
  'POST /relations/{relation_id}/reject': async (scene) => ({
    ...(await onRelation(scene)),
    body: { reason: 'They end at different times' },
  }),
  'PUT /relations/{relation_id}/follow': async (scene) => ({ ...(await onRelation(scene)), body: { follow: true } }),
  'GET /notifications/alerts': page,
  'POST /notifications/alerts': async (scene) => ({
    body: { opportunity_id: await scene.opportunity(), at_percentage: 1.5 },
  }),
  'DELETE /notifications/alerts/{alert_id}': async (scene) => ({ params: { alert_id: await scene.alert() } }),
  'GET /notifications/status': plain,
  'GET /notifications/telegram/config': plain,
  'POST /notifications/telegram/config': () => ({
    body: { bot_token: '1:token', chat_id: '-42', enabled: true, mute_user_ids: [7] },
  }),
  'POST /notifications/global': () => ({ query: { enabled: 'true', throttle_seconds: '60' } }),
  'POST /notifications/test': () => ({ body: { message: 'Hello' } }),
  'GET /notifications/records': page,
  'GET /notifications/records/export-csv': plain,
  'GET /notifications/records/stats': plain,
  'GET /notifications/records/{notification_id}': onNotification,
  'PATCH /notifications/records/{notification_id}': async (scene) => ({
    ...(await onNotification(scene)),
    body: { message: 'Told otherwise' },
  }),
  'DELETE /notifications/records/{notification_id}': onNotification,
  'POST /notifications/records/{notification_id}/restore': onDeleted('/notifications/records', onNotification),
  'POST /notifications/records/{notification_id}/retry': async (scene) => ({
    params: { notification_id: await scene.notification('failed') },
  }),
};

const opportunities: Record<string, Example> = {
  'GET /arbitrage/opportunities': page,
  'POST /arbitrage/opportunities': (scene) => ({ body: { market_combinations: scene.combinations() } }),
  'GET /arbitrage/opportunities/{opportunity_id}': onOpportunity,
  'PUT /arbitrage/opportunities/{opportunity_id}': async (scene) => ({
    ...(await onOpportunity(scene)),
    query: { target_price: '0.99' },
    body: { active: true },
  }),
  'DELETE /arbitrage/opportunities/{opportunity_id}': onOpportunity,
  'POST /arbitrage/opportunities/{opportunity_id}/restore': onDeleted('/arbitrage/opportunities', onOpportunity),
  'GET /arbitrage/opportunities/{opportunity_id}/depth': onOpportunity,
  'GET /arbitrage/opportunities/{opportunity_id}/series': onOpportunity,
  'GET /arbitrage/opportunities/{opportunity_id}/history': onOpportunity,
  'GET /arbitrage/opportunities/{opportunity_id}/history/before': onOpportunity,
  'GET /arbitrage/opportunities/{opportunity_id}/moments': async (scene) => ({
    ...(await onOpportunity(scene)),
    query: MINUTE,
  }),
  'GET /arbitrage/chosen-sizes': () => ({ query: { ids: '00000000-0000-4000-8000-000000000000' } }),
  'GET /arbitrage/histories': () => ({ query: { ids: '00000000-0000-4000-8000-000000000000' } }),
  'POST /arbitrage/opportunities/update-content-hashes': plain,
  'POST /arbitrage/preview': (scene) => ({ body: { market_combinations: scene.combinations() } }),
  'POST /arbitrage/import-csv': (scene) => ({
    file: `market_combinations\n"${JSON.stringify(scene.combinations()).replaceAll('"', '""')}"\n`,
  }),
  'GET /arbitrage/export-csv': plain,
  'POST /arbitrage/check/{opportunity_id}': onOpportunity,
  'POST /arbitrage/check-all': plain,
  'POST /arbitrage/update-prices': plain,
};

const trades: Record<string, Example> = {
  'GET /arbitrage/simulate-orders/{opportunity_id}': onOpportunity,
  'POST /arbitrage/place-order/{opportunity_id}': async (scene) => {
    await scene.arm();
    return await onOpportunity(scene);
  },
  'GET /external-orders': page,
  'GET /cash-pockets': plain,
  'GET /cash-moves': page,
  'POST /cash-moves': () => ({
    body: { id: crypto.randomUUID(), venue: 'kalshi', from_pocket: '0', to_pocket: '2', amount_usd: 40 },
  }),
  'POST /cash-moves/{cash_move_id}/close': async (scene) => ({
    params: { cash_move_id: await scene.cashMove() },
    body: { was_made: true },
  }),
  'GET /fee-stops': page,
  'POST /fee-stops/{fee_stop_id}/clear': async (scene) => ({ params: { fee_stop_id: await scene.feeStop() } }),
  'GET /arbitrage/orders': page,
  'GET /arbitrage/orders/export-csv': plain,
  'GET /arbitrage/orders/{order_id}': onOrder,
  'POST /arbitrage/orders/update-status': plain,
  'GET /arbitrage/orders/batch/{batch_id}': onFilled,
  'GET /arbitrage/orders/batch/{batch_id}/summary': onFilled,
  'POST /arbitrage/sell-order/{order_id}': async (scene) => ({
    params: { order_id: (await scene.batch('filled')).orderId },
  }),
  'POST /arbitrage/orders/{order_id}/cancel': onOrder,
  'POST /arbitrage/batch/{batch_id}/sell-all': onFilled,
  'GET /arbitrage/batches': page,
  'GET /arbitrage/batches/export-csv': plain,
  'GET /arbitrage/batches/active/list': plain,
  'GET /arbitrage/batches/retryable/list': plain,
  'GET /arbitrage/batches/{batch_id}': onFilled,
  'GET /arbitrage/batches/{batch_id}/orders': onFilled,
  'GET /arbitrage/batches/{batch_id}/summary': onFilled,
  'GET /arbitrage/batches/{batch_id}/metrics': onFilled,
  'GET /arbitrage/batches/{batch_id}/timeline': onFilled,
  'GET /arbitrage/batches/{batch_id}/moments': onFilled,
  'POST /arbitrage/batches/{batch_id}/retry': onRefused,
  'POST /arbitrage/batches/{batch_id}/finish-set': async (scene) => ({
    ...(await onFilled(scene)),
    query: { up_to_usd: '5' },
  }),
  'POST /arbitrage/batches/{batch_id}/cancel': onOpen,
  'POST /arbitrage/batches/{batch_id}/reconcile': onFilled,
  'POST /arbitrage/batches/{batch_id}/unwind': onFilled,
  'POST /arbitrage/batches/{batch_id}/cash-now': onFilled,
};

const recordings: Record<string, Example> = {
  'GET /recordings/status': plain,
  'GET /recordings/records': () => ({
    query: { token_id: '1', from: '2026-01-01T00:00:00Z', until: '2026-01-01T00:10:00Z' },
  }),
  'GET /recordings/export': () => ({ query: { from: '2026-01-01T00:00:00Z', until: '2026-01-01T00:10:00Z' } }),
};

const simulator: Record<string, Example> = {
  'POST /ledger/paper-transfers': () => ({ body: { kind: 'deposit', usd: 5 } }),
  'GET /ledger/runs': plain,
  'POST /ledger/start-over': () => ({ body: { id: crypto.randomUUID(), cash_usd: 1000 } }),
  'POST /ledger/start-over/give-up': () => ({ body: { id: crypto.randomUUID() } }),
  'GET /simulator': plain,
  'POST /simulator/clock': () => ({ body: { minutes: 5 } }),
  'POST /simulator/faults': () => ({ body: { name: 'hang', times: 1 } }),
  'DELETE /simulator/faults': plain,
  'POST /simulator/resolve': () => ({ body: { market_id: 'rain', outcome: 'Yes' } }),
  'POST /simulator/book': () => ({ body: { token_id: '1', bids: [{ price: 0.3, size: 10 }], asks: [] } }),
  'POST /simulator/makers': () => ({ body: { paused: true } }),
};

const report: Record<string, Example> = {
  'GET /report/settings': plain,
  'PUT /report/settings': () => ({ body: { hurdle: 0.05, pause_above_failed: null } }),
  'GET /report/summary': plain,
  'GET /report/days': plain,
  'GET /report/exposure': plain,
  'GET /report/execution': plain,
  'GET /report/funnel': plain,
  'GET /report/missed': page,
  'GET /report/choices': plain,
  'GET /report/batches': page,
  'GET /report/batches/export-csv': plain,
  'GET /report/batches/{batch_id}': async (scene) => ({ params: { batch_id: await scene.reportedBatch() } }),
};

const onSignOff: Example = async (scene) => ({ params: { sign_off_id: await scene.signOff() } });

const signOffs: Record<string, Example> = {
  'GET /sign-offs/': page,
  'GET /sign-offs/{sign_off_id}': onSignOff,
  'POST /sign-offs/{sign_off_id}/approve': onSignOff,
  'POST /sign-offs/{sign_off_id}/reject': async (scene) => ({
    ...(await onSignOff(scene)),
    body: { reason: 'Not today' },
  }),
  'POST /sign-offs/{sign_off_id}/withdraw': onSignOff,
};

export const EXAMPLE_CALLS: Readonly<Record<string, Example>> = {
  ...people,
  ...system,
  ...opportunities,
  ...trades,
  ...report,
  ...recordings,
  ...simulator,
  ...signOffs,
};

export async function givenOf({ name }: Operation, scene: Scene): Promise<Given> {
  return (await EXAMPLE_CALLS[name]?.(scene)) ?? {};
}

/** Or the session with which it is made. */
export function endsItsCaller({ path }: Operation): boolean {
  return path.startsWith('/users/me') || path === '/reset-password/' || path === '/login/log-out';
}
