import { exportLedger, exportTax } from '@dutchbook/contract/ledger.ts';
import { NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../calls/call.ts';
import { ExportButton } from '../../lists/export-button.tsx';
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
  return (
    <Panel title="Exports" folds>
      <div className={styles.actions}>
        <ExportButton what="statement" ask={() => call(exportLedger, { query: ledgerQueryOf(filter) })}>
          Statement CSV
        </ExportButton>
        <NativeSelect
          label="Cost of a split"
          size="xs"
          data={BASES}
          value={basis}
          onChange={({ currentTarget }) => setBasis(currentTarget.value === 'half' ? 'half' : 'price')}
        />
        <ExportButton what="tax" ask={() => call(exportTax, { query: { ...momentsOf(filter), split_basis: basis } })}>
          Tax CSV
        </ExportButton>
      </div>
      <p className={`hint ${styles.note}`}>
        The statement has the entries that the filters below let through; the tax file has what was disposed of, first
        in, first out, between their days. It is not advice.
      </p>
    </Panel>
  );
}
