import { appendFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Transcripts } from '../../../../src/editor/transcripts/transcripts';
import { folder } from '../../support/folder';
import { documents } from '../support/documents';

vi.mock('vscode', async () => (await import('../support/documents')).withDocuments(await import('../support/vscode')));

const RECORD = 100;
const MEGABYTE = 1024 * 1024;

let transcripts: Transcripts;
beforeEach(() => {
  documents.editor = undefined;
  documents.stat = () => 1_000;
  transcripts = new Transcripts(
    (_path, offset) => Promise.resolve(Math.floor(offset / RECORD)),
    (path, session) => Promise.resolve(path.endsWith('.db') ? `first of ${session}\nsecond of ${session}` : undefined),
  );
});

/** A transcript of this many records of a hundred bytes, each with its number, counted from 1. */
function transcript(records: number): string {
  const file = join(folder(), 's.jsonl');
  const lines = Array.from({ length: records }, (_, at) => `${at + 1}`.padEnd(RECORD - 1) + '\n');
  writeFileSync(file, lines.join(''));
  return file;
}
/** The records that are selected in the editor in front. */
const selected = () => {
  const lines = documents.editor?.document.text.split('\n') ?? [];
  return documents.editor?.selections.map(({ start }) => lines[start.line]?.trim());
};

describe('a transcript', () => {
  it('opens read-only at its record, which is selected and in view', async () => {
    const file = transcript(20);
    await transcripts.show({ file, line: 7, offset: 0 }, 's');
    expect(documents.editor?.document.uri.scheme).toBe('unstuck-transcript');
    expect(selected()).toEqual(['7']);
    expect(documents.editor?.revealed?.start.line).toBe(6);
    expect(documents.editor?.selection.end.character).toBe(RECORD - 1);
  });

  it('is searched by byte offset if the line of the record is unknown', async () => {
    const file = transcript(20);
    await transcripts.show({ file, line: 0, offset: 4 * RECORD }, 's');
    expect(selected()).toEqual(['5']);
  });

  it('that has been truncated since opens at its end', async () => {
    const file = transcript(3);
    await transcripts.show({ file, line: 90, offset: 0 }, 's');
    expect(documents.editor?.selection.start.line).toBe(3);
  });

  it('of more than 24 MB opens as the 2 MB around its record', async () => {
    const records = Math.ceil((25 * MEGABYTE) / RECORD);
    const file = transcript(records);
    documents.stat = () => records * RECORD;
    for (const line of [200_000, records]) {
      await transcripts.show({ file, line, offset: (line - 1) * RECORD }, 's');
      expect(selected()).toEqual([String(line)]);
      expect(documents.editor?.document.text.length).toBeLessThanOrEqual(2 * MEGABYTE);
      // No partial record is above the first one.
      expect(documents.editor?.document.text.indexOf('\n')).toBe(RECORD - 1);
    }
    await transcripts.show({ file, line: 2, offset: RECORD }, 's');
    expect(selected()).toEqual(['2']);
  });

  it('shows all records of an incident, except those of another file', async () => {
    const file = transcript(20);
    const at = (line: number, of = file) => ({ file: of, line, offset: (line - 1) * RECORD });
    await transcripts.showAll([at(3), at(5, '/elsewhere'), at(90), at(9)], 's');
    expect(selected()).toEqual(['3', '9']);
    expect(documents.editor?.revealed?.start.line).toBe(8);
    documents.editor = undefined;
    await transcripts.showAll([], 's');
    expect(documents.editor).toBeUndefined();
  });

  it('in a database shows only the records of its session', async () => {
    await transcripts.show({ file: '/x/opencode.db', line: 2, offset: 0 }, 'a/b c');
    expect(documents.editor?.document.text).toBe('first of a/b c\nsecond of a/b c');
    expect(selected()).toEqual(['second of a/b c']);
    await transcripts.show({ file: '/x/opencode.db', line: 0, offset: 0 }, 's');
    expect(selected()).toEqual(['first of s']);
  });

  it('reports that its file is gone', async () => {
    await expect(transcripts.show({ file: '/nowhere/s.jsonl', line: 1, offset: 0 }, 's')).rejects.toThrow(
      '/nowhere/s.jsonl: ENOENT',
    );
  });

  it('opens at a record that was written after it was opened last', async () => {
    const file = transcript(3);
    let records = 'first';
    transcripts.dispose();
    transcripts = new Transcripts(
      () => Promise.resolve(0),
      (path) => Promise.resolve(path.endsWith('.db') ? records : undefined),
    );
    documents.stat = () => statSync(file).size;
    await transcripts.show({ file, line: 3, offset: 0 }, 's');
    appendFileSync(file, '4'.padEnd(RECORD - 1) + '\n' + '5'.padEnd(RECORD - 1) + '\n');
    await transcripts.show({ file, line: 5, offset: 0 }, 's');
    expect(selected()).toEqual(['5']);
    await transcripts.show({ file: '/x/opencode.db', line: 1, offset: 0 }, 's');
    records = 'first\nsecond';
    await transcripts.show({ file: '/x/opencode.db', line: 2, offset: 0 }, 's');
    expect(selected()).toEqual(['second']);
  });

  it('is read again each time: an agent has written more', async () => {
    const told: string[] = [];
    transcripts.onDidChange(({ path }) => told.push(path));
    const file = transcript(3);
    await transcripts.show({ file, line: 1, offset: 0 }, 's');
    await transcripts.show({ file: '/x/opencode.db', line: 1, offset: 0 }, 's');
    expect(told).toEqual([file, '/x/opencode.db']);
    transcripts.dispose();
    expect(documents.providers.has('unstuck-transcript')).toBe(false);
  });
});
