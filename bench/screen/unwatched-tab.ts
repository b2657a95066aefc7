import type { Browser } from '@playwright/test';

type Answer = { id: number; result?: unknown; error?: { message: string } };

/** A tab of a context of its own, which Playwright leaves alone: of what is watched in a page nothing is on but what is asked for. */
export async function openUnwatched(browser: Browser) {
  const session = await browser.newBrowserCDPSession();
  const { browserContextId } = await session.send('Target.createBrowserContext');
  const { targetId } = await session.send('Target.createTarget', { url: 'about:blank', browserContextId });
  const { sessionId } = await session.send('Target.attachToTarget', { targetId, flatten: false });
  const waiting = new Map<number, (answer: Answer) => void>();
  session.on('Target.receivedMessageFromTarget', ({ message }) => {
    const answer = JSON.parse(message) as Answer;
    waiting.get(answer.id)?.(answer);
  });
  let asked = 0;
  async function send(method: string, params: object = {}): Promise<unknown> {
    const id = ++asked;
    const answered = new Promise<Answer>((resolve) => waiting.set(id, resolve));
    await session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id, method, params }) });
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(`${method}: ${error.message}`);
    return result;
  }
  return {
    send,
    /** @returns the value of `expression` in the page, as JSON */
    evaluate: async (expression: string) => {
      const answer = await send('Runtime.evaluate', { expression, returnByValue: true });
      return (answer as { result: { value: unknown } }).result.value;
    },
    async [Symbol.asyncDispose]() {
      await session.send('Target.disposeBrowserContext', { browserContextId });
      await session.detach();
    },
  };
}
