import './app/styles/entry.css';
import { createRoot } from 'react-dom/client';
import { nextTask } from './app/next-task.ts';
import { reloadWhenReplaced } from './app/reload-when-replaced.ts';

reloadWhenReplaced(import.meta.url);

const page = document.getElementById('root');
if (page === null) throw new Error('index.html has no #root');
const root = createRoot(page);

// On its own, so that a slow processor comes up for air between what the libraries do first and what the product does.
const { start } = await import('./app/start.tsx');
// The same again between the product's modules and its first paint.
await nextTask();
await start(root);
