import { existsSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line';
import { MESSAGE_KINDS, type InboxMessage, type MessageKind } from '../../../src/core/model';
import { filesIn, SESSION, workspace } from '../agents/inbox/inbox-kit';

let place: { root: string; remove: () => void };
beforeEach(() => {
  place = workspace();
});
afterEach(() => place.remove());

async function run(...words: readonly string[]): Promise<{ code: number; lines: string[]; notes: string[] }> {
  const [lines, notes]: [string[], string[]] = [[], []];
  const output = {
    line: (text: string) => void lines.push(text),
    note: (text: string) => void notes.push(text),
    isTerminal: false,
  };
  const code = await runCommandLine(['inbox', ...words], output, new Promise(() => undefined));
  return { code, lines, notes };
}
const send = (...words: readonly string[]) =>
  run('send', '--folder', place.root, '--session', SESSION, '--json', ...words);
async function taken(): Promise<InboxMessage[]> {
  const { lines } = await run('take', '--folder', place.root, '--session', SESSION);
  return lines.map((line) => (JSON.parse(line) as { message: InboxMessage }).message);
}

/** Each kind with everything it can carry, and the outcome. */
const KINDS: Readonly<Record<MessageKind, readonly [readonly string[], Partial<InboxMessage>]>> = {
  nudge: [['Read', 'the', 'error', 'first.'], {}],
  gate: [['--text', 'Completion Blocked'], {}],
  checkpoint: [['--text', 'Your work was saved.'], {}],
  stop: [['--text', 'A person stopped you.'], {}],
  reassign: [
    ['--text', 'Leave it.', '--to', 'other', '--avoid', 'npm test', '--avoid', 'sed', '--prompt', 'Take it over.'],
    { task: { to: 'other', avoid: ['npm test', 'sed'], prompt: 'Take it over.' } },
  ],
  restart: [
    ['--mode', 'fresh', '--prompt', 'Begin anew.', '--model', 'opus'],
    { restart: { mode: 'fresh', prompt: 'Begin anew.', model: 'opus' } },
  ],
  escalate: [
    ['--text', 'Go on.', '--thinking', 'high'],
    { restart: { mode: 'resume', prompt: 'Go on.', thinking: 'high' } },
  ],
  block: [
    ['--text', 'It failed 5 times.', '--call', '{"name":"Bash","args":{"command":"npm test"}}'],
    { call: { name: 'Bash', args: { command: 'npm test' } } },
  ],
};

describe('a message by hand', () => {
  it.each(MESSAGE_KINDS)('of kind %s is written in the specified format, and can be taken', async (kind) => {
    const [words, carries] = KINDS[kind];
    const sent = await send('--agent', 'codex', '--kind', kind, '--incident', 'i-1', '--expires', '90', ...words);
    expect(sent).toMatchObject({ code: 0, notes: [] });
    expect(JSON.parse(sent.lines[0] ?? '')).toMatchObject({ kind: 'delivery', state: 'queued', by: 'cli' });
    const [message] = await taken();
    const { id, t, expires, text, ...rest } = message as InboxMessage;
    expect(rest).toEqual({
      v: 1,
      session: SESSION,
      agent: 'codex',
      kind,
      from: 'unstuck',
      automated: false,
      incident: 'i-1',
      ...carries,
    });
    expect(text.endsWith(`[unstuck ${id}]`)).toBe(true);
    expect(Date.parse(expires) - Date.parse(t)).toBe(90_000);
    expect(filesIn(place.root, 'new')).toEqual([]);
  });

  it('is a nudge to a generic agent by default, and a reassignment to no particular agent', async () => {
    await send('Look again.');
    await send('--kind', 'reassign', '--text', 'Leave it.');
    expect(await taken()).toMatchObject([
      { kind: 'nudge', agent: 'generic' },
      { kind: 'reassign', task: { to: null, avoid: [], prompt: 'Leave it.' } },
    ]);
  });

  it.each([
    [['--kind', 'hug', 'x'], '--kind must be nudge, gate, reassign, checkpoint, stop, restart, escalate or block.'],
    [['--agent', 'hal', 'x'], 'there is no agent "hal".'],
    [[], 'the text is missing (--text "…").'],
    [['--kind', 'stop', ' '], 'the text is missing (--text "…").'],
    [['--kind', 'restart'], 'restart needs a message to the agent (--prompt "…").'],
    [['--kind', 'restart', '--mode', 'again', 'x'], '--mode must be resume, fork or fresh.'],
    [['--kind', 'escalate', 'x'], 'escalate needs --model or --thinking.'],
    [['--kind', 'block', 'x'], /^block needs the call to refuse/],
    [['--kind', 'block', '--call', '{', 'x'], /^--call is not valid JSON/],
    [['--kind', 'block', '--call', '[]', 'x'], /^--call needs name and args/],
    [['--kind', 'block', '--call', '{"name":"Bash"}', 'x'], /^--call needs name and args/],
    [['--kind', 'nudge', '--model', 'opus', 'x'], 'nudge does not take --model.'],
    [['--kind', 'block', '--prompt', 'x', 'x'], 'block does not take --prompt.'],
    [['--expires', 'soon', 'x'], '--expires must be a number of seconds up to 86400.'],
    [['--expires', '0', 'x'], '--expires must be a number of seconds up to 86400.'],
    [['--text', 'x'.repeat(100_001)], /cannot be sent/],
    [['--colour', 'x'], /Unknown option '--colour'/],
  ] as const)('%j is refused in one clear line, and nothing is written', async (words, why) => {
    const { code, lines, notes } = await send(...words);
    expect([code, lines, notes.length]).toEqual([2, [], 1]);
    const said = (notes[0] ?? '').replace(/^unstuck inbox(?: send)?: /, '');
    if (typeof why === 'string') expect(said).toBe(why);
    else expect(said).toMatch(why);
    expect(notes[0]).not.toContain('\n');
    expect(existsSync(join(place.root, '.unstuck/inbox'))).toBe(false);
  });

  it('is refused if the inbox is a symbolic link', async () => {
    symlinkSync(place.root, join(place.root, '.unstuck'));
    expect(await send('x')).toMatchObject({ code: 2, notes: [expect.stringContaining('symbolic link')] });
  });

  it('can be listed and withdrawn until it is taken', async () => {
    const { lines } = await send('Look again.');
    const { id } = (JSON.parse(lines[0] ?? '') as { message: InboxMessage }).message;
    const at = ['--folder', place.root, '--session', SESSION];
    expect((await run('list', ...at)).lines[0]).toContain('queued  Look again.');
    expect(await run('withdraw', id, ...at)).toMatchObject({ code: 0, lines: [`${id} withdrawn`] });
    expect((await run('list', '--folder', place.root)).lines[0]).toContain('withdrawn');
    expect(await run('withdraw', id, ...at)).toMatchObject({ code: 2 });
    expect(await taken()).toEqual([]);
  });
});
