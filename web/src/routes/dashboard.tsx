import { useQuery } from '@tanstack/react-query';
import { createLazyRoute, Link } from '@tanstack/react-router';
import { batchCountQuery } from '../features/batches/batch-counts.ts';
import { BATCH_SEARCH_DEFAULTS } from '../features/batches/batch-search.ts';
import { opportunityCountQuery } from '../features/opportunities/opportunity-counts.ts';
import { OPPORTUNITY_SEARCH_DEFAULTS } from '../features/opportunities/opportunity-search.ts';
import { Greeting } from '../features/session/greeting.tsx';
import { CountCard } from '../ui/count-card.tsx';
import styles from './dashboard.module.css';

export const Route = createLazyRoute('/desk/')({ component: DashboardPage });

function DashboardPage() {
  const opportunities = useQuery(opportunityCountQuery({}));
  const triggered = useQuery(opportunityCountQuery({ triggered: true }));
  const batches = useQuery(batchCountQuery({}));
  const active = useQuery(batchCountQuery({ is_active: true }));
  return (
    <>
      <Greeting />
      <div className={styles.cards}>
        <CountCard title="Opportunities" count={opportunities.data} detail={`${triggered.data ?? '–'} triggered now`}>
          <Link to="/arbitrage" search={OPPORTUNITY_SEARCH_DEFAULTS}>
            All opportunities
          </Link>
          <Link to="/arbitrage" search={{ ...OPPORTUNITY_SEARCH_DEFAULTS, triggered: true }}>
            Triggered
          </Link>
        </CountCard>
        <CountCard title="Batches" count={batches.data} detail={`${active.data ?? '–'} at work now`}>
          <Link to="/batches" search={BATCH_SEARCH_DEFAULTS}>
            All batches
          </Link>
          <Link to="/batches" search={{ ...BATCH_SEARCH_DEFAULTS, isActive: true }}>
            Active
          </Link>
        </CountCard>
      </div>
    </>
  );
}
