import { Box } from '@mantine/core';
import { createFileRoute } from '@tanstack/react-router';
import { ActivityPanel } from '../../features/activity/activity-panel.tsx';
import { EquityHead } from '../../features/equity/equity-head.tsx';
import { ExternalOrders } from '../../features/external-orders/external-orders.tsx';
import { BestOpportunities } from '../../features/opportunities/best-opportunities.tsx';
import { Attention } from '../../features/overview/attention.tsx';
import { FirstSteps } from '../../features/overview/first-steps.tsx';
import { useMoneyTogether } from '../../features/overview/money-together.ts';
import { Overview } from '../../features/overview/overview.tsx';
import { NearestRelations } from '../../features/relations/nearest-relations.tsx';
import { ReportLine } from '../../features/report/report-line.tsx';
import { Greeting } from '../../features/session/greeting.tsx';
import styles from './index.module.css';

export const Route = createFileRoute('/_shell/')({
  component: DashboardPage,
});

function DashboardPage() {
  useMoneyTogether();
  return (
    <>
      <Greeting />
      <Box className="stack" maw={1240}>
        <FirstSteps />
        <div className={styles.head}>
          <EquityHead />
          <Attention />
          <ActivityPanel />
        </div>
        <div className={styles.pair}>
          <BestOpportunities />
          <NearestRelations />
        </div>
        <ReportLine />
        <Overview />
        <ExternalOrders />
      </Box>
    </>
  );
}
