import { describe, expect, it } from 'vitest';
import { DETECTOR_IDS, MESSAGE_KINDS } from '../../../../src/core/model';
import { presetOptions } from '../../../../src/core/rules/options';
import {
  agentsMessage,
  andMore,
  badgeTooltip,
  cannotWatch,
  certaintyWords,
  damageInShort,
  damageNotice,
  deliveryInShort,
  deliveryLine,
  deliveryName,
  helpedWords,
  recoveryLabel,
  similarCommand,
  escalated,
  incidentDescription,
  incidentLabel,
  incidentNotification,
  historyProblem,
  incidentsMessage,
  manyStuck,
  notTaken,
  maySend,
  nearMissTable,
  otherFolders,
  plain,
  reachSentence,
  ruleFigure,
  ruleLabels,
  thresholdWords,
  ruleName,
  statusItem,
  watchedName,
} from '../../../../src/core/words';

const NOW = Date.UTC(2026, 10, 20, 17, 10, 20);
const ago = (minutes: number) => NOW - minutes * 60_000;

describe('rules', () => {
  it.each(DETECTOR_IDS)('%s has a name, a row, a figure and a label', (id) => {
    expect(ruleName(id, null)).toMatch(/^[A-Z]/);
    expect(incidentLabel(id, null, 'make', 5, '12 min').length).toBeGreaterThan(5);
    expect(ruleFigure(id, null, 5, 12, '12 min').value).toMatch(/\d/);
  });

  it('say how they know it', () => {
    expect(ruleLabels('repeating_outcome', null, 'counted')).toEqual(['Same result again', 'Counted, not guessed']);
    expect(certaintyWords('stall', 'guessed')).toBe('Guessed from time');
    expect(certaintyWords('monologue', 'guessed')).toBe('Guessed from text');
  });

  it('say from which count they report, in their unit', () => {
    const words = (id: Parameters<typeof thresholdWords>[0]) => thresholdWords(id, presetOptions(id, 'balanced'));
    expect(words('repeating_action')).toBe('warns at 3, stuck at 4');
    expect(words('token_exhaustion')).toBe('warns at 80 %, stuck at 90 %');
    expect(words('stall')).toBe('warns at 10 min');
    expect(words('oversized_response')).toBe('warns at 200k characters');
    expect(thresholdWords('stall', { ...presetOptions('stall', 'balanced'), on: false })).toBe('off');
  });

  it('label incidents in lists', () => {
    expect(incidentLabel('repeating_outcome', null, 'pytest -q', 6)).toBe('pytest -q: same result ×6');
    expect(incidentLabel('action_error_alternation', null, 'x', 5)).toBe('Alternating steps, same errors ×5');
    expect(incidentLabel('condensation_loop', null, 'make', 3)).toBe('make: failed again after compaction ×3');
    expect(incidentLabel('condensation_loop', null, 'context compacted', 3)).toBe('Compacted again ×3');
    expect(incidentLabel('stall', null, 'cargo build', 12, '12 min')).toBe('cargo build: no output for 12 min');
    expect(incidentLabel('consecutive_failures', 'same_error', 'npm test', 16)).toBe('npm test: same error ×16');
  });
});

describe('incidents', () => {
  const base = {
    detector: 'repeating_outcome',
    rule: null,
    subject: 'npm test',
    count: 5,
    firstAt: ago(11),
    resolvedAt: null,
    cleared: null,
    outcome: null,
    attempts: 1,
    level: 'stuck',
  } as const;

  it('say where they are', () => {
    expect(incidentDescription({ ...base, state: 'open' }, NOW)).toBe('11 min');
    expect(incidentDescription({ ...base, state: 'nudged' }, NOW)).toBe('nudged 1 of 2');
    expect(incidentDescription({ ...base, state: 'escalated' }, NOW)).toBe('needs you');
    expect(incidentDescription({ ...base, state: 'recovered', outcome: 'nudge', resolvedAt: ago(7) }, NOW)).toBe(
      'freed by nudge, 4 min',
    );
    expect(incidentDescription({ ...base, state: 'recovered', outcome: 'by_itself', resolvedAt: ago(9) }, NOW)).toBe(
      'recovered on its own, 2 min',
    );
    expect(incidentDescription({ ...base, state: 'ended', resolvedAt: ago(9) }, NOW)).toBe('ended while stuck');
  });
});

describe('delivery', () => {
  const facts = { times: { queued: NOW }, watched: 2, connected: true, agentName: 'codex', expiry: 600_000 } as const;
  const words = (
    more: Partial<Parameters<typeof deliveryLine>[0]> & Pick<Parameters<typeof deliveryLine>[0], 'state'>,
  ) => {
    const line = deliveryLine({ ...facts, ...more });
    return [...line.dots.map((dot) => `${dot.done ? '●' : '○'} ${dot.name} ${dot.note}`.trim()), ...line.actions];
  };

  it('shows three dots on a line', () => {
    expect(words({ state: 'queued' })).toEqual([
      '● Queued 17:10:20',
      '○ Taken at the next tool call',
      '○ Acted',
      'undo',
      'edit',
    ]);
    expect(words({ state: 'taken', times: { queued: NOW, taken: NOW } })).toEqual([
      '● Queued 17:10:20',
      '● Taken 17:10:20',
      '○ Acted watching, 2 of 5 calls',
    ]);
    expect(words({ state: 'acted', times: { queued: NOW, taken: NOW, acted: NOW }, outcome: 'same' })[2]).toBe(
      '● Acted 17:10:20, same result',
    );
    expect(words({ state: 'acted', times: { queued: NOW, taken: NOW, acted: NOW }, outcome: 'changed' })[2]).toBe(
      '● Acted 17:10:20, changed',
    );
  });

  it('says what did not arrive, and what can be done about it', () => {
    expect(words({ state: 'expired', times: { queued: NOW, expired: NOW } })).toEqual([
      '● Queued 17:10:20',
      '○ Expired 17:10:20, not taken in 10 min',
      'send_again',
    ]);
    expect(words({ state: 'expired', times: { expired: NOW }, expiry: 90 * 60_000 })[1]).toMatch(
      /not taken in 1 h 30 min$/,
    );
    expect(words({ state: 'queued', connected: false })).toEqual([
      '● Queued 17:10:20',
      '○ Not delivered codex is not connected',
      'connect',
      'undo',
      'edit',
    ]);
    expect(
      words({
        state: 'withdrawn',
        times: { queued: NOW, withdrawn: NOW },
        reason: 'the agent recovered on its own',
      })[1],
    ).toBe('○ Withdrawn 17:10:20, the agent recovered on its own');
    expect(deliveryInShort({ ...facts, state: 'acted', times: { acted: NOW }, outcome: 'same' })).toBe(
      'acted 17:10, same result',
    );
  });

  it('of other kinds is named, and offers only what can be done about it', () => {
    expect(MESSAGE_KINDS.map((kind) => deliveryName(kind, 2))).toEqual([
      'Nudge 2',
      'Gate feedback',
      'Reassigned',
      'Checkpoint',
      'Stop',
      'Restart',
      'Restart',
      'Blocked call',
    ]);
    expect(deliveryName('nudge', 0)).toBe('Nudge');
    expect(words({ kind: 'gate', state: 'queued' }).slice(3)).toEqual(['undo']);
    expect(words({ kind: 'gate', state: 'queued', connected: false }).slice(1)).toEqual([
      '○ Not delivered codex is not connected',
      'connect',
      'undo',
    ]);
    expect(words({ kind: 'block', state: 'expired', times: { queued: NOW, expired: NOW } })).toHaveLength(2);
  });

  it('of a restart is taken by the supervisor, and so is a stop if no hook is connected', () => {
    expect(words({ kind: 'restart', state: 'queued', connected: false })).toEqual([
      '● Queued 17:10:20',
      '○ Taken by its supervisor',
      '○ Acted',
      'undo',
    ]);
    expect(words({ kind: 'restart', state: 'queued' })[1]).toBe('○ Taken by its supervisor');
    expect(words({ kind: 'stop', state: 'queued' })[1]).toBe('○ Taken at the next tool call');
    expect(words({ kind: 'stop', state: 'queued', connected: false })[1]).toBe('○ Taken by its supervisor');
    expect(words({ kind: 'stop', state: 'taken', times: { queued: NOW, taken: NOW } })[2]).toBe('○ Acted');
  });

  it('says how it would arrive before it is sent', () => {
    expect(plain(reachSentence({ kind: 'long_call', call: 'npm run build', since: ago(7), until: NOW }, NOW))).toBe(
      'The agent has been running npm run build for 7 min. The message waits until that ends, at most until 17:10.',
    );
    expect(maySend({ kind: 'hindered', why: 'waits_for_permission' })).toBe(false);
    expect(maySend({ kind: 'hindered', why: 'untrusted' })).toBe(false);
    expect(maySend({ kind: 'not_connected', canConnect: true })).toBe(true);
  });
});

describe('recovery', () => {
  it('has its step as label, and counts down to the next one, rounded up', () => {
    const at = (nextAt: number) => recoveryLabel({ held: false, nextAt }, NOW);
    expect(recoveryLabel(null, NOW)).toBe('');
    expect(at(NOW + 40_000)).toBe('automatic, next in 40 s');
    expect(at(NOW + 39_001)).toBe('automatic, next in 40 s');
    expect(at(NOW + 1)).toBe('automatic, next in 1 s');
    expect(at(NOW - 1)).toBe('automatic, next now');
    expect(recoveryLabel({ held: true, nextAt: NOW + 9000 }, NOW)).toBe('automatic, held');
    expect(recoveryLabel({ held: false }, NOW)).toBe('automatic');
  });

  it('says what helped before', () => {
    expect(helpedWords({ name: 'Fresh context', helped: 2 })).toBe('Fresh context helped');
    expect(helpedWords({ name: 'Nudge', helped: 0 })).toBe('Nudge did not help');
    expect(similarCommand(3)).toBe('Show 3 Similar Incidents');
    expect(similarCommand(1)).toBe('Show 1 Similar Incident');
  });

  it('names what is watched', () => {
    const watched = MESSAGE_KINDS.map((kind) => watchedName({ kind, nudge: 2 }));
    expect(watched.slice(0, 2)).toEqual(['Nudge 2', 'Gate feedback']);
    expect(new Set(watched).size).toBe(MESSAGE_KINDS.length - 1);
  });
});

describe('why not stuck', () => {
  const at = Date.UTC(2026, 10, 20, 9, 30);
  const miss = { detector: 'repeating_outcome', rule: null, nearest: 'gh run view', reached: 3, limit: 4, at } as const;

  it('shows the rules that came near and names the rest', () => {
    const table = nearMissTable(
      [
        { ...miss, detector: 'token_exhaustion', reached: 41, limit: 80 },
        { ...miss, detector: 'max_runtime', reached: 2, limit: 10 },
        miss,
      ],
      [],
      at,
    );
    expect(table.near.map((row) => [row.name, row.reached])).toEqual([
      ['Same result again', '3 of 4'],
      ['Context nearly full', '41 of 80 %'],
    ]);
    expect(table.far[0]).toEqual({
      name: 'Long run',
      nearest: 'gh run view',
      reached: '2 of 10 min',
      heldBackBy: '',
    });
    expect(table.far).toHaveLength(DETECTOR_IDS.length - 2);
  });

  it('says when a rule was an incident and how it ended, never that it came nowhere near', () => {
    const incident = {
      detector: 'repeating_outcome',
      rule: null,
      subject: 'pytest -q',
      count: 22,
      firstAt: Date.UTC(2026, 10, 20, 9, 23),
      resolvedAt: Date.UTC(2026, 10, 20, 9, 26),
      state: 'recovered',
      outcome: 'nudge',
      cleared: 'different_result',
      level: 'stuck',
    } as const;
    const [first, ...others] = nearMissTable(
      [miss, { ...miss, detector: 'stall', reached: 9, limit: 10 }],
      [incident],
      at,
    ).near;
    expect(first).toMatchObject({ name: 'Same result again', nearest: 'pytest -q', reached: '22 times' });
    expect(first?.heldBackBy).toMatch(/^Was an incident \d\d:23 to \d\d:26: freed by nudge$/);
    expect(others.map(({ name }) => name)).toEqual(['No output']);
    const { near, far } = nearMissTable(
      [],
      [{ ...incident, state: 'open', resolvedAt: null, outcome: null, cleared: null }],
      at,
    );
    expect(near[0]?.heldBackBy).toMatch(/^Active since \d\d:23$/);
    expect(far).toHaveLength(DETECTOR_IDS.length - 1);
  });

  it('shows a rule that a guard held back, however near it came', () => {
    const table = nearMissTable([{ ...miss, reached: 0, heldBackBy: 'You asked for the repeat' }], [], at);
    expect(table.near).toHaveLength(1);
  });

  it('names the command that now runs without output, and an earlier one only as over', () => {
    const earlier = { ...miss, detector: 'stall', nearest: 'npm ci', reached: 8, limit: 20 } as const;
    const now = { ...earlier, nearest: 'npm run test:all', reached: 0, lastsSince: at } as const;
    const rows = (minutes: number) =>
      nearMissTable([earlier, now], [], at + minutes * 60_000).near.map(({ nearest, reached, heldBackBy }) => [
        nearest,
        reached,
        heldBackBy,
      ]);
    expect(rows(3)).toEqual([['npm ci', '8 of 20 min', expect.stringMatching(/^Output came at \d\d:30$/)]]);
    expect(rows(7)).toEqual([['npm run test:all', '7 of 20 min', '']]);
  });
});

describe('the status bar', () => {
  const none = {
    needsYou: 0,
    stuck: 0,
    unseen: 0,
    probablyWaiting: 0,
    notMonitored: 0,
    recovering: 0,
    agents: 12,
    restricted: false,
    paused: false,
  };
  const text = (more: Partial<Parameters<typeof statusItem>[0]>) => {
    const item = statusItem({ ...none, ...more });
    return item === null ? undefined : `$(${item.icon}) ${item.text}`;
  };

  it('says the gravest thing first', () => {
    expect(text({ stuck: 2, needsYou: 1 })).toBe('$(bell-dot) 1 needs you · 2 stuck');
    expect(text({ stuck: 2, needsYou: 6 })).toBe('$(bell-dot) 6 need you · 2 stuck');
    expect(text({ stuck: 2, notMonitored: 1 })).toBe('$(warning) 2 stuck');
    expect(text({ needsYou: 1, notMonitored: 1 })).toBe('$(bell-dot) 1 needs you');
    expect(text({ notMonitored: 1, recovering: 1 })).toBe('$(eye-closed) 11 of 12');
    expect(text({ recovering: 1, restricted: true })).toBe('$(debug-restart) 1 recovering');
    expect(text({ restricted: true, paused: true })).toBe('$(lock) Unstuck');
    expect(text({ paused: true })).toBe('$(debug-pause) Paused');
    expect(text({})).toBe('$(pulse) 12');
    expect(text({ agents: 0 })).toBeUndefined();
  });

  it('has a background only while a stuck agent has not been seen', () => {
    expect(statusItem({ ...none, stuck: 2, unseen: 1 })?.background).toBe('warning');
    expect(statusItem({ ...none, stuck: 2 })?.background).toBeNull();
    expect(statusItem({ ...none, stuck: 2 })?.label).toBe('Unstuck, 2 agents are stuck, 12 watched');
  });

  it('lists eight agents', () => {
    expect(andMore(8)).toBe('');
    expect(andMore(12)).toBe('and 4 more');
  });
});

describe('notifications', () => {
  const notice = { detector: 'repeating_outcome', title: 'Fix the import error', call: 'pytest -q', count: 6 } as const;

  it('state what was counted', () => {
    expect(incidentNotification(notice)).toEqual({
      level: 'warning',
      text: '“Fix the import error” is stuck: pytest -q gave the same result 6 times.',
      buttons: ['Nudge', 'Show Evidence', 'Not Stuck'],
    });
    expect(incidentNotification({ ...notice, detector: 'token_exhaustion', count: 86, time: '40 min' })?.text).toBe(
      '“Fix the import error” has used 86 % of its context, with nothing new for 40 min.',
    );
    expect(incidentNotification({ ...notice, detector: 'gate_blocked', gate: 'tests failed: 2 of 214' })?.text).toBe(
      '“Fix the import error” says it is done, but tests failed: 2 of 214.',
    );
  });

  it('do not exist for rules that only badge', () => {
    for (const detector of [
      'stall',
      'max_runtime',
      'premature_action',
      'over_helpfulness',
      'oversized_response',
      'rate_limited',
    ] as const) {
      expect(incidentNotification({ ...notice, detector })).toBeNull();
    }
  });

  it('are grouped, escalated and counted', () => {
    expect(notTaken('Migrate', 4 * 3_600_000).text).toBe('The nudge for “Migrate” was not taken in 4 h.');
    const stuck = ['A', 'B', 'C', 'D', 'E'].map((title) => ({ title, why: title === 'B' ? '' : `npm test ${title}` }));
    expect(manyStuck(stuck.slice(0, 2)).text).toBe('2 agents are stuck: “A” (npm test A), “B”.');
    expect(manyStuck(stuck).text).toBe('5 agents are stuck: “A” (npm test A), “B”, “C” (npm test C), 2 more.');
    expect(escalated('Migrate', 5).text).toBe('“Migrate” needs you: 5 recovery steps did not help.');
    expect(badgeTooltip(2)).toBe('2 open incidents');
    const facts = { restricted: true, settingsIgnored: false, paused: false, watcherFailed: false };
    expect(agentsMessage(facts)).toBe('Restricted mode: reading only');
    expect(agentsMessage({ ...facts, settingsIgnored: true })).toBe(
      'Restricted mode: reading only. This folder’s own settings for watching do not apply.',
    );
    expect(agentsMessage({ ...facts, restricted: false, watcherFailed: true })).toBe('Checking every 2 s');
    expect(agentsMessage({ ...facts, paused: true })).toBe('Watching is paused');
    expect(cannotWatch('ENOSPC').text).toBe(
      'Unstuck cannot watch for new lines: the system’s limit on watched files is reached. It now checks every 2 s.',
    );
    expect(cannotWatch('LIMIT').text).toBe(
      'Unstuck has reached its limit of watched folders. It checks the others periodically.',
    );
    expect(otherFolders(3)).toBe('Show 3 Sessions in Other Folders');
    expect(otherFolders(1)).toBe('Show 1 Session in Other Folders');
  });
});

describe('a damaged history', () => {
  const facts = { saved: 251, lost: 49, lines: 0, file: 'incidents.sqlite.corrupt-2026' };

  it('is reported by what was saved and what was lost', () => {
    expect(damageInShort(facts)).toBe('The history was damaged: 251 of 300 incidents saved, 49 lost.');
    expect(damageInShort({ ...facts, lost: null })).toBe(
      'The history was damaged: 251 incidents saved; an unknown number is lost.',
    );
    expect(damageInShort({ ...facts, lost: 0 })).toBe('The history was damaged: all 251 incidents saved.');
    expect(damageInShort({ ...facts, saved: 0, lost: 0 })).toBe('The history was damaged: nothing was lost.');
    expect(damageInShort({ ...facts, saved: 0, lost: 0, lines: 2 })).toBe(
      'The history was damaged: 2 lines of a journal could not be read.',
    );
    expect(damageInShort({ ...facts, lines: 1 })).toBe(
      'The history was damaged: 251 of 300 incidents saved, 49 lost; 1 line of a journal could not be read.',
    );
  });

  it('says where the damaged file is, and what to do', () => {
    expect(damageNotice({ ...facts, lost: 0 })).toBe(
      'The history was damaged: all 251 incidents saved. The damaged file is kept: incidents.sqlite.corrupt-2026. You do not need to do anything.',
    );
    expect(damageNotice(facts)).toMatch(/If you have a backup of its folder, close all windows and restore that/);
  });

  it('is shown above the incidents, unless they are searched or something is worse', () => {
    const above = { damage: facts };
    expect(incidentsMessage(above)).toBe(damageInShort(facts));
    expect(incidentsMessage({ ...above, problem: 'The disk is full.' })).toBe('The disk is full.');
    expect(incidentsMessage({ ...above, narrowed: '3 for “pytest”' })).toBe('3 for “pytest”');
    expect(incidentsMessage({ ...above, isReading: true })).toBe(damageInShort(facts));
    expect(incidentsMessage({ isReading: true })).toBe('Reading older incidents…');
    expect(incidentsMessage({})).toBeUndefined();
  });
});

describe('what is wrong with the history', () => {
  it('is said in short, without the path from the system, and with what happens to new incidents', () => {
    expect(historyProblem('read_only')).toBe(
      'The history folder is not writable. New incidents are kept in memory until they can be saved.',
    );
    expect(historyProblem('newer_version')).toMatch(
      /^The history was written by a newer version of Unstuck\. .* Update Unstuck\.$/,
    );
  });
});
