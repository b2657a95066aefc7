import '../app/styles/desk.css';
import { createLazyRoute } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { Desk } from '../app/desk.tsx';
import { styleNonce } from '../app/style-nonce.ts';

// The scroll lock of dialogs writes a style element of its own.
setNonce(styleNonce());

export const Route = createLazyRoute('/desk')({ component: Desk });
