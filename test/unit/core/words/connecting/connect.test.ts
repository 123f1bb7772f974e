import { expect, it } from 'vitest';
import { type ConnectFacts, connectOutlook, connectQuestion, connectState } from '../../../../../src/core/words';

const base = { agent: 'Claude Code', file: '/w/.claude/settings.local.json', isNew: false, added: 14, warnings: [] };

it('says which file changes and how, what runs, and how it is undone', () => {
  expect(connectQuestion(base)).toBe(
    'Connect Claude Code? 14 lines are added to /w/.claude/settings.local.json, nothing else changes: the editor shows it. ' +
      'The hook runs with the agent’s tool calls, hands over a message where one waits, and leaves at once otherwise. “Disconnect Agent…” takes it out again.',
  );
});

it('names a file that is made', () => {
  expect(connectQuestion({ ...base, isNew: true })).toContain('The file /w/.claude/settings.local.json is made:');
});

it('says first what may be in the way', () => {
  const warnings = ['All hooks are switched off in ~/.claude/settings.json.'];
  expect(connectQuestion({ ...base, added: 1, warnings })).toMatch(
    /^Connect Claude Code\? All hooks are switched off in ~\/\.claude\/settings\.json\. 1 line is added to/,
  );
});

const facts: ConnectFacts = {
  sessions: 0,
  isFound: false,
  connection: 'none',
  proof: 'connected',
  file: '/f.json',
  message: 'The hook is missing.',
};

it('says of each agent in the list whether it is here and connected', () => {
  expect(connectState(facts)).toBe('not found on the PATH, not connected');
  expect(connectState({ ...facts, isFound: true, connection: 'works' })).toBe('found on the PATH, connected');
  expect(connectState({ ...facts, sessions: 2 })).toBe('2 sessions here, not connected');
  expect(connectState({ ...facts, isFound: null, connection: 'other' })).toBe('');
});

it('says below it what will happen', () => {
  expect(connectOutlook('Connect', facts)).toBe('Shows the change and asks before it writes: /f.json');
  expect(connectOutlook('Connect', { ...facts, connection: 'works' })).toBe('Tests what is written already: /f.json');
  expect(connectOutlook('Connect', { ...facts, connection: 'other' })).toBe('The hook is missing.');
  expect(connectOutlook('Disconnect', facts)).toBe('Nothing to take out');
  expect(connectOutlook('Disconnect', { ...facts, connection: 'works' })).toBe(
    'Asks, then takes out what Unstuck wrote: /f.json',
  );
});
