import { Button } from '@mantine/core';
import { Icon } from '../ui/icons.tsx';
import { useExportCsv } from './export-csv.ts';

type ExportButtonProps<Asked> = { what: string; ask: (asked: Asked) => Promise<string>; asked: Asked };

/** Downloads a list, as far as its filters let it through. */
export function ExportButton<Asked>({ what, ask, asked }: ExportButtonProps<Asked>) {
  const { mutate, isPending } = useExportCsv(what, ask);
  return (
    <Button variant="default" leftSection={<Icon name="download" />} loading={isPending} onClick={() => mutate(asked)}>
      Export CSV
    </Button>
  );
}
