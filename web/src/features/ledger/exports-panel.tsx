import { exportLedger, exportTax } from '@dutchbook/contract/ledger.ts';
import { Button, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { useExportCsv } from '../../lists/export-csv.ts';
import { Icon } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './ledger.module.css';
import { ledgerQueryOf, momentsOf } from './ledger-queries.ts';
import type { LedgerFilter } from './ledger-search.ts';

type Basis = 'price' | 'half';

const BASES: { value: Basis; label: string }[] = [
  { value: 'price', label: 'Each outcome at its price then' },
  { value: 'half', label: 'Each outcome at the same' },
];

/** What an accountant takes home: as far as the filters let entries through, the tax file by its days alone. */
export function ExportsPanel({ filter }: { filter: LedgerFilter }) {
  const [basis, setBasis] = useState<Basis>('price');
  const statement = useExportCsv('statement', (asked: LedgerFilter) =>
    call(exportLedger, { query: ledgerQueryOf(asked) }),
  );
  const tax = useExportCsv('tax', (asked: LedgerFilter) =>
    call(exportTax, { query: { ...momentsOf(asked), split_basis: basis } }),
  );
  return (
    <Panel title="Exports">
      <div className={styles.actions}>
        <Button
          variant="default"
          leftSection={<Icon name="download" />}
          loading={statement.isPending}
          onClick={() => statement.mutate(filter)}
        >
          Statement CSV
        </Button>
        <NativeSelect
          label="Cost of a split"
          size="xs"
          data={BASES}
          value={basis}
          onChange={({ currentTarget }) => setBasis(currentTarget.value === 'half' ? 'half' : 'price')}
        />
        <Button
          variant="default"
          leftSection={<Icon name="download" />}
          loading={tax.isPending}
          onClick={() => tax.mutate(filter)}
        >
          Tax CSV
        </Button>
      </div>
      <p className={`hint ${styles.note}`}>
        The statement has the entries that the filters below let through; the tax file has what was disposed of, first
        in, first out, between their days. It is not advice.
      </p>
    </Panel>
  );
}
