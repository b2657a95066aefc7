import {
  createRootRoute,
  createRoute,
  createRouter,
  redirect,
  type SearchSchemaInput,
  stripSearchParams,
} from '@tanstack/react-router';
import { BATCH_SEARCH_DEFAULTS, type BatchSearch, batchSearchFrom } from '../features/batches/batch-search.ts';
import {
  OPPORTUNITY_SEARCH_DEFAULTS,
  type OpportunitySearch,
  opportunitySearchFrom,
} from '../features/opportunities/opportunity-search.ts';
import { NotFoundPage } from '../routes/not-found.tsx';
import { readAccessToken } from './access-token.ts';

const root = createRootRoute({ notFoundComponent: NotFoundPage });

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  beforeLoad: () => {
    if (readAccessToken() !== null) throw redirect({ to: '/' });
  },
}).lazy(() => import('../routes/login.tsx').then(({ Route }) => Route));

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

const opportunity = createRoute({ getParentRoute: () => desk, path: '/arbitrage/$opportunityId' }).lazy(() =>
  import('../routes/arbitrage.$opportunityId.tsx').then(({ Route }) => Route),
);

const batches = createRoute({
  getParentRoute: () => desk,
  path: '/batches',
  validateSearch: (raw: Partial<BatchSearch> & SearchSchemaInput) => batchSearchFrom(raw),
  search: { middlewares: [stripSearchParams(BATCH_SEARCH_DEFAULTS)] },
}).lazy(() => import('../routes/batches.tsx').then(({ Route }) => Route));

const batch = createRoute({ getParentRoute: () => desk, path: '/batches/$batchId' }).lazy(() =>
  import('../routes/batches.$batchId.tsx').then(({ Route }) => Route),
);

const routeTree = root.addChildren([login, desk.addChildren([dashboard, arbitrage, opportunity, batches, batch])]);

export function createAppRouter() {
  return createRouter({ routeTree, defaultPreload: 'intent', scrollRestoration: true });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createAppRouter>;
  }
}
