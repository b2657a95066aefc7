/** Outdated prices are grey and dated on every screen. */
import { listOpportunities, readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { listRelations, readRelation } from '@dutchbook/contract/relations.ts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server } from '../testing/screen.tsx';

const AS_OF = '2024-03-05T04:08:12.000Z';
const outdated = { outdated: { as_of: AS_OF }, profit_percentage: 1.25, last_error: null } as const;

/** What stands in a cell or a figure of prices and profits. */
function figures(): Element[] {
  const headers = /^(Current Price|Profit %)/;
  const names = [...document.querySelectorAll('th')].filter(({ textContent }) => headers.test(textContent.trim()));
  const cells = names.flatMap((header) => {
    const column = (header as HTMLTableCellElement).cellIndex;
    const rows = [...(header.closest('table')?.tBodies[0]?.rows ?? [])];
    return rows.flatMap((row) => row.cells[column] ?? []);
  });
  const details = [...document.querySelectorAll('dt')].filter(({ textContent }) => headers.test(textContent.trim()));
  return [...cells, ...details.flatMap((name) => name.nextElementSibling ?? [])];
}

test.each(['/arbitrage', '/', `/arbitrage/${recorded(readOpportunity).id}`])(
  'a price on %s that is not of now says of when',
  async (path) => {
    const { data, count } = recorded(listOpportunities);
    server.answer(listOpportunities, { data: data.map((row) => ({ ...row, ...outdated })), count });
    server.answer(readOpportunity, { ...recorded(readOpportunity), ...outdated });
    await open(path);
    await expect.poll(() => figures().length).toBeGreaterThan(0);
    await expect.poll(() => figures().every((figure) => figure.querySelector('[data-outdated]') !== null)).toBe(true);
    const grey = getComputedStyle(document.querySelector('.muted, [data-outdated]') as Element).color;
    for (const figure of figures()) {
      expect(figure.querySelector('[data-sign="gain"], [data-sign="loss"], [data-move], [data-arrow]')).toBeNull();
      expect(figure.textContent).not.toMatch(/[+↑↓]/);
      expect(getComputedStyle(figure.querySelector('[data-outdated]') as Element).color).toBe(grey);
    }
    expect(document.body.textContent).toMatch(/as of .*2024.*\d\d:\d\d:12/);
    await expectAccessible(`prices of before on ${path}`);
  },
);

test('an entry of the palette says of when its profit is', async () => {
  const { data, count } = recorded(listOpportunities);
  server.answer(listOpportunities, { data: data.map((row) => ({ ...row, ...outdated })), count });
  await open('/notifications');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await userEvent.keyboard('{Control>}k{/Control}');
  await typeInto(page.getByRole('combobox', { name: 'Search' }), 'opportunity');
  await expect.poll(() => document.querySelector('[role="listbox"]')?.textContent).toMatch(/1\.25% as of .*2024/);
});

test.each(['/discover', `/discover/${recorded(readRelation).id}`])(
  'the distance of a relation on %s that nothing prices any more says of when it is',
  async (path) => {
    const before = { outdated: { as_of: AS_OF }, state: 'rejected' as const, distance: -0.008, profit_usd: 2.5 };
    const { data, count } = recorded(listRelations);
    server.answer(listRelations, { data: data.map((row) => ({ ...row, ...before })), count });
    server.answer(readRelation, { ...recorded(readRelation), ...before });
    await open(path);
    const main = () => document.querySelector('main');
    await expect.poll(() => main()?.textContent).toMatch(/pays 0\.8 c after fees ?as of .*2024.*\d\d:\d\d:12/);
    expect(main()?.querySelector('[data-pays="true"]')).toBeNull();
    const dollars = [...(main()?.querySelectorAll('[data-outdated]') ?? [])].map(({ textContent }) => textContent);
    expect(dollars).toContain('$2.50');
  },
);
