import { block } from './block.mjs';
import { nudgeAtEnd } from './nudge-at-end.mjs';
import { nudge } from './nudge.mjs';
import { stop } from './stop.mjs';

/** In the order of the table. */
export const ACTIONS = [
  { id: 'nudge', name: 'nudge while it works', run: nudge },
  { id: 'end', name: 'nudge at the end', run: nudgeAtEnd },
  { id: 'stop', name: 'stop', run: stop },
  { id: 'block', name: 'block one call', run: block },
];
