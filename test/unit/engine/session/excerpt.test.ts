import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { registry } from '../../../../src/agents/registry';
import { readSmall } from '../../../../src/engine/follow/probe';
import { readExcerpt } from '../../../../src/engine/session/excerpt';
import type { Source } from '../../../../src/core/model';
import { excerptText } from '../../../../src/core/words';

const FIXTURES = join(__dirname, '../../../golden/fixtures');

/** The excerpt at a line of a file, and how often the work paused. */
async function at(file: string, line: number, session = '', offset = offsetOf(file, line)) {
  let pauses = 0;
  let time = 0;
  const place: Source = { file, line, offset };
  const excerpt = await readExcerpt(place, session, {
    adapters: registry,
    sqlite: undefined,
    readSmall,
    clock: () => (time += 0.1),
    breathe: () => Promise.resolve(void pauses++),
  });
  return { excerpt, pauses };
}

/** Byte offset of a 1-based line. */
function offsetOf(file: string, line: number): number {
  return Buffer.byteLength(
    readFileSync(file, 'utf8')
      .split('\n')
      .slice(0, line - 1)
      .map((text) => `${text}\n`)
      .join(''),
  );
}

function written(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'unstuck-excerpt-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'session.jsonl');
  writeFileSync(file, text);
  return file;
}

const INTERLEAVED = join(FIXTURES, 'claude-code/b-edit-pytest-interleaved.jsonl');
/** A line of the file with this text. */
const lineWith = (file: string, text: string, from = 0) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .findIndex((line, index) => index >= from && line.includes(text)) + 1;

/** The line as another round of the same work would have written it. */
function ofRound(line: string, round: number): string {
  const id = round.toString(16).padStart(4, '0');
  return line
    .replaceAll('toolu_', `toolu_${round}_`)
    .replaceAll('"msg_', `"msg_${round}_`)
    .replace(/"(uuid|parentUuid)":"([0-9a-f-]{24})[0-9a-f]{4}/g, `"$1":"$2${id}`);
}

describe('what happened around a line', () => {
  it('is the call at the line with its result, and five steps on either side', async () => {
    const result = lineWith(INTERLEAVED, '"tool_result"', 60);
    const { excerpt } = await at(INTERLEAVED, result);
    const lit = excerpt?.entries.filter(({ isLit }) => isLit) ?? [];
    expect(lit).toHaveLength(1);
    expect(lit[0]).toMatchObject({ kind: 'call', result: { text: expect.any(String) as string } });
    const index = excerpt?.entries.findIndex(({ isLit }) => isLit) ?? 0;
    const steps = (entries: readonly { kind: string }[] = []) => entries.filter(({ kind }) => kind === 'call').length;
    expect(steps(excerpt?.entries.slice(0, index))).toBe(5);
    expect(steps(excerpt?.entries.slice(index + 1))).toBeLessThanOrEqual(5);
    // Line numbers are those of the file.
    for (const { line } of excerpt?.entries ?? []) expect(line).toBeGreaterThan(0);
  });

  it.each([
    ['codex', 'codex'],
    ['gemini', 'gemini'],
    ['qwen', 'qwen'],
  ])('can be shown for a transcript of %s', async (folder) => {
    const { readdirSync } = await import('node:fs');
    const name = readdirSync(join(FIXTURES, folder)).find((one) => one.endsWith('.jsonl')) ?? '';
    const file = join(FIXTURES, folder, name);
    const lines = readFileSync(file, 'utf8').split('\n').length;
    const told = await Promise.all(Array.from({ length: Math.min(lines, 40) }, (_, index) => at(file, index + 1)));
    const calls = told.flatMap(
      ({ excerpt }) => excerpt?.entries.filter(({ isLit, kind }) => isLit && kind === 'call') ?? [],
    );
    expect(calls.length).toBeGreaterThan(0);
    expect(calls.some(({ result }) => result !== undefined)).toBe(true);
  });

  it('is the end of what was read if the session does not continue', async () => {
    const text = readFileSync(INTERLEAVED, 'utf8').trimEnd();
    const { excerpt } = await at(INTERLEAVED, lineWith(INTERLEAVED, '"tool_use"', text.split('\n').length - 12));
    expect(excerpt?.entries.some(({ isLit }) => isLit)).toBe(true);
  });

  it('is unknown if the file is gone, is not a transcript, or has nothing at that place', async () => {
    expect((await at('/nowhere/at/all.jsonl', 1, '', 0)).excerpt).toBeNull();
    expect((await at(written('no transcript\n'), 1)).excerpt).toBeNull();
    expect((await at(INTERLEAVED, 3, '', 7)).excerpt).toBeNull();
  });

  it('costs as much in a session of 20,000 records as in a short one, and pauses', async () => {
    const lines = readFileSync(INTERLEAVED, 'utf8').trimEnd().split('\n');
    const head = lines.slice(0, 5);
    const body = lines.slice(5);
    const many: string[] = [...head];
    for (let round = 0; many.length < 20_000; round++) many.push(...body.map((line) => ofRound(line, round)));
    const file = written(`${many.join('\n')}\n`);
    const line = lineWith(file, '"tool_result"', 15_000);
    const before = process.resourceUsage().fsRead;
    const { excerpt, pauses } = await at(file, line);
    expect(excerpt?.entries.find(({ isLit }) => isLit)).toMatchObject({
      kind: 'call',
      line: expect.any(Number) as number,
    });
    expect(excerpt?.entries.length).toBeLessThan(60);
    expect(pauses).toBeGreaterThan(0);
    expect(process.resourceUsage().fsRead - before).toBeLessThan(100_000);
  });
});

it('is written so that a person can read it', async () => {
  const { excerpt } = await at(INTERLEAVED, lineWith(INTERLEAVED, '"tool_result"', 40));
  if (!excerpt) throw new Error('nothing was read');
  const { text, lit, heads } = excerptText(excerpt);
  const lines = text.split('\n');
  expect(lines[0]).toMatch(/^Claude Code, lines \d+ to \d+$/);
  expect(lines[lit[0]]).toMatch(/^\d\d:\d\d:\d\d {2}Call: .+ {4}line \d+$/);
  expect(lines.slice(...lit).some((line) => /^ {4}(✗ failed|→ result), \d\d:/.test(line))).toBe(true);
  for (const head of heads) expect(lines[head]).toMatch(/^\d\d:\d\d:\d\d {2}\S/);
  expect(text).not.toContain('"tool_use_id"');
});

describe('what is between the steps', () => {
  const line = (fields: object) => `${JSON.stringify({ v: 1, t: '2026-11-20T12:00:00Z', session: 's', ...fields })}\n`;
  const file = () =>
    written(
      [
        { type: 'user', text: 'Mend it' },
        { type: 'assistant', text: 'I lo', chunk: true },
        { type: 'assistant', text: 'ok.', chunk: true },
        { type: 'user', text: 'from a program', automated: true },
        { type: 'error', kind: 'api', message: 'overloaded' },
        { type: 'compaction', trigger: 'auto' },
        { type: 'tool_result', id: 'gone', output: 'of a call that stands before' },
        { type: 'assistant', text: 'First.' },
        { type: 'assistant', text: 'Second.' },
      ]
        .map(line)
        .join(''),
    );

  it('is shown in order: the pieces of a message as one, errors, and that the context was compacted', async () => {
    const { excerpt } = await at(file(), 3);
    expect(excerpt?.entries.map(({ kind, text, isLit }) => [kind, text, isLit])).toEqual([
      ['person', 'Mend it', false],
      ['agent', 'I look.', true],
      ['program', 'from a program', false],
      ['error', 'overloaded', false],
      ['note', 'The context was compacted.', false],
      ['call', '', false],
      ['agent', 'First.', false],
      ['agent', 'Second.', false],
    ]);
    expect(excerpt?.entries[5]?.result?.text).toBe('of a call that stands before');
  });
});

it('a place far into a line longer than one read is found all the same', async () => {
  const line = (fields: object) => `${JSON.stringify({ v: 1, t: '2026-11-20T12:00:00Z', session: 's', ...fields })}\n`;
  const head = line({ type: 'user', text: 'Mend it' });
  const file = written(`${head}${line({ type: 'assistant', text: `${'x'.repeat(1_500_000)} end` })}`);
  const { excerpt } = await at(file, 2);
  expect(excerpt?.entries.find(({ isLit }) => isLit)?.text.endsWith(' end')).toBe(true);
});
