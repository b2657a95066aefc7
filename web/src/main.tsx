import './app/styles/entry.css';
import { createRoot } from './app/react-root.ts';
import { reloadWhenReplaced } from './app/reload-when-replaced.ts';
import { start } from './app/start.tsx';

reloadWhenReplaced(import.meta.url);

const page = document.getElementById('root');
if (page === null) throw new Error('index.html has no #root');
// In a task of its own: to make what this script holds takes as long as one may. Screens that are fetched meanwhile import
// it, and wait for this script to end.
setTimeout(() => void start(createRoot(page)));
