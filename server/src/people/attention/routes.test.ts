import { expect, it } from 'vitest';
import { openTestApp } from '../../platform/http/app.fixture.ts';
import { ask, recorded } from '../../platform/http/ask.fixture.ts';

const PATH = '/users/me/attention';

it('what makes a sound is chosen by each person for themselves, a viewer too, and is nothing at first', async () => {
  await using app = await openTestApp();
  const viewer = await app.signedIn({ isViewer: true });
  const other = await app.signedIn();
  const nothing = { sounds: [], browser: [] };
  expect(await ask(app, viewer.headers, 'GET', PATH)).toEqual([200, nothing]);
  const asked = { sounds: ['leg_risk', 'trigger', 'leg_risk'], browser: ['fill'] };
  const chosen = { sounds: ['trigger', 'leg_risk'], browser: ['fill'] };
  expect(await ask(app, viewer.headers, 'PUT', PATH, asked)).toEqual([200, chosen]);
  expect(await ask(app, viewer.headers, 'GET', PATH)).toEqual([200, chosen]);
  expect(await ask(app, other.headers, 'GET', PATH)).toEqual([200, nothing]);
  expect(await recorded(app, viewer.user.id)).toMatchObject([
    { action: 'attention.changed', before: nothing, after: chosen },
  ]);
  const [status] = await ask(app, viewer.headers, 'PUT', PATH, { sounds: ['birdsong'], browser: [] });
  expect(status).toBe(422);
});
