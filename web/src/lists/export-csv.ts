import { useMutation } from '@tanstack/react-query';
import { errorText } from '../calls/api-error.ts';
import { saveFile } from '../ui/save-file.ts';
import { toastProblem } from '../ui/toasts.tsx';
import type { BulkAction } from './selection.tsx';

/** Downloads what `ask` answers as a CSV file named after what it holds and today. */
export function useExportCsv(what: string, ask: () => Promise<string>) {
  return useMutation({
    mutationFn: ask,
    onSuccess: (csv) => saveCsv(what, csv),
    onError: (error) => toastProblem(`Error exporting CSV: ${errorText(error)}`),
    meta: { quiet: true, changesNothing: true },
  });
}

/** Does the same with the rows that are selected. */
export function exportAction(what: string, ask: (ids: string[]) => Promise<string>): BulkAction<{ id: string }> {
  return {
    label: 'Export CSV',
    icon: 'download',
    all: async (rows) => saveCsv(what, await ask(rows.map(({ id }) => id))),
    done: 'exported',
  };
}

/** Hands a CSV text to the browser, named after `what` it holds and today. */
export function saveCsv(what: string, csv: string): void {
  saveFile(csv, `${what}_${new Date().toLocaleDateString('sv')}.csv`, 'text/csv');
}
