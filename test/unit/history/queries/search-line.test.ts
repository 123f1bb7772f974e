import { describe, expect, it } from 'vitest';
import { readSearchLine, type SearchLine } from '../../../../src/history';

const NOW = Date.UTC(2026, 10, 22, 12);
const DAY = 86_400_000;

describe('a line of the search', () => {
  it.each<[string, SearchLine]>([
    ['stuck repeating', { words: 'stuck repeating', filter: {} }],
    ['pytest level:stuck', { words: 'pytest', filter: { levels: ['stuck'] } }],
    ['level:warning', { words: '', filter: { levels: ['warn'] } }],
    ['rule:cycle a rule:repeating-action', { words: 'a', filter: { detectors: ['cycle', 'repeating_action'] } }],
    ['agent:codex outcome:nudge', { words: '', filter: { agents: ['codex'], endings: ['nudge'] } }],
    ['outcome:open outcome:not-stuck', { words: '', filter: { endings: ['open', 'not_stuck'] } }],
    ['folder:"/home/me/a b/" x', { words: 'x', filter: { folders: ['/home/me/a b'] } }],
    ['since:7d until:24h', { words: '', filter: { since: NOW - 7 * DAY, until: NOW - DAY } }],
    ['since:2026-11-20T18:53:50Z', { words: '', filter: { since: Date.UTC(2026, 10, 20, 18, 53, 50) } }],
    ['since:2026-11-20', { words: '', filter: { since: new Date(2026, 10, 20).getTime() } }],
    ['until:2w', { words: '', filter: { until: NOW - 14 * DAY } }],
    ['level:warn level:stuck', { words: '', filter: { levels: ['warn', 'stuck'] } }],
    ['folder:/', { words: '', filter: { folders: ['/'] } }],
    ['folder:/a/ folder:C:\\b\\', { words: '', filter: { folders: ['/a', 'C:\\b'] } }],
    ['a "" b', { words: 'a  b', filter: {} }],
    ['"two words" three', { words: 'two words three', filter: {} }],
  ])('%s', (line, meant) => {
    expect(readSearchLine(line, NOW)).toEqual(meant);
  });

  it.each([
    'src/a.ts:12',
    'error: no such file',
    'level:high',
    'rule:nothing',
    'outcome:',
    'since:yesterday',
    'since:12345d',
    'since:7days',
    'since:x7d',
    'since:7y',
    'since:20 November 2026',
    'since:x2026-11-20',
    'since:2026-xx',
    'level:""',
    'http://x',
  ])('that is no filter is searched for as it is: %s', (line) => {
    expect(readSearchLine(line, NOW)).toEqual({ words: line, filter: {} });
  });

  it('is read up to its 2,000th character', () => {
    expect(readSearchLine(`${'x'.repeat(1_995)} abcdef level:stuck`, NOW)).toEqual({
      words: `${'x'.repeat(1_995)} abcd`,
      filter: {},
    });
  });
});
