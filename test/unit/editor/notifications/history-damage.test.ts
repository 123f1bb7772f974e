import { afterEach, expect, it, vi } from 'vitest';
import type { StoreDamage, StoreStatus } from '../../../../src/history/types';
import { notifyOfDamage } from '../../../../src/editor/notifications/history-damage';
import { silentLog } from '../../../../src/base/util/log';
import { EventEmitter, Uri, editor, resetEditor } from '../support/vscode';

vi.mock('vscode', () => import('../support/vscode'));
afterEach(resetEditor);

const FILE = '/home/me/incidents.sqlite.corrupt-2026-11-20T17-20-00-000Z';
const damage: StoreDamage = { at: 7, saved: 251, lost: 49, lines: 0, files: [FILE] };
const settle = () => new Promise((resolve) => setImmediate(resolve));

/** The store of one window; `claimed`: what any window has claimed. */
function windowOn(claimed = new Set<string>()) {
  const changed = new EventEmitter<void>();
  const dismissed: number[] = [];
  let status: StoreStatus = { mode: 'ready' };
  const store = {
    status: () => status,
    onDidChangeStatus: changed.event,
    claim: (_: unknown, what: string) =>
      Promise.resolve(claimed.has(what) ? null : { done: () => Promise.resolve(void claimed.add(what)) }),
    dismissDamage: () => Promise.resolve(void dismissed.push(1)),
  };
  const say = async (next: StoreStatus) => {
    status = next;
    changed.fire();
    await settle();
  };
  const subscription = notifyOfDamage({ store: store as never, log: silentLog });
  return { say, dismissed, subscription };
}

it('damage is reported once, in one window, with what was saved, where the file is and what to do', async () => {
  const claimed = new Set<string>();
  const [one, two] = [windowOn(claimed), windowOn(claimed)];
  await one.say({ mode: 'ready', damage });
  await one.say({ mode: 'memory_only', damage });
  await two.say({ mode: 'ready', damage });
  expect(editor.shown).toEqual([
    {
      kind: 'warning',
      text: `The history was damaged: 251 of 300 incidents saved, 49 lost. The damaged file is kept: ${FILE}. If you have a backup of its folder, close all windows and restore that. Transcripts are not affected.`,
      buttons: ['Show File', 'OK'],
    },
  ]);
  await two.say({ mode: 'ready', damage: { ...damage, at: 8 } });
  expect(editor.shown).toHaveLength(2);
});

it('an intact history is not reported, and damage is not reported again once the person has read it', async () => {
  const { say, dismissed } = windowOn();
  await say({ mode: 'memory_only', reason: 'disk_full' });
  expect(editor.shown).toEqual([]);
  editor.answers.push('OK');
  await say({ mode: 'ready', damage });
  expect(dismissed).toEqual([1]);
});

it('the file is shown', async () => {
  const { say, dismissed } = windowOn();
  editor.answers.push('Show File');
  await say({ mode: 'ready', damage });
  expect(editor.commands).toEqual([['revealFileInOS', Uri.file(FILE)]]);
  expect(dismissed).toEqual([]);
});
