/** Run for every file; what it imports is loaded once for all of them. */
import { afterEach, beforeEach } from 'vitest';
import { begin, end } from './screen.tsx';

beforeEach(begin);
afterEach(end);
