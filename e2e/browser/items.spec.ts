/** Every sentence of the specification about /items. */
import { createItem, deleteItem, listItems } from '@dutchbook/contract/items.ts';
import { expect, type Page } from '@playwright/test';
import { activate, chooseByArrows } from './accessibility.ts';
import { test } from './browser.fixture.ts';
import { expectLoggedOut } from './entry.ts';
import { addPerson, type Person, signInAs } from './people.ts';
import { cell, expectAfterRetries, rowsOf, toast } from './screen.ts';

test.use({ signedIn: false });

const rows = (page: Page) => rowsOf(page, 'Items');
const dialog = (page: Page, title: string) => page.getByRole('dialog', { name: title });
const addItem = (page: Page) => page.getByRole('button', { name: 'Add Item' });

/** Opens the menu of the row that shows `title`, the last thing in it, and chooses. */
async function choose(page: Page, title: string, entry: string) {
  await rows(page).filter({ hasText: title }).getByRole('button').last().click();
  await page.getByRole('menuitem', { name: entry }).click();
}

async function addItems({ caller }: Person, titles: readonly string[]) {
  for (const title of titles) expect((await caller.call(createItem, { body: { title } })).detail).toBe('');
}

test('says that there are no items, and adds the first one, with a description or without', async ({
  page,
  product,
}) => {
  const person = await addPerson(product);
  await signInAs(page, person);
  await page.goto('/items');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Items Management');
  await expect(page.getByText("You don't have any items yet")).toBeVisible();
  await expect(page.getByText('Add a new item to get started')).toBeVisible();

  await addItem(page).click();
  const adding = dialog(page, 'Add Item');
  await expect(adding.getByLabel('Title')).toBeFocused();
  await adding.getByLabel('Description').focus();
  await expect(page.getByText('Title is required.', { exact: true })).toHaveCount(1);
  await adding.getByLabel('Title').fill('Boots');
  await expect(page.getByText('Title is required.')).toHaveCount(0);
  await adding.getByLabel('Description').fill('Brown, size 42');
  await adding.getByRole('button', { name: 'Save' }).dblclick();
  await expect(toast(page, 'Success!')).toContainText('Item created successfully.');
  await expect(adding).toHaveCount(0);
  await expect(page.getByRole('columnheader')).toHaveText(['ID', 'Title', 'Description', 'Actions']);
  await expect(rows(page)).toHaveCount(1);
  await expect(cell(rows(page), 'Title')).toHaveText('Boots');
  await expect(cell(rows(page), 'Description')).toHaveText('Brown, size 42');

  await addItem(page).click();
  await adding.getByLabel('Title').fill('Laces');
  await page.keyboard.press('Enter');
  await expect(cell(rows(page), 'Title')).toHaveText(['Laces', 'Boots']);
  await expect(cell(rows(page).first(), 'Description')).toHaveText('N/A');
  await expect(addItem(page)).toBeFocused();
  const { reply } = await person.caller.call(listItems);
  expect(reply.data.map(({ title, description }) => [title, description])).toEqual([
    ['Laces', null],
    ['Boots', 'Brown, size 42'],
  ]);
});

test('edits an item from its row menu, and the dialogs keep what was typed until it is given up', async ({
  page,
  product,
}) => {
  const person = await addPerson(product);
  await addItems(person, ['Hat']);
  await signInAs(page, person);
  await page.goto('/items');
  await choose(page, 'Hat', 'Edit Item');
  const editing = dialog(page, 'Edit Item');
  await expect(editing.getByLabel('Title')).toHaveValue('Hat');
  await expect(editing.getByLabel('Description')).toHaveValue('');
  await editing.getByLabel('Title').fill('');
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByText('Title is required', { exact: true })).toHaveCount(1);
  await editing.getByLabel('Title').fill('Straw hat');

  const question = dialog(page, 'Close This?');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Back' }).click();
  await expect(editing.getByLabel('Title')).toHaveValue('Straw hat');
  await editing.getByLabel('Description').fill('For the garden');
  await editing.getByRole('button', { name: 'Save' }).click();
  await expect(toast(page, 'Success!')).toContainText('Item updated successfully.');
  await expect(cell(rows(page), 'Title')).toHaveText(['Straw hat']);
  await expect(cell(rows(page), 'Description')).toHaveText('For the garden');
  await expect(rows(page).getByRole('button').last()).toBeFocused();

  await choose(page, 'Straw hat', 'Edit Item');
  await editing.getByLabel('Title').fill('Nothing');
  await editing.getByRole('button', { name: 'Cancel' }).click();
  await expect(editing).toHaveCount(0);
  await addItem(page).click();
  await page.getByLabel('Title').fill('Nothing');
  await page.keyboard.press('Escape');
  await question.getByRole('button', { name: 'Close It' }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(cell(rows(page), 'Title')).toHaveText(['Straw hat']);
});

test('deletes an item once that is confirmed, and says when it could not', async ({ page, product, mayBeRefused }) => {
  mayBeRefused(404);
  const person = await addPerson(product);
  await addItems(person, ['Kept', 'Gone']);
  await signInAs(page, person);
  await page.goto('/items');
  const deleting = dialog(page, 'Delete Item');
  await choose(page, 'Kept', 'Delete Item');
  await deleting.getByRole('button', { name: 'Cancel' }).click();
  await expect(deleting).toHaveCount(0);
  await choose(page, 'Gone', 'Delete Item');
  await expect(deleting).toContainText('Gone');
  await deleting.getByRole('button', { name: 'Delete' }).dblclick();
  await expect(toast(page, 'Success!')).toContainText('The item was deleted successfully');
  await expect(cell(rows(page), 'Title')).toHaveText(['Kept']);
  await expect(toast(page, 'Something went wrong!')).toHaveCount(0);

  const { reply } = await person.caller.call(listItems);
  for (const { id } of reply.data) await person.caller.call(deleteItem, { params: { id } });
  await choose(page, 'Kept', 'Delete Item');
  await deleting.getByRole('button', { name: 'Delete' }).click();
  const failure = toast(page, 'Something went wrong!');
  await expect(failure).toContainText('An error occurred while deleting the item');
  await expect(failure).toContainText('Item not found');
});

test('lists five a page, newest first, keeps the page in the address, and other tabs follow', async ({
  page,
  product,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const person = await addPerson(product);
  await addItems(person, ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11']);
  await signInAs(page, person);
  await page.goto('/items');
  const titles = cell(rows(page), 'Title');
  await expect(titles).toHaveText(['11', '10', '9', '8', '7']);
  await page.getByRole('button', { name: 'Next' }).click();
  await expect(page).toHaveURL('/items?page=2');
  await expect(titles).toHaveText(['6', '5', '4', '3', '2']);
  await page.reload();
  await expect(titles).toHaveText(['6', '5', '4', '3', '2']);
  await page.goBack();
  await expect(titles.first()).toHaveText('11');
  await page.goto('/items?page=nonsense');
  await expect(titles.first()).toHaveText('11');
  await page.goto('/items?page=3');
  await expect(titles).toHaveText(['1']);
  const { reply } = await person.caller.call(listItems);
  const { id = '' } = reply.data.at(-1) ?? {};
  await cell(rows(page), 'ID').getByRole('button').click();
  await expect(toast(page, 'Item ID copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(id);

  await choose(page, '1', 'Delete Item');
  await dialog(page, 'Delete Item').getByRole('button', { name: 'Delete' }).click();
  await expect(page).toHaveURL('/items?page=2');
  await expect(titles).toHaveText(['6', '5', '4', '3', '2']);
  const other = await context.newPage();
  await other.goto('/items');
  await expect(cell(rows(other), 'Title').first()).toHaveText('11');
  await addItem(page).click();
  await page.getByLabel('Title').fill('Newest');
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(cell(rows(other), 'Title').first()).toHaveText('Newest');
  await expect(page).toHaveURL('/items');
  await expect(titles).toHaveText(['Newest', '11', '10', '9', '8']);
});

test('says when the items cannot be read, reads them again on request, and logs out who may not add any', async ({
  page,
  product,
  mayBeRefused,
}) => {
  mayBeRefused(403);
  mayBeRefused(500);
  const person = await addPerson(product);
  await addItems(person, ['Found']);
  await signInAs(page, person);
  const broken = (url: URL) => url.pathname === '/api/v1/items/';
  await page.clock.install();
  await page.route(broken, (route) => route.fulfill({ status: 500, json: { detail: 'Out of order' } }));
  await page.goto('/items');
  const bar = page.getByRole('alert').filter({ hasText: 'Error loading items: Out of order' });
  await expectAfterRetries(page, bar);
  await page.unroute(broken);
  await bar.getByRole('button').click();
  await expect(cell(rows(page), 'Title')).toHaveText(['Found']);
  await expect(bar).toHaveCount(0);

  await rows(page).getByRole('button').last().click();
  await expect(page.getByRole('menuitem')).toHaveText(['Edit Item', 'Delete Item']);
  await page.keyboard.press('Escape');
  await addItem(page).click();
  await page.getByLabel('Title').fill('Never');
  await page.evaluate(() => localStorage.setItem('access_token', 'not.a.token'));
  await page.keyboard.press('Enter');
  await expectLoggedOut(page);
});

test('adds, edits and deletes without a pointer', async ({ page, product }) => {
  await signInAs(page, await addPerson(product));
  await page.goto('/items');
  await activate(page, addItem(page));
  await expect(page.getByLabel('Title')).toBeFocused();
  await page.keyboard.type('Keys');
  await page.keyboard.press('Enter');
  await expect(cell(rows(page), 'Title')).toHaveText(['Keys']);
  const menu = rows(page).getByRole('button').last();
  await activate(page, menu);
  await chooseByArrows(page, 'Edit Item');
  await expect(page.getByLabel('Title')).toBeFocused();
  await page.keyboard.press('End');
  await page.keyboard.type('board');
  await activate(page, page.getByRole('button', { name: 'Save' }));
  await expect(cell(rows(page), 'Title')).toHaveText(['Keysboard']);
  await expect(menu).toBeFocused();
  await page.keyboard.press('Enter');
  await chooseByArrows(page, 'Delete Item');
  await activate(page, dialog(page, 'Delete Item').getByRole('button', { name: 'Delete' }));
  await expect(page.getByText("You don't have any items yet")).toBeVisible();
});
