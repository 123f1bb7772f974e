import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AGENT_STATE_KINDS } from '../../../src/model';
import { CARDS, wordsOf } from '../../../src/rules';
import { fill } from '../../../src/words/fill';
import { presetOptions } from '../../../src/rules/options';
import { speak } from '../../../src/util/l10n';
import * as words from '../../../src/words';
import { REASON_TEXTS } from '../../../src/recover/decisions/decision';
import { PSEUDO, pseudo, pseudoBundle, unmarked } from '../../support/pseudo-locale';

const english = JSON.parse(readFileSync(join(__dirname, '../../../l10n/bundle.l10n.json'), 'utf8')) as Record<
  string,
  string
>;

beforeAll(() => speak({ language: PSEUDO, texts: pseudoBundle(english) }));
afterAll(() => speak(undefined));

test('a text that was forgotten is found, beside those that were not', () => {
  expect(pseudo('Show {0} {0:call|calls}')).toBe('⟦Shów {0} {0:çáll|çálls}······⟧');
  expect(unmarked('⟦Ópéñ ⟦dátá⟧⟧ · Show ⟦Líñé 1⟧, 12')).toEqual(['· Show', ', 12'].slice(0, 1));
});

/** Every text in a value, by where it stands. */
function textsIn(value: unknown, path = ''): [string, string][] {
  if (typeof value === 'string') return [[path, value]];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, one]) => textsIn(one, `${path}.${name}`));
}

/** Fields that say no words. */
const NO_WORDS = /\.(?:icon|tone|command|level|id|background|action|code|strong)$|\.buttons\.|\.actions\.|\.bar\./;

function forgotten(value: unknown): string[] {
  return textsIn(value)
    .filter(([path]) => !NO_WORDS.test(path))
    .flatMap(([path, text]) => unmarked(text).map((piece) => `${path}: ${piece}`));
}

const NOW = Date.UTC(2026, 10, 20, 17, 10, 20);
const DATA = '0';

describe('every word about a rule is translated', () => {
  test.each(CARDS.map((card) => [card.id, card] as const))('%s', (id, card) => {
    const rules = [null, ...Object.keys(card.rules ?? {})] as Parameters<typeof words.ruleName>[1][];
    for (const rule of rules) {
      const said = [
        words.ruleLabels(id, rule, 'counted'),
        words.ruleLabels(id, rule, 'guessed'),
        words.patternWords(id, rule),
        words.ruleInShort(id, rule, 3, '5'),
        words.ruleInShort(id, rule, 3),
        words.incidentLabel(id, rule, DATA, 3, '5'),
        words.ruleFigure(id, rule, 3, 9, '5', DATA),
        words.plain(words.beforeRecovery(id, rule, DATA, 3)),
        words.thresholdWords(id, presetOptions(id, 'balanced')),
        words.thresholdWords(id, { ...presetOptions(id, 'balanced'), on: false }),
        words.reachedWords(id, 3, 60),
        words.incidentNotification({ detector: id, title: DATA, call: DATA, count: 3, time: '5' }),
        words.incidentNotification({ detector: id, title: DATA, call: DATA, count: 3 }),
        words.limitWords({ detector: id, limit: 3 }),
      ];
      expect(forgotten(said), String(rule)).toEqual([]);
    }
  });

  test('also what an alert keeps in English, where it is shown', () => {
    const values = {
      call: 'make',
      count: 6,
      span: 9,
      edits: 2,
      file: 'a.py',
      moved: '1, 2',
      outcomes: 3,
      tools: 2,
      period: 2,
    };
    const more = { given: '', unchanged: '', turns: '`a` and `b`', time: '5 min' };
    for (const { id, rules } of CARDS) {
      for (const rule of [null, ...Object.keys(rules ?? {})] as Parameters<typeof words.ruleName>[1][]) {
        const { why, suggestion, clears = [] } = wordsOf(id, rule);
        const templates = [...Object.values(why ?? {}), ...Object.values(suggestion ?? {}), ...clears] as string[];
        for (const template of templates) {
          const shown = words.translated(fill(template, { ...values, ...more }));
          expect(unmarked(shown), template).toEqual([]);
        }
      }
    }
  });
});

describe('every sentence is translated', () => {
  const since = NOW - 600_000;
  const states = [
    { kind: 'escalated', since },
    { kind: 'stuck', since },
    { kind: 'waiting', since, waitingFor: 'permission' },
    { kind: 'waiting', since, waitingFor: 'question' },
    { kind: 'waiting', since, waitingFor: 'turn_end' },
    { kind: 'waiting', since, waitingFor: 'permission', probable: true },
    { kind: 'stalled', since },
    { kind: 'not_monitored', since },
    { kind: 'recovering', since },
    { kind: 'working', since },
    ...(['clean', 'died', 'interrupted', 'error'] as const).map((ended) => ({
      kind: 'finished' as const,
      since,
      ended,
    })),
  ] as const;
  const watches = [0, 1, 2, 3].flatMap((seen) => [
    { nudge: 1, takenAt: since, seen, fresh: seen },
    { nudge: 0, takenAt: since, seen, fresh: 0 },
  ]);

  test.each(states.map((state) => [JSON.stringify(state), state] as const))('of the state %s', (_name, state) => {
    const facts = { state, now: NOW, lastNewAt: since, coverage: { seen: 1, there: 2 }, ran: 5, attempts: 2 };
    const doing = { kind: 'tool', subject: DATA, since, id: '' } as const;
    expect(
      forgotten([
        words.statePill(state, NOW),
        words.treeDescription(state, DATA, NOW),
        words.stateLabel(state, DATA, DATA, NOW, DATA),
        words.plain(words.stateSentence(facts)),
        words.plain(words.stateSentence({ state, now: NOW, doing, explanation: [{ text: DATA }] })),
        words.plain(words.doingWords({ state, now: NOW })),
        words.plain(words.doingWords({ state, now: NOW, doing, usageLimit: { since, opensAt: NOW } })),
        words.announcement(DATA, facts),
      ]),
    ).toEqual([]);
  });

  test('of what is watched', () => {
    const state = { kind: 'recovering', since } as const;
    for (const watch of watches) {
      const lead = { kind: 'recovering', watch, before: [] } as const;
      const said = [
        words.stateSentence({ state, now: NOW, watch }),
        words.doingWords({ state, now: NOW, watch }),
        words.leadSentence(lead, DATA, NOW),
      ];
      expect(forgotten(said.map(words.plain))).toEqual([]);
    }
  });

  test('of a message', () => {
    const kinds = ['nudge', 'gate', 'block', 'stop', 'restart', 'escalate', 'reassign', 'checkpoint'] as const;
    for (const kind of kinds) {
      expect(
        forgotten([words.deliveryName(kind, 0), words.deliveryName(kind, 2), words.watchedName({ kind, nudge: 0 })]),
      ).toEqual([]);
      for (const state of ['queued', 'taken', 'seen', 'acted', 'expired', 'withdrawn', 'failed'] as const) {
        for (const connected of [true, false]) {
          const times = { queued: since, taken: since, acted: since, expired: since, withdrawn: since };
          const facts = {
            kind,
            state,
            times,
            watched: 2,
            connected,
            agentName: DATA,
            expiry: 600_000,
            outcome: 'same' as const,
          };
          expect(forgotten([words.deliveryLine(facts), words.deliveryInShort(facts)]), `${kind} ${state}`).toEqual([]);
        }
      }
    }
  });

  test('of gates', () => {
    const gate = { name: DATA, reason: '', summary: '', startedAt: since, ms: 5_000 };
    for (const status of ['passed', 'failed', 'skipped', 'running', 'not_run'] as const) {
      expect(forgotten([words.gateWords({ ...gate, status }, NOW), words.gateAria({ ...gate, status }, NOW)])).toEqual(
        [],
      );
      for (const verdict of ['passed', 'failed', 'running', 'none', 'cancelled'] as const) {
        const report = {
          verdict,
          results: [{ ...gate, id: '', status }] as never,
          claim: '',
          attempt: 2,
          startedAt: since,
          endedAt: NOW,
        };
        const said = [
          words.gatesInShort(report),
          words.gatesSentence(report),
          words.gatesOutcome(report),
          words.gatesLabel(report, NOW),
        ];
        expect(forgotten(said), `${status} ${verdict}`).toEqual([]);
      }
    }
    expect(forgotten([words.gatesTold(undefined, NOW), words.gatesTold('no gate failed', undefined)])).toEqual([]);
  });

  test('of reach, history, connection and numbers', () => {
    const reaches = [
      { kind: 'not_connected' },
      { kind: 'not_loaded' },
      { kind: 'silent' },
      { kind: 'chat', runs: true },
      { kind: 'chat', runs: false },
      { kind: 'wakes' },
      { kind: 'next_prompt' },
      { kind: 'next_prompt', interrupted: true },
      { kind: 'hanging' },
      { kind: 'next_call' },
      { kind: 'long_call', call: DATA, since, until: NOW },
      ...(['untrusted', 'no_folder', 'finished', 'waits_for_permission', 'waits_for_answer'] as const).map((why) => ({
        kind: 'hindered' as const,
        why,
      })),
    ] as const; // prettier-ignore
    const facts = { sessions: 2, isFound: true, connection: 'works', proof: '', file: DATA, message: '' } as const;
    const said = [
      reaches.map((reach) => words.plain(words.reachSentence(reach, NOW))),
      words.damageNotice({ saved: 1, lost: 2, lines: 3, file: DATA }),
      words.damageNotice({ saved: 0, lost: 0, lines: 0, file: DATA }),
      words.connectQuestion({ agent: DATA, file: DATA, isNew: false, added: 2, warnings: [] }),
      words.connectState(facts),
      words.connectState({ ...facts, isFound: false, sessions: 0, connection: 'none' }),
      words.connectOutlook('Connect', facts),
      words.connectOutlook('Disconnect', facts),
      words.PROOF_TEXTS,
      words.HINDRANCE_TEXTS,
      words.CHAT_HINDRANCE_TEXTS,
      words.ACTION_NAMES,
      words.ACTION_DETAILS,
      words.BUTTON_NAMES,
      words.NOTICES,
      words.CHIP_KINDS,
      words.PERIODS,
      words.MUTE_CHOICES,
      [0, 59_000, 3_599_000, 3_660_000, 90_000_000].map((ms) => [words.ageInWords(ms)]),
    ];
    expect(forgotten(said)).toEqual([]);
  });

  test('of agents on other machines', () => {
    const lost = ['silent', 'stopped', 'version'] as const;
    const facts = { lastSeenAt: since, needsYou: 1, stuck: 2, agents: 3 };
    const refusals = ['not_allowed', 'no_such_agent', 'cannot_be_reached', 'invalid', 'version', 'inbox', 'lost', ''];
    const receipts = ['queued', 'taken', 'seen', 'acted', 'expired', 'withdrawn', 'failed', 'refused'];
    const troubles = [
      'connecting',
      'unreachable',
      'credentials',
      'no_credentials',
      'address',
      'no_tls',
      'permission',
      'not_prepared',
      'full',
      'timeout',
      'broken',
    ] as const; // prettier-ignore
    const problems = ['unknown_agent', 'not_allowed', 'too_large', 'too_many'] as const;
    const row = (told: Parameters<typeof words.toldRow>[0]) => words.toldRow(told, NOW);
    const said = [
      words.thisMachine(),
      lost.map((presence) => [
        words.presenceWords(presence, since, NOW),
        words.presenceInWords(presence, since, NOW),
        words.presencePill(presence, since, NOW),
        words.presenceSentence(presence, since, NOW),
        words.machineInShort({ ...facts, presence }, NOW),
        words.stateLabel({ kind: 'not_monitored', since, lost: presence }, DATA, DATA, NOW),
        words.doingWords({ state: { kind: 'not_monitored', since, lost: presence }, now: NOW }),
        words.leadSentence({ kind: 'lost', presence, since, before: words.say`${DATA}` }, DATA, NOW),
      ]),
      words.machineInShort({ ...facts, presence: 'live' }, NOW),
      words.machineInShort({ ...facts, presence: 'live', agents: 0 }, NOW),
      words.leadSentence({ kind: 'working_there' }, DATA, NOW),
      words.leadSentence({ kind: 'working_there', lastNewAt: since, progress: { kind: 'edit', at: since } }, DATA, NOW),
      words.onlyThere(DATA),
      refusals.map((reason) =>
        words.notTakenThere(words.deliveryName('stop', 0), DATA, DATA, words.refusalWords(reason)),
      ),
      [words.nudgeSentTo(DATA), words.sentTo('restart', DATA), words.sentTo('stop', DATA)],
      problems.map((why) => words.sendProblem(why, DATA)),
      troubles.map(words.fleetNote),
      words.credentialsNeeded(DATA),
      Object.values(words.CREDENTIALS).map((text) => text()),
      [words.TOLD.heading(), words.TOLD.label(DATA), words.TOLD.none(), words.toldAgo(DATA, 3_000)],
      AGENT_STATE_KINDS.map((state) => row({ at: since, kind: 'state', state })),
      row({ at: since, kind: 'message', action: 'nudge', viewer: DATA }),
      receipts.map((state) => row({ at: since, kind: 'receipt', action: 'restart', state, reason: 'invalid' })),
      [false, true].map((isLost) =>
        words.plain(words.reachSentence({ kind: 'elsewhere', machine: DATA, isLost }, NOW)),
      ),
    ];
    expect(forgotten(said)).toEqual([]);
  });

  test('of a decision, which is kept in English', () => {
    const { strategy: _worded, ...reasons } = REASON_TEXTS;
    expect(forgotten(Object.values(reasons).map(words.translated))).toEqual([]);
  });
});
