/** What reaches a person who looks elsewhere, and what they do by the palette without a pointer. */
import { disarmTrading } from '@dutchbook/contract/arming.ts';
import { createAlert, deleteAlert, listAlerts, readAttention, writeAttention } from '@dutchbook/contract/attention.ts';
import { readMe } from '@dutchbook/contract/current-user.ts';
import { cashNowOfEvent } from '@dutchbook/contract/exits.ts';
import { listNotifications } from '@dutchbook/contract/notifications.ts';
import { checkOpportunity, listOpportunities, readOpportunity } from '@dutchbook/contract/opportunities.ts';
import { simulateOrders } from '@dutchbook/contract/placing.ts';
import { readPortfolio } from '@dutchbook/contract/portfolio.ts';
import { listRelations } from '@dutchbook/contract/relations.ts';
import { readSystemStatus } from '@dutchbook/contract/status.ts';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { expectAccessible } from '../testing/accessible.ts';
import { button, dialog, expectCells, toast, typeInto } from '../testing/look.ts';
import { recorded } from '../testing/recorded.ts';
import { open, server, tell } from '../testing/screen.tsx';
import { refusal, type Wire } from '../testing/server.ts';

const OPPORTUNITY = { ...recorded(readOpportunity), active: true, profit_percentage: 1.25, outdated: null };
const NONE = { data: [], count: 0 };
const QUIET = { sounds: [], browser: [] };

type Alert = Wire<typeof listAlerts>['data'][number];

const ALERT: Alert = {
  ...{ id: '9d7b4c50-2f11-4a6e-8a1e-222222222222', opportunity_id: OPPORTUNITY.id, opportunity_name: OPPORTUNITY.name },
  ...{ at_percentage: 1.5, by_mail: false, armed: true, active: true, profit_percentage: 1.25 },
  ...{ created_at: '2026-11-21T10:00:00.000Z', fired_at: null },
};

beforeEach(() => {
  server.answer(readOpportunity, OPPORTUNITY);
  server.answer(listAlerts, NONE);
  server.answer(readAttention, QUIET);
  server.answer(simulateOrders, { ...recorded(simulateOrders), errors: [] });
});

describe('alerts', () => {
  test('are asked for on the page of an opportunity, also by a viewer, and say what is refused', async () => {
    server.answer(readMe, { ...recorded(readMe), is_superuser: false, role: 'viewer' });
    server.answer(createAlert, ({ body }) => {
      server.answer(listAlerts, { data: [ALERT], count: 1 });
      return { ...ALERT, ...(body as object) } as Alert;
    });
    await open(`/arbitrage/${OPPORTUNITY.id}`);
    await button('Alert Me').click();
    const asked = dialog('Alert Me');
    await expect.element(asked).toMatchTextContent('its profit is 1.25% now');
    const at = asked.getByRole('textbox', { name: 'Tell me at a profit of %' });
    await typeInto(at, 'much');
    await asked.getByRole('button', { name: 'Save' }).click();
    await expect.element(asked).toMatchTextContent('Profit must be a number from -100 to 1000 percent');
    await typeInto(at, '1.2');
    await expect.element(asked).toMatchTextContent('It is reached already: you are told at once.');
    await typeInto(at, '1.5');
    await expectAccessible('the dialog that asks for an alert');
    await asked.getByRole('button', { name: 'Save' }).click();
    await expect.element(asked).not.toBeInTheDocument();
    expect(server.askedFor(createAlert)[0]?.body).toEqual({
      ...{ opportunity_id: OPPORTUNITY.id, at_percentage: 1.5, by_mail: false },
    });
    server.answer(createAlert, () => refusal(409, 'You have 50 alerts. Delete one first.'));
    await button('Alert Me').click();
    await expectCells('Alerts', 'At', '1.50%');
    await typeInto(at, '2');
    await asked.getByRole('button', { name: 'Save' }).click();
    await expect.element(toast('You have 50 alerts. Delete one first.')).toBeVisible();
  });

  test('are asked for from the menu of a row', async () => {
    await open('/arbitrage');
    await page
      .getByRole('button', { name: /^Actions for / })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Alert Me' }).click();
    await expect.element(dialog('Alert Me')).toBeVisible();
  });

  test('are listed in the settings with what became of them, and deleted there', async () => {
    const fired = { ...ALERT, id: ALERT.id.replace('9d', '9e'), armed: false, fired_at: '2026-11-21T11:00:00.000Z' };
    server.answer(listAlerts, { data: [ALERT, fired], count: 2 });
    server.answer(deleteAlert, () => {
      server.answer(listAlerts, { data: [fired], count: 1 });
      return { message: 'Alert deleted successfully' };
    });
    await open('/settings?tab=notifications');
    await expectCells('Alerts', 'State', 'Waiting', 'Reached');
    await expect.element(page.getByText('2 of 50 alerts.')).toBeVisible();
    await expectAccessible('the settings of notifications');
    await page
      .getByRole('button', { name: /^Delete the alert at 1\.50%/ })
      .first()
      .click();
    await expectCells('Alerts', 'State', 'Reached');
    expect(server.askedFor(deleteAlert)[0]?.params).toEqual({ alert_id: ALERT.id });
  });

  test('are a toast for the person who asked, and for no other, also before the page knows who that is', async () => {
    const { promise: readable, resolve } = Promise.withResolvers<void>();
    server.answer(readMe, () => readable.then(() => recorded(readMe)));
    await open('/items');
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    news('opportunity_alert', 'Yours pays 2.00%', { data: { for: recorded(readMe).email } });
    resolve();
    await expect.element(toast('Yours pays 2.00%')).toBeVisible();
    news('opportunity_alert', 'Theirs pays 2.00%', { data: { for: 'ada@example.com' } });
    news('opportunity_alert', 'Yours pays 3.00%', { data: { for: recorded(readMe).email } });
    await expect.element(toast('Yours pays 3.00%')).toBeVisible();
    expect(toast('Theirs pays 2.00%').query()).toBeNull();
  });
});

let nth = 0;

/** Records something now and sends it over the stream. */
function news(notification_type: string, message: string, about: object = {}): void {
  const [model] = recorded(listNotifications).data;
  nth += 1;
  const id = `${nth.toString(16).padStart(8, '0')}${model?.id.slice(8)}`;
  const at = new Date().toISOString();
  const data = { ...model, id, notification_type, message, created_at: at, updated_at: at, data: {}, ...about };
  tell('notifications', 'notification', id, data);
}

/** The page keeps what makes its sounds, over the tests of this file. */
const heard: { hertz: number; atMs: number }[] = [];

/** What a browser sounds and shows, in place of its own. */
function listenIn({ permission = 'granted' as NotificationPermission } = {}) {
  heard.length = 0;
  const shown: string[] = [];
  const asked = vi.fn(async () => 'granted' as NotificationPermission);
  class Audio {
    state = 'running';
    currentTime = 0;
    destination = {};
    resume = async () => {};
    createGain = () => ({
      gain: { setValueAtTime: () => {}, linearRampToValueAtTime: () => {} },
      connect: (to: unknown) => to,
    });
    createOscillator = () => {
      const frequency = { value: 0 };
      return {
        frequency,
        connect: (to: unknown) => to,
        start: () => void heard.push({ hertz: frequency.value, atMs: performance.now() }),
        stop: () => {},
      };
    };
  }
  class Shown {
    static permission = permission;
    static requestPermission = asked;
    onclick = null;
    constructor(title: string, { body }: { body: string }) {
      shown.push(`${title}: ${body}`);
    }
    close(): void {}
  }
  vi.stubGlobal('AudioContext', Audio);
  vi.stubGlobal('Notification', Shown);
  return { shown, asked };
}

/** Between two sounds; a clock may round a little. */
const APART_MS = 1_000;
const FIRST_NOTE = { trigger: 660, leg_risk: 440 };

describe('sounds and notifications of the browser', () => {
  test('are off at first, chosen by kind, tried, and allowed by a click alone, whose refusal is said', async () => {
    const { asked } = listenIn({ permission: 'default' });
    asked.mockResolvedValue('denied');
    server.answer(writeAttention, ({ body }) => body as typeof QUIET);
    await open('/settings?tab=notifications');
    const sound = page.getByRole('checkbox', { name: 'Leg risk: Sound' });
    await expect.element(sound).not.toBeChecked();
    expect(asked).not.toHaveBeenCalled();
    await sound.click();
    await expect.element(sound).toBeChecked();
    expect(asked).not.toHaveBeenCalled();
    await page.getByRole('checkbox', { name: 'Leg risk: Browser' }).click();
    await expect.element(page.getByText('they were refused', { exact: false })).toBeVisible();
    expect(asked).toHaveBeenCalledTimes(1);
    expect(server.askedFor(writeAttention).map(({ body }) => body)).toEqual([
      { sounds: ['leg_risk'], browser: [] },
      { sounds: ['leg_risk'], browser: ['leg_risk'] },
    ]);
    await expect.element(button('Try Leg risk')).toBeVisible();
    await expectAccessible('the settings of sounds');
  });

  test('come of what was chosen, a second apart, and not twice of one notification', async () => {
    const { shown } = listenIn();
    server.answer(readAttention, { sounds: ['trigger', 'leg_risk'], browser: ['leg_risk'] });
    await open('/items');
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    expect(server.askedFor(readAttention)).toEqual([]);
    news('opportunity_triggered', 'It pays');
    news('batch_completed', 'It is whole');
    news('leg_risk', 'It is not whole');
    await expect.poll(() => heard.length, { timeout: 40_000 }).toBeGreaterThanOrEqual(6);
    expect(shown).toEqual(['Leg risk: It is not whole']);
    const firsts = heard.filter((note, at) => at === 0 || note.atMs - (heard[at - 1]?.atMs ?? 0) > APART_MS / 2);
    expect(firsts.map(({ hertz }) => hertz).sort()).toEqual([FIRST_NOTE.leg_risk, FIRST_NOTE.trigger].sort());
    expect((firsts[1]?.atMs ?? 0) - (firsts[0]?.atMs ?? 0)).toBeGreaterThan(APART_MS - 10);
  });

  test('do not come of what the person has just done', async () => {
    listenIn();
    server.answer(readAttention, { sounds: ['trigger'], browser: [] });
    server.answer(checkOpportunity, { message: 'Checked', opportunity: OPPORTUNITY });
    await open(`/arbitrage/${OPPORTUNITY.id}`);
    await button('Check Prices').click();
    await expect.poll(() => server.askedFor(checkOpportunity)).toHaveLength(1);
    news('opportunity_triggered', 'Own', { opportunity_id: OPPORTUNITY.id });
    news('opportunity_triggered', 'Another', { opportunity_id: '0b8e7f0e-6a0a-4c39-9d0e-3a52c1a3f7d1' });
    await expect.poll(() => server.askedFor(readAttention)).toHaveLength(1);
    await expect.poll(() => heard.length, { timeout: 40_000 }).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    expect(heard).toHaveLength(2);
  });
});

describe('the palette, by keys alone', () => {
  const openPalette = async (typed: string) => {
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(page.getByRole('combobox', { name: 'Search' })).toHaveFocus();
    await userEvent.keyboard(typed);
  };
  const options = () =>
    page
      .getByRole('option')
      .elements()
      .map(({ textContent }) => textContent);

  test('disarms trading with one press of Enter', async () => {
    server.answer(disarmTrading, { ...recorded(readSystemStatus), armed: false });
    await open('/items');
    await openPalette('disarm');
    await expect.poll(options).toEqual([expect.stringContaining('Disarm Trading')]);
    expect(server.askedFor(disarmTrading)).toEqual([]);
    await userEvent.keyboard('{Enter}');
    await expect.poll(() => server.askedFor(disarmTrading)).toHaveLength(1);
    await expect.element(page.getByText('Trading disarmed')).toBeVisible();
  });

  /** Presses keys one right after another, as they arrive at a page that is too busy to draw between them. */
  const pressAtOnce = (...keys: string[]) => {
    for (const key of keys)
      document.body.dispatchEvent(
        new KeyboardEvent('keydown', { key, ctrlKey: key === 'k', bubbles: true, cancelable: true }),
      );
  };

  test('has the letters that were typed before its field had the focus, and none of them does anything else', async () => {
    const { address } = await open('/items');
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    pressAtOnce('k', 'g', 'a', 'x', 'Backspace');
    await expect.element(page.getByRole('combobox', { name: 'Search' })).toHaveValue('ga');
    await userEvent.keyboard('te');
    await expect.element(page.getByRole('combobox', { name: 'Search' })).toHaveValue('gate');
    expect(address()).toBe('/items');
  });

  test('disarms by keys that were all pressed before it was there', async () => {
    server.answer(disarmTrading, { ...recorded(readSystemStatus), armed: false });
    await open('/items');
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect.element(button('Disarm')).toBeVisible();
    pressAtOnce('k', ...'disarm', 'Enter');
    await expect.poll(() => server.askedFor(disarmTrading)).toHaveLength(1);
    await expect.element(page.getByRole('combobox', { name: 'Search' })).not.toBeInTheDocument();
  });

  test('is not opened by a key that was taken back before it was there', async () => {
    await open('/items');
    await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
    pressAtOnce('k', 'd', 'Escape');
    await expect.element(page.getByRole('combobox', { name: 'Search' })).not.toBeInTheDocument();
  });

  test('leads to a field of System Settings, which has the focus', async () => {
    const { address } = await open('/items');
    await openPalette('clips');
    await expect.poll(options).toEqual([expect.stringContaining('Most clips in a row')]);
    await userEvent.keyboard('{Enter}');
    await expect.poll(address).toBe('/admin/system-settings#CLIPS_MAX');
    await expect.element(page.getByLabelText('CLIPS_MAX')).toHaveFocus();
  });

  test('opens the order of an opportunity', async () => {
    server.answer(listOpportunities, { data: [OPPORTUNITY], count: 1 });
    await open('/items');
    await openPalette(`place ${OPPORTUNITY.id.slice(0, 8)}`);
    await expect.poll(options).toEqual([expect.stringContaining('Place Order of')]);
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog('Place Order')).toBeVisible();
  });

  test('asks before it turns shares into dollars, as the button does', async () => {
    convertible();
    server.answer(cashNowOfEvent, () => refusal(409, 'Nothing can be converted now'));
    const event = recorded(readPortfolio).events.find(({ routes }) => routes !== null);
    await open('/items');
    await openPalette(`cash ${event?.title.split(' ')[0]}`);
    await expect.poll(() => options()[0]).toContain(`Cash Now: ${event?.title}`);
    await userEvent.keyboard('{Enter}');
    await expect.element(dialog(`Cash Now: ${event?.title}`)).toBeVisible();
    expect(server.askedFor(cashNowOfEvent).every(({ query }) => query.simulate !== 'false')).toBe(true);
  });

  test('finds relations, events and batches', async () => {
    const [relation] = recorded(listRelations).data;
    const { address } = await open('/items');
    await openPalette(`relation ${relation?.id.slice(0, 8)}`);
    await expect.poll(options).toEqual([expect.stringContaining(relation?.title ?? '')]);
    await userEvent.keyboard('{Enter}');
    await expect.poll(address).toBe(`/discover/${relation?.id}`);
    await openPalette(`event ${relation?.event_title}`);
    await expect.poll(() => options()[0]).toContain(relation?.event_title);
    await userEvent.keyboard('{Enter}');
    await expect.poll(address).toContain('/discover?q=');
    await openPalette('batch');
    await expect.poll(() => options().some((text) => text?.startsWith('Batch'))).toBe(true);
  });

  test('acts on what is typed, also before it is drawn', async () => {
    const { address } = await open('/items');
    await openPalette('batch');
    await expect.poll(() => options()[0]).toContain('Batch Orders');
    await userEvent.keyboard('{Control>}a{/Control}approvals{Enter}');
    await expect.poll(address).toBe('/approvals');
  });

  test('shows profits as they move', async () => {
    server.answer(listOpportunities, { data: [OPPORTUNITY], count: 1 });
    await open('/items');
    await openPalette(`opportunity ${OPPORTUNITY.id.slice(0, 8)}`);
    await expect.poll(() => options()[0]).toContain('1.25%');
    tell('opportunities', 'opportunity', OPPORTUNITY.id, { ...OPPORTUNITY, profit_percentage: 2.5 });
    await expect.poll(() => options()[0]).toContain('2.50%');
  });

  test.for(['viewer', 'operator'] as const)('offers a %s what their role may do', async (role) => {
    server.answer(readMe, { ...recorded(readMe), is_superuser: false, role });
    server.answer(listOpportunities, { data: [OPPORTUNITY], count: 1 });
    convertible();
    await open('/items');
    await openPalette('action');
    await expect.poll(() => options().some((text) => text?.includes('Simulate Order of'))).toBe(true);
    const offers = (words: string) => options().some((text) => text?.includes(words));
    await expect.poll(() => offers('Place Order of')).toBe(role === 'operator');
    await expect.poll(() => offers('Cash Now: ')).toBe(role === 'operator');
    expect(offers('Disarm')).toBe(false);
  });
});

/** The venue's contracts pay for shares of every event that is held. */
function convertible(): void {
  const sent = recorded(readPortfolio);
  const [model] = sent.events.flatMap(({ routes }) => (routes === null ? [] : [routes.hold]));
  const [held] = model?.steps ?? [];
  if (model === undefined || held === undefined) throw new Error('no way out was recorded');
  const convert = { ...held, kind: 'convert', usd: 5, usable: 'after_confirmation', why: 'It can fail.' } as const;
  const routes = (known: NonNullable<(typeof sent.events)[number]['routes']>) => ({
    ...known,
    cash_now: { ...model, steps: [convert, held] },
  });
  server.answer(readPortfolio, {
    ...sent,
    events: sent.events.map((event) => ({ ...event, routes: event.routes && routes(event.routes) })),
  });
}
