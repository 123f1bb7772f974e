import { expect, it } from 'vitest';
import { type ConnectFacts, connectOutlook, connectQuestion, connectState } from '../../../../../src/core/words';

const base = { agent: 'Claude Code', file: '/w/.claude/settings.local.json', isNew: false, added: 14, notes: [] };

it('says which file changes and how, what runs, and how to undo it', () => {
  expect(connectQuestion([base], false)).toEqual({
    message: 'Connect Claude Code?',
    detail: [
      '14 lines are added to /w/.claude/settings.local.json; nothing else changes.',
      '',
      'The hook delivers a message if one is waiting; otherwise it exits at once. Disconnect Agent… removes it.',
    ],
    connect: 'Connect',
    read: 'Read First',
  });
});

it('names a file that is created, and what may be in the way', () => {
  const notes = ['All hooks are switched off in ~/.claude/settings.json.'];
  expect(connectQuestion([{ ...base, isNew: true, notes }], false).detail.slice(0, 2)).toEqual([
    'Unstuck will create /w/.claude/settings.local.json.',
    'All hooks are switched off in ~/.claude/settings.json.',
  ]);
});

it('is one question for several agents, and for the nudge that follows', () => {
  const codex = { ...base, agent: 'Codex CLI', file: '/home/me/.codex/hooks.json', added: 1 };
  const { message, connect } = connectQuestion([base, { ...base, file: '/x/settings.local.json' }, codex], true);
  expect([message, connect]).toEqual(['Connect Claude Code, Codex CLI and send the nudge?', 'Connect and Nudge']);
});

const facts: ConnectFacts = {
  sessions: 0,
  isFound: false,
  connection: 'none',
  proof: 'connected',
  folders: { connected: 0, all: 1 },
  file: '/f.json',
  message: 'The hook is missing.',
};

it('says for each agent in the list whether it is here and connected', () => {
  expect(connectState(facts)).toBe('not found on the PATH, not connected');
  expect(connectState({ ...facts, isFound: true, connection: 'works' })).toBe('found on the PATH, connected');
  expect(connectState({ ...facts, sessions: 2 })).toBe('2 sessions here, not connected');
  expect(connectState({ ...facts, sessions: 1, connection: 'trust' })).toBe(
    '1 session here, set up, waiting for you to trust the hook',
  );
  expect(connectState({ ...facts, isFound: null, connection: 'other' })).toBe('');
});

it('says in how many of several folders it is connected, and which file is written in each', () => {
  const some = { ...facts, sessions: 16, folders: { connected: 1, all: 3 }, file: '.claude/settings.local.json' };
  expect(connectState(some)).toBe('16 sessions here, connected in 1 of 3 folders');
  expect(connectOutlook('Connect', some)).toBe(
    'Shows the change and asks before writing: .claude/settings.local.json in 3 folders',
  );
  expect(connectOutlook('Disconnect', { ...some, connection: 'works' })).toBe(
    'Asks, then removes what Unstuck wrote: .claude/settings.local.json in 1 folder',
  );
});

it('says below it what will happen', () => {
  expect(connectOutlook('Connect', facts)).toBe('Shows the change and asks before writing: /f.json');
  expect(connectOutlook('Connect', { ...facts, connection: 'works' })).toBe('Tests the existing connection: /f.json');
  expect(connectOutlook('Connect', { ...facts, connection: 'other' })).toBe('The hook is missing.');
  expect(connectOutlook('Disconnect', facts)).toBe('Nothing to remove');
  expect(connectOutlook('Disconnect', { ...facts, connection: 'works' })).toBe(
    'Asks, then removes what Unstuck wrote: /f.json',
  );
});
