/** A screen as the product shows it: its real router, query client and stream; only the server is a test's own. */
import '../app/styles/entry.css';
import { clientFrame, STREAM_PATH } from '@dutchbook/contract/stream.ts';
import { SETTINGS } from '@dutchbook/contract/system-settings.ts';
import { notifications } from '@mantine/notifications';
import { createMemoryHistory } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { expect, type MockInstance, vi } from 'vitest';
import { commands, page } from 'vitest/browser';
import * as z from 'zod/mini';
import { createQueryClient } from '../app/query-client.ts';
import { createAppRouter } from '../app/router.ts';
import { Product } from '../app/start.tsx';
import { storeAccessToken } from '../calls/access-token.ts';
import { Server } from './server.ts';

declare module 'vitest/browser' {
  interface BrowserCommands {
    /** Defined in vitest.config.ts. */
    prefer: (colourScheme: 'light' | 'dark') => Promise<void>;
    fade: (fades: boolean) => Promise<void>;
  }
}

const DESK = { width: 1280, height: 800 } as const;
const PHONE = { width: 390, height: 844 } as const;

const browserFetch = globalThis.fetch;
const BrowserSocket = globalThis.WebSocket;

/** What answers the screen of the test that runs. */
export let server = new Server();
let stream: Stream | undefined;
let close = () => {};
/** What Vitest alone prints, no browser: an observer of a size that changed once more in a frame gets it in the next. */
const TOLD_IN_THE_NEXT_FRAME = 'ResizeObserver loop completed with undelivered notifications';
/** What React and the product say on the console. */
let errors: MockInstance<typeof console.error>;

/** The stream: open, and silent but for what a test has it say. */
class Stream {
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;
  #seq = 1;

  constructor() {
    stream = this;
    queueMicrotask(() => this.onopen?.());
  }

  send(text: string): void {
    const frame = z.safeParse(clientFrame, JSON.parse(text));
    if (!frame.success) server.faults.push(`the server closes the stream for ${text}`);
    else if (frame.data.type === 'subscribe') this.#say({ type: 'ready', seq: this.#seq });
  }

  tell(change: { topic: string; type: string; id: string; data: unknown }): void {
    this.#seq += 1;
    this.#say({ seq: this.#seq, ...change });
  }

  close(): void {}

  #say(frame: object): void {
    queueMicrotask(() => this.onmessage?.({ data: JSON.stringify(frame) }));
  }
}

/** The server tells all that listen of a change. */
export function tell(topic: string, type: string, id: string, data: unknown): void {
  stream?.tell({ topic, type, id, data });
}

/** Begins a test: no answers are set yet. */
export async function begin(): Promise<void> {
  server = new Server();
  errors = vi.spyOn(console, 'error');
  globalThis.fetch = (url, request = {}) => {
    const asked = new URL(String(url), location.origin);
    return asked.pathname.startsWith('/api/') ? server.respond(asked, request) : browserFetch(url, request);
  };
  globalThis.WebSocket = new Proxy(BrowserSocket, {
    construct: (Socket, [url]) => (String(url).endsWith(STREAM_PATH) ? new Stream() : new Socket(url)),
  });
  await page.viewport(DESK.width, DESK.height);
}

/** Ends a test: nothing of it is left for the next, and nothing went wrong that it did not foresee. */
export async function end(): Promise<void> {
  const constants = constantsShown();
  close();
  close = () => {};
  vi.useRealTimers();
  notifications.clean();
  localStorage.clear();
  sessionStorage.clear();
  await commands.prefer('light');
  const said = errors.mock.calls
    .map((words) => words.join(' '))
    .filter((words) => !words.includes(TOLD_IN_THE_NEXT_FRAME));
  vi.restoreAllMocks();
  expect([...server.faults, ...said, ...constants]).toEqual([]);
}

/** Names of settings as calls have them, where no field of that setting stands: a person reads their plain names. */
function constantsShown(): string[] {
  const page = document.body.cloneNode(true) as HTMLElement;
  for (const field of page.querySelectorAll('[data-setting], script, style')) field.remove();
  const shown = [page.textContent, ...Array.from(page.querySelectorAll<HTMLElement>('[title]'), ({ title }) => title)];
  const names = Object.keys(SETTINGS).filter((name) => name.includes('_'));
  return names.flatMap((name) => shown.filter((text) => text.includes(name)).map(() => `the screen says ${name}`));
}

/** Shows what stands at `path`, to the superuser that was recorded or, without a session, to a visitor. */
export async function open(path: string, { signedIn = true } = {}) {
  close();
  if (signedIn) storeAccessToken('any');
  const history = createMemoryHistory({ initialEntries: [path] });
  const router = createAppRouter(history);
  const client = createQueryClient();
  await router.load();
  const place = document.body.appendChild(document.createElement('div'));
  place.id = 'root';
  const root = createRoot(place);
  root.render(<Product client={client} router={router} />);
  close = () => {
    root.unmount();
    client.clear();
    history.destroy();
    place.remove();
  };
  return {
    /** Where the screen is, as the bar of the browser would say. */
    address: () => router.state.location.href,
    back: () => history.back(),
  };
}

/** From now on the window is a phone's. */
export async function onPhone(): Promise<void> {
  await page.viewport(PHONE.width, PHONE.height);
}

export async function onDesk(): Promise<void> {
  await page.viewport(DESK.width, DESK.height);
}
