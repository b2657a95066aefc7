import { createRootRoute, lazyRouteComponent } from '@tanstack/react-router';

export const Route = createRootRoute({
  notFoundComponent: lazyRouteComponent(() => import('../app/not-found.tsx'), 'NotFoundPage'),
});
