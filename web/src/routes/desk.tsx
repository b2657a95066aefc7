import '../app/styles/desk.css';
import { createLazyRoute } from '@tanstack/react-router';
import { Desk } from '../app/desk.tsx';

export const Route = createLazyRoute('/desk')({ component: Desk });
