import { expect, it } from 'vitest';
import { networkOf } from './attempts.ts';

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['2001:db8:1::4:5:6', '2001:db8:1:0::/64'],
  ['::2:3:4:5:6:7', '0:0:2:3::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
])('attempts from %s are counted under %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});
