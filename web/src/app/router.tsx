import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  type SearchSchemaInput,
  stripSearchParams,
} from '@tanstack/react-router';
import { ADMIN_SEARCH_DEFAULTS, type AdminSearch, adminSearchFrom } from '../features/audit/audit-search.ts';
import { BATCH_SEARCH_DEFAULTS, type BatchSearch, batchSearchFrom } from '../features/batches/batch-search.ts';
import {
  NOTIFICATION_SEARCH_DEFAULTS,
  type NotificationSearch,
  notificationSearchFrom,
} from '../features/notifications/notification-search.ts';
import {
  OPPORTUNITY_SEARCH_DEFAULTS,
  type OpportunitySearch,
  opportunitySearchFrom,
} from '../features/opportunities/opportunity-search.ts';
import { PageFailed } from '../routes/page-failed.tsx';
import { readAccessToken } from './access-token.ts';
import { pageFrom } from './list-search.ts';

type Paged = { page?: number };
/** Which tab is open; the page knows its tabs, and shows the first for any other word. */
type Tabbed = { tab?: string | undefined };

/** The dialog to open with the page. */
type Ordering = { order?: 'simulate' };

const FIRST_PAGE = { page: 1 };

const tabFrom = (tab: unknown): Tabbed => ({ tab: typeof tab === 'string' ? tab : undefined });

const NotFoundPage = lazyRouteComponent(() => import('../routes/not-found.tsx'), 'NotFoundPage');
const root = createRootRoute({ notFoundComponent: NotFoundPage });

/** Everything before the login: of no use to those who are signed in. */
const entry = createRoute({
  getParentRoute: () => root,
  id: 'entry',
  beforeLoad: () => {
    if (readAccessToken() !== null) throw redirect({ to: '/' });
  },
});

const login = createRoute({ getParentRoute: () => entry, path: '/login' }).lazy(() =>
  import('../routes/login.tsx').then(({ Route }) => Route),
);

const signUp = createRoute({ getParentRoute: () => entry, path: '/signup' }).lazy(() =>
  import('../routes/signup.tsx').then(({ Route }) => Route),
);

const recoverPassword = createRoute({ getParentRoute: () => entry, path: '/recover-password' }).lazy(() =>
  import('../routes/recover-password.tsx').then(({ Route }) => Route),
);

const resetPassword = createRoute({
  getParentRoute: () => entry,
  path: '/reset-password',
  validateSearch: ({ token }: { token?: unknown } & SearchSchemaInput): { token?: string } =>
    token === undefined || token === '' ? {} : { token: String(token) },
}).lazy(() => import('../routes/reset-password.tsx').then(({ Route }) => Route));

/** Everything behind the login. */
const desk = createRoute({
  getParentRoute: () => root,
  id: 'desk',
  beforeLoad: () => {
    if (readAccessToken() === null) throw redirect({ to: '/login' });
  },
}).lazy(() => import('../routes/desk.tsx').then(({ Route }) => Route));

const dashboard = createRoute({ getParentRoute: () => desk, path: '/' }).lazy(() =>
  import('../routes/dashboard.tsx').then(({ Route }) => Route),
);

const arbitrage = createRoute({
  getParentRoute: () => desk,
  path: '/arbitrage',
  validateSearch: (raw: Partial<OpportunitySearch> & SearchSchemaInput) => opportunitySearchFrom(raw),
  search: { middlewares: [stripSearchParams(OPPORTUNITY_SEARCH_DEFAULTS)] },
}).lazy(() => import('../routes/arbitrage.tsx').then(({ Route }) => Route));

const opportunity = createRoute({
  getParentRoute: () => desk,
  path: '/arbitrage/$opportunityId',
  validateSearch: ({ order }: Ordering & SearchSchemaInput): Ordering => (order === 'simulate' ? { order } : {}),
}).lazy(() => import('../routes/arbitrage.$opportunityId.tsx').then(({ Route }) => Route));

const batches = createRoute({
  getParentRoute: () => desk,
  path: '/batches',
  validateSearch: (raw: Partial<BatchSearch> & SearchSchemaInput) => batchSearchFrom(raw),
  search: { middlewares: [stripSearchParams(BATCH_SEARCH_DEFAULTS)] },
}).lazy(() => import('../routes/batches.tsx').then(({ Route }) => Route));

const batch = createRoute({ getParentRoute: () => desk, path: '/batches/$batchId' }).lazy(() =>
  import('../routes/batches.$batchId.tsx').then(({ Route }) => Route),
);

const batchOrders = createRoute({ getParentRoute: () => desk, path: '/batches/$batchId/orders' }).lazy(() =>
  import('../routes/batches.$batchId.orders.tsx').then(({ Route }) => Route),
);

const notifications = createRoute({
  getParentRoute: () => desk,
  path: '/notifications',
  validateSearch: (raw: Partial<NotificationSearch> & SearchSchemaInput) => notificationSearchFrom(raw),
  search: { middlewares: [stripSearchParams(NOTIFICATION_SEARCH_DEFAULTS)] },
}).lazy(() => import('../routes/notifications.tsx').then(({ Route }) => Route));

const notification = createRoute({ getParentRoute: () => desk, path: '/notifications/$notificationId' }).lazy(() =>
  import('../routes/notifications.$notificationId.tsx').then(({ Route }) => Route),
);

const items = createRoute({
  getParentRoute: () => desk,
  path: '/items',
  validateSearch: ({ page }: Paged & SearchSchemaInput) => ({ page: pageFrom(page) }),
  search: { middlewares: [stripSearchParams(FIRST_PAGE)] },
}).lazy(() => import('../routes/items.tsx').then(({ Route }) => Route));

const settings = createRoute({
  getParentRoute: () => desk,
  path: '/settings',
  validateSearch: ({ tab }: Tabbed & SearchSchemaInput) => tabFrom(tab),
}).lazy(() => import('../routes/settings.tsx').then(({ Route }) => Route));

const admin = createRoute({
  getParentRoute: () => desk,
  path: '/admin',
  validateSearch: (raw: Partial<AdminSearch> & SearchSchemaInput) => adminSearchFrom(raw),
  search: { middlewares: [stripSearchParams(ADMIN_SEARCH_DEFAULTS)] },
}).lazy(() => import('../routes/admin.tsx').then(({ Route }) => Route));

const systemSettings = createRoute({ getParentRoute: () => desk, path: '/admin/system-settings' }).lazy(() =>
  import('../routes/admin.system-settings.tsx').then(({ Route }) => Route),
);

const routeTree = root.addChildren([
  entry.addChildren([login, signUp, recoverPassword, resetPassword]),
  desk.addChildren([
    dashboard,
    arbitrage,
    opportunity,
    batches,
    batch,
    batchOrders,
    notifications,
    notification,
    items,
    settings,
    admin,
    systemSettings,
  ]),
]);

export function createAppRouter() {
  return createRouter({
    routeTree,
    defaultErrorComponent: PageFailed,
    defaultPreload: 'intent',
    scrollRestoration: true,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
