import './app/styles/entry.css';
import { createRoot } from 'react-dom/client';
import { reloadWhenReplaced } from './app/reload-when-replaced.ts';
import { start } from './app/start.tsx';

reloadWhenReplaced(import.meta.url);

const page = document.getElementById('root');
if (page === null) throw new Error('index.html has no #root');
// Not awaited: screens that are fetched meanwhile import what this script holds, which ends first.
void start(createRoot(page));
