import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Source } from '../../../../src/core/model';
import type { Excerpt } from '../../../../src/core/words';
import { EvidenceDocuments } from '../../../../src/editor/transcripts/evidence';
import { T0, incident } from '../../history/support/incidents';
import { documents } from '../support/documents';
import { editor, resetEditor } from '../support/vscode';

vi.mock('vscode', async () => (await import('../support/documents')).withDocuments(await import('../support/vscode')));

beforeEach(() => {
  resetEditor();
  documents.editor = undefined;
});

const FILE = '/home/me/s.jsonl';
const place: Source = { file: FILE, line: 12, offset: 900 };
const excerpt = (more: Partial<Excerpt> = {}): Excerpt => ({
  agentName: 'Codex',
  file: FILE,
  entries: [
    { kind: 'said', at: T0, line: 11, isLit: false, text: 'I run the tests.' },
    { kind: 'said', at: T0, line: 12, isLit: true, text: 'They fail.\nAgain.' },
  ] as unknown as Excerpt['entries'],
  ...more,
});

/** A window whose transcript or history has this excerpt, and the raw lines that were opened. */
function stage(read: Excerpt | null, kept: Excerpt | null = null) {
  const raw: string[] = [];
  const evidence = new EvidenceDocuments(
    () => Promise.resolve(read),
    () => Promise.resolve(kept),
    { show: ({ line }, session) => Promise.resolve(void raw.push(`${line} of ${session}`)) },
  );
  const buttons = () =>
    evidence.provideCodeLenses(documents.editor?.document as never).map(({ command }) => command?.title);
  const press = () => editor.registered.get('unstuck.openRawLine')?.();
  return { evidence, raw, buttons, press };
}

describe('a piece of a transcript', () => {
  it('opens to the side with its line highlighted and in view, and leads to the raw line', async () => {
    const { evidence, raw, buttons, press } = stage(excerpt());
    await evidence.show(place, 's');
    const { document, beside, decorated, revealed, selection } = documents.editor!;
    expect([document.uri.path, beside]).toEqual(['/Line 12, Codex', true]);
    const lines = document.text.split('\n');
    const [lit, heads] = [...decorated.values()];
    expect(lines.slice(lit?.[0], (lit?.[1] ?? 0) + 1).map((line) => line.trim())).toEqual([
      expect.stringContaining('line 12'),
      'They fail.',
      'Again.',
    ]);
    expect(heads?.map((row) => lines[row]?.includes('line 1'))).toEqual([true, true, true, true]);
    expect([revealed?.start.line, selection.start]).toEqual([lit?.[0], { line: lit?.[0], character: 9 }]);
    expect(buttons()).toEqual(['Open Raw Line']);
    await press();
    expect(raw).toEqual(['12 of s']);
  });

  it('comes from the history if the transcript no longer has it, and then leads to no raw line', async () => {
    const { evidence, raw, buttons } = stage(null, excerpt({ isKept: true }));
    await evidence.show({ ...place, line: 0 }, 's');
    expect(documents.editor?.document.uri.path).toBe('/Transcript, Codex');
    expect(documents.editor?.document.text).toContain('Copy from the history');
    expect([buttons(), raw]).toEqual([[], []]);
  });

  it('is the transcript itself if neither has it', async () => {
    const { evidence, raw } = stage(null);
    await evidence.show(place, 's');
    expect([raw, documents.editor]).toEqual([['12 of s'], undefined]);
  });

  it('is highlighted again when its editor is shown again, and other editors are not', async () => {
    const { evidence } = stage(excerpt());
    await evidence.show(place, 's');
    const { decorated, document } = documents.editor!;
    const before = [...decorated.values()];
    decorated.clear();
    const other = { document: { uri: document.uri.with({ scheme: 'file' }) } };
    documents.shows([other, documents.editor]);
    expect([...decorated.values()]).toEqual(before);
  });

  it('is forgotten after fifty others, and then says how to get it back', async () => {
    const { evidence, buttons } = stage(excerpt());
    await evidence.show(place, 's');
    const first = documents.editor!;
    const text = () => evidence.provideTextDocumentContent(first.document.uri as never);
    for (let other = 0; other < 49; other++) await evidence.show(place, 's');
    expect(text()).toContain('They fail.');
    await evidence.show(place, 's');
    expect(text()).toBe('This excerpt is gone after the reload. Open it again from the panel.');
    documents.editor = first;
    expect(buttons()).toEqual([]);
  });
});

it('the button for the raw line asks for a line of the evidence if another editor is in front', async () => {
  const { evidence, raw, press } = stage(excerpt());
  await press();
  await evidence.show(place, 's');
  Object.assign(documents.editor!.document.uri, { scheme: 'file' });
  await press();
  expect(raw).toEqual([]);
  expect(editor.shown.map(({ text }) => text)).toEqual(Array(2).fill('First open a line of the evidence.'));
});

describe('the first and the last result of an incident', () => {
  const sample = (text: string) => ({ source: place, at: T0, text, ignored: [] });

  it('are opened as a diff, in documents that lead nowhere', async () => {
    const { evidence } = stage(null);
    await evidence.compare(incident({ firstSample: sample('1 failed'), lastSample: sample('2 failed') }));
    const [command, left, right, title] = editor.commands[0] as [string, never, never, string];
    expect([command, ...[left, right].map((uri) => evidence.provideTextDocumentContent(uri))]).toEqual([
      'vscode.diff',
      '1 failed',
      '2 failed',
    ]);
    expect(title).toContain('pytest -q, first and last: ');
    expect(evidence.provideCodeLenses({ uri: left } as never)).toEqual([]);
  });

  it('are not opened if one of them is unknown', async () => {
    const { evidence } = stage(null);
    await evidence.compare(incident({ firstSample: sample('1 failed') }));
    await evidence.compare(incident({ lastSample: sample('1 failed') }));
    expect(editor.commands).toEqual([]);
  });
});

it('nothing is left behind', () => {
  const before = documents.decorations;
  const { evidence } = stage(null);
  expect(documents.decorations).toBe(before + 2);
  evidence.dispose();
  expect(documents.decorations).toBe(before);
  expect([editor.registered.size, documents.providers.has('unstuck-evidence')]).toEqual([0, false]);
});
