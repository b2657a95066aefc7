import { describe, expect, it } from 'vitest';
import { systemRandom } from '../runtime/random.ts';
import { openSecret, sealSecret } from './sealed-secret.ts';

const KEY = 'a secret key of more than thirty-two characters';
const TOKEN = '123456:a-token-that-nobody-may-see';
const seal = () => sealSecret(KEY, 'telegram.bot_token', TOKEN, systemRandom);

describe('a sealed secret', () => {
  it('opens with the same key and under the same name only', () => {
    expect(openSecret(KEY, 'telegram.bot_token', seal())).toBe(TOKEN);
    expect(openSecret(`${KEY}!`, 'telegram.bot_token', seal())).toBeNull();
    expect(openSecret(KEY, 'smtp.password', seal())).toBeNull();
  });

  it('shows nothing of what it holds, and looks different each time', () => {
    const [first, second] = [seal(), seal()];
    expect(first).not.toBe(second);
    expect(Buffer.from(first, 'base64url').includes(TOKEN.slice(0, 6))).toBe(false);
  });

  it('does not open once any part of it was changed', () => {
    const sealed = seal();
    for (let place = 0; place < sealed.length - 1; place += 1) {
      const other = sealed[place] === 'A' ? 'B' : 'A';
      const changed = `${sealed.slice(0, place)}${other}${sealed.slice(place + 1)}`;
      expect(openSecret(KEY, 'telegram.bot_token', changed)).toBeNull();
    }
    expect(openSecret(KEY, 'telegram.bot_token', '')).toBeNull();
  });
});
