/** Where a test looks on a screen, and what stands there. */
import { expect } from 'vitest';
import { type Locator, page } from 'vitest/browser';

/** What tells good from bad beside the words, in the light theme. */
export const RED = 'rgb(168, 30, 37)';
export const ORANGE = 'rgb(176, 70, 0)';
export const GREEN = 'rgb(8, 99, 74)';

export const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const dialog = (name: string) => page.getByRole('dialog', { name });
export const toast = (text: string | RegExp) => page.getByRole('alert').filter({ hasText: text });

/** The rows of the table `label`, without its heading. */
export function rowsOf(label: string): HTMLElement[] {
  const table = page.getByRole('table', { name: label }).query();
  return table === null ? [] : [...table.querySelectorAll<HTMLElement>('tbody:not([aria-hidden]) tr')];
}

/** The cells of those rows under the heading `column`. */
export function cellsOf(label: string, column: string): HTMLElement[] {
  return rowsOf(label).flatMap((row) => [...row.querySelectorAll<HTMLElement>(`td[data-label="${column}"]`)]);
}

const textOf = ({ textContent }: Element) => textContent.replaceAll(/\s+/g, ' ').trim();

/** Waits until the cells under `column` read so. */
export async function expectCells(label: string, column: string, ...read: (string | RegExp)[]): Promise<void> {
  const expected = read.map((one) => (typeof one === 'string' ? one : expect.stringMatching(one)));
  await expect.poll(() => cellsOf(label, column).map(textOf), { message: `${label}: ${column}` }).toEqual(expected);
}

/** How much wider texts may be elsewhere: a browser that fits letters to whole pixels makes a row up to 6 pixels wider. */
const SPARE_PX = 8;

/** Waits until the table `label` stands whole in its frame, and still would if its texts were a little wider. */
export async function expectRoomFor(label: string): Promise<void> {
  const table = page.getByRole('table', { name: label }).element() as HTMLElement;
  const spare = () => {
    table.style.width = 'min-content';
    const needed = table.getBoundingClientRect().width;
    table.style.width = '';
    return (table.parentElement?.clientWidth ?? 0) - needed;
  };
  await expect.poll(spare, { message: `pixels that ${label} could do without` }).toBeGreaterThanOrEqual(SPARE_PX);
}

/** What stands beside `name` among the figures or details of `within`. */
export function figureIn(within: Locator, name: string): string | undefined {
  const pairs = [...within.element().querySelectorAll('dl > div')];
  return pairs.find((pair) => pair.querySelector('dt')?.textContent === name)?.querySelector('dd')?.textContent;
}

/** Types `text` in place of what stands in a field; the page itself does it, a hundredth of the time a driver needs. */
export async function typeInto(target: Locator, text: string): Promise<void> {
  await expect.element(target).toBeEnabled();
  const field = target.element();
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement)) throw new Error('it is no field');
  field.focus();
  field.select();
  document.execCommand(text === '' ? 'delete' : 'insertText', false, text);
}

/** Types into the field and leaves it. */
async function enter(target: Locator, text: string): Promise<void> {
  await typeInto(target, text);
  (document.activeElement as HTMLElement).blur();
}

/** Leaving the field `label` with `typed` in it says `problem`, once on the page. */
export async function expectProblem(label: string, typed: string, problem: string): Promise<void> {
  await enter(page.getByLabelText(label, { exact: true }), typed);
  await expect.poll(() => page.getByText(problem, { exact: true }).length, { message: `${label}: ${typed}` }).toBe(1);
}

export async function expectNoProblem(label: string, typed: string): Promise<void> {
  const field = page.getByLabelText(label, { exact: true });
  await enter(field, typed);
  await expect.element(field).not.toHaveAttribute('aria-invalid', 'true');
}

/** Waits until `text` stands on the page exactly so often. */
export async function expectTimes(text: string | RegExp, times: number): Promise<void> {
  const message = `how often “${text}” stands there`;
  await expect.poll(() => page.getByText(text).length, { message }).toBe(times);
}
