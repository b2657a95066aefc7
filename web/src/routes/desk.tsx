import '../app/styles/desk.css';
import { createLazyRoute } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { Desk } from '../app/desk.tsx';
import { styleNonce } from '../app/style-nonce.ts';
import { prepareDates } from '../ui/date-format.ts';

// The scroll lock of dialogs writes a style element of its own.
setNonce(styleNonce());

// In a task of its own, while the page waits for the server.
setTimeout(prepareDates);

export const Route = createLazyRoute('/desk')({ component: Desk });
