import { createLazyRoute } from '@tanstack/react-router';
import { ExternalOrders } from '../features/external-orders/external-orders.tsx';
import { Greeting } from '../features/session/greeting.tsx';
import { Overview } from '../features/status/overview.tsx';

export const Route = createLazyRoute('/desk/')({ component: DashboardPage });

function DashboardPage() {
  return (
    <>
      <Greeting />
      <Overview />
      <ExternalOrders />
    </>
  );
}
