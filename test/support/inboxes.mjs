import fs from 'node:fs';
import { join } from 'node:path';

/** Names of the messages of all sessions of a workspace folder. @param {string} workspace @param {'new' | 'cur'} where */
export function messages(workspace, where) {
  const inbox = join(workspace, '.unstuck/inbox');
  if (!fs.existsSync(inbox)) return [];
  return fs.readdirSync(inbox).flatMap((session) => {
    const folder = join(inbox, session, where);
    return fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  });
}

/** States in the order in which they were written, of all messages. @param {string} workspace @returns {string[]} */
export function receipts(workspace) {
  const inbox = join(workspace, '.unstuck/inbox');
  if (!fs.existsSync(inbox)) return [];
  return fs.readdirSync(inbox).flatMap((session) => {
    const file = join(inbox, session, 'receipts.jsonl');
    if (!fs.existsSync(file)) return [];
    const lines = fs.readFileSync(file, 'utf8').trim().split('\n');
    return lines.map((line) => JSON.parse(line).state);
  });
}
