import './app/styles/entry.css';
import { reloadWhenReplaced } from './app/reload-when-replaced.ts';
import { start } from './app/start.tsx';

reloadWhenReplaced(import.meta.url);

const page = document.getElementById('root');
if (page === null) throw new Error('index.html has no #root');
void start(page);
