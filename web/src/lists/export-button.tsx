import { Button } from '@mantine/core';
import { Icon } from '../ui/icons.tsx';
import { useExportCsv } from './export-csv.ts';

type ExportButtonProps = { what: string; ask: () => Promise<string>; children?: string };

/** Downloads a list, as far as its filters let it through. */
export function ExportButton({ what, ask, children = 'Export CSV' }: ExportButtonProps) {
  const { mutate, isPending } = useExportCsv(what, ask);
  return (
    <Button variant="default" leftSection={<Icon name="download" />} loading={isPending} onClick={() => mutate()}>
      {children}
    </Button>
  );
}
