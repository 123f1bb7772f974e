import { beforeEach, expect, it, vi } from 'vitest';
import type { ConnectPlan } from '../../../../src/agents/inbox/bridge';

const editor = vi.hoisted(() => {
  class TabInputTextDiff {
    constructor(readonly modified: { readonly scheme: string }) {}
  }
  const listeners: (() => void)[] = [];
  const buttons = new Map<string, () => void>();
  const tabs: { readonly input: TabInputTextDiff }[] = [];
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const vscode = {
    TabInputTextDiff,
    Uri: { from: (parts: { scheme: string; path: string }) => parts },
    workspace: { registerTextDocumentContentProvider: () => ({ dispose: () => {} }) },
    commands: {
      registerCommand: (id: string, run: () => void) => (buttons.set(id, run), { dispose: () => {} }),
      executeCommand: (_diff: string, _before: unknown, after: { scheme: string }) => {
        tabs.push({ input: new TabInputTextDiff(after) });
        changed();
        return Promise.resolve();
      },
    },
    window: {
      tabGroups: {
        get all() {
          return [{ tabs: [...tabs] }];
        },
        close: (closed: readonly unknown[]) => {
          tabs.splice(0, closed.length);
          changed();
          return Promise.resolve();
        },
        onDidChangeTabs: (listener: () => void) => (listeners.push(listener), { dispose: () => {} }),
      },
    },
  };
  return { vscode, tabs, changed, press: () => buttons.get('unstuck.connectAsShown')?.() };
});
vi.mock('vscode', () => editor.vscode);
const { PlanPreviews } = await import('../../../../src/editor/connect/plan-previews');

const shown = (file: string) => ({
  plan: { file, before: null, after: '{}' } as unknown as ConnectPlan,
  title: 'Connect',
});
beforeEach(() => void (editor.tabs.length = 0));

it('what Connect would write can be read as long as one likes, and agreed to in its title bar', async () => {
  const previews = new PlanPreviews();
  await previews.show([shown('/a/settings.json'), shown('/b/settings.json')]);
  expect(editor.tabs).toHaveLength(2);
  const answer = previews.answer();
  // One of the two is closed: the other can still be agreed to.
  editor.tabs.pop();
  editor.changed();
  editor.press();
  expect(await answer).toBe(true);
  await previews.hide();
  expect(editor.tabs).toEqual([]);
});

it('is not agreed to by closing it, nor by asking something else', async () => {
  const previews = new PlanPreviews();
  await previews.show([shown('/a/settings.json')]);
  const closed = previews.answer();
  editor.tabs.length = 0;
  editor.changed();
  expect(await closed).toBe(false);
  await previews.show([shown('/a/settings.json')]);
  const replaced = previews.answer();
  await previews.show([shown('/b/settings.json')]);
  expect(await replaced).toBe(false);
});
