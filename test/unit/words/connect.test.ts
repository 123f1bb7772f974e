import { expect, it } from 'vitest';
import { connectQuestion } from '../../../src/words';

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
