import { createFileRoute } from '@tanstack/react-router';
import { ExternalOrders } from '../../features/external-orders/external-orders.tsx';
import { Greeting } from '../../features/session/greeting.tsx';
import { Overview } from '../../features/status/overview.tsx';

export const Route = createFileRoute('/_shell/')({
  component: DashboardPage,
});

function DashboardPage() {
  return (
    <>
      <Greeting />
      <Overview />
      <ExternalOrders />
    </>
  );
}
