import { beforeEach, expect, it, vi } from 'vitest';
import type { ConnectPlan } from '../../../../src/agents/inbox/bridge';

const editor = vi.hoisted(() => {
  class TabInputTextDiff {
    constructor(readonly modified: { readonly scheme: string }) {}
  }
  type Uri = { readonly scheme: string; readonly path: string };
  const listeners: (() => void)[] = [];
  const buttons = new Map<string, () => void>();
  const tabs: { readonly input: unknown }[] = [];
  const diffs: { readonly paths: readonly string[]; readonly how: unknown }[] = [];
  const changed = () => {
    for (const listener of listeners) listener();
  };
  const vscode = {
    TabInputTextDiff,
    Uri: { from: (parts: { scheme: string; path: string }) => parts },
    workspace: { registerTextDocumentContentProvider: () => ({ dispose: () => {} }) },
    commands: {
      registerCommand: (id: string, run: () => void) => (buttons.set(id, run), { dispose: () => {} }),
      executeCommand: (_diff: string, before: Uri, after: Uri, _title: string, how: unknown) => {
        diffs.push({ paths: [before.path, after.path], how });
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
          for (const one of closed) tabs.splice(tabs.indexOf(one as never), 1);
          changed();
          return Promise.resolve();
        },
        onDidChangeTabs: (listener: () => void) => (listeners.push(listener), { dispose: () => {} }),
      },
    },
  };
  return { vscode, tabs, diffs, changed, press: () => buttons.get('unstuck.connectAsShown')?.() };
});
vi.mock('vscode', () => editor.vscode);
const { PlanPreviews } = await import('../../../../src/editor/connect/plan-previews');

const shown = (file: string) => ({
  plan: { file, before: null, after: '{}' } as unknown as ConnectPlan,
  title: 'Connect',
});
beforeEach(() => {
  editor.tabs.length = 0;
  editor.diffs.length = 0;
});

it('the preview of Connect can stay open as long as one likes, and the person can agree in its title bar', async () => {
  const previews = new PlanPreviews();
  await previews.show([shown('/a/settings.json'), shown('/b/settings.json')]);
  expect(editor.tabs).toHaveLength(2);
  const answer = previews.answer();
  // One of the two is closed: the person can still agree in the other.
  editor.tabs.pop();
  editor.changed();
  editor.press();
  expect(await answer).toBe(true);
  await previews.hide();
  expect(editor.tabs).toEqual([]);
});

it('closing the preview or opening another one is not a yes', async () => {
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

it('the preview that replaces another one keeps its files when the other one is put away', async () => {
  const previews = new PlanPreviews();
  await previews.show([shown('/a/settings.json')]);
  const first = previews.answer().then(() => previews.hide());
  await Promise.all([previews.show([shown('/b/settings.json'), shown('/c/settings.json')]), first]);
  const texts = editor.diffs.map(({ paths: [, after] }) =>
    previews.provideTextDocumentContent({ path: after } as never),
  );
  expect([editor.tabs.length, texts]).toEqual([2, ['', '{}', '{}']]);
});

it('the preview compares each file before and after, and keeps two files open until they are closed', async () => {
  const previews = new PlanPreviews();
  const plan = { file: '/a/settings.json', before: '{ "a": 1 }', after: '{ "a": 2 }' } as unknown as ConnectPlan;
  const textsOf = (paths: readonly string[] = []) =>
    paths.map((path) => previews.provideTextDocumentContent({ path } as never));
  await previews.show([{ plan, title: 'Connect' }, shown('/b/settings.json')]);
  const [first, second] = editor.diffs;
  expect([textsOf(first?.paths), textsOf(second?.paths)]).toEqual([
    ['{ "a": 1 }', '{ "a": 2 }'],
    ['', '{}'],
  ]);
  // The next file that is opened replaces a preview.
  expect(editor.diffs.map(({ how }) => how)).toEqual([{ preview: false }, { preview: false }]);
  await previews.hide();
  expect(textsOf(first?.paths)).toEqual(['', '']);
  await previews.show([shown('/b/settings.json')]);
  expect(editor.diffs.at(-1)?.how).toEqual({ preview: true });
});

it('the previews close no tab of others, and take none for their own', async () => {
  const { TabInputTextDiff } = editor.vscode;
  const others = [{ input: undefined }, { input: new TabInputTextDiff({ scheme: 'git' }) }];
  const previews = new PlanPreviews();
  editor.tabs.push(...others);
  await previews.show([shown('/a/settings.json')]);
  const answer = previews.answer();
  editor.tabs.pop();
  editor.changed();
  expect(await answer).toBe(false);
  await previews.show([shown('/a/settings.json')]);
  await previews.hide();
  expect(editor.tabs).toEqual(others);
});

it('closing the window is not a yes', async () => {
  const previews = new PlanPreviews();
  await previews.show([shown('/a/settings.json')]);
  const answer = previews.answer();
  previews.dispose();
  expect(await answer).toBe(false);
});
