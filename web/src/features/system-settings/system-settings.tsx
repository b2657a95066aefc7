import { clearCache } from '@dutchbook/contract/system-settings.ts';
import { Button, Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback } from 'react';
import { errorText } from '../../calls/api-error.ts';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { UnsavedChanges } from '../../forms/unsaved-changes.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { ErrorBar } from '../../ui/states.tsx';
import { DiscoveryCard } from './discovery-card.tsx';
import { LimitsCard } from './limits-card.tsx';
import { SettingsForm } from './settings-form.tsx';
import { settingsQuery } from './settings-queries.ts';
import styles from './system-settings.module.css';

/** Everything that decides what is bought; for superusers only. */
export function SystemSettings() {
  const { data: settings, error, refetch, isFetching } = useQuery(settingsQuery);
  const readAgain = useCallback(() => void refetch(), [refetch]);
  return (
    <>
      <SystemSettingsHeader withActions />
      {error && (
        <ErrorBar
          text="Error loading system settings"
          detail={errorText(error)}
          onRetry={readAgain}
          retrying={isFetching}
        />
      )}
      {settings === undefined && error === null && <LoadingSettings />}
      {settings !== undefined && (
        <div className={styles.columns}>
          <SettingsForm saved={settings} />
          <div className={styles.beside}>
            <LimitsCard />
            <DiscoveryCard />
          </div>
        </div>
      )}
      <UnsavedChanges />
    </>
  );
}

export function SystemSettingsHeader({ withActions = false }: { withActions?: boolean }) {
  return (
    <PageHeader
      title="System Settings"
      back={
        <Link to="/admin">
          <Icon name="back" size={16} />
          Users Management
        </Link>
      }
      actions={withActions ? <ClearCacheButton /> : undefined}
    />
  );
}

export function LoadingSettings() {
  return (
    <p role="status" className={styles.loading}>
      <Loader size="xs" /> Loading system settings...
    </p>
  );
}

function ClearCacheButton() {
  const client = useQueryClient();
  const { start, isPending } = useSingleMutation({
    mutationFn: () => call(clearCache, {}),
    onSuccess: () => client.invalidateQueries({ queryKey: settingsQuery.queryKey }),
    meta: { success: 'Settings cache cleared successfully.' },
  });
  return (
    <Button
      variant="default"
      leftSection={<Icon name="refresh" />}
      loading={isPending}
      title="Forgets what is cached of the venue and of the settings, in every process"
      onClick={() => start()}
    >
      Clear Cache
    </Button>
  );
}
