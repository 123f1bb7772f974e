import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../../../src/cli/command-line';
import { sendMessage } from '../../../../src/agents/inbox/messages/send';
import type { Incident } from '../../../../src/core/model';
import { draftNudge } from '../../../../src/recover/drafts/draft';
import { restartPrompt } from '../../../../src/recover/drafts/restart-prompt';
import { exportJson, exportMarkdown } from '../../../../src/history/export';
import { channelLog } from '../../../../src/editor/log';
import { presentable } from '../../../../src/base/util/redact';
import { incident } from '../../history/support/incidents';
import { folder, open } from '../../history/support/make';
import { FORMS, type Form, type Written, inForm, shows } from './forms';
import { KINDS } from './kinds';

const temporary: string[] = [];
afterAll(() => {
  for (const path of temporary) rmSync(path, { recursive: true, force: true });
});

/** A secret of the list in the texts of an incident. */
interface Leak {
  readonly name: string;
  readonly written: Written;
  readonly incident: Incident;
}

/** All kinds of the list that are secrets in this form; forms.ts gives the reason why the others are none. */
const leaksIn = (form: Form): readonly Leak[] =>
  KINDS.flatMap((kind, index) => {
    const written = inForm(kind, form);
    return 'why' in written ? [] : [{ name: kind.kind, written, incident: leaky(written.text, `${form}${index}`) }];
  });

/** An incident with the secret in each of its texts. */
function leaky(text: string, id: string): Incident {
  const source = { file: '/s.jsonl', line: 1, offset: 0 };
  return incident({
    id: `leak${id}`,
    key: `leak${id}`,
    title: text,
    subject: text,
    why: `It ran 4 times. The result: ${text}`,
    suggestion: text,
    clears: [text],
    evidence: [
      { source, at: 1, role: 'first', subject: text, text },
      { source, at: 2, role: 'between', subject: text, text },
      { source, at: 3, role: 'repeat', subject: text, text },
    ],
    lastSample: { ...incident().lastSample, text, ignored: [] } as NonNullable<Incident['lastSample']>,
  });
}

/** The secrets of which a text shows a part, whatever colours and escapes it contains. */
function shownIn(text: string, leaks: readonly Leak[]): readonly string[] {
  const plain = text.replace(/(?:\u001b|\\{1,4}u001b)\[[0-9;]*[mK]/g, '');
  return leaks
    .filter(({ written }) => {
      const inJson = written.pieces.map((piece) => JSON.stringify(piece).slice(1, -1));
      return shows(plain, [...written.pieces, ...inJson], 4);
    })
    .map(({ name }) => name);
}

/** Some at a time: each write to the disk is synced. */
const inGroups = (leaks: readonly Leak[]): readonly (readonly Leak[])[] =>
  Array.from({ length: Math.ceil(leaks.length / 20) }, (_, index) => leaks.slice(index * 20, index * 20 + 20));

const contentOf = (path: string): string =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');

describe.each(FORMS)('no secret of the list leaves, written %s', (form) => {
  const leaks = leaksIn(form);

  it('into the journal and into the snapshot', async () => {
    const path = folder();
    const { store } = await open(path);
    for (const group of inGroups(leaks)) {
      const evidence = group.flatMap((one) => one.incident.evidence.slice(0, 1));
      await store.save({ ...(group[0] as Leak).incident, evidence });
      const data = { texts: group.map(({ written }) => written.text) };
      await store.appendEvent({ t: 1, type: 'Observation', session: 's', agent: 'codex', data });
    }
    expect(contentOf(path)).toContain('[redacted]');
    expect(shownIn(contentOf(path), leaks)).toEqual([]);
    expect(await store.compact()).toMatchObject({ done: true });
    expect(shownIn(contentOf(path), leaks)).toEqual([]);
    await store.close();
  }, 240_000);

  it('into an export', () => {
    for (const one of leaks) {
      const exported = { incident: one.incident, learning: undefined, events: [] };
      expect(shownIn(exportMarkdown(exported), [one])).toEqual([]);
      expect(shownIn(exportJson(exported), [one])).toEqual([]);
    }
  }, 60_000);

  it('into a nudge or a prompt', () => {
    for (const one of leaks) {
      const leak = one.incident;
      const options = { automatic: true, now: 1, otherItems: [leak.subject], related: [leak] };
      const progress = { title: leak.title, plan: [], changes: [leak.subject], incident: leak };
      expect(shownIn(draftNudge(leak, options), [one])).toEqual([]);
      const prompt = restartPrompt(leak, { ...options, mode: 'fresh', task: leak.subject, progress });
      expect(shownIn(prompt, [one])).toEqual([]);
    }
  }, 60_000);

  it('into a message of an inbox', async () => {
    const root = mkdtempSync(join(tmpdir(), 'unstuck-exits-'));
    temporary.push(root);
    for (const group of inGroups(leaks)) {
      const text = group.map(({ written }) => written.text).join('\n\n');
      const message = { session: 's1', agent: 'codex', kind: 'restart', text, automated: false } as const;
      const sent = await sendMessage(root, { ...message, restart: { mode: 'fresh', prompt: text } }, 1);
      expect(sent.ok).toBe(true);
    }
    expect(shownIn(contentOf(root), leaks)).toEqual([]);
  }, 240_000);

  it('into the log', () => {
    let logged = '';
    const write = (line: string) => {
      logged += `${line}\n`;
    };
    const log = channelLog({ debug: write, info: write, warn: write, error: write } as never);
    for (const { written } of leaks) log.warn(`it failed: ${written.text}`);
    expect(shownIn(logged, leaks)).toEqual([]);
  }, 60_000);

  it('into the clipboard', () => {
    for (const one of leaks) expect(shownIn(presentable(one.written.text), [one])).toEqual([]);
  });

  it('out of the command line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'unstuck-exits-'));
    temporary.push(folder);
    for (const [number, group] of inGroups(leaks).entries()) {
      const session = `s${number}`;
      const lines: object[] = [];
      for (const [place, { written }] of group.entries()) {
        const { text } = written;
        lines.push({ v: 1, t: place * 10_000, session, type: 'user', text });
        for (let call = 1; call <= 5; call++) {
          const about = { v: 1, t: place * 10_000 + call * 1000, session, id: `${place}.${call}` };
          lines.push({ ...about, type: 'tool_call', name: 'shell', args: { command: text } });
          lines.push({ ...about, type: 'tool_result', output: `failed: ${text}`, isError: true, exitCode: 1 });
        }
      }
      writeFileSync(join(folder, `${session}.agent.jsonl`), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    }
    const printed = async (...words: string[]) => {
      const lines: string[] = [];
      const output = { line: (text: string) => lines.push(text), note: () => undefined, isTerminal: false };
      expect(await runCommandLine(['scan', folder, ...words], output, new Promise(() => {}))).toBe(0);
      return lines.join('\n');
    };
    const text = await printed('--why');
    expect(text).toContain('repeating_action');
    expect(shownIn(text, leaks)).toEqual([]);
    expect(shownIn(await printed('--json'), leaks)).toEqual([]);
  }, 240_000);
});

it('everything put on the clipboard goes through the same function', () => {
  // A git ref is not text from a transcript.
  const source = join(__dirname, '../../../../src');
  const writes = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => readFileSync(join(source, file), 'utf8').match(/clipboard\.writeText\([^;]*/g) ?? []);
  expect(writes.length).toBeGreaterThan(0);
  for (const call of writes) expect(call).toMatch(/writeText\((?:presentable\(|ref\))/);
});

describe('--raw', () => {
  it('is refused if the results do not go to a terminal', async () => {
    const notes: string[] = [];
    const output = { line: () => undefined, note: (text: string) => notes.push(text), isTerminal: true };
    expect(await runCommandLine(['scan', 'x', '--raw'], output, Promise.resolve())).toBe(2);
    expect(notes).toEqual(['unstuck scan: --raw shows secrets, so it works only in a terminal.']);
  });

  it('shows in a terminal what is there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'unstuck-exits-'));
    temporary.push(folder);
    const line = { v: 1, t: 1, session: 's', type: 'user', text: 'DB_PASSWORD=tr0ub4dor' };
    writeFileSync(join(folder, 'a.agent.jsonl'), `${JSON.stringify(line)}\n`);
    const shown = async (...words: string[]) => {
      const lines: string[] = [];
      const output = { line: (text: string) => lines.push(text), note: () => undefined, isTerminal: true };
      await runCommandLine(
        ['scan', folder, ...words],
        { ...output, hasTerminalForResults: true },
        new Promise(() => {}),
      );
      return lines.join('\n');
    };
    expect(await shown('--raw')).toContain('DB_PASSWORD=tr0ub4dor');
    expect(await shown()).toContain('DB_PASSWORD=[redacted]');
  });
});
