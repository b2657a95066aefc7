import { Button, Skeleton, Tabs } from '@mantine/core';
import '@mantine/core/styles/Tabs.layer.css';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { LoadError } from '../../calls/loaded.tsx';
import { FilterPanel } from '../../lists/filter-panel.tsx';
import { withoutUnset } from '../../lists/list-search.ts';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { Later, useInSlices } from '../../ui/use-in-slices.ts';
import { FilterContext } from './behind.tsx';
import { DayPanels } from './days/day-panels.tsx';
import { ExecutionPanels } from './execution-panels.tsx';
import { ExposurePanels } from './exposure-panels.tsx';
import { FunnelPanels } from './funnel-panels.tsx';
import { Periods } from './periods.tsx';
import { CapitalPanel, CostPanel, ProfitPanel } from './profit-panel.tsx';
import styles from './report.module.css';
import { useReportFields } from './report-fields.ts';
import { summaryQuery, useReportRefresh } from './report-queries.ts';
import { type ReportSearch, reportFilterFrom, reportSearchFrom, tabFrom } from './report-search.ts';
import { TimesPanel } from './times-panel.tsx';
import { VenuePanel } from './venue-panel.tsx';

type ReportPageProps = { search: ReportSearch; onSearch: (search: ReportSearch) => void };

/** What was earned, where it went, and what was missed. */
export function ReportPage({ search, onSearch }: ReportPageProps) {
  useReportRefresh();
  const filter = useMemo(() => withoutUnset(reportFilterFrom(search)), [search]);
  const { by, tab } = search;
  const read = useQuery(summaryQuery(filter));
  const summary = useInSlices(read.data);
  const placed = summary !== undefined && summary.batches > 0;
  const nothing = !placed && <NothingPlaced isFiltered={Object.keys(filter).length > 0} />;
  return (
    <FilterContext value={filter}>
      <PageHeader
        title="Report"
        actions={
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/report/batches" search={{ ...filter }} {...props} />}
          >
            Results of Batches
          </Button>
        }
      />
      <ReportFilters key={JSON.stringify(filter)} search={search} onSearch={onSearch} />
      <LoadError of={read} text="Error loading the report" />
      <div className="stack">
        {summary === undefined && read.error === null && (
          <div className="stack" role="status" aria-label="Loading">
            <Skeleton height={120} />
            <Skeleton height={120} />
          </div>
        )}
        {summary !== undefined && (
          <Tabs
            value={tab}
            onChange={(chosen) => onSearch({ ...search, tab: tabFrom(chosen) ?? tab })}
            keepMounted={false}
          >
            <Tabs.List className={styles.tabs}>
              <Tabs.Tab value="money">Money</Tabs.Tab>
              <Tabs.Tab value="execution">Execution</Tabs.Tab>
              <Tabs.Tab value="missed">Missed</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="money" className="stack">
              {placed && (
                <>
                  <ProfitPanel of={summary} />
                  <CostPanel of={summary} />
                  <CapitalPanel of={summary} />
                  <VenuePanel of={summary} />
                  <Later>
                    <DayPanels by={by} onBy={(chosen) => onSearch({ ...search, by: chosen })} />
                  </Later>
                  <Later>
                    <ExposurePanels />
                  </Later>
                </>
              )}
              {nothing}
            </Tabs.Panel>
            <Tabs.Panel value="execution" className="stack">
              {placed && (
                <>
                  <TimesPanel of={summary} />
                  <Later>
                    <ExecutionPanels />
                  </Later>
                </>
              )}
              {nothing}
            </Tabs.Panel>
            <Tabs.Panel value="missed" className="stack">
              <FunnelPanels />
            </Tabs.Panel>
          </Tabs>
        )}
      </div>
    </FilterContext>
  );
}

function NothingPlaced({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState icon="report" text="No batch found." hint="None match these filters.">
        <Button variant="default" renderRoot={(props) => <Link to="/report" {...props} />}>
          Show All
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState
      icon="report"
      text="No batch has been placed yet."
      hint="Profit, slippage and capital appear here once one has been."
    >
      <Button renderRoot={(props) => <Link to="/arbitrage" {...props} />}>Go to Arbitrage</Button>
    </EmptyState>
  );
}

function ReportFilters({ search, onSearch }: ReportPageProps) {
  return (
    <div className={styles.filters}>
      <FilterPanel
        title={<Periods search={search} onSearch={onSearch} />}
        fields={useReportFields(search)}
        filter={search}
        onApply={(texts) => onSearch(reportSearchFrom({ ...search, ...texts }))}
        onClear={() => onSearch(reportSearchFrom({ by: search.by, tab: search.tab }))}
        canReset
      />
    </div>
  );
}
