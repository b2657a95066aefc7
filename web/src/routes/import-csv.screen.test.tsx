import { importCsv } from '@dutchbook/contract/opportunities/import-csv.ts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog } from '../testing/look.ts';
import { open, server } from '../testing/screen.tsx';

const IMPORTED = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];

test('an import says which names stood for which markets, what the venue does not know, and how many more there are', async () => {
  server.answer(importCsv, {
    ...{ opportunity_ids: IMPORTED, duplicates: [], errors: [] },
    unknown: [
      { row: 3, message: 'no-such: The venue has no market of this name' },
      {
        row: 4,
        message: '0x12: The venue does not know this market; imported without a price',
        opportunity_id: IMPORTED[1],
      },
    ],
    resolved: [
      { given: 'will-it-rain', kind: 'slug', market_id: '0x0123456789abcdef' },
      { given: '777', kind: 'token_id', market_id: '0xfedcba9876543210' },
    ],
    resolved_count: 102,
  });
  uploadBy(server.respond.bind(server));
  await open('/arbitrage');
  await button('Import CSV').click();
  const shown = dialog('Import CSV');
  const file = new File(['market_combinations\n'], 'named.csv', { type: 'text/csv' });
  await userEvent.upload(shown.element().querySelector('input[type=file]') as Element, file);
  await shown.getByRole('button', { name: 'Import', exact: true }).click();
  await expect
    .element(shown.getByText('2 imported, 0 already known, 0 refused, 2 not known to the venue'))
    .toBeVisible();
  const listed = (name: string) =>
    shown
      .getByRole('list', { name })
      .getByRole('listitem')
      .all()
      .map((item) => item.element().textContent);
  expect(listed('Markets found by other names')).toEqual([
    'slug will-it-rain is 0x01234567…',
    'token 777 is 0xfedcba98…',
  ]);
  expect(listed('Not known to the venue')).toEqual([
    'Row 3 no-such: The venue has no market of this name',
    'Row 4 0x12: The venue does not know this market; imported without a price',
  ]);
  await expect.element(shown.getByText('and 100 more')).toBeVisible();
  await expectAccessible('report of an import');
});

/** An upload is no `fetch`: it tells how far it is. */
function uploadBy(respond: (url: URL, request: RequestInit) => Promise<Response>): void {
  class Upload {
    readonly upload: Partial<XMLHttpRequestUpload> = {};
    onload = () => {};
    status = 0;
    statusText = '';
    responseText = '';
    readonly setRequestHeader = () => {};
    readonly getResponseHeader = () => 'application/json';
    #url = '';
    open(_method: string, url: string): void {
      this.#url = url;
    }
    async send(body: FormData): Promise<void> {
      const answer = await respond(new URL(this.#url, location.origin), { method: 'POST', body });
      this.status = answer.status;
      this.responseText = await answer.text();
      this.onload();
    }
  }
  vi.stubGlobal('XMLHttpRequest', Upload);
  onTestFinished(() => {
    vi.unstubAllGlobals();
  });
}
